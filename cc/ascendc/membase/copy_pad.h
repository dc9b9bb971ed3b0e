// DataCopyPad: transfers of blocks of any number of bytes. In UB each block occupies whole
// DataBlocks. What a block and its padding leave of the last one gets the padding value (isPad), or
// the block's first element where neither left nor right padding was asked for; otherwise its
// content is not promised.
#ifndef CC_ASCENDC_MEMBASE_COPY_PAD_H_
#define CC_ASCENDC_MEMBASE_COPY_PAD_H_

#include "cc/ascendc/membase/copy.h"
#include "cc/ascendc/membase/copy_blocks.h"
#include "cc/ascendc/membase/copy_params.h"
#include "cc/ascendc/membase/place.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
ASCENDC_TWIN_INLINE void FillElements(uint8_t* begin, uint8_t* end, T value) {
  for (uint8_t* at = begin; at + sizeof(T) <= end; at += sizeof(T)) {
    __builtin_memcpy(at, &value, sizeof(T));
  }
}

template <typename T>
struct PadFill {
  bool filled;  // with `value`; otherwise nothing is promised about the padding
  uint32_t left_bytes;
  uint32_t right_bytes;
  T value;
};

template <typename T>
inline void MoveInPadded(uint8_t* dst, const uint8_t* src, const CopyBlocks& blocks,
                         const PadFill<T>& fill) {
  const uint64_t data_end = fill.left_bytes + blocks.bytes;
  const uint64_t occupied = AlignToDataBlock(data_end + fill.right_bytes);
  const bool dummy = fill.left_bytes == 0 && fill.right_bytes == 0;
  if (occupied == blocks.bytes && blocks.src_gap == 0 && blocks.dst_gap == 0) {
    // One stretch on both sides: many short blocks are not copied one by one.
    MoveIn(dst, src, blocks.count * blocks.bytes);
    State().read_ahead.NoteRead(src + blocks.count * blocks.bytes, blocks.count * blocks.bytes);
    return;
  }
  for (uint32_t block = 0; block < blocks.count; ++block) {
    MoveIn(dst + fill.left_bytes, src, blocks.bytes);
    if (dummy && occupied != data_end) {
      T first;
      __builtin_memcpy(&first, src, sizeof(T));
      FillElements<T>(dst + data_end, dst + occupied, first);
    } else if (fill.filled) {
      FillElements<T>(dst, dst + fill.left_bytes, fill.value);
      FillElements<T>(dst + data_end, dst + occupied, fill.value);
    }
    dst += static_cast<int64_t>(occupied) + blocks.dst_gap;
    src += static_cast<int64_t>(blocks.bytes) + blocks.src_gap;
  }
  State().read_ahead.NoteRead(src, blocks.count * blocks.bytes);
}

// Blocks follow each other directly; only the end of the last is filled up.
template <typename T>
inline void MoveInCompact(uint8_t* dst, const uint8_t* src, const CopyBlocks& blocks,
                          const PadFill<T>& fill) {
  const uint64_t data_end = blocks.bytes * blocks.count;
  T first;
  __builtin_memcpy(&first, src, sizeof(T));
  for (uint32_t block = 0; block < blocks.count; ++block) {
    MoveIn(dst + block * blocks.bytes, src, blocks.bytes);
    src += static_cast<int64_t>(blocks.bytes) + blocks.src_gap;
  }
  FillElements<T>(dst + data_end, dst + AlignToDataBlock(data_end),
                  fill.filled ? fill.value : first);
}

template <typename About>
void RequirePadBlocks(About& about, const CopyBlocks& blocks, uint32_t element_bytes) {
  RequireBlockCount(about, blocks);
  about.Require(blocks.bytes <= kMaxPadBlockBytes,
                "blockLen of DataCopyPad is above 2097151 bytes: copy in several blocks");
  about.Require(blocks.bytes % element_bytes == 0,
                "blockLen of DataCopyPad, in bytes, is no multiple of the size of an element");
}

template <typename T, typename About>
void RequirePadding(About& about, const PadFill<T>& fill) {
  about.Require(fill.left_bytes <= kMaxPaddingBytes && fill.right_bytes <= kMaxPaddingBytes,
                "leftPadding or rightPadding of DataCopyPad is more than 32 bytes");
  about.Require(sizeof(T) < 8 || !fill.filled || fill.value == T(0),
                "DataCopyPad of 8-byte elements pads with 0 only: set paddingValue to 0");
}

// What nothing is promised about counts as not written: the dummy behind a block and, without
// isPad, the padding.
template <typename T, typename About>
void DescribePadded(About& about, const CopyCall& call, const PadFill<T>& fill) {
  const CopyBlocks& blocks = call.blocks;
  const uint64_t data_end = fill.left_bytes + blocks.bytes;
  const uint64_t occupied = AlignToDataBlock(data_end + fill.right_bytes);
  const bool filled = fill.filled && (fill.left_bytes != 0 || fill.right_bytes != 0);
  about.Require(reinterpret_cast<uint64_t>(call.dst) % kDataBlockBytes == 0,
                "dst of DataCopyPad does not begin at a multiple of 32 bytes of UB");
  DescribeSide(about, "src", call.src, blocks, blocks.bytes, blocks.src_gap, false, true, 1);
  uint8_t* dst = call.dst;
  for (uint32_t block = 0; block < blocks.count; ++block) {
    if (filled) {
      about.Write("dst", dst, occupied, 1);
    } else {
      about.Write("dst", dst + fill.left_bytes, blocks.bytes, 1);
    }
    dst += static_cast<int64_t>(occupied) + blocks.dst_gap;
  }
}

template <typename T, typename About>
void DescribeCompact(About& about, const CopyCall& call, const PadFill<T>& fill) {
  const CopyBlocks& blocks = call.blocks;
  const uint64_t data_end = blocks.bytes * blocks.count;
  DescribeSide(about, "src", call.src, blocks, blocks.bytes, blocks.src_gap, false, true, 1);
  about.Write("dst", call.dst, fill.filled ? AlignToDataBlock(data_end) : data_end);
}

template <typename T, PaddingMode mode>
ASCENDC_TWIN_INLINE void PadIn(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                               const CopyBlocks& blocks, const PadFill<T>& fill) {
  CopyCall call = {Bytes(dst), Bytes(src), blocks};
  call.Adjust<false, true>();
  if (call.blocks.count == 0 || call.blocks.bytes == 0) {
    return;
  }
  Instruct<kPipeMte2>(
      "DataCopyPad",
      [=] {
        if constexpr (mode == PaddingMode::Compact) {
          MoveInCompact<T>(call.dst, call.src, call.blocks, fill);
        } else {
          MoveInPadded<T>(call.dst, call.src, call.blocks, fill);
        }
      },
      [&](auto& about) {
        RequirePadBlocks(about, call.blocks, sizeof(T));
        RequirePadding(about, fill);
        if constexpr (mode == PaddingMode::Compact) {
          DescribeCompact(about, call, fill);
        } else {
          DescribePadded(about, call, fill);
        }
        DescribeWork(about, call.blocks, sizeof(T));
      });
}

template <PaddingMode mode>
inline void MoveOutPadded(uint8_t* dst, const uint8_t* src, const CopyBlocks& blocks) {
  const uint64_t total = blocks.count * blocks.bytes;
  const uint64_t occupied =
      mode == PaddingMode::Compact ? blocks.bytes : AlignToDataBlock(blocks.bytes);
  if (occupied == blocks.bytes && blocks.dst_gap == 0 &&
      (mode == PaddingMode::Compact || blocks.src_gap == 0)) {
    MoveOut(dst, src, total, total);
    return;
  }
  for (uint32_t block = 0; block < blocks.count; ++block) {
    MoveOut(dst, src, blocks.bytes, total);
    dst += static_cast<int64_t>(blocks.bytes) + blocks.dst_gap;
    src += static_cast<int64_t>(occupied) + (mode == PaddingMode::Compact ? 0 : blocks.src_gap);
  }
}

template <typename T, PaddingMode mode>
ASCENDC_TWIN_INLINE void PadOut(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                const CopyBlocks& blocks) {
  CopyCall call = {Bytes(dst), Bytes(src), blocks};
  call.Adjust<true, true>();
  if (call.blocks.bytes == 0) {
    return;
  }
  Instruct<kPipeMte3>(
      "DataCopyPad", [=] { MoveOutPadded<mode>(call.dst, call.src, call.blocks); },
      [&](auto& about) {
        constexpr bool kCompact = mode == PaddingMode::Compact;
        const CopyBlocks& shape = call.blocks;
        RequirePadBlocks(about, shape, sizeof(T));
        DescribeSide(about, "src", call.src, shape,
                     kCompact ? shape.bytes : AlignToDataBlock(shape.bytes),
                     kCompact ? 0 : shape.src_gap, false, false, kCompact ? 1 : kDataBlockBytes);
        DescribeSide(about, "dst", call.dst, shape, shape.bytes, shape.dst_gap, true, true, 1);
        DescribeWork(about, shape, sizeof(T));
        about.Atomic(State().atomic.operation != kAtomicNone);
      });
}

// Gaps in UB count DataBlocks, gaps in global memory bytes.
template <typename Params>
ASCENDC_TWIN_INLINE CopyBlocks BlocksIn(const Params& params) {
  return {params.blockCount, params.blockLen, static_cast<int64_t>(params.srcStride),
          static_cast<int64_t>(params.dstStride) * static_cast<int64_t>(kDataBlockBytes)};
}

template <typename Params>
ASCENDC_TWIN_INLINE CopyBlocks BlocksOut(const Params& params) {
  return {params.blockCount, params.blockLen,
          static_cast<int64_t>(params.srcStride) * static_cast<int64_t>(kDataBlockBytes),
          static_cast<int64_t>(params.dstStride)};
}

}  // namespace twin

template <typename T, PaddingMode mode = PaddingMode::Normal>
ASCENDC_TWIN_INLINE void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                     const DataCopyExtParams& dataCopyParams,
                                     const DataCopyPadExtParams<T>& padParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const twin::PadFill<T> fill{
      padParams.isPad, static_cast<uint32_t>(padParams.leftPadding * sizeof(T)),
      static_cast<uint32_t>(padParams.rightPadding * sizeof(T)), padParams.paddingValue};
  twin::PadIn<T, mode>(dst, src, twin::BlocksIn(dataCopyParams), fill);
}

// The older form: 16-bit fields, the padding value as bits.
template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                        const DataCopyParams& dataCopyParams,
                        const DataCopyPadParams& padParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  T value;
  __builtin_memcpy(&value, &padParams.paddingValue, sizeof(T));
  const twin::PadFill<T> fill{padParams.isPad,
                              static_cast<uint32_t>(padParams.leftPadding * sizeof(T)),
                              static_cast<uint32_t>(padParams.rightPadding * sizeof(T)), value};
  twin::PadIn<T, mode>(dst, src, twin::BlocksIn(dataCopyParams), fill);
}

template <typename T, PaddingMode mode = PaddingMode::Normal>
ASCENDC_TWIN_INLINE void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                     const DataCopyExtParams& dataCopyParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::PadOut<T, mode>(dst, src, twin::BlocksOut(dataCopyParams));
}

template <typename T, PaddingMode mode = PaddingMode::Normal>
inline void DataCopyPad(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                        const DataCopyParams& dataCopyParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::PadOut<T, mode>(dst, src, twin::BlocksOut(dataCopyParams));
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_COPY_PAD_H_
