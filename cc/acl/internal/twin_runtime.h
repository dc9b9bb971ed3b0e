// The twin's own C functions of the runtime library, for the operator library and
// the bindings: error message, log, platform, and the knobs and counters of a
// stream that a real device does not have. operator_registry.h holds the operator
// table, cc/aclnn/internal/executor_api.h the executor.
#ifndef CC_ACL_INTERNAL_TWIN_RUNTIME_H_
#define CC_ACL_INTERNAL_TWIN_RUNTIME_H_

#include <stdint.h>

#include "acl/acl_base.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

// Keeps a copy of `message` as the calling thread's recent error, which
// aclGetRecentErrMsg returns. Null means "". At most 2047 bytes are kept.
void aclTwinSetErrorMessage(const char* message);

// 1 when a line of `level` (aclLogLevel) would be written, else 0. Written are
// levels from ASCEND_GLOBAL_LOG_LEVEL (0 debug to 3 error, default 3) on: to
// stdout if ASCEND_SLOG_PRINT_TO_STDOUT is 1, else to stderr if
// ASCEND_GLOBAL_LOG_LEVEL is set, else nowhere, since every error is also
// returned. The variables are read at the first call.
int32_t aclTwinLogEnabled(int32_t level);

// One line, without its newline, to the log if `level` is enabled. `module` is the
// part that speaks, e.g. "tiling".
void aclTwinLog(int32_t level, const char* module, const char* text);

// Overrides ASCEND_GLOBAL_LOG_LEVEL (0 to 3) for the rest of the process; any
// other value goes back to the variables.
void aclTwinSetLogLevel(int32_t level);

// "DT_FLOAT16", "ND"; a number that has no name as digits, in a buffer of the thread.
const char* aclTwinDataTypeName(int32_t dtype);
const char* aclTwinFormatName(int32_t format);

// The device of the calling thread. `valid` is 0 when ATTNRES_SOC names no SoC
// profile; soc_name is then what it names, and the numbers are 0.
typedef struct AclTwinPlatform {
  int32_t valid;
  int32_t device_id;
  const char* soc_name;    // "Ascend910B1"
  const char* short_name;  // "ascend910b"
  uint32_t arch;           // __NPU_ARCH__
  uint32_t aic_core_num;
  uint32_t aiv_core_num;
  uint64_t ub_bytes;
} AclTwinPlatform;

// Returns 0, or 100000 when `platform` is null.
int32_t aclTwinGetPlatform(AclTwinPlatform* platform);

// The device whose SoC is `name` (full or short, any case), -1 when there is none.
int32_t aclTwinFindDevice(const char* name);

// A stream without a thread: what is enqueued on it runs on the calling thread, before the call
// returns, in the order of the calls. Errors come at the synchronisation, as ever. For callers that
// wait at once anyway: no thread has to wake up. Destroyed by aclrtDestroyStream. Returns 0, 100000
// when `stream` is null, 200000 when there is no memory.
int32_t aclTwinCreateBlockingStream(aclrtStream* stream);

// Host threads that kernels of the stream use from now on. 0: ATTNRES_NUM_THREADS,
// else one for each CPU in the affinity mask. Returns 0, or 107017 for a stream
// that does not live.
int32_t aclTwinSetStreamThreads(aclrtStream stream, uint32_t threads);

// What a stream has run since it was created (sums), and its last kernel launch.
// Complete after a synchronisation of the stream.
typedef struct AclTwinStats {
  uint64_t kernel_launches;
  uint64_t copy_tasks;  // contiguous copies and view copies
  uint64_t fill_tasks;
  uint64_t gm_bytes_read;     // by kernels
  uint64_t gm_bytes_written;  // by kernels
  // The last launch:
  uint64_t last_gm_bytes_read;
  uint64_t last_gm_bytes_written;
  uint64_t ub_bytes_taken;  // by the pipe of the core that took most
  uint64_t tiling_key;
  uint32_t block_dim;
  uint32_t arch;
  int32_t dtype;
  char isa[16];
  char op_name[64];
} AclTwinStats;

// Returns 0, 100000 when `stats` is null, 107017 for a stream that does not live.
int32_t aclTwinGetStreamStats(aclrtStream stream, AclTwinStats* stats);

// How kernels that begin on the stream from now on run: "run" as ever, or in a mode that observes
// them and writes a report: "check" (cc/aclnn/check_mode.h). Their results are those of "run", if
// the kernel is right; they take many times as long. `options` are the mode's own, a line
// "name=value" each; null for none. Returns 0, 100000 with a message for an unknown mode or option,
// 107017 for a stream that does not live.
int32_t aclTwinSetStreamMode(aclrtStream stream, const char* mode, const char* options);

// What a mode says of one launch: JSON, and bytes that it describes.
typedef struct AclTwinReport {
  const char* text;  // ends in a 0 beyond text_bytes; "" before the first such launch
  uint64_t text_bytes;
  const void* data;
  uint64_t data_bytes;
} AclTwinReport;

// The report of the last launch since the stream's mode was set. Complete after a synchronisation;
// valid until the next launch, the next aclTwinSetStreamMode or the stream's end. Returns 0, 100000
// when `report` is null, 107017 for a stream that does not live.
int32_t aclTwinGetStreamReport(aclrtStream stream, AclTwinReport* report);

#ifdef __cplusplus
}  // extern "C"
#endif

#pragma GCC visibility pop

#endif  // CC_ACL_INTERNAL_TWIN_RUNTIME_H_
