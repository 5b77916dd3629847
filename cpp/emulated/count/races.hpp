// Detects races in shared memory: two threads of a block access the same cell without a barrier that orders
// them, at least one of them writes, and not both accesses are atomic or volatile. Writing the value that is
// there already is not a race.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "../run/here.hpp"
#include "range.hpp"

namespace apsp_emulated {

struct Race {
  Index block;
  int first = 0, second = 0;  // threads
  std::uint64_t offset = 0;
  int size = 0;
  const char* kind = "";
};

class Races {
 public:
  // `shared`: where the shared variables lie.
  explicit Races(Range shared);

  void begin_launch();
  void begin_block(Index block);
  void access(int thread, const char* at, int size, bool is_write, bool is_atomic);
  void pass_warp_barrier(int warp);
  void pass_block_barrier();
  void end_block();  // overwrites shared memory, whose values are undefined when a block begins
  const std::vector<Race>& found() const { return found_; }

 private:
  static constexpr std::size_t kMostFound = 100;
  static constexpr int kWord = 4;

  // The time of an access by a thread: barriers of its warp and of the block that were passed.
  struct Touch {
    int thread = 0;
    std::uint32_t block_time = 0;  // from 1 on; 0: no thread has
    std::uint32_t warp_time = 0;
    bool is_atomic = false;
  };
  // A word of 4 bytes, or one byte if smaller values are accessed.
  struct Cell {
    Touch writer, readers[2];  // the last two readers that differ
    std::uint32_t block = 0;   // the last one that accessed it
  };
  struct Write {
    const char* at;
    unsigned char before[16];
    Race race;
  };

  void touch(Cell& cell, const Touch& now, const char* at, int size, bool writes);
  bool is_ordered(const Touch& before, int thread) const;
  void report(const Touch& before, int thread, const char* at, int size, const char* kind, bool may_be_same);
  void settle();

  Range shared_;
  std::unique_ptr<Cell[], decltype(&std::free)> words_,
      bytes_;  // zeros, which take memory only when they are accessed
  Index block_;
  std::uint32_t blocks_ = 0, block_time_ = 1;
  std::vector<std::uint32_t> warp_times_ = std::vector<std::uint32_t>(kMostThreads / kWarp, 0);
  std::vector<Write> unsettled_;                        // writes whose values are not known yet
  std::vector<std::pair<const char*, int>> forgotten_;  // the range that the block accessed, and its bytes
  std::vector<Race> found_;
  const char* lowest_ = nullptr;
};

}  // namespace apsp_emulated
