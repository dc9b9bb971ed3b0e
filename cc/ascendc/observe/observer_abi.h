// What an observed kernel tells about itself: plain C, between kernels that were compiled with
// ASCENDC_TWIN_OBSERVED=1 and the observer of a launch. An observer decides when instructions run
// and what they cost or violate: checks/ and timeline/ are the two of the twin. Kernels of run mode
// contain none of this.
//
// A core issues instructions in program order to its pipes. All functions are called on the core's
// own fiber, and those of different cores at the same time from different threads.
#ifndef CC_ASCENDC_OBSERVE_OBSERVER_ABI_H_
#define CC_ASCENDC_OBSERVE_OBSERVER_ABI_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct AscendcTwinCore;

// The pipes of a vector core that order memory: scalar, vector, copy-in (global memory to UB),
// copy-out (UB to global memory).
enum {
  kAscendcTwinPipeS = 0,
  kAscendcTwinPipeV = 1,
  kAscendcTwinPipeMte2 = 2,
  kAscendcTwinPipeMte3 = 3,
  kAscendcTwinPipes = 4,
  kAscendcTwinPipeAll = 255,
};

// An instruction whose accesses are not among the described ones, but come through vector_access.
enum {
  kAscendcTwinDiscoversNothing = 0,
  // A vector function: while `run` runs.
  kAscendcTwinDiscoversInRun = 1,
  // A block __VEC_SCOPE__ or a register access outside any vector function: `run` does nothing, the
  // kernel goes on after issue and calls vector_end. What the vector unit must do before has run
  // when issue returns.
  kAscendcTwinDiscoversUntilEnd = 2,
};

// The kinds of access that LocalMemBar orders inside a vector function, numbered as its MemType.
enum {
  kAscendcTwinVecStore = 0,
  kAscendcTwinVecLoad = 1,
  kAscendcTwinScalarStore = 2,
  kAscendcTwinScalarLoad = 3,
  kAscendcTwinVecAll = 4,
  kAscendcTwinScalarAll = 5,
};

// A call in a kernel's source. `file` is as the compiler was given it and lives as long as the
// kernel's library; null where the source is unknown.
typedef struct AscendcTwinPlace {
  const char* file;
  uint32_t line;
  uint32_t column;
} AscendcTwinPlace;

// Contiguous bytes that an instruction reads or writes.
typedef struct AscendcTwinAccess {
  uint64_t address;  // on the host: in the core's UB or in global memory
  uint64_t bytes;
  const char* operand;  // "dst", "src0", ...
  uint16_t alignment;   // in bytes, that the instruction demands of this address; 1: none
  uint8_t is_write;
  uint8_t is_gm;
} AscendcTwinAccess;

typedef struct AscendcTwinInstruction {
  const char* name;  // as in the kernel: "Add", "DataCopyPad"
  AscendcTwinPlace place;
  uint8_t pipe;
  uint8_t element_bytes;  // of the widest operand
  uint8_t discovers;      // what kAscendcTwinDiscovers... says
  uint8_t is_atomic;      // writes to global memory accumulate
  uint32_t repeats;       // of 256 bytes, or blocks of a copy
  uint64_t elements;      // that take part
  const AscendcTwinAccess* accesses;
  uint32_t access_count;
  // Performs it. The observer copies `closure_bytes` of `closure` where it runs it later.
  void (*run)(const void* closure);
  const void* closure;
  uint32_t closure_bytes;
  uint8_t bypasses_l2;  // a copy of global memory that the kernel keeps out of the L2 cache
} AscendcTwinInstruction;

// The shape of a copy before it is issued; an observer may change it.
typedef struct AscendcTwinCopy {
  uint64_t block_count;
  uint64_t block_bytes;
  int64_t src_gap;  // bytes from the end of a block to the next
  int64_t dst_gap;
  uint64_t src_offset;  // bytes to add to the first address, 0 as issued
  uint64_t dst_offset;
  uint8_t is_out;  // UB to global memory
  uint8_t is_pad;  // DataCopyPad
} AscendcTwinCopy;

enum {
  kAscendcTwinQueueAlloc = 0,
  kAscendcTwinQueueEnQue = 1,
  kAscendcTwinQueueDeQue = 2,
  kAscendcTwinQueueFree = 3,
};

// One step of a queue's buffer. On a device EnQue sets and DeQue awaits a flag from the producing
// to the consuming pipe; FreeTensor sets and AllocTensor awaits one the other way.
typedef struct AscendcTwinQueueStep {
  uint8_t kind;
  uint8_t producer;  // pipe
  uint8_t consumer;
  uint8_t position;   // TPosition of the buffer
  const void* queue;  // which
  uint32_t ub_offset;
  uint32_t bytes;
} AscendcTwinQueueStep;

// Every function may be null but issue, vector_access and scalar_access.
typedef struct AscendcTwinObserver {
  void (*begin)(struct AscendcTwinCore* core);
  // The kernel has returned: what is still in the pipes runs now.
  void (*end)(struct AscendcTwinCore* core);

  void (*issue)(struct AscendcTwinCore* core, const AscendcTwinInstruction* instruction);
  // An access inside a vector function. 0: it must not be performed. bytes 0: nothing is accessed,
  // but the address must be aligned.
  int (*vector_access)(struct AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                       uint32_t alignment, const AscendcTwinPlace* place);
  // An access of the scalar unit, about to happen: what must precede it has run on return. 0: it
  // must not be performed.
  int (*scalar_access)(struct AscendcTwinCore* core, uint64_t address, uint64_t bytes, int is_write,
                       int is_gm, const AscendcTwinPlace* place);
  // The scalar unit reads what the vector unit keeps in a register (a mask, a sum): as above.
  void (*await_vector)(struct AscendcTwinCore* core, const AscendcTwinPlace* place);
  // One operation on vector registers, for what it costs; `name` is that since CANN 9, and those on
  // masks begin with "Mask". Outside a vector function it belongs to none.
  void (*register_operation)(struct AscendcTwinCore* core, const char* name,
                             uint32_t element_bytes);

  void (*adjust_copy)(struct AscendcTwinCore* core, AscendcTwinCopy* copy,
                      const AscendcTwinPlace* place);

  void (*set_flag)(struct AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                   const AscendcTwinPlace* place);
  void (*wait_flag)(struct AscendcTwinCore* core, uint8_t source, uint8_t target, int32_t id,
                    const AscendcTwinPlace* place);
  void (*pipe_barrier)(struct AscendcTwinCore* core, uint8_t pipe, const AscendcTwinPlace* place);
  void (*queue_step)(struct AscendcTwinCore* core, const AscendcTwinQueueStep* step,
                     const AscendcTwinPlace* place);
  // Before the engine waits: all pipes have ended on return. count 0: all cores. is_hard: the form
  // that needs a kernel type with matrix cores. 0: this core skips it.
  int (*sync_all)(struct AscendcTwinCore* core, uint32_t count, int is_hard,
                  const AscendcTwinPlace* place);
  // After it.
  void (*synchronised)(struct AscendcTwinCore* core);

  // `bytes` of UB at `ub_offset` have become a buffer of the kernel's.
  void (*buffer)(struct AscendcTwinCore* core, uint32_t ub_offset, uint32_t bytes,
                 const AscendcTwinPlace* place);
  // The pipe begins anew: its buffers and events are gone.
  void (*pipe_reset)(struct AscendcTwinCore* core);
  // A rule was broken that the instruction itself sees: `category` is "memory", "initialisation",
  // "race" or "synchronisation", `message` one sentence.
  void (*violation)(struct AscendcTwinCore* core, const char* category, const char* message,
                    const AscendcTwinPlace* place);
  // The kernel reads its tiling struct of `bytes` at `address` of global memory.
  void (*tiling_data)(struct AscendcTwinCore* core, uint64_t address, uint64_t bytes,
                      const AscendcTwinPlace* place);
  // The kernel declares its type; is_vector_only: one without matrix cores (AIV_ONLY).
  void (*kernel_type)(struct AscendcTwinCore* core, int is_vector_only);
  // Ends an instruction that was issued with kAscendcTwinDiscoversUntilEnd.
  void (*vector_end)(struct AscendcTwinCore* core);
  // LocalMemBar<source, target> in a vector function: accesses of kind `source` before it precede
  // those of kind `target` after it. Without one, accesses of a vector function to the same bytes
  // are unordered if one of them writes, except that a store follows the loads of what it stores.
  void (*vector_barrier)(struct AscendcTwinCore* core, uint8_t source, uint8_t target,
                         const AscendcTwinPlace* place);
} AscendcTwinObserver;

#ifdef __cplusplus
}
#endif

#endif  // CC_ASCENDC_OBSERVE_OBSERVER_ABI_H_
