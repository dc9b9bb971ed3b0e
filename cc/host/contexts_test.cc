// Contract under test: shapes, attributes and contexts give what was put in, and null or a marker
// for what is not there.
#include <cstddef>
#include <cstdint>

#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "exe_graph/runtime/shape.h"
#include "exe_graph/runtime/tiling_context.h"
#include "gtest/gtest.h"

namespace gert {
namespace {

TEST(ShapeTest, CountsElementsWithoutOverflow) {
  EXPECT_EQ(Shape({2, 3, 4}).GetShapeSize(), 24);
  EXPECT_EQ(Shape().GetShapeSize(), 1);
  EXPECT_EQ(Shape({int64_t{1} << 32, int64_t{1} << 32}).GetShapeSize(), Shape::kInvalidDimValue);
}

TEST(ShapeTest, StaysWithinItsRoom) {
  Shape shape;
  for (size_t i = 0; i < Shape::kMaxDimNum + 3; ++i) shape.AppendDim(static_cast<int64_t>(i));
  EXPECT_EQ(shape.GetDimNum(), Shape::kMaxDimNum);
  EXPECT_EQ(shape.GetDim(Shape::kMaxDimNum), Shape::kInvalidDimValue);
  shape.SetDimNum(Shape::kMaxDimNum + 1);
  EXPECT_EQ(shape.GetDimNum(), Shape::kMaxDimNum);
}

TEST(ShapeTest, ComparesOnlyVisibleDimensions) {
  Shape longer{1, 2, 3};
  longer.SetDimNum(2);
  EXPECT_EQ(longer, Shape({1, 2}));
  EXPECT_NE(longer, Shape({1, 3}));
}

TEST(RuntimeAttrsTest, GivesNullForAnotherTypeOrIndex) {
  RuntimeAttrs attrs;
  attrs.AppendInt(-1);
  attrs.AppendFloat(0.5f);
  attrs.AppendBool(true);
  attrs.AppendStr("text");
  EXPECT_EQ(attrs.GetAttrNum(), 4u);
  EXPECT_EQ(*attrs.GetInt(0), -1);
  EXPECT_EQ(*attrs.GetAttrPointer<float>(1), 0.5f);
  EXPECT_TRUE(*attrs.GetBool(2));
  EXPECT_STREQ(attrs.GetStr(3), "text");
  EXPECT_EQ(attrs.GetInt(1), nullptr);
  EXPECT_EQ(attrs.GetInt(4), nullptr);
}

TEST(ContextsTest, GiveNullForTensorsThatAreNotThere) {
  ComputeNodeInfo node("Type", "name");
  node.AppendInput({2, 3}, ge::DT_BF16, ge::FORMAT_ND);
  node.AppendOutput({}, ge::DT_UNDEFINED, ge::FORMAT_ND);
  InferShapeContext shapes(&node);
  EXPECT_EQ(*shapes.GetInputShape(0), Shape({2, 3}));
  EXPECT_EQ(shapes.GetInputShape(1), nullptr);
  EXPECT_EQ(shapes.GetOutputShape(1), nullptr);
  InferDataTypeContext types(&node);
  EXPECT_EQ(types.GetInputDataType(0), ge::DT_BF16);
  EXPECT_EQ(types.GetInputDataType(1), ge::DT_UNDEFINED);
  EXPECT_EQ(types.SetOutputDataType(0, ge::DT_BF16), ge::GRAPH_SUCCESS);
  EXPECT_EQ(types.GetOutputDataType(0), ge::DT_BF16);
  EXPECT_EQ(types.SetOutputDataType(1, ge::DT_BF16), ge::GRAPH_FAILED);
}

TEST(TilingContextTest, GivesNoStructureThatDoesNotFit) {
  ComputeNodeInfo node("Type", "name");
  alignas(std::max_align_t) unsigned char buffer[16] = {};
  TilingData data(buffer, sizeof(buffer));
  TilingContext context(&node, nullptr, nullptr, &data);
  struct Fits {
    uint64_t values[2];
  };
  struct TooLong {
    uint64_t values[3];
  };
  EXPECT_EQ(context.GetTilingData<TooLong>(), nullptr);
  ASSERT_NE(context.GetTilingData<Fits>(), nullptr);
  EXPECT_EQ(data.GetDataSize(), 16u);
  EXPECT_EQ(data.Append(uint8_t{1}), ge::GRAPH_FAILED);
}

}  // namespace
}  // namespace gert
