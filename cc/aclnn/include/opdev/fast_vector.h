// op::FVector: the short vector of the opdev interface. Here an ordinary vector; N is
// the public template's in-place capacity and changes nothing.
#ifndef CC_ACLNN_INCLUDE_OPDEV_FAST_VECTOR_H_
#define CC_ACLNN_INCLUDE_OPDEV_FAST_VECTOR_H_

#include <cstddef>
#include <vector>

namespace op {

template <typename T, size_t N = 8>
using FVector = std::vector<T>;

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_FAST_VECTOR_H_
