// The hash of one instruction's results, and who is told of it.
#ifndef CC_ASCENDC_TESTING_INSTRUCTION_HASH_H_
#define CC_ASCENDC_TESTING_INSTRUCTION_HASH_H_

#include <cstdint>

namespace attnres::testing {

struct InstructionHash {
  const char* instruction;
  uint64_t hash;
};

using HashReport = void (*)(void* context, const char* instruction, uint64_t hash);

}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_INSTRUCTION_HASH_H_
