// gert::StorageFormat: the format that the caller gave (origin) and the one in memory (storage).
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_

#include "graph/types.h"

namespace gert {

struct StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(ge::Format origin_format, ge::Format storage_format)
      : origin_format_(origin_format), storage_format_(storage_format) {}

  ge::Format GetOriginFormat() const { return origin_format_; }
  ge::Format GetStorageFormat() const { return storage_format_; }
  void SetOriginFormat(ge::Format format) { origin_format_ = format; }
  void SetStorageFormat(ge::Format format) { storage_format_ = format; }

 private:
  ge::Format origin_format_ = ge::FORMAT_ND;
  ge::Format storage_format_ = ge::FORMAT_ND;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
