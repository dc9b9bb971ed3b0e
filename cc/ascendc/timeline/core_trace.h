// CoreTrace: what one core did during a launch, in program order and without times:
// core_recorder.cc writes it, simulation.cc puts it on the pipes. Plain records.
//
// Vector and scalar work between two steps that other pipes can see is one Run. Pipes work in
// order, so what a run does to the times s and v at which the scalar and the vector unit become
// free is
//   s' = s + scalar,   v' = max(v + vector, s + feed)
// exactly, whatever s and v are. Equal runs of a core are kept once.
#ifndef CC_ASCENDC_TIMELINE_CORE_TRACE_H_
#define CC_ASCENDC_TIMELINE_CORE_TRACE_H_

#include <cstdint>
#include <limits>
#include <vector>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::timeline {

constexpr double kNever = -std::numeric_limits<double>::infinity();

// An instruction of a run, in cycles. Scalar ones have a duration of 0 and no name.
struct Operation {
  uint32_t place;
  uint32_t name;
  float issue;     // of the scalar unit, before the instruction can start
  float gap;       // that the vector unit waits for a result of its own
  float duration;  // of the vector unit
  bool is_vector;

  bool operator==(const Operation& other) const {
    return place == other.place && name == other.name && issue == other.issue && gap == other.gap &&
           duration == other.duration && is_vector == other.is_vector;
  }
};

struct Run {
  std::vector<Operation> operations;
  double scalar = 0;
  double vector = 0;
  double feed = kNever;
  double vector_busy = 0;
  double longest_gap = 0;

  bool has_vector() const { return feed != kNever; }
};

// `count` blocks of a copy in global memory, `stride` bytes from one to the next.
struct CopyBlocks {
  uint64_t address;
  uint64_t bytes;
  uint32_t count;
  int64_t stride;
};

struct Copy {
  uint32_t name;
  uint32_t first_blocks;  // in CoreTrace::blocks
  uint32_t block_groups;
  uint64_t bytes;
  bool is_write;
  bool bypasses_l2;
};

enum class StepKind : uint8_t {
  kRun,         // index: of the run
  kCopy,        // index: of the copy
  kSet,         // pipe sets flag `index` for pipe `other`
  kWait,        // pipe waits for flag `index` of pipe `other`
  kBarrier,     // pipe waits for its own work; kAscendcTwinPipeAll: the scalar unit for all pipes
  kScalarWait,  // the scalar unit waits for pipe `other`
  kSyncAll,     // index: of how many cores, 0: all
};

struct Step {
  StepKind kind;
  uint8_t pipe;
  uint8_t other;
  uint32_t place;
  uint32_t index;
};

// A flag between two pipes, of SetFlag or of a queue's buffer.
struct FlagName {
  uint8_t source;
  uint8_t target;
  bool of_queue;
  int32_t id;  // or the buffer's offset in UB
};

struct CoreTrace {
  std::vector<Step> steps;
  std::vector<Run> runs;
  std::vector<Copy> copies;
  std::vector<CopyBlocks> blocks;
  std::vector<FlagName> flags;
  std::vector<AscendcTwinPlace> places;
  std::vector<const char*> names;
  uint64_t instructions = 0;
  uint64_t gm_bytes_read = 0;
  uint64_t gm_bytes_written = 0;
  double vector_elements = 0;  // that instructions on UB or operations on registers worked on
  double vector_bytes = 0;     // of these elements
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_CORE_TRACE_H_
