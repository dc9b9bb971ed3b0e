// SetAtomicAdd, SetAtomicMax, SetAtomicMin: what copies from UB to global memory do with what is
// already there.
//
// A device adds in the order in which copies happen to arrive. Here cores take turns in index order
// (from a core's first atomic copy to its next SyncAll or end), so the sum has the same bits on any
// number of threads.
#ifndef CC_ASCENDC_MEMBASE_ATOMIC_H_
#define CC_ASCENDC_MEMBASE_ATOMIC_H_

#include <type_traits>

#include "cc/ascendc/membase/core.h"
#include "cc/ascendc/membase/float16.h"

ASCENDC_TWIN_BEGIN

namespace twin {

enum AtomicOperation : uint8_t { kAtomicNone, kAtomicAdd, kAtomicMax, kAtomicMin };
enum AtomicType : uint8_t {
  kAtomicFloat,
  kAtomicHalf,
  kAtomicBfloat16,
  kAtomicInt32,
  kAtomicInt16,
  kAtomicInt8
};

template <typename T>
constexpr AtomicType AtomicTypeOf() {
  if constexpr (std::is_same<T, float>::value) {
    return kAtomicFloat;
  } else if constexpr (std::is_same<T, half>::value) {
    return kAtomicHalf;
  } else if constexpr (std::is_same<T, bfloat16_t>::value) {
    return kAtomicBfloat16;
  } else if constexpr (std::is_same<T, int32_t>::value) {
    return kAtomicInt32;
  } else if constexpr (std::is_same<T, int16_t>::value) {
    return kAtomicInt16;
  } else {
    static_assert(std::is_same<T, int8_t>::value,
                  "atomics: float, half, bfloat16_t, int32_t, int16_t or int8_t");
    return kAtomicInt8;
  }
}

template <typename T>
inline T AtomicCombine(uint8_t operation, T old_value, T value) {
  if (operation == kAtomicAdd) {
    if constexpr (std::is_integral<T>::value) {
      using Unsigned = std::make_unsigned_t<T>;  // wraps
      return static_cast<T>(
          static_cast<Unsigned>(static_cast<Unsigned>(old_value) + static_cast<Unsigned>(value)));
    } else {
      return old_value + value;
    }
  }
  return (operation == kAtomicMax ? value > old_value : value < old_value) ? value : old_value;
}

template <typename T>
inline void AtomicBlock(uint8_t operation, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  for (uint64_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T old_value;
    T value;
    __builtin_memcpy(&old_value, dst + at, sizeof(T));
    __builtin_memcpy(&value, src + at, sizeof(T));
    const T result = AtomicCombine(operation, old_value, value);
    __builtin_memcpy(dst + at, &result, sizeof(T));
  }
}

// Combines one block into global memory. Precondition: an operation is set.
inline void AtomicStore(uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  if (!State().atomics_ordered) {
    Waiting([](AscendcTwinCore* core) { core->await_lower_cores(core); });
    State().atomics_ordered = true;
  }
  const uint8_t operation = State().atomic.operation;
  switch (State().atomic.type) {
    case kAtomicFloat:
      return AtomicBlock<float>(operation, dst, src, bytes);
    case kAtomicHalf:
      return AtomicBlock<half>(operation, dst, src, bytes);
    case kAtomicBfloat16:
      return AtomicBlock<bfloat16_t>(operation, dst, src, bytes);
    case kAtomicInt32:
      return AtomicBlock<int32_t>(operation, dst, src, bytes);
    case kAtomicInt16:
      return AtomicBlock<int16_t>(operation, dst, src, bytes);
    default:
      return AtomicBlock<int8_t>(operation, dst, src, bytes);
  }
}

template <typename T>
inline void SetAtomic(AtomicOperation operation) {
  State().atomic.operation = operation;
  State().atomic.type = AtomicTypeOf<T>();
}

}  // namespace twin

template <typename T>
inline void SetAtomicAdd() {
  twin::SetAtomic<T>(twin::kAtomicAdd);
}

template <typename T>
inline void SetAtomicMax() {
  twin::SetAtomic<T>(twin::kAtomicMax);
}

template <typename T>
inline void SetAtomicMin() {
  twin::SetAtomic<T>(twin::kAtomicMin);
}

// Changes the type of the operation that is on.
template <typename T>
inline void SetAtomicType() {
  twin::State().atomic.type = twin::AtomicTypeOf<T>();
}

inline void DisableDmaAtomic() { twin::State().atomic.operation = twin::kAtomicNone; }
inline void SetAtomicNone() { DisableDmaAtomic(); }

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_ATOMIC_H_
