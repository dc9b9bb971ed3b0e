// gert::RuntimeAttrs: the attributes of one call, by their index in the operator's definition.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gert {

class RuntimeAttrs {
 public:
  // Each returns null when there is no attribute of that index or it has another type.
  const int64_t* GetInt(size_t index) const { return Find(index, Kind::kInt, &Value::integer); }
  const float* GetFloat(size_t index) const { return Find(index, Kind::kFloat, &Value::real); }
  const bool* GetBool(size_t index) const { return Find(index, Kind::kBool, &Value::boolean); }
  const char* GetStr(size_t index) const {
    const std::string* text = Find(index, Kind::kString, &Value::text);
    return text == nullptr ? nullptr : text->c_str();
  }

  // T is the attribute's own type: int64_t, float, bool, or char for a string.
  template <typename T>
  const T* GetAttrPointer(size_t index) const;

  size_t GetAttrNum() const { return values_.size(); }

  // For whoever builds a context: adds the next attribute.
  void AppendInt(int64_t value) { Append(Kind::kInt).integer = value; }
  void AppendFloat(float value) { Append(Kind::kFloat).real = value; }
  void AppendBool(bool value) { Append(Kind::kBool).boolean = value; }
  void AppendStr(const char* value) { Append(Kind::kString).text = value; }

 private:
  enum class Kind { kInt, kFloat, kBool, kString };
  struct Value {
    Kind kind;
    int64_t integer = 0;
    float real = 0;
    bool boolean = false;
    std::string text;
  };

  template <typename T>
  const T* Find(size_t index, Kind kind, T Value::* member) const {
    if (index >= values_.size() || values_[index].kind != kind) return nullptr;
    return &(values_[index].*member);
  }
  Value& Append(Kind kind) {
    values_.push_back({kind, 0, 0, false, {}});
    return values_.back();
  }

  std::vector<Value> values_;
};

template <>
inline const int64_t* RuntimeAttrs::GetAttrPointer<int64_t>(size_t index) const {
  return GetInt(index);
}
template <>
inline const float* RuntimeAttrs::GetAttrPointer<float>(size_t index) const {
  return GetFloat(index);
}
template <>
inline const bool* RuntimeAttrs::GetAttrPointer<bool>(size_t index) const {
  return GetBool(index);
}
template <>
inline const char* RuntimeAttrs::GetAttrPointer<char>(size_t index) const {
  return GetStr(index);
}

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
