// Everything by which a kernel orders its pipes or its cores. In run mode a core executes in
// program order, so flags between its own pipes and barriers hold by themselves and need no code;
// only waits between cores reach the engine. The one place to hook for a mode that checks them.
#ifndef CC_ASCENDC_MEMBASE_SYNC_H_
#define CC_ASCENDC_MEMBASE_SYNC_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/positions.h"

ASCENDC_TWIN_BEGIN

// ---- between the pipes of one core

template <HardEvent event>
ASCENDC_TWIN_INLINE void SetFlag(int32_t) {}

template <HardEvent event>
ASCENDC_TWIN_INLINE void WaitFlag(int32_t) {}

template <pipe_t pipe>
ASCENDC_TWIN_INLINE void PipeBarrier() {}

template <MemDsbT target>
ASCENDC_TWIN_INLINE void DataSyncBarrier() {}

template <pipe_t src, pipe_t dst>
class TQueSync {
 public:
  void SetFlag(TEventID) {}
  void WaitFlag(TEventID) {}
};

// The intrinsics that older kernels call.
ASCENDC_TWIN_INLINE void set_flag(pipe_t, pipe_t, int32_t) {}
ASCENDC_TWIN_INLINE void wait_flag(pipe_t, pipe_t, int32_t) {}
ASCENDC_TWIN_INLINE void pipe_barrier(pipe_t) {}

// ---- between cores

template <bool isAIVOnly = true>
inline void SyncAll() {
  twin::SyncAllCores();
}

// The form that a device synchronises through memory. `usedCores`: how many take part, 0 for all.
template <bool isAIVOnly = true>
inline void SyncAll(const GlobalTensor<int32_t>&, const LocalTensor<int32_t>&,
                    const int32_t usedCores = 0) {
  if (usedCores == 0) {
    twin::SyncAllCores();
    return;
  }
  twin::Waiting([usedCores](AscendcTwinCore* core) {
    core->sync_some(core, static_cast<uint32_t>(usedCores));
  });
  twin::State().atomics_ordered = false;
}

// Mode 0, among all vector cores. The other modes order a matrix core and its vector cores: the
// twin has no matrix core.
template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId) {
  static_assert(modeId == 0, "only mode 0, among all vector cores, exists without a matrix core");
  twin::Waiting([flagId](AscendcTwinCore* core) { core->set_flag(core, flagId); });
}

template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId) {
  static_assert(modeId == 0, "only mode 0, among all vector cores, exists without a matrix core");
  twin::Waiting([flagId](AscendcTwinCore* core) { core->wait_flag(core, flagId); });
}

ASCENDC_TWIN_END

using AscendC::pipe_barrier;
using AscendC::set_flag;
using AscendC::wait_flag;

#endif  // CC_ASCENDC_MEMBASE_SYNC_H_
