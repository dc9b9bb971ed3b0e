// What surrounds vector functions: VF_CALL and asc_vf_call, __VEC_SCOPE__, LocalMemBar and the
// register's width. Run mode executes in program order, so barriers do nothing.
#ifndef CC_ASCENDC_REG_CALL_H_
#define CC_ASCENDC_REG_CALL_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_BEGIN

constexpr uint32_t VECTOR_REG_WIDTH = 256;

// Bytes of a vector register.
constexpr uint32_t GetVecLen() { return VECTOR_REG_WIDTH; }

#if ASCENDC_TWIN_OBSERVED

namespace twin {

// A vector function with its arguments. It tells its own places wherever the observer runs it.
template <typename Call>
struct VectorFunction {
  Call call;

  void operator()() const {
    CoreState& state = State();
    const AscendcTwinPlace place = state.place;
    const uint32_t place_depth = state.place_depth;
    const bool in_function = state.vector.in_function;
    state.place_depth = 0;
    state.vector.in_function = true;
    call();
    state.vector.in_function = in_function;
    state.place_depth = place_depth;
    state.place = place;
  }
};

template <typename Call>
inline void IssueVectorFunction(Call call) {
  Instruct<kPipeV>("VF_CALL", VectorFunction<Call>{call},
                   [](Description& about) { about.Discovers(); });
}

// VF_CALL<function> as an object, because a function with a pack of arguments has no parameter left
// for the place of its call.
template <auto function, typename Signature>
struct VectorCall;
template <auto function, typename Result, typename... Parameters>
struct VectorCall<function, Result (*)(Parameters...)> {
  static_assert(((!std::is_lvalue_reference<Parameters>::value ||
                  std::is_const<std::remove_reference_t<Parameters>>::value) &&
                 ...),
                "a vector function takes pointers and scalars by value: it may run later");

  ASCENDC_TWIN_INLINE void operator()(Parameters... args ASCENDC_TWIN_PLACE) const {
    ASCENDC_TWIN_AT;
    IssueVectorFunction([args...] { function(args...); });
  }
};
template <auto function, typename Result, typename... Parameters>
struct VectorCall<function, Result (*)(Parameters...) noexcept>
    : VectorCall<function, Result (*)(Parameters...)> {};

// A block of statements as an instruction.
class VectorScope {
 public:
  explicit VectorScope(ASCENDC_TWIN_ONLY_PLACE) {
    ASCENDC_TWIN_AT;
    has_begun_ = vf::BeginBlock("__VEC_SCOPE__");
  }
  ~VectorScope() {
    if (has_begun_) {
      vf::EndBlock();
    }
  }
  VectorScope(const VectorScope&) = delete;
  VectorScope& operator=(const VectorScope&) = delete;

 private:
  bool has_begun_;
};

ASCENDC_TWIN_INLINE void LocalMemoryBarrier(Reg::MemType source, Reg::MemType target) {
  AscendcTwinCore* const core = Core();
  if (core->observer != nullptr && core->observer->vector_barrier != nullptr) {
    core->observer->vector_barrier(core, static_cast<uint8_t>(source), static_cast<uint8_t>(target),
                                   &State().place);
  }
}

}  // namespace twin

template <auto funcPtr>
static constexpr twin::VectorCall<funcPtr, decltype(funcPtr)> VF_CALL = {};

// A block whose statements run on the vector unit.
#define __VEC_SCOPE__ if (const AscendC::twin::VectorScope ascendc_twin_scope; true)

#else

namespace twin {

ASCENDC_TWIN_INLINE void LocalMemoryBarrier(Reg::MemType, Reg::MemType) {}

}  // namespace twin

template <auto funcPtr, typename... Args>
inline void VF_CALL(Args&&... args) {
  funcPtr(args...);
}

#define __VEC_SCOPE__

#endif

namespace Reg {

template <MemType src, MemType dst>
ASCENDC_TWIN_INLINE void LocalMemBar(ASCENDC_TWIN_ONLY_PLACE) {
  ASCENDC_TWIN_AT;
  twin::vf::Operation<>("LocalMemBar");
  twin::LocalMemoryBarrier(src, dst);
}

}  // namespace Reg

namespace MicroAPI = Reg;

ASCENDC_TWIN_END

#if ASCENDC_TWIN_OBSERVED
template <auto funcPtr>
static constexpr auto asc_vf_call = AscendC::VF_CALL<funcPtr>;
#else
// A kernel of another target includes its own copy of this, so it may not be emitted.
template <auto funcPtr, typename... Args>
ASCENDC_TWIN_INLINE void asc_vf_call(Args&&... args) {
  funcPtr(args...);
}
#endif

#endif  // CC_ASCENDC_REG_CALL_H_
