// Operator info: the keys of CANN's packages, with what a definition says.
#include "cc/host/operator_info.h"

#include <gtest/gtest.h>

#include <string>

#include "register/op_def.h"

namespace attnres {
namespace host {
namespace {

ops::OpDef Scale() {
  ops::OpDef definition("Scale");
  definition.Input("x")
      .ParamType(ops::REQUIRED)
      .DataType({ge::DT_BF16, ge::DT_FLOAT})
      .Format({ge::FORMAT_ND, ge::FORMAT_ND})
      .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
  definition.Input("factors")
      .ParamType(ops::OPTIONAL)
      .DataType({ge::DT_INT32, ge::DT_INT32})
      .Format({ge::FORMAT_ND, ge::FORMAT_NC1HWC0})
      .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_NC1HWC0});
  definition.Output("y")
      .DataType({ge::DT_BF16, ge::DT_FLOAT16})
      .Format({ge::FORMAT_ND, ge::FORMAT_ND})
      .UnknownShapeFormat({ge::FORMAT_ND, ge::FORMAT_ND});
  definition.Attr("axis").AttrType(ops::OPTIONAL).Int(-1);
  definition.Attr("mode").AttrType(ops::REQUIRED).String();
  ops::OpAICoreConfig config;
  config.DynamicShapeSupportFlag(true).ExtendCfgInfo("opFile.value", "scale_apt");
  definition.AICore().AddConfig("ascend950", config);
  return definition;
}

TEST(OperatorInfoTest, HasTensorsAttributesAndConfiguration) {
  EXPECT_EQ(OperatorInfo(Scale(), "ascend950"), R"([Scale]
input0.name=x
input0.paramType=required
input0.dtype=bfloat16,float32
input0.format=ND,ND
input0.unknownshape_format=ND,ND
input0.shape=all
input1.name=factors
input1.paramType=optional
input1.dtype=int32,int32
input1.format=ND,NC1HWC0
input1.unknownshape_format=ND,NC1HWC0
input1.shape=all
output0.name=y
output0.paramType=required
output0.dtype=bfloat16,float16
output0.format=ND,ND
output0.unknownshape_format=ND,ND
output0.shape=all
attr.list=axis,mode
attr_axis.type=int
attr_axis.value=all
attr_axis.paramType=optional
attr_axis.defaultValue=-1
attr_mode.type=str
attr_mode.value=all
attr_mode.paramType=required
dynamicShapeSupport.flag=true
opFile.value=scale_apt
)");
}

TEST(OperatorInfoTest, IsEmptyForASocWithoutConfiguration) {
  EXPECT_EQ(OperatorInfo(Scale(), "ascend910b"), "");
}

}  // namespace
}  // namespace host
}  // namespace attnres
