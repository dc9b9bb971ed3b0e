// PreparedCall: an aclnn call whose phase 1 is done once, to be run with new addresses as often as
// wanted. PreparedCalls keeps those that a stream ran last.
#ifndef CC_BINDINGS_PREPARED_CALL_H_
#define CC_BINDINGS_PREPARED_CALL_H_

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "cc/acl/internal/operator_registry.h"
#include "cc/bindings/call_key.h"
#include "cc/bindings/tensor.h"

namespace attnres::bindings {

// One argument of phase 1: a tensor, or a plain value.
struct PreparedArgument {
  bool is_tensor = false;
  ArrayView view;
  AclTwinValue value = {};
};

// Shape and dtype of a result; the dtype as NumPy's number, since a dtype object would need the GIL
// to be freed.
struct ResultSpec {
  int type_number;
  std::vector<pybind11::ssize_t> shape;
};

class PreparedCall {
 public:
  // Runs phase 1 on the calling thread's device. Null when it fails.
  static std::shared_ptr<const PreparedCall> Make(const AclTwinApi* api, const CallKey& key,
                                                  const std::vector<PreparedArgument>& arguments,
                                                  std::vector<ResultSpec> results);
  ~PreparedCall();
  PreparedCall(const PreparedCall&) = delete;
  PreparedCall& operator=(const PreparedCall&) = delete;

  const CallKey& key() const { return key_; }
  const std::vector<ResultSpec>& results() const { return results_; }
  uint64_t workspace_bytes() const { return workspace_bytes_; }

  // Phase 2 and its end. `addresses`: of the tensors, in the order of the arguments. The results
  // must not overlap another tensor: phase 1, which looks for that, did not see them. Returns the
  // first code that is not 0.
  int32_t Run(const AddressList& addresses, void* workspace, aclrtStream stream) const;

 private:
  PreparedCall(const AclTwinApi* api, const CallKey& key, std::vector<ResultSpec> results)
      : api_(api), key_(key), results_(std::move(results)) {}

  const AclTwinApi* api_;
  const CallKey key_;
  const std::vector<ResultSpec> results_;
  std::vector<aclTensor*> tensors_;
  aclOpExecutor* executor_ = nullptr;
  uint64_t workspace_bytes_ = 0;
};

class PreparedCalls {
 public:
  // A training step repeats a forward and a backward for each number of blocks: 62 in a model of 31
  // blocks.
  static constexpr size_t kCapacity = 64;

  // Null when there is none.
  std::shared_ptr<const PreparedCall> Find(const CallKey& key);
  // The call that was not asked for the longest makes room when there are too many.
  void Insert(std::shared_ptr<const PreparedCall> call);
  void Remove(const PreparedCall& call);
  size_t size() const { return entries_.size(); }
  // Forgets all without ending them: in a fork, whose copy of the runtime is not to be touched.
  void Abandon();

 private:
  struct Entry {
    uint64_t last_use;
    std::shared_ptr<const PreparedCall> call;
  };

  std::vector<Entry> entries_;
  uint64_t uses_ = 0;
};

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_PREPARED_CALL_H_
