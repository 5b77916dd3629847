#include "fiber.hpp"

#include <sys/mman.h>
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

#include <cstdint>
#include <new>

namespace apsp_emulated {

namespace {

constexpr std::size_t kLargePage = 2 << 20;

}  // namespace

Stacks::~Stacks() {
  abandon();
  if (mapped_) munmap(mapped_, bytes_ + kLargePage);
}

void Stacks::reserve(int count) {
  const std::size_t wanted = static_cast<std::size_t>(count) * kBytes;
  if (wanted <= bytes_) return;
  void* memory =
      mmap(nullptr, wanted + kLargePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  abandon();
  if (mapped_) munmap(mapped_, bytes_ + kLargePage);
  mapped_ = static_cast<char*>(memory);
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  memory_ = mapped_ + (kLargePage - address % kLargePage) % kLargePage;
  bytes_ = wanted;
#if defined(MADV_HUGEPAGE)
  madvise(memory_, bytes_,
          MADV_HUGEPAGE);  // threads of a block touch all stacks in turn: few pages are faster
#endif
}

void Stacks::abandon() {
#if defined(__SANITIZE_ADDRESS__)
  // Functions of fibers do not return: the space between their variables is still guarded.
  if (mapped_) __asan_unpoison_memory_region(memory_, bytes_);
#endif
}

}  // namespace apsp_emulated

// The name of a function in assembly.
#if defined(__APPLE__)
#define APSP_SYMBOL(name) "_" #name
#else
#define APSP_SYMBOL(name) #name
#endif

#if defined(__x86_64__)

// Saves what a call must preserve on the stack, exchanges stack pointers and takes back what the other saved.
extern "C" void apsp_emulated_start();
asm(".text\n"
    ".globl " APSP_SYMBOL(apsp_emulated_switch) "\n" APSP_SYMBOL(apsp_emulated_switch) ":\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n"
    "  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n"
    "  popq %rcx\n"
    "  jmpq *%rcx\n"  // not ret, whose target the processor would mispredict
    ".globl " APSP_SYMBOL(apsp_emulated_start) "\n" APSP_SYMBOL(apsp_emulated_start) ":\n"
    "  movq %r13, %rdi\n"
    "  callq *%r12\n"
    "  ud2\n");

namespace apsp_emulated {

void* Stacks::begin(int number, void (*entry)(void*), void* argument) const {
  auto* top = reinterpret_cast<std::uintptr_t*>(top_of(number));
  *--top = 0;  // the stack is a multiple of 16 bytes before the call in apsp_emulated_start
  *--top = 0;
  *--top = reinterpret_cast<std::uintptr_t>(&apsp_emulated_start);
  *--top = 0;                                           // rbp
  *--top = 0;                                           // rbx
  *--top = reinterpret_cast<std::uintptr_t>(entry);     // r12
  *--top = reinterpret_cast<std::uintptr_t>(argument);  // r13
  *--top = 0;                                           // r14
  *--top = 0;                                           // r15
  return top;
}

}  // namespace apsp_emulated

#elif defined(__aarch64__)

extern "C" void apsp_emulated_start();
asm(".text\n"
    ".p2align 2\n"
    ".globl " APSP_SYMBOL(apsp_emulated_switch) "\n" APSP_SYMBOL(apsp_emulated_switch) ":\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp, #0]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n"
    "  stp x25, x26, [sp, #48]\n  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
    "  ldp x19, x20, [sp, #0]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n"
    "  ldp x25, x26, [sp, #48]\n  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n  ret\n"
    ".p2align 2\n"
    ".globl " APSP_SYMBOL(apsp_emulated_start) "\n" APSP_SYMBOL(apsp_emulated_start) ":\n"
    "  mov x0, x20\n  blr x19\n  brk #1\n");

namespace apsp_emulated {

void* Stacks::begin(int number, void (*entry)(void*), void* argument) const {
  char* top = top_of(number) - 160;
  auto* saved = reinterpret_cast<std::uintptr_t*>(top);
  for (int i = 0; i < 20; ++i) saved[i] = 0;
  saved[0] = reinterpret_cast<std::uintptr_t>(entry);                  // x19
  saved[1] = reinterpret_cast<std::uintptr_t>(argument);               // x20
  saved[11] = reinterpret_cast<std::uintptr_t>(&apsp_emulated_start);  // x30
  return top;
}

}  // namespace apsp_emulated

#else  // any other processor: the C library's contexts, which also save the signal mask and are slower
#include <ucontext.h>

namespace apsp_emulated {

namespace {

struct Context {
  ucontext_t saved;
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
};

thread_local Context scheduler_context;

void enter(unsigned high, unsigned low) {
  auto* context = reinterpret_cast<Context*>(static_cast<std::uintptr_t>(high) << 16 << 16 | low);
  context->entry(context->argument);
}

}  // namespace

}  // namespace apsp_emulated

extern "C" void apsp_emulated_switch(void** from, void* to) {
  using namespace apsp_emulated;
  if (!*from) *from = &scheduler_context;
  swapcontext(&static_cast<Context*>(*from)->saved, &static_cast<Context*>(to)->saved);
}

namespace apsp_emulated {

void* Stacks::begin(int number, void (*entry)(void*), void* argument) const {
  char* memory = memory_ + static_cast<std::size_t>(number) * kBytes;
  auto* context = new (memory) Context;  // at the low end of its own stack
  getcontext(&context->saved);
  context->entry = entry;
  context->argument = argument;
  context->saved.uc_stack.ss_sp = memory + 4096;
  context->saved.uc_stack.ss_size = kBytes - 4096;
  context->saved.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(context);
  makecontext(&context->saved, reinterpret_cast<void (*)()>(enter), 2,
              static_cast<unsigned>(address >> 16 >> 16), static_cast<unsigned>(address));
  return context;
}

}  // namespace apsp_emulated
#endif
