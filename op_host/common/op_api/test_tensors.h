// Tensors with memory of their own for tests of aclnn interfaces: right ones, any of which a test then spoils.

#ifndef OP_HOST_COMMON_OP_API_TEST_TENSORS_H
#define OP_HOST_COMMON_OP_API_TEST_TENSORS_H

#include <cstdint>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"

namespace op_api
{

struct TensorSpec {
    std::string name;
    std::vector<int64_t> dims;
    aclDataType dtype;
    aclFormat format = ACL_FORMAT_ND;
    std::vector<int64_t> strides = {};  // empty: contiguous
    int64_t offset = 0;
    std::vector<int64_t> storage = {};  // empty: as far as the view reaches
    char* data = nullptr;
};

class TestTensors
{
public:
    // Names, dims and dtypes of contiguous tensors; each gets zeroed memory and some to spare.
    explicit TestTensors(std::vector<TensorSpec> described);
    TestTensors(const TestTensors&) = delete;
    TestTensors& operator=(const TestTensors&) = delete;

    // aclTensors from `specs` as they are now, null for the one at nullTensor. The caller destroys them.
    std::vector<aclTensor*> Create(size_t nullTensor) const;
    static void Destroy(const std::vector<aclTensor*>& tensors);

    std::vector<TensorSpec> specs;

private:
    std::vector<std::vector<char>> memory_;
};

}  // namespace op_api

#endif  // OP_HOST_COMMON_OP_API_TEST_TENSORS_H
