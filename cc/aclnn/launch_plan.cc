// The cache is a short list: a launch compares hashes, and whole keys where those agree.
#include "cc/aclnn/launch_plan.h"

#include <algorithm>
#include <utility>

namespace attnres::aclnn {
namespace {

// FNV-1a over words.
uint64_t HashOf(const LaunchPlanKey& key) {
  uint64_t hash = 14695981039346656037u;
  for (const uint64_t word : key.words) {
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 32;
  }
  return hash;
}

}  // namespace

// Kept for the life of the process: streams may still run while statics are destroyed.
LaunchPlanCache& LaunchPlanCache::Instance() {
  static auto* cache = new LaunchPlanCache;
  return *cache;
}

std::shared_ptr<const LaunchPlan> LaunchPlanCache::Find(const LaunchPlanKey& key) {
  const uint64_t hash = HashOf(key);
  const std::lock_guard<std::mutex> lock(mutex_);
  for (Entry& entry : entries_) {
    if (entry.hash != hash || !(entry.key == key)) continue;
    entry.last_use = ++uses_;
    return entry.plan;
  }
  return nullptr;
}

void LaunchPlanCache::Insert(const LaunchPlanKey& key, std::shared_ptr<const LaunchPlan> plan) {
  Entry entry{HashOf(key), 0, key, std::move(plan)};
  const std::lock_guard<std::mutex> lock(mutex_);
  entry.last_use = ++uses_;
  for (const Entry& known : entries_) {
    if (known.key == key) return;  // another thread was faster
  }
  if (entries_.size() < kCapacity) {
    entries_.push_back(std::move(entry));
    return;
  }
  *std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
    return a.last_use < b.last_use;
  }) = std::move(entry);
}

size_t LaunchPlanCache::size() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return entries_.size();
}

}  // namespace attnres::aclnn
