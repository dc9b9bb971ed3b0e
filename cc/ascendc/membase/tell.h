// Tell: what a function of the interface says to the core's observer, with the place of the call.
// In run mode nothing is left of it.
//
//   twin::Tell(&AscendcTwinObserver::set_flag, source, target, id);
#ifndef CC_ASCENDC_MEMBASE_TELL_H_
#define CC_ASCENDC_MEMBASE_TELL_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/place.h"

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename... Parameters, typename... Args>
ASCENDC_TWIN_INLINE void Tell(void (*AscendcTwinObserver::*function)(AscendcTwinCore*,
                                                                     Parameters...),
                              Args... args) {
#if ASCENDC_TWIN_OBSERVED
  AscendcTwinCore* core = Core();
  if (core != nullptr && core->observer != nullptr && core->observer->*function != nullptr) {
    if constexpr (sizeof...(Args) < sizeof...(Parameters)) {
      (core->observer->*function)(core, args..., &State().place);
    } else {
      (core->observer->*function)(core, args...);
    }
  }
#else
  static_cast<void>(function);
  (static_cast<void>(args), ...);
#endif
}

// Before the scalar unit reads what the vector unit keeps in a register.
ASCENDC_TWIN_INLINE void AwaitVector() { Tell(&AscendcTwinObserver::await_vector); }

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_TELL_H_
