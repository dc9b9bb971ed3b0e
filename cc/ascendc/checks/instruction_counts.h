// InstructionCounts: how many instructions a launch gave to each pipe, all cores together. A report
// says it, so that "no finding" cannot mean that nothing ran.
#ifndef CC_ASCENDC_CHECKS_INSTRUCTION_COUNTS_H_
#define CC_ASCENDC_CHECKS_INSTRUCTION_COUNTS_H_

#include <array>
#include <cstdint>
#include <string>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// By pipe. Of the scalar unit its accesses of memory; a vector function is one instruction.
using InstructionCounts = std::array<uint64_t, kAscendcTwinPipes>;

// "6 vector, 2 copy-in and 2 copy-out instructions, 12 scalar accesses".
inline std::string CountsText(const InstructionCounts& counts) {
  return std::to_string(counts[kAscendcTwinPipeV]) + " vector, " +
         std::to_string(counts[kAscendcTwinPipeMte2]) + " copy-in and " +
         std::to_string(counts[kAscendcTwinPipeMte3]) + " copy-out instructions, " +
         std::to_string(counts[kAscendcTwinPipeS]) + " scalar accesses";
}

inline std::string CountsJson(const InstructionCounts& counts) {
  return "{\"vector\":" + std::to_string(counts[kAscendcTwinPipeV]) +
         ",\"copy_in\":" + std::to_string(counts[kAscendcTwinPipeMte2]) +
         ",\"copy_out\":" + std::to_string(counts[kAscendcTwinPipeMte3]) +
         ",\"scalar\":" + std::to_string(counts[kAscendcTwinPipeS]) + "}";
}

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_INSTRUCTION_COUNTS_H_
