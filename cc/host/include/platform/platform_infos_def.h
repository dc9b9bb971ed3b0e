// fe::PlatFormInfos: the platform that a context carries. Operators hand it to PlatformAscendC
// (tiling/platform/platform_ascendc.h) and never look inside.
#ifndef CC_HOST_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_
#define CC_HOST_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_

#include <cstdint>

#include "cc/host/platform/soc_profiles.h"

namespace fe {

class PlatFormInfos {
 public:
  // A SoC with another number of cores or another UB size than its profile's. The profile must
  // outlive this object.
  PlatFormInfos(const attnres::host::SocProfile* profile, uint32_t aiv_core_num, uint64_t ub_bytes)
      : profile_(profile), aiv_core_num_(aiv_core_num), ub_bytes_(ub_bytes) {}

  const attnres::host::SocProfile& profile() const { return *profile_; }
  uint32_t aiv_core_num() const { return aiv_core_num_; }
  uint64_t ub_bytes() const { return ub_bytes_; }

 private:
  const attnres::host::SocProfile* profile_;
  uint32_t aiv_core_num_;
  uint64_t ub_bytes_;
};

}  // namespace fe

#endif  // CC_HOST_INCLUDE_PLATFORM_PLATFORM_INFOS_DEF_H_
