// The forward by its formula, in float64.
#ifndef EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_REFERENCE_H_
#define EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_REFERENCE_H_

#include <cstddef>
#include <vector>

// The inputs of a call, contiguous. T tokens, N blocks, H hidden size.
struct ForwardInputs {
  size_t tokens;
  size_t blocks;
  size_t hidden;
  std::vector<float> partial_block;  // [T,H]
  std::vector<float> block_res;      // [T,N,H]
  std::vector<float> proj_weight;    // [1,H]
  std::vector<float> norm_weight;    // [H]
  double norm_eps;
};

struct ForwardResults {
  std::vector<double> hidden_states;  // [T,H]
  std::vector<double> inv_norm;       // [T,N+1]: the blocks, then the partial block
  std::vector<double> probs;          // [T,N+1]
};

ForwardResults ComputeForward(const ForwardInputs& inputs);

#endif  // EXAMPLES_BLOCK_ATTENTION_RESIDUALS_FORWARD_REFERENCE_H_
