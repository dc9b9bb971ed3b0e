// The table of operators that loaded libraries have registered.
#include "cc/acl/internal/operator_table.h"

#include <dlfcn.h>

#include <cstring>
#include <mutex>
#include <vector>

#include "acl/acl_base.h"
#include "cc/acl/internal/error_message.h"

namespace attnres::acl {
namespace {

std::string LibraryOf(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "the program";
  const char* slash = strrchr(info.dli_fname, '/');
  return slash == nullptr ? info.dli_fname : slash + 1;
}

class OperatorTable {
 public:
  Error Add(const AclTwinOperator* record) {
    if (record == nullptr || record->name == nullptr) {
      return MakeError(ACL_ERROR_INVALID_PARAM, "operator record is null or has no name");
    }
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (strcmp(entry.record->name, record->name) == 0) {
        return MakeError(ACL_ERROR_INVALID_PARAM, "operator %s is registered already by %s",
                         record->name, entry.registered->library().c_str());
      }
      for (uint64_t i = 0; i < record->api_count; ++i) {
        if (ApiOf(*entry.record, record->apis[i].name) != nullptr) {
          return MakeError(ACL_ERROR_INVALID_PARAM, "%s is registered already by %s",
                           record->apis[i].name, entry.registered->library().c_str());
        }
      }
    }
    entries_.push_back({record, std::make_shared<RegisteredOperator>(record)});
    return {};
  }

  Error Remove(const AclTwinOperator* record) {
    std::shared_ptr<RegisteredOperator> removed;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      for (size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].record != record) continue;
        removed = entries_[i].registered;
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        break;
      }
    }
    if (removed == nullptr) {
      return MakeError(ACL_ERROR_INVALID_PARAM, "this operator record is not registered");
    }
    removed->Retire();
    return {};
  }

  std::shared_ptr<const RegisteredOperator> Find(const char* name) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (strcmp(entry.record->name, name) == 0) return entry.registered;
    }
    return nullptr;
  }

  const AclTwinOperator* FindRecord(const char* name) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (strcmp(entry.record->name, name) == 0) return entry.record;
    }
    return nullptr;
  }

  const AclTwinApi* FindApi(const char* name) {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (const AclTwinApi* api = ApiOf(*entry.record, name)) return api;
    }
    return nullptr;
  }

  uint64_t Count() {
    std::lock_guard<std::mutex> lock(mutex_);
    return entries_.size();
  }

  const AclTwinOperator* At(uint64_t index) {
    std::lock_guard<std::mutex> lock(mutex_);
    return index < entries_.size() ? entries_[index].record : nullptr;
  }

 private:
  struct Entry {
    const AclTwinOperator* record;
    std::shared_ptr<RegisteredOperator> registered;
  };

  static const AclTwinApi* ApiOf(const AclTwinOperator& record, const char* name) {
    for (uint64_t i = 0; i < record.api_count; ++i) {
      if (strcmp(record.apis[i].name, name) == 0) return &record.apis[i];
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

// Kept for the life of the process: libraries unregister while statics are destroyed.
OperatorTable& Table() {
  static auto* table = new OperatorTable;
  return *table;
}

}  // namespace

RegisteredOperator::RegisteredOperator(const AclTwinOperator* record)
    : record_(record), name_(record->name), library_(LibraryOf(record)) {}

void RegisteredOperator::Retire() {
  std::unique_lock<std::shared_mutex> lock(mutex_);
  record_ = nullptr;
}

std::shared_ptr<const RegisteredOperator> FindRegisteredOperator(const char* name) {
  return Table().Find(name);
}

}  // namespace attnres::acl

using attnres::acl::Table;

extern "C" {

int32_t aclTwinRegisterOperator(const AclTwinOperator* op) {
  return attnres::acl::ReportGuarded(ACL_ERROR_BAD_ALLOC, [&] { return Table().Add(op); });
}

int32_t aclTwinUnregisterOperator(const AclTwinOperator* op) {
  return attnres::acl::Report(Table().Remove(op));
}

const AclTwinOperator* aclTwinFindOperator(const char* name) {
  return name == nullptr ? nullptr : Table().FindRecord(name);
}

const AclTwinApi* aclTwinFindApi(const char* name) {
  return name == nullptr ? nullptr : Table().FindApi(name);
}

uint64_t aclTwinOperatorCount(void) { return Table().Count(); }

const AclTwinOperator* aclTwinOperatorAt(uint64_t index) { return Table().At(index); }

}  // extern "C"
