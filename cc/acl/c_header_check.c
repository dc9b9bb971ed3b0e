/* Compiles what a caller includes as C: the headers promise it. Nothing calls this. */
#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

int AclHeadersAreC(const aclTensor* tensor);

int AclHeadersAreC(const aclTensor* tensor) {
  aclDataType dtype = ACL_DT_UNDEFINED;
  return aclGetDataType(tensor, &dtype) == ACL_SUCCESS && dtype == ACL_FLOAT16;
}
