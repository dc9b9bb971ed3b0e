// How pipes, flags and places are written in messages and reports of time mode.
#ifndef CC_ASCENDC_TIMELINE_NAMES_H_
#define CC_ASCENDC_TIMELINE_NAMES_H_

#include <cstdint>
#include <string>

#include "cc/ascendc/observe/observer_abi.h"
#include "cc/ascendc/timeline/core_trace.h"

namespace attnres::timeline {

inline const char* PipeName(uint8_t pipe) {
  constexpr const char* kNames[] = {"S", "V", "MTE2", "MTE3"};
  return pipe < kAscendcTwinPipes ? kNames[pipe] : "ALL";
}

inline std::string PlaceName(const AscendcTwinPlace& place) {
  if (place.file == nullptr) return "an unknown place";
  return std::string(place.file) + ":" + std::to_string(place.line);
}

// "waiting for flag V->MTE3 1", "waiting for a queue's buffer at 4096, MTE2->V".
inline std::string FlagText(const FlagName& flag) {
  const std::string pipes = std::string(PipeName(flag.source)) + "->" + PipeName(flag.target);
  const std::string id = std::to_string(flag.id);
  return flag.of_queue ? "waiting for a queue's buffer at UB byte " + id + ", " + pipes
                       : "waiting for flag " + pipes + " " + id;
}

}  // namespace attnres::timeline

#endif  // CC_ASCENDC_TIMELINE_NAMES_H_
