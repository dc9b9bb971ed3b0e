// ops::OpDef: what an operator is, in the operator's own words: inputs, outputs, attributes, the
// data types and formats of each (entry i of all lists together is one supported combination), and
// the SoCs it has kernels for. The getters are for the twin; operators only write.
#ifndef CC_HOST_INCLUDE_REGISTER_OP_DEF_H_
#define CC_HOST_INCLUDE_REGISTER_OP_DEF_H_

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "graph/types.h"
#include "register/op_impl_registry.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };

// One input or output.
class OpParamDef {
 public:
  explicit OpParamDef(const char* name) : name_(name) {}

  OpParamDef& ParamType(Option param_type) { return Set(&OpParamDef::param_type_, param_type); }
  OpParamDef& DataType(std::vector<ge::DataType> types) {
    return Set(&OpParamDef::data_types_, std::move(types));
  }
  OpParamDef& Format(std::vector<ge::Format> formats) {
    return Set(&OpParamDef::formats_, std::move(formats));
  }
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format> formats) {
    return Set(&OpParamDef::unknown_shape_formats_, std::move(formats));
  }
  // The caller makes this tensor contiguous before the operator runs.
  OpParamDef& AutoContiguous() { return Set(&OpParamDef::auto_contiguous_, true); }
  OpParamDef& IgnoreContiguous() { return Set(&OpParamDef::ignore_contiguous_, true); }

  const std::string& GetParamName() const { return name_; }
  Option GetParamType() const { return param_type_; }
  const std::vector<ge::DataType>& GetDataTypes() const { return data_types_; }
  const std::vector<ge::Format>& GetFormats() const { return formats_; }
  const std::vector<ge::Format>& GetUnknownShapeFormats() const { return unknown_shape_formats_; }
  bool GetAutoContiguous() const { return auto_contiguous_; }
  bool GetIgnoreContiguous() const { return ignore_contiguous_; }

 private:
  template <typename T>
  OpParamDef& Set(T OpParamDef::* member, T value) {
    this->*member = std::move(value);
    return *this;
  }

  std::string name_;
  Option param_type_ = REQUIRED;
  std::vector<ge::DataType> data_types_;
  std::vector<ge::Format> formats_;
  std::vector<ge::Format> unknown_shape_formats_;
  bool auto_contiguous_ = false;
  bool ignore_contiguous_ = false;
};

// One attribute. The last of Bool, Float, Int and String to be called gives its type.
class OpAttrDef {
 public:
  enum class Type { kNone, kBool, kFloat, kInt, kString };

  explicit OpAttrDef(const char* name) : name_(name) {}

  OpAttrDef& AttrType(Option attr_type) {
    required_ = attr_type == REQUIRED;
    return *this;
  }
  OpAttrDef& Bool() { return SetType(Type::kBool); }
  OpAttrDef& Bool(bool value) {
    bool_ = value;
    return SetType(Type::kBool);
  }
  OpAttrDef& Float() { return SetType(Type::kFloat); }
  OpAttrDef& Float(float value) {
    float_ = value;
    return SetType(Type::kFloat);
  }
  OpAttrDef& Int() { return SetType(Type::kInt); }
  OpAttrDef& Int(int64_t value) {
    int_ = value;
    return SetType(Type::kInt);
  }
  OpAttrDef& String() { return SetType(Type::kString); }
  OpAttrDef& String(const char* value) {
    string_ = value;
    return SetType(Type::kString);
  }

  const std::string& GetName() const { return name_; }
  bool IsRequired() const { return required_; }
  Type GetType() const { return type_; }
  // Default values; only the one of GetType() means something.
  bool GetBool() const { return bool_; }
  float GetFloat() const { return float_; }
  int64_t GetInt() const { return int_; }
  const std::string& GetString() const { return string_; }

 private:
  OpAttrDef& SetType(Type type) {
    type_ = type;
    return *this;
  }

  std::string name_;
  bool required_ = true;
  Type type_ = Type::kNone;
  bool bool_ = false;
  float float_ = 0;
  int64_t int_ = 0;
  std::string string_;
};

// How the kernels of one SoC are built, by key ("opFile.value": the kernel's entry file).
class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;

  OpAICoreConfig& DynamicCompileStaticFlag(bool flag) {
    return SetFlag("dynamicCompileStatic.flag", flag);
  }
  OpAICoreConfig& DynamicFormatFlag(bool flag) { return SetFlag("dynamicFormat.flag", flag); }
  OpAICoreConfig& DynamicRankSupportFlag(bool flag) {
    return SetFlag("dynamicRankSupport.flag", flag);
  }
  OpAICoreConfig& DynamicShapeSupportFlag(bool flag) {
    return SetFlag("dynamicShapeSupport.flag", flag);
  }
  OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return SetFlag("needCheckSupport.flag", flag); }
  OpAICoreConfig& PrecisionReduceFlag(bool flag) { return SetFlag("precision_reduce.flag", flag); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    values_[key] = value;
    return *this;
  }

  // All keys that were set, with their values.
  const std::map<std::string, std::string>& GetCfgInfo() const { return values_; }
  // Empty when the key was not set.
  std::string GetConfigValue(const std::string& key) const {
    const auto found = values_.find(key);
    return found == values_.end() ? std::string() : found->second;
  }

 private:
  OpAICoreConfig& SetFlag(const char* key, bool flag) {
    return ExtendCfgInfo(key, flag ? "true" : "false");
  }

  std::map<std::string, std::string> values_;
};

// The AI Core side of an operator: its tiling function and its SoCs.
class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc function) {
    tiling_ = function;
    return *this;
  }
  // A SoC by its short name, e.g. "ascend910b". A second call for the same SoC replaces the first.
  OpAICoreDef& AddConfig(const char* soc) { return AddConfig(soc, OpAICoreConfig()); }
  OpAICoreDef& AddConfig(const char* soc, const OpAICoreConfig& config) {
    for (auto& entry : configs_) {
      if (entry.first == soc) {
        entry.second = config;
        return *this;
      }
    }
    configs_.emplace_back(soc, config);
    return *this;
  }

  gert::OpImplRegisterV2::TilingKernelFunc GetTiling() const { return tiling_; }
  // In the order in which they were added.
  const std::vector<std::pair<std::string, OpAICoreConfig>>& GetAICoreConfigs() const {
    return configs_;
  }

 private:
  gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
  std::vector<std::pair<std::string, OpAICoreConfig>> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}

  // Each returns the parameter of that name, and adds it the first time. References stay valid.
  OpParamDef& Input(const char* name) { return FindOrAdd(&inputs_, name); }
  OpParamDef& Output(const char* name) { return FindOrAdd(&outputs_, name); }
  OpAttrDef& Attr(const char* name) {
    for (OpAttrDef& attr : attrs_) {
      if (attr.GetName() == name) return attr;
    }
    attrs_.emplace_back(name);
    return attrs_.back();
  }
  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc function) {
    infer_shape_ = function;
    return *this;
  }
  OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc function) {
    infer_data_type_ = function;
    return *this;
  }
  OpAICoreDef& AICore() { return ai_core_; }

  const std::string& GetOpType() const { return type_; }
  const std::list<OpParamDef>& GetInputs() const { return inputs_; }
  const std::list<OpParamDef>& GetOutputs() const { return outputs_; }
  const std::list<OpAttrDef>& GetAttrs() const { return attrs_; }
  const OpAICoreDef& GetAICore() const { return ai_core_; }
  gert::OpImplRegisterV2::InferShapeKernelFunc GetInferShape() const { return infer_shape_; }
  gert::OpImplRegisterV2::InferDataTypeKernelFunc GetInferDataType() const {
    return infer_data_type_;
  }

 private:
  static OpParamDef& FindOrAdd(std::list<OpParamDef>* params, const char* name) {
    for (OpParamDef& param : *params) {
      if (param.GetParamName() == name) return param;
    }
    params->emplace_back(name);
    return params->back();
  }

  std::string type_;
  std::list<OpParamDef> inputs_;
  std::list<OpParamDef> outputs_;
  std::list<OpAttrDef> attrs_;
  OpAICoreDef ai_core_;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type_ = nullptr;
};

}  // namespace ops

#endif  // CC_HOST_INCLUDE_REGISTER_OP_DEF_H_
