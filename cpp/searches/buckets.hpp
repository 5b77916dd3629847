// A monotone queue: a ring of buckets, each a range of lengths, and a small heap for the bucket that is open.
// Cherkassky, Goldberg, Silverstein 1999, "Buckets, heaps, lists, and monotone priority queues", section 4
// (the hot queue); with buckets one unit wide it is Dial's queue (Dial 1969) and needs no heap.
//
// All keys in the queue lie between the last one taken and that plus the longest arc, so the ring never
// overlaps itself. For any width, vertices leave in exact order, because of the heap of the open bucket.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace apsp::searches {

inline constexpr std::uint32_t kBuckets =
    4096;  // 64 words of 64 bits: one more word marks those that are not empty

// kUnit: buckets are one unit wide (see unit_buckets).
template <class T, bool kUnit>
class BucketQueue {
 public:
  // labels: (n,) current lengths, read to recognise entries that are outdated by a later, shorter label.
  BucketQueue(std::int64_t n, const T* labels, T largest) : labels_(labels), first_(kBuckets, kNone) {
    if constexpr (std::is_floating_point_v<T>) {
      // A sum may round up by n * epsilon longest arcs, and key * scale by a bucket or two: there is a margin
      // for this.
      const double slack = 1 + static_cast<double>(n) * std::numeric_limits<T>::epsilon();
      const double scale = (kBuckets - 4) / (static_cast<double>(largest) * slack);
      scale_ = largest > 0 && scale < 1e300 ? scale : 0;  // 0: everything in one bucket, a plain heap
    } else {
      (void)n;
      while (!(from_bit(largest, shift_) < kBuckets - 1)) ++shift_;
    }
  }

  void clear() noexcept {
    if (summary_ != 0) std::fill(first_.begin(), first_.end(), kNone);
    if (summary_ != 0) std::fill(std::begin(words_), std::end(words_), 0);
    summary_ = 0;
    entries_.clear();
    free_ = kNone;
    hot_.clear();
    open_ = 0;
  }

  // The label of v has just been lowered from `old` (meaningful unless first_time) to `key`.
  void lower(std::int32_t v, T key, T old, bool first_time) {
    const std::uint32_t bucket = slot(key);
    if constexpr (!kUnit) {
      if (bucket == open_) {
        hot_.push_back({key, v});
        std::push_heap(hot_.begin(), hot_.end());
        return;
      }
      if (!first_time && slot(old) == bucket) return;  // v is in this bucket already
    }
    link(v, bucket);
  }

  // The vertex with the smallest label, or -1 if there is none.
  std::int32_t pop() {
    if constexpr (kUnit)
      return pop_unit();
    else
      return pop_hot();
  }

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
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // The digits of a length from this one on; lengths are not negative.
  static constexpr auto from_bit(T key, unsigned bit) noexcept {
    if constexpr (sizeof(T) <= 8)
      return static_cast<std::uint64_t>(key) >> bit;
    else
      return key >> bit;
  }

  // The bucket of a length. All queued lengths are within one turn of the ring, so equal slots are equal
  // buckets.
  std::uint32_t slot(T key) const noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<std::uint32_t>(static_cast<std::uint64_t>(static_cast<double>(key) * scale_) %
                                        kBuckets);
    else if constexpr (kUnit)
      return static_cast<std::uint32_t>(key) % kBuckets;
    else
      return static_cast<std::uint32_t>(static_cast<std::uint64_t>(from_bit(key, shift_)) % kBuckets);
  }

  void link(std::int32_t v, std::uint32_t bucket) {
    std::uint32_t entry = free_;
    if (entry != kNone) [[likely]] {
      free_ = entries_[entry].next;
    } else {
      if (entries_.size() >= kNone) throw std::length_error("more than 2^32 entries in a bucket queue");
      entry = static_cast<std::uint32_t>(entries_.size());
      entries_.emplace_back();
    }
    entries_[entry] = {v, first_[bucket]};
    first_[bucket] = entry;
    words_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
    summary_ |= std::uint64_t{1} << (bucket / 64);
  }

  // Takes one entry out of a bucket that is not empty.
  std::int32_t unlink(std::uint32_t bucket) noexcept {
    const std::uint32_t entry = first_[bucket];
    const Entry taken = entries_[entry];
    entries_[entry].next = free_;
    free_ = entry;
    first_[bucket] = taken.next;
    if (taken.next == kNone) {
      const std::uint64_t left = words_[bucket / 64] & ~(std::uint64_t{1} << (bucket % 64));
      words_[bucket / 64] = left;
      summary_ &= ~(static_cast<std::uint64_t>(left == 0) << (bucket / 64));
    }
    return taken.vertex;
  }

  // Opens the first bucket that is not empty, from the open one onwards around the ring; some bucket must not
  // be empty.
  void open_next() noexcept {
    const std::uint32_t word = open_ / 64;
    const std::uint64_t here = words_[word] >> (open_ % 64);
    if (here != 0) {
      open_ += static_cast<std::uint32_t>(std::countr_zero(here));
      return;
    }
    const std::uint64_t after =
        summary_ & (~std::uint64_t{1} << word);  // this word itself comes last: next turn
    const auto found = static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : summary_));
    open_ = found * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[found]));
  }

  std::int32_t pop_unit() noexcept {
    while (summary_ != 0) {
      if (first_[open_] == kNone) open_next();
      const std::int32_t v = unlink(open_);
      if (slot(labels_[v]) == open_) return v;
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
      if (summary_ == 0) return -1;
      open_next();
      while (first_[open_] != kNone) {
        const std::int32_t v = unlink(open_);
        if (slot(labels_[v]) == open_) hot_.push_back({labels_[v], v});
      }
      if (hot_.size() > 1) std::make_heap(hot_.begin(), hot_.end());
    }
  }

  const T* labels_;
  std::vector<std::uint32_t> first_;
  std::vector<Entry> entries_;
  std::uint64_t words_[kBuckets / 64] = {};
  std::uint64_t summary_ = 0;
  std::uint32_t open_ = 0;
  std::uint32_t free_ = kNone;
  std::vector<Item> hot_;
  unsigned shift_ = 0;
  double scale_ = 0;
};

// Whether buckets one unit wide are sufficient for all lengths that are queued at one time.
template <class T>
constexpr bool unit_buckets(T largest) noexcept {
  return !std::is_floating_point_v<T> && largest <= T{kBuckets - 2};
}

}  // namespace apsp::searches
