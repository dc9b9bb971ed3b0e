// The waiting buffers; see result_memory.h.
#include "cc/bindings/result_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <iterator>
#include <vector>

namespace attnres::bindings {
namespace {

constexpr size_t kPageBytes = 4096;
constexpr size_t kHugePageBytes = size_t{2} << 20;
// As NumPy does for its own arrays: from here on a part of a huge page more or less does not
// matter.
constexpr size_t kSmallestHugeBytes = 2 * kHugePageBytes;

size_t PageBytes(size_t bytes) { return bytes < kSmallestHugeBytes ? kPageBytes : kHugePageBytes; }

size_t WholePages(size_t bytes) {
  const size_t page = PageBytes(bytes);
  return (bytes + page - 1) / page * page;
}

char* Map(size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

// Whole pages at a boundary of such pages, huge ones where the system has them: the kernels stream
// through results of many megabytes, where each small page is a fault at first and a miss of the
// address translation ever after.
char* MapPages(size_t whole, size_t page) {
  if (page == kPageBytes) return Map(whole);
  char* memory = Map(whole + page);
  if (memory == nullptr) return nullptr;
  const size_t head = -reinterpret_cast<uintptr_t>(memory) % page;
  if (head > 0) munmap(memory, head);
  munmap(memory + head + whole, page - head);
  madvise(memory + head, whole, MADV_HUGEPAGE);
  return memory + head;
}

}  // namespace

ResultMemory::~ResultMemory() {
  for (const Buffer& buffer : waiting_) munmap(buffer.address, buffer.bytes);
}

void* ResultMemory::Take(size_t bytes) {
  const size_t whole = WholePages(bytes);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto buffer = waiting_.rbegin(); buffer != waiting_.rend(); ++buffer) {
      if (buffer->bytes != whole) continue;
      void* address = buffer->address;
      waiting_.erase(std::next(buffer).base());
      waiting_bytes_ -= whole;
      return address;
    }
  }
  return MapPages(whole, PageBytes(bytes));
}

void ResultMemory::Give(void* address, size_t bytes) {
  std::vector<Buffer> given_up;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.push_back({address, WholePages(bytes)});
    waiting_bytes_ += waiting_.back().bytes;
    while (waiting_bytes_ > kept_bytes_) {
      given_up.push_back(waiting_.front());
      waiting_bytes_ -= waiting_.front().bytes;
      waiting_.pop_front();
    }
  }
  for (const Buffer& buffer : given_up) munmap(buffer.address, buffer.bytes);
}

size_t ResultMemory::waiting_bytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return waiting_bytes_;
}

}  // namespace attnres::bindings
