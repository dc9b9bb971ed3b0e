// Instruction-set detection. CPUID is read here because the pinned compiler's runtime
// brings no __builtin_cpu_supports.
#include "cc/aclnn/host_isa.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace attnres::aclnn {
namespace {

#if defined(__x86_64__)

// Names and features of the x86-64 psABI's micro-architecture levels.
constexpr const char* kIsas[] = {"x86-64-v3", "x86-64-v4"};

uint64_t EnabledState() {
  uint32_t low = 0;
  uint32_t high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (static_cast<uint64_t>(high) << 32) | low;
}

int DetectLevel() {
  uint32_t eax = 0;
  uint32_t ebx = 0;
  uint32_t ecx1 = 0;
  uint32_t edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx1, &edx) == 0) return 0;
  constexpr uint32_t kV3InLeaf1 =
      bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C | bit_SSE4_2 | bit_POPCNT;
  if ((ecx1 & kV3InLeaf1) != kV3InLeaf1) return 0;
  uint32_t ebx7 = 0;
  uint32_t ecx7 = 0;
  if (__get_cpuid_count(7, 0, &eax, &ebx7, &ecx7, &edx) == 0) return 0;
  constexpr uint32_t kV3InLeaf7 = bit_AVX2 | bit_BMI | bit_BMI2;
  constexpr uint64_t kYmmState = 0x6;
  if ((ebx7 & kV3InLeaf7) != kV3InLeaf7 || (EnabledState() & kYmmState) != kYmmState) return 0;
  constexpr uint32_t kV4InLeaf7 =
      bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;
  constexpr uint64_t kZmmState = 0xe6;
  if ((ebx7 & kV4InLeaf7) != kV4InLeaf7 || (EnabledState() & kZmmState) != kZmmState) return 1;
  return 2;
}

#elif defined(__aarch64__)

constexpr const char* kIsas[] = {"aarch64"};

int DetectLevel() { return 1; }

#else
#error "kernels are compiled for x86-64 and aarch64 only"
#endif

// Place of `isa` in kIsas, from 1 on; 0 when it is not there.
int Place(const char* isa) {
  int place = 0;
  for (const char* known : kIsas) {
    ++place;
    if (strcmp(known, isa) == 0) return place;
  }
  return 0;
}

}  // namespace

int IsaRank(const char* isa) {
  static const int level = DetectLevel();
  const int place = Place(isa);
  return place <= level ? place : 0;
}

const char* ForcedIsa() {
  // A copy: the environment may change under a pointer into it.
  static const auto* forced = [] {
    const char* value = getenv("ATTNRES_ISA");
    return new std::string(value == nullptr ? "" : value);
  }();
  return forced->empty() ? nullptr : forced->c_str();
}

}  // namespace attnres::aclnn
