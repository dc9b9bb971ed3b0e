#include "forward_call.h"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals.h"
#include "examples/aclnn_caller/device_tensor.h"
#include "examples/aclnn_caller/result_check.h"
#include "examples/aclnn_caller/two_phase_call.h"
#include "forward_reference.h"

namespace {

// Rounded once to float16: half a unit in the last place, of 11 bits; where terms cancel, what
// the float32 results that it mixes are off.
constexpr Tolerance kFloat16Tolerance = {0x1p-11, 0x1p-21};
// A few units of float32, for the exponential and the score under it.
constexpr Tolerance kFloat32Tolerance = {0x1p-21, 0.0};

// Multiples of `step` up to 16 of them, which float16 has exactly. The standard says which numbers
// an mt19937 gives, so every run has the same.
std::vector<float> Draw(std::mt19937* generator, size_t count, float step) {
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    values.push_back((static_cast<float>((*generator)() % 33) - 16.0f) * step);
  }
  return values;
}

ForwardInputs DrawInputs(const ForwardExample& example) {
  std::mt19937 generator(1);
  ForwardInputs inputs;
  inputs.tokens = example.tokens;
  inputs.blocks = example.blocks;
  inputs.hidden = example.hidden;
  inputs.partial_block = Draw(&generator, example.tokens * example.hidden, 0x1p-4f);
  inputs.block_res = Draw(&generator, example.tokens * example.blocks * example.hidden, 0x1p-4f);
  // A score is a sum over H; weights of about 1/sqrt(H) keep it near 1, whatever H is.
  const float proj_step = std::exp2(-2.0f - std::round(std::log2(example.hidden) / 2.0f));
  inputs.proj_weight = Draw(&generator, example.hidden, proj_step);
  inputs.norm_weight = Draw(&generator, example.hidden, 0x1p-4f);
  inputs.norm_eps = 1e-6;
  return inputs;
}

bool Compute(const ForwardExample& example, aclrtStream stream) {
  const ForwardInputs inputs = DrawInputs(example);
  const int64_t tokens = static_cast<int64_t>(example.tokens);
  const int64_t blocks = static_cast<int64_t>(example.blocks);
  const int64_t hidden = static_cast<int64_t>(example.hidden);
  DeviceTensor partial_block, block_res, proj_weight, norm_weight;
  DeviceTensor hidden_states, inv_norm, probs;
  bool created = partial_block.Create({tokens, hidden}, ACL_FLOAT16, inputs.partial_block) &&
                 block_res.Create({tokens, blocks, hidden}, ACL_FLOAT16, inputs.block_res) &&
                 proj_weight.Create({1, hidden}, ACL_FLOAT16, inputs.proj_weight) &&
                 norm_weight.Create({hidden}, ACL_FLOAT16, inputs.norm_weight) &&
                 hidden_states.Create({tokens, hidden}, ACL_FLOAT16);
  if (example.need_backward) {
    created = created && inv_norm.Create({tokens, blocks + 1}, ACL_FLOAT) &&
              probs.Create({tokens, blocks + 1}, ACL_FLOAT);
  }
  if (!created) return false;

  // Without a backward the last two are null.
  const auto phase_one = [&](uint64_t* workspace_size, aclOpExecutor** executor) {
    return aclnnBlockAttentionResidualsGetWorkspaceSize(
        partial_block.get(), block_res.get(), proj_weight.get(), norm_weight.get(), -1,
        inputs.norm_eps, example.need_backward, hidden_states.get(), inv_norm.get(), probs.get(),
        workspace_size, executor);
  };
  if (!RunTwoPhases("aclnnBlockAttentionResiduals", phase_one, aclnnBlockAttentionResiduals,
                    stream)) {
    return false;
  }

  const ForwardResults expected = ComputeForward(inputs);
  bool right = HasValues("hidden_states", hidden_states, expected.hidden_states, kFloat16Tolerance);
  if (example.need_backward) {
    // Every result is looked at, also after a wrong one.
    right = HasValues("inv_norm", inv_norm, expected.inv_norm, kFloat32Tolerance) && right;
    right = HasValues("probs", probs, expected.probs, kFloat32Tolerance) && right;
  }
  return right;
}

}  // namespace

int RunForwardExample(const ForwardExample& example) {
  const std::string title = "T=" + std::to_string(example.tokens) +
                            ", N=" + std::to_string(example.blocks) +
                            ", H=" + std::to_string(example.hidden) + ", float16" +
                            (example.need_backward ? "" : ", no backward");
  return RunOnDevice(title, [&](aclrtStream stream) { return Compute(example, stream); });
}
