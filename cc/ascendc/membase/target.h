// Qualifiers and names that a kernel source takes from the compiler on a device, and the namespace
// of the twin.
//
// One kernel source is compiled for several (arch, dtype, host instruction set) into one library,
// so everything that the twin's headers define sits in an inline namespace named by
// ASCENDC_TWIN_TARGET: equal names never merge across builds. For the same reason these headers
// call no std function that could be emitted out of line.
#ifndef CC_ASCENDC_MEMBASE_TARGET_H_
#define CC_ASCENDC_MEMBASE_TARGET_H_

#include <cstddef>
#include <cstdint>

#ifndef ASCENDC_TWIN_TARGET
#define ASCENDC_TWIN_TARGET host_default
#endif

// 1: the kernel tells an observer what it does (place.h, instruct.h); 0: run mode.
#ifndef ASCENDC_TWIN_OBSERVED
#define ASCENDC_TWIN_OBSERVED 0
#endif

#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

// A prefix, so that no name of a kernel, which may be the target's, meets it.
#define ASCENDC_TWIN_JOIN(a, b) a##b
#define ASCENDC_TWIN_NAMESPACE(target) ASCENDC_TWIN_JOIN(ascendc_twin_, target)
#define ASCENDC_TWIN_BEGIN \
  namespace AscendC {      \
  inline namespace ASCENDC_TWIN_NAMESPACE(ASCENDC_TWIN_TARGET) {
#define ASCENDC_TWIN_END \
  }                      \
  }

#define __global__
#define __aicore__
#define __host_aicore__
#define __simd_vf__
// Registers pass through these by reference, which is free only once inlined.
#define __simd_callee__ __attribute__((always_inline))
#define __gm__
#define __ubuf__
#define __local_mem__
#define __BLOCK_LOCAL__ static thread_local
#ifndef __inline__
#define __inline__ inline
#endif

#define GM_ADDR __gm__ uint8_t*
#define UB_ADDR __ubuf__ uint8_t*

#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#endif
#ifndef unlikely
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

// The twin runs vector cores only, so the tests for the kind of core are constants.
#define ASCEND_IS_AIV constexpr(true)
#define ASCEND_IS_AIC constexpr(false)
#define ASCEND_IS_NOT_AIV constexpr(false)
#define ASCEND_IS_NOT_AIC constexpr(true)

// For the twin's own hot paths.
#define ASCENDC_TWIN_INLINE inline __attribute__((always_inline))

#endif  // CC_ASCENDC_MEMBASE_TARGET_H_
