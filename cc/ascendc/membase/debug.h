// printf, assertions and DumpTensor of a kernel. Lines go to the launch's log with the core's
// index; a failed assertion ends the launch, not the process.
#ifndef CC_ASCENDC_MEMBASE_DEBUG_H_
#define CC_ASCENDC_MEMBASE_DEBUG_H_

#include <stdio.h>

#include <type_traits>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr size_t kLineBytes = 1024;

// What may follow a format string: the 16-bit floats as the double that %f expects.
template <typename T>
ASCENDC_TWIN_INLINE auto Printable(const T& value) {
  if constexpr (std::is_same<T, half>::value || std::is_same<T, bfloat16_t>::value) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return value;
  }
}
ASCENDC_TWIN_INLINE const char* Printable(const char* value) { return value; }

inline int FormatElement(char* out, size_t bytes, double value) {
  return snprintf(out, bytes, "%g ", value);
}
inline int FormatElement(char* out, size_t bytes, int64_t value) {
  return snprintf(out, bytes, "%lld ", static_cast<long long>(value));
}

template <typename T>
inline void DumpElements(const T* data, const char* position, uint32_t desc, uint32_t count) {
  constexpr uint32_t kPerLine = 16;
  char line[kLineBytes];
  snprintf(line, sizeof(line), "DumpTensor: desc=%u, position=%s, element bytes=%zu, count=%u",
           desc, position, sizeof(T), count);
  Core()->print(Core(), line);
  for (uint32_t begin = 0; begin < count; begin += kPerLine) {
    int used = snprintf(line, sizeof(line), "[%u] ", begin);
    for (uint32_t i = begin; i < count && i < begin + kPerLine; ++i) {
      if constexpr (std::is_integral<T>::value) {
        used += FormatElement(line + used, sizeof(line) - static_cast<size_t>(used),
                              static_cast<int64_t>(data[i]));
      } else {
        const double value = static_cast<double>(static_cast<float>(data[i]));
        used += FormatElement(line + used, sizeof(line) - static_cast<size_t>(used), value);
      }
    }
    Core()->print(Core(), line);
  }
}

}  // namespace twin

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
#pragma clang diagnostic ignored "-Wformat-nonliteral"
template <typename... Args>
inline void printf(const char* format, const Args&... args) {
  char line[twin::kLineBytes];
  const int length = snprintf(line, sizeof(line), format, twin::Printable(args)...);
  const size_t last = length > 0 && static_cast<size_t>(length) < sizeof(line)
                          ? static_cast<size_t>(length) - 1
                          : 0;
  if (line[last] == '\n') {  // the log ends lines itself
    line[last] = 0;
  }
  twin::Core()->print(twin::Core(), line);
}
#pragma clang diagnostic pop

template <typename... Args>
inline void PRINTF(const char* format, const Args&... args) {
  AscendC::printf(format, args...);
}

// `dumpSize`: elements. `desc`: a number of the caller's to find the place by.
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  twin::DumpElements(tensor.Data(), "UB", desc, dumpSize);
}

template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize) {
  twin::DumpElements(tensor.Data(), "GM", desc, dumpSize);
}

namespace twin {

[[noreturn]] inline void FailAssertion(const char* condition, const char* file, int line) {
  char message[kLineBytes];
  snprintf(message, sizeof(message), "assertion failed at %s:%d: %s", file, line, condition);
  Fail(message);
}

inline void PrintAssertion() {}
template <typename... Args>
inline void PrintAssertion(const char* format, const Args&... args) {
  AscendC::printf(format, args...);
}

}  // namespace twin

ASCENDC_TWIN_END

// ascendc_assert(condition) or ascendc_assert(condition, format, arguments...)
#define ascendc_assert(condition, ...)                              \
  do {                                                              \
    if (__builtin_expect(!(condition), 0)) {                        \
      AscendC::twin::PrintAssertion(__VA_ARGS__);                   \
      AscendC::twin::FailAssertion(#condition, __FILE__, __LINE__); \
    }                                                               \
  } while (0)

#undef assert
#define assert(...) ascendc_assert(__VA_ARGS__)

#endif  // CC_ASCENDC_MEMBASE_DEBUG_H_
