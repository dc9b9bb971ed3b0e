// A store of the active elements of a host vector, which leaves the memory of the others alone: it
// may belong to nobody.
//
// AVX-512 has such stores for every width. Elsewhere a mask that is full at run time takes the
// plain store: all but the last of a row are, and AVX2's masked stores of 32 and 64 bits cost ten
// times as much (AMD). Other widths then go element by element.
#ifndef CC_ASCENDC_REG_MASKED_STORE_H_
#define CC_ASCENDC_REG_MASKED_STORE_H_

#include "cc/ascendc/reg/host_vector.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <size_t kBegin, typename Part, typename V, size_t... kIndex>
ASCENDC_TWIN_INLINE Part PartOfSequence(V value, std::index_sequence<kIndex...>) {
  return __builtin_bit_cast(Part, __builtin_shufflevector(value, value, (kBegin + kIndex)...));
}
// Part number kPart of a vector, as the host's type Part.
template <typename Part, size_t kPart, typename V>
ASCENDC_TWIN_INLINE Part PartOf(V value) {
  constexpr size_t kLanes = sizeof(Part) / sizeof(value[0]);
  return PartOfSequence<kPart * kLanes, Part>(value, std::make_index_sequence<kLanes>());
}

#if defined(__AVX512BW__) && defined(__AVX512VL__)

// Elements of kBytes.
template <size_t kBytes>
ASCENDC_TWIN_INLINE void StoreMaskedPart(void* address, __m512i value, __m512i active) {
  const __m512i none = _mm512_setzero_si512();
  if constexpr (kBytes == 1) {
    _mm512_mask_storeu_epi8(address, _mm512_cmpneq_epi8_mask(active, none), value);
  } else if constexpr (kBytes == 2) {
    _mm512_mask_storeu_epi16(address, _mm512_cmpneq_epi16_mask(active, none), value);
  } else if constexpr (kBytes == 4) {
    _mm512_mask_storeu_epi32(address, _mm512_cmpneq_epi32_mask(active, none), value);
  } else {
    _mm512_mask_storeu_epi64(address, _mm512_cmpneq_epi64_mask(active, none), value);
  }
}

template <typename V, typename M, size_t... kPart>
ASCENDC_TWIN_INLINE void StoreMaskedParts(void* address, V value, M active,
                                          std::index_sequence<kPart...>) {
  uint8_t* const out = static_cast<uint8_t*>(address);
  (StoreMaskedPart<sizeof(value[0])>(out + 64 * kPart, PartOf<__m512i, kPart>(value),
                                     PartOf<__m512i, kPart>(active)),
   ...);
}

template <typename V, typename M>
ASCENDC_TWIN_INLINE void StoreMasked(void* address, V value, M active) {
  StoreMaskedParts(address, value, active, std::make_index_sequence<sizeof(V) / 64>());
}

#else

#if defined(__AVX2__)
template <typename V, typename M, size_t... kPart>
ASCENDC_TWIN_INLINE void StoreMaskedParts(void* address, V value, M active,
                                          std::index_sequence<kPart...>) {
  uint8_t* const out = static_cast<uint8_t*>(address);
  if constexpr (sizeof(value[0]) == 4) {
    (_mm256_maskstore_epi32(reinterpret_cast<int*>(out + 32 * kPart),
                            PartOf<__m256i, kPart>(active), PartOf<__m256i, kPart>(value)),
     ...);
  } else {
    (_mm256_maskstore_epi64(reinterpret_cast<long long*>(out + 32 * kPart),
                            PartOf<__m256i, kPart>(active), PartOf<__m256i, kPart>(value)),
     ...);
  }
}
#endif

template <typename V, typename M>
ASCENDC_TWIN_INLINE void StoreElements(void* address, V value, M active) {
  using E = std::remove_reference_t<decltype(value[0])>;
  constexpr size_t kLanes = sizeof(V) / sizeof(E);
  alignas(64) uint8_t bytes[sizeof(V)];
  alignas(64) uint8_t which[sizeof(M)];
  StoreVector(bytes, value);
  StoreVector(which, active);
  uint8_t* const out = static_cast<uint8_t*>(address);
  for (size_t i = 0; i < kLanes; ++i) {
    if (which[i * sizeof(E)] != 0) {
      __builtin_memcpy(out + i * sizeof(E), bytes + i * sizeof(E), sizeof(E));
    }
  }
}

template <typename V, typename M>
ASCENDC_TWIN_INLINE void StoreMasked(void* address, V value, M active) {
  if (__builtin_reduce_and(active) != 0) {
    StoreVector(address, value);
    return;
  }
#if defined(__AVX2__)
  if constexpr (sizeof(value[0]) >= 4) {
    return StoreMaskedParts(address, value, active, std::make_index_sequence<sizeof(V) / 32>());
  }
#endif
  StoreElements(address, value, active);
}

#endif

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_MASKED_STORE_H_
