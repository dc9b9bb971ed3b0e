// Reductions, for every pair of types and tail length, against a plain tree and a plain search.
#include "cc/ascendc/reg/reduce.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::ReduceType;

// The tree over adjacent elements, rounded at every node.
template <typename D>
D TreeSum(std::vector<D> level) {
  while (level.size() > 1) {
    std::vector<D> next;
    for (size_t i = 0; i < level.size(); i += 2) {
      if constexpr (std::is_integral_v<D>) {
        next.push_back(
            static_cast<D>(static_cast<uint64_t>(level[i]) + static_cast<uint64_t>(level[i + 1])));
      } else {
        next.push_back(RoundedTo<D>(ValueOf(level[i]) + ValueOf(level[i + 1])));
      }
    }
    level = next;
  }
  return level[0];
}

template <typename D, typename S>
Elements<D> GroupSums(const Elements<S>& elements, const MaskBits& bits, uint32_t group) {
  Elements<D> expected;
  expected.fill(D(0));
  for (uint32_t g = 0; g < kLanes<S> / group; ++g) {
    std::vector<D> leaves;
    for (uint32_t i = g * group; i < (g + 1) * group; ++i) {
      leaves.push_back(bits.Active<S>(i) ? static_cast<D>(elements[i]) : D(0));
    }
    expected[g] = TreeSum(leaves);
  }
  return expected;
}

template <typename S>
Elements<S> SumValues(Random& random, bool any) {
  Elements<S> elements;
  for (S& element : elements) {
    if constexpr (std::is_integral_v<S>) {
      element = AnyValue<S>(random);
    } else {  // most sums should be finite
      element = any ? AnyValue<S>(random)
                    : S(static_cast<float>(std::ldexp(1.0 + random() % 4096 / 4096.0,
                                                      static_cast<int>(random() % 12) - 8)) *
                        (random() % 2 == 0 ? 1.0f : -1.0f));
    }
  }
  return elements;
}

template <typename D, typename S>
struct Pair {
  using Dst = D;
  using Src = S;
};

template <typename P>
class RegSumTest : public ::testing::Test {
 protected:
  // run(dst, src, mask) sums groups of `group` elements.
  template <typename Run>
  static void Check(uint32_t group, Run run) {
    using D = typename P::Dst;
    using S = typename P::Src;
    Random random{131};
    bool any = false;
    for (const MaskBits& bits : InterestingMasks<S>(random)) {
      const Elements<S> elements = SumValues<S>(random, any);
      any = !any;
      Reg::RegTensor<S> src = ToRegister(elements);
      Reg::RegTensor<D> dst;
      run(dst, src, bits.Register());
      ASSERT_TRUE(SameElements(FromRegister(dst), (GroupSums<D>(elements, bits, group))))
          << bits.name;
    }
  }
};

using SumPairs =
    ::testing::Types<Pair<half, half>, Pair<int32_t, int16_t>, Pair<uint32_t, uint16_t>,
                     Pair<int32_t, int32_t>, Pair<uint32_t, uint32_t>, Pair<float, float>,
                     Pair<int64_t, int64_t>, Pair<uint64_t, uint64_t>>;
TYPED_TEST_SUITE(RegSumTest, SumPairs);

TYPED_TEST(RegSumTest, Reduce) {
  using D = typename TypeParam::Dst;
  using S = typename TypeParam::Src;
  this->Check(kLanes<S>, [](auto& dst, auto& src, Reg::MaskReg mask) {
    Reg::Reduce<ReduceType::SUM>(dst, src, mask);
  });
  this->Check(kLanes<S>, [](auto& dst, auto& src, Reg::MaskReg mask) {
    Reg::ReduceSum<D, S>(dst, src, mask);
  });
}

TYPED_TEST(RegSumTest, ReduceDataBlock) {
  using S = typename TypeParam::Src;
  if constexpr (sizeof(S) <= 4) {
    this->Check(32 / sizeof(S), [](auto& dst, auto& src, Reg::MaskReg mask) {
      Reg::ReduceDataBlock<ReduceType::SUM>(dst, src, mask);
    });
  }
}

template <typename T>
class RegPairSumTest : public RegSumTest<Pair<T, T>> {};

using PairTypes = ::testing::Types<half, float>;
TYPED_TEST_SUITE(RegPairSumTest, PairTypes);

TYPED_TEST(RegPairSumTest, PairReduceElem) {
  this->Check(2, [](auto& dst, auto& src, Reg::MaskReg mask) {
    Reg::PairReduceElem<Reg::PairReduce::SUM>(dst, src, mask);
  });
  this->Check(2,
              [](auto& dst, auto& src, Reg::MaskReg mask) { Reg::PairReduceSum(dst, src, mask); });
  this->Check(32 / sizeof(TypeParam), [](auto& dst, auto& src, Reg::MaskReg mask) {
    Reg::ReduceSumWithDataBlock(dst, src, mask);
  });
}

// The winner among active elements of a group; -0 below +0, a NaN wins, the first of equal ones.
template <bool kMax, typename T>
struct Winner {
  T value;
  uint32_t index = 0;

  Winner(const Elements<T>& elements, const MaskBits& bits, uint32_t begin, uint32_t end) {
    bool found = false;
    for (uint32_t i = begin; i < end; ++i) {
      if (bits.Active<T>(i) && (!found || Beats(elements[i], value))) {
        value = elements[i];
        index = i;
        found = true;
      }
    }
    if constexpr (!std::is_integral_v<T>) {
      const float infinity = std::numeric_limits<float>::infinity();
      if (!found) value = T(kMax ? -infinity : infinity);
      if (ValueOf(value) != ValueOf(value)) value = RoundedTo<T>(std::nan(""));
    } else if (!found) {
      value = kMax ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
    }
  }

  static bool Beats(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      return kMax ? a > b : a < b;
    } else {
      const double x = ValueOf(a);
      const double y = ValueOf(b);
      if (y != y) return false;
      if (x != x) return true;
      if (x == y) return std::signbit(x) != std::signbit(y) && std::signbit(x) != kMax;
      return kMax ? x > y : x < y;
    }
  }
};

template <typename T>
class RegExtremeTest : public ::testing::Test {};

using ExtremeTypes =
    ::testing::Types<int16_t, uint16_t, half, int32_t, uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegExtremeTest, ExtremeTypes);

// Few different values, so that the winner is often not alone.
template <typename T>
Elements<T> ExtremeValues(Random& random, int round) {
  Elements<T> elements = AnyElements<T>(random);
  if (round % 3 != 0) {
    for (T& element : elements) {
      element = T(static_cast<float>(random() % 4));
      if constexpr (!std::is_integral_v<T>) {
        if (random() % 2 == 0) element = -element;
        if (round % 3 == 2 && random() % 64 == 0) element = RoundedTo<T>(std::nan(""));
      }
    }
  }
  return elements;
}

template <bool kMax, typename T, typename Run>
void CheckExtreme(Run run) {
  Random random{132};
  int round = 0;
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> elements = ExtremeValues<T>(random, round++);
    const Winner<kMax, T> winner(elements, bits, 0, kLanes<T>);
    Elements<T> expected;
    expected.fill(T(0));
    expected[0] = winner.value;
    const uint64_t index = winner.index;
    std::memcpy(&expected[1], &index, sizeof(T));
    Reg::RegTensor<T> src = ToRegister(elements);
    run(src, bits.Register());
    ASSERT_TRUE(SameElements(FromRegister(src), expected)) << bits.name;
  }
}

TYPED_TEST(RegExtremeTest, ReduceGivesValueAndIndex) {
  using T = TypeParam;
  CheckExtreme<true, T>(
      [](auto& r, Reg::MaskReg mask) { Reg::Reduce<ReduceType::MAX>(r, r, mask); });
  CheckExtreme<false, T>(
      [](auto& r, Reg::MaskReg mask) { Reg::Reduce<ReduceType::MIN>(r, r, mask); });
  CheckExtreme<true, T>([](auto& r, Reg::MaskReg mask) { Reg::ReduceMax(r, r, mask); });
  CheckExtreme<false, T>([](auto& r, Reg::MaskReg mask) { Reg::ReduceMin<T>(r, r, mask); });
}

template <bool kMax, typename T, typename Run>
void CheckBlockExtremes(Run run) {
  Random random{133};
  int round = 0;
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> elements = ExtremeValues<T>(random, round++);
    Elements<T> expected;
    expected.fill(T(0));
    for (uint32_t block = 0; block < 8; ++block) {
      constexpr uint32_t kBlock = kLanes<T> / 8;
      expected[block] = Winner<kMax, T>(elements, bits, block * kBlock, (block + 1) * kBlock).value;
    }
    Reg::RegTensor<T> src = ToRegister(elements);
    run(src, bits.Register());
    ASSERT_TRUE(SameElements(FromRegister(src), expected)) << bits.name;
  }
}

TYPED_TEST(RegExtremeTest, ReduceDataBlock) {
  using T = TypeParam;
  if constexpr (sizeof(T) <= 4) {
    CheckBlockExtremes<true, T>(
        [](auto& r, Reg::MaskReg mask) { Reg::ReduceDataBlock<ReduceType::MAX>(r, r, mask); });
    CheckBlockExtremes<false, T>(
        [](auto& r, Reg::MaskReg mask) { Reg::ReduceDataBlock<ReduceType::MIN>(r, r, mask); });
    CheckBlockExtremes<true, T>(
        [](auto& r, Reg::MaskReg mask) { Reg::ReduceMaxWithDataBlock(r, r, mask); });
    CheckBlockExtremes<false, T>(
        [](auto& r, Reg::MaskReg mask) { Reg::ReduceMinWithDataBlock(r, r, mask); });
  }
}

}  // namespace
}  // namespace attnres::testing
