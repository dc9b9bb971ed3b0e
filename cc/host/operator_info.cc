#include "cc/host/operator_info.h"

#include <cstddef>
#include <list>
#include <vector>

#include "op_common/log/log.h"

namespace attnres {
namespace host {
namespace {

// Operator packages write a data type as Python does: float16, not DT_FLOAT16.
std::string DataTypeName(ge::DataType type) {
  if (type == ge::DT_FLOAT) return "float32";
  if (type == ge::DT_BF16) return "bfloat16";
  std::string name = Ops::Base::ToString(type).substr(sizeof("DT_") - 1);
  for (char& letter : name) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return name;
}

std::string FormatName(ge::Format format) { return Ops::Base::ToString(format); }

template <typename Enum>
std::string Join(const std::vector<Enum>& values, std::string (*name)(Enum)) {
  std::string joined;
  for (Enum value : values) joined += (joined.empty() ? "" : ",") + name(value);
  return joined;
}

const char* ParamTypeName(ops::Option type) {
  switch (type) {
    case ops::OPTIONAL:
      return "optional";
    case ops::DYNAMIC:
      return "dynamic";
    default:
      return "required";
  }
}

void AppendTensors(const char* kind, const std::list<ops::OpParamDef>& params, std::string* text) {
  size_t index = 0;
  for (const ops::OpParamDef& param : params) {
    const std::string key = kind + std::to_string(index++);
    *text += key + ".name=" + param.GetParamName() + "\n";
    *text += key + ".paramType=" + ParamTypeName(param.GetParamType()) + "\n";
    *text += key + ".dtype=" + Join(param.GetDataTypes(), DataTypeName) + "\n";
    *text += key + ".format=" + Join(param.GetFormats(), FormatName) + "\n";
    *text +=
        key + ".unknownshape_format=" + Join(param.GetUnknownShapeFormats(), FormatName) + "\n";
    *text += key + ".shape=all\n";
  }
}

struct AttrText {
  const char* type;
  std::string default_value;
};

AttrText Describe(const ops::OpAttrDef& attr) {
  switch (attr.GetType()) {
    case ops::OpAttrDef::Type::kBool:
      return {"bool", attr.GetBool() ? "true" : "false"};
    case ops::OpAttrDef::Type::kFloat:
      return {"float", std::to_string(attr.GetFloat())};
    case ops::OpAttrDef::Type::kInt:
      return {"int", std::to_string(attr.GetInt())};
    default:
      return {"str", attr.GetString()};
  }
}

void AppendAttrs(const std::list<ops::OpAttrDef>& attrs, std::string* text) {
  if (attrs.empty()) return;
  std::string names;
  for (const ops::OpAttrDef& attr : attrs) names += (names.empty() ? "" : ",") + attr.GetName();
  *text += "attr.list=" + names + "\n";
  for (const ops::OpAttrDef& attr : attrs) {
    const AttrText described = Describe(attr);
    const std::string key = "attr_" + attr.GetName();
    *text += key + ".type=" + described.type + "\n";
    *text += key + ".value=all\n";
    *text += key + ".paramType=" + (attr.IsRequired() ? "required" : "optional") + "\n";
    if (!attr.IsRequired()) *text += key + ".defaultValue=" + described.default_value + "\n";
  }
}

}  // namespace

std::string OperatorInfo(const ops::OpDef& definition, const std::string& soc) {
  for (const auto& [name, config] : definition.GetAICore().GetAICoreConfigs()) {
    if (name != soc) continue;
    std::string text = "[" + definition.GetOpType() + "]\n";
    AppendTensors("input", definition.GetInputs(), &text);
    AppendTensors("output", definition.GetOutputs(), &text);
    AppendAttrs(definition.GetAttrs(), &text);
    for (const auto& [key, value] : config.GetCfgInfo()) text += key + "=" + value + "\n";
    return text;
  }
  return "";
}

}  // namespace host
}  // namespace attnres
