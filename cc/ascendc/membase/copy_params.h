// Parameter records of the copies in copy.h and copy_pad.h. Names, widths, order and defaults are
// the public ones (asc-devkit include/basic_api/kernel_struct_data_copy.h); units stand beside each
// field.
#ifndef CC_ASCENDC_MEMBASE_COPY_PARAMS_H_
#define CC_ASCENDC_MEMBASE_COPY_PARAMS_H_

#include "cc/ascendc/membase/target.h"

ASCENDC_TWIN_BEGIN

// For DataCopy everything is in DataBlocks of 32 bytes. For DataCopyPad blockLen and the gap in
// global memory are bytes.
struct DataCopyParams {
  DataCopyParams() {}
  DataCopyParams(uint16_t count, uint16_t len, uint16_t srcGapIn, uint16_t dstGapIn)
      : blockCount(count), blockLen(len), srcStride(srcGapIn), dstStride(dstGapIn) {}

  uint16_t blockCount = 1;
  uint16_t blockLen = 0;
  union {
    uint16_t srcGap = 0;  // between the end of a block and the start of the next
    uint16_t srcStride;   // its older name
  };
  union {
    uint16_t dstGap = 0;
    uint16_t dstStride;
  };
};

#if __NPU_ARCH__ == 3510
using CopyGap = int64_t;
#else
using CopyGap = uint32_t;
#endif

struct DataCopyExtParams {
  DataCopyExtParams() {}
  DataCopyExtParams(uint16_t count, uint32_t len, CopyGap srcGap, CopyGap dstGap, uint32_t reserved)
      : blockCount(count), blockLen(len), srcStride(srcGap), dstStride(dstGap), rsv(reserved) {}

  uint16_t blockCount = 1;
  uint32_t blockLen = 0;  // bytes
  CopyGap srcStride = 0;  // gap: bytes in global memory, DataBlocks in UB
  CopyGap dstStride = 0;
  uint32_t rsv = 0;
};

struct DataCopyPadParams {
  DataCopyPadParams() {}
  DataCopyPadParams(bool pad, uint8_t left, uint8_t right, uint64_t value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;  // elements
  uint8_t rightPadding = 0;
  uint64_t paddingValue = 0;  // bits of one element
};

template <typename T>
struct DataCopyPadExtParams {
  DataCopyPadExtParams() {}
  DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}

  bool isPad = false;
  uint8_t leftPadding = 0;  // elements
  uint8_t rightPadding = 0;
  T paddingValue = T(0);
};

// How blocks that are not whole DataBlocks lie in UB: each starts at a DataBlock, or one follows
// the other directly.
enum class PaddingMode : uint8_t { Normal = 0, Compact };

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_COPY_PARAMS_H_
