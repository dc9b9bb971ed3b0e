// What every level of an aclnn function begins with: names checked at compile time, a log
// line, and for phase 1 the check of its two output pointers.
#ifndef CC_ACLNN_INCLUDE_OPDEV_OP_DFX_H_
#define CC_ACLNN_INCLUDE_OPDEV_OP_DFX_H_

#include <cstdint>
#include <string_view>
#include <tuple>

#include "aclnn/aclnn_base.h"
#include "opdev/op_arg_def.h"
#include "opdev/op_log.h"

namespace op {

constexpr bool ValidDfxName(const char* expected, const char* function) {
  return std::string_view(expected) == function;
}

// 161001 with a message when an output pointer of phase 1 is null.
inline aclnnStatus CheckPhase1Params(aclOpExecutor** executor, const uint64_t* workspace_size) {
  if (workspace_size != nullptr && executor != nullptr) return ACLNN_SUCCESS;
  OP_LOGE(ACLNN_ERR_PARAM_NULLPTR, "%s is null: expected an address",
          workspace_size == nullptr ? "workspaceSize" : "executor");
  return ACLNN_ERR_PARAM_NULLPTR;
}

// A number that stands for the operator's name (FNV-1a).
constexpr uint32_t GenOpTypeId(const char* op_name) {
  uint32_t hash = 2166136261u;
  for (; *op_name != '\0'; ++op_name) {
    hash = (hash ^ static_cast<unsigned char>(*op_name)) * 16777619u;
  }
  return hash;
}

}  // namespace op

#define OP_TYPE_REGISTER(kernelName) \
  [[maybe_unused]] inline uint32_t kernelName##OpTypeId() { return op::GenOpTypeId(#kernelName); }

#define DFX_IN(...) std::make_tuple(__VA_ARGS__)
#define DFX_OUT(...) std::make_tuple(__VA_ARGS__)

// Expects the enclosing function's `executor` and `workspaceSize`; returns 161001 from it
// when one is null.
#define L2_DFX_PHASE_1(APIName, IN, OUT)                                 \
  static_assert(op::ValidDfxName(#APIName "GetWorkspaceSize", __func__), \
                "L2_DFX_PHASE_1 names another function than " #APIName); \
  if (op::CheckPhase1Params(executor, workspaceSize) != ACLNN_SUCCESS) { \
    return ACLNN_ERR_PARAM_NULLPTR;                                      \
  }                                                                      \
  OP_LOGI("Entering %s with %zu inputs and %zu outputs", #APIName,       \
          std::tuple_size_v<decltype(IN)>, std::tuple_size_v<decltype(OUT)>)

#define L2_DFX_PHASE_2(APIName)                                          \
  static_assert(op::ValidDfxName(#APIName, __func__),                    \
                "L2_DFX_PHASE_2 names another function than " #APIName); \
  OP_LOGI("Entering %s", #APIName)

#define L0_DFX(profilingName, ...)                                     \
  static_assert(op::ValidDfxName(#profilingName, __func__),            \
                "L0_DFX names another function than " #profilingName); \
  OP_LOGI("Entering %s", #profilingName)

#endif  // CC_ACLNN_INCLUDE_OPDEV_OP_DFX_H_
