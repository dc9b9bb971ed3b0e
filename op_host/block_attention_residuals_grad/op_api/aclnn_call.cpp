// Tensors with memory of their own, both phases of a call.

#include "op_host/block_attention_residuals_grad/op_api/aclnn_call.h"

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"

namespace op_api
{
namespace
{

constexpr size_t SPARE_BYTES = 4096;  // for views that a test makes larger

}  // namespace

AclnnCall::AclnnCall(int64_t tokens, int64_t blocks, int64_t hidden, aclDataType main)
{
    const struct {
        const char* name;
        std::vector<int64_t> dims;
        aclDataType dtype;
    } tensors[TENSOR_COUNT] = {
        {"partialBlock", {tokens, hidden}, main},
        {"blockRes", {tokens, blocks, hidden}, main},
        {"projWeight", {1, hidden}, main},
        {"normWeight", {hidden}, main},
        {"gradHiddenStates", {tokens, hidden}, main},
        {"invNorm", {tokens, blocks + 1}, ACL_FLOAT},
        {"probs", {tokens, blocks + 1}, ACL_FLOAT},
        {"gradPartialBlock", {tokens, hidden}, main},
        {"gradBlockRes", {tokens, blocks, hidden}, main},
        {"gradProjWeight", {1, hidden}, main},
        {"gradNormWeight", {hidden}, main},
    };
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        size_t bytes = aclDataTypeSize(tensors[i].dtype);
        for (int64_t dim : tensors[i].dims) {
            bytes *= static_cast<size_t>(dim);
        }
        memory_[i].assign(bytes + SPARE_BYTES, 0);
        specs[i] = {tensors[i].name, tensors[i].dims, tensors[i].dtype, ACL_FORMAT_ND, {}, 0, {}, memory_[i].data()};
    }
}

int32_t AclnnCall::PhaseOne(size_t nullTensor)
{
    std::array<aclTensor*, TENSOR_COUNT> t = {};
    for (size_t i = 0; i < TENSOR_COUNT; ++i) {
        const TensorSpec& spec = specs[i];
        if (i != nullTensor) {
            t[i] =
                aclCreateTensor(spec.dims.data(), spec.dims.size(), spec.dtype,
                                spec.strides.empty() ? nullptr : spec.strides.data(), spec.offset, spec.format,
                                spec.storage.empty() ? nullptr : spec.storage.data(), spec.storage.size(), spec.data);
        }
    }
    const int32_t code = aclnnBlockAttentionResidualsGradGetWorkspaceSize(
        t[0], t[1], t[2], t[3], t[4], t[5], t[6], validBlockNum, t[7], t[8], t[9], t[10], &workspaceSize, &executor);
    for (aclTensor* tensor : t) {
        if (tensor != nullptr) {
            aclDestroyTensor(tensor);
        }
    }
    return code;
}

int32_t AclnnCall::Run()
{
    int32_t code = PhaseOne();
    std::vector<char> workspace(workspaceSize);
    if (code == 0) {
        code = aclnnBlockAttentionResidualsGrad(workspace.data(), workspaceSize, executor, nullptr);
    }
    return code != 0 ? code : aclrtSynchronizeStream(nullptr);
}

}  // namespace op_api
