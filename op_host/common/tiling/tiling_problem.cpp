// Ranges of shape and platform; see tiling_problem.h.

#include "op_host/common/tiling/tiling_problem.h"

namespace optiling
{
namespace
{

std::string CheckRange(const char* name, int64_t value, int64_t low, int64_t high)
{
    if (value >= low && value <= high) {
        return "";
    }
    return std::string(name) + " is " + std::to_string(value) + ", expected " + std::to_string(low) + " to " +
           std::to_string(high);
}

}  // namespace

std::string CheckShape(const TilingShape& shape)
{
    std::string error = CheckRange("token count T", shape.batchSize, 1, MAX_VALUE_ELEMENTS);
    if (error.empty()) {
        error = CheckRange("block count N", shape.numBlocks, 0, MAX_BLOCK_NUM);
    }
    if (error.empty()) {
        error = CheckRange("hidden size H", shape.hiddenSize, 1, MAX_VALUE_ELEMENTS);
    }
    if (!error.empty()) {
        return error;
    }
    if (shape.dtypeBytes != 2 && shape.dtypeBytes != 4) {
        return "element size of the main dtype is " + std::to_string(shape.dtypeBytes) + " bytes, expected 2 or 4";
    }
    const int64_t rowLimit = MAX_VALUE_ELEMENTS / (shape.numBlocks + 1);
    if (shape.hiddenSize > rowLimit || shape.batchSize > rowLimit / shape.hiddenSize) {
        return "T*(N+1)*H with T=" + std::to_string(shape.batchSize) + ", N=" + std::to_string(shape.numBlocks) +
               ", H=" + std::to_string(shape.hiddenSize) + " exceeds the limit of " +
               std::to_string(MAX_VALUE_ELEMENTS) + " elements";
    }
    return "";
}

std::string CheckPlatform(const TilingPlatform& platform)
{
    if (ArchName(platform.arch) == nullptr) {
        return "NPU architecture is " + std::to_string(static_cast<uint32_t>(platform.arch)) +
               ", expected 2201 or 3510";
    }
    if (platform.coreNum == 0) {
        return "AIV core count of the platform is 0, expected at least 1";
    }
    if (platform.ubBytes <= RESERVED_UB_BYTES) {
        return "UB size of the platform is " + std::to_string(platform.ubBytes) + " bytes, expected more than the " +
               std::to_string(RESERVED_UB_BYTES) + " that are reserved";
    }
    return "";
}

std::string NoTileFits(const TilingShape& shape, const TilingPlatform& platform, uint64_t available, uint64_t alignment)
{
    return "UB size of the platform is " + std::to_string(platform.ubBytes) + " bytes (" + std::to_string(available) +
           " available): no tile of H=" + std::to_string(shape.hiddenSize) +
           " with N=" + std::to_string(shape.numBlocks) + " and " + std::to_string(shape.dtypeBytes) +
           "-byte elements fits, not even one of " + std::to_string(alignment) + " elements";
}

const char* ArchName(KernelArch arch)
{
    switch (arch) {
        case KernelArch::ARCH22:
            return "arch22";
        case KernelArch::ARCH35:
            return "arch35";
    }
    return nullptr;
}

const char* PathName(uint32_t hMode)
{
    return hMode == 0 ? "FULL_H" : "SPLIT_H";
}

}  // namespace optiling
