// Checks of one call against an operator's definition; see definition_check.h.
#include "cc/host/definition_check.h"

#include <algorithm>
#include <cstddef>
#include <list>
#include <vector>

#include "op_common/log/log.h"

namespace attnres {
namespace host {
namespace {

using Columns = std::vector<size_t>;

std::string JoinNames(const std::vector<std::string>& names) {
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ", ") + name;
  return joined;
}

std::string CheckCount(const ops::OpDef& definition, const char* what, uint64_t got,
                       size_t expected) {
  if (got == expected) return "";
  return definition.GetOpType() + " got " + std::to_string(got) + " " + what + ", expected " +
         std::to_string(expected);
}

// Keeps the columns in which `values` has `actual`. When none is left, the sentence names what the
// columns before would have taken.
template <typename Enum>
std::string Narrow(const std::string& tensor, const char* property, Enum actual,
                   const std::vector<Enum>& values, Columns* columns) {
  Columns kept;
  std::vector<std::string> accepted;
  for (size_t column : *columns) {
    if (column >= values.size()) continue;
    if (values[column] == actual) kept.push_back(column);
    const std::string name = Ops::Base::ToString(values[column]);
    if (std::find(accepted.begin(), accepted.end(), name) == accepted.end()) {
      accepted.push_back(name);
    }
  }
  if (kept.empty()) {
    return tensor + " has " + property + " " + Ops::Base::ToString(actual) + ", expected " +
           JoinNames(accepted);
  }
  *columns = kept;
  return "";
}

std::string CheckTensorList(const char* kind, const std::list<ops::OpParamDef>& params,
                            const AclTwinTensorDesc* tensors, Columns* columns) {
  for (const ops::OpParamDef& param : params) {
    const AclTwinTensorDesc& tensor = *tensors++;
    const std::string name = std::string(kind) + " " + param.GetParamName();
    if (tensor.rank > gert::Shape::kMaxDimNum) {
      return name + " has rank " + std::to_string(tensor.rank) + ", expected at most " +
             std::to_string(gert::Shape::kMaxDimNum);
    }
    std::string error = Narrow(name, "data type", static_cast<ge::DataType>(tensor.dtype),
                               param.GetDataTypes(), columns);
    if (!error.empty()) return error;
    // A definition without formats means ND.
    const std::vector<ge::Format> formats =
        param.GetFormats().empty()
            ? std::vector<ge::Format>(param.GetDataTypes().size(), ge::FORMAT_ND)
            : param.GetFormats();
    error = Narrow(name, "format", static_cast<ge::Format>(tensor.format), formats, columns);
    if (!error.empty()) return error;
  }
  return "";
}

// The kind of AclTwinAttr that an attribute of `type` must have; -1 for a type the seam lacks.
int32_t ExpectedKind(ops::OpAttrDef::Type type) {
  switch (type) {
    case ops::OpAttrDef::Type::kInt:
      return ACL_TWIN_ATTR_INT64;
    case ops::OpAttrDef::Type::kFloat:
      return ACL_TWIN_ATTR_FLOAT;
    case ops::OpAttrDef::Type::kBool:
      return ACL_TWIN_ATTR_BOOL;
    default:
      return -1;
  }
}

void AppendGiven(const AclTwinAttr& attr, gert::RuntimeAttrs* attrs) {
  switch (attr.kind) {
    case ACL_TWIN_ATTR_INT64:
      attrs->AppendInt(attr.value.integer);
      break;
    case ACL_TWIN_ATTR_FLOAT:
      attrs->AppendFloat(static_cast<float>(attr.value.real));
      break;
    default:
      attrs->AppendBool(attr.value.integer != 0);
  }
}

void AppendDefault(const ops::OpAttrDef& attr, gert::RuntimeAttrs* attrs) {
  switch (attr.GetType()) {
    case ops::OpAttrDef::Type::kInt:
      attrs->AppendInt(attr.GetInt());
      break;
    case ops::OpAttrDef::Type::kFloat:
      attrs->AppendFloat(attr.GetFloat());
      break;
    case ops::OpAttrDef::Type::kBool:
      attrs->AppendBool(attr.GetBool());
      break;
    default:
      attrs->AppendStr(attr.GetString().c_str());
  }
}

}  // namespace

std::string CheckSoc(const ops::OpDef& definition, const std::string& soc) {
  std::vector<std::string> supported;
  for (const auto& config : definition.GetAICore().GetAICoreConfigs()) {
    if (config.first == soc) return "";
    supported.push_back(config.first);
  }
  return definition.GetOpType() + " has no kernels for SoC " + soc + ", supported SoCs are " +
         JoinNames(supported);
}

std::string CheckTensors(const ops::OpDef& definition, const AclTwinTilingRequest& request) {
  std::string error =
      CheckCount(definition, "inputs", request.input_count, definition.GetInputs().size());
  if (!error.empty()) return error;
  error = CheckCount(definition, "outputs", request.output_count, definition.GetOutputs().size());
  if (!error.empty()) return error;
  Columns columns;
  if (!definition.GetInputs().empty()) {
    columns.resize(definition.GetInputs().front().GetDataTypes().size());
  }
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  error = CheckTensorList("input", definition.GetInputs(), request.inputs, &columns);
  if (!error.empty()) return error;
  return CheckTensorList("output", definition.GetOutputs(), request.outputs, &columns);
}

std::string AppendAttrs(const ops::OpDef& definition, const AclTwinTilingRequest& request,
                        gert::RuntimeAttrs* attrs) {
  if (request.attr_count > definition.GetAttrs().size()) {
    return CheckCount(definition, "attributes", request.attr_count, definition.GetAttrs().size());
  }
  uint64_t index = 0;
  for (const ops::OpAttrDef& attr : definition.GetAttrs()) {
    if (index >= request.attr_count) {
      if (attr.IsRequired()) return "required attribute " + attr.GetName() + " is missing";
      AppendDefault(attr, attrs);
      continue;
    }
    const AclTwinAttr& given = request.attrs[index++];
    const int32_t expected = ExpectedKind(attr.GetType());
    if (given.kind != expected) {
      return "attribute " + attr.GetName() + " is of kind " + std::to_string(given.kind) +
             ", expected " + std::to_string(expected);
    }
    AppendGiven(given, attrs);
  }
  return "";
}

}  // namespace host
}  // namespace attnres
