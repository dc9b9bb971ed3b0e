// Elementwise instructions with one source tensor: Abs, Exp, Ln, Sqrt, Rsqrt, Reciprocal, Relu,
// Not.
//
// Sqrt and Reciprocal are correctly rounded, Rsqrt is 1 / Sqrt with both roundings (a device
// approximates Rsqrt and Reciprocal); Exp and Ln have the errors that math.h states. half results
// are float results rounded once more.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_UNARY_H_
#define CC_ASCENDC_MEMBASE_VECTOR_UNARY_H_

#include "cc/ascendc/membase/vector/binary.h"
#include "cc/ascendc/membase/vector/math.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kRectifiable =
    kIsOneOf<T, half, int32_t, float> || (kIsArch35 && kIsOneOf<T, int16_t, int64_t>);
template <typename T>
constexpr bool kAbsolute =
    kFloating<T> || (kIsArch35 && kIsOneOf<T, int8_t, int16_t, int32_t, int64_t>);
template <typename T>
constexpr bool kInvertible =
    kIsOneOf<T, int16_t, uint16_t> ||
    (kIsArch35 && kIsOneOf<T, int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t>);

template <typename T>
struct AbsOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a) const {
    if constexpr (std::is_same<Compute<T>, float>::value) {
      return float_bits::ToFloat(float_bits::FromFloat(a) & 0x7FFFFFFFu);
    } else {
      return a < 0 ? Minus(T(0), a) : a;
    }
  }
};
template <typename T>
struct ExpOp {
  ASCENDC_TWIN_INLINE float operator()(float a) const { return Exponential(a); }
};
template <typename T>
struct LnOp {
  ASCENDC_TWIN_INLINE float operator()(float a) const { return Logarithm(a); }
};
template <typename T>
struct SqrtOp {
  ASCENDC_TWIN_INLINE float operator()(float a) const { return __builtin_elementwise_sqrt(a); }
};
template <typename T>
struct RsqrtOp {
  ASCENDC_TWIN_INLINE float operator()(float a) const {
    return 1.0f / __builtin_elementwise_sqrt(a);
  }
};
template <typename T>
struct ReciprocalOp {
  ASCENDC_TWIN_INLINE float operator()(float a) const { return 1.0f / a; }
};
template <typename T>
struct ReluOp {
  ASCENDC_TWIN_INLINE Compute<T> operator()(Compute<T> a) const { return Rectified(a); }
};
template <typename T>
struct NotOp {
  ASCENDC_TWIN_INLINE T operator()(T a) const { return static_cast<T>(~a); }
};

}  // namespace twin

// The three public forms of one instruction: dst[i] = Op(src[i]) for T that `kSupports` admits.
#define ASCENDC_TWIN_UNARY(Name, Op, kSupports)                                                   \
  template <typename T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask[],                \
            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) { \
    ASCENDC_TWIN_AT;                                                                              \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    twin::MapRepeats<isSetMask>(                                                                  \
        twin::OneSource(#Name), twin::Op<T>{}, static_cast<const uint64_t*>(mask), repeatTime,    \
        twin::DstOperand(dst, repeatParams), twin::SrcOperand(src, repeatParams));                \
  }                                                                                               \
  template <typename T, bool isSetMask = true>                                                    \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src, uint64_t mask,                  \
            const uint8_t repeatTime, const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) { \
    ASCENDC_TWIN_AT;                                                                              \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    twin::MapRepeats<isSetMask>(twin::OneSource(#Name), twin::Op<T>{}, mask, repeatTime,          \
                                twin::DstOperand(dst, repeatParams),                              \
                                twin::SrcOperand(src, repeatParams));                             \
  }                                                                                               \
  template <typename T>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,                                 \
            const int32_t& count ASCENDC_TWIN_PLACE) {                                            \
    ASCENDC_TWIN_AT;                                                                              \
    static_assert(twin::kSupports<T>,                                                             \
                  #Name ": element type without this instruction on this arch");                  \
    twin::MapCount(twin::OneSource(#Name), twin::Op<T>{}, count, dst, src);                       \
  }

ASCENDC_TWIN_UNARY(Abs, AbsOp, kAbsolute)
ASCENDC_TWIN_UNARY(Exp, ExpOp, kFloating)
ASCENDC_TWIN_UNARY(Ln, LnOp, kFloating)
ASCENDC_TWIN_UNARY(Sqrt, SqrtOp, kFloating)
ASCENDC_TWIN_UNARY(Rsqrt, RsqrtOp, kFloating)
ASCENDC_TWIN_UNARY(Reciprocal, ReciprocalOp, kFloating)
ASCENDC_TWIN_UNARY(Relu, ReluOp, kRectifiable)
ASCENDC_TWIN_UNARY(Not, NotOp, kInvertible)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_UNARY_H_
