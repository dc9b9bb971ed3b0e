// Lines of a launch, sorted by core.
#include "cc/ascendc/launch/print_log.h"

#include <string_view>

namespace attnres::launch {

void PrintLog::Begin(const Launch& launch) {
  launch_ = &launch;
  if (enabled()) {
    turn_ = 0;
    has_ended_.assign(launch.block_num, false);
    kept_.clear();
  }
}

void PrintLog::Add(uint32_t block, const AscendcTwinPlace* place, const char* text) {
  if (!enabled()) {
    return;
  }
  std::string head;
  if (place != nullptr && place->file != nullptr) {
    head = std::string(place->file) + ":" + std::to_string(place->line) + ": ";
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string>& lines = kept_[block];
  std::string_view rest = text;
  do {
    const size_t end = rest.find('\n');
    lines.push_back(head + std::string(rest.substr(0, end)));
    rest = end == rest.npos ? std::string_view() : rest.substr(end + 1);
  } while (!rest.empty());
  if (block == turn_) {
    Deliver(block);
  }
}

void PrintLog::CoreEnded(uint32_t block) {
  if (!enabled()) {
    return;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  has_ended_[block] = true;
  while (turn_ < has_ended_.size() && has_ended_[turn_]) {
    ++turn_;
    Deliver(turn_);
  }
}

void PrintLog::Finish() {
  while (!kept_.empty()) {
    Deliver(kept_.begin()->first);
  }
}

// Precondition: mutex_ is held, or no core runs.
void PrintLog::Deliver(uint32_t block) {
  const auto found = kept_.find(block);
  if (found == kept_.end()) {
    return;
  }
  for (const std::string& line : found->second) {
    launch_->print(launch_->print_context, block, line.c_str());
  }
  kept_.erase(found);
}

}  // namespace attnres::launch
