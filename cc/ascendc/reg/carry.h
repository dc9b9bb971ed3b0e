// Arithmetic on 32-bit elements that keeps what overflows: Add and Sub with a carry out (before
// CANN 9: AddCarryOut, SubCarryOut), AddC and SubC (AddCarryOuts, SubCarryOuts) with one in too,
// Mull. Subtraction adds the complement, so its carry says that nothing was borrowed.
#ifndef CC_ASCENDC_REG_CARRY_H_
#define CC_ASCENDC_REG_CARRY_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename T>
constexpr bool kHasCarry = kIsOneOf<T, int32_t, uint32_t>;

using Words = RegBits<uint32_t>;
using DoubleWords = Vector<uint64_t, 64>;

ASCENDC_TWIN_INLINE DoubleWords Extended(Words value) {
  return __builtin_convertvector(value, DoubleWords);
}

// {carry, dst} = a + b + carry_in
template <typename T>
ASCENDC_TWIN_INLINE void AddWithCarry(Reg::MaskReg& carry, Reg::RegTensor<T>& dst, Words a, Words b,
                                      Words carry_in, const Reg::MaskReg& mask) {
  static_assert(kHasCarry<T>, "carries: int32_t or uint32_t");
  const DoubleWords sum = Extended(a) + Extended(b) + Extended(carry_in);
  const Truth<RegVector<T>> active = ActiveLanes<T>(mask);
  const Words high = __builtin_convertvector(sum >> 32, Words);
  Assign<Reg::MaskMergeMode::ZEROING>(
      dst, BitCast<RegVector<T>>(__builtin_convertvector(sum, Words)), active, false);
  carry = MaskOf<T>(BitCast<Truth<RegVector<T>>>(high != 0) & active);
}

ASCENDC_TWIN_INLINE Words CarryIn(const Reg::MaskReg& carry) {
  return BitCast<Words>(carry.bits) & 1;
}

template <typename T>
ASCENDC_TWIN_INLINE Words WordsOf(const Reg::RegTensor<T>& source) {
  return BitCast<Words>(Exact(source));
}

}  // namespace twin::vf

namespace Reg {

template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Add(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Add");
  twin::vf::AddWithCarry<twin::vf::Element<U, T>>(carry, dstReg, twin::vf::WordsOf(srcReg0),
                                                  twin::vf::WordsOf(srcReg1), twin::vf::Words{},
                                                  mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Sub(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Sub");
  twin::vf::AddWithCarry<twin::vf::Element<U, T>>(carry, dstReg, twin::vf::WordsOf(srcReg0),
                                                  ~twin::vf::WordsOf(srcReg1),
                                                  twin::vf::Words{} + 1, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void AddC(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& carrySrc,
                              MaskReg& mask) {
  twin::vf::Operation<U>("AddC");
  twin::vf::AddWithCarry<twin::vf::Element<U, T>>(carry, dstReg, twin::vf::WordsOf(srcReg0),
                                                  twin::vf::WordsOf(srcReg1),
                                                  twin::vf::CarryIn(carrySrc), mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void SubC(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1, MaskReg& carrySrc,
                              MaskReg& mask) {
  twin::vf::Operation<U>("SubC");
  twin::vf::AddWithCarry<twin::vf::Element<U, T>>(carry, dstReg, twin::vf::WordsOf(srcReg0),
                                                  ~twin::vf::WordsOf(srcReg1),
                                                  twin::vf::CarryIn(carrySrc), mask);
}

// dst0: the low 32 bits of the product, dst1: the high ones.
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void Mull(U& dstReg0, U& dstReg1, U& srcReg0, U& srcReg1, MaskReg& mask) {
  twin::vf::Operation<U>("Mull");
  using E = twin::vf::Element<U, T>;
  static_assert(twin::vf::kHasCarry<E>, "Mull: int32_t or uint32_t");
  using Wide =
      twin::vf::Vector<std::conditional_t<std::is_signed<E>::value, int64_t, uint64_t>, 64>;
  using Elements = twin::vf::RegVector<E>;
  const Wide product = __builtin_convertvector(twin::vf::Exact(srcReg0), Wide) *
                       __builtin_convertvector(twin::vf::Exact(srcReg1), Wide);
  const auto active = twin::vf::ActiveLanes<E>(mask);
  twin::vf::Assign<MaskMergeMode::ZEROING>(dstReg0, __builtin_convertvector(product, Elements),
                                           active, false);
  twin::vf::Assign<MaskMergeMode::ZEROING>(
      dstReg1, __builtin_convertvector(product >> 32, Elements), active, false);
}

// The names before CANN 9.
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void AddCarryOut(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1,
                                     MaskReg& mask) {
  Add<T>(carry, dstReg, srcReg0, srcReg1, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void SubCarryOut(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1,
                                     MaskReg& mask) {
  Sub<T>(carry, dstReg, srcReg0, srcReg1, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void AddCarryOuts(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1,
                                      MaskReg& carrySrc, MaskReg& mask) {
  AddC<T>(carry, dstReg, srcReg0, srcReg1, carrySrc, mask);
}
template <typename T = DefaultType, typename U>
ASCENDC_TWIN_INLINE void SubCarryOuts(MaskReg& carry, U& dstReg, U& srcReg0, U& srcReg1,
                                      MaskReg& carrySrc, MaskReg& mask) {
  SubC<T>(carry, dstReg, srcReg0, srcReg1, carrySrc, mask);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_CARRY_H_
