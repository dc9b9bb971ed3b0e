// Running the queues of a core's pipes.
#include "cc/ascendc/checks/pipe_queue.h"

#include <cstring>
#include <utility>

namespace attnres::checks {

namespace {

bool Touches(const AscendcTwinInstruction& instruction, uint64_t address, uint64_t bytes,
             bool writes_only) {
  if (instruction.discovers != 0) {
    return true;  // it might
  }
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    if (access.address < address + bytes && address < access.address + access.bytes &&
        (access.is_write != 0 || !writes_only)) {
      return true;
    }
  }
  return false;
}

}  // namespace

// What the scalar unit knows of other pipes; its own accesses are ordered by flags only.
void PipeQueue::Learn(uint32_t pipe, const Clock& issued) {
  for (uint32_t other = 0; other < kPipes; ++other) {
    if (other != kAscendcTwinPipeS && issued.at[other] > clocks_[pipe].at[other]) {
      clocks_[pipe].at[other] = issued.at[other];
    }
  }
}

void PipeQueue::Perform(const AscendcTwinInstruction& instruction, const Clock& issued) {
  const uint32_t pipe = instruction.pipe;
  Learn(pipe, issued);
  const uint32_t number = ++begun_[pipe];
  Clock known = clocks_[pipe];
  if (pipe == kAscendcTwinPipeV && vector_in_order_) {
    known.at[pipe] = number - 1;
  }
  performer_->Perform(instruction, number, known);
}

void PipeQueue::PerformSet(Flag* flag) {
  Clock clock = clocks_[flag->source];
  clock.at[flag->source] = begun_[flag->source];
  flag->Push(clock);
}

PipeQueue::Entry* PipeQueue::Append(uint32_t pipe, Kind kind, const AscendcTwinPlace& place) {
  EntryPointer entry;
  if (spare_.empty()) {
    entry = std::make_unique<Entry>();
  } else {
    entry = std::move(spare_.back());
    spare_.pop_back();
  }
  entry->kind = kind;
  entry->place = place;
  entry->flag = nullptr;
  entry->issued = clocks_[kAscendcTwinPipeS];
  Entry* added = entry.get();
  pending_[pipe].push_back(std::move(entry));
  footprints_[pipe].emplace_back();
  ++pending_count_;
  return added;
}

void PipeQueue::Issue(const AscendcTwinInstruction& instruction) {
  const uint32_t pipe = instruction.pipe;
  if (RunsAtOnce(pipe)) {
    Perform(instruction, clocks_[kAscendcTwinPipeS]);
    return;
  }
  Entry* entry = Append(pipe, Kind::kInstruction, instruction.place);
  entry->instruction = instruction;
  entry->accesses.assign(instruction.accesses, instruction.accesses + instruction.access_count);
  entry->instruction.accesses = entry->accesses.data();
  entry->closure.resize((instruction.closure_bytes + sizeof(Chunk) - 1) / sizeof(Chunk));
  if (instruction.closure_bytes != 0) {
    std::memcpy(entry->closure.data(), instruction.closure, instruction.closure_bytes);
  }
  entry->instruction.closure = entry->closure.data();
  footprints_[pipe].back() = FootprintOf(entry->instruction);
  LimitPending();
}

void PipeQueue::Set(Flag* flag, const AscendcTwinPlace& place) {
  const uint32_t pipe = flag->source;
  if (pipe == kAscendcTwinPipeS || RunsAtOnce(pipe)) {
    Learn(pipe, clocks_[kAscendcTwinPipeS]);
    PerformSet(flag);
    RunReady();
    return;
  }
  Append(pipe, Kind::kSet, place)->flag = flag;
  LimitPending();
}

bool PipeQueue::Wait(Flag* flag, const AscendcTwinPlace& place) {
  const uint32_t pipe = flag->target;
  if (pipe == kAscendcTwinPipeS) {
    if (!RunUntil([flag] { return flag->IsSet(); })) {
      return false;
    }
    clocks_[pipe].Join(flag->Take());
    return true;
  }
  if (RunsAtOnce(pipe) && flag->IsSet()) {
    Learn(pipe, clocks_[kAscendcTwinPipeS]);
    clocks_[pipe].Join(flag->Take());
    return true;
  }
  Append(pipe, Kind::kWait, place)->flag = flag;
  LimitPending();
  return true;
}

void PipeQueue::Barrier(uint32_t pipe, const AscendcTwinPlace& place) {
  if (pipe == kAscendcTwinPipeS) {
    return;
  }
  if (RunsAtOnce(pipe)) {
    Learn(pipe, clocks_[kAscendcTwinPipeS]);
    clocks_[pipe].at[pipe] = begun_[pipe];
    return;
  }
  Append(pipe, Kind::kBarrier, place);
  LimitPending();
}

bool PipeQueue::BarrierAll() {
  if (!RunUntil([this] { return pending_count_ == 0; })) {
    return false;
  }
  for (Clock& clock : clocks_) {
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      clock.at[pipe] = begun_[pipe];
    }
  }
  return true;
}

bool PipeQueue::Drain(uint32_t pipe) {
  return RunUntil([this, pipe] { return pending_[pipe].empty(); });
}

uint64_t PipeQueue::Pages(uint64_t address, uint64_t bytes) {
  constexpr uint32_t kPageBits = 12;
  const uint64_t first = address >> kPageBits;
  const uint64_t count = ((address + bytes - 1) >> kPageBits) - first + 1;
  if (count >= 64) {
    return ~uint64_t{0};
  }
  const uint64_t run = (uint64_t{1} << count) - 1;
  const uint64_t shift = first % 64;
  return shift == 0 ? run : run << shift | run >> (64 - shift);
}

PipeQueue::Footprint PipeQueue::FootprintOf(const AscendcTwinInstruction& instruction) {
  if (instruction.discovers != kAscendcTwinDiscoversNothing) {
    return {~uint64_t{0}, ~uint64_t{0}};  // it might touch anything
  }
  Footprint footprint;
  for (uint32_t i = 0; i < instruction.access_count; ++i) {
    const AscendcTwinAccess& access = instruction.accesses[i];
    (access.is_write != 0 ? footprint.writes : footprint.reads) |=
        Pages(access.address, access.bytes);
  }
  return footprint;
}

bool PipeQueue::AwaitConflicts(uint64_t address, uint64_t bytes, bool writes_only) {
  if (pending_count_ == 0) {
    return true;
  }
  uint64_t until[kPipes] = {};
  const uint64_t pages = Pages(address, bytes);
  for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
    for (size_t i = pending_[pipe].size(); i-- > 0;) {
      const Footprint& footprint = footprints_[pipe][i];
      if (((footprint.writes | (writes_only ? 0 : footprint.reads)) & pages) == 0) {
        continue;
      }
      const Entry& entry = *pending_[pipe][i];
      if (entry.kind == Kind::kInstruction &&
          Touches(entry.instruction, address, bytes, writes_only)) {
        until[pipe] = stepped_[pipe] + i + 1;
        break;
      }
    }
  }
  return RunUntil([&] {
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      if (stepped_[pipe] < until[pipe]) {
        return false;
      }
    }
    return true;
  });
}

bool PipeQueue::MayTouch(uint64_t address, uint64_t bytes) const {
  const uint64_t pages = Pages(address, bytes);
  for (uint32_t pipe = 0; pending_count_ > 0 && pipe < kPipes; ++pipe) {
    for (const Footprint& footprint : footprints_[pipe]) {
      if (((footprint.reads | footprint.writes) & pages) != 0) {
        return true;
      }
    }
  }
  return false;
}

uint32_t PipeQueue::BeginScope(Clock* known) {
  constexpr uint32_t kVector = kAscendcTwinPipeV;
  Learn(kVector, clocks_[kAscendcTwinPipeS]);
  const uint32_t number = ++begun_[kVector];
  *known = clocks_[kVector];
  if (vector_in_order_) {
    known->at[kVector] = number - 1;
  }
  return number;
}

uint32_t PipeQueue::BeginScalar(Clock* known) {
  const uint32_t number = ++begun_[kAscendcTwinPipeS];
  *known = clocks_[kAscendcTwinPipeS];
  known->at[kAscendcTwinPipeS] = number - 1;
  return number;
}

void PipeQueue::ScalarLearns(uint32_t pipe, uint32_t number) {
  uint32_t& at = clocks_[kAscendcTwinPipeS].at[pipe];
  at = number > at ? number : at;
}

// Runs the first entry of the pipe; false if there is none or it waits.
bool PipeQueue::Step(uint32_t pipe) {
  if (pending_[pipe].empty()) {
    return false;
  }
  Entry& first = *pending_[pipe].front();
  if (first.kind == Kind::kWait && !first.flag->IsSet()) {
    return false;
  }
  running_ = std::move(pending_[pipe].front());
  pending_[pipe].pop_front();
  footprints_[pipe].pop_front();
  --pending_count_;
  ++stepped_[pipe];
  Entry* const entry = running_.get();
  switch (entry->kind) {
    case Kind::kInstruction:
      Perform(entry->instruction, entry->issued);
      break;
    case Kind::kSet:
      Learn(pipe, entry->issued);
      PerformSet(entry->flag);
      break;
    case Kind::kWait:
      Learn(pipe, entry->issued);
      clocks_[pipe].Join(entry->flag->Take());
      break;
    case Kind::kBarrier:
      Learn(pipe, entry->issued);
      clocks_[pipe].at[pipe] = begun_[pipe];
      break;
  }
  spare_.push_back(std::move(running_));
  return true;
}

// Runs what the order lets run by itself.
void PipeQueue::RunReady() {
  bool progress = pending_count_ != 0;
  while (progress) {
    progress = false;
    for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
      while (!IsLate(pipe) && Step(pipe)) {
        progress = true;
      }
    }
  }
}

// One entry of a late pipe; copies out come after copies in.
bool PipeQueue::StepLate() {
  for (uint32_t pipe = 0; pipe < kPipes; ++pipe) {
    if (IsLate(pipe) && Step(pipe)) {
      return true;
    }
  }
  return false;
}

template <typename Done>
bool PipeQueue::RunUntil(Done done) {
  RunReady();
  while (!done()) {
    if (!StepLate()) {
      return false;
    }
    RunReady();
  }
  return true;
}

void PipeQueue::LimitPending() {
  if (pending_count_ > kMostPending) {
    RunUntil([this] { return pending_count_ <= kMostPending / 2; });
  }
}

bool PipeQueue::HasPendingSet(const Flag* flag) const {
  for (const EntryPointer& entry : pending_[flag->source]) {
    if (entry->kind == Kind::kSet && entry->flag == flag) {
      return true;
    }
  }
  return false;
}

PipeQueue::Stuck PipeQueue::Describe(const Flag* scalar, const AscendcTwinPlace& place) const {
  Stuck stuck;
  const auto consider = [&](const Flag* flag, const AscendcTwinPlace& at) {
    const bool is_set_behind = HasPendingSet(flag);
    if (stuck.flag == nullptr || (stuck.is_set_behind && !is_set_behind)) {
      stuck.flag = flag;
      stuck.place = at;
      stuck.is_set_behind = is_set_behind;
    }
  };
  if (scalar != nullptr) {
    consider(scalar, place);
  }
  stuck.pipes = "scalar at ";
  stuck.pipes += scalar != nullptr ? scalar->Wait() + " of " : "";
  stuck.pipes += place.file == nullptr ? "the kernel's end" : PlaceText(place);
  for (uint32_t pipe = kAscendcTwinPipeV; pipe < kPipes; ++pipe) {
    stuck.pipes += std::string("; ") + PipeName(pipe);
    if (pending_[pipe].empty()) {
      stuck.pipes += " has nothing to do";
      continue;
    }
    const Entry& first = *pending_[pipe].front();
    if (first.kind == Kind::kWait) {
      consider(first.flag, first.place);
      stuck.pipes += " at " + first.flag->Wait() + " of " + PlaceText(first.place);
    } else {
      stuck.pipes += " at " + PlaceText(first.place);
    }
    stuck.pipes += " with " + std::to_string(pending_[pipe].size() - 1) + " behind it";
  }
  return stuck;
}

}  // namespace attnres::checks
