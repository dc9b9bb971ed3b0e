// The definition of the operator BlockAttentionResidualsGrad: tensors, attribute and SoCs.
// Its functions are registered in block_attention_residuals_grad_infershape.cpp and ..._tiling.cpp.

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

class BlockAttentionResidualsGrad : public OpDef
{
public:
    explicit BlockAttentionResidualsGrad(const char* name) : OpDef(name)
    {
        Describe(this->Input("partial_block"), MAIN_TYPES);
        Describe(this->Input("block_res"), MAIN_TYPES);
        Describe(this->Input("proj_weight"), MAIN_TYPES);
        Describe(this->Input("norm_weight"), MAIN_TYPES);
        Describe(this->Input("grad_hidden_states"), MAIN_TYPES);
        Describe(this->Input("inv_norm"), STATISTIC_TYPES);
        Describe(this->Input("probs"), STATISTIC_TYPES);
        Describe(this->Output("grad_partial_block"), MAIN_TYPES);
        Describe(this->Output("grad_block_res"), MAIN_TYPES);
        Describe(this->Output("grad_proj_weight"), MAIN_TYPES);
        Describe(this->Output("grad_norm_weight"), MAIN_TYPES);
        this->Attr("valid_block_num").AttrType(OPTIONAL).Int(-1);

        OpAICoreConfig arch22Config = KernelConfig("block_attention_residuals_grad");
        this->AICore().AddConfig("ascend910b", arch22Config);
        this->AICore().AddConfig("ascend910_93", arch22Config);
        OpAICoreConfig arch35Config = KernelConfig("block_attention_residuals_grad_apt");
        this->AICore().AddConfig("ascend950", arch35Config);
    }
};

OP_ADD(BlockAttentionResidualsGrad);

}  // namespace ops
