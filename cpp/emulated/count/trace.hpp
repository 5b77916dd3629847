// Counts the accesses of the threads of a launch. The threads of a warp run one after another from barrier to
// barrier; the k-th time that each of them executes an instruction since the last barrier belongs to one warp
// access. If threads take different sides of a branch, the branch diverges; they reconverge at the
// instructions that they all execute.
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
  // `shared`: where the shared variables lie.
  explicit Trace(Range shared) : shared_(shared), races_(shared) {}

  // Counts begin at zero. Accesses to stacks and to the arguments of the launch are not counted.
  void begin_launch(Range arguments);

  // An event of the current thread; `where` is the instruction. A volatile access is intended to race with
  // others.
  void event(Kind kind, const void* address, int size, const void* where, bool is_volatile = false);

  const Counts& counts() const { return counts_; }
  const std::vector<Race>& races() const { return races_.found(); }

  void begin_block(int threads, const Stacks& stacks) override;
  void begin_thread(int thread) override;
  void end_thread(int thread) override;
  void pass_warp_barrier(int warp) override;
  void pass_block_barrier() override;
  void end_block() override;

 private:
  // A side of a branch: the basic block in which threads of a warp continued.
  struct Branch {
    std::uint32_t target = kNone;
    bool diverges = false;
  };
  // Accesses of the current warp at one instruction, for each time that it was executed since the last
  // barrier.
  struct Site {
    const void* where = nullptr;
    std::uint64_t visit = 0;   // the last thread that was here
    std::uint32_t times = 0;   // the number of times that this thread was here
    std::uint32_t filled = 0;  // entries of accesses or branches that are used
    Kind kind = Kind::branch;
    bool is_shared = false;
    std::vector<Access> accesses;
    std::vector<Branch> branches;
  };

  std::uint32_t site_of(const void* where);
  std::size_t first_place(const void* where) const;
  void enter(std::uint32_t number);
  void forget_sites();
  void fill(Site& site, std::uint32_t number, std::uint32_t time);
  void leave(std::uint32_t target);
  void finish_warp();
  void count(const Site& site);
  void count_global(Kind kind, const Access& access);

  static constexpr std::uint32_t kNone = 0, kBarrier = 1, kEnd = 2;
  static constexpr std::size_t kManySites = 1 << 11;

  Range shared_, arguments_;
  const Stacks* stacks_ = nullptr;
  Counts counts_;
  Races races_;
  int thread_ = 0, warp_ = -1;
  std::uint64_t visit_ = 0;  // of a thread, from where it is resumed to where it waits
  std::uint32_t from_ = kBarrier,
                time_ = 0;  // the current basic block of the thread, and how often it was there
  std::vector<Site> sites_{kEnd + 1};
  std::vector<std::uint32_t> table_ =
      std::vector<std::uint32_t>(2 * kManySites, kNone);  // of numbers; 2^k places
  std::vector<std::uint32_t> touched_;                    // sites with something to count
};

}  // namespace apsp_emulated
