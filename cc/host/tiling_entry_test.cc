// Contract under test: TilingEntry lets a registered tiling function run only for a call that the
// definition allows, hands back exactly what it wrote, and says in one sentence why not otherwise.
// The operator here is a stranger's: "ScaledAdd", made for this test.
#include "cc/host/tiling_entry.h"

#include <cstring>
#include <string>
#include <vector>

#include "cc/host/testing/log_sink.h"
#include "gtest/gtest.h"
#include "op_common/log/log.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace ops {

class ScaledAdd : public OpDef {
 public:
  explicit ScaledAdd(const char* name) : OpDef(name) {
    Input("x").DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    Input("y").DataType({ge::DT_FLOAT, ge::DT_FLOAT16}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
    Output("z").DataType({ge::DT_FLOAT, ge::DT_FLOAT16});
    Attr("axis").AttrType(REQUIRED).Int();
    Attr("scale").AttrType(OPTIONAL).Float(0.5f);
    AICore().AddConfig("ascend910b").AddConfig("ascend310p");
  }
};

OP_ADD(ScaledAdd);

}  // namespace ops

namespace {

struct ScaledAddTilingData {
  uint64_t length;
  uint64_t cores;
  double scale;
};

struct ScaledAddCompileInfo {
  uint32_t cores = 0;
};

ge::graphStatus TilingPrepareScaledAdd(gert::TilingParseContext* context) {
  context->GetCompiledInfo<ScaledAddCompileInfo>()->cores =
      platform_ascendc::PlatformAscendC(context->GetPlatformInfo()).GetCoreNumAiv();
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus TilingScaledAdd(gert::TilingContext* context) {
  const int64_t axis = *context->GetAttrs()->GetInt(0);
  OP_CHECK_IF(axis < 0, OP_LOGE(context, "axis is %ld", static_cast<long>(axis)),
              return ge::GRAPH_FAILED);
  if (axis == 100) return ge::GRAPH_FAILED;
  auto* data = context->GetTilingData<ScaledAddTilingData>();
  data->length = static_cast<uint64_t>(context->GetInputShape(0)->GetStorageShape().GetShapeSize());
  data->cores = context->GetCompileInfo<ScaledAddCompileInfo>()->cores;
  data->scale = *context->GetAttrs()->GetFloat(1);
  context->SetTilingKey(7);
  context->SetBlockDim(axis == 101 ? 0 : 2);
  size_t* sizes = context->GetWorkspaceSizes(2);
  sizes[0] = 1000;
  sizes[1] = axis == 102 ? SIZE_MAX : 24;
  return ge::GRAPH_SUCCESS;
}

IMPL_OP_OPTILING(ScaledAdd)
    .Tiling(TilingScaledAdd)
    .TilingParse<ScaledAddCompileInfo>(TilingPrepareScaledAdd);

}  // namespace

namespace attnres {
namespace host {
namespace {

class TilingEntryTest : public testing::Test {
 protected:
  int32_t Run() {
    request_.soc = soc_.c_str();
    request_.arch = 2201;
    request_.aiv_core_num = 48;
    request_.ub_bytes = 196608;
    request_.inputs = inputs_.data();
    request_.input_count = inputs_.size();
    request_.outputs = outputs_.data();
    request_.output_count = outputs_.size();
    request_.attrs = attrs_.data();
    request_.attr_count = attrs_.size();
    result_.tiling_data = tiling_data_;
    result_.tiling_data_capacity = capacity_;
    return TilingEntry(op_type_.c_str(), &request_, &result_);
  }

  void ExpectRefused(const std::string& message) {
    result_.tiling_key = 99;
    EXPECT_EQ(Run(), kTilingFailed);
    EXPECT_EQ(result_.message, message);
    EXPECT_EQ(result_.tiling_key, 99u);
  }

  const int64_t dims_[2] = {3, 5};
  std::string op_type_ = "ScaledAdd";
  std::string soc_ = "ascend910b";
  std::vector<AclTwinTensorDesc> inputs_ = {{"x", dims_, 2, ge::DT_FLOAT16, ge::FORMAT_ND},
                                            {"y", dims_, 2, ge::DT_FLOAT16, ge::FORMAT_ND}};
  std::vector<AclTwinTensorDesc> outputs_ = {{"z", dims_, 2, ge::DT_FLOAT16, ge::FORMAT_ND}};
  std::vector<AclTwinAttr> attrs_ = {{ACL_TWIN_ATTR_INT64, {}}, {ACL_TWIN_ATTR_FLOAT, {}}};
  unsigned char tiling_data_[64] = {};
  uint64_t capacity_ = sizeof(tiling_data_);
  AclTwinTilingRequest request_ = {};
  AclTwinTilingResult result_ = {};
};

TEST_F(TilingEntryTest, HandsBackWhatTilingWrote) {
  attrs_[1].value.real = 0.25;
  ASSERT_EQ(Run(), 0) << result_.message;
  EXPECT_EQ(result_.tiling_key, 7u);
  EXPECT_EQ(result_.block_dim, 2u);
  EXPECT_EQ(result_.workspace_bytes, 1024u);
  ASSERT_EQ(result_.tiling_data_size, sizeof(ScaledAddTilingData));
  ScaledAddTilingData data;
  std::memcpy(&data, tiling_data_, sizeof(data));
  EXPECT_EQ(data.length, 15u);
  EXPECT_EQ(data.cores, 48u);
  EXPECT_EQ(data.scale, 0.25);
}

TEST_F(TilingEntryTest, WritesTilingDataToAnOddAddress) {
  ASSERT_EQ(Run(), 0) << result_.message;
  unsigned char aligned[sizeof(ScaledAddTilingData)];
  std::memcpy(aligned, tiling_data_, sizeof(aligned));
  request_.soc = soc_.c_str();
  result_.tiling_data = tiling_data_ + 1;
  result_.tiling_data_capacity = sizeof(tiling_data_) - 1;
  ASSERT_EQ(TilingEntry("ScaledAdd", &request_, &result_), 0) << result_.message;
  EXPECT_EQ(std::memcmp(aligned, tiling_data_ + 1, sizeof(aligned)), 0);
}

TEST_F(TilingEntryTest, TakesTheFullNameOfASocInAnyCase) {
  soc_ = "ascend910B1";
  EXPECT_EQ(Run(), 0) << result_.message;
}

TEST_F(TilingEntryTest, FillsInDefaultsOfAttributesLeftOut) {
  attrs_.pop_back();
  ASSERT_EQ(Run(), 0) << result_.message;
  ScaledAddTilingData data;
  std::memcpy(&data, tiling_data_, sizeof(data));
  EXPECT_EQ(data.scale, 0.5);
}

TEST_F(TilingEntryTest, RefusesAnUnknownSocWithTheListOfSupportedOnes) {
  for (const char* soc : {"Ascend950PR_9589", "ascend950"}) {
    soc_ = soc;
    EXPECT_EQ(Run(), kKernelNotFound);
    EXPECT_STREQ(result_.message,
                 "ScaledAdd has no kernels for SoC ascend950, supported SoCs are ascend910b, "
                 "ascend310p");
  }
  soc_ = "Ascend777";
  EXPECT_EQ(Run(), kKernelNotFound);
  EXPECT_STREQ(result_.message,
               "ScaledAdd has no kernels for SoC ascend777, supported SoCs are ascend910b, "
               "ascend310p");
}

TEST_F(TilingEntryTest, RefusesASocWithoutProfileOrOfAnotherArchitecture) {
  soc_ = "ascend310p";
  ExpectRefused("SoC ascend310p has no profile");
  soc_ = "ascend910b";
  Run();
  request_.arch = 3510;
  EXPECT_EQ(TilingEntry("ScaledAdd", &request_, &result_), kTilingFailed);
  EXPECT_STREQ(result_.message, "SoC ascend910b has architecture 2201, but the call is for 3510");
  request_.soc = nullptr;
  EXPECT_EQ(TilingEntry("ScaledAdd", &request_, &result_), kTilingFailed);
  EXPECT_STREQ(result_.message, "no SoC is given");
}

TEST_F(TilingEntryTest, RefusesTypesAndFormatsOutsideTheDefinition) {
  inputs_[0].dtype = ge::DT_DOUBLE;
  ExpectRefused("input x has data type DT_DOUBLE, expected DT_FLOAT, DT_FLOAT16");
  inputs_[0].dtype = ge::DT_FLOAT;
  ExpectRefused("input y has data type DT_FLOAT16, expected DT_FLOAT");
  inputs_[1].dtype = ge::DT_FLOAT;
  ExpectRefused("output z has data type DT_FLOAT16, expected DT_FLOAT");
  outputs_[0].dtype = ge::DT_FLOAT;
  outputs_[0].format = ge::FORMAT_FRACTAL_NZ;
  ExpectRefused("output z has format FRACTAL_NZ, expected ND");
}

TEST_F(TilingEntryTest, RefusesNumbersThatAreNoTypeOrFormat) {
  inputs_[0].dtype = 1 << 20;
  ExpectRefused("input x has data type 1048576, expected DT_FLOAT, DT_FLOAT16");
  inputs_[0].dtype = ge::DT_FLOAT16;
  inputs_[0].format = -1;
  ExpectRefused("input x has format -1, expected ND");
}

TEST_F(TilingEntryTest, RefusesAnotherNumberOfTensorsOrAttributes) {
  inputs_.pop_back();
  ExpectRefused("ScaledAdd got 1 inputs, expected 2");
  inputs_.push_back(inputs_[0]);
  outputs_.clear();
  ExpectRefused("ScaledAdd got 0 outputs, expected 1");
  outputs_.push_back(inputs_[0]);
  attrs_.push_back(attrs_[0]);
  ExpectRefused("ScaledAdd got 3 attributes, expected 2");
  attrs_.clear();
  ExpectRefused("required attribute axis is missing");
  attrs_ = {{ACL_TWIN_ATTR_BOOL, {}}};
  ExpectRefused("attribute axis is of kind 2, expected 0");
}

TEST_F(TilingEntryTest, RefusesARankBeyondAnyShape) {
  const std::vector<int64_t> dims(26, 1);
  inputs_[1].dims = dims.data();
  inputs_[1].rank = dims.size();
  ExpectRefused("input y has rank 26, expected at most 25");
}

TEST_F(TilingEntryTest, PassesOnTheSentenceThatTilingLogged) {
  attrs_[0].value.integer = -3;
  ExpectRefused("axis is -3");
  attrs_[0].value.integer = 100;
  ExpectRefused("ScaledAdd: tiling failed without a message");
}

TEST_F(TilingEntryTest, RefusesAnswersThatCannotBeLaunched) {
  attrs_[0].value.integer = 101;
  ExpectRefused("ScaledAdd: tiling set no block dim");
  attrs_[0].value.integer = 102;
  ExpectRefused("ScaledAdd: workspace does not fit in 64 bits");
  attrs_[0].value.integer = 0;
  capacity_ = 23;
  ExpectRefused("ScaledAdd: tiling data has 24 bytes, room is for 23");
}

TEST_F(TilingEntryTest, RefusesAnOperatorThatIsNotRegistered) {
  op_type_ = "Nothing";
  ExpectRefused("Nothing is not registered in this library");
}

}  // namespace
}  // namespace host
TEST(TensorName, IsThatOfTheDefinition) {
  using attnres::host::TensorName;
  EXPECT_STREQ(TensorName("ScaledAdd", false, 1), "y");
  EXPECT_STREQ(TensorName("ScaledAdd", true, 0), "z");
  EXPECT_EQ(TensorName("ScaledAdd", true, 1), nullptr);
  EXPECT_EQ(TensorName("Unknown", false, 0), nullptr);
}

}  // namespace attnres
