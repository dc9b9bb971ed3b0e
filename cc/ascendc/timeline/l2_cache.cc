// See l2_cache.h. Pages of 4096 bytes age as a whole; lines are fetched and written back alone.
#include "cc/ascendc/timeline/l2_cache.h"

#include <algorithm>

namespace attnres::timeline {

L2Cache::L2Cache(uint64_t bytes, uint32_t line_bytes)
    : most_lines_(bytes / line_bytes), line_bytes_(line_bytes) {}

L2Cache::Traffic L2Cache::Access(uint64_t address, uint64_t bytes, bool is_write) {
  Traffic traffic;
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t page_number = address / kPageBytes;
    const uint64_t page_begin = page_number * kPageBytes;
    const uint64_t part_end = std::min(end, page_begin + kPageBytes);
    const uint64_t first = (address - page_begin) / line_bytes_;
    const uint64_t last = (part_end - 1 - page_begin) / line_bytes_;
    const uint64_t touched = ((uint64_t{2} << last) - 1) & ~((uint64_t{1} << first) - 1);

    const auto [entry, is_new] = pages_.try_emplace(page_number);
    Page& page = entry->second;
    Touch(page_number, is_write, is_new, &page);
    const uint32_t lines = static_cast<uint32_t>(touched);
    const uint32_t missing = lines & ~page.valid;
    const uint64_t missing_lines = static_cast<uint64_t>(__builtin_popcount(missing));
    if (!is_write) traffic.missed += missing_lines * line_bytes_;
    page.valid |= lines;
    if (is_write) page.dirty |= lines;
    lines_ += missing_lines;
    traffic.written_back += MakeRoom(page_number);
    address = part_end;
  }
  return traffic;
}

void L2Cache::Touch(uint64_t page_number, bool is_write, bool is_new, Page* page) {
  std::list<uint64_t>& now = is_write || page->dirty != 0 ? written_ : read_;
  if (is_new) {
    now.push_front(page_number);
    page->age = now.begin();
  } else {
    now.splice(now.begin(), page->dirty != 0 ? written_ : read_, page->age);
  }
}

uint64_t L2Cache::MakeRoom(uint64_t page_number) {
  uint64_t written_back = 0;
  while (lines_ > most_lines_) {
    const bool spares_written = written_.empty() || written_.back() == page_number;
    std::list<uint64_t>& ages = spares_written ? read_ : written_;
    if (ages.empty() || ages.back() == page_number) break;
    const auto entry = pages_.find(ages.back());
    const Page& page = entry->second;
    written_back += static_cast<uint64_t>(__builtin_popcount(page.dirty)) * line_bytes_;
    lines_ -= static_cast<uint64_t>(__builtin_popcount(page.valid));
    pages_.erase(entry);
    ages.pop_back();
  }
  return written_back;
}

}  // namespace attnres::timeline
