// The sample gelu_reg_custom.cpp against the tanh form in double: every half is the nearest one or
// its neighbour, for lengths around a register, a tile and the cores' shares.
#include "examples/kernels/gelu_reg_custom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

constexpr uint64_t kAscend950UbBytes = 253952;

double Gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

// Half values in the order of numbers; both zeros at 0.
int Rank(half value) { return (value.bits & 0x8000) != 0 ? -(value.bits & 0x7FFF) : value.bits; }

TEST(GeluRegCustom, IsTheNearestHalfOrItsNeighbour) {
  std::mt19937 random(3);
  std::normal_distribution<float> normal(0.0f, 3.0f);
  for (const uint32_t length : {1u, 63u, 64u, 65u, 127u, 4095u, 4096u, 4097u, 100003u}) {
    GuardedBuffer<half> x(length);
    GuardedBuffer<half> y(length);
    for (uint32_t i = 0; i < length; ++i) {
      x[i] = normal(random);
    }
    for (const uint32_t threads : {1u, 2u}) {
      const KernelRun run = RunKernel(&gelu_reg_custom_entry, {5, threads, kAscend950UbBytes},
                                      x.data(), y.data(), length);
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      for (uint32_t i = 0; i < length; ++i) {
        const half nearest = Gelu(static_cast<float>(x[i]));
        ASSERT_LE(std::abs(Rank(y[i]) - Rank(nearest)), 1)
            << "gelu(" << static_cast<float>(x[i]) << ") is " << static_cast<float>(y[i]);
      }
      EXPECT_TRUE(y.GuardsIntact()) << length;
      EXPECT_EQ(run.stats.gm_bytes_read, 2 * uint64_t{length});
      EXPECT_EQ(run.stats.gm_bytes_written, 2 * uint64_t{length});
    }
  }
}

TEST(GeluRegCustom, SpecialValues) {
  const float infinity = std::numeric_limits<float>::infinity();
  GuardedBuffer<half> x(4);
  GuardedBuffer<half> y(4);
  x[0] = 60000.0f;
  x[1] = -60000.0f;
  x[2] = infinity;
  x[3] = std::nanf("");
  const KernelRun run =
      RunKernel(&gelu_reg_custom_entry, {1, 1, kAscend950UbBytes}, x.data(), y.data(), uint32_t{4});
  ASSERT_TRUE(run.status.ok()) << run.status.message;
  EXPECT_EQ(static_cast<float>(y[0]), static_cast<float>(x[0]));
  EXPECT_EQ(static_cast<float>(y[1]), 0.0f);
  EXPECT_EQ(static_cast<float>(y[2]), infinity);
  EXPECT_TRUE(std::isnan(static_cast<float>(y[3])));
}

}  // namespace
