// From the C seam to gert::TilingContext and back; see tiling_entry.h.
#include "cc/host/tiling_entry.h"

#include <cctype>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cc/host/definition_check.h"
#include "cc/host/log.h"
#include "cc/host/operator_registry.h"
#include "cc/host/platform/soc_profiles.h"
#include "cc/host/tiling_key.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "platform/platform_infos_def.h"

namespace attnres {
namespace host {
namespace {

struct Status {
  int32_t code = 0;
  std::string message;
};

Status Failed(std::string message) { return {kTilingFailed, std::move(message)}; }

std::string LowerCase(const char* text) {
  std::string lower;
  for (; *text != '\0'; ++text) {
    lower += static_cast<char>(std::tolower(static_cast<unsigned char>(*text)));
  }
  return lower;
}

gert::Shape ToShape(const AclTwinTensorDesc& tensor) {
  gert::Shape shape;
  for (uint64_t i = 0; i < tensor.rank; ++i) shape.AppendDim(tensor.dims[i]);
  return shape;
}

// Finds the profile of the request's SoC, after the definition has accepted it.
Status ResolveSoc(const ops::OpDef& definition, const AclTwinTilingRequest& request,
                  const SocProfile** profile) {
  if (request.soc == nullptr) return Failed("no SoC is given");
  *profile = FindSocProfile(request.soc);
  const std::string soc = *profile == nullptr ? LowerCase(request.soc) : (*profile)->short_name;
  std::string error = CheckSoc(definition, soc);
  if (!error.empty()) return {kKernelNotFound, std::move(error)};
  if (*profile == nullptr) return Failed("SoC " + soc + " has no profile");
  if ((*profile)->npu_arch != request.arch) {
    return Failed("SoC " + soc + " has architecture " + std::to_string((*profile)->npu_arch) +
                  ", but the call is for " + std::to_string(request.arch));
  }
  return {};
}

// Builds the node of the call: tensors and attributes, checked against the definition.
Status BuildNode(const ops::OpDef& definition, const AclTwinTilingRequest& request,
                 gert::ComputeNodeInfo* node) {
  std::string error = CheckTensors(definition, request);
  if (error.empty()) error = AppendAttrs(definition, request, node->MutableAttrs());
  if (!error.empty()) return Failed(std::move(error));
  for (uint64_t i = 0; i < request.input_count; ++i) {
    node->AppendInput(ToShape(request.inputs[i]),
                      static_cast<ge::DataType>(request.inputs[i].dtype),
                      static_cast<ge::Format>(request.inputs[i].format));
  }
  for (uint64_t i = 0; i < request.output_count; ++i) {
    node->AppendOutput(ToShape(request.outputs[i]),
                       static_cast<ge::DataType>(request.outputs[i].dtype),
                       static_cast<ge::Format>(request.outputs[i].format));
  }
  return {};
}

// The first error that the operator logged, or a sentence that says there was none.
Status OperatorFailed(const std::string& op_type, const char* function) {
  std::string error = TakeError();
  if (error.empty()) error = op_type + ": " + function + " failed without a message";
  return Failed(std::move(error));
}

// Copies what tiling wrote into `result`, or changes nothing.
Status Collect(const std::string& op_type, gert::TilingContext& context,
               const gert::TilingData& data, AclTwinTilingResult* result) {
  if (context.GetBlockDim() == 0) return Failed(op_type + ": tiling set no block dim");
  if (context.GetTilingKey() == kInvalidTilingKey) {
    return Failed(op_type + ": tiling set an invalid tiling key");
  }
  if (data.GetDataSize() > result->tiling_data_capacity) {
    return Failed(op_type + ": tiling data has " + std::to_string(data.GetDataSize()) +
                  " bytes, room is for " + std::to_string(result->tiling_data_capacity));
  }
  uint64_t workspace_bytes = 0;
  const size_t workspace_num = context.GetWorkspaceNum();
  const size_t* sizes = context.GetWorkspaceSizes(workspace_num);
  for (size_t i = 0; i < workspace_num; ++i) {
    if (__builtin_add_overflow(workspace_bytes, sizes[i], &workspace_bytes)) {
      return Failed(op_type + ": workspace does not fit in 64 bits");
    }
  }
  result->tiling_key = context.GetTilingKey();
  result->block_dim = context.GetBlockDim();
  result->workspace_bytes = workspace_bytes;
  result->tiling_data_size = data.GetDataSize();
  if (data.GetDataSize() > 0) {
    std::memcpy(result->tiling_data, data.GetData(), data.GetDataSize());
  }
  return {};
}

Status RunTiling(const char* op_type, const AclTwinTilingRequest& request,
                 AclTwinTilingResult* result) {
  const OperatorRecord* record = FindOperator(op_type);
  if (record == nullptr || !record->definition.has_value()) {
    return Failed(std::string(op_type) + " is not registered in this library");
  }
  if (record->tiling == nullptr) return Failed(std::string(op_type) + " has no tiling function");
  const SocProfile* profile = nullptr;
  Status status = ResolveSoc(*record->definition, request, &profile);
  if (status.code != 0) return status;
  gert::ComputeNodeInfo node(op_type, op_type);
  status = BuildNode(*record->definition, request, &node);
  if (status.code != 0) return status;

  TakeError();
  fe::PlatFormInfos platform(profile, request.aiv_core_num, request.ub_bytes);
  std::unique_ptr<void, void (*)(void*)> compile_info(nullptr, [](void*) {});
  if (record->tiling_parse != nullptr) {
    compile_info = {record->create_compile_info(), record->delete_compile_info};
    gert::TilingParseContext parse_context(&node, &platform, compile_info.get());
    if (record->tiling_parse(&parse_context) != ge::GRAPH_SUCCESS) {
      return OperatorFailed(op_type, "tiling preparation");
    }
  }
  // Aligned for any tiling structure and zeroed, whatever the alignment of result->tiling_data.
  std::vector<std::max_align_t> buffer(record->max_tiling_data_size / sizeof(std::max_align_t) + 1);
  gert::TilingData data(buffer.data(), record->max_tiling_data_size);
  gert::TilingContext context(&node, &platform, compile_info.get(), &data);
  if (record->tiling(&context) != ge::GRAPH_SUCCESS) return OperatorFailed(op_type, "tiling");
  return Collect(op_type, context, data, result);
}

}  // namespace

int32_t TilingEntry(const char* op_type, const AclTwinTilingRequest* request,
                    AclTwinTilingResult* result) {
  Status status;
  try {
    status = RunTiling(op_type, *request, result);
  } catch (const std::exception& exception) {
    std::snprintf(result->message, sizeof(result->message), "%s: tiling threw: %s", op_type,
                  exception.what());
    return kTilingFailed;
  }
  if (status.code != 0) {
    std::snprintf(result->message, sizeof(result->message), "%s", status.message.c_str());
  }
  return status.code;
}

const char* TensorName(const char* op_type, bool is_output, uint64_t index) {
  const OperatorRecord* record = FindOperator(op_type);
  if (record == nullptr || !record->definition.has_value()) return nullptr;
  const std::list<ops::OpParamDef>& params =
      is_output ? record->definition->GetOutputs() : record->definition->GetInputs();
  if (index >= params.size()) return nullptr;
  return std::next(params.begin(), static_cast<std::ptrdiff_t>(index))->GetParamName().c_str();
}

}  // namespace host
}  // namespace attnres
