// Host vectors as large as a vector register of the NPU (256 bytes): types, memory access, and the
// few rearrangements from which the instructions are made.
//
// A host vector is a value: clang splits it over as many host registers as the instruction set
// needs (four of 64 bytes on AVX-512), and what is known at compile time, such as a full mask,
// folds away.
#ifndef CC_ASCENDC_REG_HOST_VECTOR_H_
#define CC_ASCENDC_REG_HOST_VECTOR_H_

#include <utility>

#include "cc/ascendc/membase/vector/lanes.h"

// What sits between these two passes host vectors by value, in functions that are always inlined:
// that the calling convention would depend on the instruction set does not matter.
#define ASCENDC_TWIN_REG_BEGIN                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wpsabi\"") \
      ASCENDC_TWIN_BEGIN
#define ASCENDC_TWIN_REG_END ASCENDC_TWIN_END _Pragma("clang diagnostic pop")

ASCENDC_TWIN_REG_BEGIN

// The helpers of vector functions; those of the memory-based instructions are found here too.
namespace twin::vf {

using namespace twin;

constexpr uint32_t kRegBytes = 256;

// How the elements of a type lie in a host vector: 16-bit floats as their bits.
template <typename T>
struct HostLane {
  using Type = T;
};
template <>
struct HostLane<half> {
  using Type = uint16_t;
};
template <>
struct HostLane<bfloat16_t> {
  using Type = uint16_t;
};
template <>
struct HostLane<bool> {
  using Type = uint8_t;
};

template <typename E, uint32_t kLanes>
struct HostVectorOf {
  // 64: the natural alignment of the whole vector would only waste stack.
  typedef E Type __attribute__((vector_size(sizeof(E) * kLanes), aligned(64)));
  typedef E Memory __attribute__((vector_size(sizeof(E) * kLanes), aligned(1), may_alias));
};

// kLanes values of E.
template <typename E, uint32_t kLanes>
using Vector = typename HostVectorOf<E, kLanes>::Type;

template <typename T>
constexpr uint32_t kRegLanes = kRegBytes / sizeof(T);

// A whole register of T, and the same bytes as unsigned integers of T's size.
template <typename T>
using RegVector = Vector<typename HostLane<T>::Type, kRegLanes<T>>;
template <typename T>
using RegBits = Vector<Bits<T>, kRegLanes<T>>;

template <typename To, typename From>
ASCENDC_TWIN_INLINE To BitCast(From value) {
  static_assert(sizeof(To) == sizeof(From), "the same bytes as another type");
  return __builtin_bit_cast(To, value);
}

template <typename V>
ASCENDC_TWIN_INLINE V LoadVector(const void* address) {
  using E = std::remove_reference_t<decltype(V{}[0])>;
  using Memory = typename HostVectorOf<E, sizeof(V) / sizeof(E)>::Memory;
  return *static_cast<const Memory*>(address);
}

template <typename V>
ASCENDC_TWIN_INLINE void StoreVector(void* address, V value) {
  using E = std::remove_reference_t<decltype(value[0])>;
  using Memory = typename HostVectorOf<E, sizeof(V) / sizeof(E)>::Memory;
  *static_cast<Memory*>(address) = value;
}

template <uint32_t kLanes, typename E>
ASCENDC_TWIN_INLINE Vector<E, kLanes> Splat(E value) {
  return value - Vector<E, kLanes>{};  // 0 - would lose the sign of -0; a scalar is broadcast
}

template <typename E, uint32_t kLanes, size_t... kIndex>
ASCENDC_TWIN_INLINE constexpr Vector<E, kLanes> IotaOf(std::index_sequence<kIndex...>) {
  return Vector<E, kLanes>{static_cast<E>(kIndex)...};
}
// 0, 1, 2, ...
template <typename E, uint32_t kLanes>
ASCENDC_TWIN_INLINE constexpr Vector<E, kLanes> Iota() {
  return IotaOf<E, kLanes>(std::make_index_sequence<kLanes>());
}

template <size_t kBegin, size_t kStep, typename V, size_t... kIndex>
ASCENDC_TWIN_INLINE auto StridedOf(V a, V b, std::index_sequence<kIndex...>) {
  return __builtin_shufflevector(a, b, (kBegin + kStep * kIndex)...);
}
// The lanes kBegin, kBegin + kStep, ... of a followed by b, kLanes of them.
template <size_t kLanes, size_t kBegin, size_t kStep, typename V>
ASCENDC_TWIN_INLINE auto Strided(V a, V b) {
  return StridedOf<kBegin, kStep>(a, b, std::make_index_sequence<kLanes>());
}

template <size_t kBegin, size_t kLanes, typename V, size_t... kIndex>
ASCENDC_TWIN_INLINE V ZippedOf(V a, V b, std::index_sequence<kIndex...>) {
  return __builtin_shufflevector(a, b, (kBegin + kIndex / 2 + (kIndex % 2 == 0 ? 0 : kLanes))...);
}
// a[kBegin], b[kBegin], a[kBegin + 1], b[kBegin + 1], ... as many lanes as a has.
template <size_t kBegin, typename V>
ASCENDC_TWIN_INLINE V Zipped(V a, V b) {
  constexpr size_t kLanes = sizeof(V) / sizeof(a[0]);
  return ZippedOf<kBegin, kLanes>(a, b, std::make_index_sequence<kLanes>());
}

template <size_t kRun, typename V, size_t... kIndex>
ASCENDC_TWIN_INLINE auto RepeatedOf(V a, std::index_sequence<kIndex...>) {
  constexpr size_t kSource = sizeof(V) / sizeof(a[0]);
  return __builtin_shufflevector(a, a, ((kIndex / kRun) % kSource)...);
}
// kLanes lanes: a's, each kRun times, and again from its start.
template <size_t kLanes, size_t kRun, typename V>
ASCENDC_TWIN_INLINE auto Repeated(V a) {
  return RepeatedOf<kRun>(a, std::make_index_sequence<kLanes>());
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

#endif  // CC_ASCENDC_REG_HOST_VECTOR_H_
