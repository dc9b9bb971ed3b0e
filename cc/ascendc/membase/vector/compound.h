// Elementwise instructions that also read dst: Axpy, MulAddDst, FusedMulAdd, MulAddRelu (older name
// FusedMulAddRelu).
//
// On A2 and A3 none is fused: the product is rounded to the type of dst, then the sum is. The
// public documentation says that these instructions gain no precision where all types are equal,
// and its published half results of FusedMulAdd and MulAddRelu (256 each, of which 108 tell) all
// equal separate rounding. With half sources and a float dst the product is exact. 950 carries them
// out with the register-based instructions, which are fused: one rounding (MulAddRelu: before the
// max).
#ifndef CC_ASCENDC_MEMBASE_VECTOR_COMPOUND_H_
#define CC_ASCENDC_MEMBASE_VECTOR_COMPOUND_H_

#include "cc/ascendc/membase/vector/scalar.h"
#include "cc/ascendc/membase/vector/wide_fma.h"

ASCENDC_TWIN_BEGIN

namespace twin {

// dst and sources of the multiply-adds that may widen.
template <typename T, typename U>
constexpr bool kMultiplyAdd = (kFloating<T> && std::is_same<T, U>::value) ||
                              (std::is_same<T, float>::value && std::is_same<U, half>::value);

// a * b + c for a dst of T, in compute form.
template <typename T>
ASCENDC_TWIN_INLINE float MultiplyAdd(float a, float b, float c) {
  if constexpr (!kIsArch35) {
    return Lane<T>::Round(a * b) + c;
  } else if constexpr (std::is_same<T, float>::value) {
    return __builtin_fmaf(a, b, c);
  } else {
    return WideFma(a, b, c);
  }
}

// Operands of each op: the sources in order, then dst.
template <typename T>
struct AxpyOp {
  float scalar;
  ASCENDC_TWIN_INLINE float operator()(float src, float dst) const {
    return MultiplyAdd<T>(scalar, src, dst);
  }
};
template <typename T>
struct MulAddDstOp {
  ASCENDC_TWIN_INLINE float operator()(float src0, float src1, float dst) const {
    return MultiplyAdd<T>(src0, src1, dst);
  }
};
template <typename T>
struct FusedMulAddOp {
  ASCENDC_TWIN_INLINE float operator()(float src0, float src1, float dst) const {
    return MultiplyAdd<T>(src0, dst, src1);
  }
};
template <typename T>
struct MulAddReluOp {
  ASCENDC_TWIN_INLINE float operator()(float src0, float src1, float dst) const {
    return Rectified(MultiplyAdd<T>(src0, dst, src1));
  }
};

constexpr Signature kAxpySignature = {"Axpy", {"src", "dst"}};
constexpr Signature MultiplyAddSignature(const char* name) {
  return {name, {"src0", "src1", "dst"}};
}

template <bool isSetMask, typename T, typename U, typename Mask>
ASCENDC_TWIN_INLINE void AxpyRepeats(const LocalTensor<T>& dst, const LocalTensor<U>& src,
                                     const U& scalar, Mask mask, uint32_t repeats,
                                     const UnaryRepeatParams& params) {
  static_assert(kMultiplyAdd<T, U>, "Axpy: half, float, or half into float");
  MapRepeats<isSetMask>(kAxpySignature, AxpyOp<T>{ScalarOf(scalar)}, mask, repeats,
                        DstOperand(dst, params), SrcOperand(src, params), DstOperand(dst, params));
}

template <bool isSetMask, typename Op, typename T, typename U, typename Mask>
ASCENDC_TWIN_INLINE void MultiplyAddRepeats(const char* name, const LocalTensor<T>& dst,
                                            const LocalTensor<U>& src0, const LocalTensor<U>& src1,
                                            Mask mask, uint32_t repeats,
                                            const BinaryRepeatParams& params) {
  static_assert(kMultiplyAdd<T, U>,
                "multiply-add: half or float, or half sources into a float dst");
  MapRepeats<isSetMask>(MultiplyAddSignature(name), Op{}, mask, repeats, DstOperand(dst, params),
                        Src0Operand(src0, params), Src1Operand(src1, params),
                        DstOperand(dst, params));
}

}  // namespace twin

// dst = scalarValue * src + dst
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue, uint64_t mask,
          const uint8_t repeatTime, const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::AxpyRepeats<isSetMask>(dst, src, scalarValue, mask, repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
          uint64_t mask[], const uint8_t repeatTime,
          const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::AxpyRepeats<isSetMask>(dst, src, scalarValue, static_cast<const uint64_t*>(mask),
                               repeatTime, repeatParams);
}
template <typename T, typename U>
void Axpy(const LocalTensor<T>& dst, const LocalTensor<U>& src, const U& scalarValue,
          const int32_t& count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(twin::kMultiplyAdd<T, U>, "Axpy: half, float, or half into float");
  twin::MapCount(twin::kAxpySignature, twin::AxpyOp<T>{twin::ScalarOf(scalarValue)}, count, dst,
                 src, dst);
}

// dst = src0 * src1 + dst
template <typename T, typename U, bool isSetMask = true>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
               const uint64_t mask[], const uint8_t repeatTime,
               const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::MultiplyAddRepeats<isSetMask, twin::MulAddDstOp<T>>("MulAddDst", dst, src0, src1, mask,
                                                            repeatTime, repeatParams);
}
template <typename T, typename U, bool isSetMask = true>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
               uint64_t mask, const uint8_t repeatTime,
               const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::MultiplyAddRepeats<isSetMask, twin::MulAddDstOp<T>>("MulAddDst", dst, src0, src1, mask,
                                                            repeatTime, repeatParams);
}
template <typename T, typename U>
void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0, const LocalTensor<U>& src1,
               const int32_t& count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  static_assert(twin::kMultiplyAdd<T, U>,
                "MulAddDst: half or float, or half sources into a float dst");
  twin::MapCount(twin::MultiplyAddSignature("MulAddDst"), twin::MulAddDstOp<T>{}, count, dst, src0,
                 src1, dst);
}

// The three public forms of dst = f(src0 * dst + src1).
#define ASCENDC_TWIN_MULTIPLY_DST(Name, Op)                                                        \
  template <typename T, bool isSetMask = true>                                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,     \
            uint64_t mask[], const uint8_t repeatTime,                                             \
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                           \
    ASCENDC_TWIN_AT;                                                                               \
    twin::MultiplyAddRepeats<isSetMask, twin::Op<T>>(                                              \
        #Name, dst, src0, src1, static_cast<const uint64_t*>(mask), repeatTime, repeatParams);     \
  }                                                                                                \
  template <typename T, bool isSetMask = true>                                                     \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,     \
            uint64_t mask, const uint8_t repeatTime,                                               \
            const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                           \
    ASCENDC_TWIN_AT;                                                                               \
    twin::MultiplyAddRepeats<isSetMask, twin::Op<T>>(#Name, dst, src0, src1, mask, repeatTime,     \
                                                     repeatParams);                                \
  }                                                                                                \
  template <typename T>                                                                            \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,     \
            const int32_t& count ASCENDC_TWIN_PLACE) {                                             \
    ASCENDC_TWIN_AT;                                                                               \
    static_assert(twin::kFloating<T>, #Name ": half or float");                                    \
    twin::MapCount(twin::MultiplyAddSignature(#Name), twin::Op<T>{}, count, dst, src0, src1, dst); \
  }

ASCENDC_TWIN_MULTIPLY_DST(FusedMulAdd, FusedMulAddOp)
ASCENDC_TWIN_MULTIPLY_DST(MulAddRelu, MulAddReluOp)
ASCENDC_TWIN_MULTIPLY_DST(FusedMulAddRelu, MulAddReluOp)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_COMPOUND_H_
