// Enough of CUDA to run a kernel on the CPU. The threads of a block are fibers of one thread of the host:
// each runs until it waits, then the next does, in one order and then in the other. Blocks run one after
// another.
#pragma once
#include <setjmp.h>
#include <ucontext.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static thread_local

struct Place {
  int x, y;
};
struct int2 {
  int x, y;
};
inline thread_local Place threadIdx{}, blockIdx{}, blockDim{}, gridDim{};

namespace cuda_on_cpu {

constexpr int kWarp = 32, kStack = 64 << 10;
enum class State { ready, waits_for_warp, waits_for_block, done };

struct Fiber {
  jmp_buf place;
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(kStack);
  State state = State::done;
  bool begun = false;
};
struct Vote {
  bool running = false, counted = false;
};

inline thread_local std::vector<Fiber*> fibers;
inline thread_local std::vector<Vote> warp_votes;
inline thread_local Vote block_vote;
inline thread_local Fiber* current = nullptr;  // null while threads are called without fibers
inline thread_local jmp_buf scheduler;
inline thread_local void (*body)(void*) = nullptr;
inline thread_local void* body_argument = nullptr;
inline thread_local bool has_waited = false;

[[noreturn]] inline void fail(const char* why) {
  std::fprintf(stderr, "cuda_on_cpu: %s\n", why);
  std::abort();
}

inline void pause_as(State state) {
  if (!current) fail("a thread waits where the first one did not");
  Fiber* self = current;
  self->state = state;
  has_waited = true;
  if (!_setjmp(self->place)) _longjmp(scheduler, 1);
}

inline void live() {
  for (;;) {
    body(body_argument);
    Fiber* self = current;
    self->state = State::done;
    if (!_setjmp(self->place)) _longjmp(scheduler, 1);
  }
}

inline void resume(Fiber* fiber) {
  current = fiber;
  if (!_setjmp(scheduler)) {
    if (current->begun) _longjmp(current->place, 1);
    current->begun = true;
    getcontext(&current->context);
    current->context.uc_stack.ss_sp = current->stack.data();
    current->context.uc_stack.ss_size = kStack;
    current->context.uc_link = nullptr;
    makecontext(&current->context, live, 0);
    setcontext(&current->context);
  }
  current = nullptr;
}

inline bool wait_for_warp(bool claim) {
  const int warp = (threadIdx.y * blockDim.x + threadIdx.x) / kWarp;
  warp_votes[warp].running |= claim;
  pause_as(State::waits_for_warp);
  return warp_votes[warp].counted;
}

inline bool wait_for_block(bool claim) {
  block_vote.running |= claim;
  pause_as(State::waits_for_block);
  return block_vote.counted;
}

// Lets those among the threads [from, to) go on that wait, if all who are left do; tells whether it did.
inline bool release(int from, int to, State waiting, Vote& vote) {
  int left = 0;
  for (int t = from; t < to; ++t) {
    if (fibers[t]->state == State::done) continue;
    if (fibers[t]->state != waiting) return false;
    ++left;
  }
  for (int t = from; t < to; ++t)
    if (fibers[t]->state == waiting) fibers[t]->state = State::ready;
  if (left) vote = {false, vote.running};
  return left > 0;
}

inline void run_block(int threads) {
  for (int t = 0; t < threads; ++t) fibers[t]->state = State::ready;
  for (bool forward = true;; forward = !forward) {
    for (int i = 0; i < threads; ++i) {
      const int t = forward ? i : threads - 1 - i;
      threadIdx = {t % blockDim.x, t / blockDim.x};
      if (fibers[t]->state == State::ready) resume(fibers[t]);
    }
    bool released = false, left = false;
    for (int first = 0; first < threads; first += kWarp)
      released |= release(first, first + kWarp < threads ? first + kWarp : threads, State::waits_for_warp,
                          warp_votes[first / kWarp]);
    if (!released) released = release(0, threads, State::waits_for_block, block_vote);
    for (int t = 0; t < threads; ++t) left |= fibers[t]->state != State::done;
    if (!left) return;
    if (!released) fail("threads wait for each other for ever");
  }
}

inline void run_grid() {
  const int threads = blockDim.x * blockDim.y;
  while (static_cast<int>(fibers.size()) < threads) fibers.push_back(new Fiber);
  warp_votes.assign((threads + kWarp - 1) / kWarp, {});
  block_vote = {};
  has_waited = true;  // the first block runs in fibers, and tells whether the kernel waits at all
  for (int y = 0; y < gridDim.y; ++y)
    for (int x = 0; x < gridDim.x; ++x) {
      blockIdx = {x, y};
      if (has_waited) {
        has_waited = false;
        run_block(threads);
        continue;
      }
      for (int t = 0; t < threads; ++t) {
        threadIdx = {t % blockDim.x, t / blockDim.x};
        body(body_argument);
      }
    }
}

// Calls a kernel with arguments that lie at the given addresses; the number of the first argument of another
// size than the kernel's, or -1 for the right ones, or -2 if there are more or fewer.
template <class... Arguments>
int run(const int* shape, void (*kernel)(Arguments...), void** given, const int* sizes, int count) {
  if (count != static_cast<int>(sizeof...(Arguments))) return -2;
  const int wanted[] = {static_cast<int>(sizeof(Arguments))..., 0};
  for (int i = 0; i < count; ++i)
    if (wanted[i] != sizes[i]) return i;
  gridDim = {shape[0], shape[1]};
  blockDim = {shape[2], shape[3]};
  auto call = [&]<std::size_t... kNumber>(std::index_sequence<kNumber...>) {
    kernel(*static_cast<Arguments*>(given[kNumber])...);
  };
  auto all = [&] { call(std::index_sequence_for<Arguments...>{}); };
  body = [](void* argument) { (*static_cast<decltype(all)*>(argument))(); };
  body_argument = &all;
  run_grid();
  return -1;
}

}  // namespace cuda_on_cpu

inline void __syncthreads() { cuda_on_cpu::wait_for_block(false); }
inline int __syncthreads_or(int claim) { return cuda_on_cpu::wait_for_block(claim); }
inline void __syncwarp(unsigned = ~0u) { cuda_on_cpu::wait_for_warp(false); }
inline int __any_sync(unsigned, int claim) { return cuda_on_cpu::wait_for_warp(claim); }
template <class T>
T __shfl_up_sync(unsigned, T value, int delta) {  // of a block of one row of threads
  static thread_local T values[1024];
  values[threadIdx.x] = value;
  __syncwarp();
  const int lane = threadIdx.x % cuda_on_cpu::kWarp;
  const T found = lane >= delta ? values[threadIdx.x - delta] : value;
  __syncwarp();
  return found;
}
inline int __ffs(int bits) { return __builtin_ffs(bits); }

template <class To, class From>
To same_bits(From value) {
  To bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline int __float_as_int(float value) { return same_bits<int>(value); }
inline float __int_as_float(int value) { return same_bits<float>(value); }
inline long long __double_as_longlong(double value) { return same_bits<long long>(value); }
inline double __longlong_as_double(long long value) { return same_bits<double>(value); }

template <class T>
T max(T a, T b) {
  return a < b ? b : a;
}
template <class T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T atomicMin(T* at, T value) {
  return std::exchange(*at, min(*at, value));
}
template <class T>
T atomicMax(T* at, T value) {
  return std::exchange(*at, max(*at, value));
}
template <class T>
T atomicAdd(T* at, T value) {
  return std::exchange(*at, static_cast<T>(*at + value));
}
template <class T>
T atomicExch(T* at, T value) {
  return std::exchange(*at, value);
}

// Named in headers, called by no kernel that runs here.
unsigned __byte_perm(unsigned, unsigned, unsigned);
int __vimin3_s32(int, int, int);
unsigned __vimin3_u16x2(unsigned, unsigned, unsigned);

// Two values of 16 bits.
template <class Operation>
unsigned in_halves(unsigned a, unsigned b, const Operation& of) {
  return of(a & 0xffff, b & 0xffff) | of(a >> 16, b >> 16) << 16;
}
inline unsigned __vminu2(unsigned a, unsigned b) {
  return in_halves(a, b, [](unsigned x, unsigned y) { return x < y ? x : y; });
}
inline unsigned __vcmpgeu2(unsigned a, unsigned b) {
  return in_halves(a, b, [](unsigned x, unsigned y) { return x < y ? 0u : 0xffffu; });
}
