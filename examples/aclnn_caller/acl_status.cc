#include "examples/aclnn_caller/acl_status.h"

#include <cstdio>

#include "acl/acl.h"

bool Succeeded(const char* call, int code) {
  if (code == 0) return true;
  std::printf("%s returned %d: %s\n", call, code, aclGetRecentErrMsg());
  return false;
}
