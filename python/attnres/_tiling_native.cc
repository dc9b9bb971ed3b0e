// The Python extension _tiling_native: host tiling of BlockAttentionResidualsGrad as a function.
// _tiling.py makes its result a dataclass; the decision itself is
// op_host/block_attention_residuals_grad/tiling_plan.h.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>

#include "op_host/block_attention_residuals_grad/tiling_plan.h"

namespace {

namespace py = pybind11;

py::dict FieldsOf(const optiling::TilingPlan& plan) {
  py::dict fields;
  fields["tiling_key"] = plan.tilingKey;
  fields["required_full"] = plan.requiredFull;
  fields["available"] = plan.available;
  fields["batch_size"] = plan.data.batchSize;
  fields["num_blocks"] = plan.data.numBlocks;
  fields["total_blocks"] = plan.data.totalBlocks;
  fields["hidden_size"] = plan.data.hiddenSize;
  fields["hidden_tile_size"] = plan.data.hiddenTileSize;
  fields["hidden_tile_num"] = plan.data.hiddenTileNum;
  fields["core_num"] = plan.data.coreNum;
  fields["per_core_wksp_bytes"] = plan.data.perCoreWkspBytes;
  fields["grad_scores_wksp_off"] = plan.data.gradScoresWkspOff;
  fields["variance_scale_wksp_off"] = plan.data.varianceScaleWkspOff;
  fields["workspace_size"] = plan.workspaceBytes;
  fields["resident_rows"] = plan.data.residentRows;
  fields["ub_bytes_used"] = plan.ubBytesUsed;
  fields["used_core_num"] = plan.data.usedCoreNum;
  fields["row_segments"] = plan.data.rowSegments;
  fields["segment_elements"] = plan.data.segmentElements;
  fields["segment_tiles"] = plan.data.segmentTiles;
  fields["row_groups"] = plan.data.rowGroups;
  fields["group_rows"] = plan.data.groupRows;
  fields["stream_buffers"] = plan.data.streamBuffers;
  return fields;
}

py::dict Plan(uint32_t npu_arch, uint32_t core_num, uint64_t ub_bytes, int64_t tokens,
              int64_t blocks, int64_t hidden, uint32_t dtype_bytes) {
  const optiling::TilingShape shape{tokens, blocks, hidden, dtype_bytes};
  const optiling::TilingPlatform platform{static_cast<optiling::KernelArch>(npu_arch), core_num,
                                          ub_bytes};
  optiling::TilingPlan plan{};
  std::string error;
  py::dict result;
  py::list buffers;
  if (optiling::PlanTiling(shape, platform, &plan, &error)) {
    for (const optiling::UbBuffer& buffer : plan.buffers) {
      buffers.append(py::make_tuple(buffer.name, buffer.count, buffer.bytes));
    }
    result["fields"] = FieldsOf(plan);
  } else if (error.empty()) {
    error = "tiling failed without a message";
  }
  result["error"] = error;
  result["buffers"] = buffers;
  return result;
}

}  // namespace

PYBIND11_MODULE(_tiling_native, module) {
  module.doc() = "Host tiling of BlockAttentionResidualsGrad.";
  module.def("plan", &Plan, py::kw_only(), py::arg("npu_arch"), py::arg("core_num"),
             py::arg("ub_bytes"), py::arg("tokens"), py::arg("blocks"), py::arg("hidden"),
             py::arg("dtype_bytes"),
             R"(Plans a shape for a platform; npu_arch is 2201 or 3510.

Returns a dictionary: "error" is "" or one sentence; else "fields" holds the named numbers and "buffers"
triples of name, count and bytes of each UB buffer.)");
}
