#include "launch.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

namespace apsp_emulated {

namespace {

using Clock = std::chrono::steady_clock;

// A launch that takes longer than this is shared with other cores: starting a thread takes about as long.
constexpr auto kShareAfter = std::chrono::microseconds(200);

Block& own_block() {
  thread_local std::unique_ptr<Block> block = std::make_unique<Block>();
  return *block;
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
    work([&] {
      if (is_shared || Clock::now() - start < kShareAfter) return;
      is_shared = true;
      for (int core = 1; core < launch_.cores && next_.load(std::memory_order_relaxed) < count_; ++core) try {
          helpers.emplace_back([this] { work([] {}); });
        } catch (const std::system_error&) {
          break;  // the system refuses another thread: those there are do the work
        }
    });
    for (std::thread& helper : helpers) helper.join();
    return stuck_;
  }

 private:
  template <class AfterBlock>
  void work(const AfterBlock& after_block) {
    Block& block = own_block();
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
  std::mutex mutex_;
  Index stuck_{-1, -1, -1};
};

}  // namespace

std::vector<Kernel>& registry() {
  static std::vector<Kernel> all;
  return all;
}

Registration::Registration(const Kernel& kernel) { registry().push_back(kernel); }

const Stacks& own_stacks() { return own_block().stacks(); }

Index run(const Launch& launch) { return Grid(launch).run(); }

}  // namespace apsp_emulated
