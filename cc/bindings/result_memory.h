// ResultMemory: memory of large results, which returns here when a result is gone and serves the
// next one of its size. Memory that comes fresh from the system is zeroed page by page when it is
// first written, which takes longer than the kernels do. result_array.h makes NumPy arrays of it.
#ifndef CC_BINDINGS_RESULT_MEMORY_H_
#define CC_BINDINGS_RESULT_MEMORY_H_

#include <cstddef>
#include <deque>
#include <mutex>

namespace attnres::bindings {

// Thread safe.
class ResultMemory {
 public:
  // No more than `kept_bytes` wait for reuse.
  explicit ResultMemory(size_t kept_bytes) : kept_bytes_(kept_bytes) {}
  ~ResultMemory();
  ResultMemory(const ResultMemory&) = delete;
  ResultMemory& operator=(const ResultMemory&) = delete;

  // At least `bytes` bytes of any content, at a page boundary: what was given back last, or fresh
  // memory. Null when the system has none. Precondition: bytes > 0.
  void* Take(size_t bytes);
  // `bytes` as in Take. The buffer that has waited longest is given up when too many wait.
  void Give(void* address, size_t bytes);

  size_t waiting_bytes();

 private:
  struct Buffer {
    void* address;
    size_t bytes;  // whole pages
  };

  const size_t kept_bytes_;
  std::mutex mutex_;
  std::deque<Buffer> waiting_;  // the longest waiting first
  size_t waiting_bytes_ = 0;
};

}  // namespace attnres::bindings

#endif  // CC_BINDINGS_RESULT_MEMORY_H_
