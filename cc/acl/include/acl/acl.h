/* The acl interface: what a caller of the runtime includes. */
#ifndef CC_ACL_INCLUDE_ACL_ACL_H_
#define CC_ACL_INCLUDE_ACL_ACL_H_

#include "acl/acl_base.h"
#include "acl/acl_rt.h"

#endif /* CC_ACL_INCLUDE_ACL_ACL_H_ */
