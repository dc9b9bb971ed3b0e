// Where in a kernel's source an instruction stands. Observed kernels (ASCENDC_TWIN_OBSERVED=1) give
// every function of the programming interface one more parameter, which defaults to the caller's
// place; in run mode nothing is left of it:
//
//   template <typename T>
//   void Add(const LocalTensor<T>& dst, ..., int32_t count ASCENDC_TWIN_PLACE) {
//     ASCENDC_TWIN_AT;
//     ...
#ifndef CC_ASCENDC_MEMBASE_PLACE_H_
#define CC_ASCENDC_MEMBASE_PLACE_H_

#include "cc/ascendc/membase/core.h"

#if ASCENDC_TWIN_OBSERVED

ASCENDC_TWIN_BEGIN

namespace twin {

struct Place : AscendcTwinPlace {
  // Default arguments: those of the outermost call.
  ASCENDC_TWIN_INLINE explicit Place(const char* file = __builtin_FILE(),
                                     uint32_t line = __builtin_LINE(),
                                     uint32_t column = __builtin_COLUMN())
      : AscendcTwinPlace{file, line, column} {}
};

// While it lives, what the core does happens at this place. Functions of the interface that call
// others stay at the outermost one.
class AtPlace {
 public:
  ASCENDC_TWIN_INLINE explicit AtPlace(const AscendcTwinPlace& place) {
    if (State().place_depth++ == 0) {
      State().place = place;
    }
  }
  ASCENDC_TWIN_INLINE ~AtPlace() { --State().place_depth; }
  AtPlace(const AtPlace&) = delete;
  AtPlace& operator=(const AtPlace&) = delete;
};

}  // namespace twin

ASCENDC_TWIN_END

#define ASCENDC_TWIN_PLACE , AscendC::twin::Place ascendc_twin_place = AscendC::twin::Place()
// For functions without other parameters.
#define ASCENDC_TWIN_ONLY_PLACE AscendC::twin::Place ascendc_twin_place = AscendC::twin::Place()
#define ASCENDC_TWIN_AT const AscendC::twin::AtPlace ascendc_twin_at(ascendc_twin_place)

#else

#define ASCENDC_TWIN_PLACE
#define ASCENDC_TWIN_ONLY_PLACE
#define ASCENDC_TWIN_AT static_cast<void>(0)

#endif

#endif  // CC_ASCENDC_MEMBASE_PLACE_H_
