// Counts of byte values, of both halves and kinds, for every tail length.
#include "cc/ascendc/reg/histograms.h"

#include <gtest/gtest.h>

#include "cc/ascendc/reg/test_support.h"

namespace attnres::testing {
namespace {

using Reg::HistogramsBinType;
using Reg::HistogramsType;

template <HistogramsBinType kBin, HistogramsType kType>
void CheckHistogram() {
  constexpr uint32_t kFirst = kBin == HistogramsBinType::BIN0 ? 0 : 128;
  Random random{101};
  for (const MaskBits& bits : InterestingMasks<uint8_t>(random)) {
    const Elements<uint8_t> values = AnyElements<uint8_t>(random);
    const Elements<uint16_t> old = AnyElements<uint16_t>(random);
    Elements<uint16_t> expected = old;
    for (uint32_t n = 0; n < 128; ++n) {
      for (uint32_t i = 0; i < 256; ++i) {
        const bool counts =
            kType == HistogramsType::FREQUENCY ? values[i] == kFirst + n : values[i] <= kFirst + n;
        expected[n] =
            static_cast<uint16_t>(expected[n] + (bits.Active<uint8_t>(i) && counts ? 1 : 0));
      }
    }
    Reg::RegTensor<uint8_t> src = ToRegister(values);
    Reg::RegTensor<uint16_t> dst = ToRegister(old);
    Reg::MaskReg mask = bits.Register();
    Reg::Histograms<uint8_t, uint16_t, kBin, kType>(dst, src, mask);
    ASSERT_TRUE(SameElements(FromRegister(dst), expected)) << bits.name;
  }
}

TEST(RegHistogramsTest, Frequency) {
  CheckHistogram<HistogramsBinType::BIN0, HistogramsType::FREQUENCY>();
  CheckHistogram<HistogramsBinType::BIN1, HistogramsType::FREQUENCY>();
}

TEST(RegHistogramsTest, Accumulated) {
  CheckHistogram<HistogramsBinType::BIN0, HistogramsType::ACCUMULATE>();
  CheckHistogram<HistogramsBinType::BIN1, HistogramsType::ACCUMULATE>();
}

}  // namespace
}  // namespace attnres::testing
