// CoreReplay: one core's trace on its pipes. Each works in order; it starts a step when its earlier
// ones are done, the scalar unit has issued it and the flags it waits for are set. How long copies
// take is not its business: simulation.cc, which replays all cores together, says when they end.
#ifndef CC_ASCENDC_TIMELINE_CORE_REPLAY_H_
#define CC_ASCENDC_TIMELINE_CORE_REPLAY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "cc/ascendc/timeline/core_trace.h"
#include "cc/ascendc/timeline/cost_profile.h"

namespace attnres::timeline {

// What a step's time followed from.
enum class Cause : uint8_t {
  kStart,     // nothing came before
  kPrevious,  // the step before it on its pipe
  kIssue,     // the scalar unit
  kFlag,      // the step that set the flag
  kDone,  // results of the work before it, after their latency: of its pipe, or of the one waited
          // for
  kSyncAll,  // another core
};

// In cycles since the launch began on the device.
struct StepTimes {
  double issued = 0;  // the scalar unit had handed it over; of a run: began to
  double start = 0;
  double end = 0;
  uint32_t cause_step = 0;  // of a run whatever its cause: at whose end its pipe became free
  Cause cause = Cause::kStart;
};

struct CopyStart {
  double time;
  uint32_t step;
};

class CoreReplay {
 public:
  // The core begins at `begin`.
  CoreReplay(const CostProfile& profile, const CoreTrace& trace, double begin);

  // Puts on the pipes what can go there before a copy ends or a SyncAll is passed. Copies whose
  // bytes begin to move are added to `starts`.
  void Advance(std::vector<CopyStart>* starts);
  // The bytes of that copy have moved.
  void EndCopy(uint32_t step, double time);

  // Whether it waits in a SyncAll; of `*count` cores, since `*arrival`.
  bool AtSyncAll(uint32_t* count, double* arrival) const;
  void PassSyncAll(double time);

  double begin() const { return begin_; }
  bool HasEnded() const;
  // When everything had ended, results included. Precondition: HasEnded().
  double EndTime() const;
  // The step that EndTime follows from; false: the scalar unit, after its last step.
  bool LastStep(uint32_t* step) const;
  // What each pipe waits for, one sentence.
  std::string Describe() const;

  const std::vector<StepTimes>& times() const { return times_; }
  const CoreTrace& trace() const { return trace_; }
  // When the scalar unit had dealt with the step.
  double ScalarEnd(uint32_t step) const;
  uint32_t next_scalar_step() const { return next_scalar_; }

 private:
  static constexpr uint32_t kNoStep = UINT32_MAX;

  struct Token {
    double time;
    uint32_t step;
  };
  struct FlagState {
    std::vector<Token> set;
    size_t awaited = 0;
  };
  struct Pipe {
    std::vector<uint32_t> queue;  // steps issued to it
    size_t next = 0;
    double free = 0;               // may start its next step
    double visible = 0;            // results of its work can be read
    uint32_t last_step = kNoStep;  // at whose end it became free
    uint32_t last_work = kNoStep;
    bool is_copying = false;

    bool is_idle() const { return next == queue.size(); }
  };

  bool AdvanceScalar();
  bool PassScalarStep(const Step& step, StepTimes* times);
  bool AwaitOnScalar(const Step& step, StepTimes* times);
  bool AwaitPipes(const Step& step, StepTimes* times);
  bool AdvancePipe(uint8_t index, std::vector<CopyStart>* starts);
  bool PassPipeStep(Pipe* pipe, const Step& step, uint32_t number, StepTimes* times,
                    std::vector<CopyStart>* starts);
  void DoRun(Pipe* pipe, const Step& step, StepTimes* times);
  void Push(uint8_t pipe, StepTimes* times);
  void AddToken(const Step& step, double time);
  const Token* NextToken(const Step& step);
  void Describe(uint8_t index, std::string* text) const;

  const CostProfile& profile_;
  const CoreTrace& trace_;
  const double begin_;
  std::vector<StepTimes> times_;
  std::vector<FlagState> flags_;
  Pipe pipes_[kAscendcTwinPipes];
  double scalar_;
  uint32_t next_scalar_ = 0;
};

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_CORE_REPLAY_H_
