// Contract under test: InferOutputs runs both registered functions and refuses what is incomplete.
#include "cc/host/infer_entry.h"

#include "gtest/gtest.h"
#include "op_common/log/log.h"
#include "register/op_def_registry.h"

namespace ops {

ge::graphStatus CopyShape(gert::InferShapeContext* context) {
  if (context->GetInputShape(0)->IsScalar()) {
    OP_LOGE(context, "x is a scalar");
    return ge::GRAPH_FAILED;
  }
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}

ge::graphStatus CopyType(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

// Names its functions in the definition, as some operators do.
class CopyOf : public OpDef {
 public:
  explicit CopyOf(const char* name) : OpDef(name) {
    Input("x").DataType({ge::DT_FLOAT});
    Output("y").DataType({ge::DT_FLOAT});
    SetInferShape(CopyShape).SetInferDataType(CopyType);
  }
};
OP_ADD(CopyOf);

class WithoutFunctions : public OpDef {
 public:
  explicit WithoutFunctions(const char* name) : OpDef(name) { Input("x"); }
};
OP_ADD(WithoutFunctions);

}  // namespace ops

namespace attnres {
namespace host {
namespace {

TEST(InferEntryTest, RunsShapeAndTypeInference) {
  std::vector<InferTensor> outputs;
  std::string error;
  ASSERT_TRUE(InferOutputs("CopyOf", {{{-1, 4}, ge::DT_FLOAT}}, &outputs, &error)) << error;
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].shape, gert::Shape({-1, 4}));
  EXPECT_EQ(outputs[0].data_type, ge::DT_FLOAT);
}

TEST(InferEntryTest, SaysWhyNot) {
  std::vector<InferTensor> outputs;
  std::string error;
  EXPECT_FALSE(InferOutputs("CopyOf", {{{}, ge::DT_FLOAT}}, &outputs, &error));
  EXPECT_EQ(error, "x is a scalar");
  EXPECT_FALSE(InferOutputs("CopyOf", {}, &outputs, &error));
  EXPECT_EQ(error, "CopyOf got 0 inputs, expected 1");
  EXPECT_FALSE(InferOutputs("WithoutFunctions", {}, &outputs, &error));
  EXPECT_EQ(error, "WithoutFunctions has no shape inference");
  EXPECT_FALSE(InferOutputs("Nothing", {}, &outputs, &error));
  EXPECT_EQ(error, "Nothing is not registered in this library");
  EXPECT_TRUE(outputs.empty());
}

}  // namespace
}  // namespace host
}  // namespace attnres
