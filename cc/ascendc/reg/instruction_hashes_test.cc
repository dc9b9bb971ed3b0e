// Every register-based instruction gives the same bits on every host: the results of the
// toolchain's default target, of x86-64-v3 and of x86-64-v4 are compared with one table. A test is
// skipped where the CPU lacks the instruction set, and named after it. After a deliberate change of
// an instruction, take the new lines of the table from the failure's message.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "cc/aclnn/host_isa.h"
#include "cc/ascendc/reg/instruction_hashes.h"
#include "cc/ascendc/reg/instruction_hashes_expected.h"

namespace attnres::testing {
namespace {

using Hashes = std::map<std::string, uint64_t>;

Hashes HashesOf(void (*run)(RegHashReport, void*)) {
  Hashes hashes;
  run([](void* context, const char* name,
         uint64_t hash) { (*static_cast<Hashes*>(context))[name] = hash; },
      &hashes);
  return hashes;
}

void CompareWithTable(const Hashes& hashes) {
  Hashes table;
  for (const ExpectedRegHash& expected : kExpectedRegHashes) {
    table[expected.instruction] = expected.hash;
  }
  std::ostringstream wrong;
  for (const auto& [name, hash] : hashes) {
    const auto found = table.find(name);
    if (found == table.end() || found->second != hash) {
      wrong << "    {\"" << name << "\", 0x" << std::hex << hash << "ull},\n";
    }
  }
  EXPECT_TRUE(wrong.str().empty())
      << "instructions whose results differ from the table, with their hashes:\n"
      << wrong.str();
  EXPECT_EQ(hashes.size(), table.size());
}

TEST(RegInstructionHashesTest, DefaultTarget) {
  CompareWithTable(HashesOf(&HashRegInstructionsDefault));
}

#if defined(__x86_64__)

TEST(RegInstructionHashesTest, X86_64_V3) {
  if (aclnn::IsaRank("x86-64-v3") == 0) {
    GTEST_SKIP() << "this CPU does not run x86-64-v3";
  }
  CompareWithTable(HashesOf(&HashRegInstructionsV3));
}

TEST(RegInstructionHashesTest, X86_64_V4) {
  if (aclnn::IsaRank("x86-64-v4") == 0) {
    GTEST_SKIP() << "this CPU does not run x86-64-v4";
  }
  CompareWithTable(HashesOf(&HashRegInstructionsV4));
}

#endif

}  // namespace
}  // namespace attnres::testing
