// Stores from registers to UB: StoreAlign (before CANN 9: DataCopy), StoreUnAlign
// (DataCopyUnAlign), Store, and StoreAlign of a mask. gather.h stores by index.
//
// Memory of elements that the mask leaves out is not touched. DIST_FIRST_ELEMENT_* and DIST_INTLV_*
// ignore the mask, as on a device. DIST_PACK_* keep an element's place: element i goes to place i.
// A store that the observer of an observed kernel denies does nothing.
#ifndef CC_ASCENDC_REG_STORE_H_
#define CC_ASCENDC_REG_STORE_H_

#include "cc/ascendc/reg/load.h"
#include "cc/ascendc/reg/masked_store.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The width of elements that a single-register distribution stores whole, in bytes; 0: another one.
constexpr uint32_t NormWidth(Reg::StoreDist dist, uint32_t element_bytes) {
  using Reg::StoreDist;
  return dist == StoreDist::DIST_NORM       ? element_bytes
         : dist == StoreDist::DIST_NORM_B8  ? 1
         : dist == StoreDist::DIST_NORM_B16 ? 2
         : dist == StoreDist::DIST_NORM_B32 ? 4
                                            : 0;
}
constexpr uint32_t FirstElementWidth(Reg::StoreDist dist) {
  using Reg::StoreDist;
  return dist == StoreDist::DIST_FIRST_ELEMENT_B8    ? 1
         : dist == StoreDist::DIST_FIRST_ELEMENT_B16 ? 2
         : dist == StoreDist::DIST_FIRST_ELEMENT_B32 ? 4
                                                     : 0;
}

template <typename V, typename M>
ASCENDC_TWIN_INLINE void StoreActive(void* address, V value, M active) {
  if (MayStoreActive(address, active, 32)) {
    StoreMasked(address, value, active);
  }
}

// The low part of each Wide element, contiguous.
template <typename Wide, typename Narrow, typename V>
ASCENDC_TWIN_INLINE void StorePacked(void* address, V value, const Reg::MaskReg& mask) {
  constexpr uint32_t kLanes = kRegLanes<Wide>;
  StoreActive(address,
              __builtin_convertvector(BitCast<Vector<Wide, kLanes>>(value), Vector<Narrow, kLanes>),
              __builtin_convertvector(ActiveLanes<Wide>(mask), Truth<Vector<Narrow, kLanes>>));
}

// The leading kBytes of the register.
template <uint32_t kBytes, typename T>
ASCENDC_TWIN_INLINE void StoreFirst(void* address, const Reg::RegTensor<T>& src) {
  if (!MayStore(address, kBytes, kBytes)) {
    return;
  }
  // Only the word that holds them needs exact bits.
  const float word = BitCast<RegVector<float>>(src.reg[0])[0];
  __builtin_memcpy(address, &word, kBytes);
  if (src.nan_loose && __builtin_expect(word != word, 0)) {
    const float nan = __builtin_nanf("");
    __builtin_memcpy(address, &nan, kBytes);
  }
}

template <Reg::StoreDist kDist, typename T>
ASCENDC_TWIN_INLINE void StoreFrom(void* address, const Reg::RegTensor<T>& src,
                                   const Reg::MaskReg& mask) {
  using Reg::StoreDist;
  constexpr uint32_t kNorm = NormWidth(kDist, sizeof(T));
  constexpr uint32_t kFirst = FirstElementWidth(kDist);
  if constexpr (kFirst != 0) {
    StoreFirst<kFirst>(address, src);
  } else if constexpr (kNorm != 0) {
    using E = typename BitsOfSize<kNorm>::Type;
    StoreActive(address, BitCast<RegVector<E>>(Exact(src)), ActiveLanes<E>(mask));
  } else if constexpr (kDist == StoreDist::DIST_PACK_B16) {
    StorePacked<uint16_t, uint8_t>(address, Exact(src), mask);
  } else if constexpr (kDist == StoreDist::DIST_PACK_B32) {
    StorePacked<uint32_t, uint16_t>(address, Exact(src), mask);
  } else if constexpr (kDist == StoreDist::DIST_PACK_B64) {
    StorePacked<uint64_t, uint32_t>(address, Exact(src), mask);
  } else {
    static_assert(kDist == StoreDist::DIST_PACK4_B32,
                  "a distribution for two registers, or one "
                  "that 950 does not document");
    StorePacked<uint32_t, uint8_t>(address, Exact(src), mask);
  }
}

template <Reg::StoreDist kDist, typename T>
ASCENDC_TWIN_INLINE void StoreFromTwo(void* address, const Reg::RegTensor<T>& src0,
                                      const Reg::RegTensor<T>& src1) {
  using Reg::StoreDist;
  constexpr bool kB8 = kDist == StoreDist::DIST_INTLV_B8;
  constexpr bool kB16 = kDist == StoreDist::DIST_INTLV_B16;
  static_assert(kB8 || kB16 || kDist == StoreDist::DIST_INTLV_B32,
                "two registers are stored with DIST_INTLV_B8, _B16 or _B32");
  using E = std::conditional_t<kB8, uint8_t, std::conditional_t<kB16, uint16_t, uint32_t>>;
  if (!MayStore(address, 2 * kRegBytes, 32)) {
    return;
  }
  const RegVector<E> even = BitCast<RegVector<E>>(Exact(src0));
  const RegVector<E> odd = BitCast<RegVector<E>>(Exact(src1));
  StoreVector(address, Zipped<0>(even, odd));
  StoreVector(static_cast<uint8_t*>(address) + kRegBytes, Zipped<kRegLanes<E> / 2>(even, odd));
}

// Whether eight data blocks, `block_stride` blocks apart, may be stored where `active` is not 0.
ASCENDC_TWIN_INLINE bool MayStoreBlocks(const uint8_t* out, uint32_t block_stride,
                                        const uint8_t* active) {
  bool allowed = true;
  for (uint32_t i = 0; i < 8; ++i) {
    allowed &= MayStoreBytes(out + size_t{32} * block_stride * i, active + 32 * i, 32, 32);
  }
  return allowed;
}

template <typename T>
ASCENDC_TWIN_INLINE void StoreBlocks(void* address, const Reg::RegTensor<T>& src,
                                     uint32_t block_stride, const Reg::MaskReg& mask) {
  constexpr uint32_t kBlockBytes = 32;
  constexpr uint32_t kBlockLanes = kBlockBytes / sizeof(T);
  alignas(64) uint8_t bytes[kRegBytes];
  alignas(64) Bits<T> active[kRegLanes<T>];
  StoreVector(bytes, Exact(src));
  StoreVector(active, ActiveLanes<T>(mask));
  uint8_t* const out = static_cast<uint8_t*>(address);
  if (!MayStoreBlocks(out, block_stride, reinterpret_cast<const uint8_t*>(active))) {
    return;
  }
  for (uint32_t i = 0; i < kRegLanes<T>; ++i) {
    if (active[i] != 0) {
      const size_t block = i / kBlockLanes;
      __builtin_memcpy(out + block * block_stride * kBlockBytes + (i % kBlockLanes) * sizeof(T),
                       bytes + i * sizeof(T), sizeof(T));
    }
  }
}

template <typename T>
ASCENDC_TWIN_INLINE bool MayStoreLeading(const void* address, uint32_t count) {
  const uint32_t held = count < kRegLanes<T> ? count : kRegLanes<T>;
  return held == 0 || MayStore(address, held * sizeof(T), 1);
}

// The leading `count` elements.
template <typename T>
ASCENDC_TWIN_INLINE void StoreLeading(void* address, const Reg::RegTensor<T>& src, uint32_t count) {
  if (!MayStoreLeading<T>(address, count)) {
    return;
  }
  if (count >= kRegLanes<T>) {
    StoreVector(address, Exact(src));
  } else {
    alignas(64) uint8_t bytes[kRegBytes];
    StoreVector(bytes, Exact(src));
    __builtin_memcpy(address, bytes, count * sizeof(T));
  }
}

template <Reg::MaskDist kDist>
ASCENDC_TWIN_INLINE void StoreMask(void* address, const Reg::MaskReg& mask) {
  constexpr bool kPack = kDist == Reg::MaskDist::DIST_PACK;
  static_assert(kPack || kDist == Reg::MaskDist::DIST_NORM, "masks are stored NORM or PACK");
  constexpr uint32_t kBytes = kRegBytes / 8 / (kPack ? 2 : 1);
  if (!MayStore(address, kBytes, kBytes)) {
    return;
  }
  alignas(64) uint8_t bits[kRegBytes];
  StoreVector(bits, mask.bits);
  uint8_t* const out = static_cast<uint8_t*>(address);
  constexpr uint32_t kStep = kPack ? 2 : 1;
  for (uint32_t byte = 0; byte < kRegBytes / 8 / kStep; ++byte) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 8; ++i) {
      value |= uint32_t{bits[(8 * byte + i) * kStep]} << i;
    }
    out[byte] = static_cast<uint8_t>(value);
  }
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, U& srcReg,
                                    MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreFrom<dist>(dstAddr, srcReg, mask);
}
// Strides in elements.
template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T*& dstAddr, U& srcReg, int32_t postUpdateStride,
                                    MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreFrom<dist>(twin::vf::PostUpdate<postMode>(dstAddr, postUpdateStride), srcReg,
                            mask);
}
template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, U& srcReg, AddrReg offset,
                                    MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreFrom<dist>(dstAddr + offset.offset, srcReg, mask);
}
template <typename T = DefaultType, StoreDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1,
                                    MaskReg& ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreFromTwo<dist>(dstAddr, srcReg0, srcReg1);
}
template <typename T = DefaultType, StoreDist dist, typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, AddrReg offset,
                                    MaskReg& ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreFromTwo<dist>(dstAddr + offset.offset, srcReg0, srcReg1);
}
// By data blocks of 32 bytes; strides in data blocks.
template <typename T = DefaultType, DataCopyMode dataMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, U& srcReg, uint32_t dataBlockStride,
                                    MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  twin::vf::StoreBlocks(dstAddr, srcReg, dataBlockStride, mask);
}
template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T*& dstAddr, U& srcReg, uint32_t dataBlockStride,
                                    uint32_t repeatStride, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", U);
  const size_t elements = size_t{repeatStride} * (32 / sizeof(T));
  if constexpr (postMode == PostLiteral::POST_MODE_UPDATE) {
    twin::vf::StoreBlocks(dstAddr, srcReg, dataBlockStride, mask);
    dstAddr += elements;
  } else {
    twin::vf::StoreBlocks(dstAddr + elements, srcReg, dataBlockStride, mask);
  }
}

// The leading postUpdateStride elements, to any address.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreUnAlign(__ubuf__ T*& dstAddr, U& srcReg, UnalignRegForStore&,
                                      uint32_t postUpdateStride ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreUnAlign", U);
  twin::vf::StoreLeading(twin::vf::PostUpdate<postMode>(dstAddr, postUpdateStride), srcReg,
                         postUpdateStride);
}
template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE>
ASCENDC_TWIN_INLINE void StoreUnAlignPost(__ubuf__ T*& dstAddr, UnalignRegForStore&,
                                          int32_t postUpdateStride) {
  twin::vf::Operation<T>("StoreUnAlignPost");
  twin::vf::PostUpdate<postMode>(dstAddr, postUpdateStride);
}
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreUnAlign(__ubuf__ T*& dstAddr, U& srcReg, UnalignRegForStore&,
                                      AddrReg& areg ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreUnAlign", U);
  twin::vf::StoreLeading(dstAddr + areg.offset, srcReg, twin::vf::kRegLanes<twin::vf::Element<U>>);
}
template <typename T>
ASCENDC_TWIN_INLINE void StoreUnAlignPost(__ubuf__ T*&, UnalignRegForStore&, AddrReg&) {
  twin::vf::Operation<T>("StoreUnAlignPost");
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Store(__ubuf__ T* dstAddr, U& srcReg ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("Store", U);
  twin::vf::StoreLeading(dstAddr, srcReg, twin::vf::kRegLanes<twin::vf::Element<U>>);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Store(__ubuf__ T* dstAddr, U& srcReg, uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("Store", U);
  twin::vf::StoreLeading(dstAddr, srcReg, count);
}

// The bits of a mask, 32 bytes; DIST_PACK: every other bit, 16 bytes.
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, MaskReg& mask,
                                    AddrReg offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", MaskReg);
  twin::vf::StoreMask<dist>(dstAddr + offset.offset, mask);
}
template <typename T, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T* dstAddr, MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", MaskReg);
  twin::vf::StoreMask<dist>(dstAddr, mask);
}
// `offset` is in bytes.
template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>
ASCENDC_TWIN_INLINE void StoreAlign(__ubuf__ T*& dstAddr, MaskReg& mask,
                                    int32_t offset ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreAlign", MaskReg);
  static_assert(postMode == PostLiteral::POST_MODE_UPDATE, "masks have POST_MODE_UPDATE only");
  twin::vf::StoreMask<dist>(dstAddr, mask);
  dstAddr = reinterpret_cast<__ubuf__ T*>(reinterpret_cast<uintptr_t>(dstAddr) +
                                          static_cast<uintptr_t>(intptr_t{offset}));
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_STORE_H_
