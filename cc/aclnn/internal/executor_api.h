// The C functions under the opdev headers: reading tensors and building and running
// executors. Operator sources never see them; opdev/*.h wraps them inline, so that only
// C names cross from the operator library to the runtime library.
#ifndef CC_ACLNN_INTERNAL_EXECUTOR_API_H_
#define CC_ACLNN_INTERNAL_EXECUTOR_API_H_

#include <stdint.h>

#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

// A tensor's properties. The arrays belong to the tensor. `data` is the storage's
// address, without the offset; null for a tensor that an executor made.
typedef struct AclTwinTensorInfo {
  const int64_t* dims;
  const int64_t* strides;  // in elements
  uint64_t rank;
  int64_t offset;  // in elements
  int32_t dtype;
  int32_t format;
  const int64_t* storage_dims;
  uint64_t storage_rank;
  void* data;
  int32_t from_executor;
} AclTwinTensorInfo;

void aclTwinGetTensorInfo(const aclTensor* tensor, AclTwinTensorInfo* info);
// 1 when elements lie in order without gaps, from the offset on, else 0.
int32_t aclTwinTensorIsContiguous(const aclTensor* tensor);

// Executors. Functions that return a pointer return null, and those that return a code
// a code other than 0, with the recent error message set. A handle is never dereferenced.
//
// A new executor for `phase_one`, the name of an aclnnXGetWorkspaceSize, on the calling
// thread's device.
aclOpExecutor* aclTwinExecutorCreate(const char* phase_one);
// Ends an executor that phase 1 does not hand out.
void aclTwinExecutorDiscard(aclOpExecutor* executor);

// Tensors that the executor owns. A place in the workspace is set aside when a task
// first needs one.
aclTensor* aclTwinExecutorAllocTensor(aclOpExecutor* executor, const int64_t* dims, uint64_t rank,
                                      int32_t dtype, int32_t format);
// Another view of `tensor`'s storage. Null strides: contiguous.
aclTensor* aclTwinExecutorCreateView(aclOpExecutor* executor, const aclTensor* tensor,
                                     const int64_t* dims, uint64_t rank, const int64_t* strides,
                                     int64_t offset);

// Tasks, run in the order in which they were added.
//
// `tensor` itself when it is contiguous, else an executor tensor and the task that copies.
// A view that leaves its storage is an error (161002).
const aclTensor* aclTwinExecutorContiguous(aclOpExecutor* executor, const aclTensor* tensor);
// Copies `from` to `to`, element by element; returns `to`. Both have the same shape and dtype.
const aclTensor* aclTwinExecutorViewCopy(aclOpExecutor* executor, const aclTensor* from,
                                         const aclTensor* to);
// A contiguous tensor of `tensor`'s shape and dtype, all zero. Copying it elsewhere fills
// there directly and needs no workspace.
aclTensor* aclTwinExecutorZerosLike(aclOpExecutor* executor, const aclTensor* tensor);
// A launch of the operator's kernel: tiling now (561002 when it fails), kernel look-up now
// (561003 when there is none for SoC, dtype and tiling key), the kernel itself in phase 2.
// A null tensor is an absent optional one; all others are contiguous.
int32_t aclTwinExecutorLaunch(aclOpExecutor* executor, const char* op_name,
                              const aclTensor* const* inputs, uint64_t input_count,
                              const aclTensor* const* outputs, uint64_t output_count,
                              const AclTwinAttr* attrs, uint64_t attr_count);

// What the tasks added so far need, each piece aligned to 512 bytes within the workspace.
uint64_t aclTwinExecutorWorkspaceSize(aclOpExecutor* executor);

// Phase 2: enqueues the tasks on the stream. 161001: null executor. 361001: the executor
// does not live, the workspace is null or smaller than needed, the stream does not live or
// is another device's, a tensor with elements has no address; nothing is enqueued then, and
// the executor stays usable. On success an executor that is not repeatable has ended.
int32_t aclTwinExecutorRun(void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                           aclrtStream stream);

// aclSetTensorAddr for many tensors at once; those that no task uses are skipped. 361001: the
// executor does not live.
int32_t aclTwinExecutorSetAddresses(aclOpExecutor* executor, const aclTensor* const* tensors,
                                    void* const* addresses, uint64_t count);

// The number of executors that live; for tests of leaks.
uint64_t aclTwinLiveExecutorCount(void);

#ifdef __cplusplus
}  // extern "C"
#endif

#pragma GCC visibility pop

#endif  // CC_ACLNN_INTERNAL_EXECUTOR_API_H_
