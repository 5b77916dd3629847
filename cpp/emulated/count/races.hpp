// Looks for races in shared memory: two threads of a block touch the same bytes between two barriers that
// order them, one of them writes, and not both are atomic. Writing the value that is there already is none.
#pragma once
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../run/here.hpp"

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
  void begin_block(Index block);
  void access(int thread, const char* at, int size, bool is_write, bool is_atomic);
  void pass_warp_barrier(int warp);
  void pass_block_barrier();
  void end_block();
  const std::vector<Race>& found() const { return found_; }

 private:
  static constexpr std::size_t kMostFound = 100;

  // When a thread touched a cell: barriers of its warp and of the block that it had passed.
  struct Touch {
    int thread = -1;
    std::uint32_t block_time = 0, warp_time = 0;
    bool is_atomic = false;
  };
  struct Cell {
    Touch writer, readers[2];  // the last two readers that differ
  };
  struct Write {
    const char* at;
    unsigned char before[16];
    Race race;
  };

  bool is_ordered(const Touch& before, int thread) const;
  void report(const Touch& before, int thread, const char* at, int size, const char* kind, bool may_be_same);
  void settle();

  Index block_;
  std::uint32_t block_time_ = 0;
  std::vector<std::uint32_t> warp_times_ = std::vector<std::uint32_t>(kMostThreads / kWarp, 0);
  std::unordered_map<const char*, Cell> cells_;
  std::vector<Write> unsettled_;  // writes whose values were not known yet
  std::vector<Race> found_;
  const char* lowest_ = nullptr;
};

}  // namespace apsp_emulated
