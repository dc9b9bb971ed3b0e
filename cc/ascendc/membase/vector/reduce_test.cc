// Reductions. The laws under test: inside a repeat a tree of adjacent pairs, rounded to the type at
// every node; over repeats in order (count form) or by the tree again (mask form); the first of
// equal extremes; masked lanes count for nothing and leave dst as it is where a result has no lane
// at all.
#include "cc/ascendc/membase/vector/reduce.h"

#include <cmath>
#include <limits>

#include "cc/ascendc/membase/vector/reduce_old_names.h"
#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::ReduceOrder;
using AscendC::ReduceType;

// The tree over values[begin, begin + width), width a power of two; lanes that are not active count
// for nothing.
template <typename T>
T Tree(const std::vector<T>& values, const std::vector<bool>& active, size_t begin, size_t width,
       bool* any) {
  if (width == 1) {
    *any = active[begin];
    return values[begin];
  }
  bool left_any = false;
  bool right_any = false;
  const T left = Tree(values, active, begin, width / 2, &left_any);
  const T right = Tree(values, active, begin + width / 2, width / 2, &right_any);
  *any = left_any || right_any;
  if (left_any && right_any) return RoundedTo<T>(ValueOf(left) + ValueOf(right));
  return left_any ? left : right;
}

// A NaN that went through no addition is still made canonical.
template <typename T>
T Canonical(T value) {
  return value != value ? RoundedTo<T>(ValueOf(value)) : value;
}

// Sum of the first `count` elements by the tree over a width of `lanes`.
template <typename T>
T TreeOfFirst(const T* data, size_t count, size_t lanes) {
  std::vector<T> values(lanes, T(0.0f));
  std::vector<bool> active(lanes, false);
  for (size_t i = 0; i < count; ++i) {
    values[i] = data[i];
    active[i] = true;
  }
  bool any = false;
  return Canonical(Tree(values, active, 0, lanes, &any));
}

// Values whose sum depends on the order.
template <typename T>
void FillSummands(GuardedBuffer<T>& buffer, Random& random) {
  for (size_t i = 0; i < buffer.size(); ++i) {
    const double magnitude =
        std::ldexp(1.0 + random() % 1024 / 1024.0, static_cast<int>(random() % 10) - 5);
    buffer[i] = T(static_cast<float>(random() % 2 == 0 ? magnitude : -magnitude));
  }
}

template <typename T>
class ReduceTest : public VectorTest {
 protected:
  static constexpr uint32_t kLanes = 256 / sizeof(T);
  GuardedBuffer<T> src_{4096};
  GuardedBuffer<T> dst_{512};
  GuardedBuffer<T> work_{512};
  Random random_{11};

  std::vector<T> Before() { return {dst_.data(), dst_.data() + dst_.size()}; }
};

using Types = ::testing::Types<float, half>;
TYPED_TEST_SUITE(ReduceTest, Types);

TYPED_TEST(ReduceTest, CountFormOfReduceSumAddsRepeatsInOrder) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  for (uint32_t count = 1; count < 1500; count += count < 140 ? 1 : 97) {
    FillSummands(this->src_, this->random_);
    std::vector<T> expected = this->Before();
    T total = T(0.0f);
    for (uint32_t i = 0; i < count; i += kLanes) {
      const T sum = TreeOfFirst(this->src_.data() + i, std::min(kLanes, count - i), kLanes);
      total = i == 0 ? sum : RoundedTo<T>(ValueOf(total) + ValueOf(sum));
    }
    expected[3] = total;
    AscendC::ReduceSum(TensorOf(this->dst_)[3], TensorOf(this->src_), TensorOf(this->work_),
                       static_cast<int32_t>(count));
    ASSERT_TRUE(SameBits(this->dst_, expected)) << count;
    this->dst_[3] = T(-5.0f);
  }
}

TYPED_TEST(ReduceTest, MaskFormOfReduceSumIsATreeThroughout) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  for (const uint32_t repeats : {1u, 2u, 7u, 12u}) {
    for (const uint32_t mask : {kLanes, kLanes / 2 + 1}) {
      FillSummands(this->src_, this->random_);
      std::vector<T> sums(kLanes, T(0.0f));
      for (uint32_t r = 0; r < repeats; ++r)
        sums[r] = TreeOfFirst(this->src_.data() + r * kLanes, mask, kLanes);
      AscendC::ReduceSum(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(this->work_),
                         static_cast<int32_t>(mask), static_cast<int32_t>(repeats), 8);
      ASSERT_EQ(BitsAsInteger(this->dst_[0]),
                BitsAsInteger(TreeOfFirst(sums.data(), repeats, kLanes)));
    }
  }
}

TYPED_TEST(ReduceTest, MaskFormOfReduceSumBeyondOneRepeatOfSums) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  constexpr uint32_t kRepeats = kLanes + 9;  // their sums fill more than one repeat
  GuardedBuffer<T> src(size_t{kRepeats} * kLanes);
  GuardedBuffer<T> work(kRepeats);
  FillSummands(src, this->random_);
  std::vector<T> sums(kRepeats);
  for (uint32_t r = 0; r < kRepeats; ++r)
    sums[r] = TreeOfFirst(src.data() + r * kLanes, kLanes, kLanes);
  const std::vector<T> last = {TreeOfFirst(sums.data(), kLanes, kLanes),
                               TreeOfFirst(sums.data() + kLanes, 9, kLanes)};
  AscendC::ReduceSum(TensorOf(this->dst_), TensorOf(src), TensorOf(work),
                     static_cast<int32_t>(kLanes), static_cast<int32_t>(kRepeats), 8);
  EXPECT_EQ(BitsAsInteger(this->dst_[0]), BitsAsInteger(TreeOfFirst(last.data(), 2, kLanes)));
  EXPECT_TRUE(work.GuardsIntact());
}

TYPED_TEST(ReduceTest, WholeReduceSumOfEveryMask) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  for (uint32_t mask = 0; mask <= kLanes; ++mask) {
    FillSummands(this->src_, this->random_);
    std::vector<T> expected = this->Before();
    for (uint32_t r = 0; r < 6 && mask > 0; ++r) {
      expected[1 + 3 * r] = TreeOfFirst(this->src_.data() + r * kLanes, mask, kLanes);
    }
    AscendC::WholeReduceSum(TensorOf(this->dst_)[1], TensorOf(this->src_),
                            static_cast<int32_t>(mask), 6, 3, 1, 8);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << mask;
  }
}

TYPED_TEST(ReduceTest, SumsOfBlocksPairsAndRepeatsUnderBitsAndStrides) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  constexpr uint32_t kBlock = 32 / sizeof(T);
  for (int round = 0; round < 20; ++round) {
    FillAny(this->src_, this->random_);
    uint64_t bits[2] = {this->random_(), kLanes > 64 ? this->random_() : 0};
    if (round % 3 == 0) bits[0] &= ~0xFFFFull;  // empty blocks
    if (round == 1) bits[0] = bits[1] = 0;
    std::vector<std::vector<T>> rows;
    std::vector<bool> active(kLanes);
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      active[lane] = ((bits[lane / 64] >> (lane % 64)) & 1) != 0;
    for (uint32_t r = 0; r < 3; ++r) {
      std::vector<T> row(kLanes);
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        row[lane] = this->src_[ElementIndex<T>(r, lane, {2, 17})];
      rows.push_back(row);
    }
    const auto sum = [&](uint32_t r, uint32_t begin, uint32_t width, T old) {
      bool any = false;
      const T total = Tree(rows[r], active, begin, width, &any);
      return any ? Canonical(total) : old;
    };
    std::vector<T> expected = this->Before();
    for (uint32_t r = 0; r < 3; ++r) expected[r] = sum(r, 0, kLanes, expected[r]);
    AscendC::ReduceRepeat<ReduceType::SUM>(TensorOf(this->dst_), TensorOf(this->src_), bits, 3, 1,
                                           2, 17);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "repeats";
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t b = 0; b < 8; ++b)
        expected[r * 16 + b] = sum(r, b * kBlock, kBlock, expected[r * 16 + b]);
    }
    AscendC::BlockReduceSum(TensorOf(this->dst_), TensorOf(this->src_), 3, bits, 2, 2, 17);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "blocks";
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t p = 0; p < kLanes / 2; ++p)
        expected[r * kLanes / 2 + p] = sum(r, 2 * p, 2, expected[r * kLanes / 2 + p]);
    }
    AscendC::PairReduceSum(TensorOf(this->dst_), TensorOf(this->src_), 3, bits, 1, 2, 17);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "pairs";
  }
}

// Index of the winner; NaN wins, then the order with -0 < +0.
template <typename T>
size_t Winner(const std::vector<T>& values, const std::vector<bool>& active, size_t begin,
              size_t end, bool max) {
  const auto beats = [max](double a, double b) {
    if (b != b) return false;
    if (a != a) return true;
    if (a == b)
      return max ? !std::signbit(a) && std::signbit(b) : std::signbit(a) && !std::signbit(b);
    return max ? a > b : a < b;
  };
  size_t best = end;
  for (size_t i = begin; i < end; ++i) {
    if (active[i] && (best == end || beats(ValueOf(values[i]), ValueOf(values[best])))) best = i;
  }
  return best;
}

template <typename T>
T IndexBits(size_t index) {
  T value;
  const uint64_t bits = index;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TYPED_TEST(ReduceTest, ExtremesOfACountAndTheirFirstIndex) {
  using T = TypeParam;
  for (const uint32_t count : {1u, 2u, 63u, 64u, 100u, 129u, 1000u, 4001u}) {
    for (int round = 0; round < 4; ++round) {
      if (round < 2) {
        FillAny(this->src_, this->random_);
      } else {
        FillSummands(this->src_, this->random_);
      }
      const std::vector<T> values(this->src_.data(), this->src_.data() + count);
      const std::vector<bool> active(count, true);
      for (const bool max : {true, false}) {
        const size_t best = Winner(values, active, 0, count, max);
        std::vector<T> expected = this->Before();
        expected[0] = Canonical(values[best]);
        if (round % 2 == 0) expected[1] = IndexBits<T>(best);
        const auto n = static_cast<int32_t>(count);
        if (max) {
          AscendC::ReduceMax(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(this->work_), n,
                             round % 2 == 0);
        } else {
          AscendC::ReduceMin(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(this->work_), n,
                             round % 2 == 0);
        }
        ASSERT_TRUE(SameBits(this->dst_, expected)) << count << (max ? " max" : " min");
      }
    }
  }
}

TYPED_TEST(ReduceTest, ExtremesOfRepeatsAndBlocksUnderMasks) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  constexpr uint32_t kBlock = 32 / sizeof(T);
  for (int round = 0; round < 10; ++round) {
    FillAny(this->src_, this->random_);
    const uint64_t bits[2] = {this->random_() & ~0xFFull, kLanes > 64 ? this->random_() : 0};
    std::vector<bool> active(kLanes);
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      active[lane] = ((bits[lane / 64] >> (lane % 64)) & 1) != 0;
    std::vector<T> expected = this->Before();
    for (uint32_t r = 0; r < 4; ++r) {
      const std::vector<T> row(this->src_.data() + r * kLanes,
                               this->src_.data() + (r + 1) * kLanes);
      const size_t best = Winner(row, active, 0, kLanes, true);
      if (best == kLanes) continue;
      expected[4 * r] = Canonical(row[best]);
      expected[4 * r + 1] = IndexBits<T>(best);
    }
    AscendC::WholeReduceMax(TensorOf(this->dst_), TensorOf(this->src_), bits, 4, 2, 1, 8);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "values and indices";
    for (uint32_t r = 0; r < 4; ++r) {
      const std::vector<T> row(this->src_.data() + r * kLanes,
                               this->src_.data() + (r + 1) * kLanes);
      const size_t best = Winner(row, active, 0, kLanes, false);
      if (best != kLanes) expected[r] = Canonical(row[best]);
    }
    AscendC::WholeReduceMin(TensorOf(this->dst_), TensorOf(this->src_), bits, 4, 1, 1, 8,
                            ReduceOrder::ORDER_ONLY_VALUE);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "values alone";
    for (uint32_t r = 0; r < 4; ++r) {
      const std::vector<T> row(this->src_.data() + r * kLanes,
                               this->src_.data() + (r + 1) * kLanes);
      for (uint32_t b = 0; b < 8; ++b) {
        const size_t best = Winner(row, active, b * kBlock, (b + 1) * kBlock, true);
        if (best != (b + 1) * kBlock) expected[8 * r + b] = Canonical(row[best]);
      }
    }
    AscendC::ReduceDataBlock<ReduceType::MAX>(TensorOf(this->dst_), TensorOf(this->src_), bits, 4,
                                              1, 1, 8);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << "blocks";
  }
}

TYPED_TEST(ReduceTest, IndexAloneTakesFourBytesAndIndexFirstSwaps) {
  using T = TypeParam;
  constexpr uint32_t kLanes = 256 / sizeof(T);
  FillSummands(this->src_, this->random_);
  this->src_[kLanes - 2] = T(1000.0f);
  this->src_[kLanes + 5] = T(1000.0f);
  AscendC::WholeReduceMax(TensorOf(this->dst_), TensorOf(this->src_), static_cast<int32_t>(kLanes),
                          2, 1, 1, 8, ReduceOrder::ORDER_ONLY_INDEX);
  uint32_t indices[2];
  std::memcpy(indices, this->dst_.data(), sizeof(indices));
  EXPECT_EQ(indices[0], kLanes - 2);
  EXPECT_EQ(indices[1], 5u);
  AscendC::WholeReduceMax(TensorOf(this->dst_), TensorOf(this->src_), static_cast<int32_t>(kLanes),
                          2, 1, 1, 8, ReduceOrder::ORDER_INDEX_VALUE);
  EXPECT_EQ(BitsAsInteger(this->dst_[2]), 5u);
  EXPECT_EQ(ValueOf(this->dst_[3]), 1000.0);
}

TYPED_TEST(ReduceTest, NothingToReduceWritesNothing) {
  using T = TypeParam;
  const std::vector<T> expected = this->Before();
  const auto dst = TensorOf(this->dst_);
  const auto src = TensorOf(this->src_);
  const auto work = TensorOf(this->work_);
  AscendC::ReduceSum(dst, src, work, 0);
  AscendC::ReduceSum(dst, src, work, 64, 0, 8);
  AscendC::ReduceMax(dst, src, work, 0, true);
  AscendC::ReduceMin(dst, src, work, 0, 3, 8, true);
  AscendC::WholeReduceSum(dst, src, 0, 3, 1, 1, 8);
  AscendC::WholeReduceMax(dst, src, 64, 0, 1, 1, 8);
  AscendC::RepeatReduceSum(dst, src, 0, 64, 0, 1, 1, 8);
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(ReduceTest, SumOfNegativeZerosIsNegativeZero) {
  using T = TypeParam;
  for (size_t i = 0; i < this->src_.size(); ++i) this->src_[i] = T(-0.0f);
  AscendC::ReduceSum(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(this->work_), 200);
  EXPECT_TRUE(std::signbit(ValueOf(this->dst_[0])));
}

}  // namespace
}  // namespace attnres::testing
