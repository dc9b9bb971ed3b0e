// The law of NaNs: what an instruction computes has the twin's NaN for whoever can see it, what
// only moved keeps its bits. Values come through functions that are not inlined too, where the
// register's flag is memory.
#include "cc/ascendc/reg/registers.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/binary.h"
#include "cc/ascendc/reg/compare.h"
#include "cc/ascendc/reg/logic.h"
#include "cc/ascendc/reg/rearrange.h"
#include "cc/ascendc/reg/test_support.h"
#include "cc/ascendc/reg/unary.h"

namespace attnres::testing {
namespace {

constexpr uint32_t kPayload = 0xFFC12345;  // a negative quiet NaN
constexpr uint32_t kCanonical = 0x7FC00000;

float FromBits(uint32_t bits) { return AscendC::float_bits::ToFloat(bits); }
uint32_t ToBits(float value) { return AscendC::float_bits::FromFloat(value); }

class RegNanTest : public ::testing::Test {
 protected:
  RegNanTest() {
    Elements<float> nans;
    nans.fill(FromBits(kPayload));
    moved_ = ToRegister(nans);
    Reg::Add(computed_, moved_, moved_, all_);
  }

  uint32_t Stored(Reg::RegTensor<float>& source, uint32_t lane = 9) {
    return ToBits(FromRegister(source)[lane]);
  }

  Reg::MaskReg all_ = Reg::CreateMask<float>();
  Reg::MaskReg low_ = Reg::CreateMask<float, Reg::MaskPattern::H>();
  Reg::RegTensor<float> moved_;     // loaded NaNs
  Reg::RegTensor<float> computed_;  // NaN results
};

TEST_F(RegNanTest, WhatMovesKeepsItsBits) {
  Reg::RegTensor<float> copy;
  Reg::Move(copy, moved_);
  EXPECT_EQ(Stored(copy), kPayload);
  Reg::RegTensor<float> first;
  Reg::RegTensor<float> second;
  Reg::Interleave(first, second, moved_, copy);
  EXPECT_EQ(Stored(first), kPayload);
}

TEST_F(RegNanTest, ResultsAreCanonicalWhenStored) { EXPECT_EQ(Stored(computed_), kCanonical); }

TEST_F(RegNanTest, ResultsAreCanonicalThroughAnIntegerView) {
  auto& view = reinterpret_cast<Reg::RegTensor<uint32_t>&>(computed_);
  Reg::RegTensor<uint32_t> zero;
  Reg::Duplicate(zero, 0u);
  Reg::RegTensor<uint32_t> sum;
  Reg::Add(sum, view, zero, all_);
  EXPECT_EQ(FromRegister(sum)[3], kCanonical);
  Reg::Or(sum, view, zero, all_);
  EXPECT_EQ(FromRegister(sum)[3], kCanonical);
}

TEST_F(RegNanTest, ResultsAreCanonicalForBitInstructions) {
  Reg::RegTensor<float> zero;
  Reg::Duplicate(zero, 0.0f);
  Reg::RegTensor<float> bits;
  Reg::Xor(bits, computed_, zero, all_);
  EXPECT_EQ(Stored(bits), kCanonical);
  Reg::Neg(bits, computed_, all_);  // arithmetic: a NaN has no sign to change
  EXPECT_EQ(Stored(bits), kCanonical);
}

TEST_F(RegNanTest, SelectingAmongBothKeepsEachOnesBits) {
  Reg::RegTensor<float> mixed;
  Reg::Select(mixed, computed_, moved_, low_);
  EXPECT_EQ(Stored(mixed, 3), kCanonical);
  EXPECT_EQ(Stored(mixed, 60), kPayload);
}

TEST_F(RegNanTest, MergingKeepsTheBitsOfWhatStays) {
  Reg::RegTensor<float> mixed;
  Reg::Move(mixed, moved_);
  Reg::Add<float, Reg::MaskMergeMode::MERGING>(mixed, computed_, computed_, low_);
  EXPECT_EQ(Stored(mixed, 3), kCanonical);
  EXPECT_EQ(Stored(mixed, 60), kPayload);
}

TEST_F(RegNanTest, AccumulatingInALoopGivesCanonicalNans) {
  Reg::RegTensor<float> sum;
  Reg::Duplicate(sum, 0.0f);
  for (uint16_t i = 0; i < 3; ++i) {
    Reg::Add(sum, sum, moved_, all_);
  }
  EXPECT_EQ(Stored(sum), kCanonical);
}

TEST(RegTensorTest, HasThePublicMembers) {
  static_assert(std::is_same_v<Reg::RegTensor<half>::ActualT, half>);
  static_assert(Reg::RegTensor<float>::REG_NUM == 1);
  static_assert(Reg::RegTensor<float, Reg::RegTraitNumOne>::trait.REG_NUM == 1);
  static_assert(sizeof(Reg::RegTensor<float>::RegType) == 256);
}

TEST(AddrRegTest, AddsIndexTimesStrideOfEachLoop) {
  EXPECT_EQ(Reg::CreateAddrReg<float>(3, 64).offset, 192u);
  EXPECT_EQ(Reg::CreateAddrReg<float>(3, 64, 2, 1000).offset, 2192u);
  EXPECT_EQ(Reg::CreateAddrReg<float>(3, 64, 2, 1000, 1, 5).offset, 2197u);
  EXPECT_EQ(Reg::CreateAddrReg<float>(3, 64, 2, 1000, 1, 5, 65535, 65536).offset, 4294903957u);
}

}  // namespace
}  // namespace attnres::testing
