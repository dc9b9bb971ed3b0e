// Answers of PlatformAscendC from the SoC profile; see tiling/platform/platform_ascendc.h.
#include "tiling/platform/platform_ascendc.h"

#include "cc/host/platform/soc_profiles.h"
#include "platform/platform_infos_def.h"

namespace platform_ascendc {

uint32_t PlatformAscendC::GetCoreNum() const { return platform_info_->profile().aic_core_num; }

uint32_t PlatformAscendC::GetCoreNumAic() const { return platform_info_->profile().aic_core_num; }

uint32_t PlatformAscendC::GetCoreNumAiv() const { return platform_info_->aiv_core_num(); }

uint32_t PlatformAscendC::GetLibApiWorkSpaceSize() const { return 0; }

void PlatformAscendC::GetCoreMemSize(const CoreMemType& mem_type, uint64_t& size) const {
  switch (mem_type) {
    case CoreMemType::UB:
      size = platform_info_->ub_bytes();
      break;
    case CoreMemType::L2:
      size = platform_info_->profile().l2_bytes;
      break;
    default:
      size = 0;
  }
}

SocVersion PlatformAscendC::GetSocVersion() const {
  switch (platform_info_->profile().npu_arch) {
    case attnres::host::kNpuArch2201:
      return SocVersion::ASCEND910B;
    case attnres::host::kNpuArch3510:
      return SocVersion::ASCEND950;
    default:
      return SocVersion::RESERVED_VERSION;
  }
}

NpuArch PlatformAscendC::GetCurNpuArch() const {
  return static_cast<NpuArch>(platform_info_->profile().npu_arch);
}

uint32_t PlatformAscendC::GetVecRegLen() const { return 256; }

}  // namespace platform_ascendc
