// Where memory-based instructions of arch35 (ascend950) differ from those of arch22: it carries
// them out with register-based ones. Compiled for arch35; the other tests here are for arch22.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "cc/ascendc/membase/vector/compound.h"
#include "cc/ascendc/membase/vector/reduce.h"
#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::ReduceType;

static_assert(AscendC::twin::kIsArch35);

template <typename T>
class Arch35Test : public VectorTest {};

using FloatTypes = ::testing::Types<half, float>;
TYPED_TEST_SUITE(Arch35Test, FloatTypes);

TYPED_TEST(Arch35Test, BlocksAndPairsWithoutAnyLaneHaveDefaults) {
  using T = TypeParam;
  constexpr uint32_t kBlockLanes = 32 / sizeof(T);
  GuardedBuffer<T> src(256 / sizeof(T));
  for (size_t i = 0; i < src.size(); ++i) src[i] = T(1.0f);
  const int32_t lanes = 3 * kBlockLanes;  // three blocks of eight
  const auto check = [&](float present, float absent, size_t groups, auto reduce) {
    GuardedBuffer<T> dst(128);
    reduce(TensorOf(dst), TensorOf(src));
    for (size_t i = 0; i < groups; ++i) {
      EXPECT_EQ(ValueOf(dst[i]), i < groups * 3 / 8 ? present : absent) << i;
    }
    EXPECT_TRUE(dst.GuardsIntact());
  };
  const float infinity = std::numeric_limits<float>::infinity();
  check(kBlockLanes, 0.0f, 8, [lanes](auto dst, auto s) {
    AscendC::ReduceDataBlock<ReduceType::SUM>(dst, s, lanes, 1, 1, 1, 8);
  });
  check(1.0f, -infinity, 8, [lanes](auto dst, auto s) {
    AscendC::ReduceDataBlock<ReduceType::MAX>(dst, s, lanes, 1, 1, 1, 8);
  });
  check(1.0f, infinity, 8, [lanes](auto dst, auto s) {
    AscendC::ReduceDataBlock<ReduceType::MIN>(dst, s, lanes, 1, 1, 1, 8);
  });
  check(2.0f, 0.0f, 4 * kBlockLanes, [lanes](auto dst, auto s) {
    AscendC::ReducePairElem<ReduceType::SUM>(dst, s, lanes, 1, 1, 1, 8);
  });
}

// The tree of adjacent pairs, rounded at every node; width a power of two.
template <typename T>
T Tree(std::vector<T> level) {
  while (level.size() > 1) {
    std::vector<T> next;
    for (size_t i = 0; i < level.size(); i += 2) {
      next.push_back(RoundedTo<T>(ValueOf(level[i]) + ValueOf(level[i + 1])));
    }
    level = next;
  }
  return level[0];
}

TYPED_TEST(Arch35Test, ReduceSumOfACountMergesUpToFourRepeatsAndBuildsATreeOfMore) {
  using T = TypeParam;
  constexpr size_t kLanes = 256 / sizeof(T);
  Random random{5};
  GuardedBuffer<T> src(9 * kLanes);
  for (size_t i = 0; i < src.size(); ++i) {
    const double magnitude =
        std::ldexp(1.0 + random() % 1024 / 1024.0, static_cast<int>(random() % 8) - 4);
    src[i] = T(static_cast<float>(random() % 3 == 0 ? -magnitude : magnitude));
  }
  for (const size_t count : {size_t{1}, kLanes - 1, kLanes, kLanes + 1, 2 * kLanes, 3 * kLanes + 7,
                             4 * kLanes, 4 * kLanes + 1, 9 * kLanes}) {
    std::vector<T> leaves(kLanes, T(0.0f));
    if (count <= 4 * kLanes) {
      for (size_t i = 0; i < count; ++i) {
        leaves[i % kLanes] =
            i < kLanes ? src[i] : RoundedTo<T>(ValueOf(leaves[i % kLanes]) + ValueOf(src[i]));
      }
    } else {
      for (size_t begin = 0; begin < count; begin += kLanes) {
        std::vector<T> repeat(kLanes, T(0.0f));
        for (size_t i = begin; i < std::min(begin + kLanes, count); ++i) repeat[i - begin] = src[i];
        leaves[begin / kLanes] = Tree(repeat);
      }
    }
    GuardedBuffer<T> dst(16);
    GuardedBuffer<T> work(kLanes);
    AscendC::ReduceSum(TensorOf(dst), TensorOf(src), TensorOf(work), static_cast<int32_t>(count));
    EXPECT_EQ(BitsAsInteger(dst[0]), BitsAsInteger(Tree(leaves))) << count;
  }
}

TYPED_TEST(Arch35Test, MultiplyAddsRoundOnce) {
  using T = TypeParam;
  // (1 + u)^2 - (1 + 2u) is u^2, which a rounded product loses.
  const float u = std::is_same_v<T, half> ? 0x1p-6f : 0x1p-12f;
  GuardedBuffer<T> a(64);
  GuardedBuffer<T> c(64);
  for (size_t i = 0; i < 64; ++i) {
    a[i] = T(1.0f + u);
    c[i] = T(-(1.0f + 2 * u));
  }
  GuardedBuffer<T> dst(64);
  const auto expect = [&](const char* name) {
    EXPECT_EQ(ValueOf(dst[63]), static_cast<double>(u) * u) << name;
  };
  const auto copy = [&dst](const GuardedBuffer<T>& from) {
    for (size_t i = 0; i < 64; ++i) dst[i] = from[i];
  };
  copy(c);
  AscendC::MulAddDst(TensorOf(dst), TensorOf(a), TensorOf(a), 64);
  expect("MulAddDst");
  copy(c);
  AscendC::Axpy(TensorOf(dst), TensorOf(a), a[0], 64);
  expect("Axpy");
  copy(a);
  AscendC::FusedMulAdd(TensorOf(dst), TensorOf(a), TensorOf(c), 64);
  expect("FusedMulAdd");
  copy(a);
  AscendC::MulAddRelu(TensorOf(dst), TensorOf(a), TensorOf(c), 64);
  expect("MulAddRelu");
}

}  // namespace
}  // namespace attnres::testing
