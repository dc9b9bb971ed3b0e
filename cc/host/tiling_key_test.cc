// Contract under test: fields are packed from the least significant bit, a UINT field stores an
// index, and whatever was not declared gives kInvalidTilingKey.
#include "cc/host/tiling_key.h"

#include "ascendc/host_api/tiling/template_argument.h"
#include "gtest/gtest.h"

ASCENDC_TPL_ARGS_DECL(TilingKeyTest, ASCENDC_TPL_DTYPE_DECL(dtype, 0, 1, 27),
                      ASCENDC_TPL_BOOL_DECL(transposed, 0, 1),
                      ASCENDC_TPL_UINT_DECL(mode, ASCENDC_TPL_2_BW, ASCENDC_TPL_UI_LIST, 7, 5, 3));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(anything));

namespace attnres {
namespace host {
namespace {

TEST(TilingKeyTest, PacksFieldsFromTheLeastSignificantBit) {
  EXPECT_EQ(GET_TPL_TILING_KEY(0, 0, 7), 0u);
  EXPECT_EQ(GET_TPL_TILING_KEY(27, 1, 3), 27u | 1u << 8 | 2u << 9);
}

TEST(TilingKeyTest, RejectsUndeclaredValues) {
  EXPECT_EQ(GET_TPL_TILING_KEY(2, 0, 7), INVALID_TILING_KEY);
  EXPECT_EQ(GET_TPL_TILING_KEY(0, 2, 7), INVALID_TILING_KEY);
  EXPECT_EQ(GET_TPL_TILING_KEY(0, 0, 4), INVALID_TILING_KEY);
  EXPECT_EQ(GET_TPL_TILING_KEY(0, 0), INVALID_TILING_KEY);
}

TEST(TilingKeyTest, ExpandsRangesAndMixes) {
  const TilingKeyFields range = {
      TilingKeyField::Uint("range", 8, {ASCENDC_TPL_UI_RANGE, 2, 0, 2, 10, 11})};
  EXPECT_EQ(EncodeTilingKey(range, {11}), 4u);
  EXPECT_EQ(EncodeTilingKey(range, {3}), kInvalidTilingKey);
  const TilingKeyFields mix = {TilingKeyField::Uint("mix", 8, {ASCENDC_TPL_UI_MIX, 1, 4, 5, 100})};
  EXPECT_EQ(EncodeTilingKey(mix, {100}), 2u);
}

TEST(TilingKeyTest, MalformedDeclarationHasNoValidValue) {
  for (const auto& field :
       {TilingKeyField::Uint("empty", 8, {}), TilingKeyField::Uint("kind", 8, {3, 1, 0, 0}),
        TilingKeyField::Uint("short", 8, {ASCENDC_TPL_UI_RANGE, 2, 0, 1}),
        TilingKeyField::Uint("down", 8, {ASCENDC_TPL_UI_RANGE, 1, 1, 0})}) {
    EXPECT_EQ(EncodeTilingKey({field}, {0}), kInvalidTilingKey) << field.name();
  }
}

TEST(TilingKeyTest, RejectsWhatDoesNotFitInItsBits) {
  const TilingKeyFields narrow = {
      TilingKeyField::Uint("narrow", 1, {ASCENDC_TPL_UI_LIST, 1, 2, 3})};
  EXPECT_EQ(EncodeTilingKey(narrow, {2}), 1u);
  EXPECT_EQ(EncodeTilingKey(narrow, {3}), kInvalidTilingKey);
  const TilingKeyFields nine(9, TilingKeyField::Plain("byte", 8, {0, 255}));
  EXPECT_EQ(EncodeTilingKey(nine, {0, 0, 0, 0, 0, 0, 0, 0, 0}), kInvalidTilingKey);
}

}  // namespace
}  // namespace host
}  // namespace attnres
