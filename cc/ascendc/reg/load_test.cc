// Loads: every distribution, way of addressing and element size.
#include "cc/ascendc/reg/load.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using Reg::LoadDist;
using Reg::PostLiteral;

// Two registers of memory, and the bytes of what was loaded.
class RegLoadTest : public ::testing::Test {
 protected:
  using Bytes = std::array<uint8_t, 256>;

  RegLoadTest() {
    Random random{51};
    for (size_t i = 0; i < memory_.size(); ++i) memory_[i] = static_cast<uint8_t>(random());
  }

  template <typename T>
  T* Memory(size_t byte = 0) {
    return reinterpret_cast<T*>(memory_.data() + byte);
  }

  template <typename T>
  static Bytes BytesOf(Reg::RegTensor<T>& source) {
    const Elements<T> elements = FromRegister(source);
    Bytes bytes;
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
  }

  template <LoadDist kDist, typename T>
  Bytes Load(size_t byte = 0) {
    Reg::RegTensor<T> dst;
    Reg::LoadAlign<T, kDist>(dst, Memory<T>(byte));
    return BytesOf(dst);
  }

  // A register whose byte i is that of memory at from(i), or 0 for a negative place.
  template <typename From>
  Bytes Expected(From from) const {
    Bytes bytes;
    for (int i = 0; i < 256; ++i) {
      const int place = from(i);
      bytes[static_cast<size_t>(i)] = place < 0 ? 0 : memory_[static_cast<size_t>(place)];
    }
    return bytes;
  }

  GuardedBuffer<uint8_t> memory_{2048};
};

TEST_F(RegLoadTest, Norm) {
  const Bytes expected = Expected([](int i) { return 32 + i; });
  EXPECT_EQ((Load<LoadDist::DIST_NORM, uint8_t>(32)), expected);
  EXPECT_EQ((Load<LoadDist::DIST_NORM, half>(32)), expected);
  EXPECT_EQ((Load<LoadDist::DIST_NORM, float>(32)), expected);
  EXPECT_EQ((Load<LoadDist::DIST_NORM, int64_t>(32)), expected);
}

TEST_F(RegLoadTest, BroadcastOfOneElement) {
  EXPECT_EQ((Load<LoadDist::DIST_BRC_B8, int8_t>(3)), Expected([](int) { return 3; }));
  EXPECT_EQ((Load<LoadDist::DIST_BRC_B16, half>(6)), Expected([](int i) { return 6 + i % 2; }));
  EXPECT_EQ((Load<LoadDist::DIST_BRC_B32, float>(12)), Expected([](int i) { return 12 + i % 4; }));
}

TEST_F(RegLoadTest, UpAndDownSampling) {
  EXPECT_EQ((Load<LoadDist::DIST_US_B8, uint8_t>()), Expected([](int i) { return i / 2; }));
  EXPECT_EQ((Load<LoadDist::DIST_US_B16, bfloat16_t>()),
            Expected([](int i) { return i / 4 * 2 + i % 2; }));
  EXPECT_EQ((Load<LoadDist::DIST_DS_B8, uint8_t>()), Expected([](int i) { return 2 * i; }));
  EXPECT_EQ((Load<LoadDist::DIST_DS_B16, half>()),
            Expected([](int i) { return i / 2 * 4 + i % 2; }));
}

TEST_F(RegLoadTest, UnpackingPutsZerosAbove) {
  EXPECT_EQ((Load<LoadDist::DIST_UNPACK_B8, uint8_t>()),
            Expected([](int i) { return i % 2 == 0 ? i / 2 : -1; }));
  EXPECT_EQ((Load<LoadDist::DIST_UNPACK_B16, half>()),
            Expected([](int i) { return i % 4 < 2 ? i / 4 * 2 + i % 2 : -1; }));
  EXPECT_EQ((Load<LoadDist::DIST_UNPACK_B32, float>()),
            Expected([](int i) { return i % 8 < 4 ? i / 8 * 4 + i % 4 : -1; }));
  EXPECT_EQ((Load<LoadDist::DIST_UNPACK4_B8, int8_t>()),
            Expected([](int i) { return i % 4 == 0 ? i / 4 : -1; }));
}

TEST_F(RegLoadTest, BroadcastToDataBlocks) {
  EXPECT_EQ((Load<LoadDist::DIST_BLK, half>(64)), Expected([](int i) { return 64 + i % 32; }));
  EXPECT_EQ((Load<LoadDist::DIST_E2B_B16, half>(16)),
            Expected([](int i) { return 16 + i / 32 * 2 + i % 2; }));
  EXPECT_EQ((Load<LoadDist::DIST_E2B_B32, float>(32)),
            Expected([](int i) { return 32 + i / 32 * 4 + i % 4; }));
}

template <typename T>
class RegLoadTwoTest : public RegLoadTest {};

using TwoTypes = ::testing::Types<uint8_t, half, float>;
TYPED_TEST_SUITE(RegLoadTwoTest, TwoTypes);

TYPED_TEST(RegLoadTwoTest, DeInterleavesTwoRegisters) {
  using T = TypeParam;
  constexpr LoadDist kDist = sizeof(T) == 1   ? LoadDist::DIST_DINTLV_B8
                             : sizeof(T) == 2 ? LoadDist::DIST_DINTLV_B16
                                              : LoadDist::DIST_DINTLV_B32;
  constexpr int kSize = sizeof(T);
  const auto even = this->Expected([](int i) { return i / kSize * 2 * kSize + i % kSize; });
  const auto odd = this->Expected([](int i) { return (i / kSize * 2 + 1) * kSize + i % kSize; });
  Reg::RegTensor<T> dst0;
  Reg::RegTensor<T> dst1;
  Reg::LoadAlign<T, kDist>(dst0, dst1, this->template Memory<T>());
  EXPECT_EQ(this->BytesOf(dst0), even);
  EXPECT_EQ(this->BytesOf(dst1), odd);

  T* address = this->template Memory<T>(512);
  Reg::LoadAlign<T, PostLiteral::POST_MODE_UPDATE, kDist>(dst0, dst1, address, -kLanes<T> * 2);
  EXPECT_EQ(address, this->template Memory<T>());
  Reg::LoadAlign<T, kDist>(dst0, dst1, address, Reg::AddrReg{0});
  EXPECT_EQ(this->BytesOf(dst0), even);
  Reg::LoadAlign<T, kDist>(dst0, dst1, address, Reg::CreateAddrReg<T>(1, 2 * kLanes<T>));
  EXPECT_EQ(this->BytesOf(dst1)[0], this->memory_[512 + kSize]);
}

TEST_F(RegLoadTest, PostUpdateMovesTheAddressByElements) {
  float* address = Memory<float>(128);
  Reg::RegTensor<float> dst;
  Reg::LoadAlign<float, PostLiteral::POST_MODE_UPDATE>(dst, address, 64);
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 128 + i; }));
  EXPECT_EQ(address, Memory<float>(128 + 256));
  half* narrow = Memory<half>();
  Reg::RegTensor<half> unpacked;
  Reg::LoadAlign<half, PostLiteral::POST_MODE_UPDATE, LoadDist::DIST_UNPACK_B16>(unpacked, narrow,
                                                                                 64);
  EXPECT_EQ(narrow, Memory<half>(128));
}

TEST_F(RegLoadTest, AddrRegCountsElements) {
  Reg::RegTensor<half> dst;
  Reg::LoadAlign(dst, Memory<half>(), Reg::CreateAddrReg<half>(3, 64));
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 3 * 64 * 2 + i; }));
}

TEST_F(RegLoadTest, BlocksApart) {
  for (const uint32_t stride : {0u, 1u, 3u}) {
    Reg::RegTensor<float> dst;
    MaskBits bits;
    // An element of block 0, all of block 2, none of the others but 7.
    for (const uint32_t element : {3u, 16u, 17u, 18u, 19u, 20u, 21u, 22u, 23u, 63u}) {
      bits.Set(4 * element);
    }
    Reg::MaskReg mask = bits.Register();
    const auto from = [stride](int i) {
      const int block = i / 32;
      return block == 0 || block == 2 || block == 7 ? block * static_cast<int>(stride) * 32 + i % 32
                                                    : -1;
    };
    Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY>(dst, Memory<float>(), stride, mask);
    EXPECT_EQ(BytesOf(dst), Expected(from));

    float* address = Memory<float>();
    Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE>(
        dst, address, stride, 5, mask);
    EXPECT_EQ(BytesOf(dst), Expected(from));
    EXPECT_EQ(address, Memory<float>(5 * 32));
    Reg::LoadAlign<float, Reg::DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_NORMAL>(
        dst, address, stride, 2, mask);
    EXPECT_EQ(BytesOf(dst), Expected([&](int i) { return from(i) < 0 ? -1 : 7 * 32 + from(i); }));
    EXPECT_EQ(address, Memory<float>(5 * 32));
  }
}

TEST_F(RegLoadTest, UnalignedFromAnyAddress) {
  Reg::UnalignRegForLoad unaligned;
  Reg::RegTensor<half> dst;
  half* address = Memory<half>(10);
  Reg::LoadUnAlignPre(unaligned, address);
  Reg::LoadUnAlign(dst, unaligned, address, 100);
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 10 + i; }));
  EXPECT_EQ(address, Memory<half>(210));
  Reg::LoadUnAlign<half>(dst, unaligned, Memory<half>(14));
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 14 + i; }));
  Reg::AddrReg offset = Reg::CreateAddrReg<half>(2, 9);
  Reg::LoadUnAlignPre(unaligned, address, offset);
  Reg::LoadUnAlign(dst, unaligned, address, offset, 0);
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 210 + 36 + i; }));
  Reg::Load(dst, Memory<half>(6));
  EXPECT_EQ(BytesOf(dst), Expected([](int i) { return 6 + i; }));
}

TEST_F(RegLoadTest, Masks) {
  const auto expected = [this](auto from) {
    MaskBits bits;
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t bit = from(i);
      if ((memory_[bit / 8] >> (bit % 8)) & 1) bits.Set(i);
    }
    return bits.bytes;
  };
  Reg::MaskReg mask;
  Reg::LoadAlign(mask, Memory<uint32_t>());
  EXPECT_EQ(FromMask(mask).bytes, expected([](uint32_t i) { return i; }));
  Reg::LoadAlign<uint32_t, Reg::MaskDist::DIST_US>(mask, Memory<uint32_t>());
  EXPECT_EQ(FromMask(mask).bytes, expected([](uint32_t i) { return i / 2; }));
  Reg::LoadAlign<uint32_t, Reg::MaskDist::DIST_DS>(mask, Memory<uint32_t>());
  EXPECT_EQ(FromMask(mask).bytes, expected([](uint32_t i) { return 2 * i; }));
  Reg::LoadAlign(mask, Memory<uint32_t>(), Reg::CreateAddrReg<uint32_t>(1, 8));
  EXPECT_EQ(FromMask(mask).bytes, expected([](uint32_t i) { return 256 + i; }));
  uint32_t* address = Memory<uint32_t>(32);
  Reg::LoadAlign<uint32_t, PostLiteral::POST_MODE_UPDATE>(mask, address, 64);  // bytes
  EXPECT_EQ(FromMask(mask).bytes, expected([](uint32_t i) { return 256 + i; }));
  EXPECT_EQ(address, Memory<uint32_t>(96));
}

}  // namespace
}  // namespace attnres::testing
