// gert::TilingContext: shapes, attributes and platform to read; tiling key, block dim, tiling data
// and workspace sizes to write. cc/host/tiling_entry.cc builds it and collects what was written.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/storage_shape.h"
#include "exe_graph/runtime/tiling_data.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace gert {

class TilingContext : public ExtendedKernelContext {
 public:
  // All arguments outlive the context. `tiling_data` is aligned for any type.
  TilingContext(ComputeNodeInfo* node, fe::PlatFormInfos* platform, const void* compile_info,
                TilingData* tiling_data)
      : ExtendedKernelContext(node),
        platform_(platform),
        compile_info_(compile_info),
        tiling_data_(tiling_data) {}

  fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }
  const void* GetCompileInfo() const { return compile_info_; }
  template <typename T>
  const T* GetCompileInfo() const {
    return static_cast<const T*>(compile_info_);
  }

  // Each returns null when there is no such tensor.
  const StorageShape* GetInputShape(size_t index) const {
    const Tensor* tensor = node()->GetInputTensor(index);
    return tensor == nullptr ? nullptr : &tensor->GetShape();
  }
  const StorageShape* GetRequiredInputShape(size_t ir_index) const {
    return GetInputShape(ir_index);
  }
  const StorageShape* GetOutputShape(size_t index) const {
    const Tensor* tensor = node()->GetOutputTensor(index);
    return tensor == nullptr ? nullptr : &tensor->GetShape();
  }
  const Tensor* GetInputTensor(size_t index) const { return node()->GetInputTensor(index); }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const { return GetInputTensor(ir_index); }

  ge::graphStatus SetTilingKey(uint64_t tiling_key) { return Set(&tiling_key_, tiling_key); }
  uint64_t GetTilingKey() const { return tiling_key_; }
  ge::graphStatus SetBlockDim(uint32_t block_dim) { return Set(&block_dim_, block_dim); }
  uint32_t GetBlockDim() const { return block_dim_; }
  ge::graphStatus SetSimdNumBlocks(uint32_t num_blocks) { return SetBlockDim(num_blocks); }
  uint32_t GetSimdNumBlocks() const { return block_dim_; }
  // 1: all blocks start together or not at all, which kernels that synchronise all cores need. The
  // twin always runs them so.
  ge::graphStatus SetScheduleMode(uint32_t mode) { return Set(&schedule_mode_, mode); }
  uint32_t GetScheduleMode() const { return schedule_mode_; }
  ge::graphStatus SetLocalMemorySize(uint32_t size) { return Set(&local_memory_size_, size); }
  uint32_t GetLocalMemorySize() const { return local_memory_size_; }

  TilingData* GetRawTilingData() { return tiling_data_; }
  // The buffer as a T with default values; null when it is too small.
  template <typename T>
  T* GetTilingData() {
    static_assert(std::is_trivially_copyable<T>::value, "tiling data is copied as bytes");
    if (tiling_data_->GetCapacity() < sizeof(T)) return nullptr;
    tiling_data_->SetDataSize(sizeof(T));
    return ::new (tiling_data_->GetData()) T();
  }

  // Room for `workspace_count` sizes, all 0 at first.
  size_t* GetWorkspaceSizes(size_t workspace_count) {
    workspace_sizes_.resize(workspace_count);
    return workspace_sizes_.data();
  }
  size_t GetWorkspaceNum() const { return workspace_sizes_.size(); }

 private:
  template <typename T>
  static ge::graphStatus Set(T* field, T value) {
    *field = value;
    return ge::GRAPH_SUCCESS;
  }

  fe::PlatFormInfos* platform_;
  const void* compile_info_;
  TilingData* tiling_data_;
  uint64_t tiling_key_ = 0;
  uint32_t block_dim_ = 0;
  uint32_t schedule_mode_ = 0;
  uint32_t local_memory_size_ = 0;
  std::vector<size_t> workspace_sizes_;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_CONTEXT_H_
