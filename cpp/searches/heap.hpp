// A 4-ary heap of vertices with decrease-key: each vertex is in it at most once.
// Johnson 1975, "Priority queues with update and finding minimum spanning trees" (d-ary heaps): four children
// share a cache line and halve the depth of the binary heap, with three comparisons per level.
#pragma once
#include <cstdint>
#include <vector>

namespace apsp::searches {

template <class T>
class HeapQueue {
 public:
  // The queue interface of Search: labels (n,) are the current lengths, `largest` the longest arc.
  HeapQueue(std::int64_t n, const T* /*labels*/, T /*largest*/) : place_(n, kAbsent) { heap_.reserve(64); }

  void clear() noexcept {
    for (const Item& item : heap_) place_[item.vertex] = kAbsent;
    heap_.clear();
  }

  // The label of v has just been lowered to `key`.
  void lower(std::int32_t v, T key, T /*old*/, bool /*first_time*/) {
    std::int64_t hole = place_[v];
    if (hole == kAbsent) {
      hole = static_cast<std::int64_t>(heap_.size());
      heap_.push_back({key, v});
    }
    while (hole > 0) {
      const std::int64_t parent = (hole - 1) / 4;
      if (!(key < heap_[parent].key)) break;
      put(hole, heap_[parent]);
      hole = parent;
    }
    put(hole, {key, v});
  }

  // The vertex with the smallest key, or -1 if there is none.
  std::int32_t pop() noexcept {
    if (heap_.empty()) return -1;
    const std::int32_t top = heap_.front().vertex;
    place_[top] = kAbsent;
    const Item last = heap_.back();
    heap_.pop_back();
    if (!heap_.empty()) sink(last);
    return top;
  }

 private:
  struct Item {
    T key;
    std::int32_t vertex;
  };
  static constexpr std::int32_t kAbsent = -1;

  void put(std::int64_t place, Item item) noexcept {
    heap_[place] = item;
    place_[item.vertex] = static_cast<std::int32_t>(place);
  }

  // Moves the hole at the top down to the position of `item`.
  void sink(Item item) noexcept {
    const auto size = static_cast<std::int64_t>(heap_.size());
    std::int64_t hole = 0;
    for (std::int64_t child; (child = 4 * hole + 1) < size;) {
      const std::int64_t last = child + 4 < size ? child + 4 : size;
      std::int64_t best = child;
      for (std::int64_t c = child + 1; c < last; ++c)
        if (heap_[c].key < heap_[best].key) best = c;
      if (!(heap_[best].key < item.key)) break;
      put(hole, heap_[best]);
      hole = best;
    }
    put(hole, item);
  }

  std::vector<Item> heap_;
  std::vector<std::int32_t> place_;
};

}  // namespace apsp::searches
