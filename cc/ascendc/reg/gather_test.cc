// Access by index, for every combination of types and tail length.
#include "cc/ascendc/reg/gather.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename D, typename S, typename I>
struct Combination {
  using Dst = D;
  using Src = S;
  using Index = I;
};

template <typename C>
class RegGatherTest : public ::testing::Test {};

using GatherCombinations = ::testing::Types<
    Combination<int16_t, int8_t, uint16_t>, Combination<int16_t, int16_t, uint16_t>,
    Combination<uint16_t, uint8_t, uint16_t>, Combination<uint16_t, uint16_t, uint16_t>,
    Combination<half, half, uint16_t>, Combination<bfloat16_t, bfloat16_t, uint16_t>,
    Combination<int32_t, int32_t, uint32_t>, Combination<uint32_t, uint32_t, uint32_t>,
    Combination<float, float, uint32_t>, Combination<int64_t, int64_t, uint32_t>,
    Combination<uint64_t, uint64_t, uint64_t>>;
TYPED_TEST_SUITE(RegGatherTest, GatherCombinations);

TYPED_TEST(RegGatherTest, FromMemory) {
  using D = typename TypeParam::Dst;
  using S = typename TypeParam::Src;
  using I = typename TypeParam::Index;
  constexpr uint32_t kPlaces = 1000;
  Random random{81};
  GuardedBuffer<S> memory(kPlaces);
  for (uint32_t i = 0; i < kPlaces; ++i) memory[i] = AnyValue<S>(random);
  for (const MaskBits& bits : InterestingMasks<D>(random)) {
    Elements<I> places;
    for (I& place : places) place = static_cast<I>(random() % kPlaces);
    Elements<D> expected = {};
    for (uint32_t i = 0; i < kLanes<D>; ++i) {
      if (!bits.Active<D>(i)) {
        places[i] = static_cast<I>(~I(0));  // never looked at
        continue;
      }
      const uint64_t element = BitsAsInteger(memory[places[i]]);
      std::memcpy(&expected[i], &element, sizeof(D));
    }
    Reg::RegTensor<I> index = ToRegister(places);
    Reg::MaskReg mask = bits.Register();
    Reg::RegTensor<D> dst;
    Reg::Gather(dst, memory.data(), index, mask);
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
    Reg::DataCopyGather<D>(dst, memory.data(), index, mask);
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
  }
}

TYPED_TEST(RegGatherTest, ScatterIsTheInverse) {
  using T = typename TypeParam::Dst;
  using I = typename TypeParam::Index;
  Random random{82};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> elements = AnyElements<T>(random);
    Elements<I> places;
    for (uint32_t i = 0; i < places.size(); ++i) places[i] = static_cast<I>(i * 5 % 257);
    GuardedBuffer<T> memory(257);
    std::vector<T> expected(memory.data(), memory.data() + memory.size());
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      if (bits.Active<T>(i)) expected[places[i]] = elements[i];
    }
    Reg::RegTensor<T> src = ToRegister(elements);
    Reg::RegTensor<I> index = ToRegister(places);
    Reg::MaskReg mask = bits.Register();
    Reg::Scatter(memory.data(), src, index, mask);
    ASSERT_TRUE(SameBits(memory, expected)) << bits.name;
    Reg::DataCopyScatter<T, I>(memory.data(), src, index, mask);
    ASSERT_TRUE(SameBits(memory, expected)) << bits.name;
  }
}

TEST(RegScatterTest, OfEveryOtherByte) {
  Random random{83};
  const Elements<uint8_t> elements = AnyElements<uint8_t>(random);
  Elements<uint16_t> places;
  for (uint32_t i = 0; i < 128; ++i) places[i] = static_cast<uint16_t>(127 - i);
  Reg::RegTensor<uint8_t> src = ToRegister(elements);
  Reg::RegTensor<uint16_t> index = ToRegister(places);
  Reg::MaskReg mask = LeadingBits<uint16_t>(100).Register();
  GuardedBuffer<uint8_t> memory(128);
  std::vector<uint8_t> expected(128, 0xFF);
  for (uint32_t i = 0; i < 100; ++i) expected[127 - i] = elements[2 * i];
  Reg::Scatter(memory.data(), src, index, mask);
  EXPECT_TRUE(SameBits(memory, expected));
}

template <typename T>
class RegPermuteTest : public ::testing::Test {};

using PermuteTypes = ::testing::Types<int8_t, half, float>;
TYPED_TEST_SUITE(RegPermuteTest, PermuteTypes);

TYPED_TEST(RegPermuteTest, GatherWithinARegisterTakesIndicesModuloItsElements) {
  using T = TypeParam;
  using I = AscendC::twin::Bits<T>;
  Random random{84};
  const Elements<T> elements = AnyElements<T>(random);
  const Elements<I> places = AnyElements<I>(random);
  Reg::RegTensor<T> src = ToRegister(elements);
  Reg::RegTensor<I> index = ToRegister(places);
  Reg::RegTensor<T> dst;
  Reg::Gather(dst, src, index);
  Elements<T> expected;
  for (uint32_t i = 0; i < kLanes<T>; ++i) expected[i] = elements[places[i] % kLanes<T>];
  EXPECT_TRUE(SameElements(FromRegister(dst), expected));
}

TEST(RegGatherBTest, TakesBlocksByByteOffset) {
  Random random{85};
  GuardedBuffer<half> memory(1024);
  for (size_t i = 0; i < memory.size(); ++i) memory[i] = AnyValue<half>(random);
  Elements<uint32_t> offsets = {};
  for (uint32_t i = 0; i < 8; ++i) offsets[i] = 32 * static_cast<uint32_t>(random() % 64);
  offsets[5] = 0xFFFFFFF0u;  // its block has no active element
  MaskBits bits = LeadingBits<half>(5 * 16 - 3);
  bits.Set(2 * (7 * 16 + 15));
  bits.Set(2 * (6 * 16));
  Reg::RegTensor<uint32_t> index = ToRegister(offsets);
  Reg::MaskReg mask = bits.Register();
  Reg::RegTensor<half> dst;
  Reg::GatherB(dst, memory.data(), index, mask);
  Elements<half> expected;
  for (uint32_t i = 0; i < 128; ++i) {
    expected[i] = i / 16 == 5 ? half::FromBits(0) : memory[offsets[i / 16] / 2 + i % 16];
  }
  EXPECT_TRUE(SameElements(FromRegister(dst), expected));
  Reg::DataCopyGatherB(dst, memory.data(), index, mask);
  EXPECT_TRUE(SameElements(FromRegister(dst), expected));
}

}  // namespace
}  // namespace attnres::testing
