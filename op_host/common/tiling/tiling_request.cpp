// Checks of a TilingContext; see tiling_request.h.

#include "op_host/common/tiling/tiling_request.h"

#include <vector>

#include "op_common/log/log.h"

namespace optiling
{
namespace
{

constexpr int64_t ALL_BLOCKS_VALID = -1;

bool IsMainType(ge::DataType type)
{
    return type == ge::DT_FLOAT16 || type == ge::DT_BF16 || type == ge::DT_FLOAT;
}

std::string CheckDesc(const TensorLayout& layout, const gert::CompileTimeTensorDesc* desc, ge::DataType mainType)
{
    if (desc == nullptr) {
        return std::string(layout.name) + " is missing";
    }
    const ge::DataType expected = layout.alwaysFloat32 ? ge::DT_FLOAT : mainType;
    if (desc->GetDataType() != expected) {
        return std::string(layout.name) + " has data type " + Ops::Base::ToString(desc->GetDataType()) + ", expected " +
               Ops::Base::ToString(expected);
    }
    if (desc->GetStorageFormat() != ge::FORMAT_ND) {
        return std::string(layout.name) + " has format " + Ops::Base::ToString(desc->GetStorageFormat()) +
               ", expected ND";
    }
    return "";
}

std::string CheckAllKnown(const char* name, const gert::Shape& shape)
{
    for (size_t axis = 0; axis < shape.GetDimNum(); ++axis) {
        if (shape.GetDim(axis) < 0) {
            return std::string(name) + " has the dynamic shape " + Ops::Base::ToString(shape) +
                   ", but tiling needs all dimensions";
        }
    }
    return "";
}

}  // namespace

std::string CheckDescs(const gert::TilingContext& context, const TensorTable& inputs, const TensorTable& outputs,
                       uint32_t* dtypeBytes)
{
    const gert::CompileTimeTensorDesc* first = context.GetInputDesc(0);
    if (first == nullptr) {
        return std::string(inputs.layouts[0].name) + " is missing";
    }
    const ge::DataType mainType = first->GetDataType();
    if (!IsMainType(mainType)) {
        return std::string(inputs.layouts[0].name) + " has data type " + Ops::Base::ToString(mainType) +
               ", expected DT_FLOAT16, DT_BF16 or DT_FLOAT";
    }
    std::string error;
    for (size_t i = 0; error.empty() && i < inputs.count; ++i) {
        error = CheckDesc(inputs.layouts[i], context.GetInputDesc(i), mainType);
    }
    for (size_t i = 0; error.empty() && i < outputs.count; ++i) {
        error = CheckDesc(outputs.layouts[i], context.GetOutputDesc(i), mainType);
    }
    *dtypeBytes = static_cast<uint32_t>(ge::GetSizeByDataType(mainType));
    return error;
}

std::string CheckInputShapes(const gert::TilingContext& context, const TensorTable& inputs, ResolvedDims* dims)
{
    std::vector<const gert::Shape*> shapes;
    for (size_t i = 0; i < inputs.count; ++i) {
        const gert::StorageShape* shape = context.GetInputShape(i);
        if (shape == nullptr) {
            return std::string(inputs.layouts[i].name) + " has no shape";
        }
        shapes.push_back(&shape->GetStorageShape());
    }
    std::string error;
    ResolveDims(inputs.layouts, shapes.data(), inputs.count, dims, &error);
    for (size_t i = 0; error.empty() && i < inputs.count; ++i) {
        error = CheckAllKnown(inputs.layouts[i].name, *shapes[i]);
    }
    return error;
}

std::string CheckOutputShape(const gert::TilingContext& context, size_t index, const char* name,
                             const gert::Shape& expected)
{
    const gert::StorageShape* shape = context.GetOutputShape(index);
    if (shape != nullptr && shape->GetStorageShape() == expected) {
        return "";
    }
    return std::string(name) + " has shape " +
           (shape == nullptr ? "none" : Ops::Base::ToString(shape->GetStorageShape())) + ", expected " +
           Ops::Base::ToString(expected);
}

std::string CheckValidBlockNum(const gert::TilingContext& context, size_t index, int64_t blocks)
{
    const gert::RuntimeAttrs* attrs = context.GetAttrs();
    const int64_t* value = attrs == nullptr ? nullptr : attrs->GetInt(index);
    if (value == nullptr || *value == ALL_BLOCKS_VALID || *value == blocks) {
        return "";
    }
    return "valid_block_num is " + std::to_string(*value) + ", expected -1 or N=" + std::to_string(blocks);
}

std::string ReadPlatform(const platform_ascendc::PlatformAscendC& ascendcPlatform, TilingPlatform* platform)
{
    switch (ascendcPlatform.GetSocVersion()) {
        case platform_ascendc::SocVersion::ASCEND910B:
        case platform_ascendc::SocVersion::ASCEND910_93:
            platform->arch = KernelArch::ARCH22;
            break;
        case platform_ascendc::SocVersion::ASCEND950:
            platform->arch = KernelArch::ARCH35;
            break;
        default:
            return "SoC version " + std::to_string(static_cast<int>(ascendcPlatform.GetSocVersion())) +
                   " has no kernels, supported SoCs are ascend910b, ascend910_93, ascend950";
    }
    platform->coreNum = ascendcPlatform.GetCoreNumAiv();
    ascendcPlatform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, platform->ubBytes);
    return "";
}

}  // namespace optiling
