// The tensors of a call, and both phases.

#include "op_host/block_attention_residuals/op_api/aclnn_call.h"

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals.h"

namespace op_api
{
namespace block_attention_residuals
{

AclnnCall::AclnnCall(int64_t tokens, int64_t blocks, int64_t hidden, aclDataType main)
    : TestTensors({
          {"partialBlock", {tokens, hidden}, main},
          {"blockRes", {tokens, blocks, hidden}, main},
          {"projWeight", {1, hidden}, main},
          {"normWeight", {hidden}, main},
          {"hiddenStates", {tokens, hidden}, main},
          {"invNorm", {tokens, blocks + 1}, ACL_FLOAT},
          {"probs", {tokens, blocks + 1}, ACL_FLOAT},
      })
{
}

int32_t AclnnCall::PhaseOne(size_t nullTensor)
{
    const std::vector<aclTensor*> t = Create(nullTensor);
    const int32_t code = aclnnBlockAttentionResidualsGetWorkspaceSize(
        t[0], t[1], t[2], t[3], validBlockNum, normEps, needBackward, t[4], t[5], t[6], &workspaceSize, &executor);
    Destroy(t);
    return code;
}

int32_t AclnnCall::Run(size_t nullTensor)
{
    int32_t code = PhaseOne(nullTensor);
    std::vector<char> workspace(workspaceSize);
    if (code == 0) {
        code = aclnnBlockAttentionResiduals(workspace.data(), workspaceSize, executor, nullptr);
    }
    return code != 0 ? code : aclrtSynchronizeStream(nullptr);
}

}  // namespace block_attention_residuals
}  // namespace op_api
