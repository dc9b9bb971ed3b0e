// The tokens of one core: contiguous ranges over the cores, the first ones a token longer where T is no multiple.

#ifndef OP_KERNEL_COMMON_TOKEN_RANGE_H
#define OP_KERNEL_COMMON_TOKEN_RANGE_H

#include "kernel_operator.h"

namespace KernelCommon
{

struct TokenRange {
    __aicore__ inline void Init(uint64_t tokens, uint64_t cores, uint64_t core)
    {
        const uint64_t share = tokens / cores;
        const uint64_t extra = tokens % cores;
        begin = core * share + (core < extra ? core : extra);
        end = begin + share + (core < extra ? 1 : 0);
    }

    uint64_t begin;
    uint64_t end;
};

}  // namespace KernelCommon

#endif  // OP_KERNEL_COMMON_TOKEN_RANGE_H
