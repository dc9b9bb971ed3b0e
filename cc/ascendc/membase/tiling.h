// Tiling data and tiling key inside a kernel. A CANN build generates the GET_TILING_DATA macros per
// operator; here they copy the struct that the kernel names, or the one it registered by
// REGISTER_TILING_DEFAULT.
#ifndef CC_ASCENDC_MEMBASE_TILING_H_
#define CC_ASCENDC_MEMBASE_TILING_H_

#include "cc/ascendc/membase/place.h"
#include "cc/ascendc/membase/tell.h"

// Tells template_argument.h that its declarations are read by a kernel.
#ifndef ASCENDC_TPL_KERNEL
#define ASCENDC_TPL_KERNEL
#endif

ASCENDC_TWIN_BEGIN

namespace twin {

template <typename Data>
ASCENDC_TWIN_INLINE Data ReadTiling(const void* tiling) {
  Data data;
  __builtin_memcpy(&data, tiling, sizeof(data));
  return data;
}

// The whole of it.
template <typename Data>
ASCENDC_TWIN_INLINE Data ReadTilingStruct(const void* tiling ASCENDC_TWIN_PLACE) {
  ASCENDC_TWIN_AT;
  Tell(&AscendcTwinObserver::tiling_data, reinterpret_cast<uint64_t>(tiling),
       uint64_t{sizeof(Data)});
  return ReadTiling<Data>(tiling);
}

}  // namespace twin

ASCENDC_TWIN_END

#define REGISTER_TILING_DEFAULT(tiling_struct) \
  [[maybe_unused]] typedef tiling_struct AscendcTwinDefaultTiling
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) \
  static_assert(sizeof(tiling_struct) > 0, "")
#define REGISTER_NONE_TILING

#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, dst_data, tiling_ptr) \
  const tiling_struct dst_data = AscendC::twin::ReadTilingStruct<tiling_struct>(tiling_ptr)
#define GET_TILING_DATA(dst_data, tiling_ptr) \
  GET_TILING_DATA_WITH_STRUCT(AscendcTwinDefaultTiling, dst_data, tiling_ptr)
#define GET_TILING_DATA_MEMBER(tiling_struct, member, dst_member, tiling_ptr) \
  const decltype(tiling_struct::member) dst_member =                          \
      AscendC::twin::ReadTiling<decltype(tiling_struct::member)>(             \
          reinterpret_cast<const uint8_t*>(tiling_ptr) +                      \
          __builtin_offsetof(tiling_struct, member))
#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr) \
  const tiling_struct* dst_ptr = reinterpret_cast<const tiling_struct*>(tiling_ptr)

#define TILING_KEY_VAR (AscendC::twin::Core()->tiling_key)
#define TILING_KEY_IS(key) (TILING_KEY_VAR == static_cast<uint64_t>(key))

#endif  // CC_ASCENDC_MEMBASE_TILING_H_
