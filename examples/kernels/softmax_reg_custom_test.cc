// The sample softmax_reg_custom.cpp against softmax in double.
#include "examples/kernels/softmax_reg_custom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

constexpr uint64_t kAscend950UbBytes = 253952;

TEST(SoftmaxRegCustom, MatchesDoubleAndIsTheSameOnAnyThreadCount) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal(0.0f, 4.0f);
  for (const uint32_t columns : {1u, 7u, 8u, 63u, 64u, 65u, 1000u, 8000u}) {
    const uint32_t rows = 5;
    GuardedBuffer<float> x(rows * columns);
    for (uint32_t i = 0; i < rows * columns; ++i) {
      x[i] = normal(random);
    }
    x[0] = 90.0f;  // exp(90) would overflow float
    std::vector<float> first;
    for (const uint32_t threads : {1u, 2u, 7u}) {
      GuardedBuffer<float> y(rows * columns);
      const uint32_t tiling[] = {rows, columns};
      const KernelRun run =
          RunKernel(&softmax_reg_custom_entry, {3, threads, kAscend950UbBytes}, x.data(), y.data(),
                    static_cast<uint8_t*>(nullptr), &tiling[0]);
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      for (uint32_t row = 0; row < rows; ++row) {
        double sum = 0;
        double largest = -INFINITY;
        for (uint32_t i = 0; i < columns; ++i) {
          largest = std::fmax(largest, x[row * columns + i]);
        }
        for (uint32_t i = 0; i < columns; ++i) {
          sum += std::exp(x[row * columns + i] - largest);
        }
        for (uint32_t i = 0; i < columns; ++i) {
          // Relative error: the argument's rounding times its size (at most 2^-24 * 128), exp, sum
          // and quotient.
          const double expected = std::exp(x[row * columns + i] - largest) / sum;
          ASSERT_NEAR(y[row * columns + i], expected, 1.5e-5 * expected + 1e-38)
              << "row " << row << " column " << i;
        }
      }
      EXPECT_TRUE(y.GuardsIntact());
      std::vector<float> values(y.data(), y.data() + rows * columns);
      if (first.empty()) {
        first = values;
      }
      EXPECT_EQ(std::memcmp(first.data(), values.data(), values.size() * sizeof(float)), 0);
    }
  }
}

}  // namespace
