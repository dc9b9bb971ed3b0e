// Masks from patterns and counts, and their combinations, bit by bit.
#include "cc/ascendc/reg/mask.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using Reg::MaskPattern;

template <typename T>
class RegMaskTest : public ::testing::Test {
 protected:
  // The mask of the elements for which `active` holds: their lowest bits only.
  template <typename Active>
  static std::array<uint8_t, 32> Where(Active active) {
    MaskBits bits;
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      if (active(i)) bits.Set(i * static_cast<uint32_t>(sizeof(T)));
    }
    return bits.bytes;
  }

  template <MaskPattern kPattern>
  static std::array<uint8_t, 32> Pattern() {
    return FromMask(Reg::CreateMask<T, kPattern>()).bytes;
  }

  template <MaskPattern kPattern>
  static void ExpectLeading(uint32_t count) {
    EXPECT_EQ(Pattern<kPattern>(), Where([count](uint32_t i) { return i < count; })) << count;
  }
};

using MaskTypes = ::testing::Types<uint8_t, half, float, int64_t>;
TYPED_TEST_SUITE(RegMaskTest, MaskTypes);

TYPED_TEST(RegMaskTest, CreateMaskOfAPattern) {
  using T = TypeParam;
  this->template ExpectLeading<MaskPattern::ALL>(kLanes<T>);
  this->template ExpectLeading<MaskPattern::ALLF>(0);
  this->template ExpectLeading<MaskPattern::VL1>(1);
  this->template ExpectLeading<MaskPattern::VL2>(2);
  this->template ExpectLeading<MaskPattern::VL3>(3);
  this->template ExpectLeading<MaskPattern::VL4>(4);
  this->template ExpectLeading<MaskPattern::VL8>(8);
  this->template ExpectLeading<MaskPattern::VL16>(16);
  this->template ExpectLeading<MaskPattern::VL32>(32);
  this->template ExpectLeading<MaskPattern::VL64>(64);
  this->template ExpectLeading<MaskPattern::VL128>(128);
  this->template ExpectLeading<MaskPattern::H>(kLanes<T> / 2);
  this->template ExpectLeading<MaskPattern::Q>(kLanes<T> / 4);
  EXPECT_EQ(this->template Pattern<MaskPattern::M3>(),
            this->Where([](uint32_t i) { return i % 3 == 0; }));
  EXPECT_EQ(this->template Pattern<MaskPattern::M4>(),
            this->Where([](uint32_t i) { return i % 4 == 0; }));
  EXPECT_EQ(FromMask(Reg::CreateMask<T>()).bytes, this->Where([](uint32_t) { return true; }));
}

TYPED_TEST(RegMaskTest, UpdateMaskTakesARegisterOfTheCount) {
  using T = TypeParam;
  for (const uint32_t count : {0u, 1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 128u, 129u, 255u,
                               256u, 257u, 1000u, 0xFFFFFFFFu}) {
    uint32_t left = count;
    const Reg::MaskReg mask = Reg::UpdateMask<T>(left);
    EXPECT_EQ(FromMask(mask).bytes, this->Where([count](uint32_t i) { return i < count; }))
        << count;
    EXPECT_EQ(left, count < kLanes<T> ? 0 : count - kLanes<T>) << count;
  }
}

TYPED_TEST(RegMaskTest, InterleaveByElementsAndBack) {
  using T = TypeParam;
  constexpr uint32_t kGroup = sizeof(T);
  Random random{41};
  MaskBits a;
  MaskBits b;
  for (uint8_t& byte : a.bytes) byte = static_cast<uint8_t>(random());
  for (uint8_t& byte : b.bytes) byte = static_cast<uint8_t>(random());
  MaskBits low;
  MaskBits high;
  for (uint32_t i = 0; i < 256; ++i) {
    const uint32_t group = i / kGroup;
    const MaskBits& from = group % 2 == 0 ? a : b;
    const uint32_t bit = group / 2 * kGroup + i % kGroup;
    if (from.Bit(bit)) low.Set(i);
    if (from.Bit(128 + bit)) high.Set(i);
  }
  Reg::MaskReg first = a.Register();
  Reg::MaskReg second = b.Register();
  Reg::Interleave<T>(first, second, first, second);
  EXPECT_EQ(FromMask(first).bytes, low.bytes);
  EXPECT_EQ(FromMask(second).bytes, high.bytes);
  Reg::DeInterleave<T>(first, second, first, second);
  EXPECT_EQ(FromMask(first).bytes, a.bytes);
  EXPECT_EQ(FromMask(second).bytes, b.bytes);
  Reg::MaskInterleave<T>(first, second, first, second);
  EXPECT_EQ(FromMask(first).bytes, low.bytes);
  Reg::MaskDeInterleave<T>(first, second, first, second);
  EXPECT_EQ(FromMask(first).bytes, a.bytes);
}

class RegMaskBitsTest : public ::testing::Test {
 protected:
  RegMaskBitsTest() {
    Random random{42};
    for (MaskBits* bits : {&a_, &b_, &m_}) {
      for (uint8_t& byte : bits->bytes) byte = static_cast<uint8_t>(random());
    }
  }

  template <typename Op>
  std::array<uint8_t, 32> ByteWise(Op op) const {
    std::array<uint8_t, 32> result;
    for (size_t i = 0; i < 32; ++i) {
      result[i] = static_cast<uint8_t>(op(a_.bytes[i], b_.bytes[i], m_.bytes[i]));
    }
    return result;
  }

  // The result of an instruction, and that of its old name.
  template <typename Run, typename Old, typename Op>
  void Check(Run run, Old old, Op op) {
    Reg::MaskReg a = a_.Register();
    Reg::MaskReg b = b_.Register();
    Reg::MaskReg m = m_.Register();
    Reg::MaskReg dst;
    run(dst, a, b, m);
    EXPECT_EQ(FromMask(dst).bytes, ByteWise(op));
    old(a, a, b, m);  // in place
    EXPECT_EQ(FromMask(a).bytes, ByteWise(op));
  }

  MaskBits a_;
  MaskBits b_;
  MaskBits m_;
};

TEST_F(RegMaskBitsTest, LogicWithinTheMask) {
  Check([](auto& d, auto& a, auto&, auto& m) { Reg::Not(d, a, m); },
        [](auto& d, auto& a, auto&, auto& m) { Reg::MaskNot(d, a, m); },
        [](int a, int, int m) { return ~a & m; });
  Check([](auto& d, auto& a, auto& b, auto& m) { Reg::And(d, a, b, m); },
        [](auto& d, auto& a, auto& b, auto& m) { Reg::MaskAnd(d, a, b, m); },
        [](int a, int b, int m) { return a & b & m; });
  Check([](auto& d, auto& a, auto& b, auto& m) { Reg::Or(d, a, b, m); },
        [](auto& d, auto& a, auto& b, auto& m) { Reg::MaskOr(d, a, b, m); },
        [](int a, int b, int m) { return (a | b) & m; });
  Check([](auto& d, auto& a, auto& b, auto& m) { Reg::Xor(d, a, b, m); },
        [](auto& d, auto& a, auto& b, auto& m) { Reg::MaskXor(d, a, b, m); },
        [](int a, int b, int m) { return (a ^ b) & m; });
  Check([](auto& d, auto& a, auto&, auto& m) { Reg::Move(d, a, m); },
        [](auto& d, auto& a, auto&, auto& m) { Reg::MaskMov(d, a, m); },
        [](int a, int, int m) { return a & m; });
  Check([](auto& d, auto& a, auto&, auto&) { Reg::Move(d, a); },
        [](auto& d, auto& a, auto&, auto&) { Reg::MaskMov(d, a); },
        [](int a, int, int) { return a; });
  Check([](auto& d, auto& a, auto& b, auto& m) { Reg::Select(d, a, b, m); },
        [](auto& d, auto& a, auto& b, auto& m) { Reg::MaskSel(d, a, b, m); },
        [](int a, int b, int m) { return (a & m) | (b & ~m); });
}

TEST_F(RegMaskBitsTest, PackTakesEvenBitsIntoAHalf) {
  MaskBits low;
  MaskBits high;
  for (uint32_t i = 0; i < 128; ++i) {
    if (!a_.Bit(2 * i)) continue;
    low.Set(i);
    high.Set(128 + i);
  }
  Reg::MaskReg src = a_.Register();
  Reg::MaskReg dst;
  Reg::Pack(dst, src);
  EXPECT_EQ(FromMask(dst).bytes, low.bytes);
  Reg::MaskPack<Reg::HighLowPart::HIGHEST>(dst, src);
  EXPECT_EQ(FromMask(dst).bytes, high.bytes);
}

TEST_F(RegMaskBitsTest, UnPackSpreadsAHalf) {
  MaskBits low;
  MaskBits high;
  for (uint32_t i = 0; i < 128; ++i) {
    if (a_.Bit(i)) low.Set(2 * i);
    if (a_.Bit(128 + i)) high.Set(2 * i);
  }
  Reg::MaskReg src = a_.Register();
  Reg::MaskReg dst;
  Reg::MaskUnPack(dst, src);
  EXPECT_EQ(FromMask(dst).bytes, low.bytes);
  Reg::UnPack<Reg::HighLowPart::HIGHEST>(dst, src);
  EXPECT_EQ(FromMask(dst).bytes, high.bytes);
}

// A mask for elements of one size selects among those of another by the bits at their places.
TEST_F(RegMaskBitsTest, AFullMaskOfNarrowElementsIsOneOfWide) {
  const MaskBits narrow = FromMask(Reg::CreateMask<half>());
  const MaskBits wide = FromMask(Reg::CreateMask<float>());
  for (uint32_t i = 0; i < kLanes<float>; ++i) EXPECT_TRUE(narrow.Active<float>(i));
  for (uint32_t i = 0; i < kLanes<half>; ++i) EXPECT_EQ(wide.Active<half>(i), i % 2 == 0);
}

}  // namespace
}  // namespace attnres::testing
