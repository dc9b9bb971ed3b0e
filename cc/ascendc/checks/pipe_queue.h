// PipeQueue: the four pipes of a core as queues of instructions, sets and waits, run in one of the
// orders of order.h, with the clocks (clocks.h) of what is ordered before what.
//
// Model: the scalar unit issues; each other pipe begins its entries in order. A set passes on what
// its pipe knows and all that the pipe was given before; a wait blocks its pipe until then. An
// entry also knows what the scalar unit knew when it was issued. In an eager order an entry runs at
// once where its pipe is not blocked, and is not copied.
#ifndef CC_ASCENDC_CHECKS_PIPE_QUEUE_H_
#define CC_ASCENDC_CHECKS_PIPE_QUEUE_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "cc/ascendc/checks/clocks.h"
#include "cc/ascendc/checks/flag.h"
#include "cc/ascendc/checks/order.h"
#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// Performs what the queue says. `number` counts the pipe's instructions from 1; `known`: what has
// ended before this one begins.
class Performer {
 public:
  virtual ~Performer() = default;
  virtual void Perform(const AscendcTwinInstruction& instruction, uint32_t number,
                       const Clock& known) = 0;
};

// Functions that return a bool return false if the pipes are stuck: what is asked for waits for a
// flag that is not set.
class PipeQueue {
 public:
  // `vector_in_order`: each vector instruction begins when the one before has ended.
  PipeQueue(Order order, bool vector_in_order, Performer* performer)
      : late_(LatePipes(order)), vector_in_order_(vector_in_order), performer_(performer) {}

  // Precondition: the pipe is not the scalar one.
  void Issue(const AscendcTwinInstruction& instruction);
  void Set(Flag* flag, const AscendcTwinPlace& place);
  bool Wait(Flag* flag, const AscendcTwinPlace& place);
  // Later entries of the pipe begin when earlier ones have ended.
  void Barrier(uint32_t pipe, const AscendcTwinPlace& place);
  // All that was issued has run, and is ordered before all that comes.
  bool BarrierAll();
  // All that the pipe was given has run.
  bool Drain(uint32_t pipe);

  // What was issued and touches the bytes has run: for reads of the scalar unit what writes them.
  bool AwaitConflicts(uint64_t address, uint64_t bytes, bool writes_only);

  // Whether something that was issued and has not run may touch the bytes.
  bool MayTouch(uint64_t address, uint64_t bytes) const;

  // A vector scope begins, whose accesses follow: its number and what it knows. Precondition: the
  // vector pipe is drained.
  uint32_t BeginScope(Clock* known);
  // A number for an access of the scalar unit, and what it knows.
  uint32_t BeginScalar(Clock* known);
  // The scalar unit knows that the pipe's instructions up to `number` have ended.
  void ScalarLearns(uint32_t pipe, uint32_t number);
  uint32_t Begun(uint32_t pipe) const { return begun_[pipe]; }

  // Where a stuck core stands: the first pipe whose wait no set in any queue ends, or else the
  // first that waits. `flag` is null if none waits.
  struct Stuck {
    const Flag* flag = nullptr;
    AscendcTwinPlace place = {nullptr, 0, 0};
    bool is_set_behind = false;  // a set is issued, but behind a wait
    std::string pipes;           // "vector at WaitFlag<MTE2_V>(0) of f.h:12 with 3 behind it; ..."
  };
  // `scalar`: the flag for which the scalar unit waits at `place`, or null.
  Stuck Describe(const Flag* scalar, const AscendcTwinPlace& place) const;

 private:
  // A device's queues are short too; this bounds the memory, not what can be found.
  static constexpr size_t kMostPending = 512;

  enum class Kind : uint8_t { kInstruction, kSet, kWait, kBarrier };
  struct alignas(64) Chunk {
    uint8_t bytes[64];
  };
  struct Entry {
    Kind kind;
    AscendcTwinPlace place;
    Flag* flag;
    Clock issued;  // what the scalar unit knew
    AscendcTwinInstruction instruction;
    std::vector<AscendcTwinAccess> accesses;
    std::vector<Chunk> closure;
  };
  using EntryPointer = std::unique_ptr<Entry>;
  // Which pages of 4 KiB an entry touches, by their numbers modulo 64: what has no bit in common
  // with a range does not touch it.
  struct Footprint {
    uint64_t reads = 0;
    uint64_t writes = 0;
  };
  static uint64_t Pages(uint64_t address, uint64_t bytes);
  static Footprint FootprintOf(const AscendcTwinInstruction& instruction);

  bool IsLate(uint32_t pipe) const { return (late_ >> pipe & 1) != 0; }
  bool RunsAtOnce(uint32_t pipe) const { return !IsLate(pipe) && pending_[pipe].empty(); }
  void Perform(const AscendcTwinInstruction& instruction, const Clock& issued);
  void Learn(uint32_t pipe, const Clock& issued);
  void PerformSet(Flag* flag);
  Entry* Append(uint32_t pipe, Kind kind, const AscendcTwinPlace& place);
  bool Step(uint32_t pipe);
  bool StepLate();
  void RunReady();
  void LimitPending();
  template <typename Done>
  bool RunUntil(Done done);
  bool HasPendingSet(const Flag* flag) const;

  uint32_t late_;  // pipes, a bit each
  bool vector_in_order_;
  Performer* performer_;
  Clock clocks_[kPipes];
  uint32_t begun_[kPipes] = {};
  uint64_t stepped_[kPipes] = {};  // entries that have left pending_
  size_t pending_count_ = 0;
  std::deque<EntryPointer> pending_[kPipes];
  std::deque<Footprint> footprints_[kPipes];  // of pending_
  std::vector<EntryPointer> spare_;
  EntryPointer running_;  // here, not on the stack: a core that fails never returns to it
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_PIPE_QUEUE_H_
