// A small call: a whole row fits in the Unified Buffer. All values are 1, so the softmax gradient
// cancels the direct one in part: each value row gets 1, each weight -2560.
#include "gradient_call.h"

int main() {
  GradientExample example;
  example.tokens = 2;
  example.blocks = 4;
  example.hidden = 64;
  example.partial_block = 1.0f;
  example.block_res = {1.0f, 1.0f, 1.0f, 1.0f};
  example.proj_weight = 1.0f;
  example.norm_weight = 1.0f;
  example.grad_hidden_states = 1.0f;
  example.inv_norm = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  example.probs = {1.0f, 1.0f, 1.0f, 1.0f, 1.0f};
  example.grad_partial_block = 1.0f;
  example.grad_block_res = {1.0f, 1.0f, 1.0f, 1.0f};
  example.grad_proj_weight = -2560.0f;
  example.grad_norm_weight = -2560.0f;
  return RunGradientExample(example);
}
