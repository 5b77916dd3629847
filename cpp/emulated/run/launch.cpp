#include "launch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

namespace apsp_emulated {

namespace {

using Clock = std::chrono::steady_clock;

// A launch that takes longer than this is shared with other cores: starting a thread takes about as long.
constexpr auto kShareAfter = std::chrono::microseconds(200);

// Between two questions whether the launch is cancelled.
constexpr auto kAskAfter = std::chrono::milliseconds(50);

// Blocks that no launch uses now: their stacks are memory that is touched already.
class Pool {
 public:
  std::unique_ptr<Block> take() {
    const std::lock_guard lock(mutex_);
    if (blocks_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> block = std::move(blocks_.back());
    blocks_.pop_back();
    return block;
  }
  void give_back(std::unique_ptr<Block> block) {
    const std::lock_guard lock(mutex_);
    blocks_.push_back(std::move(block));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

Pool& pool() {
  static Pool* const one = new Pool;  // threads may still use it while the process ends
  return *one;
}

class Grid {
 public:
  explicit Grid(const Launch& launch)
      : launch_(launch),
        count_(static_cast<std::int64_t>(launch.grid.x) * launch.grid.y * launch.grid.z),
        threads_(launch.block.x * launch.block.y * launch.block.z) {}

  Index run() {
    const auto start = Clock::now();
    std::vector<std::thread> helpers;
    bool is_shared = launch_.cores < 2;
    auto last = start;
    work([&] {
      const auto now = Clock::now();
      if (launch_.is_cancelled && now - last > kAskAfter) {
        last = now;
        if (launch_.is_cancelled()) next_.store(count_, std::memory_order_relaxed);
      }
      if (is_shared || now - start < kShareAfter) return;
      is_shared = true;
      for (int core = 1; core < launch_.cores && next_.load(std::memory_order_relaxed) < count_; ++core) try {
          helpers.emplace_back([this] { work([] {}); });
        } catch (const std::system_error&) {
          break;  // the system refuses another thread: those there are do the work
        }
    });
    for (std::thread& helper : helpers) helper.join();
    if (is_out_of_memory_) throw std::bad_alloc();
    return stuck_;
  }

 private:
  // An exception must leave neither a thread of the CPU nor `run` before all threads have joined.
  template <class AfterBlock>
  void work(const AfterBlock& after_block) {
    try {
      std::unique_ptr<Block> block = pool().take();
      work_on(*block, after_block);
      pool().give_back(std::move(block));
    } catch (const std::bad_alloc&) {
      is_out_of_memory_ = true;
      next_.store(count_, std::memory_order_relaxed);
    }
  }

  template <class AfterBlock>
  void work_on(Block& block, const AfterBlock& after_block) {
    here.grid_size = launch_.grid;
    here.block_size = launch_.block;
    for (;;) {
      const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= count_) return;
      here.block = {static_cast<int>(number % launch_.grid.x),
                    static_cast<int>(number / launch_.grid.x % launch_.grid.y),
                    static_cast<int>(number / launch_.grid.x / launch_.grid.y)};
      if (!block.run(threads_, launch_.kernel->call, launch_.arguments, launch_.order, launch_.observer)) {
        const std::lock_guard lock(mutex_);
        stuck_ = here.block;
        next_.store(count_, std::memory_order_relaxed);
        return;
      }
      after_block();
    }
  }

  const Launch& launch_;
  const std::int64_t count_;
  const int threads_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> is_out_of_memory_{false};
  std::mutex mutex_;
  Index stuck_{-1, -1, -1};
};

}  // namespace

std::vector<Kernel>& registry() {
  static std::vector<Kernel> all;
  return all;
}

Registration::Registration(const Kernel& kernel) { registry().push_back(kernel); }

Index run(const Launch& launch) { return Grid(launch).run(); }

}  // namespace apsp_emulated
