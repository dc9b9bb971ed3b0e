// The core that the running kernel executes on: which block it is, its byte counters, and how it
// ends with an error. AscendcTwinEntry below makes a kernel function into what the engine launches.
#ifndef CC_ASCENDC_MEMBASE_CORE_H_
#define CC_ASCENDC_MEMBASE_CORE_H_

#include <type_traits>
#include <utility>

#include "cc/ascendc/launch/kernel_abi.h"
#include "cc/ascendc/membase/read_ahead.h"
#include "cc/ascendc/membase/target.h"
#include "cc/ascendc/membase/vector/state.h"

ASCENDC_TWIN_BEGIN

class TPipe;

namespace twin {

// Makes non-temporal stores of copy.h visible to other threads.
ASCENDC_TWIN_INLINE void DrainStores() {
#if defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

// What copies to global memory do with what is there: of atomic.h.
struct AtomicMode {
  uint8_t operation = 0;
  uint8_t type = 0;
};

// What a core's kernel needs beyond the shared ABI. It lives in the frame of the entry thunk.
struct CoreState {
  AscendcTwinCore* core = nullptr;
  TPipe* pipe = nullptr;
  AtomicMode atomic;
  bool atomics_ordered = false;  // this core's turn for atomics has come since the last SyncAll
  VectorState vector;
  ReadAhead read_ahead;
#if ASCENDC_TWIN_OBSERVED
  AscendcTwinPlace place = {nullptr, 0, 0};  // of the instruction being issued; see place.h
  uint32_t place_depth = 0;
#endif
};

// What State is where no kernel runs: instructions work without a core, as in their unit tests.
inline CoreState no_core;

// Per thread, because a fiber stays on the thread that began it. Other cores use the thread while
// one waits for them, so whatever can wait sets it again. initial-exec keeps an access at one load;
// a pointer fits in what the loader reserves.
inline __attribute__((visibility("hidden"),
                      tls_model("initial-exec"))) thread_local CoreState* current = &no_core;

ASCENDC_TWIN_INLINE CoreState& State() { return *current; }
ASCENDC_TWIN_INLINE AscendcTwinCore* Core() { return current->core; }

// Tells the observer, if there is one, of a rule that was broken: `category` as observer_abi.h
// says, `message` one sentence, what was got and what was expected.
inline void Violation(const char* category, const char* message) {
#if ASCENDC_TWIN_OBSERVED
  AscendcTwinCore* core = Core();
  if (core->observer != nullptr && core->observer->violation != nullptr) {
    core->observer->violation(core, category, message, &State().place);
  }
#else
  (void)category;
  (void)message;
#endif
}

// Ends the core and fails the launch: a broken rule after which the kernel cannot go on.
[[noreturn]] inline void Fail(const char* message, const char* category = "synchronisation") {
  Violation(category, message);
  AscendcTwinCore* core = Core();
  core->fail(core, message);
  __builtin_unreachable();
}

// Write text or a decimal number at `end` of a message and return the new end.
inline char* AppendText(char* end, const char* text) {
  while (*text != 0) {
    *end++ = *text++;
  }
  return end;
}
inline char* AppendNumber(char* end, uint64_t number) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  while (count > 0) {
    *end++ = digits[--count];
  }
  return end;
}

[[noreturn]] inline void FailUbOverflow(uint64_t wanted) {
  char message[128];
  char* end = AppendText(message, "InitBuffer needs ");
  end = AppendNumber(end, wanted);
  end = AppendText(end, " bytes of Unified Buffer, the core has ");
  end = AppendNumber(end, Core()->ub_bytes);
  *end = 0;
  Fail(message, "memory");
}

// Calls a function of the engine that may let other cores run on this thread.
template <typename Call>
ASCENDC_TWIN_INLINE void Waiting(Call call) {
  CoreState* const state = current;
  DrainStores();
  call(state->core);
  current = state;
}

inline void SyncAllCores() {
  Waiting([](AscendcTwinCore* core) { core->sync_all(core); });
  State().atomics_ordered = false;
}

ASCENDC_TWIN_INLINE void CountRead(uint64_t bytes) { Core()->gm_bytes_read += bytes; }
ASCENDC_TWIN_INLINE void CountWritten(uint64_t bytes) { Core()->gm_bytes_written += bytes; }

template <typename Parameter>
ASCENDC_TWIN_INLINE Parameter ReadArgument(void* argument) {
  if constexpr (std::is_pointer<Parameter>::value) {
    return static_cast<Parameter>(argument);
  } else {
    static_assert(std::is_trivially_copyable<Parameter>::value,
                  "a kernel parameter is a pointer or plain data");
    Parameter value;
    __builtin_memcpy(&value, argument, sizeof(value));
    return value;
  }
}

template <typename... Parameters, size_t... I>
ASCENDC_TWIN_INLINE void CallKernel(void (*kernel)(Parameters...), void* const* args,
                                    std::index_sequence<I...>) {
  (void)args;  // unused by a kernel without parameters
  kernel(ReadArgument<std::remove_cv_t<Parameters>>(args[I])...);
}

template <typename... Parameters>
ASCENDC_TWIN_INLINE void CallKernel(void (*kernel)(Parameters...), void* const* args) {
  CallKernel(kernel, args, std::index_sequence_for<Parameters...>{});
}

}  // namespace twin

ASCENDC_TWIN_END

// The AscendcTwinKernelEntry of a kernel function, e.g. AscendcTwinEntry<&add_custom> or
// AscendcTwinEntry<&op<0>>.
template <auto kKernel>
void AscendcTwinEntry(AscendcTwinCore* core, void* const* args) {
  AscendC::twin::CoreState state;
  state.core = core;
  AscendC::twin::current = &state;
#if ASCENDC_TWIN_OBSERVED
  const AscendcTwinObserver* const observer = core->observer;
  if (observer != nullptr && observer->begin != nullptr) {
    observer->begin(core);
  }
  AscendC::twin::CallKernel(kKernel, args);
  if (observer != nullptr && observer->end != nullptr) {
    observer->end(core);
  }
#else
  AscendC::twin::CallKernel(kKernel, args);
#endif
  AscendC::twin::DrainStores();
}

#endif  // CC_ASCENDC_MEMBASE_CORE_H_
