// Compares the hashes of instructions' results with the table of a test (instruction_hashes_test.cc
// of membase and of reg).
#ifndef CC_ASCENDC_TESTING_INSTRUCTION_HASH_TABLE_H_
#define CC_ASCENDC_TESTING_INSTRUCTION_HASH_TABLE_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include "cc/aclnn/host_isa.h"
#include "cc/ascendc/testing/instruction_hash.h"

namespace attnres::testing {

using HashInstructionsFn = void (*)(HashReport report, void* context);

// Fails the current test with the lines that the table should have where `run` gives other hashes,
// and where an instruction is in one of the two alone.
template <size_t kCount>
void ExpectHashes(HashInstructionsFn run, const InstructionHash (&table)[kCount]) {
  std::map<std::string, uint64_t> hashes;
  run([](void* context, const char* name,
         uint64_t hash) { (*static_cast<std::map<std::string, uint64_t>*>(context))[name] = hash; },
      &hashes);
  std::map<std::string, uint64_t> expected;
  for (const InstructionHash& line : table) {
    expected[line.instruction] = line.hash;
  }
  std::ostringstream wrong;
  for (const auto& [name, hash] : hashes) {
    const auto found = expected.find(name);
    if (found == expected.end() || found->second != hash) {
      wrong << "    {\"" << name << "\", 0x" << std::hex << hash << "ull},\n";
    }
  }
  EXPECT_TRUE(wrong.str().empty())
      << "instructions whose results differ from the table, with their hashes:\n"
      << wrong.str();
  EXPECT_EQ(hashes.size(), expected.size());
}

// The same for code of one instruction set: skipped where the CPU lacks it.
template <size_t kCount>
void ExpectHashesOf(const char* isa, HashInstructionsFn run,
                    const InstructionHash (&table)[kCount]) {
  if (aclnn::IsaRank(isa) == 0) {
    GTEST_SKIP() << "this CPU does not run " << isa;
  }
  ExpectHashes(run, table);
}

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_INSTRUCTION_HASH_TABLE_H_
