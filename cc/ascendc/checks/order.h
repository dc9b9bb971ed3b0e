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
};

inline const char* OrderName(Order order) {
  static constexpr const char* kNames[] = {"eager", "late-in", "late-out", "late-vector"};
  return kNames[static_cast<uint8_t>(order)];
}

// The pipe that runs only when nothing else can; kAscendcTwinPipes: none.
inline uint32_t LatePipe(Order order) {
  static constexpr uint32_t kLate[] = {kAscendcTwinPipes, kAscendcTwinPipeMte2,
                                       kAscendcTwinPipeMte3, kAscendcTwinPipeV};
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
