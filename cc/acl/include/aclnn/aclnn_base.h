/* What every aclnn header includes: the types of acl_meta.h. */
#ifndef CC_ACL_INCLUDE_ACLNN_ACLNN_BASE_H_
#define CC_ACL_INCLUDE_ACLNN_ACLNN_BASE_H_

#include "aclnn/acl_meta.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Both do nothing and succeed: the twin needs no set-up of its own. */
ACL_FUNC_VISIBILITY aclnnStatus aclnnInit(const char* configPath);
ACL_FUNC_VISIBILITY aclnnStatus aclnnFinalize(void);

#ifdef __cplusplus
}
#endif

#endif /* CC_ACL_INCLUDE_ACLNN_ACLNN_BASE_H_ */
