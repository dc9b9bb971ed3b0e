// Named UB buffers, their sum, and rounding: what the UB models of all operators (op_host/NAME/ub_model/) are made of.

#ifndef OP_HOST_COMMON_TILING_UB_BUFFERS_H
#define OP_HOST_COMMON_TILING_UB_BUFFERS_H

#include <cstdint>
#include <vector>

namespace optiling
{

// One InitBuffer call of a kernel, or several alike.
struct UbBuffer {
    const char* name;
    uint64_t count;
    uint64_t bytes;  // of each
};

// `value` rounded up to a multiple of `step`. Precondition: step > 0 and value + step - 1 fits in 64 bits.
constexpr uint64_t AlignUp(uint64_t value, uint64_t step)
{
    return (value + step - 1) / step * step;
}

constexpr uint64_t CeilDiv(uint64_t value, uint64_t divisor)
{
    return value / divisor + (value % divisor == 0 ? 0 : 1);
}

// Bytes of all buffers together.
inline uint64_t SumBytes(const std::vector<UbBuffer>& buffers)
{
    uint64_t total = 0;
    for (const UbBuffer& buffer : buffers) {
        total += buffer.count * buffer.bytes;
    }
    return total;
}

}  // namespace optiling

#endif  // OP_HOST_COMMON_TILING_UB_BUFFERS_H
