// Compare, Compares and Select: every mode, bit order, NaN and signed zeros; the three selection
// modes with masks.
#include <cmath>

#include "cc/ascendc/membase/vector/compare.h"
#include "cc/ascendc/membase/vector/select.h"
#include "cc/ascendc/membase/vector/test_support.h"

namespace attnres::testing {
namespace {

using AscendC::BinaryRepeatParams;
using AscendC::CMPMODE;
using AscendC::SELMODE;
using AscendC::UnaryRepeatParams;

constexpr CMPMODE kModes[] = {CMPMODE::LT, CMPMODE::GT, CMPMODE::EQ,
                              CMPMODE::LE, CMPMODE::GE, CMPMODE::NE};

bool Holds(CMPMODE mode, double a, double b) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    default:
      return a != b;
  }
}

bool Bit(const std::vector<uint8_t>& bits, size_t i) { return ((bits[i / 8] >> (i % 8)) & 1) != 0; }
void SetBit(std::vector<uint8_t>* bits, size_t i, bool value) {
  (*bits)[i / 8] =
      static_cast<uint8_t>(((*bits)[i / 8] & ~(1 << (i % 8))) | (int{value} << (i % 8)));
}

template <typename T>
class CompareTest : public VectorTest {
 protected:
  static constexpr uint32_t kLanes = 256 / sizeof(T);
  GuardedBuffer<T> a_{1024};
  GuardedBuffer<T> b_{1024};
  GuardedBuffer<T> out_{1024};
  GuardedBuffer<uint8_t> bits_{256};
  Random random_{5};

  void Fill() {
    FillAny(a_, random_);
    FillAny(b_, random_);
    for (size_t i = 0; i < 1024; i += 3) b_[i] = a_[i];
  }
};

using Types = ::testing::Types<float, half>;
TYPED_TEST_SUITE(CompareTest, Types);

TYPED_TEST(CompareTest, CountFormSetsOneBitPerElementOfWholeRepeats) {
  for (const CMPMODE mode : kModes) {
    for (const uint32_t count : {this->kLanes, 5 * this->kLanes, 3 * this->kLanes + 9}) {
      this->Fill();
      const uint32_t whole = count / this->kLanes * this->kLanes;
      std::vector<uint8_t> expected(this->bits_.data(), this->bits_.data() + 256);
      std::vector<uint8_t> expected_scalar = expected;
      const TypeParam scalar = this->b_[0];
      for (uint32_t i = 0; i < whole; ++i) {
        SetBit(&expected, i, Holds(mode, ValueOf(this->a_[i]), ValueOf(this->b_[i])));
      }
      AscendC::Compare(TensorOf(this->bits_), TensorOf(this->a_), TensorOf(this->b_), mode, count);
      ASSERT_TRUE(SameBits(this->bits_, expected)) << static_cast<int>(mode);
      expected_scalar = expected;
      for (uint32_t i = 0; i < whole; ++i) {
        SetBit(&expected_scalar, i, Holds(mode, ValueOf(this->a_[i]), ValueOf(scalar)));
      }
      AscendC::CompareScalar(TensorOf(this->bits_), TensorOf(this->a_), scalar, mode, count);
      ASSERT_TRUE(SameBits(this->bits_, expected_scalar)) << static_cast<int>(mode);
    }
  }
}

TYPED_TEST(CompareTest, RepeatFormIgnoresTheMaskAndPacksItsBits) {
  using T = TypeParam;
  this->Fill();
  std::vector<uint8_t> expected(this->bits_.data(), this->bits_.data() + 256);
  for (uint32_t r = 0; r < 3; ++r) {
    for (uint32_t lane = 0; lane < this->kLanes; ++lane) {
      SetBit(&expected, r * this->kLanes + lane,
             ValueOf(this->a_[ElementIndex<T>(r, lane, {1, 9})]) <
                 ValueOf(this->b_[ElementIndex<T>(r, lane, {2, 0})]));
    }
  }
  AscendC::Compare(TensorOf(this->bits_), TensorOf(this->a_), TensorOf(this->b_), CMPMODE::LT,
                   uint64_t{3}, 3, BinaryRepeatParams(1, 1, 2, 8, 9, 0));
  EXPECT_TRUE(SameBits(this->bits_, expected));
}

TYPED_TEST(CompareTest, RegisterFormKeepsMaskedBits) {
  this->Fill();
  GuardedBuffer<uint64_t> ones(2);
  AscendC::SetCmpMask(TensorOf(ones));
  AscendC::Compare(TensorOf(this->a_), TensorOf(this->b_), CMPMODE::NE, uint64_t{20},
                   BinaryRepeatParams());
  GuardedBuffer<uint8_t> out(16);
  AscendC::GetCmpMask(TensorOf(out));
  std::vector<uint8_t> expected(16, 0xFF);
  for (uint32_t i = 0; i < 20; ++i)
    SetBit(&expected, i, ValueOf(this->a_[i]) != ValueOf(this->b_[i]));
  EXPECT_TRUE(SameBits(out, expected));
}

TYPED_TEST(CompareTest, SelectOfACount) {
  using T = TypeParam;
  for (const uint32_t count : {0u, 1u, 7u, 64u, 77u, 130u, 1000u}) {
    this->Fill();
    FillAny(this->bits_, this->random_);
    const std::vector<uint8_t> bits(this->bits_.data(), this->bits_.data() + 256);
    const T scalar = this->b_[5];
    for (const SELMODE mode : {SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_SCALAR_MODE,
                               SELMODE::VSEL_TENSOR_TENSOR_MODE}) {
      std::vector<T> expected(this->out_.data(), this->out_.data() + 1024);
      for (uint32_t i = 0; i < count; ++i) {
        const bool first = Bit(bits, mode == SELMODE::VSEL_CMPMASK_SPR ? i % this->kLanes : i);
        expected[i] = first                                      ? this->a_[i]
                      : mode == SELMODE::VSEL_TENSOR_SCALAR_MODE ? scalar
                                                                 : this->b_[i];
      }
      if (mode == SELMODE::VSEL_TENSOR_SCALAR_MODE) {
        AscendC::Select(TensorOf(this->out_), TensorOf(this->bits_), TensorOf(this->a_), scalar,
                        mode, count);
      } else {
        AscendC::Select(TensorOf(this->out_), TensorOf(this->bits_), TensorOf(this->a_),
                        TensorOf(this->b_), mode, count);
      }
      ASSERT_TRUE(SameBits(this->out_, expected)) << count << " mode " << static_cast<int>(mode);
    }
  }
}

TYPED_TEST(CompareTest, SelectUnderMasksKeepsTheRest) {
  using T = TypeParam;
  this->Fill();
  FillAny(this->bits_, this->random_);
  const std::vector<uint8_t> bits(this->bits_.data(), this->bits_.data() + 256);
  uint64_t mask[2] = {this->random_(), this->random_()};
  for (const SELMODE mode : {SELMODE::VSEL_CMPMASK_SPR, SELMODE::VSEL_TENSOR_TENSOR_MODE}) {
    std::vector<T> expected(this->out_.data(), this->out_.data() + 1024);
    for (uint32_t r = 0; r < 3; ++r) {
      for (uint32_t lane = 0; lane < this->kLanes; ++lane) {
        if (((mask[lane / 64] >> (lane % 64)) & 1) == 0) continue;
        const bool first =
            Bit(bits, mode == SELMODE::VSEL_CMPMASK_SPR ? lane : r * this->kLanes + lane);
        expected[ElementIndex<T>(r, lane, {1, 9})] =
            first ? this->a_[ElementIndex<T>(r, lane, {1, 8})]
                  : this->b_[ElementIndex<T>(r, lane, {1, 10})];
      }
    }
    AscendC::Select(TensorOf(this->out_), TensorOf(this->bits_), TensorOf(this->a_),
                    TensorOf(this->b_), mode, mask, 3, BinaryRepeatParams(1, 1, 1, 9, 8, 10));
    ASSERT_TRUE(SameBits(this->out_, expected)) << static_cast<int>(mode);
  }
}

class CompareInt32Test : public VectorTest {};

TEST_F(CompareInt32Test, HasOnlyEquality) {
  GuardedBuffer<int32_t> a(64);
  GuardedBuffer<int32_t> b(64);
  GuardedBuffer<uint8_t> bits(8);
  for (int32_t i = 0; i < 64; ++i) {
    a[i] = i;
    b[i] = i % 2 == 0 ? i : -1;
  }
  AscendC::Compare(TensorOf(bits), TensorOf(a), TensorOf(b), CMPMODE::EQ, 64u);
  EXPECT_TRUE(SameBits(bits, std::vector<uint8_t>(8, 0x55)));
  EXPECT_THROW(AscendC::Compare(TensorOf(bits), TensorOf(a), TensorOf(b), CMPMODE::LT, 64u),
               std::runtime_error);
}

}  // namespace
}  // namespace attnres::testing
