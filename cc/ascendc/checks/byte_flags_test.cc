// Ranges of flags against a plain array of bools.
#include "cc/ascendc/checks/byte_flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace attnres::checks {
namespace {

template <typename Flags>
class ByteFlagsTest : public ::testing::Test {};
using Kinds = ::testing::Types<ByteFlags<false>, ByteFlags<true>>;
TYPED_TEST_SUITE(ByteFlagsTest, Kinds);

TYPED_TEST(ByteFlagsTest, AgreesWithAnArray) {
  constexpr uint64_t kBytes = 300;
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    TypeParam flags(kBytes);
    std::vector<bool> expected(kBytes);
    for (int i = 0; i < 4; ++i) {
      uint64_t begin = random() % (kBytes + 1);
      uint64_t end = random() % (kBytes + 1);
      if (begin > end) {
        std::swap(begin, end);
      }
      flags.Set(begin, end);
      std::fill(expected.begin() + static_cast<int64_t>(begin),
                expected.begin() + static_cast<int64_t>(end), true);
    }
    for (uint64_t begin = 0; begin <= kBytes; begin += 7) {
      for (uint64_t end = begin; end <= kBytes; end += 13) {
        const auto first = expected.begin() + static_cast<int64_t>(begin);
        const auto last = expected.begin() + static_cast<int64_t>(end);
        ASSERT_EQ(flags.FirstUnset(begin, end),
                  static_cast<uint64_t>(std::find(first, last, false) - expected.begin()));
        ASSERT_EQ(flags.FirstSet(begin, end),
                  static_cast<uint64_t>(std::find(first, last, true) - expected.begin()));
      }
    }
  }
}

TEST(ByteFlags, ClearsExactlyWhatItIsAsked) {
  for (const uint64_t begin : {0, 1, 63, 64, 100, 190}) {
    for (const uint64_t end : {begin + 1, begin + 5, begin + 64, begin + 110}) {
      ByteFlags<false> flags(320);
      flags.Set(0, 320);
      flags.Clear(begin, end);
      EXPECT_EQ(flags.FirstUnset(0, 320), begin);
      EXPECT_EQ(flags.FirstSet(begin, 320), end);
      EXPECT_EQ(flags.FirstUnset(end, 320), 320u);
    }
  }
}

}  // namespace
}  // namespace attnres::checks
