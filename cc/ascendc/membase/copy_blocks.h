// CopyBlocks: the shape of a copy in bytes, into which copy.h and copy_pad.h turn their parameters,
// and how observed kernels tell an observer about it. observer_abi.h says what an observer may
// change before the copy is issued.
#ifndef CC_ASCENDC_MEMBASE_COPY_BLOCKS_H_
#define CC_ASCENDC_MEMBASE_COPY_BLOCKS_H_

#include "cc/ascendc/membase/instruct.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/transfer.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint64_t kMaxBlockCount = 4095;
constexpr uint64_t kMaxPadBlockBytes = 2097151;
constexpr uint64_t kMaxPaddingBytes = 32;

struct CopyBlocks {
  uint32_t count;
  uint64_t bytes;  // of a block
  int64_t src_gap;
  int64_t dst_gap;
};

// One copy before it is issued.
struct CopyCall {
  uint8_t* dst;
  const uint8_t* src;
  CopyBlocks blocks;

  // What the observer makes of it.
  template <bool kIsOut, bool kIsPad>
  ASCENDC_TWIN_INLINE void Adjust() {
#if ASCENDC_TWIN_OBSERVED
    AscendcTwinCopy copy = {blocks.count,   blocks.bytes,  blocks.src_gap, blocks.dst_gap, 0, 0,
                            kIsOut ? 1 : 0, kIsPad ? 1 : 0};
    Tell(&AscendcTwinObserver::adjust_copy, &copy);
    blocks = {static_cast<uint32_t>(copy.block_count), copy.block_bytes, copy.src_gap,
              copy.dst_gap};
    src += copy.src_offset;
    dst += copy.dst_offset;
#endif
  }
};

// ---- what descriptions say of copies

template <typename About>
void RequireBlockCount(About& about, const CopyBlocks& blocks) {
  about.Require(blocks.count <= kMaxBlockCount,
                "blockCount is above 4095: copy in several instructions");
}

// A side of a copy: `occupied` bytes from the start of a block, then the gap.
template <typename About>
void DescribeSide(About& about, const char* operand, const uint8_t* data, const CopyBlocks& blocks,
                  uint64_t occupied, int64_t gap, bool is_write, bool is_gm, uint16_t alignment) {
  if (blocks.bytes == 0) {
    return;
  }
  for (uint32_t block = 0; block < blocks.count; ++block) {
    about.Access(operand, data, blocks.bytes, alignment, is_write, is_gm);
    data += static_cast<int64_t>(occupied) + gap;
  }
}

template <typename About>
void DescribeWork(About& about, const CopyBlocks& blocks, uint32_t element_bytes) {
  about.Work(blocks.count * blocks.bytes / element_bytes, blocks.count, element_bytes);
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_COPY_BLOCKS_H_
