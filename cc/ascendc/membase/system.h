// What a kernel asks about the machine and its launch: indices, workspace, tiling key, clock.
#ifndef CC_ASCENDC_MEMBASE_SYSTEM_H_
#define CC_ASCENDC_MEMBASE_SYSTEM_H_

#include <time.h>

#include "cc/ascendc/membase/atomic.h"
#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/instruct.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/tell.h"
#include "cc/ascendc/membase/transfer.h"

// Kinds of kernel; numbering is the public one.
enum KernelMetaType : uint8_t {
  KERNEL_TYPE_AIV_ONLY,
  KERNEL_TYPE_AIC_ONLY,
  KERNEL_TYPE_MIX_AIV_1_0,
  KERNEL_TYPE_MIX_AIC_1_0,
  KERNEL_TYPE_MIX_AIC_1_1,
  KERNEL_TYPE_MIX_AIC_1_2,
  KERNEL_TYPE_AICORE,
  KERNEL_TYPE_VECTORCORE,
  KERNEL_TYPE_MIX_AICORE,
  KERNEL_TYPE_MIX_VECTOR_CORE,
  KERNEL_TYPE_MAX,
};

#define ASCENDC_TWIN_IS_VECTOR_TYPE(type)                                 \
  ((type) != KERNEL_TYPE_AIC_ONLY && (type) != KERNEL_TYPE_MIX_AIC_1_0 && \
   (type) != KERNEL_TYPE_MIX_AIC_1_1 && (type) != KERNEL_TYPE_MIX_AIC_1_2)
#define ASCENDC_TWIN_REQUIRE_VECTOR_TYPE(type)            \
  static_assert(ASCENDC_TWIN_IS_VECTOR_TYPE(type),        \
                "the twin has vector cores only: no AIC " \
                "kernel")
// A declaration, which may stand wherever an assertion may.
#define KERNEL_TASK_TYPE_DEFAULT(type)                      \
  ASCENDC_TWIN_REQUIRE_VECTOR_TYPE(type);                   \
  [[maybe_unused]] const bool ascendc_twin_is_vector_only = \
      AscendC::twin::TellKernelType((type) == KERNEL_TYPE_AIV_ONLY)
#define KERNEL_TASK_TYPE(key, type) ASCENDC_TWIN_REQUIRE_VECTOR_TYPE(type)

ASCENDC_TWIN_BEGIN

namespace twin {

ASCENDC_TWIN_INLINE bool TellKernelType(bool is_vector_only) {
  Tell(&AscendcTwinObserver::kernel_type, is_vector_only ? 1 : 0);
  return is_vector_only;
}

}  // namespace twin

ASCENDC_TWIN_INLINE int64_t GetBlockIdx() { return twin::Core()->block_idx; }
ASCENDC_TWIN_INLINE int64_t GetBlockNum() { return twin::Core()->block_num; }
// One vector core per block.
ASCENDC_TWIN_INLINE int64_t GetSubBlockIdx() { return 0; }
ASCENDC_TWIN_INLINE int64_t GetSubBlockNum() { return 1; }
ASCENDC_TWIN_INLINE int64_t GetTaskRatio() { return 1; }
ASCENDC_TWIN_INLINE int64_t GetTaskRation() { return GetTaskRatio(); }
constexpr int16_t GetDataBlockSizeInBytes() { return 32; }

ASCENDC_TWIN_INLINE uint32_t GetRuntimeUBSize() {
  return static_cast<uint32_t>(twin::Core()->ub_bytes);
}

// Ticks of the device's counter: 50 MHz on A2 and A3, 1 GHz on 950.
inline int64_t GetSystemCycle() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  const int64_t nanoseconds = static_cast<int64_t>(now.tv_sec) * 1000000000 + now.tv_nsec;
#if __NPU_ARCH__ == 3510
  return nanoseconds;
#else
  return nanoseconds / 20;
#endif
}

[[noreturn]] inline void Trap(ASCENDC_TWIN_ONLY_PLACE) {
  ASCENDC_TWIN_AT;
  twin::Fail("the kernel called Trap");
}

// As on a fresh core, for kernels that use no TPipe.
inline void InitSocState() { DisableDmaAtomic(); }

// The twin's workspace has no part for the system, so the user's begins where the kernel's argument
// points.
ASCENDC_TWIN_INLINE GM_ADDR GetUserWorkspace(GM_ADDR workspace) { return workspace; }
ASCENDC_TWIN_INLINE GM_ADDR GetSysWorkSpacePtr() { return twin::Core()->system_workspace; }
ASCENDC_TWIN_INLINE void SetSysWorkspace(GM_ADDR workspace) {
  twin::Core()->system_workspace = workspace;
}
ASCENDC_TWIN_INLINE void SetSysWorkspaceForce(GM_ADDR workspace) { SetSysWorkspace(workspace); }

// Fills `size` elements of global memory; on a device, by copies out of UB.
template <typename T>
inline void InitGlobalMemory(GlobalTensor<T>& gmWorkspaceAddr, uint64_t size,
                             T value ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  T* data = gmWorkspaceAddr.Data();
  twin::Instruct<twin::kPipeMte3>(
      "InitGlobalMemory",
      [=] {
        twin::CountWritten(size * sizeof(T));
        for (uint64_t i = 0; i < size; ++i) {
          data[i] = value;
        }
      },
      [&](auto& about) {
        about.WriteGm("dst", data, size * sizeof(T));
        about.Work(size, 1, sizeof(T));
      });
}
template <typename T>
inline void InitOutput(GlobalTensor<T> gmWorkspaceAddr, uint32_t size,
                       T value = T(0) ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  InitGlobalMemory(gmWorkspaceAddr, size, value);
}

ASCENDC_TWIN_END

using AscendC::GetSysWorkSpacePtr;

#endif  // CC_ASCENDC_MEMBASE_SYSTEM_H_
