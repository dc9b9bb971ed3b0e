// VectorCost: how long an instruction keeps the vector unit busy, by a SoC's profile: instructions
// on UB, and vector functions by what they did to registers and UB.
#ifndef CC_ASCENDC_TIMELINE_VECTOR_COST_H_
#define CC_ASCENDC_TIMELINE_VECTOR_COST_H_

#include <cstdint>
#include <unordered_map>

#include "cc/ascendc/observe/observer_abi.h"
#include "cc/ascendc/timeline/cost_profile.h"

namespace attnres::timeline {

// What happened inside one vector function.
struct VectorFunctionWork {
  double issues = 0;
  double special_cycles = 0;
  uint64_t loads = 0;
  uint64_t stores = 0;
  double elements = 0;
  double bytes = 0;  // of the elements
};

class VectorCost {
 public:
  explicit VectorCost(const CostProfile& profile) : profile_(profile) {}

  // Of an instruction on UB: start-up, and cycles per 256 bytes, one more where its first two
  // operands that are read lie in the same bank groups.
  double OfInstruction(const AscendcTwinInstruction& instruction);

  // Of a vector function: its start-up and the time that the scarcest of issues, special unit,
  // loads, stores and UB ports takes. Dependencies between registers are not seen.
  double OfFunction(const VectorFunctionWork& work) const;

  // Adds an operation on registers.
  void AddOperation(const char* name, uint32_t element_bytes, VectorFunctionWork* work);

 private:
  using Cache = std::unordered_map<const char*, const InstructionCost*>;

  bool OperandsCollide(const AscendcTwinInstruction& instruction) const;

  const CostProfile& profile_;
  Cache vector_;
  Cache registers_;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_VECTOR_COST_H_
