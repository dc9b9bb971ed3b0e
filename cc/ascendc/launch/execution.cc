// Scheduling of one launch's cores. Cores start in index order; a thread whose cores all wait takes
// the next unstarted one, so a launch needs no more threads than it is given, and no less than one.
#include "cc/ascendc/launch/execution.h"

#include <utility>

#include "cc/ascendc/launch/dump_text.h"
#include "cc/ascendc/launch/futex.h"
#include "cc/ascendc/launch/pause.h"

namespace attnres::launch {

namespace {

// Tries before a thread sleeps: some tens of microseconds, more than cores of equal work differ.
constexpr int kSpins = 2000;

CoreSlot* SlotOf(AscendcTwinCore* core) { return static_cast<CoreSlot*>(core->engine); }

}  // namespace

Execution::ThreadCores& Execution::ThisThread() {
  static thread_local ThreadCores cores;
  return cores;
}

void Execution::Begin(const Launch& launch) {
  launch_ = &launch;
  slots_.Begin(launch.block_num);
  print_log_.Begin(launch);
  next_block_ = 0;
  runnable_ = launch.block_num;
  ended_ = 0;
  arrived_ = 0;
  epoch_ = 0;
  failed_ = false;
  gm_bytes_read_ = 0;
  gm_bytes_written_ = 0;
  ub_bytes_taken_ = 0;
  threads_ = 0;
  message_.clear();
  message_block_ = 0;
  for (uint32_t flag = 0; flag < kFlags; ++flag) {
    flag_sets_[flag] = 0;
    flag_waiters_[flag].clear();
  }
  if (progress_capacity_ < launch.block_num) {
    progress_ = std::make_unique<std::atomic<uint32_t>[]>(launch.block_num);
    progress_capacity_ = launch.block_num;
    order_waiters_.resize(launch.block_num);
  }
  for (uint32_t block = 0; block < launch.block_num; ++block) {
    progress_[block].store(0, std::memory_order_relaxed);
    order_waiters_[block] = nullptr;
  }
  order_waiting_ = 0;
  frontier_ = 0;
  frontier_epoch_ = 0;
}

Status Execution::Finish(LaunchStats* stats) {
  if (stats != nullptr) {
    stats->gm_bytes_read = gm_bytes_read_;
    stats->gm_bytes_written = gm_bytes_written_;
    stats->ub_bytes_taken = ub_bytes_taken_;
    stats->threads = threads_;
  }
  print_log_.Finish();
  launch_ = nullptr;
  return Status{std::move(message_)};
}

void Execution::Work() {
  ThreadCores& cores = ThisThread();
  uint32_t seen = signal_.load();
  bool worked = false;
  while (!failed_.load()) {
    const uint32_t now = signal_.load();
    if (now != seen && !cores.waiting.empty()) {
      seen = now;
      if (ResumeReady(&cores)) {
        seen = now - 1;  // what ran may have left others ready
        continue;
      }
    }
    if (StartNext(&cores)) {
      if (!worked) {
        worked = true;
        threads_.fetch_add(1);
      }
    } else if (cores.waiting.empty()) {
      break;
    } else {
      AwaitSignal(seen);
    }
  }
  cores.waiting.clear();  // not empty after a failure
  cores.idle = nullptr;
}

bool Execution::StartNext(ThreadCores* cores) {
  if (next_block_.load(std::memory_order_relaxed) >= launch_->block_num) {
    return false;
  }
  const uint32_t block = next_block_.fetch_add(1);
  if (block >= launch_->block_num) {
    return false;
  }
  CoreSlot* slot = cores->idle;
  if (slot != nullptr) {
    cores->idle = slot->next;
  } else {
    slot = slots_.TakeUnused(launch_->ub_bytes);
  }
  if (slot == nullptr) {
    Fail(block, "no memory for a core's Unified Buffer of " + std::to_string(launch_->ub_bytes) +
                    " bytes");
    return false;
  }
  PrepareCore(slot, block);
  Resume(slot, cores);
  return true;
}

void Execution::PrepareCore(CoreSlot* slot, uint32_t block) {
  AscendcTwinCore& core = slot->core;
  core = AscendcTwinCore{};
  core.block_idx = block;
  core.block_num = launch_->block_num;
  core.ub = slot->ub;
  core.ub_bytes = launch_->ub_bytes;
  core.tiling_key = launch_->tiling_key;
  core.system_workspace = launch_->system_workspace;
  core.sync_all = &Execution::SyncAll;
  core.sync_some = &Execution::SyncSome;
  core.set_flag = &Execution::SetFlag;
  core.wait_flag = &Execution::WaitFlag;
  core.await_lower_cores = &Execution::AwaitLowerCores;
  core.fail = &Execution::FailCore;
  core.print = &Execution::Print;
  core.dump = &Execution::Dump;
  core.op_name = launch_->op_name;
  core.observer = launch_->observer;
  core.engine = slot;
  slot->execution = this;
  for (uint32_t& waits : slot->flag_waits) {
    waits = 0;
  }
  slot->fiber.Start(&Execution::RunCore, slot);
}

void Execution::Resume(CoreSlot* slot, ThreadCores* cores) {
  slot->phase = CorePhase::kRunning;
  slot->fiber.Resume();
  if (slot->phase == CorePhase::kWaiting) {
    cores->waiting.push_back(slot);
    return;
  }
  gm_bytes_read_.fetch_add(slot->core.gm_bytes_read, std::memory_order_relaxed);
  gm_bytes_written_.fetch_add(slot->core.gm_bytes_written, std::memory_order_relaxed);
  uint64_t most = ub_bytes_taken_.load(std::memory_order_relaxed);
  while (slot->core.ub_bytes_taken > most &&
         !ub_bytes_taken_.compare_exchange_weak(most, slot->core.ub_bytes_taken,
                                                std::memory_order_relaxed)) {
  }
  const uint32_t block = slot->core.block_idx;
  const bool ended = slot->phase == CorePhase::kEnded;
  slot->next = cores->idle;
  cores->idle = slot;
  if (ended) {
    print_log_.CoreEnded(block);
    ended_.fetch_add(1);
    Pass(block, kEnded);
    LosePlace();
  }
}

// Resumes each core that was ready when its turn came, in the order in which they began to wait.
bool Execution::ResumeReady(ThreadCores* cores) {
  std::vector<CoreSlot*>& waiting = cores->waiting;
  bool resumed = false;
  const size_t count = waiting.size();
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    CoreSlot* slot = waiting[i];
    if (failed_.load() || !IsReady(*slot)) {
      waiting[kept++] = slot;
      continue;
    }
    resumed = true;
    Resume(slot, cores);  // may append
  }
  waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(kept),
                waiting.begin() + static_cast<std::ptrdiff_t>(count));
  return resumed;
}

bool Execution::IsReady(const CoreSlot& slot) const {
  return slot.waits_for_epoch ? epoch_.load() != slot.epoch : slot.released.load();
}

void Execution::RunCore(void* argument) {
  auto* slot = static_cast<CoreSlot*>(argument);
  const Launch& launch = *slot->execution->launch_;
  launch.entry(&slot->core, launch.args);
  slot->phase = CorePhase::kEnded;
  slot->fiber.Suspend();
}

// Gives the thread away until the core is ready. The caller has recorded what it waits for.
void Execution::Wait(CoreSlot* slot) {
  LosePlace();
  slot->phase = CorePhase::kWaiting;
  slot->fiber.Suspend();
  if (failed_.load()) {
    Abandon(slot);
  }
}

void Execution::Abandon(CoreSlot* slot) {
  slot->phase = CorePhase::kAbandoned;
  slot->fiber.Suspend();
  __builtin_unreachable();
}

void Execution::SyncAll(AscendcTwinCore* core) { SyncSome(core, core->block_num); }

void Execution::SyncSome(AscendcTwinCore* core, uint32_t count) {
  CoreSlot* slot = SlotOf(core);
  Execution* self = slot->execution;
  if (self->failed_.load()) {
    self->Abandon(slot);
  }
  if (count == 0 || count > core->block_num) {
    FailCore(core, "SyncAll among more cores than the launch has");
  }
  const uint32_t epoch = self->epoch_.load();
  slot->waits_for_epoch = true;
  slot->epoch = epoch;
  self->Pass(core->block_idx, epoch + 1);
  if (self->arrived_.fetch_add(1) + 1 < count) {
    self->Wait(slot);
    return;
  }
  self->arrived_.store(0);
  self->runnable_.fetch_add(static_cast<int64_t>(count) - 1);
  self->epoch_.fetch_add(1);
  self->Signal();
}

void Execution::SetFlag(AscendcTwinCore* core, uint32_t flag) {
  if (flag >= kFlags) {
    FailCore(core, "CrossCoreSetFlag with a flag id above 15");
  }
  Execution* self = SlotOf(core)->execution;
  const std::lock_guard<std::mutex> lock(self->mutex_);
  const uint32_t sets = ++self->flag_sets_[flag];
  auto& waiters = self->flag_waiters_[flag];
  size_t kept = 0;
  for (CoreSlot* waiter : waiters) {
    if (waiter->flag_target <= sets) {
      self->Wake(waiter);
    } else {
      waiters[kept++] = waiter;
    }
  }
  waiters.resize(kept);
}

void Execution::WaitFlag(AscendcTwinCore* core, uint32_t flag) {
  if (flag >= kFlags) {
    FailCore(core, "CrossCoreWaitFlag with a flag id above 15");
  }
  CoreSlot* slot = SlotOf(core);
  Execution* self = slot->execution;
  {
    const std::lock_guard<std::mutex> lock(self->mutex_);
    slot->flag_target = ++slot->flag_waits[flag] * core->block_num;
    if (self->flag_sets_[flag] >= slot->flag_target) {
      return;
    }
    slot->waits_for_epoch = false;
    slot->released.store(false);
    self->flag_waiters_[flag].push_back(slot);
  }
  self->Wait(slot);
}

void Execution::AwaitLowerCores(AscendcTwinCore* core) {
  CoreSlot* slot = SlotOf(core);
  Execution* self = slot->execution;
  const uint32_t block = core->block_idx;
  {
    const std::lock_guard<std::mutex> lock(self->mutex_);
    self->order_waiting_.fetch_add(1);
    self->AdvanceFrontier();
    if (self->frontier_ >= block) {
      self->order_waiting_.fetch_sub(1);
      return;
    }
    slot->waits_for_epoch = false;
    slot->released.store(false);
    self->order_waiters_[block] = slot;
  }
  self->Wait(slot);
}

// Records how far a core has come and wakes the one whose turn that makes it.
void Execution::Pass(uint32_t block, uint32_t progress) {
  progress_[block].store(progress);
  if (order_waiting_.load() == 0) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  AdvanceFrontier();
  if (frontier_ < launch_->block_num && order_waiters_[frontier_] != nullptr) {
    Wake(order_waiters_[frontier_]);
    order_waiters_[frontier_] = nullptr;
    order_waiting_.fetch_sub(1);
  }
}

// Precondition: mutex_ is held.
void Execution::AdvanceFrontier() {
  const uint32_t epoch = epoch_.load();
  if (frontier_epoch_ != epoch) {
    frontier_epoch_ = epoch;
    frontier_ = 0;
  }
  while (frontier_ < launch_->block_num && progress_[frontier_].load() > epoch) {
    ++frontier_;
  }
}

// Precondition: mutex_ is held.
void Execution::Wake(CoreSlot* slot) {
  runnable_.fetch_add(1);
  slot->released.store(true);
  Signal();
}

void Execution::LosePlace() {
  if (runnable_.fetch_sub(1) == 1 && ended_.load() < launch_->block_num) {
    FailDeadlock();
  }
}

void Execution::FailDeadlock() {
  const std::string cores = std::to_string(launch_->block_num);
  const uint32_t arrived = arrived_.load();
  if (arrived > 0) {
    Fail(launch_->block_num,
         "SyncAll reached by " + std::to_string(arrived) + " of " + cores + " cores");
  } else {
    Fail(launch_->block_num,
         "every core of " + cores + " that has not ended waits for a flag that no core will set");
  }
}

void Execution::FailCore(AscendcTwinCore* core, const char* message) {
  CoreSlot* slot = SlotOf(core);
  slot->execution->Fail(core->block_idx, std::string(message) + " (core " +
                                             std::to_string(core->block_idx) + " of " +
                                             std::to_string(core->block_num) + ")");
  slot->execution->Abandon(slot);
}

void Execution::Fail(uint32_t block, std::string message) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (message_.empty() || block < message_block_) {
      message_ = std::string(launch_->op_name) + ": " + message;
      message_block_ = block;
    }
  }
  failed_.store(true);
  Signal();
}

void Execution::Print(AscendcTwinCore* core, const AscendcTwinPlace* place, const char* text) {
  SlotOf(core)->execution->print_log_.Add(core->block_idx, place, text);
}

void Execution::Dump(AscendcTwinCore* core, const AscendcTwinPlace* place,
                     const AscendcTwinDump* dump) {
  PrintLog& log = SlotOf(core)->execution->print_log_;
  if (log.enabled()) {
    log.Add(core->block_idx, place, DumpText(*dump).c_str());
  }
}

void Execution::Signal() {
  signal_.fetch_add(1);
  if (sleepers_.load() > 0) {
    WakeWaiters(signal_, UINT32_MAX);
  }
}

void Execution::AwaitSignal(uint32_t seen) {
  for (int i = 0; i < kSpins; ++i) {
    if (signal_.load(std::memory_order_relaxed) != seen) {
      return;
    }
    Pause();
  }
  sleepers_.fetch_add(1);
  while (signal_.load() == seen) {
    AwaitChange(signal_, seen);
  }
  sleepers_.fetch_sub(1);
}

// The caller may be gone, and the execution in use for another launch, once the count is 0; then a
// wake-up is for nothing, and does no harm.
void Execution::LeaveHelper() {
  if (helpers_inside_.fetch_sub(1) == 1 && caller_sleeps_.load()) {
    WakeWaiters(helpers_inside_, UINT32_MAX);
  }
}

void Execution::AwaitHelpers() {
  for (int i = 0; i < kSpins && helpers_inside_.load() != 0; ++i) {
    Pause();
  }
  if (helpers_inside_.load() == 0) {
    return;
  }
  caller_sleeps_.store(true);
  for (uint32_t inside = helpers_inside_.load(); inside != 0; inside = helpers_inside_.load()) {
    AwaitChange(helpers_inside_, inside);
  }
  caller_sleeps_.store(false);
}

}  // namespace attnres::launch
