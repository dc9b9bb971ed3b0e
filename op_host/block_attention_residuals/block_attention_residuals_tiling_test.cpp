// Contract under test: the operator as it is registered: definition, tiling through a TilingContext for all SoCs and
// dtypes, its log line, its refusals by their sentence, and inference of shapes and data types.

#include "op_host/block_attention_residuals/block_attention_residuals_tiling.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "cc/host/infer_entry.h"
#include "cc/host/operator_registry.h"
#include "cc/host/testing/log_sink.h"
#include "cc/host/tiling_entry.h"
#include "gtest/gtest.h"
#include "op_host/block_attention_residuals/tiling_plan.h"

namespace optiling
{
namespace block_attention_residuals
{
namespace
{

using attnres::host::InferTensor;
using attnres::host::LogLine;

constexpr char OP_TYPE[] = "BlockAttentionResiduals";

struct Soc {
    const char* name;
    KernelArch arch;
    uint32_t coreNum;
    uint64_t ubBytes;
};

constexpr Soc SOCS[] = {
    {"ascend910b", KernelArch::ARCH22, 48, 196608},
    {"ascend910_93", KernelArch::ARCH22, 48, 196608},
    {"ascend950", KernelArch::ARCH35, 64, 253952},
};

// One call, right as it stands; a test breaks one thing.
class ForwardTilingTest : public testing::Test
{
protected:
    ForwardTilingTest()
    {
        SetShape(2, 2, 8192, ge::DT_FLOAT16);
    }

    void SetShape(int64_t tokens, int64_t blocks, int64_t hidden, ge::DataType type)
    {
        inputDims_ = {{tokens, hidden}, {tokens, blocks, hidden}, {1, hidden}, {hidden}};
        outputDims_ = {{tokens, hidden}, {tokens, blocks + 1}, {tokens, blocks + 1}};
        inputTypes_.assign(4, type);
        outputTypes_ = {type, ge::DT_FLOAT, ge::DT_FLOAT};
    }

    int32_t Run()
    {
        std::vector<AclTwinTensorDesc> inputs;
        for (size_t i = 0; i < inputDims_.size(); ++i) {
            inputs.push_back({"", inputDims_[i].data(), inputDims_[i].size(), inputTypes_[i], ge::FORMAT_ND});
        }
        std::vector<AclTwinTensorDesc> outputs;
        for (size_t i = 0; i < outputDims_.size(); ++i) {
            outputs.push_back({"", outputDims_[i].data(), outputDims_[i].size(), outputTypes_[i], ge::FORMAT_ND});
        }
        AclTwinAttr attrs[] = {{ACL_TWIN_ATTR_INT64, {}}, {ACL_TWIN_ATTR_FLOAT, {}}, {ACL_TWIN_ATTR_BOOL, {}}};
        attrs[0].value.integer = validBlockNum_;
        attrs[1].value.real = normEps_;
        attrs[2].value.integer = needBackward_ ? 1 : 0;
        const AclTwinTilingRequest request = {soc_.name,      static_cast<uint32_t>(soc_.arch),
                                              soc_.coreNum,   soc_.ubBytes,
                                              inputs.data(),  inputs.size(),
                                              outputs.data(), outputs.size(),
                                              attrs,          3};
        result_ = {};
        result_.tiling_data = tilingBytes_;
        result_.tiling_data_capacity = sizeof(tilingBytes_);
        attnres::host::TakeLogLines();
        return attnres::host::TilingEntry(OP_TYPE, &request, &result_);
    }

    BlockAttentionResidualsTilingData Data() const
    {
        BlockAttentionResidualsTilingData data = {};
        EXPECT_EQ(result_.tiling_data_size, sizeof(data));
        std::memcpy(&data, result_.tiling_data, sizeof(data));
        return data;
    }

    void ExpectRefused(const std::string& message)
    {
        EXPECT_EQ(Run(), attnres::host::kTilingFailed);
        EXPECT_EQ(result_.message, message);
    }

    Soc soc_ = SOCS[2];
    std::vector<std::vector<int64_t>> inputDims_;
    std::vector<std::vector<int64_t>> outputDims_;
    std::vector<ge::DataType> inputTypes_;
    std::vector<ge::DataType> outputTypes_;
    int64_t validBlockNum_ = -1;
    double normEps_ = 1e-5;
    bool needBackward_ = true;
    AclTwinTilingResult result_ = {};
    unsigned char tilingBytes_[256] = {};
};

TEST_F(ForwardTilingTest, AnswersWithThePlanOnEverySocAndDataType)
{
    for (const Soc& soc : SOCS) {
        for (const ge::DataType type : {ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT}) {
            for (const int64_t hidden : {17, 1168, 8192, 131072 + 8}) {
                soc_ = soc;
                SetShape(50, 8, hidden, type);
                ASSERT_EQ(Run(), 0) << result_.message;
                TilingPlan plan = {};
                std::string error;
                const TilingShape shape = {50, 8, hidden, type == ge::DT_FLOAT ? 4u : 2u};
                ASSERT_TRUE(PlanTiling(shape, {soc.arch, soc.coreNum, soc.ubBytes}, &plan, &error)) << error;
                plan.data.normEps = 1e-5f;
                plan.data.needBackward = 1;
                const BlockAttentionResidualsTilingData data = Data();
                EXPECT_EQ(std::memcmp(&data, &plan.data, sizeof(data)), 0);
                EXPECT_EQ(result_.tiling_key, plan.tilingKey);
                EXPECT_EQ(result_.block_dim, plan.blockDim);
                EXPECT_EQ(result_.workspace_bytes, 0u);
            }
        }
    }
}

TEST_F(ForwardTilingTest, LogsTheDecision)
{
    SetShape(2, 2, 65536, ge::DT_FLOAT16);
    ASSERT_EQ(Run(), 0) << result_.message;
    const std::vector<LogLine> lines = attnres::host::TakeLogLines();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].level, 1);
    EXPECT_NE(lines[0].text.find("tiling path: path=SPLIT_H arch=arch35 H=65536 K=3 dtypeBytes=2 "), std::string::npos)
        << lines[0].text;
}

TEST_F(ForwardTilingTest, ProjWeightHasOneOrTwoDimensions)
{
    inputDims_[2] = {8192};
    EXPECT_EQ(Run(), 0) << result_.message;
    inputDims_[2] = {8191};
    ExpectRefused("proj_weight.shape[0] (8191) does not match partial_block.shape[1] (8192)");
    inputDims_[2] = {2, 8192};
    ExpectRefused("proj_weight.shape[0] is 2, expected 1");
    inputDims_[2] = {1, 1, 8192};
    ExpectRefused("proj_weight has rank 3, expected 1 or 2");
}

TEST_F(ForwardTilingTest, WithoutBackwardItsOutputsHaveNoElements)
{
    needBackward_ = false;
    ExpectRefused("inv_norm has shape [2, 3], expected [0]");
    outputDims_[1] = {0};
    outputDims_[2] = {0};
    ASSERT_EQ(Run(), 0) << result_.message;
    EXPECT_EQ(Data().needBackward, 0u);
}

TEST_F(ForwardTilingTest, NormEpsIsFiniteAndAboveZero)
{
    for (const double refused : {0.0, -1e-6, std::nan(""), HUGE_VAL, -HUGE_VAL}) {
        normEps_ = refused;
        EXPECT_EQ(Run(), attnres::host::kTilingFailed);
        EXPECT_NE(std::string(result_.message).find("expected a finite number above 0"), std::string::npos)
            << result_.message;
    }
}

TEST_F(ForwardTilingTest, Refusals)
{
    validBlockNum_ = 1;
    ExpectRefused("valid_block_num is 1, expected -1 or N=2");
    validBlockNum_ = 2;
    EXPECT_EQ(Run(), 0) << result_.message;
    inputTypes_[1] = ge::DT_BF16;
    ExpectRefused("input block_res has data type DT_BF16, expected DT_FLOAT16");
    SetShape(2, 2, 64, ge::DT_FLOAT);
    outputDims_[0] = {2, 65};
    ExpectRefused("hidden_states has shape [2, 65], expected [2, 64]");
    SetShape(2, 2, 64, ge::DT_FLOAT);
    soc_.coreNum = 0;
    ExpectRefused("AIV core count of the platform is 0, expected at least 1");
    soc_.name = "ascend310p";
    EXPECT_EQ(Run(), attnres::host::kKernelNotFound);
    EXPECT_NE(std::string(result_.message).find("supported SoCs are ascend910b, ascend910_93, ascend950"),
              std::string::npos)
        << result_.message;
}

TEST(ForwardDefinitionTest, NamesSocsWithTheirKernelFiles)
{
    const auto* record = attnres::host::FindOperator(OP_TYPE);
    ASSERT_NE(record, nullptr);
    ASSERT_TRUE(record->definition.has_value());
    const auto& configs = record->definition->GetAICore().GetAICoreConfigs();
    ASSERT_EQ(configs.size(), 3u);
    const char* const files[][2] = {{"ascend910b", "block_attention_residuals"},
                                    {"ascend910_93", "block_attention_residuals"},
                                    {"ascend950", "block_attention_residuals_apt"}};
    for (size_t i = 0; i < configs.size(); ++i) {
        EXPECT_EQ(configs[i].first, files[i][0]);
        EXPECT_EQ(configs[i].second.GetConfigValue("opFile.value"), files[i][1]);
    }
}

TEST(ForwardInferenceTest, OutputsFollowFromWhoeverKnowsADimension)
{
    const ge::DataType type = ge::DT_BF16;
    const std::vector<InferTensor> inputs = {
        {{-1, 64}, type}, {{6, 3, -1}, type}, {{ge::UNKNOWN_DIM_NUM}, type}, {{64}, type}};
    std::vector<InferTensor> outputs;
    std::string error;
    ASSERT_TRUE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error)) << error;
    ASSERT_EQ(outputs.size(), 3u);
    EXPECT_EQ(outputs[0].shape, gert::Shape({6, 64}));
    EXPECT_EQ(outputs[0].data_type, type);
    for (const size_t i : {1u, 2u}) {
        EXPECT_EQ(outputs[i].shape, gert::Shape({6, 4}));
        EXPECT_EQ(outputs[i].data_type, ge::DT_FLOAT);
    }
}

TEST(ForwardInferenceTest, UnknownBlocksMakeUnknownValueRows)
{
    const ge::DataType type = ge::DT_FLOAT;
    const std::vector<InferTensor> inputs = {{{6, 64}, type}, {{-1, -1, 64}, type}, {{64}, type}, {{64}, type}};
    std::vector<InferTensor> outputs;
    std::string error;
    ASSERT_TRUE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error)) << error;
    EXPECT_EQ(outputs[2].shape, gert::Shape({6, -1}));
}

TEST(ForwardInferenceTest, RefusesKnownDimensionsThatDisagree)
{
    const ge::DataType type = ge::DT_FLOAT;
    const std::vector<InferTensor> inputs = {{{6, 64}, type}, {{6, 3, 64}, type}, {{65}, type}, {{64}, type}};
    std::vector<InferTensor> outputs;
    std::string error;
    EXPECT_FALSE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error));
    EXPECT_EQ(error, "proj_weight.shape[0] (65) does not match partial_block.shape[1] (64)");
}

}  // namespace
}  // namespace block_attention_residuals
}  // namespace optiling
