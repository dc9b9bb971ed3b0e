// What a check is asked to do: CheckOptions, and what it can be asked to change or copy on the way.
#ifndef CC_ASCENDC_CHECKS_OPTIONS_H_
#define CC_ASCENDC_CHECKS_OPTIONS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/checks/finding.h"
#include "cc/ascendc/checks/order.h"

namespace attnres::checks {

enum class CallKind : uint8_t {
  kNone,
  kSetFlag,
  kWaitFlag,
  kPipeBarrier,
  kSyncAll,
  kQueuePair,  // the order that an EnQue and its DeQue give
  kFlagPair,   // the order that a SetFlag and its WaitFlag give, by the place of the SetFlag
  kCopy,
};

// A call in the kernel's source that a Mutation may change. The uses of a call that several
// functions reach are told apart as call_uses.h says.
struct CallSite {
  CallKind kind = CallKind::kNone;
  SourcePlace place;
  uint32_t ordinal = 0;  // since `after`, from 1 on; 0 in a mutation: any use
  SourcePlace after;     // the last place in another file
  // Of a copy that has been recorded: what it moves in global memory, and in how many blocks.
  std::vector<std::string> tensors;
  uint64_t most_blocks = 0;
};

enum class CopyField : uint8_t {
  kBlockCount,
  kBlockBytes,
  kSrcGap,
  kDstGap,
  kSrcOffset,
  kDstOffset,
};

// The site in `sites` with the kind, place and use of `site`, null if there is none.
CallSite* FindSame(std::vector<CallSite>* sites, const CallSite& site);
void AddTensor(const std::string& name, CallSite* site);

// Every call of one kind at one place is dropped; of a copy, `delta` is added to a field. A gap
// counts only where a block follows.
struct Mutation {
  CallSite site;
  CopyField field = CopyField::kBlockCount;
  int64_t delta = 0;
};

// The bytes of a UB buffer (by the number that findings give it) whenever an instruction of the
// line has run; the last of each core stays.
struct DumpRequest {
  uint32_t buffer = 0;
  std::string file;  // the end of its path, or empty: any
  uint32_t line = 0;
};

// "BUFFER@LINE" or "BUFFER@FILE:LINE"; false for another text.
bool ReadDumpRequest(const std::string& text, DumpRequest* request);

struct Dump {
  uint32_t request = 0;  // index
  uint32_t core = 0;
  std::vector<uint8_t> bytes;
};

struct CheckOptions {
  // The compiler orders vector instructions, and the scalar unit's accesses of UB with the others.
  bool auto_sync = true;
  uint32_t arch = 2201;    // or 3510: of __NPU_ARCH__
  uint32_t soc_cores = 0;  // vector cores of the SoC; 0: not checked
  // The orders in which the kernel runs; all rules are looked at in the first, the others are there
  // for their results.
  std::vector<Order> orders = {Order::kEager, Order::kLateCopies};
  size_t most_findings = 200;
  Mutation mutation;
  bool record_call_sites = false;
  std::vector<DumpRequest> dumps;
};

// `path` ends in `end`, at a folder's name.
bool PathEndsIn(const std::string& path, const std::string& end);
// A place as the kernel gives it is that of the site; a column of 0 is any.
bool IsAt(const AscendcTwinPlace& place, const SourcePlace& site);

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_OPTIONS_H_
