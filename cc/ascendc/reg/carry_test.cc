// Arithmetic with carries and double-width products.
#include "cc/ascendc/reg/carry.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegCarryTest : public ::testing::Test {
 protected:
  struct Sum {
    uint32_t value;
    bool carry;
  };

  // run(carry, dst, a, b, carry in, mask) is compared with sum(a, b, carry in).
  template <typename Run, typename Exact>
  void Check(Run run, Exact exact) {
    Random random{13};
    for (const MaskBits& bits : InterestingMasks<T>(random)) {
      const Elements<T> a = AnyElements<T>(random);
      const Elements<T> b = AnyElements<T>(random);
      MaskBits in;
      for (uint8_t& byte : in.bytes) byte = static_cast<uint8_t>(random());
      Reg::RegTensor<T> src0 = ToRegister(a);
      Reg::RegTensor<T> src1 = ToRegister(b);
      Reg::RegTensor<T> dst;
      Reg::MaskReg carry_in = in.Register();
      Reg::MaskReg mask = bits.Register();
      Reg::MaskReg carry;
      run(carry, dst, src0, src1, carry_in, mask);
      Elements<T> expected = {};
      MaskBits expected_carry;
      for (uint32_t i = 0; i < kLanes<T>; ++i) {
        if (!bits.Active<T>(i)) continue;
        const Sum sum =
            exact(static_cast<uint32_t>(a[i]), static_cast<uint32_t>(b[i]), in.Active<T>(i));
        expected[i] = static_cast<T>(sum.value);
        if (sum.carry) expected_carry.Set(4 * i);
      }
      ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
      ASSERT_EQ(FromMask(carry).bytes, expected_carry.bytes) << bits.name;
    }
  }

  static Sum AddExactly(uint64_t a, uint64_t b, uint64_t c) {
    const uint64_t sum = a + b + c;
    return {static_cast<uint32_t>(sum), (sum >> 32) != 0};
  }
};

using CarryTypes = ::testing::Types<int32_t, uint32_t>;
TYPED_TEST_SUITE(RegCarryTest, CarryTypes);

TYPED_TEST(RegCarryTest, AddCarriesOut) {
  const auto exact = [](uint32_t a, uint32_t b, bool) { return TestFixture::AddExactly(a, b, 0); };
  this->Check([](auto& c, auto& d, auto& a, auto& b, auto&, auto& m) { Reg::Add(c, d, a, b, m); },
              exact);
  this->Check(
      [](auto& c, auto& d, auto& a, auto& b, auto&, auto& m) { Reg::AddCarryOut(c, d, a, b, m); },
      exact);
}

TYPED_TEST(RegCarryTest, AddCCarriesInAndOut) {
  const auto exact = [](uint32_t a, uint32_t b, bool in) {
    return TestFixture::AddExactly(a, b, in ? 1 : 0);
  };
  this->Check(
      [](auto& c, auto& d, auto& a, auto& b, auto& in, auto& m) { Reg::AddC(c, d, a, b, in, m); },
      exact);
  this->Check([](auto& c, auto& d, auto& a, auto& b, auto& in,
                 auto& m) { Reg::AddCarryOuts(c, d, a, b, in, m); },
              exact);
}

// The carry of a subtraction says that nothing was borrowed.
TYPED_TEST(RegCarryTest, SubCarriesOutUnlessItBorrows) {
  const auto exact = [](uint32_t a, uint32_t b, bool) {
    return typename TestFixture::Sum{a - b, a >= b};
  };
  this->Check([](auto& c, auto& d, auto& a, auto& b, auto&, auto& m) { Reg::Sub(c, d, a, b, m); },
              exact);
  this->Check(
      [](auto& c, auto& d, auto& a, auto& b, auto&, auto& m) { Reg::SubCarryOut(c, d, a, b, m); },
      exact);
}

TYPED_TEST(RegCarryTest, SubCContinuesASubtraction) {
  const auto exact = [](uint32_t a, uint32_t b, bool in) {
    const uint64_t borrow = in ? 0 : 1;
    return typename TestFixture::Sum{static_cast<uint32_t>(a - b - borrow), a >= b + borrow};
  };
  this->Check(
      [](auto& c, auto& d, auto& a, auto& b, auto& in, auto& m) { Reg::SubC(c, d, a, b, in, m); },
      exact);
  this->Check([](auto& c, auto& d, auto& a, auto& b, auto& in,
                 auto& m) { Reg::SubCarryOuts(c, d, a, b, in, m); },
              exact);
}

TYPED_TEST(RegCarryTest, MullGivesBothHalvesOfTheProduct) {
  using T = TypeParam;
  using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
  Random random{14};
  for (const MaskBits& bits : InterestingMasks<T>(random)) {
    const Elements<T> a = AnyElements<T>(random);
    const Elements<T> b = AnyElements<T>(random);
    Reg::RegTensor<T> src0 = ToRegister(a);
    Reg::RegTensor<T> src1 = ToRegister(b);
    Reg::RegTensor<T> low;
    Reg::RegTensor<T> high;
    Reg::MaskReg mask = bits.Register();
    Reg::Mull(low, high, src0, src1, mask);
    Elements<T> expected_low = {};
    Elements<T> expected_high = {};
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      if (!bits.Active<T>(i)) continue;
      const Wide product = Wide{a[i]} * Wide{b[i]};
      expected_low[i] = static_cast<T>(product);
      expected_high[i] = static_cast<T>(product >> 32);
    }
    ASSERT_TRUE(SameElements(FromRegister(low), expected_low)) << bits.name;
    ASSERT_TRUE(SameElements(FromRegister(high), expected_high)) << bits.name;
  }
}

}  // namespace
}  // namespace attnres::testing
