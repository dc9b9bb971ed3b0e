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

// Copies to global memory of at least this size bypass the host's cache: what a kernel writes is
// read by another core or the caller much later, and a normal store first reads the line it
// replaces. ASCENDC_TWIN_STREAM_BYTES=0 in a build turns that off.
#ifndef ASCENDC_TWIN_STREAM_BYTES
#define ASCENDC_TWIN_STREAM_BYTES 2048
#endif
constexpr uint64_t kStreamBytes = ASCENDC_TWIN_STREAM_BYTES;
constexpr uint64_t kStreamBlockBytes = 256;  // shorter blocks are mostly partial lines

#if defined(__AVX512F__)
constexpr uint64_t kStoreBytes = 64;
#else
constexpr uint64_t kStoreBytes = 32;
#endif
typedef uint8_t StoreVector __attribute__((vector_size(kStoreBytes)));

// memcpy with non-temporal stores; they are ordered for other threads by DrainStores.
inline void StreamCopy(uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  constexpr uint64_t kLine = kHostLineBytes;
  const uint64_t head = (kLine - reinterpret_cast<uintptr_t>(dst) % kLine) % kLine;
  __builtin_memcpy(dst, src, head);
  uint64_t at = head;
  ReadAhead read_ahead = State().read_ahead;
  for (; at + kLine <= bytes; at += kLine) {
    read_ahead.AskForLines(1);
    for (uint64_t part = 0; part < kLine; part += kStoreBytes) {
      StoreVector value;
      __builtin_memcpy(&value, src + at + part, sizeof(value));
      __builtin_nontemporal_store(value, reinterpret_cast<StoreVector*>(dst + at + part));
    }
  }
  State().read_ahead = read_ahead;
  __builtin_memcpy(dst + at, src + at, bytes - at);
}

ASCENDC_TWIN_INLINE void MoveIn(uint8_t* ub, const uint8_t* gm, uint64_t bytes) {
  CountRead(bytes);
  __builtin_memcpy(ub, gm, bytes);
}

// One block of an instruction that moves `instruction_bytes` in all.
ASCENDC_TWIN_INLINE void MoveOut(uint8_t* gm, const uint8_t* ub, uint64_t bytes,
                                 uint64_t instruction_bytes) {
  CountWritten(bytes);
  if (__builtin_expect(State().atomic.operation != kAtomicNone, 0)) {
    AtomicStore(gm, ub, bytes);
  } else if (kStreamBytes != 0 && instruction_bytes >= kStreamBytes && bytes >= kStreamBlockBytes) {
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
