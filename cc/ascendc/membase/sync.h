// Everything by which a kernel orders its pipes or its cores. In run mode a core executes in
// program order, so flags between its own pipes and barriers hold by themselves and need no code;
// only waits between cores reach the engine. In observed kernels the observer is told of all.
#ifndef CC_ASCENDC_MEMBASE_SYNC_H_
#define CC_ASCENDC_MEMBASE_SYNC_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/pipes.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/positions.h"
#include "cc/ascendc/membase/tell.h"

ASCENDC_TWIN_BEGIN

// ---- between the pipes of one core

namespace twin {

constexpr const char* kNotAPipe =
    "a flag or barrier of a pipe that a vector core does not have: it has S, V, MTE2 and MTE3";

ASCENDC_TWIN_INLINE void TellSetFlag(PipePair pipes, int32_t id) {
  if (pipes.source >= kAscendcTwinPipes || pipes.target >= kAscendcTwinPipes) {
    Violation("synchronisation", kNotAPipe);
  } else {
    Tell(&AscendcTwinObserver::set_flag, pipes.source, pipes.target, id);
  }
}

ASCENDC_TWIN_INLINE void TellWaitFlag(PipePair pipes, int32_t id) {
  if (pipes.source >= kAscendcTwinPipes || pipes.target >= kAscendcTwinPipes) {
    Violation("synchronisation", kNotAPipe);
  } else {
    Tell(&AscendcTwinObserver::wait_flag, pipes.source, pipes.target, id);
  }
}

ASCENDC_TWIN_INLINE void TellBarrier(uint8_t pipe) {
  if (pipe == kNoPipe) {
    Violation("synchronisation", kNotAPipe);
  } else {
    Tell(&AscendcTwinObserver::pipe_barrier, pipe);
  }
}

}  // namespace twin

template <HardEvent event>
ASCENDC_TWIN_INLINE void SetFlag(int32_t eventID ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellSetFlag(twin::PipesOf(event), eventID);
}

template <HardEvent event>
ASCENDC_TWIN_INLINE void WaitFlag(int32_t eventID ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellWaitFlag(twin::PipesOf(event), eventID);
}

template <pipe_t pipe>
ASCENDC_TWIN_INLINE void PipeBarrier(ASCENDC_TWIN_ONLY_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellBarrier(twin::PipeOf(pipe));
}

// Orders what the scalar unit does, which is in order anyway.
template <MemDsbT target>
ASCENDC_TWIN_INLINE void DataSyncBarrier() {}

template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  ASCENDC_TWIN_INLINE void SetFlag(TEventID id ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    twin::TellSetFlag({twin::PipeOf(src), twin::PipeOf(dst)}, id);
  }
  ASCENDC_TWIN_INLINE void WaitFlag(TEventID id ASCENDC_TWIN_PLACE) {
    ASCENDC_TWIN_AT;
    twin::TellWaitFlag({twin::PipeOf(src), twin::PipeOf(dst)}, id);
  }
};

// The intrinsics that older kernels call.
ASCENDC_TWIN_INLINE void set_flag(pipe_t pipe, pipe_t tpipe, int32_t id ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellSetFlag({twin::PipeOf(pipe), twin::PipeOf(tpipe)}, id);
}
ASCENDC_TWIN_INLINE void wait_flag(pipe_t pipe, pipe_t tpipe, int32_t id ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellWaitFlag({twin::PipeOf(pipe), twin::PipeOf(tpipe)}, id);
}
ASCENDC_TWIN_INLINE void pipe_barrier(pipe_t pipe ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  twin::TellBarrier(twin::PipeOf(pipe));
}

// ---- between cores

namespace twin {

// Before a core waits for others: what it issued has run. False: the observer leaves the wait out.
ASCENDC_TWIN_INLINE bool BeginSynchronisation(uint32_t count, bool is_hard) {
#if ASCENDC_TWIN_OBSERVED
  AscendcTwinCore* core = Core();
  return core->observer == nullptr || core->observer->sync_all == nullptr ||
         core->observer->sync_all(core, count, is_hard ? 1 : 0, &State().place) != 0;
#else
  static_cast<void>(count);
  static_cast<void>(is_hard);
  return true;
#endif
}

inline void SynchroniseAll(bool is_hard) {
  if (BeginSynchronisation(0, is_hard)) {
    SyncAllCores();
    Tell(&AscendcTwinObserver::synchronised);
  }
}

}  // namespace twin

template <bool isAIVOnly = true>
inline void SyncAll(ASCENDC_TWIN_ONLY_PLACE) {
  ASCENDC_TWIN_AT;
  twin::SynchroniseAll(true);
}

// The form that a device synchronises through memory: each core has 32 bytes in both. `usedCores`:
// how many take part, 0 for all.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>& gmWorkspace,
                    const LocalTensor<int32_t>& ubWorkspace,
                    const int32_t usedCores = 0 ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  const uint32_t count = static_cast<uint32_t>(usedCores);
  const uint64_t words = uint64_t{count == 0 ? twin::Core()->block_num : count} * 8;
  if (ubWorkspace.GetSize() < words ||
      (gmWorkspace.GetSize() != 0 && gmWorkspace.GetSize() < words)) {
    twin::Violation(
        "memory", "a workspace of SyncAll holds less than 32 bytes for each core: make it larger");
  }
  if (count == 0) {
    twin::SynchroniseAll(false);
    return;
  }
  if (twin::BeginSynchronisation(count, false)) {
    twin::Waiting([count](AscendcTwinCore* core) { core->sync_some(core, count); });
    twin::State().atomics_ordered = false;
    twin::Tell(&AscendcTwinObserver::synchronised);
  }
}

// Mode 0, among all vector cores. The other modes order a matrix core and its vector cores: the
// twin has no matrix core. To an observer a core synchronises with all from the set to the end of
// the wait.
template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId ASCENDC_TWIN_PLACE) {
  static_assert(modeId == 0, "only mode 0, among all vector cores, exists without a matrix core");
  ASCENDC_TWIN_AT;
  if (twin::BeginSynchronisation(0, false)) {
    twin::Waiting([flagId](AscendcTwinCore* core) { core->set_flag(core, flagId); });
  }
}

template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId ASCENDC_TWIN_PLACE) {
  static_assert(modeId == 0, "only mode 0, among all vector cores, exists without a matrix core");
  ASCENDC_TWIN_AT;
  twin::Waiting([flagId](AscendcTwinCore* core) { core->wait_flag(core, flagId); });
  twin::Tell(&AscendcTwinObserver::synchronised);
}

ASCENDC_TWIN_END

using AscendC::pipe_barrier;
using AscendC::set_flag;
using AscendC::wait_flag;

#endif  // CC_ASCENDC_MEMBASE_SYNC_H_
