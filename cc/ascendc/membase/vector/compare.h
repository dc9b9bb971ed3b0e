// Compare and Compares (older name CompareScalar): one result bit per element, lowest bit first.
// select.h uses the bits.
//
// On A2 and A3 the mask argument has no effect: each repeat compares 256 bytes and its bits follow
// those of the repeat before. The count form handles whole 256-byte pieces only and leaves out the
// rest. A comparison with NaN is false, NE is true; -0 equals +0. int32_t knows only EQ.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_COMPARE_H_
#define CC_ASCENDC_MEMBASE_VECTOR_COMPARE_H_

#include "cc/ascendc/membase/vector/scalar.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename T>
constexpr bool kComparable =
    kIsOneOf<T, half, float, int32_t> ||
    (kIsArch35 &&
     kIsOneOf<T, int8_t, uint8_t, int16_t, uint16_t, bfloat16_t, uint32_t, int64_t, uint64_t>);

template <CMPMODE mode, typename C>
ASCENDC_TWIN_INLINE bool Holds(C a, C b) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    case CMPMODE::NE:
      return a != b;
  }
}

// The second source is a tensor or one value.
template <typename T>
struct TensorSource {
  const typename Lane<T>::Storage* data;
  ASCENDC_TWIN_INLINE Compute<T> At(size_t i) const { return Lane<T>::Load(data[i]); }
};
template <typename T>
struct ScalarSource {
  Compute<T> value;
  ASCENDC_TWIN_INLINE Compute<T> At(size_t) const { return value; }
};

// Eight flags of value 0 or 1 in the bytes of a word, to the bits of one byte: the product moves
// flag k to bit 56 + k.
ASCENDC_TWIN_INLINE uint8_t PackFlags(const uint8_t flags[8]) {
  uint64_t word;
  __builtin_memcpy(&word, flags, sizeof(word));
  return static_cast<uint8_t>((word * 0x0102040810204080ull) >> 56);
}

// bits[i / 8] bit i % 8 = a[i] mode b[i]; count is a multiple of 8.
template <CMPMODE mode, typename T, typename Second>
__attribute__((noinline)) void CompareRun(uint8_t* bits, const typename Lane<T>::Storage* a,
                                          Second b, size_t count) {
  constexpr size_t kPiece = 64;
  uint8_t flags[kPiece];
  for (size_t i = 0; i < count; i += kPiece) {
    const size_t piece = count - i < kPiece ? count - i : kPiece;
    for (size_t j = 0; j < piece; ++j) {
      flags[j] = Holds<mode>(Lane<T>::Load(a[i + j]), b.At(i + j)) ? 1 : 0;
    }
    for (size_t j = 0; j < piece; j += 8) {
      bits[(i + j) / 8] = PackFlags(flags + j);
    }
  }
}

// Calls body(std::integral_constant of the mode).
template <typename T, typename Body>
void DispatchCompare(CMPMODE mode, Body body) {
  static_assert(kComparable<T>, "Compare: half, float or int32_t");
  if (!kIsArch35 && kIsOneOf<T, int32_t> && mode != CMPMODE::EQ) {
    Fail("Compare of int32_t got a CMPMODE other than EQ, which is the only one it has");
  }
  switch (mode) {
    case CMPMODE::LT:
      return body(std::integral_constant<CMPMODE, CMPMODE::LT>{});
    case CMPMODE::GT:
      return body(std::integral_constant<CMPMODE, CMPMODE::GT>{});
    case CMPMODE::EQ:
      return body(std::integral_constant<CMPMODE, CMPMODE::EQ>{});
    case CMPMODE::LE:
      return body(std::integral_constant<CMPMODE, CMPMODE::LE>{});
    case CMPMODE::GE:
      return body(std::integral_constant<CMPMODE, CMPMODE::GE>{});
    case CMPMODE::NE:
      return body(std::integral_constant<CMPMODE, CMPMODE::NE>{});
  }
}

template <typename U, typename T>
void CompareCount(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                  CMPMODE mode, uint32_t count) {
  const size_t whole = count - count % kRepeatLanes<T>;
  DispatchCompare<T>(mode, [&](auto constant) {
    CompareRun<decltype(constant)::value, T>(reinterpret_cast<uint8_t*>(dst.Data()),
                                             Stored(src0.Data()),
                                             TensorSource<T>{Stored(src1.Data())}, whole);
  });
}

template <typename U, typename T>
void CompareScalarCount(const LocalTensor<U>& dst, const LocalTensor<T>& src0, T scalar,
                        CMPMODE mode, uint32_t count) {
  const size_t whole = count - count % kRepeatLanes<T>;
  DispatchCompare<T>(mode, [&](auto constant) {
    CompareRun<decltype(constant)::value, T>(reinterpret_cast<uint8_t*>(dst.Data()),
                                             Stored(src0.Data()), ScalarSource<T>{ScalarOf(scalar)},
                                             whole);
  });
}

// One data block per step, so that any stride will do.
template <typename T>
void CompareRepeats(uint8_t* bits, const Operand<T>& src0, const Operand<T>& src1, CMPMODE mode,
                    uint32_t repeats) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  DispatchCompare<T>(mode, [&](auto constant) {
    for (uint32_t i = 0; i < 8 * repeats; ++i) {
      const uint32_t lane = (i % 8) * kBlockLanes;
      CompareRun<decltype(constant)::value, T>(
          bits + size_t{i} * kBlockLanes / 8, Stored(src0.At(i / 8, lane)),
          TensorSource<T>{Stored(src1.At(i / 8, lane))}, kBlockLanes);
    }
  });
}

template <typename T>
void CompareScalarRepeats(uint8_t* bits, const Operand<T>& src0, T scalar, CMPMODE mode,
                          uint32_t repeats) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  DispatchCompare<T>(mode, [&](auto constant) {
    for (uint32_t i = 0; i < 8 * repeats; ++i) {
      CompareRun<decltype(constant)::value, T>(bits + size_t{i} * kBlockLanes / 8,
                                               Stored(src0.At(i / 8, (i % 8) * kBlockLanes)),
                                               ScalarSource<T>{ScalarOf(scalar)}, kBlockLanes);
    }
  });
}

template <typename U>
ASCENDC_TWIN_INLINE uint8_t* ResultBits(const LocalTensor<U>& dst) {
  static_assert(sizeof(U) == 1, "Compare writes int8_t or uint8_t");
  return reinterpret_cast<uint8_t*>(dst.Data());
}

}  // namespace twin

template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,
             const BinaryRepeatParams& repeatParams) {
  (void)mask;
  twin::CompareRepeats(twin::ResultBits(dst), twin::Src0Operand(src0, repeatParams),
                       twin::Src1Operand(src1, repeatParams), cmpMode, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,
             const BinaryRepeatParams& repeatParams) {
  (void)mask;
  twin::CompareRepeats(twin::ResultBits(dst), twin::Src0Operand(src0, repeatParams),
                       twin::Src1Operand(src1, repeatParams), cmpMode, repeatTime);
}
template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, uint32_t count) {
  static_assert(sizeof(U) == 1, "Compare writes int8_t or uint8_t");
  twin::CompareCount(dst, src0, src1, cmpMode, count);
}

// One repeat, into the compare register: bits of masked lanes keep what the register held.
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask[], const BinaryRepeatParams& repeatParams) {
  uint64_t bits[2] = {0, 0};
  twin::CompareRepeats(reinterpret_cast<uint8_t*>(bits), twin::Src0Operand(src0, repeatParams),
                       twin::Src1Operand(src1, repeatParams), cmpMode, 1);
  twin::VectorState& state = twin::State().vector;
  const uint64_t active[2] = {isSetMask ? mask[0] : state.mask_low,
                              isSetMask ? (sizeof(T) == 2 ? mask[1] : 0) : state.mask_high};
  for (int word = 0; word < 2; ++word) {
    state.compare_mask[word] =
        (bits[word] & active[word]) | (state.compare_mask[word] & ~active[word]);
  }
}
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask, const BinaryRepeatParams& repeatParams) {
  const uint32_t lanes = mask > 128 ? 128 : static_cast<uint32_t>(mask);
  const uint64_t bits[2] = {twin::LowBits(lanes), lanes > 64 ? twin::LowBits(lanes - 64) : 0};
  Compare<T, isSetMask>(src0, src1, cmpMode, bits, repeatParams);
}

// The compare register, 16 bytes.
template <typename T>
void GetCmpMask(const LocalTensor<T>& dst) {
  __builtin_memcpy(dst.Data(), twin::State().vector.compare_mask, 16);
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src) {
  __builtin_memcpy(twin::State().vector.compare_mask, src.Data(), 16);
}

// The public forms of the comparison with a scalar.
#define ASCENDC_TWIN_COMPARE_SCALAR(Name)                                                   \
  template <typename T, typename U, bool isSetMask = true>                                  \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,                     \
            const UnaryRepeatParams& repeatParams) {                                        \
    (void)mask;                                                                             \
    twin::CompareScalarRepeats(twin::ResultBits(dst), twin::SrcOperand(src0, repeatParams), \
                               src1Scalar, cmpMode, repeatTime);                            \
  }                                                                                         \
  template <typename T, typename U, bool isSetMask = true>                                  \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,                       \
            const UnaryRepeatParams& repeatParams) {                                        \
    (void)mask;                                                                             \
    twin::CompareScalarRepeats(twin::ResultBits(dst), twin::SrcOperand(src0, repeatParams), \
                               src1Scalar, cmpMode, repeatTime);                            \
  }                                                                                         \
  template <typename T, typename U>                                                         \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, uint32_t count) {                                              \
    static_assert(sizeof(U) == 1, #Name " writes int8_t or uint8_t");                       \
    twin::CompareScalarCount(dst, src0, src1Scalar, cmpMode, count);                        \
  }

ASCENDC_TWIN_COMPARE_SCALAR(Compares)
ASCENDC_TWIN_COMPARE_SCALAR(CompareScalar)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_COMPARE_H_
