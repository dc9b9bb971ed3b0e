// What an observed kernel says about an instruction before it runs; see instruct.h.
#ifndef CC_ASCENDC_MEMBASE_DESCRIPTION_H_
#define CC_ASCENDC_MEMBASE_DESCRIPTION_H_

#include <stdlib.h>

#include "cc/ascendc/membase/core.h"

ASCENDC_TWIN_BEGIN

namespace twin {

class Description {
 public:
  Description(const char* name, uint8_t pipe, const AscendcTwinPlace& place) {
    instruction_.name = name;
    instruction_.place = place;
    instruction_.pipe = pipe;
  }
  ~Description() {
    if (accesses_ != inline_) {
      free(accesses_);
    }
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  // `elements` at `data` in UB, which the instruction wants aligned to `alignment` bytes.
  template <typename T>
  void Read(const char* operand, const T* data, uint64_t elements, uint16_t alignment = 32) {
    Access(operand, data, elements * sizeof(T), alignment, false, false);
  }
  template <typename T>
  void Write(const char* operand, T* data, uint64_t elements, uint16_t alignment = 32) {
    Access(operand, data, elements * sizeof(T), alignment, true, false);
  }
  void ReadGm(const char* operand, const void* data, uint64_t bytes, uint16_t alignment = 1) {
    Access(operand, data, bytes, alignment, false, true);
  }
  void WriteGm(const char* operand, void* data, uint64_t bytes, uint16_t alignment = 1) {
    Access(operand, data, bytes, alignment, true, true);
  }

  // All of the above; `data` in UB or global memory.
  void Access(const char* operand, const void* data, uint64_t bytes, uint16_t alignment,
              bool is_write, bool is_gm) {
    if (bytes == 0) {
      return;
    }
    const uint64_t address = reinterpret_cast<uint64_t>(data);
    if (count_ > 0) {
      AscendcTwinAccess& last = accesses_[count_ - 1];
      // Runs of one operand that follow each other are one.
      if (last.operand == operand && last.address + last.bytes == address &&
          last.is_write == (is_write ? 1 : 0)) {
        last.bytes += bytes;
        return;
      }
    }
    if (count_ == capacity_) {
      Grow();
    }
    accesses_[count_++] = {address,
                           bytes,
                           operand,
                           alignment,
                           static_cast<uint8_t>(is_write ? 1 : 0),
                           static_cast<uint8_t>(is_gm ? 1 : 0)};
  }

  // What it costs.
  void Work(uint64_t elements, uint32_t repeats, uint32_t element_bytes) {
    instruction_.elements = elements;
    instruction_.repeats = repeats;
    instruction_.element_bytes = static_cast<uint8_t>(element_bytes);
  }
  void Discovers() { instruction_.discovers = 1; }
  void Atomic(bool atomic) { instruction_.is_atomic = atomic ? 1 : 0; }

  // Reports the sentence unless the rule holds.
  void Require(bool holds, const char* message) {
    if (!holds) {
      Violation("memory", message);
    }
  }

  void Issue(const AscendcTwinObserver* observer, void (*run)(const void*), const void* closure,
             uint32_t closure_bytes) {
    instruction_.accesses = accesses_;
    instruction_.access_count = count_;
    instruction_.run = run;
    instruction_.closure = closure;
    instruction_.closure_bytes = closure_bytes;
    observer->issue(Core(), &instruction_);
  }

 private:
  static constexpr uint32_t kInline = 32;

  void Grow() {
    auto* larger =
        static_cast<AscendcTwinAccess*>(malloc(2 * capacity_ * sizeof(AscendcTwinAccess)));
    if (larger == nullptr) {
      Fail("no memory for the description of an instruction");
    }
    __builtin_memcpy(larger, accesses_, count_ * sizeof(AscendcTwinAccess));
    if (accesses_ != inline_) {
      free(accesses_);
    }
    accesses_ = larger;
    capacity_ *= 2;
  }

  AscendcTwinInstruction instruction_ = {};
  AscendcTwinAccess inline_[kInline];
  AscendcTwinAccess* accesses_ = inline_;
  uint32_t count_ = 0;
  uint32_t capacity_ = kInline;
};

}  // namespace twin

ASCENDC_TWIN_END

#endif  // CC_ASCENDC_MEMBASE_DESCRIPTION_H_
