// Which of the instruction sets that kernels are compiled for this machine runs, best first.
#ifndef CC_ACLNN_HOST_ISA_H_
#define CC_ACLNN_HOST_ISA_H_

namespace attnres::aclnn {

// 0 when this machine, or ATTNRES_ISA, rules `isa` out; a larger number is a better one.
// ATTNRES_ISA names the best that may be used, e.g. "x86-64-v3"; it is read once.
int IsaRank(const char* isa);

}  // namespace attnres::aclnn

#endif  // CC_ACLNN_HOST_ISA_H_
