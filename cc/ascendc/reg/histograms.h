// Histograms: counts of byte values.
#ifndef CC_ASCENDC_REG_HISTOGRAMS_H_
#define CC_ASCENDC_REG_HISTOGRAMS_H_

#include "cc/ascendc/reg/gather.h"

ASCENDC_TWIN_REG_BEGIN

namespace Reg {

// dst[n] += how many active elements of src are kFirst + n (FREQUENCY) or at most that
// (ACCUMULATE), where kFirst is 0 for BIN0 and 128 for BIN1. Counts wrap.
template <typename T = DefaultType, typename U = DefaultType, HistogramsBinType mode,
          HistogramsType type, typename S, typename V>
ASCENDC_TWIN_INLINE void Histograms(V& dstReg, S& srcReg, MaskReg& mask) {
  twin::vf::Operation<S, V>("Histograms");
  static_assert(twin::vf::kIsOneOf<twin::vf::Element<S, T>, uint8_t> &&
                    twin::vf::kIsOneOf<twin::vf::Element<V, U>, uint16_t>,
                "Histograms: uint8_t into uint16_t");
  static_assert(mode == HistogramsBinType::BIN0 || mode == HistogramsBinType::BIN1,
                "Histograms: BIN0 or BIN1");
  const twin::vf::Spilled<uint8_t> in(srcReg);
  const twin::vf::SpilledMask<uint8_t> active(mask);
  uint16_t counts[256] = {};
  for (uint32_t i = 0; i < 256; ++i) {
    counts[in.at[i]] = static_cast<uint16_t>(counts[in.at[i]] + (active.at[i] != 0 ? 1 : 0));
  }
  if constexpr (type == HistogramsType::ACCUMULATE) {
    for (uint32_t n = 1; n < 256; ++n) {
      counts[n] = static_cast<uint16_t>(counts[n] + counts[n - 1]);
    }
  }
  constexpr uint32_t kFirst = mode == HistogramsBinType::BIN0 ? 0 : 128;
  using Counts = twin::vf::RegVector<uint16_t>;
  twin::vf::Assign(dstReg, twin::vf::Exact(dstReg) + twin::vf::LoadVector<Counts>(counts + kFirst),
                   false);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_HISTOGRAMS_H_
