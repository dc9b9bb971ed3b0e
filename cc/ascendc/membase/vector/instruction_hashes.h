// Runs every vector instruction over pseudo-random data and reports a hash of its results. Compiled
// once per host instruction set (instruction_hashes.cc); instruction_hashes_test.cc compares the
// results with each other and with a table.
#ifndef CC_ASCENDC_MEMBASE_VECTOR_INSTRUCTION_HASHES_H_
#define CC_ASCENDC_MEMBASE_VECTOR_INSTRUCTION_HASHES_H_

#include "cc/ascendc/testing/instruction_hash.h"

namespace attnres::testing {

// What the toolchain's default target gives.
void HashInstructionsDefault(HashReport report, void* context);
// Precondition: the CPU has the instruction set.
void HashInstructionsV3(HashReport report, void* context);
void HashInstructionsV4(HashReport report, void* context);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_MEMBASE_VECTOR_INSTRUCTION_HASHES_H_
