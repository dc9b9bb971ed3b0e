// Data and hashes for the translation units that hash instructions (instruction_hashes.cc of
// membase and of reg). They are compiled once per host instruction set into one test, so everything
// here is in an unnamed namespace: each has its own copy, and no code for a newer CPU is linked
// into the rest. Nothing of the standard library is called for the same reason.
#ifndef CC_ASCENDC_TESTING_INSTRUCTION_HASHING_H_
#define CC_ASCENDC_TESTING_INSTRUCTION_HASHING_H_

#include <cstdint>
#include <type_traits>

namespace attnres::testing {
namespace {

inline uint64_t NextRandom(uint64_t* state) {  // splitmix64
  uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

template <typename T>
T RandomValue(uint64_t random) {
  if constexpr (std::is_integral<T>::value) {
    return static_cast<T>(random >> (random % 5 * sizeof(T)));
  } else {
    T value;
    const uint64_t pattern = random >> 16;
    if (random % 8 == 0) {  // any pattern at all: NaNs with payloads, infinities, subnormals
      __builtin_memcpy(&value, &pattern, sizeof(value));
      return value;
    }
    const float magnitude = static_cast<float>(pattern % 100003) / 4096.0f;
    return T(random % 16 < 8 ? magnitude : -magnitude);
  }
}

// `bytes` of memory become values of T; `state` moves on.
template <typename T>
void FillRandom(uint8_t* memory, uint64_t bytes, uint64_t* state) {
  for (uint64_t i = 0; i < bytes; i += sizeof(T)) {
    const T value = RandomValue<T>(NextRandom(state));
    __builtin_memcpy(memory + i, &value, sizeof(value));
  }
}

constexpr uint64_t kEmptyHash = 0xCBF29CE484222325ull;  // FNV-1a

// `hash` with `bytes` of memory added to it.
inline uint64_t HashBytes(uint64_t hash, const uint8_t* memory, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; ++i) {
    hash = (hash ^ memory[i]) * 0x100000001B3ull;
  }
  return hash;
}

}  // namespace
}  // namespace attnres::testing

#endif  // CC_ASCENDC_TESTING_INSTRUCTION_HASHING_H_
