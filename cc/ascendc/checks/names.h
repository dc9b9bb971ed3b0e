// How findings name pipes, events, places and sizes.
#ifndef CC_ASCENDC_CHECKS_NAMES_H_
#define CC_ASCENDC_CHECKS_NAMES_H_

#include <cstdint>
#include <string>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

// As in a sentence: "copy-in".
inline const char* PipeName(uint32_t pipe) {
  static constexpr const char* kNames[] = {"scalar", "vector", "copy-in", "copy-out"};
  return pipe < kAscendcTwinPipes ? kNames[pipe] : "no";
}

// As in the interface: "MTE2".
inline const char* PipeSymbol(uint32_t pipe) {
  static constexpr const char* kSymbols[] = {"S", "V", "MTE2", "MTE3"};
  return pipe < kAscendcTwinPipes ? kSymbols[pipe] : "?";
}

// As a template argument of SetFlag: "MTE2_V".
inline std::string EventName(uint32_t source, uint32_t target) {
  return std::string(PipeSymbol(source)) + "_" + PipeSymbol(target);
}

// "file.h:12"; "an unknown place" where there is no file.
inline std::string PlaceText(const AscendcTwinPlace& place) {
  if (place.file == nullptr) {
    return "an unknown place";
  }
  return std::string(place.file) + ":" + std::to_string(place.line);
}

// "1 byte", "64 bytes".
inline std::string BytesText(uint64_t count) {
  return std::to_string(count) + (count == 1 ? " byte" : " bytes");
}

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_NAMES_H_
