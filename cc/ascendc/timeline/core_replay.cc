// See core_replay.h.
#include "cc/ascendc/timeline/core_replay.h"

#include <algorithm>

#include "cc/ascendc/timeline/names.h"

namespace attnres::timeline {
namespace {

// The latest of some times, and what it followed from; the first of equal ones.
struct Latest {
  double time;
  Cause cause;
  uint32_t step;

  void Consider(double other, Cause other_cause, uint32_t other_step) {
    if (other > time) *this = {other, other_cause, other_step};
  }
};

}  // namespace

CoreReplay::CoreReplay(const CostProfile& profile, const CoreTrace& trace, double begin)
    : profile_(profile),
      trace_(trace),
      begin_(begin),
      times_(trace.steps.size()),
      flags_(trace.flags.size()),
      scalar_(begin) {}

void CoreReplay::Advance(std::vector<CopyStart>* starts) {
  bool has_moved = true;
  while (has_moved) {
    has_moved = AdvanceScalar();
    for (uint8_t pipe = kAscendcTwinPipeV; pipe < kAscendcTwinPipes; ++pipe) {
      has_moved |= AdvancePipe(pipe, starts);
    }
  }
}

bool CoreReplay::AdvanceScalar() {
  bool has_moved = false;
  while (next_scalar_ < trace_.steps.size() &&
         PassScalarStep(trace_.steps[next_scalar_], &times_[next_scalar_])) {
    ++next_scalar_;
    has_moved = true;
  }
  return has_moved;
}

bool CoreReplay::PassScalarStep(const Step& step, StepTimes* times) {
  switch (step.kind) {
    case StepKind::kRun: {
      const Run& run = trace_.runs[step.index];
      *times = {scalar_, scalar_, scalar_ + run.scalar, next_scalar_ - 1, Cause::kPrevious};
      scalar_ += run.scalar;
      if (run.has_vector()) pipes_[kAscendcTwinPipeV].queue.push_back(next_scalar_);
      return true;
    }
    case StepKind::kCopy:
      scalar_ += profile_.scalar_issue_cycles;
      Push(step.pipe, times);
      return true;
    case StepKind::kSet:
      scalar_ += profile_.flag_cycles;
      Push(step.pipe, times);
      if (step.pipe == kAscendcTwinPipeS) AddToken(step, scalar_);
      return true;
    case StepKind::kWait:
      if (step.pipe == kAscendcTwinPipeS) return AwaitOnScalar(step, times);
      scalar_ += profile_.flag_cycles;
      Push(step.pipe, times);
      return true;
    case StepKind::kBarrier:
      if (step.pipe == kAscendcTwinPipeAll) return AwaitPipes(step, times);
      scalar_ += profile_.flag_cycles;
      Push(step.pipe, times);
      return true;
    case StepKind::kScalarWait:
      return AwaitPipes(step, times);
    case StepKind::kSyncAll:
      return false;
  }
  return false;
}

void CoreReplay::Push(uint8_t pipe, StepTimes* times) {
  *times = {scalar_, scalar_, scalar_, next_scalar_ - 1, Cause::kPrevious};
  if (pipe != kAscendcTwinPipeS && pipe < kAscendcTwinPipes) {
    pipes_[pipe].queue.push_back(next_scalar_);
  }
}

bool CoreReplay::AwaitOnScalar(const Step& step, StepTimes* times) {
  const Token* token = NextToken(step);
  if (token == nullptr) return false;
  Latest latest = {scalar_, Cause::kPrevious, next_scalar_ - 1};
  latest.Consider(token->time, Cause::kFlag, token->step);
  *times = {scalar_, scalar_, latest.time + profile_.flag_cycles, latest.step, latest.cause};
  scalar_ = times->end;
  return true;
}

bool CoreReplay::AwaitPipes(const Step& step, StepTimes* times) {
  const bool all = step.kind == StepKind::kBarrier;
  Latest latest = {scalar_, Cause::kPrevious, next_scalar_ - 1};
  for (uint8_t index = kAscendcTwinPipeV; index < kAscendcTwinPipes; ++index) {
    if (!all && index != step.other) continue;
    const Pipe& pipe = pipes_[index];
    if (!pipe.is_idle()) return false;
    latest.Consider(pipe.visible, Cause::kDone, pipe.last_work);
    latest.Consider(pipe.free, Cause::kFlag, pipe.last_step);
  }
  *times = {scalar_, scalar_, latest.time + profile_.flag_cycles, latest.step, latest.cause};
  scalar_ = times->end;
  return true;
}

bool CoreReplay::AdvancePipe(uint8_t index, std::vector<CopyStart>* starts) {
  Pipe& pipe = pipes_[index];
  bool has_moved = false;
  while (!pipe.is_idle() && !pipe.is_copying) {
    const uint32_t number = pipe.queue[pipe.next];
    if (!PassPipeStep(&pipe, trace_.steps[number], number, &times_[number], starts)) break;
    has_moved = true;
  }
  return has_moved;
}

bool CoreReplay::PassPipeStep(Pipe* pipe, const Step& step, uint32_t number, StepTimes* times,
                              std::vector<CopyStart>* starts) {
  const double idle_since = std::max(pipe->free, times->issued);
  Latest latest = {pipe->free, pipe->last_step == kNoStep ? Cause::kStart : Cause::kPrevious,
                   pipe->last_step};
  latest.Consider(times->issued, Cause::kIssue, number);
  switch (step.kind) {
    case StepKind::kRun:
      DoRun(pipe, step, times);
      pipe->last_work = number;
      break;
    case StepKind::kCopy:
      times->start = latest.time;
      times->cause = latest.cause;
      times->cause_step = latest.step;
      starts->push_back({latest.time + profile_.copy_issue_cycles, number});
      pipe->is_copying = true;
      return true;
    case StepKind::kWait: {
      const Token* token = NextToken(step);
      if (token == nullptr) return false;
      latest.Consider(token->time, Cause::kFlag, token->step);
      *times = {times->issued, idle_since, latest.time, latest.step, latest.cause};
      pipe->free = latest.time;
      break;
    }
    default:  // kSet, kBarrier: after the results of what came before
      latest.Consider(pipe->visible, Cause::kDone, pipe->last_work);
      *times = {times->issued, idle_since, latest.time, latest.step, latest.cause};
      if (step.kind == StepKind::kSet) {
        AddToken(step, latest.time);
        ++pipe->next;
        return true;  // what follows does not wait for the flag
      }
      pipe->free = latest.time;
  }
  pipe->last_step = number;
  ++pipe->next;
  return true;
}

void CoreReplay::DoRun(Pipe* pipe, const Step& step, StepTimes* times) {
  const Run& run = trace_.runs[step.index];
  times->start = std::max(pipe->free, times->issued);
  const double after_vector = pipe->free + run.vector;
  const double after_feed = times->issued + run.feed;
  times->end = std::max(after_vector, after_feed);
  const bool is_fed = after_feed > after_vector || pipe->last_step == kNoStep;
  times->cause = is_fed ? Cause::kIssue : Cause::kPrevious;
  times->cause_step = pipe->last_step;
  pipe->free = times->end;
  pipe->visible = times->end + profile_.vector_drain_cycles;
}

void CoreReplay::EndCopy(uint32_t step, double time) {
  Pipe& pipe = pipes_[trace_.steps[step].pipe];
  const bool is_write = trace_.copies[trace_.steps[step].index].is_write;
  times_[step].end = time;
  pipe.free = time;
  pipe.visible = time + (is_write ? profile_.write_latency_cycles : profile_.read_latency_cycles);
  pipe.last_step = pipe.last_work = step;
  pipe.is_copying = false;
  ++pipe.next;
}

void CoreReplay::AddToken(const Step& step, double time) {
  flags_[step.index].set.push_back({time, static_cast<uint32_t>(&step - trace_.steps.data())});
}

const CoreReplay::Token* CoreReplay::NextToken(const Step& step) {
  FlagState& flag = flags_[step.index];
  return flag.awaited < flag.set.size() ? &flag.set[flag.awaited++] : nullptr;
}

bool CoreReplay::AtSyncAll(uint32_t* count, double* arrival) const {
  if (next_scalar_ >= trace_.steps.size()) return false;
  const Step& step = trace_.steps[next_scalar_];
  if (step.kind != StepKind::kSyncAll) return false;
  *count = step.index;
  *arrival = scalar_;
  return true;
}

void CoreReplay::PassSyncAll(double time) {
  times_[next_scalar_] = {scalar_, scalar_, time, next_scalar_, Cause::kSyncAll};
  scalar_ = time;
  ++next_scalar_;
}

bool CoreReplay::HasEnded() const {
  return next_scalar_ == trace_.steps.size() &&
         std::all_of(std::begin(pipes_), std::end(pipes_),
                     [](const Pipe& pipe) { return pipe.is_idle(); });
}

double CoreReplay::EndTime() const {
  double end = scalar_;
  for (const Pipe& pipe : pipes_) end = std::max({end, pipe.free, pipe.visible});
  return end;
}

bool CoreReplay::LastStep(uint32_t* step) const {
  double end = scalar_;
  bool found = false;
  for (const Pipe& pipe : pipes_) {
    const double pipe_end = std::max(pipe.free, pipe.visible);
    if (pipe_end <= end) continue;
    end = pipe_end;
    *step = pipe.visible >= pipe.free ? pipe.last_work : pipe.last_step;
    found = true;
  }
  return found;
}

double CoreReplay::ScalarEnd(uint32_t step) const {
  const Step& what = trace_.steps[step];
  const StepTimes& times = times_[step];
  if (what.kind == StepKind::kRun) return times.issued + trace_.runs[what.index].scalar;
  const bool blocks = what.pipe == kAscendcTwinPipeS || what.pipe == kAscendcTwinPipeAll;
  return blocks ? times.end : times.issued;
}

std::string CoreReplay::Describe() const {
  std::string text;
  if (next_scalar_ < trace_.steps.size()) {
    const Step& step = trace_.steps[next_scalar_];
    text = "the scalar unit is at " + PlaceName(trace_.places[step.place]);
    if (step.kind == StepKind::kWait) text += ", " + FlagText(trace_.flags[step.index]);
    if (step.kind == StepKind::kSyncAll) text += " in SyncAll";
  } else {
    text = "the scalar unit has ended";
  }
  for (uint8_t pipe = kAscendcTwinPipeV; pipe < kAscendcTwinPipes; ++pipe) Describe(pipe, &text);
  return text;
}

void CoreReplay::Describe(uint8_t index, std::string* text) const {
  const Pipe& pipe = pipes_[index];
  if (pipe.is_idle()) return;
  const Step& step = trace_.steps[pipe.queue[pipe.next]];
  *text +=
      std::string("; pipe ") + PipeName(index) + " is at " + PlaceName(trace_.places[step.place]);
  if (step.kind == StepKind::kWait) *text += ", " + FlagText(trace_.flags[step.index]);
  *text += ", with " + std::to_string(pipe.queue.size() - pipe.next - 1) + " steps behind it";
}

}  // namespace attnres::timeline
