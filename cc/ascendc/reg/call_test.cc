// The ways to start a vector function, and the names around it.
#include "cc/ascendc/reg/call.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/binary.h"
#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
__simd_callee__ inline void AddStep(Reg::RegTensor<T>& sum, Reg::RegTensor<T>& value,
                                    Reg::MaskReg& mask) {
  Reg::Add(sum, value, value, mask);
}

template <typename T>
__simd_vf__ inline void DoubleVf(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count, uint16_t steps) {
  constexpr uint16_t kStep = AscendC::GetVecLen() / sizeof(T);
  for (uint16_t i = 0; i < steps; ++i) {
    Reg::MaskReg mask = Reg::UpdateMask<T>(count);
    Reg::RegTensor<T> value;
    Reg::RegTensor<T> sum;
    Reg::LoadAlign(value, src + i * kStep);
    AddStep(sum, value, mask);
    Reg::StoreAlign(dst + i * kStep, sum, mask);
    Reg::LocalMemBar<Reg::MemType::VEC_STORE, Reg::MemType::VEC_LOAD>();
  }
}

class RegCallTest : public ::testing::Test {
 protected:
  RegCallTest() {
    for (size_t i = 0; i < in_.size(); ++i) in_[i] = static_cast<float>(i);
  }
  ~RegCallTest() override {
    for (size_t i = 0; i < 100; ++i) EXPECT_EQ(out_[i], 2.0f * i);
    EXPECT_EQ(out_[100], 0.0f);
  }

  GuardedBuffer<float> in_{128};
  GuardedBuffer<float> out_{128, 0, 0};
};

TEST_F(RegCallTest, VfCall) {
  AscendC::VF_CALL<DoubleVf<float>>(out_.data(), in_.data(), 100u, uint16_t{2});
}

TEST_F(RegCallTest, AscVfCall) { asc_vf_call<DoubleVf<float>>(out_.data(), in_.data(), 100, 2); }

TEST_F(RegCallTest, VecScope) {
  float* const out = out_.data();
  float* const in = in_.data();
  uint32_t count = 100;
  __VEC_SCOPE__ {
    for (uint16_t i = 0; i < 2; ++i) {
      AscendC::MicroAPI::MaskReg mask = AscendC::MicroAPI::UpdateMask<float>(count);
      AscendC::MicroAPI::RegTensor<float> value;
      AscendC::MicroAPI::LoadAlign(value, in + i * 64);
      AscendC::MicroAPI::Add(value, value, value, mask);
      AscendC::MicroAPI::StoreAlign(out + i * 64, value, mask);
    }
  }
}

TEST(RegWidthTest, Is256Bytes) { static_assert(AscendC::GetVecLen() == 256); }

}  // namespace
}  // namespace attnres::testing
