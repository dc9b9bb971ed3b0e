// The cache of plans: what it finds, what it tells apart, and that it stays small.
#include "cc/aclnn/launch_plan.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "cc/acl/internal/operator_registry.h"
#include "cc/acl/internal/operator_table.h"

namespace attnres::aclnn {
namespace {

constexpr AclTwinOperator kRecord = {"Some", nullptr, nullptr, 0, nullptr, 0, nullptr, 0, nullptr};

std::shared_ptr<const acl::RegisteredOperator> NewOperator() {
  return std::make_shared<acl::RegisteredOperator>(&kRecord);
}

std::shared_ptr<const LaunchPlan> PlanWith(uint32_t block_dim) {
  auto plan = std::make_shared<LaunchPlan>();
  plan->block_dim = block_dim;
  return plan;
}

TEST(LaunchPlanCache, FindsWhatWasInsertedAndNothingElse) {
  LaunchPlanCache cache;
  const auto op = NewOperator();
  const LaunchPlanKey key = {op, {1, 2, 3}};
  EXPECT_EQ(cache.Find(key), nullptr);
  cache.Insert(key, PlanWith(7));
  ASSERT_NE(cache.Find(key), nullptr);
  EXPECT_EQ(cache.Find(key)->block_dim, 7u);
  EXPECT_EQ(cache.Find({op, {1, 2, 4}}), nullptr);
  EXPECT_EQ(cache.Find({op, {1, 2}}), nullptr);
  EXPECT_EQ(cache.Find({op, {1, 2, 3, 0}}), nullptr);
  EXPECT_EQ(cache.Find({NewOperator(), {1, 2, 3}}), nullptr) << "another registration";
}

TEST(LaunchPlanCache, FirstOfTwoEqualInsertionsStays) {
  LaunchPlanCache cache;
  const LaunchPlanKey key = {NewOperator(), {1}};
  cache.Insert(key, PlanWith(1));
  cache.Insert(key, PlanWith(2));
  EXPECT_EQ(cache.size(), 1u);
  EXPECT_EQ(cache.Find(key)->block_dim, 1u);
}

TEST(LaunchPlanCache, ForgetsTheOneThatWasNotUsedTheLongest) {
  LaunchPlanCache cache;
  const auto op = NewOperator();
  for (uint32_t i = 0; i < LaunchPlanCache::kCapacity; ++i) cache.Insert({op, {i}}, PlanWith(i));
  ASSERT_NE(cache.Find({op, {0}}), nullptr);  // now 1 is the oldest
  const std::shared_ptr<const LaunchPlan> held = PlanWith(1000);
  cache.Insert({op, {1000}}, held);
  EXPECT_EQ(cache.size(), LaunchPlanCache::kCapacity);
  EXPECT_NE(cache.Find({op, {0}}), nullptr);
  EXPECT_EQ(cache.Find({op, {1}}), nullptr);
  for (uint32_t i = 2; i < 10 * LaunchPlanCache::kCapacity; ++i) {
    cache.Insert({op, {2000 + i}}, PlanWith(i));
  }
  EXPECT_EQ(cache.size(), LaunchPlanCache::kCapacity);
  EXPECT_EQ(held->block_dim, 1000u) << "a plan outlives its place in the cache";
}

TEST(LaunchPlanCache, ManyThreads) {
  LaunchPlanCache cache;
  const auto op = NewOperator();
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint32_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < 2000; ++i) {
        const uint32_t number = (i * (thread + 1)) % 100;
        const LaunchPlanKey key = {op, {number}};
        const auto found = cache.Find(key);
        if (found == nullptr) {
          cache.Insert(key, PlanWith(number));
        } else if (found->block_dim != number) {
          ++wrong;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace attnres::aclnn
