// What observed kernels tell about register instructions: each access to UB before it happens, each
// operation for what it costs, and what counts as an instruction of the vector unit where no vector
// function runs (call.h issues those). In run mode nothing is left of it.
#ifndef CC_ASCENDC_REG_VECTOR_ACCESS_H_
#define CC_ASCENDC_REG_VECTOR_ACCESS_H_

#include "cc/ascendc/membase/instruct.h"
#include "cc/ascendc/reg/registers.h"

ASCENDC_TWIN_REG_BEGIN

namespace twin::vf {

template <typename T>
constexpr uint32_t kElementBytes = sizeof(T);
template <typename T, const Reg::RegTrait& regTrait>
constexpr uint32_t kElementBytes<Reg::RegTensor<T, regTrait>> = sizeof(T);
template <>
inline constexpr uint32_t kElementBytes<Reg::MaskReg> = 1;

// Of the widest of these registers or element types.
template <typename... Operands>
constexpr uint32_t WidestElement() {
  uint32_t widest = 0;
  ((widest = kElementBytes<Operands> > widest ? kElementBytes<Operands> : widest), ...);
  return widest;
}

#if ASCENDC_TWIN_OBSERVED

// One operation on registers of these types.
template <typename... Operands>
ASCENDC_TWIN_INLINE void Operation(const char* name) {
  AscendcTwinCore* const core = Core();
  if (core->observer != nullptr && core->observer->register_operation != nullptr) {
    core->observer->register_operation(core, name, WidestElement<Operands...>());
  }
}

// Issues an instruction that goes on until EndBlock; false: there is nobody to tell, or a vector
// function runs, to which everything belongs.
inline bool BeginBlock(const char* name) {
  AscendcTwinCore* const core = Core();
  if (core->observer == nullptr || State().vector.in_function) {
    return false;
  }
  State().vector.in_function = true;
  AscendcTwinInstruction instruction = {};
  instruction.name = name;
  instruction.place = State().place;
  instruction.pipe = kPipeV;
  instruction.discovers = kAscendcTwinDiscoversUntilEnd;
  instruction.run = [](const void*) {};
  core->observer->issue(core, &instruction);
  return true;
}
inline void EndBlock() {
  AscendcTwinCore* const core = Core();
  State().vector.in_function = false;
  if (core->observer->vector_end != nullptr) {
    core->observer->vector_end(core);
  }
}

// An instruction that accesses memory, while it lives: outside any vector function one of its own.
class MemoryOperation {
 public:
  ASCENDC_TWIN_INLINE explicit MemoryOperation(const char* name)
      : is_alone_(!State().vector.in_function && BeginBlock(name)) {}
  ASCENDC_TWIN_INLINE ~MemoryOperation() {
    if (is_alone_) {
      EndBlock();
    }
  }
  MemoryOperation(const MemoryOperation&) = delete;
  MemoryOperation& operator=(const MemoryOperation&) = delete;

 private:
  bool is_alone_;
};

// Whether the instruction may access these bytes, at an address that must be a multiple of
// `alignment`.
ASCENDC_TWIN_INLINE bool MayAccess(const void* address, uint64_t bytes, uint32_t alignment,
                                   bool is_write) {
  AscendcTwinCore* const core = Core();
  return core->observer == nullptr ||
         core->observer->vector_access(core, reinterpret_cast<uint64_t>(address), bytes,
                                       is_write ? 1 : 0, alignment, &State().place) != 0;
}

// Whether an instruction that adds offsets to this address may have it.
ASCENDC_TWIN_INLINE bool MayStartAt(const void* address, uint32_t alignment, bool is_write) {
  return reinterpret_cast<uint64_t>(address) % alignment == 0 ||
         MayAccess(address, 0, alignment, is_write);
}

// The first byte from `at` on that is active, or not: such bytes are not 0.
inline uint32_t NextByte(const uint8_t* bytes, uint32_t at, uint32_t count, bool is_active) {
  while (at < count && (bytes[at] != 0) != is_active) {
    ++at;
  }
  return at;
}

// Whether the bytes at `address` of which `active` is not 0 may be stored; all are told.
inline bool MayStoreBytes(const void* address, const uint8_t* active, uint32_t count,
                          uint32_t alignment) {
  const uint8_t* const out = static_cast<const uint8_t*>(address);
  uint32_t first = NextByte(active, 0, count, true);
  bool allowed = first == 0 || MayStartAt(address, alignment, true);
  while (first < count) {
    const uint32_t end = NextByte(active, first, count, false);
    allowed &= MayAccess(out + first, end - first, first == 0 ? alignment : 1, true);
    first = NextByte(active, end, count, true);
  }
  return allowed;
}

// The same of elements that are active where the vector of truth values is.
template <typename M>
ASCENDC_TWIN_INLINE bool MayStoreActive(const void* address, M active, uint32_t alignment) {
  if (Core()->observer == nullptr) {
    return true;
  }
  if (__builtin_reduce_and(active) != 0) {
    return MayAccess(address, sizeof(M), alignment, true);
  }
  alignas(64) uint8_t bytes[sizeof(M)];
  StoreVector(bytes, active);
  return MayStoreBytes(address, bytes, sizeof(M), alignment);
}

#else

template <typename... Operands>
ASCENDC_TWIN_INLINE void Operation(const char*) {}
ASCENDC_TWIN_INLINE bool MayAccess(const void*, uint64_t, uint32_t, bool) { return true; }
ASCENDC_TWIN_INLINE bool MayStartAt(const void*, uint32_t, bool) { return true; }
ASCENDC_TWIN_INLINE bool MayStoreBytes(const void*, const uint8_t*, uint32_t, uint32_t) {
  return true;
}
template <typename M>
ASCENDC_TWIN_INLINE bool MayStoreActive(const void*, M, uint32_t) {
  return true;
}

#endif

ASCENDC_TWIN_INLINE bool MayLoad(const void* address, uint64_t bytes, uint32_t alignment) {
  return MayAccess(address, bytes, alignment, false);
}
ASCENDC_TWIN_INLINE bool MayStore(const void* address, uint64_t bytes, uint32_t alignment) {
  return MayAccess(address, bytes, alignment, true);
}

}  // namespace twin::vf

ASCENDC_TWIN_REG_END

// First in every instruction that accesses UB: ASCENDC_TWIN_ACCESS("LoadAlign", its registers).
#if ASCENDC_TWIN_OBSERVED
#define ASCENDC_TWIN_ACCESS(name, ...)                                   \
  ASCENDC_TWIN_AT;                                                       \
  const AscendC::twin::vf::MemoryOperation ascendc_twin_operation(name); \
  AscendC::twin::vf::Operation<__VA_ARGS__>(name)
#else
#define ASCENDC_TWIN_ACCESS(name, ...) static_cast<void>(0)
#endif

#endif  // CC_ASCENDC_REG_VECTOR_ACCESS_H_
