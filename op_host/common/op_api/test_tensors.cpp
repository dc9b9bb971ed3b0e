// Memory and aclTensors for tests; see test_tensors.h.

#include "op_host/common/op_api/test_tensors.h"

#include <utility>

#include "acl/acl.h"

namespace op_api
{
namespace
{

constexpr size_t SPARE_BYTES = 4096;  // for views that a test makes larger

}  // namespace

TestTensors::TestTensors(std::vector<TensorSpec> described) : specs(std::move(described)), memory_(specs.size())
{
    for (size_t i = 0; i < specs.size(); ++i) {
        size_t bytes = aclDataTypeSize(specs[i].dtype);
        for (int64_t dim : specs[i].dims) {
            bytes *= static_cast<size_t>(dim);
        }
        memory_[i].assign(bytes + SPARE_BYTES, 0);
        specs[i].data = memory_[i].data();
    }
}

std::vector<aclTensor*> TestTensors::Create(size_t nullTensor) const
{
    std::vector<aclTensor*> tensors(specs.size());
    for (size_t i = 0; i < specs.size(); ++i) {
        const TensorSpec& spec = specs[i];
        if (i != nullTensor) {
            tensors[i] =
                aclCreateTensor(spec.dims.data(), spec.dims.size(), spec.dtype,
                                spec.strides.empty() ? nullptr : spec.strides.data(), spec.offset, spec.format,
                                spec.storage.empty() ? nullptr : spec.storage.data(), spec.storage.size(), spec.data);
        }
    }
    return tensors;
}

void TestTensors::Destroy(const std::vector<aclTensor*>& tensors)
{
    for (aclTensor* tensor : tensors) {
        if (tensor != nullptr) {
            aclDestroyTensor(tensor);
        }
    }
}

}  // namespace op_api
