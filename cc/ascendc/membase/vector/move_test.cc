// Copy, Gather, Gatherb, GatherMask and the transposing instructions.
#include "cc/ascendc/membase/vector/move.h"

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::CopyRepeatParams;
using AscendC::GatherMaskParams;

template <typename T>
class MoveTest : public VectorTest {
 protected:
  static constexpr uint32_t kLanes = 256 / sizeof(T);
  static constexpr uint32_t kBlock = 32 / sizeof(T);
  GuardedBuffer<T> src_{1024};
  GuardedBuffer<T> dst_{1024};
  Random random_{17};

  MoveTest() {
    FillAny(src_, random_);
    FillAny(dst_, random_);
  }
  std::vector<T> Before() { return {dst_.data(), dst_.data() + dst_.size()}; }
};

using Types = ::testing::Types<float, half, bfloat16_t, int16_t, uint32_t>;
TYPED_TEST_SUITE(MoveTest, Types);

TYPED_TEST(MoveTest, CopyUnderMasksAndStrides) {
  using T = TypeParam;
  uint64_t mask[2] = {this->random_(), this->random_()};
  std::vector<T> expected = this->Before();
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t lane = 0; lane < this->kLanes; ++lane) {
      if (((mask[lane / 64] >> (lane % 64)) & 1) == 0) continue;
      expected[ElementIndex<T>(r, lane, {2, 16})] = this->src_[ElementIndex<T>(r, lane, {1, 9})];
    }
  }
  AscendC::Copy(TensorOf(this->dst_), TensorOf(this->src_), mask, 3, CopyRepeatParams(2, 1, 16, 9));
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(MoveTest, CopyInCounterModeCountsEachRepeatInWholeBlocks) {
  using T = TypeParam;
  std::vector<T> expected = this->Before();
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t lane = 0; lane < 2 * this->kBlock; ++lane) {
      expected[ElementIndex<T>(r, lane, {1, 8})] = this->src_[ElementIndex<T>(r, lane, {1, 8})];
    }
  }
  AscendC::SetMaskCount();
  AscendC::Copy(TensorOf(this->dst_), TensorOf(this->src_), uint64_t{this->kBlock} + 1, 3,
                CopyRepeatParams(1, 1, 8, 8));
  AscendC::SetMaskNorm();
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(MoveTest, GatherTakesByteOffsets) {
  using T = TypeParam;
  GuardedBuffer<uint32_t> offsets(512);
  for (size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<uint32_t>(this->random_() % 900 * sizeof(T));
  std::vector<T> expected = this->Before();
  for (uint32_t i = 0; i < 101; ++i) expected[i] = this->src_[offsets[i] / sizeof(T) + 3];
  AscendC::Gather(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(offsets), 3 * sizeof(T),
                  101u);
  ASSERT_TRUE(SameBits(this->dst_, expected));
  for (uint32_t r = 0; r < 2; ++r) {
    for (uint32_t lane = 0; lane < 9; ++lane) {
      expected[ElementIndex<T>(r, lane, {1, 10})] =
          this->src_[offsets[r * this->kLanes + lane] / sizeof(T)];
    }
  }
  AscendC::Gather(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(offsets), 0, uint64_t{9}, 2,
                  10);
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(MoveTest, GatherbTakesDataBlocks) {
  using T = TypeParam;
  GuardedBuffer<uint32_t> offsets(16);
  for (size_t i = 0; i < offsets.size(); ++i)
    offsets[i] = static_cast<uint32_t>(this->random_() % 60 * 32);
  std::vector<T> expected = this->Before();
  for (uint32_t i = 0; i < 16; ++i) {
    for (uint32_t lane = 0; lane < this->kBlock; ++lane) {
      expected[(i / 8 * 9 + i % 8) * this->kBlock + lane] =
          this->src_[offsets[i] / sizeof(T) + lane];
    }
  }
  AscendC::Gatherb(TensorOf(this->dst_), TensorOf(this->src_), TensorOf(offsets), 2,
                   AscendC::GatherRepeatParams(0, 9));
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(MoveTest, GatherMaskWithFixedPatterns) {
  using T = TypeParam;
  const auto keeps = [](int pattern, uint32_t i) {
    const uint32_t every[] = {2, 2, 4, 4, 4, 4, 1};
    const uint32_t first[] = {0, 1, 0, 1, 2, 3, 0};
    return i % every[pattern - 1] == first[pattern - 1];
  };
  for (int pattern = 1; pattern <= 7; ++pattern) {
    std::vector<T> expected = this->Before();
    size_t kept = 0;
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t i = 0; i < this->kLanes; ++i) {
        if (keeps(pattern, i)) expected[kept++] = this->src_[ElementIndex<T>(r, i, {1, 9})];
      }
    }
    uint64_t count = 0;
    AscendC::GatherMask(TensorOf(this->dst_), TensorOf(this->src_), static_cast<uint8_t>(pattern),
                        false, 0, GatherMaskParams(1, 3, 9, 0), count);
    EXPECT_EQ(count, kept);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << pattern;
  }
  uint64_t count = 0;
  EXPECT_THROW(AscendC::GatherMask(TensorOf(this->dst_), TensorOf(this->src_), uint8_t{8}, false, 0,
                                   GatherMaskParams(1, 1, 8, 0), count),
               std::runtime_error);
}

TYPED_TEST(MoveTest, GatherMaskWithATensorOfBitsInPlace) {
  using T = TypeParam;
  using Pattern = AscendC::twin::Bits<T>;
  GuardedBuffer<Pattern> pattern(64);
  FillAny(pattern, this->random_);
  constexpr uint32_t kCount = 37;
  std::vector<T> expected(this->src_.data(), this->src_.data() + 1024);
  const std::vector<T> before = expected;
  size_t kept = 0;
  for (uint32_t r = 0; r < 2; ++r) {
    for (uint32_t i = 0; i < kCount; ++i) {
      const uint32_t bits = 8 * sizeof(Pattern);
      if (((pattern[i / bits] >> (i % bits)) & 1) != 0)
        expected[kept++] = before[ElementIndex<T>(r, i, {1, 8})];
    }
  }
  uint64_t count = 0;
  AscendC::GatherMask(TensorOf(this->src_), TensorOf(this->src_), TensorOf(pattern), true, kCount,
                      GatherMaskParams(1, 2, 8, 0), count);
  EXPECT_EQ(count, kept);
  EXPECT_TRUE(SameBits(this->src_, expected));
}

TYPED_TEST(MoveTest, TransDataTo5HdTransposesBlocks) {
  using T = TypeParam;
  LocalTensor<T> src[16];
  LocalTensor<T> dst[16];
  for (uint32_t i = 0; i < 16; ++i) {
    src[i] = TensorOf(this->src_)[i * 2 * this->kBlock];
    dst[i] = TensorOf(this->dst_)[i * 2 * this->kBlock];
  }
  std::vector<T> expected = this->Before();
  for (uint32_t column = 0; column < this->kBlock; ++column) {
    for (uint32_t row = 0; row < 16; ++row) {
      const uint32_t flat = column * 16 + row;
      expected[flat / this->kBlock * 2 * this->kBlock + flat % this->kBlock] =
          this->src_[row * 2 * this->kBlock + column];
    }
  }
  AscendC::TransDataTo5HD<T>(dst, src, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

class TransposeTest : public VectorTest {};

TEST_F(TransposeTest, SixteenBySixteenInPlace) {
  GuardedBuffer<half> matrix(256);
  std::vector<half> expected(256);
  for (uint32_t i = 0; i < 256; ++i) {
    matrix[i] = half(static_cast<float>(i));
    expected[i % 16 * 16 + i / 16] = matrix[i];
  }
  AscendC::Transpose(TensorOf(matrix), TensorOf(matrix));
  EXPECT_TRUE(SameBits(matrix, expected));
}

}  // namespace
}  // namespace attnres::testing
