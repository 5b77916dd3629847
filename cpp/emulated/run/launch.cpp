#include "launch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#endif

#include "own_memory.hpp"
#include "runtime/no_fork.hpp"

namespace apsp_emulated {

namespace {

using Clock = std::chrono::steady_clock;

// A launch that takes longer than this is shared with other cores: starting a thread takes about as long.
constexpr auto kShareAfter = std::chrono::microseconds(200);

// Between two checks whether the launch is cancelled.
constexpr auto kAskAfter = std::chrono::milliseconds(50);

// Blocks that are not in use: the memory of their stacks has been touched already.
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
    try {
      blocks_.push_back(std::move(block));
    } catch (const std::bad_alloc&) {
      // The next launch creates a new one.
    }
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

// Never destroyed, since threads may still use it while the process ends. A forked process begins with an
// empty one: the thread that would unlock the other may be gone.
alignas(Pool) unsigned char pool_memory[sizeof(Pool)];
void make_pool() { new (pool_memory) Pool; }
[[maybe_unused]] const bool is_pool_made = [] {
  make_pool();
#if defined(__unix__) || defined(__APPLE__)
  pthread_atfork(nullptr, nullptr, &make_pool);
#endif
  return true;
}();
Pool& pool() { return *reinterpret_cast<Pool*>(pool_memory); }

class Grid {
 public:
  explicit Grid(const Launch& launch)
      : launch_(launch),
        count_(static_cast<std::int64_t>(launch.grid.x) * launch.grid.y * launch.grid.z),
        threads_(launch.block.x * launch.block.y * launch.block.z) {}

  Index run() {
    std::vector<std::thread> helpers;
    const auto start = Clock::now();
    bool is_shared = launch_.cores < 2;
    Asking watch(*this);
    work(watch, [&] {
      if (is_shared || Clock::now() - start < kShareAfter) return;
      is_shared = true;
      try {
        for (int core = 1; core < launch_.cores && next_.load(std::memory_order_relaxed) < count_; ++core) {
          const apsp::NoFork guard;
          helpers.emplace_back([this] { help(); });
        }
      } catch (const std::exception&) {
        // The system starts no more threads: the existing ones do the work.
      }
    });
    for (std::thread& helper : helpers) helper.join();
    if (error_) std::rethrow_exception(error_);
    return stuck_;
  }

 private:
  // Of the helping threads.
  class Told : public Watch {
   public:
    explicit Told(Grid& grid) : grid_(grid) {}
    bool stops() override { return grid_.is_stopped_.load(std::memory_order_relaxed); }

   protected:
    Grid& grid_;
  };

  // Of the launching thread, which checks from time to time whether the launch is cancelled.
  class Asking final : public Told {
   public:
    explicit Asking(Grid& grid) : Told(grid), last_(Clock::now()) {}
    bool stops() override {
      if (Told::stops()) return true;
      if (!grid_.launch_.is_cancelled || (!grid_.launch_.observer && ++calls_ % kCallsPerLook)) return false;
      const auto now = Clock::now();
      if (now - last_ < kAskAfter) return false;
      last_ = now;
      if (grid_.launch_.is_cancelled()) grid_.stop();
      return Told::stops();
    }

   private:
    static constexpr unsigned kCallsPerLook = 32;  // of the watch, unless accesses are counted
    Clock::time_point last_;
    unsigned calls_ = 0;
  };

  void stop() {
    is_stopped_.store(true, std::memory_order_relaxed);
    next_.store(count_, std::memory_order_relaxed);
  }

  void help() {
    if (!has_own_memory()) return;  // too little memory for another thread: the existing ones do the work
    Told watch(*this);
    work(watch, [] {});
  }

  // An exception must leave neither a thread of the CPU nor `run` before all threads have joined.
  template <class AfterBlock>
  void work(Watch& watch, const AfterBlock& after_block) {
    try {
      std::unique_ptr<Block> block = pool().take();
      work_on(*block, watch, after_block);
      pool().give_back(std::move(block));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      stop();
    }
  }

  template <class AfterBlock>
  void work_on(Block& block, Watch& watch, const AfterBlock& after_block) {
    here.grid_size = launch_.grid;
    here.block_size = launch_.block;
    for (;;) {
      const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
      if (number >= count_) return;
      here.block = {static_cast<int>(number % launch_.grid.x),
                    static_cast<int>(number / launch_.grid.x % launch_.grid.y),
                    static_cast<int>(number / launch_.grid.x / launch_.grid.y)};
      const Outcome outcome = block.run(threads_, launch_.kernel->call, launch_.arguments, launch_.order,
                                        launch_.observer, watch);
      if (outcome == Outcome::stuck) {
        const std::lock_guard lock(mutex_);
        stuck_ = here.block;
        stop();
      }
      if (outcome != Outcome::ended) return;
      after_block();
    }
  }

  const Launch& launch_;
  const std::int64_t count_;
  const int threads_;
  std::atomic<std::int64_t> next_{0};
  std::atomic<bool> is_stopped_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  Index stuck_{-1, -1, -1};
};

}  // namespace

std::vector<Kernel>& registry() {
  static std::vector<Kernel> all;
  return all;
}

Registration::Registration(const Kernel& kernel) { registry().push_back(kernel); }

Index run(const Launch& launch) {
  if (!has_own_memory()) throw std::bad_alloc();
  return Grid(launch).run();
}

}  // namespace apsp_emulated
