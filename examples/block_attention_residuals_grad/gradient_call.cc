#include "gradient_call.h"

#include <cstddef>
#include <string>

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"
#include "examples/aclnn_caller/device_tensor.h"
#include "examples/aclnn_caller/result_check.h"
#include "examples/aclnn_caller/two_phase_call.h"

namespace {

// The elements of `rows` rows of `row_length` that take the values in turn.
template <typename Element>
std::vector<Element> FillRows(const std::vector<float>& values, int64_t rows, int64_t row_length) {
  std::vector<Element> elements;
  for (int64_t row = 0; row < rows; ++row) {
    const float value = values[static_cast<size_t>(row) % values.size()];
    elements.insert(elements.end(), static_cast<size_t>(row_length), value);
  }
  return elements;
}

bool Compute(const GradientExample& example, aclrtStream stream) {
  const int64_t tokens = example.tokens;
  const int64_t blocks = example.blocks;
  const int64_t hidden = example.hidden;
  const auto floats = FillRows<float>;
  DeviceTensor partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs;
  DeviceTensor grad_partial, grad_block, grad_proj, grad_norm;
  const bool created =
      partial_block.Create({tokens, hidden}, ACL_FLOAT16,
                           floats({example.partial_block}, tokens, hidden)) &&
      block_res.Create({tokens, blocks, hidden}, ACL_FLOAT16,
                       floats(example.block_res, tokens * blocks, hidden)) &&
      proj_weight.Create({1, hidden}, ACL_FLOAT16, floats({example.proj_weight}, 1, hidden)) &&
      norm_weight.Create({hidden}, ACL_FLOAT16, floats({example.norm_weight}, 1, hidden)) &&
      grad_hidden.Create({tokens, hidden}, ACL_FLOAT16,
                         floats({example.grad_hidden_states}, tokens, hidden)) &&
      inv_norm.Create({tokens, blocks + 1}, ACL_FLOAT,
                      floats(example.inv_norm, tokens * (blocks + 1), 1)) &&
      probs.Create({tokens, blocks + 1}, ACL_FLOAT,
                   floats(example.probs, tokens * (blocks + 1), 1)) &&
      grad_partial.Create({tokens, hidden}, ACL_FLOAT16) &&
      grad_block.Create({tokens, blocks, hidden}, ACL_FLOAT16) &&
      grad_proj.Create({1, hidden}, ACL_FLOAT16) && grad_norm.Create({hidden}, ACL_FLOAT16);
  if (!created) return false;

  const auto phase_one = [&](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnBlockAttentionResidualsGradGetWorkspaceSize(
        partial_block.get(), block_res.get(), proj_weight.get(), norm_weight.get(),
        grad_hidden.get(), inv_norm.get(), probs.get(), -1, grad_partial.get(), grad_block.get(),
        grad_proj.get(), grad_norm.get(), workspace_size, executor);
  };
  if (!RunTwoPhases("aclnnBlockAttentionResidualsGrad", phase_one, aclnnBlockAttentionResidualsGrad,
                    stream)) {
    return false;
  }

  // Every result is looked at, also after a wrong one.
  const auto doubles = FillRows<double>;
  const Tolerance exact = {0.0, 0.0};
  bool right = HasValues("grad_partial_block", grad_partial,
                         doubles({example.grad_partial_block}, tokens, hidden), exact);
  right = HasValues("grad_block_res", grad_block,
                    doubles(example.grad_block_res, tokens * blocks, hidden), exact) &&
          right;
  right = HasValues("grad_proj_weight", grad_proj, doubles({example.grad_proj_weight}, 1, hidden),
                    exact) &&
          right;
  return HasValues("grad_norm_weight", grad_norm, doubles({example.grad_norm_weight}, 1, hidden),
                   exact) &&
         right;
}

}  // namespace

int RunGradientExample(const GradientExample& example) {
  const std::string title = "T=" + std::to_string(example.tokens) +
                            ", N=" + std::to_string(example.blocks) +
                            ", H=" + std::to_string(example.hidden) + ", float16";
  return RunOnDevice(title, [&](aclrtStream stream) { return Compute(example, stream); });
}
