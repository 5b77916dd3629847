// Counts what the threads of a launch do. Each thread leaves a trace of events; at every barrier, and at the
// end, the traces of a warp are laid side by side: the k-th time that each of its threads executes an
// instruction since the last barrier belongs to one warp access. Where threads leave a branch by different
// ways the branch diverges; they meet again at the instructions that they all execute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../run/block.hpp"
#include "coalescing.hpp"
#include "counts.hpp"
#include "races.hpp"

namespace apsp_emulated {

enum class Kind : std::uint8_t { load, store, atomic, branch };

class Trace final : public Observer {
 public:
  // Memory that belongs to this library: shared variables lie there.
  struct Range {
    const char *from = nullptr, *to = nullptr;
    bool contains(const void* at) const { return at >= from && at < to; }
  };

  // `arguments`: where the arguments of the launch lie, which are no accesses of the kernel either.
  Trace(Range shared, const Stacks& stacks, const void* arguments)
      : shared_(shared), arguments_{static_cast<const char*>(arguments) - kMostArgumentBytes, static_cast<const char*>(arguments) + 256 * sizeof(void*)}, stacks_(stacks) {}

  // An event of the thread that runs now; `where` is the instruction.
  void event(Kind kind, const void* address, int size, const void* where);

  const Counts& counts() const { return counts_; }
  const std::vector<Race>& races() const { return races_.found(); }

  void begin_block(int threads) override;
  void begin_thread(int thread) override { thread_ = thread; }
  void end_thread(int thread) override;
  void pass_warp_barrier(int warp) override;
  void pass_block_barrier() override;
  void end_block() override;

 private:
  struct Event {
    std::uint64_t address;
    std::uint32_t site;
    std::uint8_t size;
    Kind kind;
    bool is_shared;
  };
  struct Branch {
    std::uint32_t target = 0;
    bool diverges = false, is_taken = false;
  };
  // What a warp does at one instruction: an access, or a way out of a branch, for each time it is executed.
  struct Site {
    const void* where = nullptr;
    std::uint32_t times = 0;  // that the thread that is looked at has executed it
    Event sample{};
    std::vector<Access> accesses;
    std::vector<Branch> branches;
  };

  std::uint32_t site_of(const void* where);
  void lay_side_by_side(int warp, bool is_end);
  void leave_branch(std::uint32_t site, std::uint32_t time, std::uint32_t target);
  void count(const Site& site);

  static constexpr std::uint32_t kTableSize = 1 << 14, kBarrier = 0, kEnd = 1;

  Range shared_, arguments_;
  const Stacks& stacks_;
  Counts counts_;
  Races races_;
  int thread_ = 0, threads_ = 0;
  std::vector<std::vector<Event>> events_;  // of each thread of the block since its last barrier
  std::vector<bool> has_ended_;
  std::vector<Site> sites_{2};
  std::vector<std::uint32_t> table_ = std::vector<std::uint32_t>(kTableSize, 0);
  std::vector<std::uint32_t> touched_;  // sites with something to count
};

}  // namespace apsp_emulated
