// DataCopy: transfers of whole DataBlocks (32 bytes). Lengths that are not whole DataBlocks are
// copy_pad.h.
#ifndef CC_ASCENDC_MEMBASE_COPY_H_
#define CC_ASCENDC_MEMBASE_COPY_H_

#include "cc/ascendc/membase/copy_params.h"
#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"
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

// As the hardware: an odd rest of a DataBlock is not copied.
template <typename T>
ASCENDC_TWIN_INLINE uint64_t WholeBlockBytes(uint32_t count) {
  return static_cast<uint64_t>(count) * sizeof(T) / kDataBlockBytes * kDataBlockBytes;
}

template <typename Move>
ASCENDC_TWIN_INLINE void MoveBlocks(uint8_t* dst, const uint8_t* src, const DataCopyParams& params,
                                    Move move) {
  const uint64_t bytes = params.blockLen * kDataBlockBytes;
  if (bytes == 0) {
    return;
  }
  for (uint32_t block = 0; block < params.blockCount; ++block) {
    move(dst, src, bytes);
    dst += bytes + params.dstGap * kDataBlockBytes;
    src += bytes + params.srcGap * kDataBlockBytes;
  }
}

}  // namespace twin

// `count`: elements; rounded down to whole DataBlocks.
template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                                  const uint32_t count) {
  const uint64_t bytes = twin::WholeBlockBytes<T>(count);
  twin::MoveIn(twin::Bytes(dst), twin::Bytes(src), bytes);
  twin::State().read_ahead.NoteRead(twin::Bytes(src) + bytes, bytes);
}

template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                                  const uint32_t count) {
  const uint64_t bytes = twin::WholeBlockBytes<T>(count);
  twin::MoveOut(twin::Bytes(dst), twin::Bytes(src), bytes, bytes);
}

template <typename T>
ASCENDC_TWIN_INLINE void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                  const uint32_t count) {
  twin::MoveWithin(twin::Bytes(dst), twin::Bytes(src), twin::WholeBlockBytes<T>(count));
}

// blockCount blocks of blockLen DataBlocks, gaps in DataBlocks on both sides.
template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const GlobalTensor<T>& src,
                     const DataCopyParams& repeatParams) {
  twin::MoveBlocks(
      twin::Bytes(dst), twin::Bytes(src), repeatParams,
      [](uint8_t* to, const uint8_t* from, uint64_t bytes) { twin::MoveIn(to, from, bytes); });
}

template <typename T>
inline void DataCopy(const GlobalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& repeatParams) {
  const uint64_t total = repeatParams.blockCount * repeatParams.blockLen * twin::kDataBlockBytes;
  twin::MoveBlocks(twin::Bytes(dst), twin::Bytes(src), repeatParams,
                   [total](uint8_t* to, const uint8_t* from, uint64_t bytes) {
                     twin::MoveOut(to, from, bytes, total);
                   });
}

template <typename T>
inline void DataCopy(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                     const DataCopyParams& repeatParams) {
  twin::MoveBlocks(
      twin::Bytes(dst), twin::Bytes(src), repeatParams,
      [](uint8_t* to, const uint8_t* from, uint64_t bytes) { twin::MoveWithin(to, from, bytes); });
}

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_COPY_H_
