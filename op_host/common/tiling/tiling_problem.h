// The shape and the platform that a tiling plan is made for, and what is refused of both before any plan: pure
// functions, for every operator on [T, N + 1, H] value rows. tiling_request.h reads them from a TilingContext.

#ifndef OP_HOST_COMMON_TILING_TILING_PROBLEM_H
#define OP_HOST_COMMON_TILING_TILING_PROBLEM_H

#include <cstdint>
#include <string>

namespace optiling
{

constexpr int64_t MAX_BLOCK_NUM = 128;  // largest N
// Most elements of [T, N1, H]. Far above any memory, and low enough that no byte count of tiling leaves 64 bits.
constexpr int64_t MAX_VALUE_ELEMENTS = int64_t{1} << 56;
constexpr uint64_t RESERVED_UB_BYTES = 8192;  // not the kernels' to use

// Which generation of kernels runs; the values are those of __NPU_ARCH__.
enum class KernelArch : uint32_t {
    ARCH22 = 2201,
    ARCH35 = 3510,
};

struct TilingShape {
    int64_t batchSize;    // T >= 1
    int64_t numBlocks;    // 0 <= N <= 128
    int64_t hiddenSize;   // H >= 1
    uint32_t dtypeBytes;  // of the main dtype: 2 or 4
};

struct TilingPlatform {
    KernelArch arch;
    uint32_t coreNum;  // AIV cores
    uint64_t ubBytes;  // whole UB of a core, reserved part included
};

// Empty when kernels can compute the shape, else one sentence: T, N or H out of range, a dtype of another size, too
// many elements.
std::string CheckShape(const TilingShape& shape);

// Empty when kernels can run there, else one sentence: another architecture, core count 0, UB of no more than the
// reserved bytes.
std::string CheckPlatform(const TilingPlatform& platform);

// What to say where not even a tile of `alignment` elements fits in `available` bytes.
std::string NoTileFits(const TilingShape& shape, const TilingPlatform& platform, uint64_t available,
                       uint64_t alignment);

// "arch22" or "arch35"; null for a value that is neither.
const char* ArchName(KernelArch arch);

// The name of a path by its template key: "FULL_H" for 0, where a core holds whole rows, else "SPLIT_H".
const char* PathName(uint32_t hMode);

}  // namespace optiling

#endif  // OP_HOST_COMMON_TILING_TILING_PROBLEM_H
