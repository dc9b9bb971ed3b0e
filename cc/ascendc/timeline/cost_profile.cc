// Look-up in the profiles; see cost_profile.h.
#include "cc/ascendc/timeline/cost_profile.h"

#include <cctype>
#include <cstring>

namespace attnres::timeline {
namespace {

bool EqualIgnoringCase(const char* left, const char* right) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  while (*left != '\0' && lower(*left) == lower(*right)) {
    ++left;
    ++right;
  }
  return lower(*left) == lower(*right);
}

}  // namespace

const CostProfile* FindCostProfile(const char* name) {
  if (name == nullptr) return nullptr;
  size_t count = 0;
  const CostProfile* profiles = CostProfiles(&count);
  for (size_t i = 0; i < count; ++i) {
    if (EqualIgnoringCase(name, profiles[i].name) ||
        EqualIgnoringCase(name, profiles[i].short_name)) {
      return &profiles[i];
    }
  }
  return nullptr;
}

const InstructionCost* FindInstruction(const InstructionCost* table, size_t count,
                                       const char* name) {
  const InstructionCost* fallback = nullptr;
  for (size_t i = 0; i < count; ++i) {
    if (std::strcmp(table[i].name, name) == 0) return &table[i];
    if (std::strcmp(table[i].name, "Default") == 0) fallback = &table[i];
  }
  return fallback;
}

}  // namespace attnres::timeline
