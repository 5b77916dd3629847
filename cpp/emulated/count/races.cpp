#include "races.hpp"

#include <algorithm>
#include <cstring>

namespace apsp_emulated {

void Races::begin_block(Index block) {
  block_ = block;
  cells_.clear();
  lowest_ = nullptr;
}

bool Races::is_ordered(const Touch& before, int thread) const {
  if (before.thread < 0 || before.thread == thread || before.block_time != block_time_) return true;
  const int warp = thread / kWarp;
  return before.thread / kWarp == warp && before.warp_time != warp_times_[static_cast<std::size_t>(warp)];
}

void Races::report(const Touch& before, int thread, const char* at, int size, const char* kind, bool may_be_same) {
  if (found_.size() + unsettled_.size() >= kMostFound) return;
  Race race{block_, before.thread, thread, static_cast<std::uint64_t>(at - lowest_), size, kind};
  if (!may_be_same) {
    found_.push_back(race);
    return;
  }
  Write& write = unsettled_.emplace_back();
  write.at = at;
  write.race = race;
  std::memcpy(write.before, at, static_cast<std::size_t>(std::min(size, 16)));
}

void Races::access(int thread, const char* at, int size, bool is_write, bool is_atomic) {
  settle();
  lowest_ = lowest_ ? std::min(lowest_, at) : at;
  const Touch now{thread, block_time_, warp_times_[static_cast<std::size_t>(thread / kWarp)], is_atomic};
  const bool writes = is_write || is_atomic;
  bool is_reported = false;
  for (const char* byte = at; byte < at + size; ++byte) {
    Cell& cell = cells_[byte];
    if (!is_reported && !is_ordered(cell.writer, thread) && !(is_atomic && cell.writer.is_atomic)) {
      report(cell.writer, thread, at, size, writes ? "write-write" : "write-read", writes && !is_atomic);
      is_reported = true;
    }
    if (writes) {
      for (const Touch& reader : cell.readers)
        if (!is_reported && !is_ordered(reader, thread)) {
          report(reader, thread, at, size, "read-write", !is_atomic);
          is_reported = true;
        }
      cell.writer = now;
    } else if (cell.readers[0].thread != thread) {
      cell.readers[1] = cell.readers[0];
      cell.readers[0] = now;
    } else {
      cell.readers[0] = now;
    }
  }
}

// A write is seen before it is done; by the next event it is, and the value can be compared.
void Races::settle() {
  for (const Write& write : unsettled_)
    if (std::memcmp(write.at, write.before, static_cast<std::size_t>(std::min(write.race.size, 16))) != 0)
      found_.push_back(write.race);
  unsettled_.clear();
}

void Races::pass_warp_barrier(int warp) {
  settle();
  ++warp_times_[static_cast<std::size_t>(warp)];
}

void Races::pass_block_barrier() {
  settle();
  ++block_time_;
}

void Races::end_block() {
  settle();
  ++block_time_;
}

}  // namespace apsp_emulated
