// A caller of aclnnBlockAttentionResiduals, as a program outside this project would write it: it
// includes acl/acl.h and the operator's header and links the two libraries. The examples differ in
// sizes, and in whether a backward follows. The other operator's are in
// ../block_attention_residuals_grad.
#ifndef EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_CALL_H_
#define EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_CALL_H_

#include <cstddef>

// One call in float16, with values between -1 and 1.
struct ForwardExample {
  size_t tokens;
  size_t blocks;
  size_t hidden;
  bool need_backward;  // whether the call also asks for inv_norm and probs
};

// Makes the call on device 0 and compares every element with the formula in float64. Prints one
// line for each result, and the reason when something fails. Returns the program's exit code: 0
// when all elements are right.
int RunForwardExample(const ForwardExample& example);

#endif  // EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_CALL_H_
