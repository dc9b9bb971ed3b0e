#include "cc/ascendc/timeline/vector_cost.h"

#include <gtest/gtest.h>

namespace attnres::timeline {
namespace {

// An Add of `repeats` * 256 bytes of half whose sources begin at these addresses.
double AddCycles(const char* soc, uint32_t repeats, uint64_t src0, uint64_t src1) {
  VectorCost cost(*FindCostProfile(soc));
  const uint64_t bytes = uint64_t{256} * repeats;
  const AscendcTwinAccess accesses[] = {{0, bytes, "dst", 32, 1, 0},
                                        {src0, bytes, "src0", 32, 0, 0},
                                        {src1, bytes, "src1", 32, 0, 0}};
  AscendcTwinInstruction add = {};
  add.name = "Add";
  add.element_bytes = 2;
  add.repeats = repeats;
  add.accesses = accesses;
  add.access_count = 3;
  return cost.OfInstruction(add);
}

TEST(VectorCost, OperandsInTheSameBankGroupsCostACycleMore) {
  EXPECT_EQ(AddCycles("ascend910b", 32, 1 << 16, 1 << 17), 6 + 2 * 32);
  EXPECT_EQ(AddCycles("ascend910b", 32, 1 << 16, (1 << 17) + 256), 6 + 32);
  EXPECT_EQ(AddCycles("ascend910b", 32, 1 << 16, (1 << 17) + 128), 6 + 2 * 32);
}

TEST(VectorCost, ArchitectureDecides) {
  EXPECT_EQ(AddCycles("ascend950", 32, 1 << 16, 1 << 17), 23 + 2 * 32);
}

TEST(VectorCost, NothingCostsNothing) {
  EXPECT_EQ(AddCycles("ascend910b", 0, 1 << 16, 1 << 17), 0);
}

}  // namespace
}  // namespace attnres::timeline
