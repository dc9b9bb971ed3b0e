// ge::AscendString: a string whose layout does not depend on the C++ library, in the part that
// operator sources use.
#ifndef CC_HOST_INCLUDE_GRAPH_ASCEND_STRING_H_
#define CC_HOST_INCLUDE_GRAPH_ASCEND_STRING_H_

#include <cstddef>
#include <string>

#include "graph/types.h"

namespace ge {

class AscendString {
 public:
  AscendString() = default;
  AscendString(const char_t* name)
      : text_(name == nullptr ? "" : name) {}  // NOLINT: implicit as in CANN
  AscendString(const char_t* name, size_t length) : text_(name, length) {}

  const char_t* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }

  bool operator==(const AscendString& other) const { return text_ == other.text_; }
  bool operator!=(const AscendString& other) const { return text_ != other.text_; }
  bool operator<(const AscendString& other) const { return text_ < other.text_; }

 private:
  std::string text_;
};

}  // namespace ge

#endif  // CC_HOST_INCLUDE_GRAPH_ASCEND_STRING_H_
