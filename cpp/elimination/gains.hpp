// Vertices by the gain of their moves: a binary heap that stores the position of each of its vertices, so
// that a gain that changes moves one entry.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/neighbours.hpp"

namespace apsp::elimination {

class Gains {
 public:
  explicit Gains(std::size_t n) : where_(n, -1) {}

  bool empty() const noexcept { return heap_.empty(); }
  Vertex best() const noexcept { return static_cast<Vertex>(heap_.front() & 0xffffffff); }

  // Inserts v, or changes its gain. Among equal gains the vertex with the larger number is first.
  void set(Vertex v, std::int32_t gain) {
    const std::uint64_t key = static_cast<std::uint64_t>(std::int64_t{gain} + (std::int64_t{1} << 31)) << 32 |
                              static_cast<std::uint32_t>(v);
    if (where_[v] < 0) {
      heap_.push_back(key);
      rise(heap_.size() - 1, key);
    } else {
      settle(static_cast<std::size_t>(where_[v]), key);
    }
  }

  void remove(Vertex v) {
    if (where_[v] < 0) return;
    const auto at = static_cast<std::size_t>(std::exchange(where_[v], -1));
    const std::uint64_t last = heap_.back();
    heap_.pop_back();
    if (at < heap_.size()) settle(at, last);
  }

  void clear() {
    for (const std::uint64_t key : heap_) where_[key & 0xffffffff] = -1;
    heap_.clear();
  }

 private:
  void put(std::size_t at, std::uint64_t key) {
    heap_[at] = key;
    where_[key & 0xffffffff] = static_cast<std::int32_t>(at);
  }

  void settle(std::size_t at, std::uint64_t key) {
    if (at > 0 && heap_[(at - 1) / 2] < key) {
      rise(at, key);
    } else {
      sink(at, key);
    }
  }

  void rise(std::size_t at, std::uint64_t key) {
    for (; at > 0 && heap_[(at - 1) / 2] < key; at = (at - 1) / 2) put(at, heap_[(at - 1) / 2]);
    put(at, key);
  }

  void sink(std::size_t at, std::uint64_t key) {
    for (std::size_t child; (child = 2 * at + 1) < heap_.size(); at = child) {
      if (child + 1 < heap_.size() && heap_[child + 1] > heap_[child]) ++child;
      if (heap_[child] < key) break;
      put(at, heap_[child]);
    }
    put(at, key);
  }

  std::vector<std::uint64_t> heap_;  // the gain, and below it the vertex
  std::vector<std::int32_t> where_;  // (n) -1: not in the heap
};

}  // namespace apsp::elimination
