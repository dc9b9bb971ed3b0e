// Runs the register-based instructions over pseudo-random data and reports a hash of the results of
// each. Compiled once per host instruction set (instruction_hashes.cc); instruction_hashes_test.cc
// compares the results with each other and with a table.
#ifndef CC_ASCENDC_REG_INSTRUCTION_HASHES_H_
#define CC_ASCENDC_REG_INSTRUCTION_HASHES_H_

#include "cc/ascendc/testing/instruction_hash.h"

namespace attnres::testing {

// What the toolchain's default target gives.
void HashRegInstructionsDefault(HashReport report, void* context);
// Precondition: the CPU has the instruction set.
void HashRegInstructionsV3(HashReport report, void* context);
void HashRegInstructionsV4(HashReport report, void* context);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_REG_INSTRUCTION_HASHES_H_
