// The tensors of a call, and both phases.

#include "op_host/block_attention_residuals_grad/op_api/aclnn_call.h"

#include "acl/acl.h"
#include "aclnnop/aclnn_block_attention_residuals_grad.h"

namespace op_api
{

AclnnCall::AclnnCall(int64_t tokens, int64_t blocks, int64_t hidden, aclDataType main)
    : TestTensors({
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
      })
{
}

int32_t AclnnCall::PhaseOne(size_t nullTensor)
{
    const std::vector<aclTensor*> t = Create(nullTensor);
    const int32_t code = aclnnBlockAttentionResidualsGradGetWorkspaceSize(
        t[0], t[1], t[2], t[3], t[4], t[5], t[6], validBlockNum, t[7], t[8], t[9], t[10], &workspaceSize, &executor);
    Destroy(t);
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
