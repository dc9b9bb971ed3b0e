// The sample rms_norm_custom.cpp against RMSNorm in double, within one unit in the last place of
// bfloat16.
#include "examples/kernels/rms_norm_custom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

struct Tiling {
  uint32_t rows;
  uint32_t columns;
  float epsilon;
};

TEST(RmsNormCustom, RoundsTheDoubleResultWithinOneUnit) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0.0f, 1.0f);
  for (const uint32_t columns : {1u, 15u, 16u, 17u, 127u, 513u, 520u, 4096u}) {
    const Tiling tiling = {7, columns, 1e-6f};
    GuardedBuffer<bfloat16_t> x(tiling.rows * columns);
    GuardedBuffer<bfloat16_t> gamma(columns);
    GuardedBuffer<bfloat16_t> y(tiling.rows * columns);
    for (uint32_t i = 0; i < tiling.rows * columns; ++i) {
      x[i] = normal(random);
    }
    for (uint32_t i = 0; i < columns; ++i) {
      gamma[i] = 1.0f + 0.1f * normal(random);
    }
    const KernelRun run = RunKernel(&rms_norm_custom_entry, {4, 2}, x.data(), gamma.data(),
                                    y.data(), static_cast<uint8_t*>(nullptr), &tiling);
    ASSERT_TRUE(run.status.ok()) << run.status.message;
    for (uint32_t row = 0; row < tiling.rows; ++row) {
      double squares = 0;
      for (uint32_t i = 0; i < columns; ++i) {
        const double value = static_cast<float>(x[row * columns + i]);
        squares += value * value;
      }
      const double scale = 1.0 / std::sqrt(squares / columns + 1e-6);
      for (uint32_t i = 0; i < columns; ++i) {
        const double expected =
            static_cast<float>(x[row * columns + i]) * scale * static_cast<float>(gamma[i]);
        const int unit = bfloat16_t(expected).bits;
        ASSERT_LE(std::abs(y[row * columns + i].bits - unit), 1)
            << "row " << row << " column " << i << " of " << columns;
      }
    }
    EXPECT_TRUE(y.GuardsIntact()) << columns;
  }
}

}  // namespace
