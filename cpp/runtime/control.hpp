// The state of a running computation: its progress, and whether it should stop.
// The kernels call advance() and check(); the caller (Python, or a test) reads done() and calls cancel().
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>

namespace apsp {

// Thrown by check() after cancel(); kernels let it pass through, so every buffer they own is released.
struct Cancelled : std::exception {
  const char* what() const noexcept override { return "the computation was cancelled"; }
};

class Control {
 public:
  void cancel() noexcept { cancelled_.store(true, std::memory_order_relaxed); }
  bool cancelled() const noexcept { return cancelled_.load(std::memory_order_relaxed); }

  // Throws Cancelled once cancel() was called. Call it at least every 100 ms of work on each thread.
  void check() const {
    if (cancelled()) throw Cancelled();
  }

  // `amount` of the units that the caller announced as the total are done.
  void advance(std::int64_t amount) noexcept { done_.fetch_add(amount, std::memory_order_relaxed); }
  std::int64_t done() const noexcept { return done_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
  std::atomic<std::int64_t> done_{0};
};

}  // namespace apsp
