#include "runtime/team.hpp"

#include "runtime/ready_to_throw.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace apsp {
namespace {

constexpr int kSpins = 4096;  // some microseconds: no sleep between rounds that follow each other closely

void relax_cpu() noexcept {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Returns once value != old.
void wait_while_equal(const std::atomic<std::uint32_t>& value, std::uint32_t old) noexcept {
  for (int spin = 0; spin < kSpins; ++spin) {
    if (value.load(std::memory_order_acquire) != old) return;
    relax_cpu();
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

Team::Team(int threads) {
  workers_.reserve(threads > 1 ? threads - 1 : 0);
  try {
    for (int member = 1; member < threads && has_room_for_thread(); ++member)
      workers_.emplace_back([this, member] { serve(member); });
  } catch (const std::exception&) {
    // The system starts no more threads, for example for lack of memory: a smaller team does the same work.
  }
}

Team::~Team() {
  closing_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
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
  std::uint32_t seen = 0;
  for (;;) {
    wait_while_equal(round_, seen);
    ++seen;  // rounds advance one at a time: a new one starts only after all members left the last
    if (closing_.load(std::memory_order_relaxed)) return;
    work(member);
    if (pending_.fetch_sub(1, std::memory_order_acq_rel) == 1) pending_.notify_one();
  }
}

void Team::parallel_for(std::int64_t count, const std::function<void(std::int64_t, int)>& body) {
  if (count <= 0) return;
  body_ = &body;
  count_ = count;
  error_ = nullptr;
  next_.store(0, std::memory_order_relaxed);
  const bool shared = !workers_.empty() && count > 1;
  if (shared) {
    pending_.store(static_cast<std::uint32_t>(workers_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }
  work(0);
  if (shared) {
    for (std::uint32_t left; (left = pending_.load(std::memory_order_acquire)) != 0;)
      wait_while_equal(pending_, left);
  }
  if (error_) std::rethrow_exception(error_);
}

}  // namespace apsp
