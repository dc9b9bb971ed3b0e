// Finding: one fault of a kernel, and FindingList, which keeps each once. Text and JSON are for
// people and programs; the rules are listed in README.md.
#ifndef CC_ASCENDC_CHECKS_FINDING_H_
#define CC_ASCENDC_CHECKS_FINDING_H_

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

struct SourcePlace {
  std::string file;  // empty: unknown
  uint32_t line = 0;
  uint32_t column = 0;
};

SourcePlace CopyPlace(const AscendcTwinPlace& place);

struct Finding {
  std::string category;     // "memory", "initialisation", "race" or "synchronisation"
  std::string rule;         // a stable identifier: "ub-out-of-bounds"
  std::string sentence;     // what happened and what to do
  std::string instruction;  // empty where it is none
  std::string operand;
  uint32_t core = 0;
  std::string pipe;    // "vector"; empty where it is none
  std::string buffer;  // "UB buffer 3, made at file:line" or "GM output grad"; may be empty
  uint64_t begin = 0;  // bytes in UB, or in the named region of global memory; empty if equal
  uint64_t end = 0;
  SourcePlace place;
  SourcePlace other_place;  // the other access, the set, the write
  std::string other_pipe;
  uint64_t count = 1;  // how often it was seen
};

// Several lines, with the places, no line feed at the end.
std::string ToText(const Finding& finding);
std::string ToJson(const Finding& finding);
// A JSON array.
std::string ToJson(const std::vector<Finding>& findings);

// Breaches of an instruction's own rules, told by the instruction: they differ by their sentence.
constexpr char kInstructionRule[] = "instruction-rule";

// The same fault: rule and both places are equal, and the sentence where these do not tell findings
// apart (kInstructionRule, and findings without a place).
bool IsSame(const Finding& a, const Finding& b);
// By category, memory and initialisation first; in each those whose places are known first, into
// the order of the source.
void Sort(std::vector<Finding>* findings);

// Thread-safe; holds one finding of those that are the same.
class FindingList {
 public:
  // At most `most` different ones are kept; later ones are only counted.
  explicit FindingList(size_t most) : most_(most) {}

  // Counts a finding that is known already. False: it is new, and Add wants it in full.
  bool Repeated(const char* rule, const AscendcTwinPlace& place, const AscendcTwinPlace& other);
  void Add(Finding finding);

  // Sorted. The list is empty afterwards.
  std::vector<Finding> Take();
  // How often something was found that is not in the list because it is full.
  size_t dropped() const;

 private:
  mutable std::mutex mutex_;
  size_t most_;
  size_t dropped_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_FINDING_H_
