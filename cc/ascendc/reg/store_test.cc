// Stores: every distribution and way of addressing, every tail length; the memory of what the mask
// leaves out stays, also where it ends a page of which nothing else may be touched.
#include "cc/ascendc/reg/store.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using Reg::PostLiteral;
using Reg::StoreDist;

// run(address, register, mask) is expected to put element bytes at place(element) for elements of E
// that the mask has, the low `kept` bytes of each.
template <typename T, typename E, typename Run>
void CheckStore(Run run, uint32_t kept) {
  Random random{61};
  for (const MaskBits& bits : InterestingMasks<E>(random)) {
    const Elements<T> elements = AnyElements<T>(random);
    Reg::RegTensor<T> src = ToRegister(elements);
    Reg::MaskReg mask = bits.Register();
    GuardedBuffer<uint8_t> memory(256);
    std::vector<uint8_t> expected(256, 0xFF);
    const uint8_t* const bytes = reinterpret_cast<const uint8_t*>(elements.data());
    for (uint32_t i = 0; i < kLanes<E>; ++i) {
      if (bits.Active<E>(i)) std::memcpy(&expected[i * kept], bytes + i * sizeof(E), kept);
    }
    run(reinterpret_cast<T*>(memory.data()), src, mask);
    ASSERT_TRUE(SameBits(memory, expected)) << bits.name;
  }
}

template <typename T>
class RegStoreTest : public ::testing::Test {};

using StoreTypes = ::testing::Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                                    uint32_t, float, int64_t, uint64_t>;
TYPED_TEST_SUITE(RegStoreTest, StoreTypes);

TYPED_TEST(RegStoreTest, NormStoresWhatTheMaskHas) {
  using T = TypeParam;
  CheckStore<T, T>([](T* address, auto& src, auto& mask) { Reg::StoreAlign(address, src, mask); },
                   sizeof(T));
}

TEST(RegStoreDistTest, NormOfAGivenWidth) {
  CheckStore<float, uint8_t>(
      [](float* address, auto& src, auto& mask) {
        Reg::StoreAlign<float, StoreDist::DIST_NORM_B8>(address, src, mask);
      },
      1);
  CheckStore<float, uint16_t>(
      [](float* address, auto& src, auto& mask) {
        Reg::StoreAlign<float, StoreDist::DIST_NORM_B16>(address, src, mask);
      },
      2);
  CheckStore<half, uint32_t>(
      [](half* address, auto& src, auto& mask) {
        Reg::StoreAlign<half, StoreDist::DIST_NORM_B32>(address, src, mask);
      },
      4);
}

TEST(RegStoreDistTest, PackStoresTheLowPart) {
  CheckStore<uint16_t, uint16_t>(
      [](uint16_t* address, auto& src, auto& mask) {
        Reg::StoreAlign<uint16_t, StoreDist::DIST_PACK_B16>(address, src, mask);
      },
      1);
  CheckStore<half, uint32_t>(
      [](half* address, auto& src, auto& mask) {
        Reg::StoreAlign<half, StoreDist::DIST_PACK_B32>(address, src, mask);
      },
      2);
  CheckStore<uint64_t, uint64_t>(
      [](uint64_t* address, auto& src, auto& mask) {
        Reg::StoreAlign<uint64_t, StoreDist::DIST_PACK_B64>(address, src, mask);
      },
      4);
  CheckStore<int8_t, uint32_t>(
      [](int8_t* address, auto& src, auto& mask) {
        Reg::StoreAlign<int8_t, StoreDist::DIST_PACK4_B32>(address, src, mask);
      },
      1);
}

template <StoreDist kDist, typename T>
void CheckFirstElement(uint32_t width) {
  Random random{62};
  const Elements<T> elements = AnyElements<T>(random);
  Reg::RegTensor<T> src = ToRegister(elements);
  Reg::MaskReg none = Reg::CreateMask<T, Reg::MaskPattern::ALLF>();
  GuardedBuffer<uint8_t> memory(256);
  std::vector<uint8_t> expected(256, 0xFF);
  std::memcpy(expected.data(), elements.data(), width);
  Reg::StoreAlign<T, kDist>(reinterpret_cast<T*>(memory.data()), src, none);
  EXPECT_TRUE(SameBits(memory, expected));
}

TEST(RegStoreDistTest, FirstElementWhateverTheMask) {
  CheckFirstElement<StoreDist::DIST_FIRST_ELEMENT_B8, int8_t>(1);
  CheckFirstElement<StoreDist::DIST_FIRST_ELEMENT_B16, half>(2);
  CheckFirstElement<StoreDist::DIST_FIRST_ELEMENT_B32, float>(4);
}

template <StoreDist kDist, typename T>
void CheckInterleaved() {
  Random random{63};
  const Elements<T> a = AnyElements<T>(random);
  const Elements<T> b = AnyElements<T>(random);
  Reg::RegTensor<T> even = ToRegister(a);
  Reg::RegTensor<T> odd = ToRegister(b);
  Reg::MaskReg none = Reg::CreateMask<T, Reg::MaskPattern::ALLF>();
  GuardedBuffer<T> memory(3 * kLanes<T>);
  std::vector<T> expected(memory.data(), memory.data() + memory.size());
  for (uint32_t i = 0; i < kLanes<T>; ++i) {
    expected[2 * i] = a[i];
    expected[2 * i + 1] = b[i];
  }
  Reg::StoreAlign<T, kDist>(memory.data(), even, odd, none);
  EXPECT_TRUE(SameBits(memory, expected));
  for (uint32_t i = 3 * kLanes<T>; i-- > kLanes<T>;) expected[i] = expected[i - kLanes<T>];
  Reg::StoreAlign<T, kDist>(memory.data(), even, odd, Reg::CreateAddrReg<T>(1, kLanes<T>), none);
  EXPECT_TRUE(SameBits(memory, expected));
}

TEST(RegStoreDistTest, InterleavesTwoRegistersWhateverTheMask) {
  CheckInterleaved<StoreDist::DIST_INTLV_B8, uint8_t>();
  CheckInterleaved<StoreDist::DIST_INTLV_B16, bfloat16_t>();
  CheckInterleaved<StoreDist::DIST_INTLV_B32, float>();
}

TEST(RegStoreAddressTest, PostUpdateAndAddrReg) {
  Random random{64};
  const Elements<float> elements = AnyElements<float>(random);
  Reg::RegTensor<float> src = ToRegister(elements);
  Reg::MaskReg all = Reg::CreateMask<float>();
  GuardedBuffer<float> memory(3 * 64);
  float* address = memory.data() + 64;
  Reg::StoreAlign<float, PostLiteral::POST_MODE_UPDATE>(address, src, -64, all);
  EXPECT_EQ(address, memory.data());
  EXPECT_EQ(BitsAsInteger(memory[64 + 5]), BitsAsInteger(elements[5]));
  Reg::StoreAlign(memory.data(), src, Reg::CreateAddrReg<float>(2, 64), all);
  EXPECT_EQ(BitsAsInteger(memory[128 + 63]), BitsAsInteger(elements[63]));
  EXPECT_EQ(BitsAsInteger(memory[0]), 0xFFFFFFFFu);
  EXPECT_TRUE(memory.GuardsIntact());
}

TEST(RegStoreAddressTest, BlocksApart) {
  Random random{65};
  for (const MaskBits& bits : InterestingMasks<half>(random)) {
    const Elements<half> elements = AnyElements<half>(random);
    Reg::RegTensor<half> src = ToRegister(elements);
    Reg::MaskReg mask = bits.Register();
    GuardedBuffer<half> memory(16 * 30);
    std::vector<half> expected(memory.data(), memory.data() + memory.size());
    for (uint32_t i = 0; i < kLanes<half>; ++i) {
      if (bits.Active<half>(i)) expected[i / 16 * 3 * 16 + i % 16] = elements[i];
    }
    half* address = memory.data();
    Reg::StoreAlign<half, Reg::DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_UPDATE>(
        address, src, 3, 4, mask);
    ASSERT_TRUE(SameBits(memory, expected)) << bits.name;
    ASSERT_EQ(address, memory.data() + 64);
    Reg::StoreAlign<half, Reg::DataCopyMode::DATA_BLOCK_COPY>(memory.data(), src, 3, mask);
    ASSERT_TRUE(SameBits(memory, expected)) << bits.name;
    Reg::StoreAlign<half, Reg::DataCopyMode::DATA_BLOCK_COPY, PostLiteral::POST_MODE_NORMAL>(
        address, src, 3, 1, mask);
    ASSERT_EQ(address, memory.data() + 64);
    if (bits.Active<half>(0)) {
      ASSERT_EQ(BitsAsInteger(memory[80]), BitsAsInteger(elements[0]));
    }
  }
}

TEST(RegStoreUnAlignTest, StoresLeadingElementsToAnyAddress) {
  Random random{66};
  const Elements<half> elements = AnyElements<half>(random);
  Reg::RegTensor<half> src = ToRegister(elements);
  Reg::UnalignRegForStore unaligned;
  for (uint32_t count = 0; count <= 128; ++count) {
    GuardedBuffer<half> memory(300, 6);
    std::vector<half> expected(memory.data(), memory.data() + memory.size());
    half* address = memory.data();
    Reg::StoreUnAlign(address, src, unaligned, count);
    Reg::StoreUnAlign(address, src, unaligned, count);
    Reg::StoreUnAlignPost(address, unaligned, 0);
    EXPECT_EQ(address, memory.data() + 2 * count);
    for (uint32_t i = 0; i < count; ++i) expected[i] = expected[count + i] = elements[i];
    Reg::Store(memory.data() + 170, src, count);
    for (uint32_t i = 0; i < count; ++i) expected[170 + i] = elements[i];
    if (count <= 85) {
      ASSERT_TRUE(SameBits(memory, expected)) << count;
    }
  }
  GuardedBuffer<half> memory(300, 2);
  std::vector<half> expected(memory.data(), memory.data() + memory.size());
  half* address = memory.data();
  Reg::AddrReg offset = Reg::CreateAddrReg<half>(1, 5);
  Reg::StoreUnAlign(address, src, unaligned, offset);
  Reg::StoreUnAlignPost(address, unaligned, offset);
  for (uint32_t i = 0; i < 128; ++i) expected[5 + i] = elements[i];
  EXPECT_TRUE(SameBits(memory, expected));
  Reg::Store(memory.data() + 150, src);
  for (uint32_t i = 0; i < 128; ++i) expected[150 + i] = elements[i];
  EXPECT_TRUE(SameBits(memory, expected));
}

TEST(RegStoreMaskTest, NormAndPack) {
  Random random{67};
  MaskBits bits;
  for (uint8_t& byte : bits.bytes) byte = static_cast<uint8_t>(random());
  Reg::MaskReg mask = bits.Register();
  GuardedBuffer<uint8_t> memory(128);
  std::vector<uint8_t> expected(128, 0xFF);
  std::copy(bits.bytes.begin(), bits.bytes.end(), expected.begin());
  uint32_t* const words = reinterpret_cast<uint32_t*>(memory.data());
  Reg::StoreAlign(words, mask);
  EXPECT_TRUE(SameBits(memory, expected));
  Reg::StoreAlign(words, mask, Reg::CreateAddrReg<uint32_t>(1, 8));
  std::copy(bits.bytes.begin(), bits.bytes.end(), expected.begin() + 32);
  EXPECT_TRUE(SameBits(memory, expected));
  uint32_t* address = words + 16;
  Reg::StoreAlign<uint32_t, PostLiteral::POST_MODE_UPDATE, Reg::MaskDist::DIST_PACK>(address, mask,
                                                                                     32);
  EXPECT_EQ(address, words + 24);
  std::fill(expected.begin() + 64, expected.begin() + 80, 0);
  for (uint32_t i = 0; i < 128; ++i) {
    if (bits.Bit(2 * i)) expected[64 + i / 8] |= static_cast<uint8_t>(1u << (i % 8));
  }
  EXPECT_TRUE(SameBits(memory, expected));
}

// The Unified Buffer may end where the host's memory does.
template <typename T>
void StoreBeforeAnUnmappedPage() {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  uint8_t* const end = static_cast<uint8_t*>(pages) + page;
  ASSERT_EQ(mprotect(end, page, PROT_NONE), 0);
  Random random{68};
  const Elements<T> elements = AnyElements<T>(random);
  Reg::RegTensor<T> src = ToRegister(elements);
  for (uint32_t count = 0; count < kLanes<T>; ++count) {
    Reg::MaskReg mask = LeadingBits<T>(count).Register();
    T* const address = reinterpret_cast<T*>(end) - count;
    Reg::StoreAlign(address, src, mask);
    ASSERT_EQ(std::memcmp(address, elements.data(), count * sizeof(T)), 0) << count;
  }
  munmap(pages, 2 * page);
}

TYPED_TEST(RegStoreTest, TouchesNoMemoryBeyondTheLastElement) {
  StoreBeforeAnUnmappedPage<TypeParam>();
}

}  // namespace
}  // namespace attnres::testing
