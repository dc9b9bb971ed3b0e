// printf, DumpTensor and assert of a kernel. Each line goes to the launch's log with the core and
// the place of the call; a failed assertion ends the launch, not the process. docs/debugging.md
// shows them. As with a CANN toolkit, ASCENDC_DUMP=0 makes all of them nothing.
#ifndef CC_ASCENDC_MEMBASE_DEBUG_H_
#define CC_ASCENDC_MEMBASE_DEBUG_H_

#include <stdio.h>
#include <stdlib.h>

#include <type_traits>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/element.h"
#include "cc/ascendc/membase/global_tensor.h"
#include "cc/ascendc/membase/local_tensor.h"
#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/tell.h"

#ifndef ASCENDC_DUMP
#define ASCENDC_DUMP 1
#endif

ASCENDC_TWIN_BEGIN

namespace twin {

// Where a print stands, in every mode: it costs nothing beside the printing.
struct PrintPlace : AscendcTwinPlace {
  explicit PrintPlace(const char* file = __builtin_FILE(), uint32_t line = __builtin_LINE(),
                      uint32_t column = __builtin_COLUMN())
      : AscendcTwinPlace{file, line, column} {}
};

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

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-security"
#pragma clang diagnostic ignored "-Wformat-nonliteral"
// Calls `use` with the formatted text, however long it is.
template <typename Use, typename... Args>
inline void WithText(Use use, const char* format, const Args&... args) {
  constexpr size_t kUsualBytes = 1024;
  char usual[kUsualBytes];
  const int length = snprintf(usual, sizeof(usual), format, Printable(args)...);
  if (length < static_cast<int>(kUsualBytes)) {
    use(length < 0 ? format : usual);
    return;
  }
  const size_t bytes = static_cast<size_t>(length) + 1;
  char* text = static_cast<char*>(malloc(bytes));
  if (text == nullptr) {
    use(usual);
    return;
  }
  snprintf(text, bytes, format, Printable(args)...);
  use(text);
  free(text);
}
#pragma clang diagnostic pop

template <typename T>
constexpr uint8_t ElementKind() {
  return std::is_same<T, bfloat16_t>::value ? kAscendcTwinBfloat16
         : std::is_same<T, bool>::value     ? kAscendcTwinBool
         : !std::is_integral<T>::value      ? kAscendcTwinFloat
         : std::is_signed<T>::value         ? kAscendcTwinSigned
                                            : kAscendcTwinUnsigned;
}

inline bool InUb(const void* data) {
  const auto* address = static_cast<const uint8_t*>(data);
  return address >= Core()->ub && address < Core()->ub + Core()->ub_bytes;
}

// Of `count` elements in UB, those before its end.
template <typename T>
inline uint64_t ReadableInUb(const T* data, uint64_t count) {
  if (!InUb(data)) {
    return 0;
  }
  const auto* begin = reinterpret_cast<const uint8_t*>(data);
  const uint64_t most = static_cast<uint64_t>(Core()->ub + Core()->ub_bytes - begin) / sizeof(T);
  return count < most ? count : most;
}

// In run mode nobody knows the extent of global memory.
template <typename T>
inline uint64_t ReadableInGm(const T* data, uint64_t count) {
#if ASCENDC_TWIN_OBSERVED
  return MayAccess(data, count * sizeof(T), false, true) ? count : 0;
#else
  return data == nullptr ? 0 : count;
#endif
}

// A tensor without a shape.
struct NoShape {
  const uint32_t* shape = nullptr;
  uint32_t shapeDim = 0;
};

template <bool kGm, typename T, typename Shape>
inline void Dump(const T* data, uint32_t desc, uint32_t count, const PrintPlace& place,
                 const Shape& shape) {
#if ASCENDC_DUMP
#if ASCENDC_TWIN_OBSERVED
  const AtPlace at(place);
#endif
  // As on a device, where a dump is copies of its own, all pipes have ended before it.
  Tell(&AscendcTwinObserver::pipe_barrier, static_cast<uint8_t>(kAscendcTwinPipeAll));
  AscendcTwinDump dump = {};
  dump.data = data;
  dump.address =
      reinterpret_cast<uint64_t>(data) - (kGm ? 0 : reinterpret_cast<uint64_t>(Core()->ub));
  dump.position = kGm ? "GM" : "UB";
  dump.count = count;
  dump.readable = kGm ? ReadableInGm(data, count) : ReadableInUb(data, count);
  dump.shape = shape.shape;
  dump.dimensions = shape.shapeDim;
  dump.desc = desc;
  dump.element_kind = ElementKind<T>();
  dump.element_bytes = sizeof(T);
  Core()->dump(Core(), &place, &dump);
#else
  static_cast<void>(data), static_cast<void>(desc), static_cast<void>(count);
  static_cast<void>(place), static_cast<void>(shape);
#endif
}

}  // namespace twin

// A format string and where it stands. printf and PRINTF are macros for the sake of calls without
// AscendC:: : of two functions named printf, the C library's would be as good a match.
struct PlacedFormat {
  ASCENDC_TWIN_INLINE PlacedFormat(const char* format,  // NOLINT: as implicit as a const char*
                                   twin::PrintPlace at = twin::PrintPlace())
      : text(format), place(at) {}
  // For the C library's own printf.
  operator const char*() const { return text; }  // NOLINT

  const char* text;
  twin::PrintPlace place;
};

template <typename... Args>
inline void printf(const PlacedFormat& format, const Args&... args) {
#if ASCENDC_DUMP
  twin::WithText([&](const char* text) { twin::Core()->print(twin::Core(), &format.place, text); },
                 format.text, args...);
#else
  static_cast<void>(format);
  (static_cast<void>(args), ...);
#endif
}

template <typename... Args>
inline void PRINTF(const PlacedFormat& format, const Args&... args) {
  AscendC::printf(format, args...);
}

// The extents of a tensor, outermost first.
struct ShapeInfo {
  ShapeInfo() = default;
  ShapeInfo(uint8_t inputShapeDim, const uint32_t inputShape[])
      : shapeDim(inputShapeDim < kMaxDimensions ? inputShapeDim : kMaxDimensions) {
    for (uint8_t i = 0; i < shapeDim; ++i) {
      shape[i] = inputShape[i];
    }
  }

  static constexpr uint8_t kMaxDimensions = 8;
  uint8_t shapeDim = 0;
  uint32_t shape[kMaxDimensions] = {};
};

// `dumpSize`: elements. `desc`: a number of the caller's to find the call by.
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                       twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<false>(tensor.Data(), desc, dumpSize, place, twin::NoShape());
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                       twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<true>(tensor.Data(), desc, dumpSize, place, twin::NoShape());
}
template <typename T>
inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                       const ShapeInfo& shapeInfo, twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<false>(tensor.Data(), desc, dumpSize, place, shapeInfo);
}
template <typename T>
inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc, uint32_t dumpSize,
                       const ShapeInfo& shapeInfo, twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<true>(tensor.Data(), desc, dumpSize, place, shapeInfo);
}

// From element `countOff` on.
template <typename T>
inline void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                            uint32_t dumpSize, twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<false>(tensor.Data() + countOff, index, dumpSize, place, twin::NoShape());
}
template <typename T>
inline void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index, uint32_t countOff,
                            uint32_t dumpSize, twin::PrintPlace place = twin::PrintPlace()) {
  twin::Dump<true>(tensor.Data() + countOff, index, dumpSize, place, twin::NoShape());
}

namespace twin {

inline void EndAssertion(const char* condition, const char* said, const PrintPlace& place) {
#if ASCENDC_TWIN_OBSERVED
  const AtPlace at(place);
#endif
  size_t length = __builtin_strlen(said);
  if (length > 0 && said[length - 1] == '\n') {
    --length;
  }
  WithText(
      [&](const char* text) {
        Core()->print(Core(), &place, text);
        WithText([](const char* message) { Fail(message); }, "%s:%u: %s", place.file, place.line,
                 text);
      },
      "assertion failed: %s%s%.*s", condition, length > 0 ? ": " : "", static_cast<int>(length),
      said);
}

// `format` and what follows: what the assertion has to say besides its condition.
inline void FailAssertion(const char* condition, const PrintPlace& place) {
  EndAssertion(condition, "", place);
}
template <typename... Args>
inline void FailAssertion(const char* condition, const PrintPlace& place, const char* format,
                          const Args&... args) {
  WithText([&](const char* said) { EndAssertion(condition, said, place); }, format, args...);
}

}  // namespace twin

ASCENDC_TWIN_END

#define printf(format, ...) printf(AscendC::PlacedFormat(format), ##__VA_ARGS__)
#define PRINTF(format, ...) PRINTF(AscendC::PlacedFormat(format), ##__VA_ARGS__)

// ascendc_assert(condition) or ascendc_assert(condition, format, arguments...)
#if ASCENDC_DUMP
#define ascendc_assert(condition, ...)                                                      \
  do {                                                                                      \
    if (__builtin_expect(!(condition), 0)) {                                                \
      AscendC::twin::FailAssertion(#condition, AscendC::twin::PrintPlace(), ##__VA_ARGS__); \
    }                                                                                       \
  } while (0)
#else
#define ascendc_assert(...) static_cast<void>(0)
#endif

#undef assert
#define assert(...) ascendc_assert(__VA_ARGS__)

#endif  // CC_ASCENDC_MEMBASE_DEBUG_H_
