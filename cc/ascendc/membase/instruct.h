// Instruct: the one way in which an instruction of the twin happens. In run mode it is the call of
// its body; in an observed kernel the core's observer gets a description and a copy of the body,
// and decides when it runs.
//
//   twin::Instruct<twin::kPipeV>("Add", [=] { twin::MapCount(op, count, dst, src); },
//                                [&](twin::Description& about) {
//                                  about.Write("dst", dst.Data(), count);
//                                  about.Read("src", src.Data(), count);
//                                });
//
// A body captures by value, and nothing that changes before it may run. The description must name
// every byte that the body touches.
#ifndef CC_ASCENDC_MEMBASE_INSTRUCT_H_
#define CC_ASCENDC_MEMBASE_INSTRUCT_H_

#include <type_traits>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/place.h"

#if ASCENDC_TWIN_OBSERVED
#include "cc/ascendc/membase/description.h"
#endif

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint8_t kPipeS = kAscendcTwinPipeS;
constexpr uint8_t kPipeV = kAscendcTwinPipeV;
constexpr uint8_t kPipeMte2 = kAscendcTwinPipeMte2;
constexpr uint8_t kPipeMte3 = kAscendcTwinPipeMte3;

#if ASCENDC_TWIN_OBSERVED

// A body with the mask registers that were set when it was issued.
template <typename Body>
struct IssuedBody {
  Body body;
  MaskState mask;

  static void Run(const void* closure) {
    const auto* issued = static_cast<const IssuedBody*>(closure);
    VectorState& state = State().vector;
    const MaskState later = state;
    static_cast<MaskState&>(state) = issued->mask;
    issued->body();
    static_cast<MaskState&>(state) = later;
  }
};

template <uint8_t kPipe, typename Body, typename Describe>
inline void Instruct(const char* name, Body body, Describe describe) {
  static_assert(std::is_trivially_copyable<Body>::value, "the body may run later, as a copy");
  const AscendcTwinObserver* observer = Core()->observer;
  if (observer == nullptr) {
    body();
    return;
  }
  Description about(name, kPipe, State().place);
  describe(about);
  const IssuedBody<Body> issued{body, State().vector};
  about.Issue(observer, &IssuedBody<Body>::Run, &issued, sizeof(issued));
}

#else

struct Description;

template <uint8_t kPipe, typename Body, typename Describe>
ASCENDC_TWIN_INLINE void Instruct(const char*, Body body, Describe) {
  body();
}

#endif

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_INSTRUCT_H_
