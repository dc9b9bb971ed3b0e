// Masks from registers and from the mask of memory-based instructions, and stored bit by element.
#include "cc/ascendc/reg/mask_transfer.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

template <typename T>
class RegMaskTransferTest : public VectorTest {
 protected:
  // One bit of memory for each element becomes all bits of the element.
  static std::array<uint8_t, 32> Spread(const uint8_t* bits) {
    MaskBits mask;
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t element = i / sizeof(T);
      if ((bits[element / 8] >> (element % 8)) & 1) mask.Set(i);
    }
    return mask.bytes;
  }
};

using TransferTypes = ::testing::Types<uint16_t, half, float>;
TYPED_TEST_SUITE(RegMaskTransferTest, TransferTypes);

TYPED_TEST(RegMaskTransferTest, MaskGenWithRegTensorTakesAPiece) {
  using T = TypeParam;
  constexpr uint32_t kPieceBytes = kLanes<T> / 8;
  constexpr int16_t kLast = 256 / kPieceBytes - 1;
  Random random{111};
  Elements<T> elements;
  uint8_t bytes[256];
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  std::memcpy(elements.data(), bytes, sizeof(bytes));
  Reg::RegTensor<T> src = ToRegister(elements);
  Reg::MaskReg mask;
  Reg::MaskGenWithRegTensor<T, 0>(mask, src);
  EXPECT_EQ(FromMask(mask).bytes, this->Spread(bytes));
  Reg::MaskGenWithRegTensor<T, kLast>(mask, src);
  EXPECT_EQ(FromMask(mask).bytes, this->Spread(bytes + kLast * kPieceBytes));
}

TYPED_TEST(RegMaskTransferTest, MoveMaskReadsTheVectorMask) {
  using T = TypeParam;
  const uint64_t words[2] = {0x123456789ABCDEF0u, 0x0F1E2D3C4B5A6978u};
  AscendC::SetMaskNorm();
  AscendC::SetVectorMask<T, AscendC::MaskMode::NORMAL>(words[1], words[0]);
  EXPECT_EQ(FromMask(Reg::MoveMask<T>()).bytes,
            this->Spread(reinterpret_cast<const uint8_t*>(words)));
}

TYPED_TEST(RegMaskTransferTest, StoreUnAlignPutsOneBitForEachElement) {
  using T = TypeParam;
  constexpr uint32_t kBytes = kLanes<T> / 8;
  Random random{112};
  MaskBits bits;
  for (uint8_t& byte : bits.bytes) byte = static_cast<uint8_t>(random());
  Reg::MaskReg mask = bits.Register();
  GuardedBuffer<uint8_t> memory(64);
  std::vector<uint8_t> expected(64, 0xFF);
  for (uint32_t round = 0; round < 2; ++round) {
    std::fill(expected.begin() + round * kBytes, expected.begin() + (round + 1) * kBytes, 0);
    for (uint32_t i = 0; i < kLanes<T>; ++i) {
      if (bits.Active<T>(i)) {
        expected[round * kBytes + i / 8] |= static_cast<uint8_t>(1u << (i % 8));
      }
    }
  }
  T* address = reinterpret_cast<T*>(memory.data());
  Reg::UnalignRegForStore unaligned;
  Reg::StoreUnAlign(address, mask, unaligned);
  Reg::StoreUnAlign(address, mask, unaligned);
  EXPECT_TRUE(SameBits(memory, expected));
  EXPECT_EQ(reinterpret_cast<uint8_t*>(address), memory.data() + 2 * kBytes);
}

}  // namespace
}  // namespace attnres::testing
