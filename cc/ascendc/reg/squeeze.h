// Squeeze (before CANN 9: GatherMask) brings the active elements together, Unsqueeze (PrefixSum)
// counts them, and StoreUnAlign without a length stores as many as the last Squeeze kept.
//
// The address register AR counts the bytes that such stores have written since ClearSpr; it is
// added to their address.
#ifndef CC_ASCENDC_REG_SQUEEZE_H_
#define CC_ASCENDC_REG_SQUEEZE_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/reg/gather.h"
#include "cc/ascendc/reg/store.h"

ASCENDC_TWIN_REG_BEGIN

enum class SpecialPurposeReg { AR = 0 };

namespace Reg {

// The active elements in their order, then zeros. STORE_REG: a StoreUnAlign follows.
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename U>
ASCENDC_TWIN_INLINE void Squeeze(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Squeeze");
  using E = twin::vf::Element<U, T>;
  static_assert(sizeof(E) <= 4, "Squeeze: elements of 1, 2 or 4 bytes");
  const twin::vf::Spilled<E> in(srcReg);
  const twin::vf::SpilledMask<E> active(mask);
  alignas(64) typename twin::vf::HostLane<E>::Type out[twin::vf::kRegLanes<E>] = {};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < twin::vf::kRegLanes<E>; ++i) {
    if (active.at[i] != 0) {
      out[kept++] = in.at[i];
    }
  }
  twin::vf::Assign(dstReg, twin::vf::LoadVector<twin::vf::RegVector<E>>(out), false);
  if constexpr (store == GatherMaskMode::STORE_REG) {
    twin::State().vector.squeezed_bytes = kept * static_cast<uint32_t>(sizeof(E));
  }
}

// dst[i] = the number of active elements below i.
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Unsqueeze(U& dstReg, MaskReg& mask) {
  twin::vf::Operation<U>("Unsqueeze");
  using E = twin::vf::Element<U, T>;
  static_assert(std::is_integral<E>::value && sizeof(E) <= 4,
                "Unsqueeze: integers of 1, 2 or 4 bytes");
  const twin::vf::SpilledMask<E> active(mask);
  alignas(64) E out[twin::vf::kRegLanes<E>];
  uint32_t below = 0;
  for (uint32_t i = 0; i < twin::vf::kRegLanes<E>; ++i) {
    out[i] = static_cast<E>(below);
    below += active.at[i] != 0 ? 1 : 0;
  }
  twin::vf::Assign(dstReg, twin::vf::LoadVector<twin::vf::RegVector<E>>(out), false);
}

template <SpecialPurposeReg spr>
ASCENDC_TWIN_INLINE void ClearSpr() {
  twin::vf::Operation<>("ClearSpr");
  twin::State().vector.address_register = 0;
}

// What the last Squeeze kept, to dstAddr plus AR.
template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,
          typename U, twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void StoreUnAlign(__ubuf__ T* dstAddr, U& srcReg,
                                      UnalignRegForStore& ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreUnAlign", U);
  twin::VectorState& state = twin::State().vector;
  uint8_t* const out = reinterpret_cast<__ubuf__ uint8_t*>(dstAddr) + state.address_register;
  twin::vf::StoreLeading(
      out, srcReg, state.squeezed_bytes / static_cast<uint32_t>(sizeof(twin::vf::Element<U>)));
  if constexpr (postMode == PostLiteral::POST_MODE_UPDATE) {
    state.address_register += state.squeezed_bytes;
  }
}
template <typename T>
ASCENDC_TWIN_INLINE void StoreUnAlignPost(__ubuf__ T*, UnalignRegForStore&) {
  twin::vf::Operation<T>("StoreUnAlignPost");
}

// The names before CANN 9.
template <typename T = DefaultType, GatherMaskMode store = GatherMaskMode::NO_STORE_REG, typename U>
ASCENDC_TWIN_INLINE void GatherMask(U& dstReg, U& srcReg, MaskReg& mask) {
  Squeeze<T, store>(dstReg, srcReg, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void PrefixSum(U& dstReg, MaskReg& mask) {
  Unsqueeze<T>(dstReg, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_SQUEEZE_H_
