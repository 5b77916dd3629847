// A monotone queue for one search in a large graph: a ring of buckets, of which as many are opened at a time
// as hold some vertices. The vertices of the open buckets are sorted, so the search knows which ones come
// next and can fetch their arcs and the labels of their heads in advance. Cherkassky, Goldberg, Silverstein
// 1999, "Buckets, heaps, lists, and monotone priority queues", section 4: labels that fall into open buckets
// go to a small heap. Those beyond the ring go to another one.
//
// (BucketQueue is for many searches over the same arcs, most of which are in the cache.)
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "runtime/prefetch.hpp"

namespace apsp::searches {

// The lengths of some arcs: they choose the width of the buckets, which does not change the order.
struct ArcSample {
  double largest = 0, mean = 0;
};

template <class T>
ArcSample sample_arcs(const T* weights, std::int64_t m) {
  constexpr std::int64_t kMost = 4096;
  const std::int64_t step = std::max<std::int64_t>(m / kMost, 1);
  ArcSample found;
  std::int64_t count = 0;
  for (std::int64_t arc = 0; arc < m; arc += step) {
    const auto weight = static_cast<double>(weights[arc]);
    if (!(weight < static_cast<double>(std::numeric_limits<T>::max()))) continue;  // "no path"
    found.largest = std::max(found.largest, weight);
    found.mean += (weight - found.mean) / static_cast<double>(++count);
  }
  return found;
}

// Label: with an order, equality, and length(), which never falls in that order.
template <class Label>
class RingQueue {
 public:
  struct Item : Label {
    Item(const Label& label, std::int32_t v) noexcept : Label(label), vertex(v) {}
    std::int32_t vertex;
  };

  // labels: (n,) the current ones. zeros: some arc may have length zero.
  RingQueue(const Label* labels, const ArcSample& sample, bool zeros) : labels_(labels) {
    first_.fill(kNone);
    const double width = std::min(sample.largest / (kBuckets - kSpan - 4), sample.mean / kPerMean);
    if constexpr (std::is_floating_point_v<typename Label::Length>) {
      scale_ = width > 1e-290 ? 1 / width : 0;  // 0: everything in one bucket, a plain heap
    } else {
      while (shift_ < 62 && static_cast<double>(std::uint64_t{1} << shift_) < width) ++shift_;
      sorts_ =
          zeros || shift_ > 0;  // a bucket of equal lengths needs no order, unless they lead to each other
    }
  }

  // The label of v has just been lowered from `old` (meaningful unless first_time).
  void lower(std::int32_t v, const Label& label, const Label& old, bool first_time) {
    const std::int64_t bucket = bucket_of(label);
    if (bucket <= open_) return push(near_, label, v);
    if (!first_time && bucket_of(old) == bucket) return;  // v is in this bucket already
    if (bucket - open_ >= kBuckets) return push(far_, label, v);
    link(v, slot_of(bucket));
  }

  // Opens the next buckets; false if all are empty. touch(v) is called for each vertex in them.
  template <class Touch>
  bool open(const Touch& touch) {
    run_.clear();
    at_ = 0;
    std::int64_t bucket = next_bucket();
    if (bucket == kNever) return false;
    const std::int64_t last = bucket + kSpan;
    do {
      open_ = bucket;
      empty(touch);
      bucket = next_bucket();
    } while (run_.size() < kRun && bucket <= last);
    if (sorts_) sort_run();
    return true;
  }

  // The item that is `places` after the next one in the open buckets, or nullptr.
  const Item* ahead(std::size_t places) const noexcept {
    return at_ + places < run_.size() ? &run_[at_ + places] : nullptr;
  }

  // Takes the smallest item out of the open buckets; false if there is none. Its label may be outdated.
  bool take(Item& item) {
    if (!near_.empty() && (at_ == run_.size() || near_.front() < run_[at_])) {
      item = near_.front();
      pop(near_);
      return true;
    }
    if (at_ == run_.size()) return false;
    item = run_[at_++];
    return true;
  }

 private:
  struct Chunk {
    std::array<std::int32_t, 6> vertices;
    std::uint32_t count, next;
  };
  static constexpr std::int64_t kBuckets = 4096;  // 64 words of 64 bits: another word marks those in use
  static constexpr std::int64_t kSpan = 64;       // open at a time
  static constexpr double kPerMean = 128;         // buckets that a mean arc spans
  static constexpr std::size_t kRun = 16;         // vertices that are enough to fetch in advance
  static constexpr std::size_t kAhead = 16;
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Never falls as lengths grow.
  std::int64_t bucket_of(const Label& label) const noexcept {
    if constexpr (std::is_floating_point_v<typename Label::Length>) {
      const double bucket = static_cast<double>(label.length()) * scale_;
      return bucket < 4e18 ? static_cast<std::int64_t>(bucket) : std::int64_t{4'000'000'000'000'000'000};
    } else {
      return static_cast<std::int64_t>(label.length() >> shift_);
    }
  }

  static std::uint32_t slot_of(std::int64_t bucket) noexcept {
    return static_cast<std::uint32_t>(bucket & (kBuckets - 1));
  }

  static bool later(const Item& a, const Item& b) noexcept { return b < a; }

  static void push(std::vector<Item>& heap, const Label& label, std::int32_t v) {
    heap.emplace_back(label, v);
    std::push_heap(heap.begin(), heap.end(), later);
  }

  static void pop(std::vector<Item>& heap) {
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
  }

  void link(std::int32_t v, std::uint32_t slot) {
    std::uint32_t chunk = first_[slot];
    if (chunk == kNone || chunks_[chunk].count == chunks_[chunk].vertices.size()) {
      chunk = unused();
      chunks_[chunk].count = 0;
      chunks_[chunk].next = first_[slot];
      first_[slot] = chunk;
      words_[slot / 64] |= std::uint64_t{1} << (slot % 64);
      summary_ |= std::uint64_t{1} << (slot / 64);
    }
    Chunk& filled = chunks_[chunk];
    filled.vertices[filled.count++] = v;
  }

  std::uint32_t unused() {
    const std::uint32_t chunk = free_;
    if (chunk != kNone) {
      free_ = chunks_[chunk].next;
      return chunk;
    }
    if (chunks_.size() >= kNone) throw std::length_error("more than 2^32 chunks in a ring of buckets");
    chunks_.emplace_back();
    return static_cast<std::uint32_t>(chunks_.size() - 1);
  }

  // The first bucket in use after the open ones, or kNever.
  std::int64_t next_bucket() const noexcept {
    const std::int64_t beyond = far_.empty() ? kNever : bucket_of(far_.front());
    if (summary_ == 0) return beyond;
    const auto start = slot_of(open_ + 1);
    const std::uint32_t word = start / 64;
    const std::uint64_t here = words_[word] >> (start % 64);
    std::uint32_t slot = start + static_cast<std::uint32_t>(std::countr_zero(here));
    if (here == 0) {
      const std::uint64_t after = summary_ & ((~std::uint64_t{0} << word) << 1);
      const auto found = static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : summary_));
      slot = found * 64 + static_cast<std::uint32_t>(std::countr_zero(words_[found]));
    }
    return std::min(beyond, open_ + 1 + slot_of(static_cast<std::int64_t>(slot) - start));
  }

  // Moves the vertices of the bucket that was opened last to the run, except outdated ones.
  template <class Touch>
  void empty(const Touch& touch) {
    found_.clear();
    for (; !far_.empty() && bucket_of(far_.front()) <= open_; pop(far_))
      found_.push_back(far_.front().vertex);
    const auto slot = slot_of(open_);
    for (std::uint32_t chunk = first_[slot]; chunk != kNone;) {
      const Chunk& full = chunks_[chunk];
      found_.insert(found_.end(), full.vertices.begin(), full.vertices.begin() + full.count);
      const std::uint32_t next = full.next;
      chunks_[chunk].next = free_;
      free_ = chunk;
      chunk = next;
    }
    first_[slot] = kNone;
    const std::uint64_t left = words_[slot / 64] & ~(std::uint64_t{1} << (slot % 64));
    words_[slot / 64] = left;
    summary_ &= ~(static_cast<std::uint64_t>(left == 0) << (slot / 64));
    for (std::size_t i = 0; i < std::min(found_.size(), kAhead); ++i) prefetch(labels_ + found_[i]);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (i + kAhead < found_.size()) prefetch(labels_ + found_[i + kAhead]);
      const std::int32_t v = found_[i];
      if (bucket_of(labels_[v]) != open_) continue;
      run_.emplace_back(labels_[v], v);
      touch(v);
    }
  }

  void sort_run() {
    constexpr std::size_t kFew = 40;
    if (run_.size() >= kFew) return std::sort(run_.begin(), run_.end(), std::less<Label>());
    for (std::size_t i = 1; i < run_.size(); ++i) {
      const Item item = run_[i];
      std::size_t place = i;
      for (; place > 0 && item < run_[place - 1]; --place) run_[place] = run_[place - 1];
      run_[place] = item;
    }
  }

  const Label* labels_;
  std::array<std::uint32_t, kBuckets> first_;
  std::array<std::uint64_t, kBuckets / 64> words_ = {};
  std::uint64_t summary_ = 0;
  std::vector<Chunk> chunks_;
  std::vector<Item> run_, near_, far_;
  std::vector<std::int32_t> found_;
  std::size_t at_ = 0;
  std::int64_t open_ = -1;
  std::uint32_t free_ = kNone;
  unsigned shift_ = 0;
  double scale_ = 0;
  bool sorts_ = true;
};

}  // namespace apsp::searches
