// Repeatable executors behind PreparedCall; see prepared_call.h.
#include "cc/bindings/prepared_call.h"

#include <algorithm>
#include <utility>

#include "cc/bindings/runtime_library.h"

namespace attnres::bindings {

std::shared_ptr<const PreparedCall> PreparedCall::Make(
    const AclTwinApi* api, const CallKey& key, const std::vector<PreparedArgument>& arguments,
    std::vector<ResultSpec> results) {
  std::shared_ptr<PreparedCall> call(new PreparedCall(api, key, std::move(results)));
  std::vector<AclTwinValue> values;
  for (const PreparedArgument& argument : arguments) {
    AclTwinValue value = argument.value;
    if (argument.is_tensor) {
      aclTensor* tensor = MakeTensor(argument.view);
      if (tensor == nullptr) return nullptr;
      call->tensors_.push_back(tensor);
      value.pointer = tensor;
    }
    values.push_back(value);
  }
  void* executor = nullptr;
  if (api->get_workspace_size(values.data(), &call->workspace_bytes_, &executor) != 0) {
    return nullptr;
  }
  call->executor_ = static_cast<aclOpExecutor*>(executor);
  if (Runtime()->aclSetAclOpExecutorRepeatable(call->executor_) != 0) return nullptr;
  return call;
}

PreparedCall::~PreparedCall() {
  if (executor_ != nullptr) Runtime()->aclDestroyAclOpExecutor(executor_);
  for (const aclTensor* tensor : tensors_) Runtime()->aclDestroyTensor(tensor);
}

int32_t PreparedCall::Run(const AddressList& addresses, void* workspace, aclrtStream stream) const {
  const RuntimeFunctions& runtime = *Runtime();
  int32_t code = runtime.aclTwinExecutorSetAddresses(executor_, tensors_.data(), addresses.data(),
                                                     addresses.size());
  if (code != ACL_SUCCESS) return code;
  code = api_->run(workspace, workspace_bytes_, executor_, stream);
  // Also after a failure: a part of the work may be queued on the caller's memory.
  const int32_t end = runtime.aclrtSynchronizeStream(stream);
  return code != ACL_SUCCESS ? code : end;
}

std::shared_ptr<const PreparedCall> PreparedCalls::Find(const CallKey& key) {
  for (Entry& entry : entries_) {
    if (!(entry.call->key() == key)) continue;
    entry.last_use = ++uses_;
    return entry.call;
  }
  return nullptr;
}

void PreparedCalls::Insert(std::shared_ptr<const PreparedCall> call) {
  if (entries_.size() < kCapacity) {
    entries_.push_back({++uses_, std::move(call)});
    return;
  }
  Entry& oldest =
      *std::min_element(entries_.begin(), entries_.end(),
                        [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
  oldest = {++uses_, std::move(call)};
}

void PreparedCalls::Remove(const PreparedCall& call) {
  entries_.erase(std::remove_if(entries_.begin(), entries_.end(),
                                [&](const Entry& entry) { return entry.call.get() == &call; }),
                 entries_.end());
}

void PreparedCalls::Abandon() {
  static_cast<void>(new std::vector<Entry>(std::move(entries_)));
  entries_.clear();
}

}  // namespace attnres::bindings
