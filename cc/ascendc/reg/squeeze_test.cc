// Squeeze, Unsqueeze and the stores that follow a Squeeze, for every element type and tail length.
#include "cc/ascendc/reg/squeeze.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/rearrange.h"
#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegSqueezeTest : public VectorTest {};

using SqueezeTypes =
    ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>;
TYPED_TEST_SUITE(RegSqueezeTest, SqueezeTypes);

template <typename T>
std::vector<T> Kept(const Elements<T>& elements, const MaskBits& bits) {
  std::vector<T> kept;
  for (uint32_t i = 0; i < kLanes<T>; ++i) {
    if (bits.Active<T>(i)) kept.push_back(elements[i]);
  }
  return kept;
}

TYPED_TEST(RegSqueezeTest, BringsActiveElementsTogether) {
  using T = TypeParam;
  Random random{91};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> elements = AnyElements<T>(random);
    Elements<T> expected = {};
    const std::vector<T> kept = Kept(elements, bits);
    std::copy(kept.begin(), kept.end(), expected.begin());
    Reg::RegTensor<T> src = ToRegister(elements);
    Reg::RegTensor<T> dst;
    Reg::MaskReg mask = bits.Register();
    Reg::Squeeze(dst, src, mask);
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
    Reg::GatherMask(src, src, mask);
    ASSERT_TRUE(SameElements(FromRegister(src), expected)) << bits.name;
  }
}

TYPED_TEST(RegSqueezeTest, StoresFollowEachOther) {
  using T = TypeParam;
  Random random{92};
  GuardedBuffer<T> memory(5000, 4);
  std::vector<T> expected(memory.data(), memory.data() + memory.size());
  Reg::UnalignRegForStore unaligned;
  for (int round = 0; round < 2; ++round) {  // ClearSpr begins at the address again
    Reg::ClearSpr<AscendC::SpecialPurposeReg::AR>();
    size_t stored = 0;
    for (int i = 0; i < 6; ++i) {
      MaskBits bits;
      for (uint8_t& byte : bits.bytes) byte = static_cast<uint8_t>(random());
      const Elements<T> elements = AnyElements<T>(random);
      for (const T& element : Kept(elements, bits)) expected[stored++] = element;
      Reg::RegTensor<T> src = ToRegister(elements);
      Reg::RegTensor<T> dst;
      Reg::MaskReg mask = bits.Register();
      Reg::Squeeze<T, Reg::GatherMaskMode::STORE_REG>(dst, src, mask);
      Reg::StoreUnAlign(memory.data(), dst, unaligned);
    }
    Reg::StoreUnAlignPost(memory.data(), unaligned);
    ASSERT_TRUE(SameBits(memory, expected));
  }
  // NORMAL does not move on.
  Reg::ClearSpr<AscendC::SpecialPurposeReg::AR>();
  Reg::RegTensor<T> one;
  Reg::Duplicate(one, T(1));
  Reg::MaskReg two = Reg::CreateMask<T, Reg::MaskPattern::VL2>();
  Reg::Squeeze<T, Reg::GatherMaskMode::STORE_REG>(one, one, two);
  Reg::StoreUnAlign<T, Reg::PostLiteral::POST_MODE_NORMAL>(memory.data(), one, unaligned);
  Reg::StoreUnAlign(memory.data(), one, unaligned);
  expected[0] = expected[1] = T(1);
  EXPECT_TRUE(SameBits(memory, expected));
}

template <typename T>
class RegUnsqueezeTest : public ::testing::Test {};

using UnsqueezeTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t>;
TYPED_TEST_SUITE(RegUnsqueezeTest, UnsqueezeTypes);

TYPED_TEST(RegUnsqueezeTest, CountsActiveElementsBelow) {
  using T = TypeParam;
  Random random{93};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    Elements<T> expected;
    uint32_t below = 0;
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      expected[i] = static_cast<T>(below);
      below += bits.Active<T>(i) ? 1 : 0;
    }
    Reg::MaskReg mask = bits.Register();
    Reg::RegTensor<T> dst;
    Reg::Unsqueeze(dst, mask);
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
    Reg::RegTensor<T> old_name;
    Reg::PrefixSum(old_name, mask);
    ASSERT_TRUE(SameElements(FromRegister(old_name), expected)) << bits.name;
  }
}

}  // namespace
}  // namespace attnres::testing
