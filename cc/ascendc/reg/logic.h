// Bit instructions on registers: And, Or, Xor, Not, shifts by a register and by a scalar. Those on
// masks are in mask.h.
#ifndef CC_ASCENDC_REG_LOGIC_H_
#define CC_ASCENDC_REG_LOGIC_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename T>
ASCENDC_TWIN_INLINE RegBits<T> BitsOfRegister(const Reg::RegTensor<T>& source) {
  return BitCast<RegBits<T>>(Exact(source));
}

template <Reg::MaskMergeMode mode, typename T>
ASCENDC_TWIN_INLINE void AssignBits(Reg::RegTensor<T>& dst, RegBits<T> value,
                                    const Reg::MaskReg& mask) {
  Assign<mode>(dst, BitCast<RegVector<T>>(value), ActiveLanes<T>(mask), false);
}

// Shifts by `count` bits. By as many as the type has or more: 0, or to the right the sign of a
// signed type. To the left a signed type keeps its sign.
template <bool kLeft, typename T>
ASCENDC_TWIN_INLINE RegVector<T> Shifted(RegVector<T> value, RegBits<T> count) {
  constexpr Bits<T> kLast = 8 * sizeof(T) - 1;
  const RegBits<T> last = Splat<kRegLanes<T>>(kLast);
  const RegBits<T> within = count < kLast ? count : last;
  const auto inside = BitCast<RegBits<T>>(count <= kLast);
  const RegBits<T> bits = BitCast<RegBits<T>>(value);
  if constexpr (kLeft) {
    constexpr Bits<T> kSign = std::is_signed<T>::value ? Bits<T>{1} << kLast : 0;
    const RegBits<T> moved = ((bits << within) & static_cast<Bits<T>>(~kSign)) | (bits & kSign);
    return BitCast<RegVector<T>>(moved & inside);
  } else if constexpr (std::is_signed<T>::value) {
    return value >> BitCast<RegVector<T>>(within);
  } else {
    return BitCast<RegVector<T>>((bits >> within) & inside);
  }
}

}  // namespace twin::vf

namespace Reg {

// dst = src0 op src1, bit by bit; any element type.
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void And(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("And");
  twin::vf::AssignBits<mode>(
      dstReg, twin::vf::BitsOfRegister(srcReg0) & twin::vf::BitsOfRegister(srcReg1), mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Or(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Or");
  twin::vf::AssignBits<mode>(
      dstReg, twin::vf::BitsOfRegister(srcReg0) | twin::vf::BitsOfRegister(srcReg1), mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Xor(U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Xor");
  twin::vf::AssignBits<mode>(
      dstReg, twin::vf::BitsOfRegister(srcReg0) ^ twin::vf::BitsOfRegister(srcReg1), mask);
}
template <typename T = DefaultType, MaskMergeMode mode = MaskMergeMode::ZEROING, typename U,
          twin::vf::EnableRegTensor<U> = 0>
ASCENDC_TWIN_INLINE void Not(U& dstReg, U& srcReg, MaskReg& mask) {
  twin::vf::Operation<U>("Not");
  twin::vf::AssignBits<mode>(dstReg, ~twin::vf::BitsOfRegister(srcReg), mask);
}

// Shifts of integers. The counts are integers of the same size; a negative one counts as large.
template <typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void ShiftLeft(S& dstReg, S& srcReg0, V& srcReg1, MaskReg& mask) {
  twin::vf::Operation<S>("ShiftLeft");
  using E = twin::vf::Element<S, T>;
  static_assert(std::is_integral<E>::value && sizeof(twin::vf::Element<V, U>) == sizeof(E),
                "ShiftLeft: integers, by integers of the same size");
  twin::vf::Assign<mode>(
      dstReg,
      twin::vf::Shifted<true, E>(twin::vf::Exact(srcReg0), twin::vf::BitsOfRegister(srcReg1)),
      twin::vf::ActiveLanes<E>(mask), false);
}
template <typename T = DefaultType, typename U = DefaultType,
          MaskMergeMode mode = MaskMergeMode::ZEROING, typename S, typename V>
ASCENDC_TWIN_INLINE void ShiftRight(S& dstReg, S& srcReg0, V& srcReg1, MaskReg& mask) {
  twin::vf::Operation<S>("ShiftRight");
  using E = twin::vf::Element<S, T>;
  static_assert(std::is_integral<E>::value && sizeof(twin::vf::Element<V, U>) == sizeof(E),
                "ShiftRight: integers, by integers of the same size");
  twin::vf::Assign<mode>(
      dstReg,
      twin::vf::Shifted<false, E>(twin::vf::Exact(srcReg0), twin::vf::BitsOfRegister(srcReg1)),
      twin::vf::ActiveLanes<E>(mask), false);
}
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void ShiftLefts(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  S count;
  twin::vf::Assign(count,
                   twin::vf::Splat<twin::vf::kRegLanes<twin::vf::Element<S, T>>>(
                       static_cast<twin::vf::Element<S>>(scalarValue)),
                   false);
  ShiftLeft<T, T, mode>(dstReg, srcReg, count, mask);
}
template <typename T = DefaultType, typename U, MaskMergeMode mode = MaskMergeMode::ZEROING,
          typename S>
ASCENDC_TWIN_INLINE void ShiftRights(S& dstReg, S& srcReg, U scalarValue, MaskReg& mask) {
  S count;
  twin::vf::Assign(count,
                   twin::vf::Splat<twin::vf::kRegLanes<twin::vf::Element<S, T>>>(
                       static_cast<twin::vf::Element<S>>(scalarValue)),
                   false);
  ShiftRight<T, T, mode>(dstReg, srcReg, count, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_LOGIC_H_
