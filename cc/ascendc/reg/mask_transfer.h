// Masks from and to elsewhere than aligned UB: MaskGenWithRegTensor from the bits of a register,
// MoveMask from the mask of the memory-based instructions, StoreUnAlign of a mask, one bit for
// each element.
#ifndef CC_ASCENDC_REG_MASK_TRANSFER_H_
#define CC_ASCENDC_REG_MASK_TRANSFER_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/reg/gather.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The mask of which each bit stands for one element of T, all bits of the element set alike.
template <typename T>
ASCENDC_TWIN_INLINE Reg::MaskReg MaskFromElementBits(const uint8_t* bits) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "element type of 2 or 4 bytes");
  alignas(64) uint8_t bytes[kRegBytes];
  for (uint32_t i = 0; i < kRegBytes; ++i) {
    const uint32_t element = i / sizeof(T);
    bytes[i] = (bits[element / 8] >> (element % 8)) & 1;
  }
  Reg::MaskReg mask;
  mask.bits = LoadVector<Vector<uint8_t, kRegBytes>>(bytes);
  return mask;
}

}  // namespace twin::vf

namespace Reg {

// From piece number `offset` of the register: as many bits as there are elements.
template <typename T = DefaultType, int16_t offset, typename U>
ASCENDC_TWIN_INLINE void MaskGenWithRegTensor(MaskReg& dst, U& srcReg) {
  twin::vf::Operation<U>("MaskGenWithRegTensor");
  using E = twin::vf::Element<U, T>;
  constexpr uint32_t kPieceBytes = twin::vf::kRegLanes<E> / 8;
  static_assert(offset >= 0 && offset < int{twin::vf::kRegBytes / kPieceBytes},
                "MaskGenWithRegTensor: the register has no such piece");
  alignas(64) uint8_t bytes[twin::vf::kRegBytes];
  twin::vf::StoreVector(bytes, twin::vf::Exact(srcReg));
  dst = twin::vf::MaskFromElementBits<E>(bytes + kPieceBytes * offset);
}

// What SetVectorMask has set.
template <typename T>
ASCENDC_TWIN_INLINE MaskReg MoveMask() {
  twin::vf::Operation<MaskReg>("MoveMask");
  const twin::VectorState& state = twin::State().vector;
  const uint64_t words[2] = {state.mask_low, state.mask_high};
  uint8_t bytes[sizeof(words)];
  __builtin_memcpy(bytes, words, sizeof(words));
  return twin::vf::MaskFromElementBits<T>(bytes);
}

// One bit for each element of T; dstAddr moves by as many bytes.
template <typename T>
ASCENDC_TWIN_INLINE void StoreUnAlign(__ubuf__ T*& dstAddr, MaskReg& mask,
                                      UnalignRegForStore& ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_ACCESS("StoreUnAlign", MaskReg);
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "StoreUnAlign of a mask: 2 or 4 bytes");
  const twin::vf::SpilledMask<T> active(mask);
  constexpr uint32_t kBytes = twin::vf::kRegLanes<T> / 8;
  uint8_t* const out = reinterpret_cast<__ubuf__ uint8_t*>(dstAddr);
  dstAddr += kBytes / sizeof(T);
  if (!twin::vf::MayStore(out, kBytes, kBytes)) {
    return;
  }
  for (uint32_t byte = 0; byte < kBytes; ++byte) {
    uint32_t bits = 0;
    for (uint32_t i = 0; i < 8; ++i) {
      bits |= (active.at[8 * byte + i] != 0 ? 1u : 0u) << i;
    }
    out[byte] = static_cast<uint8_t>(bits);
  }
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_MASK_TRANSFER_H_
