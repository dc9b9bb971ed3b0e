// The platform of the calling thread's device.
#ifndef CC_ACLNN_INCLUDE_OPDEV_PLATFORM_H_
#define CC_ACLNN_INCLUDE_OPDEV_PLATFORM_H_

#include <cstdint>
#include <cstring>
#include <string>

#include "aclnn/aclnn_base.h"
#include "cc/acl/internal/twin_runtime.h"
#include "graph/ascend_string.h"

namespace op {

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND910_93,
  ASCEND910_95,
  ASCEND950 = ASCEND910_95,
  ASCEND910E,
  ASCEND310,
  ASCEND310P,
  ASCEND310B,
  RESERVED_VERSION = 99999
};

namespace internal {

struct SocVersionName {
  SocVersion version;
  const char* name;
};

// Those that the twin has, by their short names.
constexpr SocVersionName kSocVersions[] = {
    {SocVersion::ASCEND910B, "ascend910b"},
    {SocVersion::ASCEND910_93, "ascend910_93"},
    {SocVersion::ASCEND950, "ascend950"},
};

}  // namespace internal

class PlatformInfo {
 public:
  // RESERVED_VERSION for a SoC that has no name here.
  SocVersion GetSocVersion() const {
    for (const auto& known : internal::kSocVersions) {
      if (std::strcmp(known.name, platform_.short_name) == 0) return known.version;
    }
    return SocVersion::RESERVED_VERSION;
  }
  const std::string& GetSocLongVersion() const { return long_version_; }
  int32_t GetDeviceId() const { return platform_.device_id; }
  uint32_t GetCubeCoreNum() const { return platform_.aic_core_num; }
  uint32_t GetVectorCoreNum() const { return platform_.aiv_core_num; }
  int64_t GetBlockSize() const { return 32; }
  bool Valid() const { return platform_.valid != 0; }

 private:
  friend const PlatformInfo& GetCurrentPlatformInfo();

  void Refresh() {
    aclTwinGetPlatform(&platform_);
    if (long_version_ != platform_.soc_name) long_version_ = platform_.soc_name;
  }

  AclTwinPlatform platform_{};
  std::string long_version_;
};

// Valid until the thread's next call.
inline const PlatformInfo& GetCurrentPlatformInfo() {
  static thread_local PlatformInfo info;
  info.Refresh();
  return info;
}

inline ge::AscendString ToString(SocVersion soc_version) {
  for (const auto& known : internal::kSocVersions) {
    if (known.version == soc_version) return ge::AscendString(known.name);
  }
  return ge::AscendString("unknown SoC");
}

}  // namespace op

#endif  // CC_ACLNN_INCLUDE_OPDEV_PLATFORM_H_
