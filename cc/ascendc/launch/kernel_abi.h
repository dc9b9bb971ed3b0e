// The layout that the engine and compiled kernels share: plain C, so that kernels in another shared
// library, built for another host instruction set, can be launched. engine.h runs entries of this
// type; membase/core.h is the kernel's view.
#ifndef CC_ASCENDC_LAUNCH_KERNEL_ABI_H_
#define CC_ASCENDC_LAUNCH_KERNEL_ABI_H_

#include <stdint.h>

#include "cc/ascendc/observe/observer_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

// The elements of a dump. Halves and floats are IEEE's.
enum {
  kAscendcTwinSigned = 0,
  kAscendcTwinUnsigned = 1,
  kAscendcTwinFloat = 2,
  kAscendcTwinBfloat16 = 3,
  kAscendcTwinBool = 4,
};

// A tensor that a kernel prints.
typedef struct AscendcTwinDump {
  const void* data;
  uint64_t address;      // for the reader: byte offset in UB, or address in global memory
  const char* position;  // "UB" or "GM"
  uint64_t count;        // elements to print
  uint64_t readable;     // of them, that lie in memory; the text says what is missing
  const uint32_t* shape;
  uint32_t dimensions;  // 0: no shape
  uint32_t desc;        // the kernel's number for the call
  uint8_t element_kind;
  uint8_t element_bytes;
} AscendcTwinDump;

// One virtual vector core during one launch. The engine owns it; the kernel reads it and adds to
// the byte counters.
typedef struct AscendcTwinCore {
  uint32_t block_idx;
  uint32_t block_num;
  uint8_t* ub;  // the core's Unified Buffer, 4096-byte aligned; kept from launch to launch and
                // never cleared
  uint64_t ub_bytes;
  uint64_t gm_bytes_read;
  uint64_t gm_bytes_written;
  uint64_t ub_bytes_taken;  // most that the core's TPipe has handed out
  uint64_t tiling_key;
  uint8_t* system_workspace;  // may be null
  // The following are set by the engine. Those that wait let other cores run on the same thread
  // meanwhile, and do not return once the launch has failed. A wait that nothing can end any more
  // fails the launch.

  // Returns when every core of the launch has called it.
  void (*sync_all)(struct AscendcTwinCore* core);
  // The same among `count` cores.
  void (*sync_some)(struct AscendcTwinCore* core, uint32_t count);
  // A core's n-th wait for `flag` (0 to 15) returns when every core has set it n times.
  void (*set_flag)(struct AscendcTwinCore* core, uint32_t flag);
  void (*wait_flag)(struct AscendcTwinCore* core, uint32_t flag);
  // Returns when every core of lower index has ended or waits in sync_all: from then until this
  // core's own next sync_all or end, what it does comes after theirs and before that of higher ones
  // that ask too.
  void (*await_lower_cores)(struct AscendcTwinCore* core);
  // Ends this core and fails the launch with a copy of `message`. No destructor on the core's stack
  // runs.
  void (*fail)(struct AscendcTwinCore* core, const char* message);
  // Hands lines of a kernel's printf, or a tensor, to the launch's log. `place` is that of the
  // call; null: unknown.
  void (*print)(struct AscendcTwinCore* core, const AscendcTwinPlace* place, const char* text);
  void (*dump)(struct AscendcTwinCore* core, const AscendcTwinPlace* place,
               const AscendcTwinDump* dump);
  const char* op_name;
  void* engine;                         // the engine's own state
  const AscendcTwinObserver* observer;  // of an observed kernel; null: it runs as in run mode
  void* observed;                       // the observer's state of this core
} AscendcTwinCore;

// `args`: one pointer per kernel parameter in its order (inputs, outputs, workspace, tiling). For a
// parameter that is a pointer this is the global-memory address itself; for one passed by value,
// the address of the value.
typedef void (*AscendcTwinKernelEntry)(AscendcTwinCore* core, void* const* args);

#ifdef __cplusplus
}
#endif

#endif  // CC_ASCENDC_LAUNCH_KERNEL_ABI_H_
