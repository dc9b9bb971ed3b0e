// The order of elements behind Max, Min, Compare and the reductions to an extreme.
//
// 16-bit floats are ordered by integers made of their bits, which is one comparison of all lanes;
// comparing them as floats would end in scalar code.
#ifndef CC_ASCENDC_REG_ORDER_H_
#define CC_ASCENDC_REG_ORDER_H_

#include "cc/ascendc/reg/arithmetic.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// The bits of a 16-bit float without the sign that a NaN exceeds, and the NaN that results have.
template <typename T>
constexpr int16_t kInfinityBits = std::is_same<T, half>::value ? 0x7C00 : 0x7F80;
template <typename T>
constexpr int16_t kNanBits = std::is_same<T, half>::value ? 0x7E00 : 0x7FC0;

template <typename T>
ASCENDC_TWIN_INLINE Truth<RegVector<T>> IsNan16(RegVector<T> value) {
  return (BitCast<Vector<int16_t, kRegLanes<T>>>(value) & 0x7FFF) > kInfinityBits<T>;
}

// Larger (kMax) or smaller of a and b: NaN if either is one, -0 below +0.
template <typename T, bool kMax>
ASCENDC_TWIN_INLINE RegVector<T> Extremum(RegVector<T> a, RegVector<T> b) {
  if constexpr (std::is_same<T, float>::value) {
    using Whole = Vector<uint32_t, kRegLanes<T>>;
    const Whole bits_a = BitCast<Whole>(a);
    const Whole bits_b = BitCast<Whole>(b);
    // Of +0 and -0, which compare equal; equal numbers otherwise have equal bits.
    const RegVector<T> same = BitCast<RegVector<T>>(kMax ? bits_a & bits_b : bits_a | bits_b);
    const RegVector<T> other = (kMax ? a > b : a < b) ? a : b;
    const RegVector<T> number = a == b ? same : other;
    return ((a != a) | (b != b)) ? a + b : number;
  } else if constexpr (kIsFloat16<T>) {
    using Key = Vector<int16_t, kRegLanes<T>>;
    const Key bits_a = BitCast<Key>(a);
    const Key bits_b = BitCast<Key>(b);
    const Key key_a = bits_a ^ ((bits_a >> 15) & 0x7FFF);
    const Key key_b = bits_b ^ ((bits_b >> 15) & 0x7FFF);
    const RegVector<T> number = (kMax ? key_a > key_b : key_a < key_b) ? a : b;
    const RegVector<T> nan = Splat<kRegLanes<T>>(static_cast<uint16_t>(kNanBits<T>));
    return (IsNan16<T>(a) | IsNan16<T>(b)) ? nan : number;
  } else {
    return (kMax ? a > b : a < b) ? a : b;
  }
}

template <CMPMODE kMode, typename V>
ASCENDC_TWIN_INLINE Truth<V> Compared(V a, V b) {
  if constexpr (kMode == CMPMODE::LT) {
    return a < b;
  } else if constexpr (kMode == CMPMODE::GT) {
    return a > b;
  } else if constexpr (kMode == CMPMODE::EQ) {
    return a == b;
  } else if constexpr (kMode == CMPMODE::LE) {
    return a <= b;
  } else if constexpr (kMode == CMPMODE::GE) {
    return a >= b;
  } else {
    static_assert(kMode == CMPMODE::NE, "every mode has its rule");
    return a != b;
  }
}

// a compared with b: IEEE 754, so only NE is true of a NaN.
template <typename T, CMPMODE kMode>
ASCENDC_TWIN_INLINE Truth<RegVector<T>> ComparedElements(RegVector<T> a, RegVector<T> b) {
  if constexpr (kIsFloat16<T>) {
    using Key = Vector<int16_t, kRegLanes<T>>;
    const Key bits_a = BitCast<Key>(a);
    const Key bits_b = BitCast<Key>(b);
    const Key zero = {};
    const Key key_a = bits_a < 0 ? zero - (bits_a & 0x7FFF) : bits_a;  // -0 is 0
    const Key key_b = bits_b < 0 ? zero - (bits_b & 0x7FFF) : bits_b;
    const Truth<RegVector<T>> unordered = IsNan16<T>(a) | IsNan16<T>(b);
    const Truth<RegVector<T>> ordered = Compared<kMode>(key_a, key_b);
    return kMode == CMPMODE::NE ? ordered | unordered : ordered & ~unordered;
  } else {
    return Compared<kMode>(a, b);
  }
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_ORDER_H_
