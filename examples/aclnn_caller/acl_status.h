// How the example programs report a call that failed.
#ifndef EXAMPLES_ACLNN_CALLER_ACL_STATUS_H_
#define EXAMPLES_ACLNN_CALLER_ACL_STATUS_H_

// Whether `code`, what the function `call` returned, is 0. If not, prints both and the runtime's
// message.
bool Succeeded(const char* call, int code);

#endif  // EXAMPLES_ACLNN_CALLER_ACL_STATUS_H_
