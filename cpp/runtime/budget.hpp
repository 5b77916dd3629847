// The bytes that the threads of a computation may take together.
#pragma once
#include <atomic>
#include <cstdint>
#include <new>

namespace apsp {

class Budget {
 public:
  explicit Budget(std::int64_t bytes) : left_(bytes) {}

  void take(std::int64_t bytes) {
    if (left_.fetch_sub(bytes, std::memory_order_relaxed) < bytes) throw std::bad_alloc();
  }
  void give_back(std::int64_t bytes) noexcept { left_.fetch_add(bytes, std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> left_;
};

}  // namespace apsp
