// Which of the instruction sets that kernels are compiled for this machine runs, and which one the
// environment asks for.
#ifndef CC_ACLNN_HOST_ISA_H_
#define CC_ACLNN_HOST_ISA_H_

namespace attnres::aclnn {

// 0 when this machine does not run `isa`; a larger number is a better one.
int IsaRank(const char* isa);

// The only instruction set that may be used: what ATTNRES_ISA says, read once. Null when it is not
// set, or empty: then the best is used.
const char* ForcedIsa();

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_HOST_ISA_H_
