// The runtime's own view of registered operators: a record and the lock that keeps its
// library's code from being unloaded while it runs. operator_registry.h is the C seam.
#ifndef CC_ACL_INTERNAL_OPERATOR_TABLE_H_
#define CC_ACL_INTERNAL_OPERATOR_TABLE_H_

#include <memory>
#include <shared_mutex>
#include <string>

#include "cc/acl/internal/operator_registry.h"

namespace attnres::acl {

class RegisteredOperator {
 public:
  explicit RegisteredOperator(const AclTwinOperator* record);

  // Names stay readable after the operator is gone.
  const std::string& name() const { return name_; }
  // File name of the shared library or program that holds the record.
  const std::string& library() const { return library_; }

  // While a Use lives, the record and its library's code may be used. `record()` is null
  // when the operator is gone.
  class Use {
   public:
    explicit Use(const RegisteredOperator& op) : lock_(op.mutex_), record_(op.record_) {}
    const AclTwinOperator* record() const { return record_; }

   private:
    std::shared_lock<std::shared_mutex> lock_;
    const AclTwinOperator* record_;
  };

  // Waits until no Use lives; later ones have no record.
  void Retire();

 private:
  mutable std::shared_mutex mutex_;
  const AclTwinOperator* record_;
  std::string name_;
  std::string library_;
};

// Null when there is none of that name.
std::shared_ptr<const RegisteredOperator> FindRegisteredOperator(const char* name);

}  // namespace attnres::acl

#endif  // CC_ACL_INTERNAL_OPERATOR_TABLE_H_
