// A monotone queue: a ring of buckets, each a range of lengths, and a small heap for the bucket that is open.
// Cherkassky, Goldberg, Silverstein 1999, "Buckets, heaps, lists, and monotone priority queues", section 4
// (the hot queue); with buckets one unit wide it is Dial's queue (Dial 1969) and the heap is never used.
//
// All keys in the queue lie between the last one taken and that plus the longest arc, so the ring never
// overlaps itself. Whatever the width, vertices leave in exact order: the open bucket's heap sees to it.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace apsp::sparse {

template <class T>
class BucketQueue {
 public:
  // labels: (n,) current lengths, read to recognise entries that a later, shorter label has made stale.
  BucketQueue(std::int64_t n, const T* labels, T largest) : labels_(labels), first_(kMaxBuckets, kNone) {
    if constexpr (std::is_floating_point_v<T>) {
      // A sum may round up by n * epsilon longest arcs, and key * scale by a bucket or two: leave them room.
      const double slack = 1 + static_cast<double>(n) * std::numeric_limits<T>::epsilon();
      const double scale = (kMaxBuckets - 4) / (static_cast<double>(largest) * slack);
      scale_ = largest > 0 && scale < 1e300 ? scale : 0;  // 0: everything in one bucket, a plain heap
      exact_ = false;
    } else {
      while ((static_cast<std::uint64_t>(largest) >> shift_) + 2 > kMaxBuckets) ++shift_;
      exact_ = shift_ == 0;
      (void)n;
    }
  }

  void clear() noexcept {
    if (count_ != 0) std::fill(first_.begin(), first_.end(), kNone);
    if (count_ != 0) std::fill(std::begin(words_), std::end(words_), 0);
    summary_ = 0;
    count_ = 0;
    entries_.clear();
    free_ = kNone;
    hot_.clear();
    open_ = 0;
  }

  // The label of v has just been lowered from `old` (meaningful unless first_time) to `key`.
  void lower(std::int32_t v, T key, T old, bool first_time) {
    const std::uint64_t bucket = number(key);
    if (!exact_) {
      if (bucket == open_) {
        hot_.push_back({key, v});
        std::push_heap(hot_.begin(), hot_.end());
        return;
      }
      if (!first_time && number(old) == bucket) return;  // v waits in this bucket already
    }
    link(v, static_cast<std::uint32_t>(bucket % kMaxBuckets));
  }

  // The vertex with the smallest label, or -1 if there is none.
  std::int32_t pop() { return exact_ ? pop_exact() : pop_hot(); }

 private:
  struct Entry {
    std::int32_t vertex;
    std::uint32_t next;
  };
  struct Item {
    T key;
    std::int32_t vertex;
    bool operator<(const Item& other) const noexcept {
      return other.key < key;
    }  // std heaps keep the largest on top
  };
  static constexpr std::uint32_t kMaxBuckets =
      4096;  // 64 words of 64 bits: one more word says which are not empty
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint64_t number(T key) const noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<std::uint64_t>(static_cast<double>(key) * scale_);
    else
      return static_cast<std::uint64_t>(key) >> shift_;
  }

  void link(std::int32_t v, std::uint32_t slot) {
    std::uint32_t entry = free_;
    if (entry != kNone) {
      free_ = entries_[entry].next;
    } else {
      if (entries_.size() >= kNone) throw std::length_error("more than 2^32 entries in a bucket queue");
      entry = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    }
    entries_[entry] = {v, first_[slot]};
    first_[slot] = entry;
    words_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    summary_ |= std::uint64_t{1} << (slot / 64);
    ++count_;
  }

  // Takes one entry out of a bucket that is not empty.
  std::int32_t unlink(std::uint32_t slot) noexcept {
    const std::uint32_t entry = first_[slot];
    const Entry taken = entries_[entry];
    entries_[entry].next = free_;
    free_ = entry;
    first_[slot] = taken.next;
    if (taken.next == kNone) {
      words_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
      if (words_[slot / 64] == 0) summary_ &= ~(std::uint64_t{1} << (slot / 64));
    }
    --count_;
    return taken.vertex;
  }

  // The first bucket that is not empty, from the open one onwards round the ring (one of them is not empty).
  std::uint32_t next_slot() const noexcept {
    const auto start = static_cast<std::uint32_t>(open_ % kMaxBuckets);
    const std::uint64_t here = words_[start / 64] >> (start % 64);
    if (here != 0) return start + static_cast<std::uint32_t>(std::countr_zero(here));
    const std::uint32_t word = start / 64;
    const std::uint64_t after = word == 63 ? 0 : summary_ & (~std::uint64_t{0} << (word + 1));
    const auto found = static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : summary_));
    return found * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[found]));
  }

  void open_next() noexcept {
    const std::uint32_t slot = next_slot();
    open_ += (slot + kMaxBuckets - static_cast<std::uint32_t>(open_ % kMaxBuckets)) % kMaxBuckets;
  }

  std::int32_t pop_exact() noexcept {
    while (count_ != 0) {
      open_next();
      const std::int32_t v = unlink(static_cast<std::uint32_t>(open_ % kMaxBuckets));
      if (number(labels_[v]) == open_) return v;
    }
    return -1;
  }

  std::int32_t pop_hot() {
    for (;;) {
      while (!hot_.empty()) {
        const Item top = hot_.front();
        std::pop_heap(hot_.begin(), hot_.end());
        hot_.pop_back();
        if (top.key == labels_[top.vertex]) return top.vertex;
      }
      if (count_ == 0) return -1;
      open_next();
      const auto slot = static_cast<std::uint32_t>(open_ % kMaxBuckets);
      while (first_[slot] != kNone) {
        const std::int32_t v = unlink(slot);
        if (number(labels_[v]) == open_) hot_.push_back({labels_[v], v});
      }
      if (hot_.size() > 1) std::make_heap(hot_.begin(), hot_.end());
    }
  }

  const T* labels_;
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
  std::uint64_t words_[kMaxBuckets / 64] = {};
  std::uint64_t summary_ = 0;
  std::uint64_t open_ = 0;  // number of the open bucket, counted from length 0
  std::int64_t count_ = 0;
  std::uint32_t free_ = kNone;
  std::vector<Item> hot_;
  unsigned shift_ = 0;
  double scale_ = 0;
  bool exact_ = true;
};

}  // namespace apsp::sparse
