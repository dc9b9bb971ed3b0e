// gert::TilingParseContext: what an operator may compute once per platform, before tiling.
#ifndef CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
#define CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_

#include "exe_graph/runtime/extended_kernel_context.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace gert {

class TilingParseContext : public ExtendedKernelContext {
 public:
  // All arguments outlive the context.
  TilingParseContext(ComputeNodeInfo* node, fe::PlatFormInfos* platform, void* compiled_info)
      : ExtendedKernelContext(node), platform_(platform), compiled_info_(compiled_info) {}

  fe::PlatFormInfos* GetPlatformInfo() const { return platform_; }
  // The object to fill, of the type that was registered with TilingParse<T>.
  template <typename T>
  T* GetCompiledInfo() {
    return static_cast<T*>(compiled_info_);
  }

 private:
  fe::PlatFormInfos* platform_;
  void* compiled_info_;
};

}  // namespace gert

#endif  // CC_HOST_INCLUDE_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
