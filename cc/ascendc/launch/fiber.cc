// The switch saves what the platform's C calling convention lets a callee keep: System V x86-64 and
// AAPCS64. Floating point control registers are left alone, since nothing here changes them.
#include "cc/ascendc/launch/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

extern "C" {
// Saves the callee-saved registers and the stack pointer to *save, then continues from `load`.
void attnres_fiber_switch(void** save, void* load);
// Where a fresh fiber begins: calls the function with its argument, both taken from saved
// registers. Its frame has no caller, and says so to debuggers.
void attnres_fiber_begin();
}

#if defined(__x86_64__)
asm(R"(
.text
.globl attnres_fiber_switch
.hidden attnres_fiber_switch
.type attnres_fiber_switch,@function
attnres_fiber_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size attnres_fiber_switch, .-attnres_fiber_switch

.globl attnres_fiber_begin
.hidden attnres_fiber_begin
.type attnres_fiber_begin,@function
attnres_fiber_begin:
  .cfi_startproc
  .cfi_undefined rip
  movq %rbx, %rdi
  callq *%r12
  ud2
  .cfi_endproc
.size attnres_fiber_begin, .-attnres_fiber_begin
)");
#elif defined(__aarch64__)
asm(R"(
.text
.globl attnres_fiber_switch
.hidden attnres_fiber_switch
.type attnres_fiber_switch,%function
attnres_fiber_switch:
  sub sp, sp, #160
  stp x19, x20, [sp, #0]
  stp x21, x22, [sp, #16]
  stp x23, x24, [sp, #32]
  stp x25, x26, [sp, #48]
  stp x27, x28, [sp, #64]
  stp x29, x30, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp x19, x20, [sp, #0]
  ldp x21, x22, [sp, #16]
  ldp x23, x24, [sp, #32]
  ldp x25, x26, [sp, #48]
  ldp x27, x28, [sp, #64]
  ldp x29, x30, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  add sp, sp, #160
  ret
.size attnres_fiber_switch, .-attnres_fiber_switch

.globl attnres_fiber_begin
.hidden attnres_fiber_begin
.type attnres_fiber_begin,%function
attnres_fiber_begin:
  .cfi_startproc
  .cfi_undefined x30
  mov x0, x19
  blr x20
  brk #0
  .cfi_endproc
.size attnres_fiber_begin, .-attnres_fiber_begin
)");
#else
#error "attnres_fiber_switch is written for x86-64 and aarch64"
#endif

namespace attnres::launch {

namespace {

// Order of the words that attnres_fiber_switch pops, lowest address first.
#if defined(__x86_64__)
enum SavedWord {
  kR15,
  kR14,
  kR13,
  kFunction,
  kArgument,
  kFramePointer,
  kReturnAddress,
  kSavedWords
};
#else
enum SavedWord { kArgument, kFunction, kFramePointer = 10, kReturnAddress = 11, kSavedWords = 20 };
#endif

}  // namespace

Fiber::~Fiber() {
  if (mapping_ != nullptr) {
    munmap(mapping_, mapping_bytes_);
  }
}

bool Fiber::Allocate(size_t stack_bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = (stack_bytes + page - 1) / page * page + page;
  void* mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) {
    return false;
  }
  mprotect(mapping, page, PROT_NONE);
  mapping_ = mapping;
  mapping_bytes_ = bytes;
  return true;
}

void Fiber::Start(Function function, void* argument) {
  // The pops leave the stack pointer at the mapping's end, which both conventions want aligned to
  // 16 for a call.
  auto* top = reinterpret_cast<uintptr_t*>(static_cast<char*>(mapping_) + mapping_bytes_);
  uintptr_t* words = top - kSavedWords;
  for (int i = 0; i < kSavedWords; ++i) {
    words[i] = 0;
  }
  words[kFunction] = reinterpret_cast<uintptr_t>(function);
  words[kArgument] = reinterpret_cast<uintptr_t>(argument);
  words[kReturnAddress] = reinterpret_cast<uintptr_t>(&attnres_fiber_begin);
  fiber_stack_ = words;
}

void Fiber::Resume() { attnres_fiber_switch(&thread_stack_, fiber_stack_); }

void Fiber::Suspend() { attnres_fiber_switch(&fiber_stack_, thread_stack_); }

}  // namespace attnres::launch
