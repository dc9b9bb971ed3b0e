// Stretches of touched blocks, across the words of the bits.
#include "cc/ascendc/checks/vector_function.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace attnres::checks {
namespace {

std::string Finish(VectorFunction* function) {
  std::string stretches;
  function->Finish([&](bool is_write, uint32_t first, uint32_t last, const uint32_t* sites) {
    stretches += (is_write ? "w" : "r") + std::to_string(first) + "-" + std::to_string(last) + "@" +
                 std::to_string(sites[first]) + " ";
  });
  return stretches;
}

TEST(VectorFunction, CollectsStretchesAndForgetsThem) {
  VectorFunction function(8192);
  EXPECT_EQ(Finish(&function), "");
  function.Touch(false, 60, 68, 1);
  function.Touch(false, 68, 76, 2);
  function.Touch(false, 200, 201, 3);
  function.Touch(true, 255, 256, 4);
  function.Touch(true, 0, 1, 5);
  EXPECT_EQ(Finish(&function), "r60-76@1 r200-201@3 w0-1@5 w255-256@4 ");
  EXPECT_EQ(Finish(&function), "");
  function.Touch(false, 61, 62, 6);
  function.Touch(true, 0, 200, 7);
  EXPECT_EQ(Finish(&function), "r61-62@6 w0-200@7 ");
}

TEST(VectorFunction, LoadsAreAfterStoresOnlyByABarrier) {
  VectorFunction function(8192);
  EXPECT_EQ(function.FirstStored(0, 8192), 8192u);
  function.Store(100, 104);
  function.Touch(true, 3, 4, 9);
  EXPECT_EQ(function.FirstStored(0, 256), 100u);
  EXPECT_EQ(function.FirstStored(102, 256), 102u);
  EXPECT_EQ(function.FirstStored(0, 100), 100u);
  EXPECT_EQ(function.FirstStored(104, 256), 256u);
  EXPECT_EQ(function.StoreSite(100), 9u);
  function.Barrier();
  EXPECT_EQ(function.FirstStored(0, 256), 256u);
  function.Store(64, 128);
  Finish(&function);
  EXPECT_EQ(function.FirstStored(0, 256), 256u);
}

TEST(VectorFunction, KnowsWhoseBytesAStoreOverwrites) {
  VectorFunction function(4096);
  const auto store = [&](uint64_t begin, uint64_t end, uint32_t site) {
    const uint64_t first = function.FirstStoredByAnother(begin, end, site);
    function.Store(begin, end);
    function.Touch(true, static_cast<uint32_t>(begin / 32), static_cast<uint32_t>((end + 31) / 32),
                   site);
    return first;
  };
  EXPECT_EQ(store(0, 256, 1), 256u);
  EXPECT_EQ(store(0, 256, 1), 256u) << "one site";
  EXPECT_EQ(store(250, 300, 2), 250u);
  EXPECT_EQ(store(512, 516, 3), 516u);
  EXPECT_EQ(store(516, 520, 4), 520u) << "beside it";
  EXPECT_EQ(store(512, 516, 5), 516u) << "whose it is the block does not tell";
  EXPECT_EQ(store(500, 514, 6), 512u);
  function.Barrier();
  EXPECT_EQ(store(0, 32, 7), 0u) << "a barrier before loads";
  function.BarrierOfStores();
  EXPECT_EQ(store(0, 32, 8), 32u);
  function.Load(8, 24);
  EXPECT_EQ(store(8, 24, 9), 24u) << "after a load of what was there";
  EXPECT_EQ(store(0, 8, 10), 8u) << "whose it is the block does not tell";
  function.Load(0, 4096);
  EXPECT_EQ(store(0, 32, 11), 32u);
}

}  // namespace
}  // namespace attnres::checks
