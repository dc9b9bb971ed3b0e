// DataCopy: transfers of whole DataBlocks (32 bytes). Lengths that are not whole DataBlocks are
// copy_pad.h.
#ifndef CC_ASCENDC_MEMBASE_COPY_H_
#define CC_ASCENDC_MEMBASE_COPY_H_

#include "cc/ascendc/membase/copy_blocks.h"
#include "cc/ascendc/membase/copy_params.h"
#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/transfer.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
ASCENDC_TWIN_INLINE uint8_t* Bytes(const LocalTensor<T>& tensor) {
  return reinterpret_cast<uint8_t*>(tensor.Data());
}

template <typename T>
ASCENDC_TWIN_INLINE uint8_t* Bytes(const GlobalTensor<T>& tensor) {
  return reinterpret_cast<uint8_t*>(tensor.Data());
}

constexpr const char* kRoundedDown =
    "DataCopy moves whole blocks of 32 bytes and leaves out the rest of this length: use "
    "DataCopyPad, or a length that is a multiple of 32 bytes";

// As the hardware: an odd rest of a DataBlock is not copied.
ASCENDC_TWIN_INLINE CopyBlocks WholeBlocks(const CopyBlocks& blocks) {
  return {blocks.count, blocks.bytes / kDataBlockBytes * kDataBlockBytes, blocks.src_gap,
          blocks.dst_gap};
}

template <typename T>
ASCENDC_TWIN_INLINE CopyBlocks OneBlock(uint32_t count) {
  return {1, static_cast<uint64_t>(count) * sizeof(T), 0, 0};
}

ASCENDC_TWIN_INLINE CopyBlocks BlocksOf(const DataCopyParams& params) {
  return {params.blockCount, params.blockLen * kDataBlockBytes,
          static_cast<int64_t>(params.srcGap * kDataBlockBytes),
          static_cast<int64_t>(params.dstGap * kDataBlockBytes)};
}

template <typename Move>
ASCENDC_TWIN_INLINE void MoveBlocks(uint8_t* dst, const uint8_t* src, const CopyBlocks& blocks,
                                    Move move) {
  if (blocks.bytes == 0) {
    return;
  }
  for (uint32_t block = 0; block < blocks.count; ++block) {
    move(dst, src, blocks.bytes);
    dst += static_cast<int64_t>(blocks.bytes) + blocks.dst_gap;
    src += static_cast<int64_t>(blocks.bytes) + blocks.src_gap;
  }
}

// `asked`: as the kernel gave it; `call`: in whole blocks.
template <typename T, bool kIsIn, bool kIsOut, typename About>
void DescribeCopy(About& about, const CopyBlocks& asked, const CopyCall& call) {
  const CopyBlocks& blocks = call.blocks;
  about.Require(asked.bytes == blocks.bytes, kRoundedDown);
  RequireBlockCount(about, blocks);
  DescribeSide(about, "src", call.src, blocks, blocks.bytes, blocks.src_gap, false, kIsIn,
               kIsIn ? sizeof(T) : kDataBlockBytes);
  DescribeSide(about, "dst", call.dst, blocks, blocks.bytes, blocks.dst_gap, true, kIsOut,
               kIsOut ? sizeof(T) : kDataBlockBytes);
  DescribeWork(about, blocks, sizeof(T));
}

template <typename T>
ASCENDC_TWIN_INLINE void CopyIn(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                const CopyBlocks& asked, bool read_ahead) {
  CopyCall call = {Bytes(dst), Bytes(src), asked};
  call.Adjust<false, false>();
  const CopyBlocks adjusted = call.blocks;
  call.blocks = WholeBlocks(adjusted);
  Instruct<kPipeMte2>(
      "DataCopy",
      [=] {
        MoveBlocks(
            call.dst, call.src, call.blocks,
            [](uint8_t* to, const uint8_t* from, uint64_t bytes) { MoveIn(to, from, bytes); });
        if (read_ahead) {
          State().read_ahead.NoteRead(call.src + call.blocks.bytes, call.blocks.bytes);
        }
      },
      [&](auto& about) { DescribeCopy<T, true, false>(about, adjusted, call); });
}

template <typename T>
ASCENDC_TWIN_INLINE void CopyOut(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                 const CopyBlocks& asked) {
  CopyCall call = {Bytes(dst), Bytes(src), asked};
  call.Adjust<true, false>();
  const CopyBlocks adjusted = call.blocks;
  call.blocks = WholeBlocks(adjusted);
  Instruct<kPipeMte3>(
      "DataCopy",
      [=] {
        const uint64_t total = call.blocks.count * call.blocks.bytes;
        MoveBlocks(call.dst, call.src, call.blocks,
                   [total](uint8_t* to, const uint8_t* from, uint64_t bytes) {
                     MoveOut(to, from, bytes, total);
                   });
      },
      [&](auto& about) {
        DescribeCopy<T, false, true>(about, adjusted, call);
        about.Atomic(State().atomic.operation != kAtomicNone);
      });
}

template <typename T>
ASCENDC_TWIN_INLINE void CopyWithin(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                    const CopyBlocks& asked) {
  CopyCall call = {Bytes(dst), Bytes(src), asked};
  call.Adjust<false, false>();
  const CopyBlocks adjusted = call.blocks;
  call.blocks = WholeBlocks(adjusted);
  Instruct<kPipeV>(
      "DataCopy",
      [=] {
        MoveBlocks(
            call.dst, call.src, call.blocks,
            [](uint8_t* to, const uint8_t* from, uint64_t bytes) { MoveWithin(to, from, bytes); });
      },
      [&](auto& about) { DescribeCopy<T, false, false>(about, adjusted, call); });
}

}  // namespace twin

// `count`: elements; rounded down to whole DataBlocks.
template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                  const uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyIn(dst, src, twin::OneBlock<T>(count), true);
}

template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                  const uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyOut(dst, src, twin::OneBlock<T>(count));
}

template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                  const uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyWithin(dst, src, twin::OneBlock<T>(count));
}

// blockCount blocks of blockLen DataBlocks, gaps in DataBlocks on both sides.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const DataCopyParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyIn(dst, src, twin::BlocksOf(repeatParams), false);
}

template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyOut(dst, src, twin::BlocksOf(repeatParams));
}

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CopyWithin(dst, src, twin::BlocksOf(repeatParams));
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_COPY_H_
