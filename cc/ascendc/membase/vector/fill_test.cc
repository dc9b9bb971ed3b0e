// Duplicate, Brcb and CreateVecIndex for every type, with masks and strides.
#include "cc/ascendc/membase/vector/fill.h"

#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class FillTest : public VectorTest {
 protected:
  static constexpr uint32_t kLanes = 256 / sizeof(T);
  GuardedBuffer<T> dst_{2048};
  std::vector<T> Before() { return {dst_.data(), dst_.data() + dst_.size()}; }
};

using Types = ::testing::Types<int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;
TYPED_TEST_SUITE(FillTest, Types);

TYPED_TEST(FillTest, DuplicateWritesExactlyCountElements) {
  using T = TypeParam;
  for (int32_t count = 0; count <= 300; count += count < 130 ? 1 : 17) {
    std::vector<T> expected = this->Before();
    const T value = static_cast<T>(static_cast<float>(count % 7 + 1));
    for (int32_t i = 0; i < count; ++i) expected[i] = value;
    AscendC::Duplicate(TensorOf(this->dst_), value, count);
    ASSERT_TRUE(SameBits(this->dst_, expected)) << count;
  }
}

TYPED_TEST(FillTest, DuplicateUnderMasksAndStrides) {
  using T = TypeParam;
  Random random(3);
  for (const RepeatCall& call : InterestingCalls(this->kLanes, 1, random)) {
    std::vector<T> expected = this->Before();
    const T value = static_cast<T>(5.0f);
    for (uint32_t r = 0; r < call.repeats; ++r) {
      for (uint32_t lane = 0; lane < this->kLanes; ++lane) {
        if (call.Active(lane)) expected[ElementIndex<T>(r, lane, call.dst)] = value;
      }
    }
    std::vector<uint64_t> bits = call.mask_bits;
    const auto repeats = static_cast<uint8_t>(call.repeats);
    const auto block = static_cast<uint16_t>(call.dst.block);
    const auto stride = static_cast<uint8_t>(call.dst.repeat);
    if (bits.empty()) {
      AscendC::Duplicate(TensorOf(this->dst_), value, call.mask_count, repeats, block, stride);
    } else {
      AscendC::Duplicate(TensorOf(this->dst_), value, bits.data(), repeats, block, stride);
    }
    ASSERT_TRUE(SameBits(this->dst_, expected)) << call.name;
    AscendC::Duplicate(TensorOf(this->dst_), static_cast<T>(1.0f), 2048);
  }
}

TYPED_TEST(FillTest, BrcbFillsOneDataBlockPerElement) {
  using T = TypeParam;
  constexpr uint32_t kBlock = 32 / sizeof(T);
  GuardedBuffer<T> src(24);
  for (size_t i = 0; i < src.size(); ++i) src[i] = static_cast<T>(static_cast<float>(i + 1));
  std::vector<T> expected = this->Before();
  for (uint32_t i = 0; i < 24; ++i) {
    for (uint32_t lane = 0; lane < kBlock; ++lane)
      expected[(i / 8 * 20 + i % 8 * 2) * kBlock + lane] = src[i];
  }
  AscendC::Brcb(TensorOf(this->dst_), TensorOf(src), 3, AscendC::BrcbRepeatParams(2, 20));
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

template <typename T>
class CreateVecIndexTest : public FillTest<T> {};
using IndexTypes = ::testing::Types<int16_t, half, int32_t, float>;
TYPED_TEST_SUITE(CreateVecIndexTest, IndexTypes);

TYPED_TEST(CreateVecIndexTest, CountsUpFromTheFirstValue) {
  using T = TypeParam;
  std::vector<T> expected = this->Before();
  for (int i = 0; i < 100; ++i) expected[i] = static_cast<T>(static_cast<float>(i - 7));
  AscendC::CreateVecIndex(TensorOf(this->dst_), static_cast<T>(-7.0f), 100u);
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TYPED_TEST(CreateVecIndexTest, MaskedLanesStillCount) {
  using T = TypeParam;
  std::vector<T> expected = this->Before();
  for (uint32_t r = 0; r < 2; ++r) {
    for (uint32_t lane = 0; lane < this->kLanes; lane += 2) {
      expected[ElementIndex<T>(r, lane, {1, 9})] =
          static_cast<T>(static_cast<float>(r * this->kLanes + lane + 3));
    }
  }
  uint64_t bits[2] = {0x5555555555555555ull, 0x5555555555555555ull};
  LocalTensor<T> dst = TensorOf(this->dst_);
  AscendC::CreateVecIndex(dst, static_cast<T>(3.0f), bits, 2, 1, 9);
  EXPECT_TRUE(SameBits(this->dst_, expected));
}

TEST(DuplicateTest, KeepsThePayloadOfANan) {
  GuardedBuffer<float> dst(8);
  AscendC::Duplicate(TensorOf(dst), AscendC::float_bits::ToFloat(0xFFC12345u), 8);
  EXPECT_EQ(BitsAsInteger(dst[7]), 0xFFC12345u);
}

}  // namespace
}  // namespace attnres::testing
