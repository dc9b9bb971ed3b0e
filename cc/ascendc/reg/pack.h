// Pack and UnPack of registers: integers to half their size and back. Those of masks are in mask.h.
#ifndef CC_ASCENDC_REG_PACK_H_
#define CC_ASCENDC_REG_PACK_H_

#include "cc/ascendc/reg/vector_access.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

// T is half as large as U, both integers; a packed one is unsigned.
template <typename T, typename U>
constexpr bool kPacks =
    std::is_integral<U>::value && std::is_unsigned<T>::value && 2 * sizeof(T) == sizeof(U);
// T is twice as large as U, both of the same signedness.
template <typename T, typename U>
constexpr bool kUnpacks =
    std::is_integral<U>::value && std::is_integral<T>::value &&
    std::is_signed<T>::value == std::is_signed<U>::value && sizeof(T) == 2 * sizeof(U);

}  // namespace twin::vf

namespace Reg {

// The low half of each element's bits, in the lower or upper half of dst; the rest becomes 0.
template <typename T = DefaultType, typename U = DefaultType,
          HighLowPart part = HighLowPart::LOWEST, typename S, typename V,
          twin::vf::EnableRegTensor<S> = 0>
ASCENDC_TWIN_INLINE void Pack(S& dstReg, V& srcReg) {
  twin::vf::Operation<S, V>("Pack");
  using To = twin::vf::Element<S, T>;
  using From = twin::vf::Element<V, U>;
  static_assert(twin::vf::kPacks<To, From>, "Pack: this pair of types does not exist");
  constexpr uint32_t kLanes = twin::vf::kRegLanes<From>;
  using Narrow = twin::vf::Vector<To, kLanes>;
  const Narrow packed = __builtin_convertvector(twin::vf::Exact(srcReg), Narrow);
  const Narrow none = {};
  twin::vf::Assign(dstReg,
                   part == HighLowPart::LOWEST ? twin::vf::Strided<2 * kLanes, 0, 1>(packed, none)
                                               : twin::vf::Strided<2 * kLanes, 0, 1>(none, packed),
                   false);
}

// The lower or upper half of src, each element widened with its sign or zeros.
template <typename T = DefaultType, typename U = DefaultType,
          HighLowPart part = HighLowPart::LOWEST, typename S, typename V,
          twin::vf::EnableRegTensor<S> = 0>
ASCENDC_TWIN_INLINE void UnPack(S& dstReg, V& srcReg) {
  twin::vf::Operation<S, V>("UnPack");
  using To = twin::vf::Element<S, T>;
  using From = twin::vf::Element<V, U>;
  static_assert(twin::vf::kUnpacks<To, From>, "UnPack: this pair of types does not exist");
  constexpr uint32_t kLanes = twin::vf::kRegLanes<To>;
  const auto source = twin::vf::Exact(srcReg);
  const auto half_register = twin::vf::Strided < kLanes, part == HighLowPart::LOWEST ? 0 : kLanes,
             1 > (source, source);
  twin::vf::Assign(dstReg, __builtin_convertvector(half_register, twin::vf::RegVector<To>), false);
}

}  // namespace Reg

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_PACK_H_
