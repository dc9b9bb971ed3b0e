// What a described test passes and fails for. The kernel speaks the observer's C interface.
#include "cc/ascendc/testing/kernel_test.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/observe/observer_abi.h"
#include "cc/ascendc/testing/test_values.h"

namespace attnres::testing {
namespace {

constexpr uint32_t kElements = 32;

// The first 40 bytes of UB are a buffer that an instruction fills with 7.
void FillUb(AscendcTwinCore* core) {
  const AscendcTwinPlace made = {"kernels/add.cpp", 30, 5};
  core->observer->buffer(core, 0, 40, &made);
  const AscendcTwinAccess access = {reinterpret_cast<uint64_t>(core->ub), 40, "dst", 1, 1, 0};
  AscendcTwinInstruction fill = {};
  fill.name = "Duplicate";
  fill.place = {"kernels/add.cpp", 31, 5};
  fill.pipe = kAscendcTwinPipeV;
  fill.accesses = &access;
  fill.access_count = 1;
  fill.run = [](const void* closure) {
    std::memset(static_cast<const AscendcTwinCore*>(closure)->ub, 7, 40);
  };
  fill.closure = core;
  fill.closure_bytes = sizeof(*core);
  core->observer->issue(core, &fill);
}

// y[i] = x[i] + bias, by scalar accesses of global memory; with a bias of 3 also one beside x, with
// 4 FillUb.
void AddKernel(AscendcTwinCore* core, void* const* args) {
  const auto* x = static_cast<const float*>(args[0]);
  auto* y = static_cast<float*>(args[1]);
  const uint32_t bias = *static_cast<const uint32_t*>(args[2]);
  const AscendcTwinObserver& observer = *core->observer;
  const AscendcTwinPlace read = {"kernels/add.cpp", 20, 5};
  const AscendcTwinPlace write = {"kernels/add.cpp", 21, 5};
  observer.begin(core);
  for (uint32_t i = 0; i < kElements + (bias == 3 ? 1 : 0); ++i) {
    if (observer.scalar_access(core, reinterpret_cast<uint64_t>(x + i), 4, 0, 1, &read) != 0 &&
        observer.scalar_access(core, reinterpret_cast<uint64_t>(y + i), 4, 1, 1, &write) != 0) {
      y[i] = x[i] + static_cast<float>(bias);
    }
  }
  if (bias == 4) FillUb(core);
  observer.end(core);
}

KernelTest AddTest(const uint32_t* bias, std::vector<double> expected,
                   std::vector<const char*> findings = {}) {
  const Fill compared = expected.empty() ? Fill::kNothing : Fill::kValues;
  return {"add",
          AddKernel,
          "ascend910b",
          1,
          0,
          true,
          {checks::Order::kEager},
          {{ArgumentKind::kInput,
            "x",
            "float32",
            kElements,
            Fill::kValues,
            1,
            0,
            0,
            {1, 2},
            "",
            Fill::kNothing,
            {},
            "",
            0,
            nullptr,
            0},
           {ArgumentKind::kOutput,
            "y",
            "float32",
            kElements,
            Fill::kNothing,
            1,
            0,
            0,
            {},
            "",
            compared,
            std::move(expected),
            "",
            0.01,
            nullptr,
            0},
           {ArgumentKind::kValue,
            "bias",
            "uint8",
            1,
            Fill::kNothing,
            1,
            0,
            0,
            {},
            "",
            Fill::kNothing,
            {},
            "",
            0,
            bias,
            sizeof(*bias)}},
          std::move(findings)};
}

TEST(RunKernelTest, PassesWhatIsRight) {
  const uint32_t bias = 2;
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {3, 4})), "");
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})), "") << "nothing to compare with";
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {3.02, 4.02})), "") << "within 1 percent";
}

TEST(RunKernelTest, SaysWhatRan) {
  const uint32_t bias = 2;
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})), "");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "checked add on ascend910b: 1 block, orders eager, auto-sync on: 0 vector, 0 copy-in "
            "and 0 copy-out instructions, 64 scalar accesses\n");
}

TEST(RunKernelTest, DumpsWhatIsAskedFor) {
  const uint32_t bias = 2;
  setenv("ASCENDC_DUMP", "0@add.cpp:20,1", 1);
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})),
            "ASCENDC_DUMP has '1', expected BUFFER@LINE or BUFFER@FILE:LINE, e.g. "
            "3@kernel.cpp:120");
  setenv("ASCENDC_DUMP", "7@add.cpp:20", 1);
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})), "");
  EXPECT_NE(::testing::internal::GetCapturedStdout().find("nothing to write for 7@add.cpp:20"),
            std::string::npos);
  setenv("ASCENDC_DUMP", "0@kernels/add.cpp:31", 1);
  setenv("TEST_UNDECLARED_OUTPUTS_DIR", ::testing::TempDir().c_str(), 1);
  const uint32_t fills = 4;
  EXPECT_EQ(RunKernelTest(AddTest(&fills, {})), "");
  std::string error;
  const std::string file = ::testing::TempDir() + "/dump_0_kernels_add.cpp_31_core0.npy";
  EXPECT_EQ(ReadNpy(file, 40, &error), std::vector<uint8_t>(40, 7)) << error;
  unsetenv("TEST_UNDECLARED_OUTPUTS_DIR");
  unsetenv("ASCENDC_DUMP");
}

TEST(RunKernelTest, FailsForWrongValues) {
  const uint32_t bias = 2;
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {3, 5})), "y[1] is 4, expected 5 within 0.05\n");
}

TEST(RunKernelTest, FailsForWhatIsFound) {
  const uint32_t bias = 3;
  const std::string wrong = RunKernelTest(AddTest(&bias, {}));
  EXPECT_EQ(wrong.find("not expected: kernels/add.cpp:20: memory [gm-unknown-address]"), 0u)
      << wrong;
}

TEST(RunKernelTest, WritesATraceWhereOneIsAskedFor) {
  const uint32_t bias = 2;
  const std::string file = ::testing::TempDir() + "/trace.json";
  setenv("ASCENDC_TRACE", file.c_str(), 1);
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})), "");
  std::ifstream in(file);
  const std::string trace{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  setenv("ASCENDC_TRACE", "/no/such/folder/trace.json", 1);
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {})), "/no/such/folder/trace.json cannot be written");
  unsetenv("ASCENDC_TRACE");
  EXPECT_NE(trace.find("\"soc\":\"Ascend910B1\",\"cores\":1,"), std::string::npos) << trace;
  EXPECT_NE(trace.find("kernels/add.cpp"), std::string::npos);
}

TEST(RunKernelTest, ExpectedFindingsMustBeThere) {
  const uint32_t bias = 3;
  // The read beside x is not performed, and so the write is not tried.
  EXPECT_EQ(RunKernelTest(AddTest(&bias, {4, 5}, {"gm-unknown-address@add.cpp:20"})), "");
  const std::string wrong = RunKernelTest(AddTest(&bias, {}, {"gm-unknown-address@add.cpp:21"}));
  EXPECT_NE(wrong.find("not expected: "), wrong.npos) << wrong;
  EXPECT_NE(wrong.find("expected, but not found: gm-unknown-address@add.cpp:21\n"), wrong.npos);
  const uint32_t right = 2;
  EXPECT_EQ(RunKernelTest(AddTest(&right, {}, {"ub-race@add.cpp:20"})),
            "expected, but not found: ub-race@add.cpp:20\n");
}

TEST(RunKernelTest, SaysWhatIsWrongWithTheDescription) {
  const uint32_t bias = 2;
  KernelTest test = AddTest(&bias, {});
  test.arguments[0].dtype = "float64";
  EXPECT_EQ(RunKernelTest(test), "x: dtype float64 is not known");
  test = AddTest(&bias, {});
  test.arguments[0].fill = Fill::kFile;
  test.arguments[0].file = "none.npy";
  EXPECT_EQ(RunKernelTest(test), "x: none.npy cannot be opened");
}

}  // namespace
}  // namespace attnres::testing
