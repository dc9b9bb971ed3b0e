// Every register-based instruction gives the same bits on every host: the results of the
// toolchain's default target, of x86-64-v3 and of x86-64-v4 are compared with one table. A test is
// skipped where the CPU lacks the instruction set, and named after it. After a deliberate change of
// an instruction, take the new lines of the table from the failure's message.
#include "cc/ascendc/reg/instruction_hashes.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/instruction_hashes_expected.h"
#include "cc/ascendc/testing/instruction_hash_table.h"

namespace attnres::testing {
namespace {

TEST(RegInstructionHashesTest, DefaultTarget) {
  ExpectHashes(&HashRegInstructionsDefault, kExpectedRegHashes);
}

#if defined(__x86_64__)

TEST(RegInstructionHashesTest, X86_64_V3) {
  ExpectHashesOf("x86-64-v3", &HashRegInstructionsV3, kExpectedRegHashes);
}

TEST(RegInstructionHashesTest, X86_64_V4) {
  ExpectHashesOf("x86-64-v4", &HashRegInstructionsV4, kExpectedRegHashes);
}

#endif

}  // namespace
}  // namespace attnres::testing
