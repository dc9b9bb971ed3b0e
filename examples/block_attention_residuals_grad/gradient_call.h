// A caller of aclnnBlockAttentionResidualsGrad, as a program outside this project would write it:
// it includes acl/acl.h and the operator's header and links the two libraries. The examples differ
// in shapes and values alone.
#ifndef EXAMPLES_BLOCK_ATTENTION_RESIDUALS_GRAD_GRADIENT_CALL_H_
#define EXAMPLES_BLOCK_ATTENTION_RESIDUALS_GRAD_GRADIENT_CALL_H_

#include <cstdint>
#include <vector>

// One call in float16. Every tensor has one value for all its elements, except that those with a
// row axis (blockRes and its gradient; invNorm and probs) have one for each row.
struct GradientExample {
  int64_t tokens;
  int64_t blocks;
  int64_t hidden;

  float partial_block;
  std::vector<float> block_res;  // per block
  float proj_weight;
  float norm_weight;
  float grad_hidden_states;
  std::vector<float> inv_norm;  // per value row: the blocks, then the partial block
  std::vector<float> probs;

  // What every element of the results must be.
  float grad_partial_block;
  std::vector<float> grad_block_res;  // per block
  float grad_proj_weight;
  float grad_norm_weight;
};

// Makes the call on device 0 and compares every element. Prints one line for each result, and the
// reason when something fails. Returns the program's exit code: 0 when all elements are right.
int RunGradientExample(const GradientExample& example);

#endif  // EXAMPLES_BLOCK_ATTENTION_RESIDUALS_GRAD_GRADIENT_CALL_H_
