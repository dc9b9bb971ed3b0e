// Handles: found while they live, never confused afterwards.
#include "cc/acl/internal/handle_table.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace attnres::acl {
namespace {

TEST(HandleTable, FindsWhatLives) {
  HandleTable<int> table(HandleKind::kStream);
  void* one = table.Insert(std::make_shared<int>(1));
  void* two = table.Insert(std::make_shared<int>(2));
  EXPECT_EQ(*table.Find(one), 1);
  EXPECT_EQ(*table.Find(two), 2);
  EXPECT_EQ(table.All().size(), 2u);
}

TEST(HandleTable, EndedHandleStaysUnknownWhenItsPlaceIsUsedAgain) {
  HandleTable<int> table(HandleKind::kStream);
  std::set<void*> seen;
  for (int i = 0; i < 1000; ++i) {
    void* handle = table.Insert(std::make_shared<int>(i));
    EXPECT_TRUE(seen.insert(handle).second) << "a handle came twice";
    EXPECT_EQ(*table.Remove(handle), i);
    EXPECT_EQ(table.Find(handle), nullptr);
    EXPECT_EQ(table.Remove(handle), nullptr);
  }
  EXPECT_TRUE(table.All().empty());
}

TEST(HandleTable, RefusesForeignHandles) {
  HandleTable<int> streams(HandleKind::kStream);
  HandleTable<int> events(HandleKind::kEvent);
  void* stream = streams.Insert(std::make_shared<int>(1));
  events.Insert(std::make_shared<int>(2));
  EXPECT_EQ(events.Find(stream), nullptr);
  EXPECT_EQ(streams.Find(nullptr), nullptr);
  int local = 0;
  EXPECT_EQ(streams.Find(&local), nullptr);
}

TEST(HandleTable, ObjectOutlivesItsHandleWhileInUse) {
  HandleTable<int> table(HandleKind::kStream);
  void* handle = table.Insert(std::make_shared<int>(7));
  const std::shared_ptr<int> used = table.Find(handle);
  table.Remove(handle);
  EXPECT_EQ(*used, 7);
}

TEST(HandleTable, OneOfManyThreadsRemoves) {
  HandleTable<int> table(HandleKind::kStream);
  for (int round = 0; round < 200; ++round) {
    void* handle = table.Insert(std::make_shared<int>(round));
    std::atomic<int> removed{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] { removed += table.Remove(handle) != nullptr ? 1 : 0; });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(removed, 1);
  }
}

}  // namespace
}  // namespace attnres::acl
