// The definition of the operator BlockAttentionResiduals: tensors, attributes and SoCs.
// Its functions are registered in block_attention_residuals_infershape.cpp and ..._tiling.cpp.

#include <vector>

#include "register/op_def_registry.h"

namespace ops
{
namespace
{

// Entry i of all lists is one supported combination.
const std::vector<ge::DataType> MAIN_TYPES = {ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT};
const std::vector<ge::DataType> STATISTIC_TYPES = {ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT};
const std::vector<ge::Format> ND_FORMATS = {ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND};
constexpr float DEFAULT_NORM_EPS = 1e-6f;

void Describe(OpParamDef& param, const std::vector<ge::DataType>& types)
{
    param.ParamType(REQUIRED).DataType(types).Format(ND_FORMATS).UnknownShapeFormat(ND_FORMATS).AutoContiguous();
}

// Kernels are compiled once for all shapes, with dynamic dimensions and ranks.
OpAICoreConfig KernelConfig(const char* entryFile)
{
    OpAICoreConfig config;
    config.DynamicCompileStaticFlag(true)
        .DynamicFormatFlag(true)
        .DynamicRankSupportFlag(true)
        .DynamicShapeSupportFlag(true)
        .NeedCheckSupportFlag(false)
        .PrecisionReduceFlag(true)
        .ExtendCfgInfo("opFile.value", entryFile);
    return config;
}

}  // namespace

class BlockAttentionResiduals : public OpDef
{
public:
    explicit BlockAttentionResiduals(const char* name) : OpDef(name)
    {
        Describe(this->Input("partial_block"), MAIN_TYPES);
        Describe(this->Input("block_res"), MAIN_TYPES);
        Describe(this->Input("proj_weight"), MAIN_TYPES);
        Describe(this->Input("norm_weight"), MAIN_TYPES);
        Describe(this->Output("hidden_states"), MAIN_TYPES);
        Describe(this->Output("inv_norm"), STATISTIC_TYPES);
        Describe(this->Output("probs"), STATISTIC_TYPES);
        this->Attr("valid_block_num").AttrType(OPTIONAL).Int(-1);
        this->Attr("norm_eps").AttrType(OPTIONAL).Float(DEFAULT_NORM_EPS);
        this->Attr("need_backward").AttrType(OPTIONAL).Bool(true);

        OpAICoreConfig arch22Config = KernelConfig("block_attention_residuals");
        this->AICore().AddConfig("ascend910b", arch22Config);
        this->AICore().AddConfig("ascend910_93", arch22Config);
        OpAICoreConfig arch35Config = KernelConfig("block_attention_residuals_apt");
        this->AICore().AddConfig("ascend950", arch35Config);
    }
};

OP_ADD(BlockAttentionResiduals);

}  // namespace ops
