// The moves of bytes below every copy instruction: global memory to UB, UB to global memory, UB to
// UB. They count traffic and apply atomics; copy.h and copy_pad.h cut instructions into blocks. The
// one place to hook copies.
#ifndef CC_ASCENDC_MEMBASE_TRANSFER_H_
#define CC_ASCENDC_MEMBASE_TRANSFER_H_

#include "cc/ascendc/membase/atomic.h"
#include "cc/ascendc/membase/core.h"

ASCENDC_TWIN_BEGIN

namespace twin {

constexpr uint64_t kDataBlockBytes = 32;

constexpr uint64_t AlignToDataBlock(uint64_t bytes) {
  return (bytes + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes;
}

// Blocks to global memory of at least this size bypass the host's cache: what a kernel writes is
// read by another core or the caller much later, and a normal store first reads the line it
// replaces. ASCENDC_TWIN_STREAM_BYTES=0 in a build turns that off.
#ifndef ASCENDC_TWIN_STREAM_BYTES
#define ASCENDC_TWIN_STREAM_BYTES 2048
#endif
constexpr uint64_t kStreamBytes = ASCENDC_TWIN_STREAM_BYTES;

#if defined(__AVX512F__)
constexpr uint64_t kStoreBytes = 64;
#else
constexpr uint64_t kStoreBytes = 32;
#endif
typedef uint8_t StoreVector __attribute__((vector_size(kStoreBytes)));

// Kernels read a large tensor in order, so what a large copy-in reads next mostly begins where the
// last one ended. StreamCopy asks for as many bytes of it as it writes: memory then reads and
// writes at once.
inline void NoteRead(const uint8_t* end, uint64_t bytes) {
  CoreState& state = State();
  // A row of another tensor in between is shorter and does not count.
  if (2 * bytes > state.last_read_bytes) {
    state.next_read = reinterpret_cast<uintptr_t>(end);
    state.last_read_bytes = bytes;
  }
}

// memcpy with non-temporal stores; they are ordered for other threads by DrainStores.
inline void StreamCopy(uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  constexpr uint64_t kLine = 64;
  const uint64_t head = (kLine - reinterpret_cast<uintptr_t>(dst) % kLine) % kLine;
  __builtin_memcpy(dst, src, head);
  uint64_t at = head;
  const uintptr_t next = State().next_read;
  State().next_read = next + bytes;
  for (; at + kLine <= bytes; at += kLine) {
    __builtin_prefetch(reinterpret_cast<const void*>(next + at));
    for (uint64_t part = 0; part < kLine; part += kStoreBytes) {
      StoreVector value;
      __builtin_memcpy(&value, src + at + part, sizeof(value));
      __builtin_nontemporal_store(value, reinterpret_cast<StoreVector*>(dst + at + part));
    }
  }
  __builtin_memcpy(dst + at, src + at, bytes - at);
}

ASCENDC_TWIN_INLINE void MoveIn(uint8_t* ub, const uint8_t* gm, uint64_t bytes) {
  CountRead(bytes);
  if (kStreamBytes != 0 && bytes >= kStreamBytes) {
    NoteRead(gm + bytes, bytes);
  }
  __builtin_memcpy(ub, gm, bytes);
}

ASCENDC_TWIN_INLINE void MoveOut(uint8_t* gm, const uint8_t* ub, uint64_t bytes) {
  CountWritten(bytes);
  if (__builtin_expect(State().atomic_op != kAtomicNone, 0)) {
    AtomicStore(gm, ub, bytes);
  } else if (kStreamBytes != 0 && bytes >= kStreamBytes) {
    StreamCopy(gm, ub, bytes);
  } else {
    __builtin_memcpy(gm, ub, bytes);
  }
}

// Overlap is not an instruction's business, but must not depend on the host.
ASCENDC_TWIN_INLINE void MoveWithin(uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  __builtin_memmove(dst, src, bytes);
}

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_TRANSFER_H_
