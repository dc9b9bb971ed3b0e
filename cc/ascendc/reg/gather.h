// Access by index: Gather from UB and within a register, GatherB by data blocks, Scatter to UB.
// Before CANN 9: DataCopyGather, DataCopyGatherB, DataCopyScatter.
#ifndef CC_ASCENDC_REG_GATHER_H_
#define CC_ASCENDC_REG_GATHER_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The elements of a register in memory, and which of them the mask has.
template <typename T>
struct Spilled {
  alignas(64) typename HostLane<T>::Type at[kRegLanes<T>];

  ASCENDC_TWIN_INLINE explicit Spilled(const Reg::RegTensor<T>& source) {
    StoreVector(at, Exact(source));
  }
};
template <typename T>
struct SpilledMask {
  alignas(64) Bits<T> at[kRegLanes<T>];

  ASCENDC_TWIN_INLINE explicit SpilledMask(const Reg::MaskReg& mask) {
    StoreVector(at, ActiveLanes<T>(mask));
  }
};

// dst and memory types of Gather with an index type, as documented.
template <typename D, typename S, typename I>
constexpr bool kGathers =
    (sizeof(D) == 2 && std::is_same<I, uint16_t>::value &&
     (std::is_same<D, S>::value ||
      (std::is_integral<D>::value && std::is_integral<S>::value && sizeof(S) == 1 &&
       std::is_signed<D>::value == std::is_signed<S>::value))) ||
    (sizeof(D) == 4 && std::is_same<D, S>::value && std::is_same<I, uint32_t>::value) ||
    (sizeof(D) == 8 && std::is_same<D, S>::value && kIsOneOf<I, uint32_t, uint64_t>);

template <typename T, typename I>
constexpr bool kScatters = (sizeof(T) <= 2 && std::is_same<I, uint16_t>::value) ||
                           (sizeof(T) == 4 && std::is_same<I, uint32_t>::value) ||
                           (sizeof(T) == 8 && kIsOneOf<I, uint32_t, uint64_t>);

}  // namespace twin::vf

namespace Reg {

// dst[i] = baseAddr[index[i]] where the mask is set, else 0; the memory of others is not touched.
// Bytes are gathered into 16-bit elements with zeros above.
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3,
          typename T4>
ASCENDC_TWIN_INLINE void Gather(T3& dstReg, __ubuf__ T1* baseAddr, T4& index,
                                MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("Gather", T3);
  using D = twin::vf::Element<T3, T0>;
  using I = twin::vf::Element<T4, T2>;
  static_assert(twin::vf::kGathers<D, T1, I>, "Gather: these types do not go together");
  const twin::vf::Spilled<I> at(index);
  const twin::vf::SpilledMask<D> active(mask);
  alignas(64) typename twin::vf::HostLane<D>::Type out[twin::vf::kRegLanes<D>];
  const bool allowed = twin::vf::MayStartAt(baseAddr, 32, false);
  for (uint32_t i = 0; i < twin::vf::kRegLanes<D>; ++i) {
    twin::vf::Bits<T1> bits = 0;
    if (active.at[i] != 0 && allowed && twin::vf::MayLoad(baseAddr + at.at[i], sizeof(bits), 1)) {
      __builtin_memcpy(&bits, baseAddr + at.at[i], sizeof(bits));
    }
    const twin::vf::Bits<D> wide = bits;
    __builtin_memcpy(&out[i], &wide, sizeof(wide));
  }
  twin::vf::Assign(dstReg, twin::vf::LoadVector<twin::vf::RegVector<D>>(out), false);
}

// Data block i of dst: the 32 bytes at byte index[i] from baseAddr, for i < 8; 0 where the mask has
// none of its elements.
template <typename T = DefaultType, typename U, typename S>
ASCENDC_TWIN_INLINE void GatherB(U& dstReg, __ubuf__ T* baseAddr, S& index,
                                 MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("GatherB", U);
  using E = twin::vf::Element<U>;
  static_assert(twin::vf::kIsOneOf<twin::vf::Element<S>, uint32_t>, "GatherB: uint32_t indices");
  constexpr uint32_t kBlockBytes = 32;
  constexpr uint32_t kBlockLanes = kBlockBytes / sizeof(E);
  const twin::vf::Spilled<uint32_t> at(index);
  const twin::vf::SpilledMask<E> active(mask);
  alignas(64) uint8_t out[twin::vf::kRegBytes] = {};
  for (uint32_t block = 0; block < 8; ++block) {
    bool any = false;
    for (uint32_t i = 0; i < kBlockLanes; ++i) {
      any |= active.at[block * kBlockLanes + i] != 0;
    }
    const uint8_t* const source =
        reinterpret_cast<const __ubuf__ uint8_t*>(baseAddr) + at.at[block];
    if (any && twin::vf::MayLoad(source, kBlockBytes, kBlockBytes)) {
      __builtin_memcpy(out + kBlockBytes * block, source, kBlockBytes);
    }
  }
  twin::vf::Assign(dstReg, twin::vf::LoadVector<twin::vf::RegVector<E>>(out), false);
}

// baseAddr[index[i]] = src[i] where the mask is set. Of bytes, every other one, as there are
// 16-bit indices; the mask is then that of 16-bit elements. Of equal indices the last one stays (a
// device leaves it open).
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
ASCENDC_TWIN_INLINE void Scatter(__ubuf__ T* baseAddr, S& srcReg, V& index,
                                 MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("Scatter", S);
  using E = twin::vf::Element<S>;
  using I = twin::vf::Element<V, U>;
  static_assert(twin::vf::kScatters<E, I> && sizeof(T) == sizeof(E),
                "Scatter: these types do not go together");
  constexpr uint32_t kStep = sizeof(E) == 1 ? 2 : 1;
  using Place = std::conditional_t<sizeof(E) == 1, uint16_t, E>;  // what an index stands for
  const twin::vf::Spilled<E> in(srcReg);
  const twin::vf::Spilled<I> at(index);
  const twin::vf::SpilledMask<Place> active(mask);
  const bool allowed = twin::vf::MayStartAt(baseAddr, 32, true);
  for (uint32_t i = 0; i < twin::vf::kRegLanes<Place>; ++i) {
    if (active.at[i] != 0 && allowed && twin::vf::MayStore(baseAddr + at.at[i], sizeof(E), 1)) {
      __builtin_memcpy(baseAddr + at.at[i], &in.at[i * kStep], sizeof(E));
    }
  }
}

// dst[i] = src[index[i] mod the number of elements].
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V,
          twin::vf::EnableRegTensor<V> = 0>
ASCENDC_TWIN_INLINE void Gather(S& dstReg, S& srcReg, V& indexReg) {
  twin::vf::Operation<S>("Gather");
  using E = twin::vf::Element<S, T>;
  using I = twin::vf::Element<V, U>;
  static_assert(sizeof(E) == sizeof(I) && std::is_unsigned<I>::value && sizeof(E) <= 4,
                "Gather: unsigned indices as large as the elements");
  constexpr uint32_t kLanes = twin::vf::kRegLanes<E>;
  const twin::vf::Spilled<E> in(srcReg);
  const twin::vf::Spilled<I> at(indexReg);
  alignas(64) typename twin::vf::HostLane<E>::Type out[kLanes];
  for (uint32_t i = 0; i < kLanes; ++i) {
    out[i] = in.at[at.at[i] % kLanes];
  }
  twin::vf::Assign(dstReg, twin::vf::LoadVector<twin::vf::RegVector<E>>(out), false);
}

// The names before CANN 9.
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3,
          typename T4>
ASCENDC_TWIN_INLINE void DataCopyGather(T3& dstReg, __ubuf__ T1* baseAddr, T4& index,
                                        MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  Gather<T0, T1, T2>(dstReg, baseAddr, index, mask);
}
template <typename T = DefaultType, typename U, typename S>
ASCENDC_TWIN_INLINE void DataCopyGatherB(U& dstReg, __ubuf__ T* baseAddr, S& index,
                                         MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  GatherB(dstReg, baseAddr, index, mask);
}
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
ASCENDC_TWIN_INLINE void DataCopyScatter(__ubuf__ T* baseAddr, S& srcReg, V& index,
                                         MaskReg& mask ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  Scatter<T, U>(baseAddr, srcReg, index, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_GATHER_H_
