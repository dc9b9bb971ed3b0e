// The sample add_custom.cpp: every element right for lengths around a block, a tile and the cores'
// shares, nothing written beside the result.
#include "examples/kernels/add_custom.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "cc/ascendc/membase/float16.h"
#include "cc/ascendc/testing/guarded_buffer.h"
#include "cc/ascendc/testing/kernel_runner.h"

namespace {

using attnres::testing::GuardedBuffer;
using attnres::testing::KernelRun;
using attnres::testing::RunKernel;

TEST(AddCustom, AddsVectorsOfAnyLength) {
  std::mt19937 random(1);
  for (const uint32_t length :
       {1u, 15u, 16u, 17u, 2047u, 2048u, 2049u, 8 * 2048u, 8 * 2048u + 1, 100003u}) {
    GuardedBuffer<half> x(length);
    GuardedBuffer<half> y(length);
    GuardedBuffer<half> z(length);
    for (uint32_t i = 0; i < length; ++i) {
      x[i] = static_cast<float>(random() % 4001) / 16.0f - 125.0f;
      y[i] = static_cast<float>(random() % 4001) / 16.0f - 125.0f;
    }
    for (const uint32_t threads : {1u, 2u}) {
      const KernelRun run =
          RunKernel(&add_custom_entry, {8, threads}, x.data(), y.data(), z.data(), length);
      ASSERT_TRUE(run.status.ok()) << run.status.message;
      for (uint32_t i = 0; i < length; ++i) {
        ASSERT_EQ(z[i].bits, (x[i] + y[i]).bits) << "element " << i << " of " << length;
      }
      EXPECT_TRUE(z.GuardsIntact()) << length;
      EXPECT_EQ(run.stats.gm_bytes_read, 4 * uint64_t{length});
      EXPECT_EQ(run.stats.gm_bytes_written, 2 * uint64_t{length});
    }
  }
}

}  // namespace
