// One call of aclnnBlockAttentionResiduals for tests: right tensors for given T, N and H, any of which a test then
// spoils, and both phases.

#ifndef OP_API_BLOCK_ATTENTION_RESIDUALS_ACLNN_CALL_H_
#define OP_API_BLOCK_ATTENTION_RESIDUALS_ACLNN_CALL_H_

#include <cstdint>

#include "op_host/common/op_api/test_tensors.h"

namespace op_api
{
namespace block_attention_residuals
{

constexpr size_t TENSOR_COUNT = 7;  // four inputs, then three outputs

class AclnnCall : public TestTensors
{
public:
    AclnnCall(int64_t tokens, int64_t blocks, int64_t hidden, aclDataType main);

    // Phase 1 with tensors made from `specs` as they are now. The tensor at `nullTensor` is passed as null.
    static constexpr size_t NO_TENSOR = TENSOR_COUNT;
    int32_t PhaseOne(size_t nullTensor = NO_TENSOR);
    // Both phases and the synchronisation, with a workspace of the size asked for; the first code that is not 0.
    int32_t Run(size_t nullTensor = NO_TENSOR);

    int64_t validBlockNum = -1;
    double normEps = 1e-6;
    bool needBackward = true;
    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;
};

}  // namespace block_attention_residuals
}  // namespace op_api

#endif  // OP_API_BLOCK_ATTENTION_RESIDUALS_ACLNN_CALL_H_
