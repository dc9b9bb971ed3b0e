// The call in its usual steps: device and stream, tensors, phase 1, workspace, phase 2,
// synchronisation, results.
#include "gradient_call.h"

#include <cstdio>
#include <string>

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"

namespace {

// Memory on the device and the tensor over it.
struct DeviceTensor {
  std::vector<int64_t> dims;
  aclDataType dtype = ACL_FLOAT16;
  size_t bytes = 0;
  void* data = nullptr;
  aclTensor* tensor = nullptr;

  DeviceTensor() = default;
  DeviceTensor(const DeviceTensor&) = delete;
  DeviceTensor& operator=(const DeviceTensor&) = delete;
  ~DeviceTensor() {
    if (tensor != nullptr) aclDestroyTensor(tensor);
    if (data != nullptr) aclrtFree(data);
  }
};

bool Succeeded(const char* call, int code) {
  if (code == 0) return true;
  std::printf("%s returned %d: %s\n", call, code, aclGetRecentErrMsg());
  return false;
}

int64_t CountElements(const std::vector<int64_t>& dims) {
  int64_t count = 1;
  for (int64_t dim : dims) count *= dim;
  return count;
}

bool Create(const std::vector<int64_t>& dims, aclDataType dtype, DeviceTensor* to) {
  to->dims = dims;
  to->dtype = dtype;
  to->bytes = static_cast<size_t>(CountElements(dims)) * aclDataTypeSize(dtype);
  if (!Succeeded("aclrtMalloc", aclrtMalloc(&to->data, to->bytes, ACL_MEM_MALLOC_HUGE_FIRST))) {
    return false;
  }
  to->tensor = aclCreateTensor(dims.data(), dims.size(), dtype, nullptr, 0, ACL_FORMAT_ND,
                               dims.data(), dims.size(), to->data);
  if (to->tensor == nullptr) std::printf("aclCreateTensor: %s\n", aclGetRecentErrMsg());
  return to->tensor != nullptr;
}

// Element i of a tensor whose rows of `row_length` elements take the values in turn.
float ValueAt(const std::vector<float>& values, int64_t row_length, int64_t i) {
  return values[static_cast<size_t>(i / row_length) % values.size()];
}

template <typename Element>
bool Upload(const std::vector<Element>& host, const DeviceTensor& to) {
  return Succeeded("aclrtMemcpy", aclrtMemcpy(to.data, to.bytes, host.data(), to.bytes,
                                              ACL_MEMCPY_HOST_TO_DEVICE));
}

bool CreateInput(const std::vector<int64_t>& dims, aclDataType dtype,
                 const std::vector<float>& values, int64_t row_length, DeviceTensor* to) {
  if (!Create(dims, dtype, to)) return false;
  const int64_t count = CountElements(dims);
  std::vector<float> floats;
  std::vector<aclFloat16> halves;
  for (int64_t i = 0; i < count; ++i) {
    const float value = ValueAt(values, row_length, i);
    if (dtype == ACL_FLOAT) {
      floats.push_back(value);
    } else {
      halves.push_back(aclFloatToFloat16(value));
    }
  }
  return dtype == ACL_FLOAT ? Upload(floats, *to) : Upload(halves, *to);
}

bool HasValues(const char* name, const DeviceTensor& result, const std::vector<float>& values,
               int64_t row_length) {
  std::vector<aclFloat16> host(result.bytes / sizeof(aclFloat16));
  if (!Succeeded("aclrtMemcpy", aclrtMemcpy(host.data(), result.bytes, result.data, result.bytes,
                                            ACL_MEMCPY_DEVICE_TO_HOST))) {
    return false;
  }
  int64_t right = 0;
  std::string first_wrong;
  for (size_t i = 0; i < host.size(); ++i) {
    const float expected = ValueAt(values, row_length, static_cast<int64_t>(i));
    const float actual = aclFloat16ToFloat(host[i]);
    if (actual == expected) {
      ++right;
    } else if (first_wrong.empty()) {
      first_wrong = "; element " + std::to_string(i) + " is " + std::to_string(actual) +
                    ", expected " + std::to_string(expected);
    }
  }
  std::printf("%-18s %lld of %zu values are right%s\n", name, static_cast<long long>(right),
              host.size(), first_wrong.c_str());
  return first_wrong.empty();
}

bool Compute(const GradientExample& example, aclrtStream stream) {
  const int64_t tokens = example.tokens;
  const int64_t blocks = example.blocks;
  const int64_t hidden = example.hidden;
  DeviceTensor partial_block, block_res, proj_weight, norm_weight, grad_hidden, inv_norm, probs;
  DeviceTensor grad_partial, grad_block, grad_proj, grad_norm;
  const bool created =
      CreateInput({tokens, hidden}, ACL_FLOAT16, {example.partial_block}, hidden, &partial_block) &&
      CreateInput({tokens, blocks, hidden}, ACL_FLOAT16, example.block_res, hidden, &block_res) &&
      CreateInput({1, hidden}, ACL_FLOAT16, {example.proj_weight}, hidden, &proj_weight) &&
      CreateInput({hidden}, ACL_FLOAT16, {example.norm_weight}, hidden, &norm_weight) &&
      CreateInput({tokens, hidden}, ACL_FLOAT16, {example.grad_hidden_states}, hidden,
                  &grad_hidden) &&
      CreateInput({tokens, blocks + 1}, ACL_FLOAT, example.inv_norm, 1, &inv_norm) &&
      CreateInput({tokens, blocks + 1}, ACL_FLOAT, example.probs, 1, &probs) &&
      Create({tokens, hidden}, ACL_FLOAT16, &grad_partial) &&
      Create({tokens, blocks, hidden}, ACL_FLOAT16, &grad_block) &&
      Create({1, hidden}, ACL_FLOAT16, &grad_proj) && Create({hidden}, ACL_FLOAT16, &grad_norm);
  if (!created) return false;

  uint64_t workspace_size = 0;
  aclOpExecutor* executor = nullptr;
  if (!Succeeded(
          "aclnnBlockAttentionResidualsGradGetWorkspaceSize",
          aclnnBlockAttentionResidualsGradGetWorkspaceSize(
              partial_block.tensor, block_res.tensor, proj_weight.tensor, norm_weight.tensor,
              grad_hidden.tensor, inv_norm.tensor, probs.tensor, -1, grad_partial.tensor,
              grad_block.tensor, grad_proj.tensor, grad_norm.tensor, &workspace_size, &executor))) {
    return false;
  }
  void* workspace = nullptr;
  if (workspace_size > 0 && !Succeeded("aclrtMalloc", aclrtMalloc(&workspace, workspace_size,
                                                                  ACL_MEM_MALLOC_HUGE_FIRST))) {
    return false;
  }
  const bool ran =
      Succeeded("aclnnBlockAttentionResidualsGrad",
                aclnnBlockAttentionResidualsGrad(workspace, workspace_size, executor, stream)) &&
      Succeeded("aclrtSynchronizeStream", aclrtSynchronizeStream(stream));
  if (workspace != nullptr) aclrtFree(workspace);
  if (!ran) return false;

  // Every result is looked at, also after a wrong one.
  bool right = HasValues("grad_partial_block", grad_partial, {example.grad_partial_block}, hidden);
  right = HasValues("grad_block_res", grad_block, example.grad_block_res, hidden) && right;
  right = HasValues("grad_proj_weight", grad_proj, {example.grad_proj_weight}, hidden) && right;
  return HasValues("grad_norm_weight", grad_norm, {example.grad_norm_weight}, hidden) && right;
}

}  // namespace

int RunGradientExample(const GradientExample& example) {
  if (!Succeeded("aclInit", aclInit(nullptr)) || !Succeeded("aclrtSetDevice", aclrtSetDevice(0))) {
    return 1;
  }
  std::printf("%s, T=%lld, N=%lld, H=%lld, float16\n", aclrtGetSocName(),
              static_cast<long long>(example.tokens), static_cast<long long>(example.blocks),
              static_cast<long long>(example.hidden));
  aclrtStream stream = nullptr;
  if (!Succeeded("aclrtCreateStream", aclrtCreateStream(&stream))) return 1;
  const bool right = Compute(example, stream);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return right ? 0 : 1;
}
