// What observed kernels tell about vector instructions: the bytes of every operand in the count and
// the mask/repeat form, and the sentence of each limit that is broken. observed_test_support.h also
// proves each description against what the instruction does.
#include <cstdint>
#include <cstring>
#include <string>

#include "cc/ascendc/membase/observed_test_support.h"
#include "cc/ascendc/membase/vector/vector.h"

namespace attnres::testing {
namespace {

using AscendC::BinaryRepeatParams;
using AscendC::BrcbRepeatParams;
using AscendC::CMPMODE;
using AscendC::CopyRepeatParams;
using AscendC::GatherMaskParams;
using AscendC::GatherRepeatParams;
using AscendC::half;
using AscendC::LocalTensor;
using AscendC::ReduceOrder;
using AscendC::ReduceType;
using AscendC::RoundMode;
using AscendC::SELMODE;
using AscendC::TPosition;
using AscendC::UnaryRepeatParams;

class VectorObserved : public ObservedTest {
 protected:
  template <typename T = float>
  LocalTensor<T> Ub(uint32_t offset) {
    return LocalTensor<T>(TPosition::VECCALC, offset, 1024);
  }

  // The sentences of broken limits that were told.
  std::string Broken() {
    std::string broken;
    const std::string told = Told();
    for (size_t at = 0; at < told.size();) {
      const size_t end = told.find('\n', at);
      if (told.compare(at, 8, "memory: ") == 0) {
        broken += told.substr(at + 8, end - at - 8) + "\n";
      }
      at = end + 1;
    }
    return broken;
  }
};

// What was told by the line before.
#define EXPECT_HERE(lines)         \
  EXPECT_EQ(line_, __LINE__ - 1u); \
  EXPECT_EQ(Told(), lines)

const BinaryRepeatParams kDense;
const UnaryRepeatParams kUnary;
constexpr uint64_t kAll = 64;
constexpr uint8_t kTwice = 2;

TEST_F(VectorObserved, CountForms) {
  Add(Ub(0), Ub(512), Ub(1024), 70);
  EXPECT_HERE("Add V: src0 512+280 src1 1024+280 dst=0+280\n");
  EXPECT_EQ(work_, "70 in 2 of 4");
  Exp(Ub(0), Ub(512), 70);
  EXPECT_HERE("Exp V: src 512+280 dst=0+280\n");
  Muls(Ub<half>(0), Ub<half>(512), half(2.0f), 16);
  EXPECT_HERE("Muls V: src 512+32 dst=0+32\n");
  EXPECT_EQ(work_, "16 in 1 of 2");
  Axpy(Ub(0), Ub<half>(512), half(2.0f), 16);
  EXPECT_HERE("Axpy V: src 512+32 dst 0+64 dst=0+64\n");
  MulAddDst(Ub(0), Ub(512), Ub(1024), 8);
  EXPECT_HERE("MulAddDst V: src0 512+32 src1 1024+32 dst 0+32 dst=0+32\n");
  FusedMulAdd(Ub(0), Ub(512), Ub(1024), 8);
  EXPECT_HERE("FusedMulAdd V: src0 512+32 src1 1024+32 dst 0+32 dst=0+32\n");
  Cast(Ub<half>(0), Ub(512), RoundMode::CAST_RINT, 20);
  EXPECT_HERE("Cast V: src 512+80 dst=0+40\n");
  Duplicate(Ub(0), 1.0f, 9);
  EXPECT_HERE("Duplicate V: dst=0+36\n");
  CreateVecIndex(Ub(0), 1.0f, 9);
  EXPECT_HERE("CreateVecIndex V: dst=0+36\n");
  ShiftRight(Ub<int32_t>(0), Ub<int32_t>(512), 3, 8);
  EXPECT_HERE("ShiftRight V: src 512+32 dst=0+32\n");
  Add(Ub(0), Ub(512), Ub(1024), 0);
  EXPECT_EQ(Told(), "");
}

TEST_F(VectorObserved, Unaligned) {
  Add(Ub(4), Ub(512), Ub(1024), 8);
  EXPECT_HERE("Add V: src0 512+32 src1 1024+32 dst=4+32\n");
  uint64_t second_lane[2] = {2, 0};
  Exp(Ub(4), Ub(512), second_lane, 1, kUnary);
  EXPECT_EQ(Broken(),
            "an operand of a vector instruction does not begin at a multiple of 32 bytes of UB\n");
}

TEST_F(VectorObserved, LeadingLanesAndStrides) {
  Add(Ub(0), Ub(1024), Ub(2048), kAll, kTwice, kDense);
  EXPECT_HERE("Add V: src0 1024+512 src1 2048+512 dst=0+512\n");
  Add(Ub(0), Ub(1024), Ub(2048), uint64_t{10}, kTwice, BinaryRepeatParams(1, 0, 2, 8, 4, 0));
  EXPECT_EQ(Told(),
            "Add V: src0 1024+32 src0 1024+8 src0 1152+32 src0 1152+8 "
            "src1 2048+32 src1 2112+8 src1 2048+32 src1 2112+8 dst=0+40 dst=256+40\n");
  EXPECT_EQ(work_, "20 in 2 of 4");
  Cast(Ub(0), Ub<half>(1024), RoundMode::CAST_NONE, kAll, kTwice, UnaryRepeatParams(1, 1, 8, 4));
  EXPECT_EQ(Told(), "Cast V: src 1024+256 dst=0+512\n");
  Duplicate(Ub(0), 1.0f, uint64_t{1}, 3, 1, 1);
  EXPECT_EQ(Told(), "Duplicate V: dst=0+4 dst=32+4 dst=64+4\n");
  Copy(Ub(0), Ub(1024), uint64_t{8}, kTwice, CopyRepeatParams(1, 1, 8, 1));
  EXPECT_EQ(Told(), "Copy V: src 1024+64 dst=0+32 dst=256+32\n");
  Brcb(Ub(0), Ub(1024), kTwice, BrcbRepeatParams(1, 8));
  EXPECT_EQ(Told(), "Brcb V: src 1024+64 dst=0+512\n");
}

TEST_F(VectorObserved, BitsAndRegisters) {
  uint64_t bits[2] = {0x8000000000000306, 0};
  Exp(Ub(0), Ub(512), bits, 1, kUnary);
  EXPECT_HERE("Exp V: src 516+8/1 src 544+8 src 764+4/1 dst=4+8/1 dst=32+8 dst=252+4/1\n");
  EXPECT_EQ(work_, "5 in 1 of 4");
  AscendC::SetVectorMask<float>(0, 7);
  AscendC::Exp<float, false>(Ub(0), Ub(512), AscendC::MASK_PLACEHOLDER, 1, kUnary);
  EXPECT_HERE("Exp V: src 512+12 dst=0+12\n");
  AscendC::SetMaskCount();
  Exp(Ub(0), Ub(512), uint64_t{70}, 1, kUnary);
  EXPECT_HERE("Exp V: src 512+280 dst=0+280\n");
  AscendC::SetMaskNorm();
  AscendC::ResetMask();
}

TEST_F(VectorObserved, LimitsOfMasksAndStrides) {
  Exp(Ub(0), Ub(512), uint64_t{65}, 1, kUnary);
  EXPECT_EQ(Broken(), "the mask counts more elements than a repeat of 256 bytes holds\n");
  uint64_t bits[2] = {1, 1};
  Exp(Ub(0), Ub(512), bits, 1, kUnary);
  EXPECT_EQ(Broken(),
            "the mask has bits beyond the elements of a repeat: with 4-byte elements mask[1] must "
            "be 0, with 8-byte elements also the upper half of mask[0]\n");
  Exp(Ub<half>(0), Ub<half>(512), bits, 1, kUnary);
  EXPECT_EQ(Broken(), "");
  Exp(Ub(0), Ub(512), uint64_t{8}, 1, UnaryRepeatParams(0, 1, 8, 8));
  EXPECT_EQ(Broken(),
            "dstBlkStride is 0, which a device leaves undefined: use 1 for adjacent blocks\n");
  BlockReduceSum(Ub(0), Ub(1024), 256, 8, 1, 0, 0);
  EXPECT_EQ(Broken(),
            "repeatTime of a reduction is outside 0 to 255: reduce in several instructions\n");
}

TEST_F(VectorObserved, Overlaps) {
  const std::string partly =
      "dst and a source overlap in part within a repeat: they must be the same or apart\n";
  const std::string later =
      "dst of a repeat is a source of a later one, which may have been read before: give dst other "
      "memory\n";
  proves_ = false;                  // overlapping operands change what a second run reads
  Add(Ub(0), Ub(0), Ub(512), 100);  // in place
  Add(Ub(0), Ub(256), Ub(512), 100);
  Add(Ub(0), Ub(512), Ub(0), kAll, kTwice, kDense);
  EXPECT_EQ(Broken(), "");
  Exp(Ub(32), Ub(0), 64);
  EXPECT_EQ(Broken(), partly);
  Exp(Ub(256), Ub(0), 128);
  EXPECT_EQ(Broken(), later);
  // Sums of repeats, one after the other.
  Add(Ub(0), Ub(512), Ub(0), kAll, kTwice, BinaryRepeatParams(1, 1, 1, 0, 8, 0));
  EXPECT_EQ(Broken(), "");
  Div(Ub(0), Ub(512), Ub(0), kAll, kTwice, BinaryRepeatParams(1, 1, 1, 0, 8, 0));
  EXPECT_EQ(Broken(), later);
  Add(Ub(0), Ub(0), Ub(512), kAll, kTwice, BinaryRepeatParams(1, 1, 1, 0, 0, 8));
  EXPECT_EQ(Broken(), later);
  // Narrowing in place is in order, widening is not.
  Cast(Ub<half>(0), Ub(0), RoundMode::CAST_RINT, 128);
  EXPECT_EQ(Broken(), "");
  Cast(Ub(0), Ub<half>(0), RoundMode::CAST_NONE, 128);
  EXPECT_EQ(Broken(), later);
  // From the upper half of the same memory.
  Cast(Ub(0), Ub<half>(256), RoundMode::CAST_NONE, 128);
  EXPECT_EQ(Broken(), "");
}

TEST_F(VectorObserved, Comparisons) {
  Compare(Ub<uint8_t>(0), Ub(512), Ub(1024), CMPMODE::LT, 128);
  EXPECT_HERE("Compare V: src0 512+512 src1 1024+512 dst=0+16\n");
  Compare(Ub<uint8_t>(0), Ub(512), Ub(1024), CMPMODE::LT, kAll, kTwice, kDense);
  EXPECT_HERE("Compare V: src0 512+512 src1 1024+512 dst=0+16\n");
  Compares(Ub<uint8_t>(0), Ub(512), 3.0f, CMPMODE::LT, 64);
  EXPECT_HERE("Compares V: src 512+256 dst=0+8\n");
  CompareScalar(Ub<uint8_t>(0), Ub(512), 3.0f, CMPMODE::LT, kAll, kTwice, kUnary);
  EXPECT_HERE("Compares V: src 512+512 dst=0+16\n");
  Compare(Ub(512), Ub(1024), CMPMODE::LT, kAll, kDense);
  EXPECT_HERE("Compare V: src0 512+256 src1 1024+256\n");
  GetCmpMask(Ub(0));
  EXPECT_HERE("GetCmpMask V: dst=0+16\n");
  SetCmpMask(Ub(0));
  EXPECT_HERE("SetCmpMask V: src 0+16\n");
  Compare(Ub<uint8_t>(0), Ub(512), Ub(1024), CMPMODE::LT, 70);
  EXPECT_EQ(Broken(),
            "a comparison handles whole pieces of 256 bytes and leaves out the rest of its count: "
            "use a multiple\n");
}

TEST_F(VectorObserved, Selections) {
  const SELMODE tensor = SELMODE::VSEL_TENSOR_TENSOR_MODE;
  Select(Ub(0), Ub<uint8_t>(512), Ub(1024), Ub(2048), tensor, 70);
  EXPECT_HERE("Select V: selMask 512+9 src0 1024+280 src1 2048+280 dst=0+280\n");
  Select(Ub(0), Ub<uint8_t>(512), Ub(1024), Ub(2048), tensor, uint64_t{10}, kTwice, kDense);
  EXPECT_EQ(Told(),
            "Select V: selMask 512+2 selMask 520+2/1 src0 1024+40 src0 1280+40 src1 2048+40 src1 "
            "2304+40 dst=0+40 dst=256+40\n");
  Select(Ub(0), Ub<uint8_t>(512), Ub(1024), 1.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 70);
  EXPECT_HERE("Select V: selMask 512+9 src0 1024+280 dst=0+280\n");
  AscendC::Select<float, SELMODE::VSEL_CMPMASK_SPR>(Ub(0), Ub(1024), Ub(2048), 1, kDense);
  EXPECT_HERE("Select V: src0 1024+256 src1 2048+256 dst=0+256\n");
}

TEST_F(VectorObserved, GathersDiscoverWhatTheyRead) {
  for (uint32_t i = 0; i < 64; ++i) {
    Ub<uint32_t>(512).Data()[i] = 4 * (63 - i);
  }
  Gather(Ub(0), Ub(1024), Ub<uint32_t>(512), 64u, 9);
  EXPECT_HERE("Gather V: srcOffset 512+36 dst=0+36\n");
  Gather(Ub(0), Ub(1024), Ub<uint32_t>(512), 0u, uint64_t{8}, 1, 8);
  EXPECT_HERE("Gather V: srcOffset 512+32 dst=0+32\n");
  EXPECT_EQ(Ub(0).Data()[1], Ub(1024).Data()[62]);
  refuses_ = true;
  proves_ = false;
  Gather(Ub(0), Ub(1024), Ub<uint32_t>(512), 0u, 9);
  EXPECT_EQ(Ub(0).Data()[1], 0.0f);
  refuses_ = false;
  proves_ = true;
  Told();
  for (uint32_t i = 0; i < 8; ++i) {
    Ub<uint32_t>(512).Data()[i] = 32 * (7 - i);
  }
  Gatherb(Ub(0), Ub(1024), Ub<uint32_t>(512), 1, GatherRepeatParams(1, 8));
  EXPECT_HERE("Gatherb V: offset 512+32 dst=0+256\n");
  uint64_t kept = 0;
  GatherMask(Ub(0), Ub(1024), 1, false, 0, GatherMaskParams(1, 1, 8, 1), kept);
  EXPECT_HERE("GatherMask V: src0 1024+256\nawait V\n");
  EXPECT_EQ(kept, 32u);
  Ub<uint32_t>(512).Data()[0] = 0x15;
  GatherMask(Ub(0), Ub(1024), Ub<uint32_t>(512), true, 6, GatherMaskParams(1, 1, 8, 1), kept);
  EXPECT_HERE("GatherMask V: src1Pattern 512+1 src0 1024+24\nawait V\n");
  EXPECT_EQ(kept, 3u);
}

TEST_F(VectorObserved, Transpositions) {
  Transpose(Ub<half>(0), Ub<half>(512));
  EXPECT_HERE("Transpose V: src 512+512 dst=0+512\n");
  LocalTensor<half> dst[16];
  LocalTensor<half> src[16];
  for (uint32_t i = 0; i < 16; ++i) {
    dst[i] = Ub<half>(32 * i);
    src[i] = Ub<half>(2048 + 32 * i);
  }
  TransDataTo5HD(dst, src, {});
  EXPECT_HERE("TransDataTo5HD V: src 2048+512 dst=0+512\n");
}

TEST_F(VectorObserved, Reductions) {
  ReduceSum(Ub(4), Ub(512), Ub(4096), 70);
  EXPECT_HERE("ReduceSum V: src 512+280 dst=4+4/4\n");
  ReduceSum(Ub(0), Ub(512), Ub(4096), 10, 2, 8);
  EXPECT_HERE("ReduceSum V: src 512+40 src 768+40 sharedTmpBuffer=4096+8 dst=0+4/4\n");
  ReduceMax(Ub<half>(0), Ub<half>(512), Ub<half>(4096), 70, true);
  EXPECT_HERE("ReduceMax V: src 512+140 dst=0+4/4\n");
  ReduceMin(Ub(0), Ub(512), Ub(4096), 64, 2, 8);
  EXPECT_HERE("ReduceMin V: src 512+512 dst=0+4/4\n");
  WholeReduceSum(Ub(0), Ub(512), 64, 2, 1, 1, 8);
  EXPECT_HERE("ReduceRepeat V: src 512+512 dst=0+8/4\n");
  WholeReduceMax(Ub<half>(0), Ub<half>(512), 128, 2, 3, 1, 8);
  EXPECT_HERE("ReduceRepeat V: src 512+512 dst=0+4/4 dst=12+4/4\n");
  const auto only_index = ReduceOrder::ORDER_ONLY_INDEX;
  AscendC::ReduceRepeat<ReduceType::MIN>(Ub<half>(0), Ub<half>(512), 9, 2, 2, 1, 8, only_index);
  EXPECT_HERE("ReduceRepeat V: src 512+18 src 768+18 dst=0+4/4 dst=8+4/4\n");
  RepeatReduceSum(Ub(0), Ub(512), 2, 64, 0, 1, 1, 8);
  EXPECT_HERE("ReduceRepeat V: src 512+512 dst=0+8/4\n");
  BlockReduceSum(Ub(0), Ub(512), 2, 20, 1, 1, 8);
  EXPECT_HERE("ReduceDataBlock V: src 512+80 src 768+80 dst=0+12/1 dst=32+12/1\n");
  PairReduceSum(Ub(0), Ub(512), 1, 20, 1, 1, 8);
  EXPECT_HERE("ReducePairElem V: src 512+80 dst=0+40/1\n");
}

TEST_F(VectorObserved, RegistersOfReductions) {
  for (uint32_t i = 0; i < 100; ++i) {
    Ub(512).Data()[i] = static_cast<float>(i);
  }
  ReduceSum(Ub(0), Ub(512), Ub(4096), 100);
  Told();
  const float sum = AscendC::GetReduceRepeatSumSpr<float>();
  EXPECT_HERE("await V\n");
  EXPECT_EQ(sum, 4950.0f);
  EXPECT_EQ(AscendC::GetAccVal<half>(), half(4950.0f));
  ReduceMax(Ub(0), Ub(512), Ub(4096), 100, true);
  Told();
  float value = 0;
  uint32_t index = 0;
  float index_bits = 0;
  AscendC::GetReduceRepeatMaxMinSpr(value, index_bits);
  EXPECT_HERE("await V\n");
  std::memcpy(&index, &index_bits, sizeof(index));
  EXPECT_EQ(value, 99.0f);
  EXPECT_EQ(index, 99u);
  value = 0;
  AscendC::GetReduceMaxMinCount(value);
  EXPECT_EQ(value, 99.0f);
}

// A body that runs later sees what the scalar unit had set when it was issued.
TEST_F(VectorObserved, TheMaskOfTheIssue) {
  struct Later {
    static void Issue(AscendcTwinCore*, const AscendcTwinInstruction* instruction) {
      AscendC::SetVectorMask<float>(0, 1);
      AscendC::twin::State().atomic.operation = 3;
      instruction->run(instruction->closure);
      EXPECT_EQ(AscendC::twin::State().vector.mask_low, 1u);
      EXPECT_EQ(AscendC::twin::State().atomic.operation, 3);
    }
  };
  AscendcTwinObserver later = {};
  later.issue = Later::Issue;
  core_.observer = &later;
  uint64_t seen_mask = 0;
  uint8_t seen_operation = 9;
  uint64_t* mask = &seen_mask;
  uint8_t* operation = &seen_operation;
  AscendC::SetVectorMask<float>(0, 7);
  AscendC::twin::Instruct<AscendC::twin::kPipeV>(
      "Test",
      [=] {
        *mask = AscendC::twin::State().vector.mask_low;
        *operation = AscendC::twin::State().atomic.operation;
      },
      [](auto&) {});
  EXPECT_EQ(seen_mask, 7u);
  EXPECT_EQ(seen_operation, 0);
}

}  // namespace
}  // namespace attnres::testing
