// Single elements: of tensors, which the scalar unit reads and writes, and of vector instructions
// whose addresses are data. Observed kernels ask the observer first, run mode accesses directly.
#ifndef CC_ASCENDC_MEMBASE_ELEMENT_H_
#define CC_ASCENDC_MEMBASE_ELEMENT_H_

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/place.h"

ASCENDC_TWIN_BEGIN

namespace twin {

#if ASCENDC_TWIN_OBSERVED

// False: the scalar unit must not access the memory.
inline bool MayAccess(const void* data, uint64_t bytes, bool is_write, bool is_gm) {
  AscendcTwinCore* core = Core();
  return core == nullptr || core->observer == nullptr ||
         core->observer->scalar_access(core, reinterpret_cast<uint64_t>(data), bytes,
                                       is_write ? 1 : 0, is_gm ? 1 : 0, &State().place) != 0;
}

template <bool kGm, typename T>
T ReadElement(const T* data) {
  return MayAccess(data, sizeof(T), false, kGm) ? *data : T();
}

template <bool kGm, typename T>
void WriteElement(T* data, T value) {
  if (MayAccess(data, sizeof(T), true, kGm)) {
    *data = value;
  }
}

// Inside an instruction that was described with Discovers(): false, the access must not happen.
inline bool MayDiscover(const void* data, uint64_t bytes, bool is_write, uint32_t alignment = 1) {
  AscendcTwinCore* core = Core();
  return core == nullptr || core->observer == nullptr ||
         core->observer->vector_access(core, reinterpret_cast<uint64_t>(data), bytes,
                                       is_write ? 1 : 0, alignment, &State().place) != 0;
}

// Stands for T&.
template <bool kGm, typename T>
class ElementReference {
 public:
  ElementReference(T* data, const AscendcTwinPlace& place) : data_(data), place_(place) {}
  ElementReference(const ElementReference&) = default;

  operator T() const {  // NOLINT: as implicit as a reference
    const AtPlace at(place_);
    return ReadElement<kGm>(static_cast<const T*>(data_));
  }
  template <typename U>
  const ElementReference& operator=(const U& value) const {
    const AtPlace at(place_);
    WriteElement<kGm>(data_, static_cast<T>(value));
    return *this;
  }
  const ElementReference& operator=(const ElementReference& other) const {
    return *this = static_cast<T>(other);
  }
  template <typename U>
  const ElementReference& operator+=(const U& value) const {
    return *this = static_cast<T>(*this) + value;
  }
  template <typename U>
  const ElementReference& operator-=(const U& value) const {
    return *this = static_cast<T>(*this) - value;
  }
  template <typename U>
  const ElementReference& operator*=(const U& value) const {
    return *this = static_cast<T>(*this) * value;
  }
  T* operator&() const { return data_; }

 private:
  T* data_;
  AscendcTwinPlace place_;
};

template <bool kGm, typename T>
ElementReference<kGm, T> Element(T* data) {
  return {data, State().place};
}

#else

ASCENDC_TWIN_INLINE bool MayAccess(const void*, uint64_t, bool, bool) { return true; }
ASCENDC_TWIN_INLINE bool MayDiscover(const void*, uint64_t, bool, uint32_t = 1) { return true; }

template <bool kGm, typename T>
using ElementReference = T&;

template <bool kGm, typename T>
ASCENDC_TWIN_INLINE T ReadElement(const T* data) {
  return *data;
}
template <bool kGm, typename T>
ASCENDC_TWIN_INLINE void WriteElement(T* data, T value) {
  *data = value;
}
template <bool kGm, typename T>
ASCENDC_TWIN_INLINE T& Element(T* data) {
  return *data;
}

#endif

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_ELEMENT_H_
