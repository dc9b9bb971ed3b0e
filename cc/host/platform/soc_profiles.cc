// The table of SoC profiles; see soc_profiles.h.
//
// Source of all numbers: the platform configuration files (<SoC>.ini) of the public CANN runtime
// repository, entries for 910B1, 910_9391 and 950PR_9589. Other members of a family differ: 910B3
// and 910B4 have 40 AIV cores, 950PR_9599 has 72.
#include "cc/host/platform/soc_profiles.h"

#include <cctype>

namespace attnres {
namespace host {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

constexpr SocProfile kProfiles[] = {
    {"Ascend910B1", "ascend910b", kNpuArch2201, /*aic_core_num=*/24, /*aiv_core_num=*/48,
     /*ub_bytes=*/196608, /*clock_mhz=*/1850, /*l2_bytes=*/192 * kMiB, /*gm_read_rate=*/32,
     /*l2_read_rate=*/110, /*l2_write_rate=*/86, /*ub_to_l2_rate=*/64, /*ub_to_gm_rate=*/64},
    {"Ascend910_9391", "ascend910_93", kNpuArch2201, /*aic_core_num=*/24, /*aiv_core_num=*/48,
     /*ub_bytes=*/196608, /*clock_mhz=*/1850, /*l2_bytes=*/192 * kMiB, /*gm_read_rate=*/32,
     /*l2_read_rate=*/110, /*l2_write_rate=*/86, /*ub_to_l2_rate=*/64, /*ub_to_gm_rate=*/64},
    // gm_read_rate: the configuration gives 31 for a core and 16 for its AIV part.
    {"Ascend950PR_9589", "ascend950", kNpuArch3510, /*aic_core_num=*/32, /*aiv_core_num=*/64,
     /*ub_bytes=*/253952, /*clock_mhz=*/1650, /*l2_bytes=*/128 * kMiB, /*gm_read_rate=*/16,
     /*l2_read_rate=*/100, /*l2_write_rate=*/100, /*ub_to_l2_rate=*/128, /*ub_to_gm_rate=*/128},
};

bool EqualIgnoringCase(const char* left, const char* right) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  while (*left != '\0' && lower(*left) == lower(*right)) {
    ++left;
    ++right;
  }
  return lower(*left) == lower(*right);
}

}  // namespace

const SocProfile* SocProfiles(size_t* count) {
  *count = sizeof(kProfiles) / sizeof(kProfiles[0]);
  return kProfiles;
}

const SocProfile* FindSocProfile(const char* name) {
  if (name == nullptr) return nullptr;
  for (const SocProfile& profile : kProfiles) {
    if (EqualIgnoringCase(name, profile.name) || EqualIgnoringCase(name, profile.short_name)) {
      return &profile;
    }
  }
  return nullptr;
}

}  // namespace host
}  // namespace attnres
