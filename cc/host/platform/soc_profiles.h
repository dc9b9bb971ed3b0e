// One table of what the twin knows of each SoC: core counts, memory sizes, clock and bandwidths.
// Tiling reads cores and UB from it, the runtime builds one device from each entry. A profile is
// per SoC, not per architecture. What time mode assumes beyond it stands in
// cc/ascendc/timeline/profiles.
#ifndef CC_HOST_PLATFORM_SOC_PROFILES_H_
#define CC_HOST_PLATFORM_SOC_PROFILES_H_

#include <cstddef>
#include <cstdint>

namespace attnres {
namespace host {

// Values of __NPU_ARCH__.
constexpr uint32_t kNpuArch2201 = 2201;  // Atlas A2 and A3: memory-based vector instructions
constexpr uint32_t kNpuArch3510 = 3510;  // Ascend 950: register-based vector instructions

// Rates are bytes per cycle of one AIV core.
struct SocProfile {
  const char* name;        // as aclrtGetSocName gives it, e.g. "Ascend910B1"
  const char* short_name;  // as operator definitions name it, e.g. "ascend910b"
  uint32_t npu_arch;
  uint32_t aic_core_num;
  uint32_t aiv_core_num;
  uint64_t ub_bytes;
  uint32_t clock_mhz;
  uint64_t l2_bytes;
  double gm_read_rate;  // DDR or HBM
  double l2_read_rate;
  double l2_write_rate;
  double ub_to_l2_rate;
  double ub_to_gm_rate;
};

// The profiles in the order of the devices, `*count` of them. They live as long as the program.
const SocProfile* SocProfiles(size_t* count);

// The profile whose name or short name is `name`, whatever the case; null when there is none.
const SocProfile* FindSocProfile(const char* name);

}  // namespace host
}  // namespace attnres

#endif  // CC_HOST_PLATFORM_SOC_PROFILES_H_
