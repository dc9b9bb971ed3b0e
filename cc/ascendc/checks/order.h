// Order: in which of the orders that the flags allow the pipes of a core run. A kernel that is
// right gives the same results in all.
#ifndef CC_ASCENDC_CHECKS_ORDER_H_
#define CC_ASCENDC_CHECKS_ORDER_H_

#include <cstdint>

#include "cc/ascendc/observe/observer_abi.h"

namespace attnres::checks {

enum class Order : uint8_t {
  kEager,       // each instruction as soon as flags allow: program order, mostly
  kLateIn,      // copies to UB as late as flags allow
  kLateOut,     // copies to global memory as late
  kLateVector,  // vector instructions as late
  kLateCopies,  // copies in both directions as late
};

inline const char* OrderName(Order order) {
  static constexpr const char* kNames[] = {"eager", "late-in", "late-out", "late-vector",
                                           "late-copies"};
  return kNames[static_cast<uint8_t>(order)];
}

// The pipes that run only when nothing else can, a bit each.
inline uint32_t LatePipes(Order order) {
  constexpr uint32_t kIn = 1u << kAscendcTwinPipeMte2;
  constexpr uint32_t kOut = 1u << kAscendcTwinPipeMte3;
  static constexpr uint32_t kLate[] = {0, kIn, kOut, 1u << kAscendcTwinPipeV, kIn | kOut};
  return kLate[static_cast<uint8_t>(order)];
}

// What UB holds before a kernel writes it: NaN in every floating-point type.
constexpr uint8_t kUbFill = 0xFF;

// One run of a launch.
struct Pass {
  Order order = Order::kEager;
  uint8_t ub_fill = kUbFill;
  bool is_full = true;  // all rules, not only bounds and synchronisation
};

}  // namespace attnres::checks

#endif  // CC_ASCENDC_CHECKS_ORDER_H_
