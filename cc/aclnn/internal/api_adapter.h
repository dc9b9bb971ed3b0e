// Turns the two functions of an aclnn interface into the AclTwinApi record that makes
// them callable by name, from their types alone: no code per operator. Used by the
// registration source that the build generates for each operator.
//
//   constexpr AclTwinApi kApi =
//       attnres::aclnn::MakeApi<&aclnnXGetWorkspaceSize, &aclnnX>("aclnnX");
#ifndef CC_ACLNN_INTERNAL_API_ADAPTER_H_
#define CC_ACLNN_INTERNAL_API_ADAPTER_H_

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"

namespace attnres::aclnn {

// The letter of one argument in AclTwinApi::signature.
template <typename T>
constexpr char ArgumentLetter() {
  if constexpr (std::is_pointer_v<T>) {
    static_assert(std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, aclTensor>,
                  "of pointers, only tensors can be passed by name");
    return 't';
  } else if constexpr (std::is_same_v<T, bool>) {
    return 'b';
  } else if constexpr (std::is_floating_point_v<T>) {
    return 'd';
  } else {
    static_assert(std::is_integral_v<T>, "an argument is a tensor or a number");
    return 'i';
  }
}

template <typename T>
T ArgumentFrom(const AclTwinValue& value) {
  if constexpr (std::is_pointer_v<T>) {
    return static_cast<T>(const_cast<void*>(value.pointer));
  } else if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(value.real);
  } else {
    return static_cast<T>(value.integer);
  }
}

template <auto kGetWorkspaceSize, typename Type>
struct GetWorkspaceSizeAdapter;

// Phase 1: the operator's arguments, then workspaceSize and executor.
template <auto kGetWorkspaceSize, typename... Arguments>
struct GetWorkspaceSizeAdapter<kGetWorkspaceSize, aclnnStatus (*)(Arguments...)> {
  static constexpr size_t kCount = sizeof...(Arguments) - 2;

  static int32_t Call(const AclTwinValue* args, uint64_t* workspace_size, void** executor) {
    return CallWith(args, workspace_size, executor, std::make_index_sequence<kCount>());
  }

  static constexpr const char* Signature() { return kLetters.text; }

 private:
  template <size_t kIndex>
  using Argument = std::tuple_element_t<kIndex, std::tuple<Arguments...>>;

  static_assert(std::is_same_v<Argument<kCount>, uint64_t*>, "workspaceSize comes last but one");
  static_assert(std::is_same_v<Argument<kCount + 1>, aclOpExecutor**>, "executor comes last");

  struct Letters {
    char text[kCount + 1];
  };

  template <size_t... kIndices>
  static constexpr Letters MakeLetters(std::index_sequence<kIndices...>) {
    return {{ArgumentLetter<Argument<kIndices>>()..., '\0'}};
  }

  template <size_t... kIndices>
  static int32_t CallWith(const AclTwinValue* args, uint64_t* workspace_size, void** executor,
                          std::index_sequence<kIndices...>) {
    if (executor == nullptr) {
      return kGetWorkspaceSize(ArgumentFrom<Argument<kIndices>>(args[kIndices])..., workspace_size,
                               nullptr);
    }
    auto* handle = static_cast<aclOpExecutor*>(*executor);
    const int32_t code = kGetWorkspaceSize(ArgumentFrom<Argument<kIndices>>(args[kIndices])...,
                                           workspace_size, &handle);
    *executor = handle;
    return code;
  }

  static constexpr Letters kLetters = MakeLetters(std::make_index_sequence<kCount>());
};

template <auto kRun>
int32_t CallRun(void* workspace, uint64_t size, void* executor, void* stream) {
  return kRun(workspace, size, static_cast<aclOpExecutor*>(executor), stream);
}

// The record of the interface `name`, whose phases are the two functions.
template <auto kGetWorkspaceSize, auto kRun>
constexpr AclTwinApi MakeApi(const char* name) {
  using PhaseOne = GetWorkspaceSizeAdapter<kGetWorkspaceSize, decltype(kGetWorkspaceSize)>;
  return {name, PhaseOne::Signature(), static_cast<uint32_t>(PhaseOne::kCount), &PhaseOne::Call,
          &CallRun<kRun>};
}

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_INTERNAL_API_ADAPTER_H_
