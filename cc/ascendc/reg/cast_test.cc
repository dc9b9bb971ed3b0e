// Cast for every pair of types, round mode, layout, saturation and tail length, against a search
// for the neighbours of the exact number; and Truncate.
#include "cc/ascendc/reg/cast.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::RoundMode;
using Reg::RegLayout;
using Reg::SatMode;

template <typename T>
constexpr bool kIsFloatType = std::is_same_v<T, float> || kIsFloat16<T>;

template <typename T>
T FromBitsOf(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

// An exact number to an integral one.
long double RoundedToInteger(long double value, RoundMode mode) {
  const long double down = std::floor(value);
  const long double rest = value - down;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      return down;
    case RoundMode::CAST_CEIL:
      return std::ceil(value);
    case RoundMode::CAST_TRUNC:
      return std::trunc(value);
    case RoundMode::CAST_ROUND:
      return std::round(value);
    default:
      if (rest == 0.5L) return std::fmod(down, 2.0L) == 0 ? down : down + 1;
      return rest > 0.5L ? down + 1 : down;
  }
}

// An exact finite number to the magnitudes of a float type that surround it, and one of them.
template <typename T>
T RoundedToFloat(long double value, RoundMode mode) {
  const bool negative = std::signbit(value);
  const long double magnitude = std::fabs(value);
  // The largest magnitude of the type that does not exceed it: bits count up with magnitudes.
  uint64_t low = 0;
  uint64_t high = std::is_same_v<T, half> ? 0x7BFF : std::is_same_v<T, float> ? 0x7F7FFFFF : 0x7F7F;
  const uint64_t largest = high;
  const auto number = [](uint64_t bits) {
    return static_cast<long double>(ValueOf(FromBitsOf<T>(bits)));
  };
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2;
    if (number(middle) <= magnitude) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  const long double below = number(low);
  // What follows the largest finite number counts as one step more; its bits are infinity.
  const long double above = low == largest ? 2 * below - number(low - 1) : number(low + 1);
  const bool exact = below == magnitude;
  const long double middle = (below + above) / 2;
  bool up = false;
  switch (mode) {
    case RoundMode::CAST_FLOOR:
      up = negative && !exact;
      break;
    case RoundMode::CAST_CEIL:
      up = !negative && !exact;
      break;
    case RoundMode::CAST_TRUNC:
      break;
    case RoundMode::CAST_ROUND:
      up = magnitude >= middle;
      break;
    case RoundMode::CAST_ODD:
      up = !exact && low % 2 == 0;
      break;
    default:
      up = magnitude > middle || (magnitude == middle && low % 2 == 1);
  }
  const uint64_t sign = negative ? uint64_t{1} << (8 * sizeof(T) - 1) : 0;
  return FromBitsOf<T>(sign | (low + (up ? 1 : 0)));
}

template <typename T>
T LargestFinite(bool negative) {
  const T largest = FromBitsOf<T>(std::is_same_v<T, half> ? 0x7BFF : 0x7F7F);
  return negative ? -largest : largest;
}

template <typename To>
To ToInteger(long double value, SatMode sat) {
  constexpr long double kMin = std::numeric_limits<To>::min();
  constexpr long double kMax = std::numeric_limits<To>::max();
  if (std::isnan(value)) return 0;
  if (sat != SatMode::NO_SAT || std::isinf(value)) {
    if (value <= kMin) return std::numeric_limits<To>::min();
    if (value >= kMax) return std::numeric_limits<To>::max();
    return static_cast<To>(value);
  }
  const long double wrapped = std::fmod(std::fabs(value), 0x1p64L);
  const uint64_t bits = static_cast<uint64_t>(wrapped);
  return static_cast<To>(value < 0 ? 0 - bits : bits);
}

template <typename To, typename From>
To CastOne(From value, RoundMode mode, SatMode sat) {
  long double exact;
  if constexpr (std::is_integral_v<From>) {
    exact = value;
  } else {
    exact = ValueOf(value);
  }
  if constexpr (std::is_integral_v<To>) {
    if (std::isfinite(exact)) exact = RoundedToInteger(exact, mode);
    return ToInteger<To>(exact, sat);
  } else if constexpr (std::is_same_v<To, float> && kIsFloatType<From>) {
    if constexpr (std::is_same_v<From, bfloat16_t>) {  // its bits are float's upper ones
      return FromBitsOf<float>(BitsAsInteger(value) << 16);
    }
    return static_cast<float>(value);  // exact; a NaN keeps sign and payload, and becomes quiet
  } else {
    const bool saturates = sat == SatMode::SAT && kIsFloat16<To> && kIsFloatType<From>;
    if (std::isnan(exact)) return saturates ? To(0.0f) : RoundedTo<To>(std::nan(""));
    if (std::isinf(exact)) {
      if constexpr (kIsFloat16<To>) {
        if (saturates) return LargestFinite<To>(exact < 0);
      }
      return To(static_cast<float>(exact));
    }
    const To rounded = RoundedToFloat<To>(exact, mode);
    if constexpr (kIsFloat16<To>) {
      if (saturates && std::isinf(ValueOf(rounded))) return LargestFinite<To>(exact < 0);
    }
    return rounded;
  }
}

template <RegLayout kLayout, SatMode kSat, RoundMode kMode>
struct TraitOf {
  static constexpr Reg::CastTrait value = {kLayout, kSat, Reg::MaskMergeMode::ZEROING, kMode};
};

// Values that meet the edges of To.
template <typename From>
From CastValue(Random& random) {
  if constexpr (kIsFloatType<From>) {
    if (random() % 4 == 0) {
      const double edges[] = {32767.5, 65535.5, 65504.0, 65519.9, 65520.0,      127.5,        255.5,
                              256.0,   0.5,     1.5,     2.5,     -0.5,         3e9,          1e19,
                              3e38,    6e-8,    3e-8,    1e-40,   2147483647.5, 1.00048828125};
      const double edge = edges[random() % (sizeof(edges) / sizeof(edges[0]))];
      return From(static_cast<float>(random() % 2 == 0 ? edge : -edge));
    }
  }
  return AnyValue<From>(random);
}

template <typename To, typename From, RegLayout kLayout, SatMode kSat, RoundMode kMode>
void CheckCast() {
  constexpr uint32_t kPart = kLayout == RegLayout::UNKNOWN ? 0 : static_cast<uint32_t>(kLayout);
  constexpr uint32_t kCount = std::min(kLanes<To>, kLanes<From>);
  Random random{121};
  for (const MaskBits& bits : InterestingMasks<From>(random)) {
    Elements<From> elements;
    for (From& element : elements) element = CastValue<From>(random);
    Reg::RegTensor<From> src = ToRegister(elements);
    Reg::RegTensor<To> dst;
    Reg::MaskReg mask = bits.Register();
    Reg::Cast<To, From, TraitOf<kLayout, kSat, kMode>::value>(dst, src, mask);
    Elements<To> expected;
    expected.fill(To(0));
    for (uint32_t i = 0; i < kCount; ++i) {
      const uint32_t from = sizeof(From) < sizeof(To) ? i * kLanes<From> / kCount + kPart : i;
      const uint32_t to = sizeof(To) < sizeof(From) ? i * kLanes<To> / kCount + kPart : i;
      if (!bits.Active<From>(from)) continue;
      expected[to] = CastOne<To>(elements[from], kMode, kSat);
    }
    ASSERT_TRUE(SameElements(FromRegister(dst), expected))
        << bits.name << ", mode " << static_cast<int>(kMode) << ", sat " << static_cast<int>(kSat)
        << ", layout " << static_cast<int>(kLayout);
  }
}

template <typename T, typename U>
struct Pair {
  using From = T;
  using To = U;
};

template <typename P>
class RegCastTest : public ::testing::Test {
 protected:
  using To = typename P::To;
  using From = typename P::From;

  template <RegLayout kLayout, SatMode kSat, RoundMode kMode>
  static void Check() {
    CheckCast<To, From, kLayout, kSat, kMode>();
  }
  template <SatMode kSat>
  static void CheckModes() {
    Check<RegLayout::ZERO, kSat, RoundMode::CAST_RINT>();
    Check<RegLayout::ZERO, kSat, RoundMode::CAST_FLOOR>();
    Check<RegLayout::ZERO, kSat, RoundMode::CAST_CEIL>();
    Check<RegLayout::ZERO, kSat, RoundMode::CAST_ROUND>();
    Check<RegLayout::ZERO, kSat, RoundMode::CAST_TRUNC>();
  }
  template <SatMode kSat, RoundMode kMode>
  static void CheckLayouts() {
    constexpr size_t kRatio =
        std::max(sizeof(To), sizeof(From)) / std::min(sizeof(To), sizeof(From));
    Check<RegLayout::UNKNOWN, kSat, kMode>();
    if constexpr (kRatio >= 2) Check<RegLayout::ONE, kSat, kMode>();
    if constexpr (kRatio >= 4) Check<RegLayout::TWO, kSat, kMode>();
    if constexpr (kRatio >= 4) Check<RegLayout::THREE, kSat, kMode>();
  }
};

// Pairs that may round, and saturate or not.
template <typename P>
class RegLossyCastTest : public RegCastTest<P> {};
using LossyPairs =
    ::testing::Types<Pair<half, int8_t>, Pair<half, uint8_t>, Pair<half, int16_t>,
                     Pair<half, int32_t>, Pair<bfloat16_t, int32_t>, Pair<bfloat16_t, half>,
                     Pair<float, int16_t>, Pair<float, int32_t>, Pair<float, int64_t>,
                     Pair<float, half>, Pair<float, bfloat16_t>>;
TYPED_TEST_SUITE(RegLossyCastTest, LossyPairs);

TYPED_TEST(RegLossyCastTest, EveryModeAndSaturation) {
  this->template CheckModes<SatMode::NO_SAT>();
  this->template CheckModes<SatMode::SAT>();
  this->template CheckLayouts<SatMode::UNKNOWN, RoundMode::CAST_RINT>();
}

// Pairs that may round and have no saturation.
template <typename P>
class RegRoundingCastTest : public RegCastTest<P> {};
using RoundingPairs = ::testing::Types<Pair<half, bfloat16_t>, Pair<int16_t, half>,
                                       Pair<int32_t, float>, Pair<int64_t, float>>;
TYPED_TEST_SUITE(RegRoundingCastTest, RoundingPairs);

TYPED_TEST(RegRoundingCastTest, EveryMode) {
  this->template CheckModes<SatMode::UNKNOWN>();
  this->template CheckLayouts<SatMode::UNKNOWN, RoundMode::UNKNOWN>();
}

// Exact pairs, and integers that narrow.
template <typename P>
class RegPlainCastTest : public RegCastTest<P> {};
using PlainPairs =
    ::testing::Types<Pair<int8_t, int16_t>, Pair<int8_t, half>, Pair<int8_t, int32_t>,
                     Pair<uint8_t, uint16_t>, Pair<uint8_t, half>, Pair<uint8_t, uint32_t>,
                     Pair<int16_t, uint8_t>, Pair<int16_t, int32_t>, Pair<int16_t, uint32_t>,
                     Pair<int16_t, float>, Pair<uint16_t, uint8_t>, Pair<uint16_t, uint32_t>,
                     Pair<half, float>, Pair<bfloat16_t, float>, Pair<int32_t, uint8_t>,
                     Pair<int32_t, int16_t>, Pair<int32_t, uint16_t>, Pair<int32_t, int64_t>,
                     Pair<uint32_t, uint8_t>, Pair<uint32_t, int16_t>, Pair<uint32_t, uint16_t>,
                     Pair<int64_t, int32_t>>;
TYPED_TEST_SUITE(RegPlainCastTest, PlainPairs);

TYPED_TEST(RegPlainCastTest, EveryLayoutAndSaturation) {
  using To = typename TypeParam::To;
  using From = typename TypeParam::From;
  this->template CheckLayouts<SatMode::UNKNOWN, RoundMode::UNKNOWN>();
  if constexpr (sizeof(To) < sizeof(From)) {
    this->template CheckLayouts<SatMode::SAT, RoundMode::UNKNOWN>();
    this->template CheckLayouts<SatMode::NO_SAT, RoundMode::UNKNOWN>();
  }
}

TEST(RegCastOddTest, OfFloatToHalf) {
  CheckCast<half, float, RegLayout::ZERO, SatMode::NO_SAT, RoundMode::CAST_ODD>();
}

template <typename T>
class RegTruncateTest : public ::testing::Test {};

using TruncateTypes = ::testing::Types<half, bfloat16_t, float>;
TYPED_TEST_SUITE(RegTruncateTest, TruncateTypes);

template <typename T, RoundMode kMode>
void CheckTruncate() {
  ElementwiseRegCheck<T, T> check;
  check.run = [](auto& dst, auto& a, auto& mask) { Reg::Truncate<T, kMode>(dst, a, mask); };
  check.reference = [](T, T a) {
    const double value = ValueOf(a);
    if (!std::isfinite(value)) return RoundedTo<T>(value);
    const double whole = static_cast<double>(RoundedToInteger(value, kMode));
    return RoundedTo<T>(std::copysign(whole, value));  // -0 of what rounds to it
  };
  check.Check();
}

TYPED_TEST(RegTruncateTest, EveryMode) {
  CheckTruncate<TypeParam, RoundMode::CAST_RINT>();
  CheckTruncate<TypeParam, RoundMode::CAST_FLOOR>();
  CheckTruncate<TypeParam, RoundMode::CAST_CEIL>();
  CheckTruncate<TypeParam, RoundMode::CAST_ROUND>();
  CheckTruncate<TypeParam, RoundMode::CAST_TRUNC>();
}

}  // namespace
}  // namespace attnres::testing
