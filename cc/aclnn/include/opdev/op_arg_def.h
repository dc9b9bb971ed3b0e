// OP_INPUT, OP_OUTPUT and OP_ATTR: the argument groups of a kernel launch, and their
// translation into the runtime library's C form.
#ifndef CC_ACLNN_INCLUDE_OPDEV_OP_ARG_DEF_H_
#define CC_ACLNN_INCLUDE_OPDEV_OP_ARG_DEF_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

#include "cc/aclnn/internal/executor_api.h"
#include "opdev/common_types.h"

namespace op {

enum OpArgDef { OP_INPUT_ARG = 0, OP_OUTPUT_ARG = 1, OP_ATTR_ARG = 2 };

template <OpArgDef kDef, typename... T>
struct OpArgGroup {
  std::tuple<T...> values;
};

template <OpArgDef kDef, typename... T>
OpArgGroup<kDef, T...> MakeOpArgGroup(T... values) {
  return {std::make_tuple(values...)};
}

namespace internal {

struct LaunchArguments {
  std::vector<const aclTensor*> inputs;
  std::vector<const aclTensor*> outputs;
  std::vector<AclTwinAttr> attrs;
};

template <typename T>
AclTwinAttr MakeAttr(T value) {
  AclTwinAttr attr;
  if constexpr (std::is_floating_point_v<T>) {
    attr.kind = ACL_TWIN_ATTR_FLOAT;
    attr.value.real = static_cast<double>(value);
  } else {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>,
                  "an attribute is a number, a bool or an enumerator");
    attr.kind = std::is_same_v<T, bool> ? ACL_TWIN_ATTR_BOOL : ACL_TWIN_ATTR_INT64;
    attr.value.integer = static_cast<int64_t>(value);
  }
  return attr;
}

template <OpArgDef kDef, typename... T>
void AddGroup(const OpArgGroup<kDef, T...>& group, LaunchArguments* arguments) {
  std::apply(
      [&](const auto&... value) {
        if constexpr (kDef == OP_INPUT_ARG) {
          (arguments->inputs.push_back(value), ...);
        } else if constexpr (kDef == OP_OUTPUT_ARG) {
          (arguments->outputs.push_back(value), ...);
        } else {
          (arguments->attrs.push_back(MakeAttr(value)), ...);
        }
      },
      group.values);
}

template <typename... Groups>
int32_t AddLaunch(const char* op_name, aclOpExecutor* executor, const Groups&... groups) {
  LaunchArguments arguments;
  (AddGroup(groups, &arguments), ...);
  return aclTwinExecutorLaunch(executor, op_name, arguments.inputs.data(), arguments.inputs.size(),
                               arguments.outputs.data(), arguments.outputs.size(),
                               arguments.attrs.data(), arguments.attrs.size());
}

}  // namespace internal
}  // namespace op

#define OP_INPUT(...) op::MakeOpArgGroup<op::OP_INPUT_ARG>(__VA_ARGS__)
#define OP_OUTPUT(...) op::MakeOpArgGroup<op::OP_OUTPUT_ARG>(__VA_ARGS__)
#define OP_ATTR(...) op::MakeOpArgGroup<op::OP_ATTR_ARG>(__VA_ARGS__)

#endif  // CC_ACLNN_INCLUDE_OPDEV_OP_ARG_DEF_H_
