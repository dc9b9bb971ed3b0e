// How vector functions of an observed kernel become instructions: VF_CALL and asc_vf_call, which
// the observer may run later, __VEC_SCOPE__ and accesses outside either; and that their operations
// and barriers are told.
#include <gtest/gtest.h>

#include "cc/ascendc/reg/recording_observer.h"
#include "cc/ascendc/reg/reg.h"

namespace attnres::testing {
namespace {

namespace Reg = AscendC::Reg;

constexpr uint32_t kLoadLine = __LINE__ + 7;
template <typename T>
__simd_vf__ inline void DoubleVf(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count, uint16_t steps) {
  constexpr uint16_t kStep = AscendC::GetVecLen() / sizeof(T);
  for (uint16_t i = 0; i < steps; ++i) {
    Reg::MaskReg mask = Reg::UpdateMask<T>(count);
    Reg::RegTensor<T> value;
    Reg::LoadAlign(value, src + i * kStep);
    Reg::Add(value, value, value, mask);
    Reg::StoreAlign(dst + i * kStep, value, mask);
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
  }
}

__simd_vf__ inline void NothingVf() noexcept {}

std::vector<std::string> Whats(const std::vector<Told>& told) {
  std::vector<std::string> whats;
  for (const Told& one : told) whats.push_back(one.what);
  return whats;
}

using Strings = std::vector<std::string>;
const Strings kFunction = {"issue function VF_CALL", "load", "store", "barrier 0 1"};

class RegObservedCallTest : public ::testing::Test {
 protected:
  RegObservedCallTest() {
    for (uint32_t i = 0; i < 64; ++i) in_[i] = static_cast<float>(i);
  }
  void ExpectDoubled() const {
    for (uint32_t i = 0; i < 64; ++i) EXPECT_EQ(out_[i], 2.0f * static_cast<float>(i));
  }

  alignas(64) float in_[64];
  alignas(64) float out_[64] = {};
  RecordingObserver observer_;
};

TEST_F(RegObservedCallTest, VfCallIsAnInstructionAtItsPlace) {
  const uint32_t line = __LINE__ + 1;
  AscendC::VF_CALL<DoubleVf<float>>(out_, in_, 64u, uint16_t{1});
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(Whats(told), kFunction);
  EXPECT_EQ(told[0].line, line);
  EXPECT_NE(told[0].file.find("observed_call_test.cc"), std::string::npos);
  EXPECT_EQ(told[1].line, kLoadLine);
  EXPECT_EQ(told[1].address, reinterpret_cast<uint64_t>(in_));
  EXPECT_EQ(told[2].line, kLoadLine + 2);
  EXPECT_EQ(told[3].line, kLoadLine + 3);
  ExpectDoubled();
}

TEST_F(RegObservedCallTest, AscVfCallIsAnInstructionAtItsPlace) {
  const uint32_t line = __LINE__ + 1;
  asc_vf_call<DoubleVf<float>>(out_, in_, 64, 1);
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(Whats(told), kFunction);
  EXPECT_EQ(told[0].line, line);
  asc_vf_call<NothingVf>();
  EXPECT_EQ(Whats(observer_.Take()), Strings{"issue function VF_CALL"});
  ExpectDoubled();
}

// Also while another instruction is being issued, whose place must be there again afterwards.
TEST_F(RegObservedCallTest, RunsLaterWithItsArgumentsAndPlaces) {
  observer_.run_later = true;
  uint32_t count = 64;
  float* out = out_;
  asc_vf_call<DoubleVf<float>>(out, in_, count, 1);
  EXPECT_EQ(Whats(observer_.Take()), Strings{"issue function VF_CALL"});
  EXPECT_EQ(out_[1], 0.0f);
  count = 0;
  out = nullptr;
  {
    const AscendC::twin::AtPlace other(AscendC::twin::Place("other", 1, 1));
    observer_.RunLater();
    EXPECT_EQ(AscendC::twin::State().place.line, 1u);
  }
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(Whats(told), (Strings{"load", "store", "barrier 0 1"}));
  EXPECT_EQ(told[0].line, kLoadLine);
  ExpectDoubled();
}

TEST_F(RegObservedCallTest, ScopeIsAnInstructionUntilItsEnd) {
  Reg::RegTensor<float> value;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  const uint32_t line = __LINE__ + 1;
  __VEC_SCOPE__ {
    Reg::LoadAlign(value, in_);
    Reg::Add(value, value, value, mask);
    Reg::StoreAlign(out_, value, mask);
  }
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(Whats(told), (Strings{"issue block __VEC_SCOPE__", "load", "store", "end"}));
  EXPECT_EQ(told[0].line, line);
  EXPECT_EQ(told[2].line, line + 3);
  ExpectDoubled();
}

TEST_F(RegObservedCallTest, AccessOutsideIsAnInstructionOfItsOwn) {
  DoubleVf(out_, in_, 64, 1);
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(Whats(told), (Strings{"issue block LoadAlign", "load", "end", "issue block StoreAlign",
                                  "store", "end", "barrier 0 1"}));
  EXPECT_EQ(told[0].line, kLoadLine);
  EXPECT_EQ(told[1].line, kLoadLine);
  ExpectDoubled();
}

TEST_F(RegObservedCallTest, OperationsAreTold) {
  AscendC::VF_CALL<DoubleVf<float>>(out_, in_, 64u, uint16_t{1});
  EXPECT_EQ(observer_.TakeOperations(),
            (Strings{"UpdateMask 4", "LoadAlign 4", "Add 4", "StoreAlign 4", "LocalMemBar 0"}));
}

// One that another one is made of is not told: old names tell the new one once.
TEST_F(RegObservedCallTest, EveryOperationIsToldOnce) {
  Reg::RegTensor<half> narrow;
  Reg::RegTensor<float> wide;
  Reg::RegTensor<int32_t> integers;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Reg::MaskReg other;
  Reg::Duplicate(narrow, half(1.0f));
  Reg::Duplicate(integers, 1);
  constexpr static Reg::CastTrait kTrait = {Reg::RegLayout::ZERO, Reg::SatMode::NO_SAT,
                                            Reg::MaskMergeMode::ZEROING,
                                            AscendC::RoundMode::CAST_NONE};
  observer_.TakeOperations();
  Reg::Cast<float, half, kTrait>(wide, narrow, mask);
  Reg::FusedExpSub(wide, wide, wide, mask);
  Reg::Log(wide, wide, mask);
  Reg::ShiftLefts(integers, integers, 2, mask);
  Reg::ReduceSum(wide, wide, mask);
  Reg::PairReduceSum(wide, wide, mask);
  Reg::CompareScalar(other, wide, 1.0f, mask);
  Reg::MaskAnd(other, other, mask, mask);
  Reg::Select(wide, wide, wide, other);
  Reg::DataCopy(out_, wide, mask);
  EXPECT_EQ(observer_.TakeOperations(),
            (Strings{"Cast 4", "ExpSub 4", "Ln 4", "ShiftLeft 4", "Reduce 4", "PairReduceElem 4",
                     "Compares 4", "MaskAnd 1", "Select 4", "StoreAlign 4"}));
}

TEST_F(RegObservedCallTest, DeniedFunctionsLoadZerosAndStoreNothing) {
  out_[0] = 7.0f;
  observer_.deny = true;
  asc_vf_call<DoubleVf<float>>(out_, in_, 64, 1);
  EXPECT_EQ(out_[0], 7.0f);
  observer_.deny = false;
  Reg::RegTensor<float> value;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  __VEC_SCOPE__ {
    observer_.deny = true;
    Reg::LoadAlign(value, in_ + 1);
    observer_.deny = false;
    Reg::StoreAlign(out_, value, mask);
  }
  EXPECT_EQ(out_[0], 0.0f);
  EXPECT_EQ(out_[63], 0.0f);
}

TEST_F(RegObservedCallTest, ObserversNeedNotKnowBlocksOperationsAndBarriers) {
  observer_.RequireLittle();
  __VEC_SCOPE__ { DoubleVf(out_, in_, 64, 1); }
  EXPECT_EQ(Whats(observer_.Take()), (Strings{"issue block __VEC_SCOPE__", "load", "store"}));
  EXPECT_TRUE(observer_.TakeOperations().empty());
  ExpectDoubled();
}

TEST_F(RegObservedCallTest, WithoutAnObserverCallsRunAtOnce) {
  observer_.Disconnect();
  asc_vf_call<DoubleVf<float>>(out_, in_, 64, 1);
  EXPECT_TRUE(observer_.Take().empty());
  ExpectDoubled();
}

}  // namespace
}  // namespace attnres::testing
