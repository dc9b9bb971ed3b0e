#include "examples/aclnn_caller/two_phase_call.h"

#include <cstdio>

#include "examples/aclnn_caller/acl_status.h"

int RunOnDevice(const std::string& title, const std::function<bool(aclrtStream)>& body) {
  if (!Succeeded("aclInit", aclInit(nullptr)) || !Succeeded("aclrtSetDevice", aclrtSetDevice(0))) {
    return 1;
  }
  std::printf("%s, %s\n", aclrtGetSocName(), title.c_str());
  aclrtStream stream = nullptr;
  if (!Succeeded("aclrtCreateStream", aclrtCreateStream(&stream))) return 1;
  const bool right = body(stream);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return right ? 0 : 1;
}

bool RunTwoPhases(const std::string& name, const PhaseOne& phase_one, PhaseTwo phase_two,
                  aclrtStream stream) {
  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  if (!Succeeded((name + "GetWorkspaceSize").c_str(), phase_one(&workspace_size, &executor))) {
    return false;
  }
  void* workspace = nullptr;
  if (workspace_size > 0 && !Succeeded("aclrtMalloc", aclrtMalloc(&workspace, workspace_size,
                                                                  ACL_MEM_MALLOC_HUGE_FIRST))) {
    return false;
  }
  const bool ran =
      Succeeded(name.c_str(), phase_two(workspace, workspace_size, executor, stream)) &&
      Succeeded("aclrtSynchronizeStream", aclrtSynchronizeStream(stream));
  if (workspace != nullptr) aclrtFree(workspace);
  return ran;
}
