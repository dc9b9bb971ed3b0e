// Between cores and around a kernel: SyncAll forms, flags, atomics in core order, indices,
// workspace, tiling macros, arguments by value, printf, assertions and dumps.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"
#include "kernel_operator.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelOptions;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

constexpr uint32_t kBlocks = 24;

template <typename T>
GlobalTensor<T> Global(T* data) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer(data);
  return tensor;
}

KernelOptions Cores(uint32_t threads, uint32_t blocks = kBlocks) {
  KernelOptions options;
  options.blocks = blocks;
  options.threads = threads;
  return options;
}

// ---- SyncAll

enum class SyncForm { kHard, kMixed, kSoft, kFlag };

// Every core publishes a line, then adds up all of them: the sums agree only if the cores waited.
template <SyncForm kForm>
void PublishAndSum(int32_t* lines, int32_t* sums) {
  const int64_t core = AscendC::GetBlockIdx();
  const int64_t cores = AscendC::GetBlockNum();
  LocalTensor<int32_t> local(TPosition::VECOUT, 0, 1024);
  for (int i = 0; i < 1024; ++i) {
    local.SetValue(i, static_cast<int32_t>(core + 1));
  }
  GlobalTensor<int32_t> all = Global(lines);
  AscendC::DataCopy(all[core * 1024], local, 1024);  // large enough to bypass the cache
  if constexpr (kForm == SyncForm::kHard) {
    AscendC::SyncAll();
  } else if constexpr (kForm == SyncForm::kMixed) {
    AscendC::SyncAll<false>();
  } else if constexpr (kForm == SyncForm::kSoft) {
    AscendC::SyncAll(all, local);
  } else {
    AscendC::CrossCoreSetFlag<0, PIPE_MTE3>(8);
    AscendC::CrossCoreWaitFlag(8);
  }
  int32_t sum = 0;
  for (int64_t other = 0; other < cores; ++other) {
    sum += all.GetValue(other * 1024 + 1023);
  }
  sums[core] = sum;
}

template <SyncForm kForm>
void ExpectSums() {
  for (const uint32_t threads : {1u, 2u, 5u}) {
    std::vector<int32_t> lines(kBlocks * 1024 + 16, 0);
    std::vector<int32_t> sums(kBlocks, 0);
    const KernelRun run = RunKernel(&AscendcTwinEntry<&PublishAndSum<kForm>>, Cores(threads),
                                    lines.data(), sums.data());
    ASSERT_TRUE(run.status.ok()) << run.status.message;
    for (const int32_t sum : sums) {
      ASSERT_EQ(sum, static_cast<int32_t>(kBlocks * (kBlocks + 1) / 2)) << threads << " threads";
    }
  }
}

TEST(SyncAll, HardForm) { ExpectSums<SyncForm::kHard>(); }
TEST(SyncAll, MixedForm) { ExpectSums<SyncForm::kMixed>(); }
TEST(SyncAll, SoftForm) { ExpectSums<SyncForm::kSoft>(); }
TEST(SyncAll, FlagsBetweenCores) { ExpectSums<SyncForm::kFlag>(); }

// ---- atomics

enum class Atomic { kAdd, kMax, kMin };

template <typename T, Atomic kOperation>
void AtomicRows(T* rows, T* result, uint32_t count) {
  LocalTensor<T> local(TPosition::VECIN, 0, count);
  const uint32_t bytes = count * sizeof(T);
  const AscendC::DataCopyExtParams params(1, bytes, 0, 0, 0);
  AscendC::DataCopyPad(local, Global(rows)[AscendC::GetBlockIdx() * count], params,
                       AscendC::DataCopyPadExtParams<T>());
  if constexpr (kOperation == Atomic::kAdd) {
    AscendC::SetAtomicAdd<T>();
  } else if constexpr (kOperation == Atomic::kMax) {
    AscendC::SetAtomicMax<T>();
  } else {
    AscendC::SetAtomicMin<T>();
  }
  AscendC::DataCopyPad(Global(result), local, params);
  AscendC::SyncAll();
  AscendC::DataCopyPad(Global(result), local, params);
  AscendC::DisableDmaAtomic();
}

template <typename T>
class AtomicOf : public ::testing::Test {};
using AtomicTypes = ::testing::Types<float, half, bfloat16_t, int32_t, int16_t, int8_t>;
TYPED_TEST_SUITE(AtomicOf, AtomicTypes);

template <typename T, Atomic kOperation>
void ExpectAtomic() {
  constexpr uint32_t kCount = 37;
  std::mt19937 random(99);
  std::vector<T> rows(kBlocks * kCount);
  for (T& value : rows) {
    const float real = static_cast<float>(random() % 2001) / 7.0f - 142.0f;
    value = static_cast<T>(real / (sizeof(T) == 1 ? 2 : 1));
  }
  std::vector<T> expected(kCount, T(3));
  for (int pass = 0; pass < 2; ++pass) {
    for (uint32_t core = 0; core < kBlocks; ++core) {
      for (uint32_t i = 0; i < kCount; ++i) {
        const T value = rows[core * kCount + i];
        if (kOperation == Atomic::kAdd) {
          expected[i] = static_cast<T>(expected[i] + value);
        } else if (kOperation == Atomic::kMax ? value > expected[i] : value < expected[i]) {
          expected[i] = value;
        }
      }
    }
  }
  for (const uint32_t threads : {1u, 2u, 7u}) {
    GuardedBuffer<T> result(kCount);
    for (uint32_t i = 0; i < kCount; ++i) {
      result[i] = T(3);
    }
    const KernelRun run = RunKernel(&AscendcTwinEntry<&AtomicRows<T, kOperation>>, Cores(threads),
                                    rows.data(), result.data(), kCount);
    ASSERT_TRUE(run.status.ok()) << run.status.message;
    ASSERT_EQ(std::memcmp(result.data(), expected.data(), kCount * sizeof(T)), 0)
        << threads << " threads";
    ASSERT_TRUE(result.GuardsIntact());
  }
}

TYPED_TEST(AtomicOf, AddHasTheSameBitsOnAnyThreadCount) { ExpectAtomic<TypeParam, Atomic::kAdd>(); }
TYPED_TEST(AtomicOf, Max) { ExpectAtomic<TypeParam, Atomic::kMax>(); }
TYPED_TEST(AtomicOf, Min) { ExpectAtomic<TypeParam, Atomic::kMin>(); }

void AtomicThenPlain(float* result) {
  LocalTensor<float> local(TPosition::VECOUT, 0, 8);
  for (int i = 0; i < 8; ++i) {
    local.SetValue(i, 2.0f);
  }
  AscendC::SetAtomicAdd<float>();
  AscendC::DataCopy(Global(result), local, 8);
  AscendC::DataCopy(Global(result), local, 8);
  AscendC::SetAtomicNone();
  AscendC::DataCopy(Global(result)[8], local, 8);
  AscendC::DataCopy(Global(result)[8], local, 8);
}

TEST(Atomic, EndsWithSetAtomicNone) {
  std::vector<float> result(16, 1.0f);
  ASSERT_TRUE(RunKernel(&AscendcTwinEntry<&AtomicThenPlain>, {}, result.data()).status.ok());
  EXPECT_EQ(result[0], 5.0f);
  EXPECT_EQ(result[8], 2.0f);
}

// ---- indices, arguments, tiling

struct Tiling {
  uint32_t length;
  float scale;
  uint64_t offset;
};

void ReadsEverything(GM_ADDR out, uint32_t count, Tiling by_value, GM_ADDR workspace,
                     GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(Tiling);
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(whole, tiling);
  GET_TILING_DATA_WITH_STRUCT(Tiling, same, tiling);
  GET_TILING_DATA_MEMBER(Tiling, offset, offset, tiling);
  GET_TILING_DATA_PTR_WITH_STRUCT(Tiling, pointer, tiling);
  auto* values = reinterpret_cast<__gm__ uint64_t*>(out) + 16 * AscendC::GetBlockIdx();
  values[0] = count;
  values[1] = by_value.length;
  values[2] = whole.length;
  values[3] = static_cast<uint64_t>(same.scale * 4);
  values[4] = offset;
  values[5] = pointer->offset;
  values[6] = AscendC::GetUserWorkspace(workspace) == workspace;
  values[7] = static_cast<uint64_t>(AscendC::GetBlockNum());
  values[8] = static_cast<uint64_t>(AscendC::GetSubBlockIdx());
  if (TILING_KEY_IS(7)) {
    values[9] = 70;
  } else if (TILING_KEY_IS(9)) {
    values[9] = 90;
  }
  values[10] = AscendC::GetSystemCycle() > 0;
  if ASCEND_IS_AIV {
    values[11] = 1;
  }
}

TEST(Kernel, ArgumentsTilingAndIndices) {
  std::vector<uint64_t> out(32, 0);
  std::vector<uint8_t> odd(sizeof(Tiling) + 1);  // the blob may lie anywhere
  const Tiling tiling{11, 2.5f, uint64_t{1} << 33};
  std::memcpy(odd.data() + 1, &tiling, sizeof(tiling));
  KernelOptions options = Cores(1, 2);
  options.tiling_key = 9;
  uint8_t workspace = 0;
  // A pointer to the struct needs its alignment, so the pointer form is given an aligned blob.
  std::vector<uint64_t> aligned(sizeof(Tiling) / 8);
  std::memcpy(aligned.data(), odd.data() + 1, sizeof(tiling));
  const KernelRun run = RunKernel(&AscendcTwinEntry<&ReadsEverything>, options, out.data(),
                                  uint32_t{5}, Tiling{6, 0, 0}, &workspace, aligned.data());
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  const std::vector<uint64_t> expected = {5, 6,  11, 10, uint64_t{1} << 33, uint64_t{1} << 33, 1, 2,
                                          0, 90, 1,  1};
  for (int core = 0; core < 2; ++core) {
    EXPECT_EQ(std::vector<uint64_t>(&out[16 * core], &out[16 * core + 12]), expected);
  }
}

// ---- messages

// A line of this file as KernelRun has it.
std::string Line(int line, const std::string& text, int core = 0) {
  return std::to_string(core) + ": " + __FILE__ + ":" + std::to_string(line) + ": " + text;
}

constexpr int kPrintsBegin = __LINE__;
void Prints(float* global) {
  LocalTensor<half> tensor(TPosition::VECCALC, 64, 18);
  for (int i = 0; i < 18; ++i) {
    tensor.SetValue(i, i * 0.5f);
  }
  AscendC::printf("core %d: %.2f %s\n", static_cast<int>(AscendC::GetBlockIdx()), half(1.25f),
                  "text");
  AscendC::PRINTF("100%%");
  AscendC::DumpTensor(tensor, 5, 18);
  AscendC::DumpTensor(Global(global), 6, 3);
  AscendC::DumpAccChkPoint(tensor, 7, 16, 2);
  const uint32_t extents[] = {2, 3};
  AscendC::DumpTensor(tensor, 8, 6, AscendC::ShapeInfo(2, extents));
  LocalTensor<int32_t> last(TPosition::VECCALC, 196608 - 8, 2);
  last.SetValue(0, 3);
  last.SetValue(1, 4);
  AscendC::DumpTensor(last, 9, 5);
}

TEST(Debug, PrintfAndDumpReachTheLogWithTheirLine) {
  std::vector<float> global = {0.1f, 2, -3};
  char address[32];
  std::snprintf(address, sizeof(address), "%p", static_cast<void*>(global.data()));
  const KernelRun run = RunKernel(&AscendcTwinEntry<&Prints>, {}, global.data());
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  const int first = kPrintsBegin + 6;
  const std::vector<std::string> expected = {
      Line(first + 1, "core 0: 1.25 text"),  // a macro's call stands where it ends
      Line(first + 2, "100%"),
      Line(first + 3,
           "DumpTensor: desc=5, addr=0x40, data_type=float16, position=UB, dump_size=18"),
      Line(first + 3, "[0] 0 0.5 1 1.5 2 2.5 3 3.5 4 4.5 5 5.5 6 6.5 7 7.5"),
      Line(first + 3, "[16] 8 8.5"),
      Line(first + 4, std::string("DumpTensor: desc=6, addr=") + address +
                          ", data_type=float32, position=GM, dump_size=3"),
      Line(first + 4, "[0] 0.1 2 -3"),
      Line(first + 5, "DumpTensor: desc=7, addr=0x60, data_type=float16, position=UB, dump_size=2"),
      Line(first + 5, "[0] 8 8.5"),
      Line(first + 7, "DumpTensor: desc=8, addr=0x40, data_type=float16, position=UB, dump_size=6"),
      Line(first + 7, "[[0, 0.5, 1],"),
      Line(first + 7, "[1.5, 2, 2.5]]"),
      Line(first + 11,
           "DumpTensor: desc=9, addr=0x2fff8, data_type=int32, position=UB, dump_size=5"),
      Line(first + 11, "[0] 3 4"),
      Line(first + 11, "the other 3 elements are not in UB"),
  };
  EXPECT_EQ(run.lines, expected);
}

// Calls as kernels write them after `using namespace AscendC`, and without it.
constexpr int kSpellingsBegin = __LINE__;
void Spellings() {
  using namespace AscendC;
  const char* format = "from a variable %d";
  printf("no argument\n");
  printf("%u and %.1f", 3u, bfloat16_t(2.5f));
  PRINTF(format, 4);
}
void SpellingsWithout() { printf("found by its format: %d", 5); }

TEST(Debug, PrintfWithoutANamespaceIsTheKernels) {
  KernelRun run = RunKernel(&AscendcTwinEntry<&Spellings>, {});
  EXPECT_EQ(run.lines, (std::vector<std::string>{Line(kSpellingsBegin + 4, "no argument"),
                                                 Line(kSpellingsBegin + 5, "3 and 2.5"),
                                                 Line(kSpellingsBegin + 6, "from a variable 4")}));
  run = RunKernel(&AscendcTwinEntry<&SpellingsWithout>, {});
  EXPECT_EQ(run.lines,
            std::vector<std::string>{Line(kSpellingsBegin + 8, "found by its format: 5")});
}

constexpr int kPrintsMuchBegin = __LINE__;
void PrintsMuch(const char* text) { AscendC::printf("%s|%s\n", text, text); }

TEST(Debug, LongLinesAreWholeAndCoresInOrder) {
  const std::string text(5000, 'x');
  KernelOptions options;
  options.blocks = 12;
  options.threads = 3;
  const KernelRun run = RunKernel(&AscendcTwinEntry<&PrintsMuch>, options, text.c_str());
  std::vector<std::string> expected;
  for (int core = 0; core < 12; ++core) {
    expected.push_back(Line(kPrintsMuchBegin + 1, text + "|" + text, core));
  }
  EXPECT_EQ(run.lines, expected);
}

constexpr int kAssertsBegin = __LINE__;
void Asserts(uint32_t limit) {
  ascendc_assert(limit < 100, "limit is %u\n", limit);
  assert(limit < 10);
}

TEST(Debug, AssertionEndsTheLaunchNotTheProcess) {
  EXPECT_TRUE(RunKernel(&AscendcTwinEntry<&Asserts>, {}, uint32_t{5}).status.ok());
  const std::string file = __FILE__;
  const KernelRun plain = RunKernel(&AscendcTwinEntry<&Asserts>, {}, uint32_t{50});
  EXPECT_EQ(plain.status.message, "kernel: " + file + ":" + std::to_string(kAssertsBegin + 3) +
                                      ": assertion failed: limit < 10 (core 0 of 1)");
  EXPECT_EQ(plain.lines,
            std::vector<std::string>{Line(kAssertsBegin + 3, "assertion failed: limit < 10")});
  const KernelRun said = RunKernel(&AscendcTwinEntry<&Asserts>, {}, uint32_t{500});
  EXPECT_EQ(said.lines, std::vector<std::string>{Line(
                            kAssertsBegin + 2, "assertion failed: limit < 100: limit is 500")});
  EXPECT_EQ(said.status.message, "kernel: " + said.lines[0].substr(3) + " (core 0 of 1)");
}

void Helpers(uint32_t* wrong) {
  static_assert(AscendC::DivCeil(33, 32) == 2 && AscendC::AlignUp(33, 32) == 64, "");
  static_assert(
      AscendC::IsSameType<half, half>::value && AscendC::Std::is_same<float, float>::value, "");
  *wrong += AscendC::Ceil(31, 32) != 1;
  *wrong += AscendC::CeilDivision(7, 0) != 0;
  *wrong += AscendC::Std::min(3, 2) != 2 || AscendC::Std::max(2.5f, 3) != 3.0f;
}

TEST(Kernel, Helpers) {
  uint32_t wrong = 0;
  ASSERT_TRUE(RunKernel(&AscendcTwinEntry<&Helpers>, {}, &wrong).status.ok());
  EXPECT_EQ(wrong, 0u);
}

void FillsGlobal(float* out, uint64_t count) {
  GlobalTensor<float> tensor = Global(out);
  AscendC::InitGlobalMemory(tensor, count, 2.0f);
}

TEST(Kernel, InitGlobalMemory) {
  GuardedBuffer<float> out(5);
  const KernelRun run = RunKernel(&AscendcTwinEntry<&FillsGlobal>, {}, out.data(), uint64_t{5});
  ASSERT_TRUE(run.status.ok());
  EXPECT_EQ(out[4], 2.0f);
  EXPECT_TRUE(out.GuardsIntact());
  EXPECT_EQ(run.stats.gm_bytes_written, 20u);
}

}  // namespace
