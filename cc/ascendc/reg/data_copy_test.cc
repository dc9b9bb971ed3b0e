// The names before CANN 9 reach the same loads and stores, with the template arguments and
// parameters that kernels of that time give.
#include "cc/ascendc/reg/data_copy.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using Reg::LoadDist;
using Reg::PostLiteral;
using Reg::StoreDist;

class RegDataCopyTest : public VectorTest {
 protected:
  RegDataCopyTest() {
    for (size_t i = 0; i < in_.size(); ++i) in_[i] = static_cast<float>(i);
  }

  Reg::MaskReg all_ = Reg::CreateMask<float>();
  GuardedBuffer<float> in_{512};
  GuardedBuffer<float> out_{512, 0, 0};
};

TEST_F(RegDataCopyTest, PlainAndPostUpdateAndAddrReg) {
  Reg::RegTensor<float> value;
  Reg::DataCopy(value, in_.data());
  Reg::DataCopy(out_.data(), value, all_);
  EXPECT_EQ(out_[63], 63.0f);
  float* from = in_.data() + 64;
  float* to = out_.data() + 64;
  Reg::DataCopy<float, PostLiteral::POST_MODE_UPDATE>(value, from, 64);
  Reg::DataCopy<float, PostLiteral::POST_MODE_UPDATE>(to, value, 64, all_);
  EXPECT_EQ(from, in_.data() + 128);
  EXPECT_EQ(to, out_.data() + 128);
  EXPECT_EQ(out_[127], 127.0f);
  const Reg::AddrReg third = Reg::CreateAddrReg<float>(2, 64);
  Reg::DataCopy(value, in_.data(), third);
  Reg::DataCopy(out_.data(), value, third, all_);
  EXPECT_EQ(out_[191], 191.0f);
}

TEST_F(RegDataCopyTest, Distributions) {
  Reg::RegTensor<float> value;
  Reg::DataCopy<float, LoadDist::DIST_BRC_B32>(value, in_.data() + 3);
  Reg::DataCopy<float, StoreDist::DIST_FIRST_ELEMENT_B32>(out_.data() + 300, value, all_);
  EXPECT_EQ(out_[300], 3.0f);
  EXPECT_EQ(out_[301], 0.0f);
  Reg::RegTensor<float> other;
  Reg::DataCopy<float, LoadDist::DIST_DINTLV_B32>(value, other, in_.data());
  Reg::DataCopy<float, StoreDist::DIST_INTLV_B32>(out_.data(), value, other, all_);
  EXPECT_EQ(out_[127], 127.0f);
  Reg::DataCopy<float, LoadDist::DIST_DINTLV_B32>(value, other, in_.data(),
                                                  Reg::CreateAddrReg<float>(1, 128));
  Reg::DataCopy<float, StoreDist::DIST_INTLV_B32>(out_.data(), value, other,
                                                  Reg::CreateAddrReg<float>(1, 128), all_);
  EXPECT_EQ(out_[255], 255.0f);
  float* from = in_.data();
  Reg::DataCopy<float, PostLiteral::POST_MODE_UPDATE, LoadDist::DIST_DINTLV_B32>(value, other, from,
                                                                                 128);
  EXPECT_EQ(from, in_.data() + 128);
}

TEST_F(RegDataCopyTest, BlocksApart) {
  using Reg::DataCopyMode;
  Reg::RegTensor<float> value;
  Reg::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY>(value, in_.data(), 2, all_);
  Reg::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY>(out_.data(), value, 2, all_);
  EXPECT_EQ(out_[16], 16.0f);
  EXPECT_EQ(out_[8], 0.0f);
  float* from = in_.data();
  float* to = out_.data();
  Reg::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE>(value, from, 1,
                                                                                     8, all_);
  Reg::DataCopy<float, DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE>(to, value, 1,
                                                                                     8, all_);
  EXPECT_EQ(from, in_.data() + 64);
  EXPECT_EQ(to, out_.data() + 64);
  EXPECT_EQ(out_[8], 8.0f);
}

TEST_F(RegDataCopyTest, AnyAddress) {
  Reg::RegTensor<float> value;
  Reg::UnalignReg load;
  Reg::UnalignReg store;
  float* from = in_.data() + 1;
  float* to = out_.data() + 3;
  Reg::DataCopyUnAlignPre(load, from);
  Reg::DataCopyUnAlign(value, load, from, 10);
  Reg::DataCopyUnAlign(to, value, store, 10);
  Reg::DataCopyUnAlignPost(to, store, 0);
  EXPECT_EQ(from, in_.data() + 11);
  EXPECT_EQ(to, out_.data() + 13);
  EXPECT_EQ(out_[12], 10.0f);
  EXPECT_EQ(out_[13], 0.0f);
  Reg::AddrReg offset = Reg::CreateAddrReg<float>(1, 100);
  Reg::DataCopyUnAlignPre(load, from, offset);
  Reg::DataCopyUnAlign(value, load, from, offset, 0);
  Reg::DataCopyUnAlign(to, value, store, offset);
  Reg::DataCopyUnAlignPost(to, store, offset);
  EXPECT_EQ(out_[13 + 100], 111.0f);
  Reg::DataCopyUnAlign<float>(value, load, in_.data() + 5);
  Reg::MaskReg two = Reg::CreateMask<float, Reg::MaskPattern::VL2>();
  Reg::ClearSpr<AscendC::SpecialPurposeReg::AR>();
  Reg::GatherMask<float, Reg::GatherMaskMode::STORE_REG>(value, value, two);
  Reg::DataCopyUnAlign<float>(out_.data() + 400, value, store);
  Reg::DataCopyUnAlignPost<float>(out_.data() + 400, store);
  EXPECT_EQ(out_[401], 6.0f);
  EXPECT_EQ(out_[402], 0.0f);
}

TEST_F(RegDataCopyTest, Masks) {
  uint32_t* const words = reinterpret_cast<uint32_t*>(out_.data());
  Reg::MaskReg mask = Reg::CreateMask<float, Reg::MaskPattern::VL8>();
  Reg::DataCopy(words, mask);
  EXPECT_EQ(words[0], 0x11111111u);
  Reg::DataCopy(words, mask, Reg::CreateAddrReg<uint32_t>(1, 8));
  uint32_t* address = words + 16;
  Reg::DataCopy<uint32_t, PostLiteral::POST_MODE_UPDATE>(address, mask, 32);
  EXPECT_EQ(address, words + 24);
  EXPECT_EQ(words[16], 0x11111111u);
  Reg::MaskReg loaded;
  Reg::DataCopy(loaded, words + 8);
  EXPECT_EQ(FromMask(loaded).bytes, FromMask(mask).bytes);
  Reg::DataCopy(loaded, words, Reg::CreateAddrReg<uint32_t>(2, 8));
  EXPECT_EQ(FromMask(loaded).bytes, FromMask(mask).bytes);
  address = words;
  Reg::DataCopy<uint32_t, PostLiteral::POST_MODE_UPDATE>(loaded, address, 32);
  EXPECT_EQ(address, words + 8);
  Reg::UnalignReg store;
  Reg::DataCopyUnAlign(address, mask, store);
  EXPECT_EQ(words[8], 0xFFu);
}

}  // namespace
}  // namespace attnres::testing
