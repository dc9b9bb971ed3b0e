// The seam between the two libraries: plain C types through which an operator
// library (libcust_opapi.so) announces its tiling function, kernels and aclnn
// entry points to the runtime (libascendcl.so). Only C names cross it, so the
// two libraries need not share a C++ standard library. The table itself is in
// operator_registry.cc; cc/aclnn/internal/api_adapter.h builds AclTwinApi
// records from function types.
#ifndef CC_ACL_INTERNAL_OPERATOR_REGISTRY_H_
#define CC_ACL_INTERNAL_OPERATOR_REGISTRY_H_

#include <stdint.h>

#include "cc/ascendc/launch/kernel_abi.h"

#pragma GCC visibility push(default)

#ifdef __cplusplus
extern "C" {
#endif

// One tensor as tiling sees it. `name` may be null: the operator's definition
// knows it. `dims` has `rank` entries and lives as long as the request; an absent
// optional tensor has null dims, rank 0 and dtype ACL_DT_UNDEFINED. dtype is an aclDataType, whose
// values are those of ge::DataType; format is an aclFormat, whose values are those of ge::Format.
typedef struct AclTwinTensorDesc {
  const char* name;
  const int64_t* dims;
  uint64_t rank;
  int32_t dtype;
  int32_t format;
} AclTwinTensorDesc;

// One value of an attribute or of an argument of phase 1. bool travels in
// `integer` as 0 or 1.
typedef union AclTwinValue {
  const void* pointer;
  int64_t integer;
  double real;
} AclTwinValue;

// Kinds of AclTwinAttr.
enum {
  ACL_TWIN_ATTR_INT64 = 0,
  ACL_TWIN_ATTR_FLOAT = 1,  // held in AclTwinValue.real, float32 for the operator
  ACL_TWIN_ATTR_BOOL = 2,
};

typedef struct AclTwinAttr {
  int32_t kind;
  AclTwinValue value;
} AclTwinAttr;

// What a tiling function is asked. `arch` is __NPU_ARCH__: 2201 or 3510.
typedef struct AclTwinTilingRequest {
  const char* soc;
  uint32_t arch;
  uint32_t aiv_core_num;
  uint64_t ub_bytes;
  const AclTwinTensorDesc* inputs;
  uint64_t input_count;
  const AclTwinTensorDesc* outputs;
  uint64_t output_count;
  const AclTwinAttr* attrs;
  uint64_t attr_count;
} AclTwinTilingRequest;

// What it answers. The caller owns `tiling_data` and says its capacity.
// `message` is one sentence when the function returns non-zero.
typedef struct AclTwinTilingResult {
  uint64_t tiling_key;
  uint32_t block_dim;
  uint64_t workspace_bytes;
  unsigned char* tiling_data;
  uint64_t tiling_data_capacity;
  uint64_t tiling_data_size;
  char message[1024];
} AclTwinTilingResult;

// Returns 0, or non-zero with a message.
typedef int32_t (*AclTwinTilingFn)(const AclTwinTilingRequest* request,
                                   AclTwinTilingResult* result);

// One compiled kernel: found by arch, dtype of input 0, tiling key and the best
// isa ("x86-64-v3", "x86-64-v4", "aarch64") that this machine runs.
typedef struct AclTwinKernel {
  uint32_t arch;
  int32_t dtype;
  uint64_t tiling_key;
  const char* isa;
  AscendcTwinKernelEntry entry;
} AclTwinKernel;

// One two-phase aclnn interface, callable without its header. `signature` has
// one letter per argument of phase 1 up to the two outs: 't' tensor, 'i' int64,
// 'd' double, 'b' bool.
typedef struct AclTwinApi {
  const char* name;
  const char* signature;
  uint32_t arg_count;
  int32_t (*get_workspace_size)(const AclTwinValue* args, uint64_t* workspace_size,
                                void** executor);
  int32_t (*run)(void* workspace, uint64_t size, void* executor, void* stream);
} AclTwinApi;

typedef struct AclTwinOperator {
  const char* name;  // "BlockAttentionResidualsGrad"
  AclTwinTilingFn tiling;
  const AclTwinKernel* kernels;
  uint64_t kernel_count;
  const AclTwinApi* apis;
  uint64_t api_count;
  // The same kernels as they tell an observer what they do (cc/ascendc/observe); may be none.
  const AclTwinKernel* observed_kernels;
  uint64_t observed_kernel_count;
  // What the definition calls an input or output; may be null, and may return null.
  const char* (*tensor_name)(int32_t is_output, uint64_t index);
} AclTwinOperator;

// The table keeps the pointer: the record must live until it is unregistered.
// Returns 0; 100000 (invalid parameter) when the record is null, has no name,
// or its name or one of its APIs is registered already by another record.
int32_t aclTwinRegisterOperator(const AclTwinOperator* op);

// Waits until no kernel and no tiling function of the record runs; launches that
// are still queued fail at their turn. Returns 0, or 100000 when this very record
// is not registered.
int32_t aclTwinUnregisterOperator(const AclTwinOperator* op);

// Null when there is none of that name.
const AclTwinOperator* aclTwinFindOperator(const char* name);
const AclTwinApi* aclTwinFindApi(const char* name);

// The number of registered operators, and their records in the order in which
// they came; null when `index` is out of range.
uint64_t aclTwinOperatorCount(void);
const AclTwinOperator* aclTwinOperatorAt(uint64_t index);

#ifdef __cplusplus
}  // extern "C"
#endif

#pragma GCC visibility pop

#endif  // CC_ACL_INTERNAL_OPERATOR_REGISTRY_H_
