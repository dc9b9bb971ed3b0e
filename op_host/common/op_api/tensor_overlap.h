// Whether strided tensors share memory. Pure arithmetic on addresses; the checks of the aclnn interface call it.

#ifndef OP_API_TENSOR_OVERLAP_H_
#define OP_API_TENSOR_OVERLAP_H_

#include <cstdint>
#include <vector>

#include "opdev/common_types.h"

namespace op_api
{

// The bytes of a view: blocks of `blockBytes` bytes at `begin` plus every sum of multiples of the loops' strides.
struct MemoryView {
    struct Loop {
        int64_t count;   // at least 2
        int64_t stride;  // in bytes, greater than the block
    };

    bool empty;        // no elements, or no address yet
    bool selfOverlap;  // two elements may share bytes
    int64_t begin;
    int64_t end;  // one past the last byte
    int64_t blockBytes;
    std::vector<Loop> loops;  // by rising stride
};

MemoryView DescribeMemory(const aclTensor* tensor);

// False when no byte belongs to both. True when one does, and also, where large views interleave without any nesting or
// common period, when telling would take too long.
bool MayOverlap(const MemoryView& a, const MemoryView& b);

}  // namespace op_api

#endif  // OP_API_TENSOR_OVERLAP_H_
