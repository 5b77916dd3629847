// A heap from which the entry that comes before all others (<) is taken first. Unlike a std::priority_queue
// it can be emptied, and then keeps its memory.
#pragma once
#include <algorithm>
#include <vector>

namespace apsp {

template <class Entry>
class LeastFirst {
 public:
  bool empty() const noexcept { return entries_.empty(); }
  const Entry& first() const noexcept { return entries_.front(); }
  void clear() noexcept { entries_.clear(); }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end(), Later());
  }
  Entry pop() {
    const Entry first = entries_.front();
    std::pop_heap(entries_.begin(), entries_.end(), Later());
    entries_.pop_back();
    return first;
  }

 private:
  // std heaps keep the largest on top
  struct Later {
    bool operator()(const Entry& one, const Entry& other) const noexcept { return other < one; }
  };

  std::vector<Entry> entries_;
};

}  // namespace apsp
