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

template <typename T>
ASCENDC_TWIN_INLINE void CheckCompareMode(CMPMODE mode) {
  static_assert(kComparable<T>, "Compare: half, float or int32_t");
  if (!kIsArch35 && kIsOneOf<T, int32_t> && mode != CMPMODE::EQ) {
    Fail("Compare of int32_t got a CMPMODE other than EQ, which is the only one it has", "memory");
  }
}

// Calls body(std::integral_constant of the mode).
template <typename Body>
void DispatchCompare(CMPMODE mode, Body body) {
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

// One data block per step, so that any stride will do. `Second`: TensorBlocks or ScalarBlocks.
template <typename T>
struct TensorBlocks {
  Operand<T> src1;
  TensorSource<T> At(uint32_t repeat, uint32_t lane) const {
    return {Stored(src1.At(repeat, lane))};
  }
};
template <typename T>
struct ScalarBlocks {
  Compute<T> value;
  ScalarSource<T> At(uint32_t, uint32_t) const { return {value}; }
};

template <typename T, typename Second>
void CompareBlocks(uint8_t* bits, const Operand<T>& src0, const Second& second, CMPMODE mode,
                   uint32_t repeats) {
  constexpr uint32_t kBlockLanes = Operand<T>::kBlockLanes;
  DispatchCompare(mode, [&](auto constant) {
    for (uint32_t i = 0; i < 8 * repeats; ++i) {
      const uint32_t lane = (i % 8) * kBlockLanes;
      CompareRun<decltype(constant)::value, T>(bits + size_t{i} * kBlockLanes / 8,
                                               Stored(src0.At(i / 8, lane)), second.At(i / 8, lane),
                                               kBlockLanes);
    }
  });
}

// ---- instructions

// The sources of `plan`, then what the instruction writes or keeps.
template <typename T, typename About, typename... S>
void DescribeComparison(About& about, const RepeatPlan& plan, const S&... src) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  constexpr const char* kNames[] = {sizeof...(S) == 1 ? "src" : "src0", "src1"};
  uint32_t index = 0;
  (DescribeOperand<kLanes>(about, kNames[index++], plan, src, false), ...);
  DescribeWork(about, plan, kLanes);
}

template <typename T, typename About>
void RequireWholeRepeats(About& about, uint32_t count) {
  about.Require(count % kRepeatLanes<T> == 0,
                "a comparison handles whole pieces of 256 bytes and leaves out the rest of its "
                "count: use a multiple");
}

template <typename T>
ASCENDC_TWIN_INLINE void CompareCount(uint8_t* bits, const T* src0, const T* src1, CMPMODE mode,
                                      uint32_t count) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  CheckCompareMode<T>(mode);
  const size_t whole = count - count % kLanes;
  Instruct<kPipeV>(
      "Compare",
      [=] {
        DispatchCompare(mode, [&](auto constant) {
          CompareRun<decltype(constant)::value, T>(bits, Stored(src0),
                                                   TensorSource<T>{Stored(src1)}, whole);
        });
      },
      [&](auto& about) {
        RequireWholeRepeats<T>(about, count);
        DescribeComparison<T>(about, PlanCount(whole, kLanes), DenseOperand<kLanes>(src0),
                              DenseOperand<kLanes>(src1));
        about.Write("dst", bits, whole / 8);
      });
}

template <typename T>
ASCENDC_TWIN_INLINE void CompareScalarCount(uint8_t* bits, const T* src, T scalar, CMPMODE mode,
                                            uint32_t count) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  CheckCompareMode<T>(mode);
  const size_t whole = count - count % kLanes;
  const ScalarSource<T> second{ScalarOf(scalar)};
  Instruct<kPipeV>(
      "Compares",
      [=] {
        DispatchCompare(mode, [&](auto constant) {
          CompareRun<decltype(constant)::value, T>(bits, Stored(src), second, whole);
        });
      },
      [&](auto& about) {
        RequireWholeRepeats<T>(about, count);
        DescribeComparison<T>(about, PlanCount(whole, kLanes), DenseOperand<kLanes>(src));
        about.Write("dst", bits, whole / 8);
      });
}

template <typename T>
ASCENDC_TWIN_INLINE void CompareRepeats(uint8_t* bits, const Operand<T>& src0,
                                        const Operand<T>& src1, CMPMODE mode, uint32_t repeats) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  CheckCompareMode<T>(mode);
  Instruct<kPipeV>(
      "Compare", [=] { CompareBlocks(bits, src0, TensorBlocks<T>{src1}, mode, repeats); },
      [&](auto& about) {
        DescribeComparison<T>(about, PlanLeading(kLanes, repeats, kLanes), src0, src1);
        about.Write("dst", bits, uint64_t{repeats} * kLanes / 8);
      });
}

template <typename T>
ASCENDC_TWIN_INLINE void CompareScalarRepeats(uint8_t* bits, const Operand<T>& src, T scalar,
                                              CMPMODE mode, uint32_t repeats) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  CheckCompareMode<T>(mode);
  const ScalarBlocks<T> second{ScalarOf(scalar)};
  Instruct<kPipeV>(
      "Compares", [=] { CompareBlocks(bits, src, second, mode, repeats); },
      [&](auto& about) {
        DescribeComparison<T>(about, PlanLeading(kLanes, repeats, kLanes), src);
        about.Write("dst", bits, uint64_t{repeats} * kLanes / 8);
      });
}

// Into the compare register, which keeps the bits of lanes that are not `active`.
template <typename T>
ASCENDC_TWIN_INLINE void CompareIntoRegister(const Operand<T>& src0, const Operand<T>& src1,
                                             CMPMODE mode, uint64_t active_low,
                                             uint64_t active_high) {
  constexpr uint32_t kLanes = kRepeatLanes<T>;
  CheckCompareMode<T>(mode);
  Instruct<kPipeV>(
      "Compare",
      [=] {
        uint64_t bits[2] = {0, 0};
        CompareBlocks(reinterpret_cast<uint8_t*>(bits), src0, TensorBlocks<T>{src1}, mode, 1);
        const uint64_t active[2] = {active_low, active_high};
        uint64_t* kept = State().vector.compare_mask;
        for (int word = 0; word < 2; ++word) {
          kept[word] = (bits[word] & active[word]) | (kept[word] & ~active[word]);
        }
      },
      [&](auto& about) {
        DescribeComparison<T>(about, PlanLeading(kLanes, 1, kLanes), src0, src1);
      });
}

template <typename U>
ASCENDC_TWIN_INLINE uint8_t* ResultBits(const LocalTensor<U>& dst) {
  static_assert(sizeof(U) == 1, "a comparison writes int8_t or uint8_t");
  return reinterpret_cast<uint8_t*>(dst.Data());
}

}  // namespace twin

template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,
             const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  (void)mask;
  ASCENDC_TWIN_AT;
  twin::CompareRepeats(twin::ResultBits(dst), twin::Src0Operand(src0, repeatParams),
                       twin::Src1Operand(src1, repeatParams), cmpMode, repeatTime);
}
template <typename T, typename U, bool isSetMask = true>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,
             const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  (void)mask;
  ASCENDC_TWIN_AT;
  twin::CompareRepeats(twin::ResultBits(dst), twin::Src0Operand(src0, repeatParams),
                       twin::Src1Operand(src1, repeatParams), cmpMode, repeatTime);
}
template <typename T, typename U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1,
             CMPMODE cmpMode, uint32_t count ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::CompareCount(twin::ResultBits(dst), static_cast<const T*>(src0.Data()),
                     static_cast<const T*>(src1.Data()), cmpMode, count);
}

// One repeat, into the compare register: bits of masked lanes keep what the register held.
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask[], const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const twin::MaskState& state = twin::State().vector;
  twin::CompareIntoRegister(twin::Src0Operand(src0, repeatParams),
                            twin::Src1Operand(src1, repeatParams), cmpMode,
                            isSetMask ? mask[0] : state.mask_low,
                            isSetMask ? (sizeof(T) == 2 ? mask[1] : 0) : state.mask_high);
}
template <typename T, bool isSetMask = true>
void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             const uint64_t mask, const BinaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const uint32_t lanes = mask > 128 ? 128 : static_cast<uint32_t>(mask);
  const uint64_t bits[2] = {twin::LowBits(lanes), lanes > 64 ? twin::LowBits(lanes - 64) : 0};
  Compare<T, isSetMask>(src0, src1, cmpMode, bits, repeatParams);
}

// The compare register, 16 bytes.
template <typename T>
void GetCmpMask(const LocalTensor<T>& dst ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  T* data = dst.Data();
  twin::Instruct<twin::kPipeV>(
      "GetCmpMask", [=] { __builtin_memcpy(data, twin::State().vector.compare_mask, 16); },
      [&](auto& about) { about.Write("dst", data, 16 / sizeof(T)); });
}
template <typename T>
void SetCmpMask(const LocalTensor<T>& src ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const T* data = src.Data();
  twin::Instruct<twin::kPipeV>(
      "SetCmpMask", [=] { __builtin_memcpy(twin::State().vector.compare_mask, data, 16); },
      [&](auto& about) { about.Read("src", data, 16 / sizeof(T)); });
}

// The public forms of the comparison with a scalar.
#define ASCENDC_TWIN_COMPARE_SCALAR(Name)                                                   \
  template <typename T, typename U, bool isSetMask = true>                                  \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, const uint64_t mask[], uint8_t repeatTime,                     \
            const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                     \
    (void)mask;                                                                             \
    ASCENDC_TWIN_AT;                                                                        \
    twin::CompareScalarRepeats(twin::ResultBits(dst), twin::SrcOperand(src0, repeatParams), \
                               src1Scalar, cmpMode, repeatTime);                            \
  }                                                                                         \
  template <typename T, typename U, bool isSetMask = true>                                  \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, const uint64_t mask, uint8_t repeatTime,                       \
            const UnaryRepeatParams& repeatParams ASCENDC_TWIN_PLACE) {                     \
    (void)mask;                                                                             \
    ASCENDC_TWIN_AT;                                                                        \
    twin::CompareScalarRepeats(twin::ResultBits(dst), twin::SrcOperand(src0, repeatParams), \
                               src1Scalar, cmpMode, repeatTime);                            \
  }                                                                                         \
  template <typename T, typename U>                                                         \
  void Name(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const T src1Scalar,      \
            CMPMODE cmpMode, uint32_t count ASCENDC_TWIN_PLACE) {                           \
    ASCENDC_TWIN_AT;                                                                        \
    twin::CompareScalarCount(twin::ResultBits(dst), static_cast<const T*>(src0.Data()),     \
                             src1Scalar, cmpMode, count);                                   \
  }

ASCENDC_TWIN_COMPARE_SCALAR(Compares)
ASCENDC_TWIN_COMPARE_SCALAR(CompareScalar)

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_VECTOR_COMPARE_H_
