// Runs debugged_kernel.cpp on three cores of one thread, for gdb_test.py.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cc/ascendc/gdb/debugged_kernel.h"
#include "cc/ascendc/launch/engine.h"

int main() {
  constexpr uint32_t kCores = 3;
  constexpr size_t kElements = 64 * kCores;
  // Half 0.25, 0.5, 0.75, ...: each core begins anew.
  std::vector<uint16_t> x;
  for (size_t i = 0; i < kElements; ++i) {
    const int quarters = static_cast<int>(i % 64) + 1;
    const int exponent = 31 - __builtin_clz(static_cast<unsigned>(quarters));
    const int fraction = (quarters << (10 - exponent)) & 0x3FF;
    x.push_back(static_cast<uint16_t>(((exponent - 2 + 15) << 10) | fraction));
  }
  std::vector<uint16_t> z(kElements);
  void* args[] = {x.data(), z.data()};
  attnres::launch::Launch launch;
  launch.entry = &debugged_kernel_entry;
  launch.block_num = kCores;
  launch.ub_bytes = 253952;
  launch.args = args;
  launch.arg_count = 2;
  launch.threads = 1;
  const attnres::launch::Status status = attnres::launch::Run(launch, nullptr);
  std::printf("%s\n", status.ok() ? "done" : status.message.c_str());
  return status.ok() ? 0 : 1;
}
