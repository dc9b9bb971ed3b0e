// NpuArch: the architectures by the value of __NPU_ARCH__, those that the twin has.
#ifndef CC_HOST_INCLUDE_PLATFORM_SOC_SPEC_H_
#define CC_HOST_INCLUDE_PLATFORM_SOC_SPEC_H_

#include <cstdint>

enum class NpuArch : uint32_t {
  DAV_2201 = 2201,
  DAV_3510 = 3510,
  DAV_RESV = 0xFFFF,
};

#endif  // CC_HOST_INCLUDE_PLATFORM_SOC_SPEC_H_
