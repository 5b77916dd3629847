#include "races.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace apsp_emulated {

namespace {

template <class T>
T* zeros(std::ptrdiff_t count) {
  void* memory = std::calloc(static_cast<std::size_t>(count), sizeof(T));
  if (!memory) throw std::bad_alloc();
  return static_cast<T*>(memory);
}

}  // namespace

Races::Races(Range shared)
    : shared_(shared),
      words_(zeros<Cell>((shared.to - shared.from) / kWord + 1), &std::free),
      bytes_(zeros<Cell>(shared.to - shared.from), &std::free) {}

void Races::begin_launch() {
  found_.clear();
  unsettled_.clear();
}

void Races::begin_block(Index block) {
  block_ = block;
  ++blocks_;
  lowest_ = nullptr;
}

bool Races::is_ordered(const Touch& before, int thread) const {
  if (before.thread == thread || before.block_time != block_time_) return true;
  const int warp = thread / kWarp;
  return before.thread / kWarp == warp && before.warp_time != warp_times_[static_cast<std::size_t>(warp)];
}

void Races::report(const Touch& before, int thread, const char* at, int size, const char* kind,
                   bool may_be_same) {
  if (found_.size() + unsettled_.size() >= kMostFound) return;
  const Race race{block_, before.thread, thread, static_cast<std::uint64_t>(at - lowest_), size, kind};
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
  if (!unsettled_.empty()) settle();
  lowest_ = lowest_ ? std::min(lowest_, at) : at;
  const Touch now{thread, block_time_, warp_times_[static_cast<std::size_t>(thread / kWarp)], is_atomic};
  const auto offset = static_cast<std::size_t>(at - shared_.from);
  const bool in_words = size >= kWord;
  const std::size_t first = in_words ? offset / kWord : offset;
  const std::size_t count =
      in_words ? static_cast<std::size_t>(size / kWord) : static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < count; ++i) {
    Cell& cell = in_words ? words_[first + i] : bytes_[first + i];
    if (cell.block != blocks_) {
      cell.block = blocks_;
      forgotten_.emplace_back(shared_.from + (first + i) * (in_words ? kWord : 1), in_words ? kWord : 1);
    }
    touch(cell, now, at, size, is_write || is_atomic);
  }
}

void Races::touch(Cell& cell, const Touch& now, const char* at, int size, bool writes) {
  bool is_reported = false;
  if (!is_ordered(cell.writer, now.thread) && !(now.is_atomic && cell.writer.is_atomic)) {
    report(cell.writer, now.thread, at, size, writes ? "write-write" : "write-read",
           writes && !now.is_atomic);
    is_reported = true;
  }
  if (!writes) {
    if (cell.readers[0].thread != now.thread) cell.readers[1] = cell.readers[0];
    cell.readers[0] = now;
    return;
  }
  for (const Touch& reader : cell.readers)
    if (!is_reported && !is_ordered(reader, now.thread)) {
      report(reader, now.thread, at, size, "read-write", !now.is_atomic);
      is_reported = true;
    }
  cell.writer = now;
}

// A write is reported before it is done; at the next event it is done, and the value can be compared.
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
  for (const auto& [at, size] : forgotten_)
    std::memset(const_cast<char*>(at), 0xa5, static_cast<std::size_t>(size));
  forgotten_.clear();
}

}  // namespace apsp_emulated
