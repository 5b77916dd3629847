#include "runtime/team.hpp"

#include <algorithm>
#include <chrono>

#include "runtime/no_fork.hpp"
#include "runtime/ready_to_throw.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace apsp {
namespace {

// The parts of the gate. Rounds are counted modulo 2^19: a worker that sleeps through so many misses one
// more.
constexpr std::uint32_t kInside = (1U << 12) - 1;
constexpr std::uint32_t kOpen = 1U << 12;
constexpr std::uint32_t kRound = 1U << 13;
constexpr std::uint32_t round_of(std::uint32_t gate) { return gate / kRound; }

constexpr int kSpins = 4096;  // some microseconds: no sleep between rounds that follow each other closely

void relax_cpu() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Sleeps while the value is `old`.
void sleep_while(const std::atomic<std::uint32_t>& value, std::uint32_t old) noexcept {
#if defined(_WIN32) && defined(__GLIBCXX__)
  // Without futexes, this library looks at the value before it takes the lock under which it sleeps: what is
  // notified in between is missed.
  while (value.load(std::memory_order_acquire) == old)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
#else
  value.wait(old, std::memory_order_acquire);
#endif
}

// Returns the value once it is no longer `old`.
std::uint32_t changed(const std::atomic<std::uint32_t>& value, std::uint32_t old) noexcept {
  for (int spin = 0; spin < kSpins; ++spin) {
    const std::uint32_t now = value.load(std::memory_order_acquire);
    if (now != old) return now;
    relax_cpu();
  }
  sleep_while(value, old);
  return value.load(std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) {
  threads = std::clamp(threads, 1, static_cast<int>(kInside));
  workers_.reserve(static_cast<std::size_t>(threads - 1));
  try {
    for (int member = 1; member < threads && has_room_for_thread(); ++member) {
      const NoFork guard;
      workers_.emplace_back([this, member] { serve(member); });
    }
  } catch (const std::exception&) {
    // The system starts no more threads, for example for lack of memory: a smaller team does the same work.
  }
}

Team::~Team() {
  closing_.store(true, std::memory_order_relaxed);
  gate_.fetch_add(kRound, std::memory_order_release);
  gate_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Team::work(int member) {
  try {
    for (;;) {
      const std::int64_t index = next_.fetch_add(1, std::memory_order_relaxed);
      if (index >= count_) return;
      (*body_)(index, member);
    }
  } catch (...) {
    next_.store(count_, std::memory_order_relaxed);
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::current_exception();
  }
}

void Team::serve(int member) {
  ready_to_throw();
  std::uint32_t gate = 0, served = 0;
  for (;;) {
    if ((gate & kOpen) == 0 || round_of(gate) == served) {
      if (closing_.load(std::memory_order_relaxed)) return;
      gate = changed(gate_, gate);
      continue;
    }
    if (!gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acquire)) continue;
    served = round_of(gate);
    work(member);
    gate = gate_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    if ((gate & (kInside | kOpen)) != 0) continue;
    emptied_.fetch_add(1, std::memory_order_release);
    emptied_.notify_one();
  }
}

// Only while no worker is inside.
void Team::open_round() {
  const std::uint32_t gate = gate_.load(std::memory_order_relaxed);
  gate_.store((gate + kRound) | kOpen, std::memory_order_release);
  gate_.notify_all();
}

// Returns when the workers that entered have left. The others do not enter any more.
void Team::close_round() {
  gate_.fetch_and(~kOpen, std::memory_order_acq_rel);
  for (std::uint32_t before = emptied_.load(std::memory_order_acquire);
       (gate_.load(std::memory_order_acquire) & kInside) != 0;)
    before = changed(emptied_, before);
}

void Team::parallel_for(std::int64_t count, Body body) {
  if (count <= 0) return;
  body_ = &body;
  count_ = count;
  error_ = nullptr;
  next_.store(0, std::memory_order_relaxed);
  const bool shared = !workers_.empty() && count > 1;
  if (shared) open_round();
  work(0);
  if (shared) close_round();
  if (error_) std::rethrow_exception(error_);
}

}  // namespace apsp
