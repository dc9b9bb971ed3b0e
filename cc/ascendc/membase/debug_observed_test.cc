// Prints of observed kernels: before a dump all pipes end, global memory is read as far as the
// observer lets, and an assertion that fails has its own place. system_test.cc has the text.
#include <cstdint>
#include <stdexcept>
#include <string>

#include "cc/ascendc/membase/debug.h"
#include "cc/ascendc/membase/observed_test_support.h"

namespace attnres::testing {
namespace {

using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

// What is printed goes between what the observer is told.
std::string* printed = nullptr;

class DebugObserved : public ObservedTest {
 protected:
  DebugObserved() {
    printed = &printed_;
    core_.print = [](AscendcTwinCore*, const AscendcTwinPlace* place, const char* text) {
      *printed += std::to_string(place->line) + ": " + text + "\n";
    };
    core_.dump = [](AscendcTwinCore*, const AscendcTwinPlace* place, const AscendcTwinDump* dump) {
      *printed += std::to_string(place->line) + ": " + dump->position + " " +
                  std::to_string(dump->readable) + " of " + std::to_string(dump->count) + "\n";
    };
  }

  std::string printed_;
};

TEST_F(DebugObserved, ADumpOfUbWaitsForAllPipesAndIsNoAccess) {
  AscendC::DumpTensor(LocalTensor<float>(TPosition::VECCALC, kUbBytes - 64, 16), 0, 20);
  EXPECT_EQ(line_, __LINE__ - 1u);
  EXPECT_EQ(Told(), "barrier ALL\n");
  EXPECT_EQ(printed_, std::to_string(__LINE__ - 3) + ": UB 16 of 20\n");
}

TEST_F(DebugObserved, ADumpOfGlobalMemoryIsAScalarRead) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<float*>(Gm()), 64);
  AscendC::DumpAccChkPoint(tensor, 0, 4, 8);
  EXPECT_EQ(line_, __LINE__ - 1u);
  EXPECT_EQ(Told(), "barrier ALL\nread gm 16+32\n");
  EXPECT_EQ(printed_, std::to_string(__LINE__ - 3) + ": GM 8 of 8\n");
  printed_.clear();
  refuses_ = true;  // as beyond the tensor
  AscendC::DumpTensor(tensor, 0, 8);
  EXPECT_EQ(printed_, std::to_string(__LINE__ - 1) + ": GM 0 of 8\n");
}

TEST_F(DebugObserved, PrintfTellsNothing) {
  AscendC::printf("%d", 3);
  EXPECT_EQ(Told(), "");
  EXPECT_EQ(printed_, std::to_string(__LINE__ - 2) + ": 3\n");
}

TEST_F(DebugObserved, AFailedAssertionHasItsOwnPlace) {
  EXPECT_THROW(ascendc_assert(kUbBytes == 3, "%d", 4), std::runtime_error);
  EXPECT_EQ(line_, __LINE__ - 1u);
  const std::string sentence = "assertion failed: kUbBytes == 3: 4\n";
  EXPECT_EQ(printed_, std::to_string(__LINE__ - 3) + ": " + sentence);
  EXPECT_EQ(Told(), std::string("synchronisation: ") + __FILE__ + ":" +
                        std::to_string(__LINE__ - 5) + ": " + sentence);
}

}  // namespace
}  // namespace attnres::testing
