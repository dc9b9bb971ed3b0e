// Runs the register-based instructions over pseudo-random data and reports a hash of the results of
// each. Compiled once per host instruction set (instruction_hashes.cc); instruction_hashes_test.cc
// compares the results with each other and with a table.
#ifndef CC_ASCENDC_REG_INSTRUCTION_HASHES_H_
#define CC_ASCENDC_REG_INSTRUCTION_HASHES_H_

#include <cstdint>

namespace attnres::testing {

using RegHashReport = void (*)(void* context, const char* instruction, uint64_t hash);

// What the toolchain's default target gives.
void HashRegInstructionsDefault(RegHashReport report, void* context);
// Precondition: the CPU has the instruction set.
void HashRegInstructionsV3(RegHashReport report, void* context);
void HashRegInstructionsV4(RegHashReport report, void* context);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_REG_INSTRUCTION_HASHES_H_
