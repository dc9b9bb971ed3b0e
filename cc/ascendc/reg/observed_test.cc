// What register instructions of an observed kernel tell: the bytes and the alignment of every
// distribution, the place of the call, and that a denied access does not happen.
#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "cc/ascendc/reg/recording_observer.h"
#include "cc/ascendc/reg/reg.h"

namespace attnres::testing {
namespace {

namespace Reg = AscendC::Reg;
using Reg::LoadDist;
using Reg::MaskDist;
using Reg::MaskPattern;
using Reg::PostLiteral;
using Reg::StoreDist;

// Offset from the start of the memory, bytes, alignment.
struct Access {
  uint64_t offset;
  uint64_t bytes;
  uint32_t alignment;

  bool operator==(const Access& other) const {
    return offset == other.offset && bytes == other.bytes && alignment == other.alignment;
  }
};
std::ostream& operator<<(std::ostream& out, const Access& access) {
  return out << access.offset << "+" << access.bytes << " of " << access.alignment;
}

class RegObservedTest : public ::testing::Test {
 protected:
  RegObservedTest() { std::iota(memory_, memory_ + sizeof(memory_), uint8_t{1}); }

  template <typename T>
  T* At(uint32_t bytes) {
    return reinterpret_cast<T*>(memory_ + bytes);
  }
  bool IsUntouched() const {
    for (size_t i = 0; i < sizeof(memory_); ++i) {
      if (memory_[i] != static_cast<uint8_t>(i + 1)) return false;
    }
    return true;
  }

  // Runs one instruction inside a vector function, where it must tell these accesses, all of its
  // line; then again with all of them denied, when memory stays as it is.
  template <typename Call>
  void Expect(const char* kind, const std::vector<Access>& accesses, Call call) {
    for (const bool deny : {false, true}) {
      observer_.deny = deny;
      {
        const AscendC::twin::VectorScope scope;
        call();
      }
      const std::vector<Told> told = observer_.Take();
      std::vector<Access> seen;
      for (size_t i = 1; i + 1 < told.size(); ++i) {
        EXPECT_EQ(told[i].what, kind);
        EXPECT_NE(told[i].file.find("observed_test.cc"), std::string::npos);
        EXPECT_EQ(told[i].line, told[1].line);
        seen.push_back({told[i].address - reinterpret_cast<uint64_t>(memory_), told[i].bytes,
                        told[i].alignment});
      }
      EXPECT_EQ(seen, accesses);
      std::iota(memory_, memory_ + sizeof(memory_), uint8_t{1});
    }
    {
      const AscendC::twin::VectorScope scope;
      call();
    }
    EXPECT_TRUE(IsUntouched());
    observer_.Take();
  }

  template <typename T, LoadDist dist>
  void ExpectLoad(uint32_t bytes, uint32_t alignment) {
    Reg::RegTensor<T> reg;
    Expect("load", {{64, bytes, alignment}}, [&] { Reg::LoadAlign<T, dist>(reg, At<T>(64)); });
    for (uint32_t i = 0; i < 256 / sizeof(T); ++i) EXPECT_EQ(reg.reg[0][i], T{0});
  }
  template <typename T, StoreDist dist, MaskPattern pattern = MaskPattern::ALL>
  void ExpectStore(const std::vector<Access>& accesses) {
    Reg::RegTensor<T> reg;
    Reg::Duplicate(reg, T{0});
    Reg::MaskReg mask = Reg::CreateMask<T, pattern>();
    Expect("store", accesses, [&] { Reg::StoreAlign<T, dist>(At<T>(64), reg, mask); });
  }

  alignas(64) uint8_t memory_[4096];
  RecordingObserver observer_;
};

TEST_F(RegObservedTest, LoadsTellTheBytesOfTheirDistribution) {
  ExpectLoad<float, LoadDist::DIST_NORM>(256, 32);
  ExpectLoad<uint8_t, LoadDist::DIST_BRC_B8>(1, 1);
  ExpectLoad<uint16_t, LoadDist::DIST_BRC_B16>(2, 2);
  ExpectLoad<uint32_t, LoadDist::DIST_BRC_B32>(4, 4);
  ExpectLoad<uint8_t, LoadDist::DIST_US_B8>(128, 32);
  ExpectLoad<uint16_t, LoadDist::DIST_US_B16>(128, 32);
  ExpectLoad<uint8_t, LoadDist::DIST_DS_B8>(512, 32);
  ExpectLoad<uint16_t, LoadDist::DIST_DS_B16>(512, 32);
  ExpectLoad<uint8_t, LoadDist::DIST_UNPACK_B8>(128, 32);
  ExpectLoad<uint16_t, LoadDist::DIST_UNPACK_B16>(128, 32);
  ExpectLoad<uint32_t, LoadDist::DIST_UNPACK_B32>(128, 32);
  ExpectLoad<uint8_t, LoadDist::DIST_UNPACK4_B8>(64, 32);
  ExpectLoad<uint32_t, LoadDist::DIST_BLK>(32, 32);
  ExpectLoad<uint16_t, LoadDist::DIST_E2B_B16>(16, 16);
  ExpectLoad<uint32_t, LoadDist::DIST_E2B_B32>(32, 32);
}

TEST_F(RegObservedTest, LoadsOfTwoRegistersTellBoth) {
  Reg::RegTensor<float> even;
  Reg::RegTensor<float> odd;
  Expect("load", {{96, 512, 32}},
         [&] { Reg::LoadAlign<float, LoadDist::DIST_DINTLV_B32>(even, odd, At<float>(96)); });
  EXPECT_EQ(even.reg[0][0], 0.0f);
  EXPECT_EQ(odd.reg[0][63], 0.0f);
}

TEST_F(RegObservedTest, UnalignedAccessesDemandNothing) {
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::UnalignReg unaligned;
  Expect("load", {{5, 256, 1}}, [&] { Reg::LoadUnAlign(reg, unaligned, At<float>(5)); });
  Expect("load", {{9, 256, 1}}, [&] { Reg::Load(reg, At<float>(9)); });
  Expect("store", {{7, 12, 1}}, [&] {
    float* to = At<float>(7);
    Reg::StoreUnAlign(to, reg, unaligned, 3);
    EXPECT_EQ(to, At<float>(19));
  });
  Expect("store", {{7, 256, 1}}, [&] { Reg::Store(At<float>(7), reg); });
  Expect("store", {{7, 8, 1}}, [&] { Reg::Store(At<float>(7), reg, 2); });
}

TEST_F(RegObservedTest, BlocksTellThoseWithActiveElements) {
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::MaskReg mask = Reg::CreateMask<float, MaskPattern::VL16>();
  constexpr auto kMode = Reg::DataCopyMode::DATA_BLOCK_COPY;
  Expect("load", {{0, 32, 32}, {96, 32, 32}},
         [&] { Reg::LoadAlign<float, kMode>(reg, At<float>(0), 3, mask); });
  Expect("store", {{0, 32, 32}, {96, 32, 32}},
         [&] { Reg::StoreAlign<float, kMode>(At<float>(0), reg, 3, mask); });
}

TEST_F(RegObservedTest, StoresTellTheBytesOfTheirDistribution) {
  ExpectStore<float, StoreDist::DIST_NORM>({{64, 256, 32}});
  ExpectStore<uint16_t, StoreDist::DIST_NORM_B16>({{64, 256, 32}});
  ExpectStore<uint8_t, StoreDist::DIST_FIRST_ELEMENT_B8>({{64, 1, 1}});
  ExpectStore<uint16_t, StoreDist::DIST_FIRST_ELEMENT_B16>({{64, 2, 2}});
  ExpectStore<float, StoreDist::DIST_FIRST_ELEMENT_B32>({{64, 4, 4}});
  ExpectStore<uint16_t, StoreDist::DIST_PACK_B16>({{64, 128, 32}});
  ExpectStore<uint32_t, StoreDist::DIST_PACK_B32>({{64, 128, 32}});
  ExpectStore<uint64_t, StoreDist::DIST_PACK_B64>({{64, 128, 32}});
  ExpectStore<uint32_t, StoreDist::DIST_PACK4_B32>({{64, 64, 32}});
}

TEST_F(RegObservedTest, MaskedStoresTellTheActiveElements) {
  ExpectStore<float, StoreDist::DIST_NORM, MaskPattern::VL3>({{64, 12, 32}});
  ExpectStore<uint32_t, StoreDist::DIST_PACK_B32, MaskPattern::VL3>({{64, 6, 32}});
  ExpectStore<float, StoreDist::DIST_FIRST_ELEMENT_B32, MaskPattern::ALLF>({{64, 4, 4}});
  ExpectStore<float, StoreDist::DIST_NORM, MaskPattern::ALLF>({});
  std::vector<Access> fourths;
  for (uint32_t i = 0; i < 16; ++i) fourths.push_back({64 + 16 * i, 4, i == 0 ? 32u : 1u});
  ExpectStore<float, StoreDist::DIST_NORM, MaskPattern::M4>(fourths);
}

// The first active element of a misaligned address may be aligned.
TEST_F(RegObservedTest, StoresDemandAlignmentOfTheAddressNotOfTheElements) {
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::MaskReg all = Reg::CreateMask<float>();
  Reg::MaskReg low = Reg::CreateMask<float, MaskPattern::VL4>();
  Reg::MaskReg high;
  Reg::Xor(high, all, low, all);
  Expect("store", {{16, 0, 32}, {32, 240, 1}}, [&] { Reg::StoreAlign(At<float>(16), reg, high); });
  Expect("store", {{80, 240, 1}}, [&] { Reg::StoreAlign(At<float>(64), reg, high); });
}

TEST_F(RegObservedTest, StoresOfTwoRegistersTellBoth) {
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::MaskReg mask = Reg::CreateMask<float, MaskPattern::VL1>();
  Expect("store", {{32, 512, 32}},
         [&] { Reg::StoreAlign<float, StoreDist::DIST_INTLV_B32>(At<float>(32), reg, reg, mask); });
}

TEST_F(RegObservedTest, MasksTellTheirBytes) {
  Reg::MaskReg mask = Reg::CreateMask<float>();
  Expect("load", {{32, 32, 32}}, [&] { Reg::LoadAlign(mask, At<float>(32)); });
  EXPECT_EQ(mask.bits[0], 0);
  Expect("load", {{32, 16, 16}},
         [&] { Reg::LoadAlign<float, MaskDist::DIST_US>(mask, At<float>(32)); });
  Expect("load", {{32, 64, 32}},
         [&] { Reg::LoadAlign<float, MaskDist::DIST_DS>(mask, At<float>(32)); });
  Expect("store", {{32, 32, 32}}, [&] { Reg::StoreAlign(At<float>(32), mask); });
  Expect("store", {{32, 16, 16}},
         [&] { Reg::StoreAlign<float, MaskDist::DIST_PACK>(At<float>(32), mask); });
  Reg::UnalignReg unaligned;
  Expect("store", {{8, 8, 8}}, [&] {
    float* to = At<float>(8);
    Reg::StoreUnAlign(to, mask, unaligned);
    EXPECT_EQ(to, At<float>(16));
  });
}

TEST_F(RegObservedTest, AccessesByIndexTellEachElement) {
  Reg::RegTensor<uint32_t> index;
  Reg::Arange(index, 0u);
  Reg::Muls(index, index, 2u, *std::make_unique<Reg::MaskReg>(Reg::CreateMask<uint32_t>()));
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::MaskReg mask = Reg::CreateMask<float, MaskPattern::VL2>();
  Expect("load", {{64, 4, 1}, {72, 4, 1}}, [&] { Reg::Gather(reg, At<float>(64), index, mask); });
  Expect("store", {{64, 4, 1}, {72, 4, 1}}, [&] { Reg::Scatter(At<float>(64), reg, index, mask); });
  Reg::RegTensor<uint32_t> blocks;
  Reg::Duplicate(blocks, 96u);
  Expect("load", {{96, 32, 32}}, [&] { Reg::GatherB(reg, At<float>(0), blocks, mask); });
}

TEST_F(RegObservedTest, AccessesByIndexDemandAlignmentOfTheirBase) {
  Reg::RegTensor<uint32_t> index;
  Reg::Duplicate(index, 7u);
  Reg::RegTensor<float> reg;
  Reg::MaskReg mask = Reg::CreateMask<float, MaskPattern::VL1>();
  const AscendC::twin::VectorScope scope;
  Reg::Gather(reg, At<float>(4), index, mask);
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[1].address, reinterpret_cast<uint64_t>(At<float>(4)));
  EXPECT_EQ(told[1].bytes, 0u);
  EXPECT_EQ(told[1].alignment, 32u);
}

TEST_F(RegObservedTest, SqueezeStoresTellWhatWasKept) {
  Reg::RegTensor<float> reg;
  Reg::Duplicate(reg, 0.0f);
  Reg::MaskReg mask = Reg::CreateMask<float, MaskPattern::M4>();
  Reg::Squeeze<float, Reg::GatherMaskMode::STORE_REG>(reg, reg, mask);
  Reg::UnalignReg unaligned;
  Expect("store", {{12, 64, 1}}, [&] {
    Reg::ClearSpr<AscendC::SpecialPurposeReg::AR>();
    Reg::StoreUnAlign(At<float>(12), reg, unaligned);
  });
}

TEST_F(RegObservedTest, PostUpdatesHappenThoughDenied) {
  observer_.deny = true;
  Reg::RegTensor<float> reg;
  Reg::MaskReg mask = Reg::CreateMask<float>();
  float* address = At<float>(0);
  Reg::LoadAlign<float, PostLiteral::POST_MODE_UPDATE>(reg, address, 8);
  EXPECT_EQ(address, At<float>(32));
  Reg::StoreAlign<float, PostLiteral::POST_MODE_UPDATE>(address, reg, 8, mask);
  EXPECT_EQ(address, At<float>(64));
  EXPECT_TRUE(IsUntouched());
}

TEST_F(RegObservedTest, OldNamesTellTheirOwnPlace) {
  Reg::RegTensor<float> reg;
  const AscendC::twin::VectorScope scope;
  const uint32_t line = __LINE__ + 1;
  Reg::DataCopy(reg, At<float>(0));
  const std::vector<Told> told = observer_.Take();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[1].line, line);
  EXPECT_NE(told[1].file.find("observed_test.cc"), std::string::npos);
}

TEST_F(RegObservedTest, WithoutAnObserverEverythingRuns) {
  observer_.Disconnect();
  Reg::RegTensor<uint8_t> reg;
  Reg::MaskReg mask = Reg::CreateMask<uint8_t, MaskPattern::VL3>();
  __VEC_SCOPE__ {
    Reg::LoadAlign(reg, At<uint8_t>(32));
    Reg::StoreAlign(At<uint8_t>(0), reg, mask);
  }
  EXPECT_EQ(memory_[0], 33);
  EXPECT_EQ(memory_[3], 4);
  EXPECT_TRUE(observer_.Take().empty());
  EXPECT_TRUE(observer_.TakeOperations().empty());
}

}  // namespace
}  // namespace attnres::testing
