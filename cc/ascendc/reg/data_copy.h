// The names of loads and stores before CANN 9: DataCopy for LoadAlign and StoreAlign,
// DataCopyUnAlign, …Pre and …Post for LoadUnAlign and StoreUnAlign.
#ifndef CC_ASCENDC_REG_DATA_COPY_H_
#define CC_ASCENDC_REG_DATA_COPY_H_

#include "cc/ascendc/reg/mask_transfer.h"
#include "cc/ascendc/reg/squeeze.h"
#include "cc/ascendc/reg/store.h"

ASCENDC_TWIN_REG_BEGIN

namespace Reg {

// UB to registers.
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(dstReg, srcAddr);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg, __ubuf__ T*& srcAddr,
                                  int32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, postMode, dist>(dstReg, srcAddr, postUpdateStride);
}
template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg, __ubuf__ T* srcAddr,
                                  AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(dstReg, srcAddr, offset);
}
template <typename T = DefaultType, LoadDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(dstReg0, dstReg1, srcAddr);
}
template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg0, U& dstReg1, __ubuf__ T*& srcAddr,
                                  int32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, postMode, dist>(dstReg0, dstReg1, srcAddr, postUpdateStride);
}
template <typename T = DefaultType, LoadDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr,
                                  AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(dstReg0, dstReg1, srcAddr, offset);
}
template <typename T = DefaultType, DataCopyMode dataMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg, __ubuf__ T* srcAddr, uint32_t dataBlockStride,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dataMode>(dstReg, srcAddr, dataBlockStride, mask);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(U& dstReg, __ubuf__ T*& srcAddr, uint32_t dataBlockStride,
                                  uint32_t repeatStride, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dataMode, postMode>(dstReg, srcAddr, dataBlockStride, repeatStride, mask);
}

// Registers to UB.
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, U& srcReg,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, srcReg, mask);
}
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T*& dstAddr, U& srcReg, int32_t postUpdateStride,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, postMode, dist>(dstAddr, srcReg, postUpdateStride, mask);
}
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, U& srcReg, AddrReg offset,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, srcReg, offset, mask);
}
template <typename T = DefaultType, StoreDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, srcReg0, srcReg1, mask);
}
template <typename T = DefaultType, StoreDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, AddrReg offset,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, srcReg0, srcReg1, offset, mask);
}
template <typename T = DefaultType, DataCopyMode dataMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, U& srcReg, uint32_t dataBlockStride,
                                  MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dataMode>(dstAddr, srcReg, dataBlockStride, mask);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T*& dstAddr, U& srcReg, uint32_t dataBlockStride,
                                  uint32_t repeatStride, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dataMode, postMode>(dstAddr, srcReg, dataBlockStride, repeatStride, mask);
}

// Masks.
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(MaskReg& mask, __ubuf__ T* srcAddr,
                                  AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(mask, srcAddr, offset);
}
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(MaskReg& mask, __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, dist>(mask, srcAddr);
}
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(MaskReg& mask, __ubuf__ T*& srcAddr,
                                  int32_t offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadAlign<T, postMode, dist>(mask, srcAddr, offset);
}
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, MaskReg& mask,
                                  AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, mask, offset);
}
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T* dstAddr, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, dist>(dstAddr, mask);
}
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void DataCopy(__ubuf__ T*& dstAddr, MaskReg& mask,
                                  int32_t offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreAlign<T, postMode, dist>(dstAddr, mask, offset);
}

// Any address.
template <typename T>
ASCENDC_TWIN_INLINE void DataCopyUnAlignPre(UnalignReg& ureg, __ubuf__ T* srcAddr) {
  LoadUnAlignPre(ureg, srcAddr);
}
template <typename T>
ASCENDC_TWIN_INLINE void DataCopyUnAlignPre(UnalignReg& ureg, __ubuf__ T* srcAddr, AddrReg& areg) {
  LoadUnAlignPre(ureg, srcAddr, areg);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(U& dstReg, UnalignReg& ureg, __ubuf__ T*& srcAddr,
                                         uint32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadUnAlign<T, postMode>(dstReg, ureg, srcAddr, postUpdateStride);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(U& dstReg, UnalignReg& ureg,
                                         __ubuf__ T* srcAddr ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadUnAlign<T>(dstReg, ureg, srcAddr);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(U& dstReg, UnalignReg& ureg, __ubuf__ T*& srcAddr,
                                         AddrReg& areg, uint32_t inc ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  LoadUnAlign<T>(dstReg, ureg, srcAddr, areg, inc);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(__ubuf__ T*& dstAddr, U& srcReg, UnalignReg& ureg,
                                         uint32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreUnAlign<T, postMode>(dstAddr, srcReg, ureg, postUpdateStride);
}
template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE>
ASCENDC_TWIN_INLINE void DataCopyUnAlignPost(__ubuf__ T*& dstAddr, UnalignReg& ureg,
                                             int32_t postUpdateStride) {
  StoreUnAlignPost<T, postMode>(dstAddr, ureg, postUpdateStride);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(__ubuf__ T*& dstAddr, U& srcReg, UnalignReg& ureg,
                                         AddrReg& areg ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreUnAlign<T, postMode>(dstAddr, srcReg, ureg, areg);
}
template <typename T>
ASCENDC_TWIN_INLINE void DataCopyUnAlignPost(__ubuf__ T*& dstAddr, UnalignReg& ureg,
                                             AddrReg& areg) {
  StoreUnAlignPost<T>(dstAddr, ureg, areg);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(__ubuf__ T* dstAddr, U& srcReg,
                                         UnalignReg& ureg ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreUnAlign<T, postMode>(dstAddr, srcReg, ureg);
}
template <typename T>
ASCENDC_TWIN_INLINE void DataCopyUnAlignPost(__ubuf__ T* dstAddr, UnalignReg& ureg) {
  StoreUnAlignPost<T>(dstAddr, ureg);
}
template <typename T>
ASCENDC_TWIN_INLINE void DataCopyUnAlign(__ubuf__ T*& dstAddr, MaskReg& mask,
                                         UnalignReg& ureg ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  StoreUnAlign<T>(dstAddr, mask, ureg);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_DATA_COPY_H_
