// Instruct: the one way in which an instruction of the twin happens. In run mode it is the call of
// its body; in an observed kernel the core's observer gets a description and a copy of the body,
// and decides when it runs.
//
//   twin::Instruct<twin::kPipeV>("Exp", [=] { twin::Map(op, count, to, from); },
//                                [&](auto& about) {
//                                  about.Read("src", from, count);
//                                  about.Write("dst", to, count);
//                                });
//
// A body captures by value, and nothing that changes before it may run. The description (of type
// Description; generic, so that run mode never compiles it) must name every byte that the body
// touches, what is read before what is written.
#ifndef CC_ASCENDC_MEMBASE_INSTRUCT_H_
#define CC_ASCENDC_MEMBASE_INSTRUCT_H_

#include <type_traits>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/pipes.h"
#include "cc/ascendc/membase/place.h"

#if ASCENDC_TWIN_OBSERVED
#include "cc/ascendc/membase/description.h"
#endif

ASCENDC_TWIN_BEGIN

namespace twin {

#if ASCENDC_TWIN_OBSERVED

// A body with its place and what the scalar unit had set when it was issued: mask registers, and
// the operation of copies to global memory.
template <typename Body>
struct IssuedBody {
  Body body;
  MaskState mask;
  AtomicMode atomic;
  AscendcTwinPlace place;

  static void Run(const void* closure) {
    const auto* issued = static_cast<const IssuedBody*>(closure);
    CoreState& state = State();
    MaskState& mask = state.vector;
    const MaskState later_mask = mask;
    const AtomicMode later_atomic = state.atomic;
    const AscendcTwinPlace later_place = state.place;
    const uint32_t later_depth = state.place_depth;
    mask = issued->mask;
    state.atomic = issued->atomic;
    state.place = issued->place;
    state.place_depth = 0;
    issued->body();
    mask = later_mask;
    state.atomic = later_atomic;
    state.place = later_place;
    state.place_depth = later_depth;
  }
};

template <uint8_t kPipe, typename Body, typename Describe>
inline void Instruct(const char* name, Body body, Describe describe) {
  static_assert(std::is_trivially_copyable<Body>::value, "the body may run later, as a copy");
  const AscendcTwinCore* core = Core();
  const AscendcTwinObserver* observer = core == nullptr ? nullptr : core->observer;
  if (observer == nullptr) {
    body();
    return;
  }
  Description about(name, kPipe, State().place);
  describe(about);
  const IssuedBody<Body> issued{body, State().vector, State().atomic, State().place};
  about.Issue(observer, &IssuedBody<Body>::Run, &issued, sizeof(issued));
}

#else

template <uint8_t kPipe, typename Body, typename Describe>
ASCENDC_TWIN_INLINE void Instruct(const char*, Body body, Describe) {
  body();
}

#endif

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_INSTRUCT_H_
