// One call of aclnnBlockAttentionResidualsGrad for tests: right tensors for given T, N and H, any of which a test then
// spoils, and both phases.

#ifndef OP_API_ACLNN_CALL_H_
#define OP_API_ACLNN_CALL_H_

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

namespace op_api
{

constexpr size_t TENSOR_COUNT = 11;  // seven inputs, then four outputs

struct TensorSpec {
    std::string name;
    std::vector<int64_t> dims;
    aclDataType dtype;
    aclFormat format;
    std::vector<int64_t> strides;  // empty: contiguous
    int64_t offset;
    std::vector<int64_t> storage;  // empty: as far as the view reaches
    char* data;
};

class AclnnCall
{
public:
    AclnnCall(int64_t tokens, int64_t blocks, int64_t hidden, aclDataType main);
    AclnnCall(const AclnnCall&) = delete;
    AclnnCall& operator=(const AclnnCall&) = delete;

    // Phase 1 with tensors made from `specs` as they are now. The tensor at `nullTensor` is passed as null.
    static constexpr size_t NO_TENSOR = TENSOR_COUNT;
    int32_t PhaseOne(size_t nullTensor = NO_TENSOR);
    // Both phases and the synchronisation, with a workspace of the size asked for; the first code that is not 0.
    int32_t Run();

    std::array<TensorSpec, TENSOR_COUNT> specs;
    int64_t validBlockNum = -1;
    uint64_t workspaceSize = 0;
    aclOpExecutor* executor = nullptr;

private:
    std::array<std::vector<char>, TENSOR_COUNT> memory_;
};

}  // namespace op_api

#endif  // OP_API_ACLNN_CALL_H_
