// Contract under test: the operator as it is registered: definition, tiling through a TilingContext for all SoCs and
// dtypes, its log line, every refusal by its sentence, and inference of shapes and data types.

#include "op_host/block_attention_residuals_grad/block_attention_residuals_grad_tiling.h"

#include <cstring>
#include <string>
#include <vector>

#include "cc/host/infer_entry.h"
#include "cc/host/operator_registry.h"
#include "cc/host/testing/log_sink.h"
#include "cc/host/tiling_entry.h"
#include "gtest/gtest.h"
#include "op_host/block_attention_residuals_grad/tiling_plan.h"

namespace optiling
{
namespace
{

using attnres::host::InferTensor;
using attnres::host::LogLine;

constexpr char OP_TYPE[] = "BlockAttentionResidualsGrad";

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
class GradTilingTest : public testing::Test
{
protected:
    GradTilingTest()
    {
        SetShape(2, 2, 8192, ge::DT_FLOAT16);
    }

    void SetShape(int64_t tokens, int64_t blocks, int64_t hidden, ge::DataType type)
    {
        inputDims_ = {{tokens, hidden}, {tokens, blocks, hidden}, {1, hidden},         {hidden},
                      {tokens, hidden}, {tokens, blocks + 1},     {tokens, blocks + 1}};
        outputDims_ = {inputDims_[0], inputDims_[1], inputDims_[2], inputDims_[3]};
        inputTypes_.assign(5, type);
        inputTypes_.insert(inputTypes_.end(), 2, ge::DT_FLOAT);
        outputTypes_.assign(4, type);
    }

    int32_t Run()
    {
        std::vector<AclTwinTensorDesc> inputs;
        for (size_t i = 0; i < inputDims_.size(); ++i) {
            inputs.push_back({"", inputDims_[i].data(), inputDims_[i].size(), inputTypes_[i], format_});
        }
        std::vector<AclTwinTensorDesc> outputs;
        for (size_t i = 0; i < outputDims_.size(); ++i) {
            outputs.push_back({"", outputDims_[i].data(), outputDims_[i].size(), outputTypes_[i], ge::FORMAT_ND});
        }
        AclTwinAttr attr = {ACL_TWIN_ATTR_INT64, {}};
        attr.value.integer = validBlockNum_;
        const AclTwinTilingRequest request = {soc_.name,      static_cast<uint32_t>(soc_.arch),
                                              soc_.coreNum,   soc_.ubBytes,
                                              inputs.data(),  inputs.size(),
                                              outputs.data(), outputs.size(),
                                              &attr,          1};
        result_ = {};
        result_.tiling_data = tilingBytes_ + 1;  // an odd address
        result_.tiling_data_capacity = sizeof(tilingBytes_) - 1;
        attnres::host::TakeLogLines();
        return attnres::host::TilingEntry(OP_TYPE, &request, &result_);
    }

    BlockAttentionResidualsGradTilingData Data() const
    {
        BlockAttentionResidualsGradTilingData data = {};
        EXPECT_EQ(result_.tiling_data_size, sizeof(data));
        std::memcpy(&data, result_.tiling_data, sizeof(data));
        return data;
    }

    void ExpectRefused(const std::string& message)
    {
        EXPECT_EQ(Run(), attnres::host::kTilingFailed);
        EXPECT_EQ(result_.message, message);
    }

    Soc soc_ = SOCS[0];
    std::vector<std::vector<int64_t>> inputDims_;
    std::vector<std::vector<int64_t>> outputDims_;
    std::vector<ge::DataType> inputTypes_;
    std::vector<ge::DataType> outputTypes_;
    ge::Format format_ = ge::FORMAT_ND;
    int64_t validBlockNum_ = -1;
    AclTwinTilingResult result_ = {};
    unsigned char tilingBytes_[256] = {};
};

TEST_F(GradTilingTest, AnswersWithThePlanOnEverySocAndDataType)
{
    for (const Soc& soc : SOCS) {
        for (const ge::DataType type : {ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT}) {
            for (const int64_t hidden : {17, 1168, 4096, 8192, 131072 + 8}) {
                soc_ = soc;
                SetShape(50, 8, hidden, type);
                ASSERT_EQ(Run(), 0) << result_.message;
                TilingPlan plan = {};
                std::string error;
                const TilingShape shape = {50, 8, hidden, type == ge::DT_FLOAT ? 4u : 2u};
                ASSERT_TRUE(PlanTiling(shape, {soc.arch, soc.coreNum, soc.ubBytes}, &plan, &error)) << error;
                const BlockAttentionResidualsGradTilingData data = Data();
                EXPECT_EQ(std::memcmp(&data, &plan.data, sizeof(data)), 0);
                EXPECT_EQ(result_.tiling_key, plan.tilingKey);
                EXPECT_EQ(result_.block_dim, plan.blockDim);
                EXPECT_EQ(result_.workspace_bytes, plan.workspaceBytes);
            }
        }
    }
}

TEST_F(GradTilingTest, LogsTheDecision)
{
    ASSERT_EQ(Run(), 0) << result_.message;
    const std::vector<LogLine> lines = attnres::host::TakeLogLines();
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].level, 1);
    EXPECT_NE(lines[0].text.find("tiling path: path=SPLIT_H arch=arch22 H=8192 K=3 dtypeBytes=2 requiredFull=213152 "
                                 "available=188416 hTile=4096"),
              std::string::npos)
        << lines[0].text;
}

TEST_F(GradTilingTest, TakesCustomCoreNumAndUbBytes)
{
    soc_.coreNum = 5;
    soc_.ubBytes = 8192 + 213152;
    SetShape(9, 2, 8192, ge::DT_FLOAT16);
    ASSERT_EQ(Run(), 0) << result_.message;
    EXPECT_EQ(result_.tiling_key, 0u);
    EXPECT_EQ(result_.block_dim, 5u);
    EXPECT_EQ(Data().coreNum, 5u);
    soc_.ubBytes -= 1;
    ASSERT_EQ(Run(), 0) << result_.message;
    EXPECT_EQ(result_.tiling_key, 1u);
}

TEST_F(GradTilingTest, TakesValidBlockNumMinusOneOrN)
{
    validBlockNum_ = 2;
    EXPECT_EQ(Run(), 0) << result_.message;
    for (const int64_t value : {int64_t{-2}, int64_t{0}, int64_t{1}, int64_t{3}, INT64_MIN, INT64_MAX}) {
        validBlockNum_ = value;
        ExpectRefused("valid_block_num is " + std::to_string(value) + ", expected -1 or N=2");
    }
}

TEST_F(GradTilingTest, RefusesPlatformsWithoutCoresOrUb)
{
    soc_.coreNum = 0;
    ExpectRefused("AIV core count of the platform is 0, expected at least 1");
    soc_ = SOCS[0];
    soc_.ubBytes = 0;
    ExpectRefused("UB size of the platform is 0 bytes, expected more than the 8192 that are reserved");
}

TEST_F(GradTilingTest, RefusesOtherSocsAndListsItsOwn)
{
    for (const char* name : {"ascend310p", "ascend910", "Ascend910A", ""}) {
        soc_.name = name;
        EXPECT_EQ(Run(), attnres::host::kKernelNotFound);
        EXPECT_NE(std::string(result_.message).find("supported SoCs are ascend910b, ascend910_93, ascend950"),
                  std::string::npos)
            << result_.message;
    }
}

TEST_F(GradTilingTest, RefusesEveryWrongDataType)
{
    const std::vector<ge::DataType> good = inputTypes_;
    for (size_t i = 0; i < good.size(); ++i) {
        inputTypes_ = good;
        inputTypes_[i] = i < 5 ? ge::DT_DOUBLE : ge::DT_FLOAT16;
        EXPECT_EQ(Run(), attnres::host::kTilingFailed) << i;
        EXPECT_NE(std::string(result_.message).find("has data type"), std::string::npos) << result_.message;
    }
    inputTypes_ = good;
    inputTypes_[1] = ge::DT_BF16;
    ExpectRefused("input block_res has data type DT_BF16, expected DT_FLOAT16");
    inputTypes_ = good;
    format_ = ge::FORMAT_NCHW;
    ExpectRefused("input partial_block has format NCHW, expected ND");
}

TEST_F(GradTilingTest, RefusesShapesThatDoNotFitTogether)
{
    inputDims_[1] = {2, 2, 4096};
    ExpectRefused("block_res.shape[2] (4096) does not match partial_block.shape[1] (8192)");
    SetShape(2, 2, 64, ge::DT_FLOAT);
    inputDims_[6].push_back(1);
    ExpectRefused("probs has rank 3, expected 2");
    SetShape(2, 2, 64, ge::DT_FLOAT);
    outputDims_[1] = {2, 3, 64};
    ExpectRefused("grad_block_res has shape [2, 3, 64], expected [2, 2, 64]");
    SetShape(2, 2, 64, ge::DT_FLOAT);
    inputDims_[0] = {2, -1};
    ExpectRefused("partial_block has the dynamic shape [2, -1], but tiling needs all dimensions");
}

TEST_F(GradTilingTest, RefusesSizesOutOfRange)
{
    SetShape(0, 2, 64, ge::DT_FLOAT);
    ExpectRefused("token count T is 0, expected 1 to 72057594037927936");
    SetShape(2, 2, 0, ge::DT_FLOAT);
    ExpectRefused("hidden size H is 0, expected 1 to 72057594037927936");
    SetShape(2, 129, 64, ge::DT_FLOAT);
    ExpectRefused("block_res.shape[1] is 129, expected 0 to 128");
}

TEST(GradDefinitionTest, NamesSocsWithTheirKernelFiles)
{
    const auto* record = attnres::host::FindOperator(OP_TYPE);
    ASSERT_NE(record, nullptr);
    ASSERT_TRUE(record->definition.has_value());
    const auto& configs = record->definition->GetAICore().GetAICoreConfigs();
    ASSERT_EQ(configs.size(), 3u);
    const char* const files[][2] = {{"ascend910b", "block_attention_residuals_grad"},
                                    {"ascend910_93", "block_attention_residuals_grad"},
                                    {"ascend950", "block_attention_residuals_grad_apt"}};
    for (size_t i = 0; i < configs.size(); ++i) {
        EXPECT_EQ(configs[i].first, files[i][0]);
        EXPECT_EQ(configs[i].second.GetConfigValue("opFile.value"), files[i][1]);
    }
}

std::vector<InferTensor> InferInputs(ge::DataType type)
{
    return {{{6, 64}, type}, {{6, 3, 64}, type},     {{1, 64}, type},       {{64}, type},
            {{6, 64}, type}, {{6, 4}, ge::DT_FLOAT}, {{6, 4}, ge::DT_FLOAT}};
}

TEST(GradInferenceTest, OutputsAreLikeInputsZeroToThree)
{
    for (const ge::DataType type : {ge::DT_FLOAT16, ge::DT_BF16, ge::DT_FLOAT}) {
        const std::vector<InferTensor> inputs = InferInputs(type);
        std::vector<InferTensor> outputs;
        std::string error;
        ASSERT_TRUE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error)) << error;
        ASSERT_EQ(outputs.size(), 4u);
        for (size_t i = 0; i < outputs.size(); ++i) {
            EXPECT_EQ(outputs[i].shape, inputs[i].shape);
            EXPECT_EQ(outputs[i].data_type, type);
        }
    }
}

TEST(GradInferenceTest, DynamicShapesAndUnknownRanks)
{
    std::vector<InferTensor> inputs = InferInputs(ge::DT_BF16);
    for (const size_t i : {0u, 2u, 3u}) {
        inputs[i].shape = {ge::UNKNOWN_DIM_NUM};
    }
    inputs[1].shape = {ge::UNKNOWN_DIM, ge::UNKNOWN_DIM, ge::UNKNOWN_DIM};
    std::vector<InferTensor> outputs;
    std::string error;
    ASSERT_TRUE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error)) << error;
    EXPECT_EQ(outputs[0].shape, gert::Shape({6, 64}));
    EXPECT_EQ(outputs[1].shape, gert::Shape({6, 3, 64}));
    EXPECT_EQ(outputs[2].shape, gert::Shape({1, 64}));
    EXPECT_EQ(outputs[3].shape, gert::Shape({64}));
}

TEST(GradInferenceTest, RefusesKnownDimensionsThatDisagree)
{
    std::vector<InferTensor> inputs = InferInputs(ge::DT_BF16);
    inputs[0].shape = {-1, 64};
    inputs[4].shape = {-1, 65};
    std::vector<InferTensor> outputs;
    std::string error;
    EXPECT_FALSE(attnres::host::InferOutputs(OP_TYPE, inputs, &outputs, &error));
    EXPECT_EQ(error, "grad_hidden_states.shape[1] (65) does not match partial_block.shape[1] (64)");
}

}  // namespace
}  // namespace optiling
