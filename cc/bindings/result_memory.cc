// The waiting buffers; see result_memory.h.
#include "cc/bindings/result_memory.h"

#include <sys/mman.h>

#include <vector>

namespace attnres::bindings {
namespace {

constexpr size_t kPageBytes = 4096;

size_t WholePages(size_t bytes) { return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes; }

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
  void* address = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return address == MAP_FAILED ? nullptr : address;
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
