// The costs of vector_cost.h.
#include "cc/ascendc/timeline/vector_cost.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace attnres::timeline {
namespace {

constexpr uint32_t kRepeatBytes = 256;
constexpr uint32_t kDataBlockBytes = 32;
constexpr uint32_t kBlocksPerRepeat = kRepeatBytes / kDataBlockBytes;

double Repeats(const AscendcTwinInstruction& instruction) {
  if (instruction.repeats != 0) return instruction.repeats;
  const double bytes = static_cast<double>(instruction.elements) * instruction.element_bytes;
  if (bytes > 0) return std::ceil(bytes / kRepeatBytes);
  uint64_t most = 0;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    most = std::max(most, instruction.accesses[i].bytes);
  }
  return std::ceil(static_cast<double>(most) / kRepeatBytes);
}

double PerCycle(double count, double per_cycle) { return per_cycle > 0 ? count / per_cycle : 0; }

}  // namespace

double VectorCost::OfInstruction(const AscendcTwinInstruction& instruction) {
  auto [entry, is_new] = vector_.try_emplace(instruction.name, nullptr);
  if (is_new) {
    entry->second = FindInstruction(profile_.vector, profile_.vector_count, instruction.name);
  }
  const InstructionCost& cost = *entry->second;
  const double repeats = Repeats(instruction);
  if (repeats == 0) return 0;
  const double per_repeat =
      cost.second(instruction.element_bytes) + (OperandsCollide(instruction) ? 1 : 0);
  return cost.first(instruction.element_bytes) + per_repeat * repeats;
}

bool VectorCost::OperandsCollide(const AscendcTwinInstruction& instruction) const {
  if (profile_.bank_groups == 0) return false;
  const AscendcTwinAccess* first = nullptr;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.is_write != 0 || access.is_gm != 0 || access.bytes < kRepeatBytes) continue;
    if (first == nullptr) {
      first = &access;
      continue;
    }
    if (std::strcmp(first->operand, access.operand) == 0) continue;
    // The 8 DataBlocks that either reads in a cycle lie in neighbouring groups.
    const uint64_t apart = (access.address - first->address) / kDataBlockBytes;
    const uint64_t groups = apart % profile_.bank_groups;
    return groups < kBlocksPerRepeat || groups > profile_.bank_groups - kBlocksPerRepeat;
  }
  return false;
}

double VectorCost::OfFunction(const VectorFunctionWork& work) const {
  const double loads = static_cast<double>(work.loads);
  const double stores = static_cast<double>(work.stores);
  const double busiest = std::max(
      {PerCycle(work.issues, profile_.vf_issues_per_cycle), work.special_cycles,
       PerCycle(loads, profile_.vf_loads_per_cycle), PerCycle(stores, profile_.vf_stores_per_cycle),
       PerCycle(loads + stores, profile_.vf_ub_accesses_per_cycle)});
  return profile_.vf_startup_cycles + busiest;
}

void VectorCost::AddOperation(const char* name, uint32_t element_bytes, VectorFunctionWork* work) {
  if (profile_.register_count == 0) return;
  auto [entry, is_new] = registers_.try_emplace(name, nullptr);
  if (is_new) {
    entry->second = FindInstruction(profile_.registers, profile_.register_count, name);
  }
  const double issues = entry->second->first(element_bytes);
  work->issues += issues;
  work->special_cycles += entry->second->second(element_bytes);
  if (issues > 0 && element_bytes > 0) {
    work->elements += static_cast<double>(kRepeatBytes) / element_bytes;
    work->bytes += static_cast<double>(kRepeatBytes);
  }
}

}  // namespace attnres::timeline
