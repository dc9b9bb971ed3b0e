// A wide call: on ascend910b a row of 8192 does not fit in the Unified Buffer and the kernel walks
// it in tiles. The caller's code is that of full_h_example.cc; nothing of it knows about tiles.
#include "gradient_call.h"

int main() {
  GradientExample example;
  example.tokens = 2;
  example.blocks = 2;
  example.hidden = 8192;
  example.partial_block = 1.0f;
  example.block_res = {0.5f, 1.5f};
  example.proj_weight = 1.0f;
  example.norm_weight = 1.0f;
  example.grad_hidden_states = 1.0f;
  example.inv_norm = {1.0f, 1.0f, 1.0f};
  example.probs = {0.2f, 0.3f, 0.5f};
  example.grad_partial_block = 0.5f;
  example.grad_block_res = {-675.5f, -1382.0f};
  example.grad_proj_weight = 2007.0f;
  example.grad_norm_weight = 2007.0f;
  return RunGradientExample(example);
}
