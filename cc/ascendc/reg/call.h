// What surrounds vector functions: VF_CALL and asc_vf_call, __VEC_SCOPE__, LocalMemBar and the
// register's width. Run mode executes in program order, so barriers do nothing.
#ifndef CC_ASCENDC_REG_CALL_H_
#define CC_ASCENDC_REG_CALL_H_

#include "cc/ascendc/reg/params.h"

// A block whose statements run on the vector unit.
#define __VEC_SCOPE__

ASCENDC_TWIN_BEGIN

constexpr uint32_t VECTOR_REG_WIDTH = 256;

// Bytes of a vector register.
constexpr uint32_t GetVecLen() { return VECTOR_REG_WIDTH; }

template <auto funcPtr, typename... Args>
inline void VF_CALL(Args&&... args) {
  funcPtr(args...);
}

namespace Reg {

template <MemType src, MemType dst>
ASCENDC_TWIN_INLINE void LocalMemBar() {}

}  // namespace Reg

namespace MicroAPI = Reg;

ASCENDC_TWIN_END

// A kernel of another target includes its own copy of this, so it may not be emitted.
template <auto funcPtr, typename... Args>
ASCENDC_TWIN_INLINE void asc_vf_call(Args&&... args) {
  funcPtr(args...);
}

#endif  // CC_ASCENDC_REG_CALL_H_
