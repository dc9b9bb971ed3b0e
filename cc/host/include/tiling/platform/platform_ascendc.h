// platform_ascendc::PlatformAscendC: core counts and memory sizes for tiling functions.
#ifndef CC_HOST_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define CC_HOST_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_

#include <cstdint>

#include "platform/soc_spec.h"

namespace fe {
class PlatFormInfos;
}  // namespace fe

namespace platform_ascendc {

enum class CoreMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED
};

// The versions that the twin has. As in CANN, Atlas A3 (910_93) reports ASCEND910B, so that both
// run the same binaries.
enum class SocVersion {
  ASCEND910B = 1,
  ASCEND950 = 4,
  ASCEND910_93 = 13,
  RESERVED_VERSION = 99999
};

class PlatformAscendC {
 public:
  // `platform_info` must not be null and must outlive this object.
  explicit PlatformAscendC(fe::PlatFormInfos* platform_info) : platform_info_(platform_info) {}

  uint32_t GetCoreNum() const;  // AI cores
  uint32_t GetCoreNumAic() const;
  uint32_t GetCoreNumAiv() const;
  // Bytes at the start of the workspace that belong to the platform: none on the twin.
  uint32_t GetLibApiWorkSpaceSize() const;
  // Sets `size` for UB (the whole of it, the reserved part included) and L2, and 0 for the others,
  // which vector kernels do not use.
  void GetCoreMemSize(const CoreMemType& mem_type, uint64_t& size) const;
  SocVersion GetSocVersion() const;
  NpuArch GetCurNpuArch() const;
  uint32_t GetVecRegLen() const;  // bytes of a vector register

 private:
  fe::PlatFormInfos* platform_info_;
};

}  // namespace platform_ascendc

#endif  // CC_HOST_INCLUDE_TILING_PLATFORM_PLATFORM_ASCENDC_H_
