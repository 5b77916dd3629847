#include "searches/near_lines.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "runtime/dtypes.hpp"

namespace apsp::searches {
namespace {

template <class C, class T>
C shifted(T distance, int shift) {
  if constexpr (std::is_integral_v<C>) return static_cast<C>(static_cast<C>(distance) << shift);
  return static_cast<C>(distance);
}

// A label's distance, and the number of the first arc.
template <class T, class C>
std::pair<T, std::int32_t> parts_of(C label, int shift) {
  if constexpr (std::is_integral_v<C>)
    return {static_cast<T>(label >> shift), static_cast<std::int32_t>(label & ((C{1} << shift) - 1))};
  return {static_cast<T>(label), 0};
}

// The labels below a ceiling, each in the upper half of a number, and its vertex in the lower half.
template <class C>
std::int64_t near_of(const std::int32_t* vertices, const C* labels, C ceiling, std::int64_t count,
                     std::uint64_t* near) {
  constexpr std::int64_t kGroup =
      16;  // the vertices of a region follow each other: often none or all are near
  std::int64_t size = 0, i = 0;
  const auto keep = [&](std::int64_t number) {
    near[size] =
        static_cast<std::uint64_t>(labels[number]) << 32 | static_cast<std::uint32_t>(vertices[number]);
    size += labels[number] < ceiling;
  };
  for (; i + kGroup <= count; i += kGroup) {
    C some = 0;
    for (std::int64_t j = 0; j < kGroup; ++j) some |= static_cast<C>(labels[i + j] < ceiling);
    if (some == 0) continue;
    for (std::int64_t j = 0; j < kGroup; ++j) keep(i + j);
  }
  for (; i < count; ++i) keep(i);
  return size;
}

// Writes a value `many` times, where there is room for `room` values: some of the others are overwritten.
template <class T>
void fill_run(T* to, std::int64_t many, std::int64_t room, T value) {
  constexpr std::int64_t kGroup = 8;  // most runs are short
  std::int64_t i = 0;
  for (; i < many && i + kGroup <= room; i += kGroup) std::fill_n(to + i, kGroup, value);
  for (; i < many; ++i) to[i] = value;
}

// Sorts pairs by distance, which is not below 0; equal ones keep their order. Radix sort (Knuth, volume 3,
// section 5.2.5) on the bits, which are in the order of the numbers, also of floats.
template <class T>
void sort_by_distance(std::vector<NearPair<T>>& row, std::vector<NearPair<T>>& scratch) {
  using Key = std::conditional_t<sizeof(T) == 2, std::uint16_t,
                                 std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  constexpr int kBits = 11;
  constexpr std::size_t kFew = 48;
  if (row.size() < kFew) {
    std::stable_sort(row.begin(), row.end(),
                     [](const NearPair<T>& a, const NearPair<T>& b) { return a.distance < b.distance; });
    return;
  }
  const auto key = [](const NearPair<T>& pair) {
    Key bits;
    const T value = pair.distance + T{0};  // of -0.0: 0.0
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  };
  Key all = 0;
  for (const NearPair<T>& pair : row) all |= key(pair);
  scratch.resize(row.size());
  std::uint32_t starts[1 << kBits];
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(Key)) && (all >> shift) != 0; shift += kBits) {
    const auto digit = [&](const NearPair<T>& pair) { return (key(pair) >> shift) & ((1 << kBits) - 1); };
    const std::size_t digits =
        std::min<std::size_t>((all >> shift) + std::size_t{1}, std::size_t{1} << kBits);
    // The bitwise "or" of all keys may be less than twice the largest one, never less than it.
    std::fill_n(starts, digits, 0u);
    for (const NearPair<T>& pair : row) ++starts[digit(pair)];
    std::uint32_t at = 0;
    for (std::size_t i = 0; i < digits; ++i) at += std::exchange(starts[i], at);
    for (const NearPair<T>& pair : row) scratch[starts[digit(pair)]++] = pair;
    row.swap(scratch);
  }
}

}  // namespace

template <class T>
template <class C>
void NearLines<T>::add(NearStock<T>& stock, std::int64_t number, const std::int32_t* vertices,
                       const C* labels, int shift, std::int64_t count, const Control& control) {
  const std::int32_t source = request_.sources[number];
  if (request_.hops && !along_) name_heads(source);
  if constexpr (std::is_integral_v<T>)
    if (is_plain(shift)) {
      add_plain(stock, number, vertices, labels, shift, count);
      return;
    }
  const C ceiling = shifted<C>(ceiling_, shift);
  std::size_t size = 0;
  row_.resize(static_cast<std::size_t>(count) + 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto [distance, first] = parts_of<T>(labels[i], shift);
    row_[size] = {distance, vertices[i], first};
    size += labels[i] < ceiling;
  }
  row_.resize(size);
  sums_.clear();
  if (along_) walk(source, control);
  if (request_.is_target != nullptr || !request_.own)
    std::erase_if(row_, [&](const NearPair<T>& pair) {
      return (request_.is_target != nullptr && !request_.is_target[pair.target]) ||
             (!request_.own && pair.target == source);
    });
  const bool too_many = static_cast<std::int64_t>(row_.size()) > request_.k;
  if (!request_.by_target || too_many) sort_by_distance(row_, scratch_);
  if (too_many) row_.resize(static_cast<std::size_t>(request_.k));
  if (too_many && request_.by_target)
    std::sort(row_.begin(), row_.end(),
              [](const NearPair<T>& a, const NearPair<T>& b) { return a.target < b.target; });
  if (along_)
    read_off(source);
  else if (request_.hops)
    for (NearPair<T>& pair : row_) pair.hop = heads_[pair.hop];
  stock.add(number, row_, sums_.data());
}

template <class T>
void NearLines<T>::walk(std::int32_t source, const Control& control) {
  sorted_ = row_;
  sort_by_distance(sorted_, scratch_);
  reached_.clear();
  for (const NearPair<T>& pair : sorted_) {
    reached_.push_back(arcs_.inner(pair.target));
    lengths_[reached_.back()] = pair.distance;
  }
  if (reached_.empty()) return;
  std::iter_swap(reached_.begin(), std::find(reached_.begin(), reached_.end(), arcs_.inner(source)));
  along_->run(reached_, lengths_.data(), control);
  for (const std::int32_t v : reached_) lengths_[v] = ceiling_;
}

template <class T>
void NearLines<T>::read_off(std::int32_t source) {
  for (NearPair<T>& pair : row_) {
    const std::int32_t v = arcs_.inner(pair.target);
    if (request_.hops) pair.hop = pair.target == source ? -1 : arcs_.original(along_->hop(v));
    if (!request_.sums) continue;
    const double* const sums = along_->sums(v);
    sums_.insert(sums_.end(), sums, sums + costs_.size());
  }
}

template <class T>
void NearLines<T>::name_heads(std::int32_t source) {
  heads_.assign(1, -1);
  for (const rows::Arc<T>& arc : arcs_.all(arcs_.inner(source))) heads_.push_back(arcs_.original(arc.head));
}

template <class T>
template <class C>
void NearLines<T>::add_plain(NearStock<T>& stock, std::int64_t number, const std::int32_t* vertices,
                             const C* labels, int shift, std::int64_t count) {
  near_.resize(static_cast<std::size_t>(count));
  const std::int64_t size = near_of(vertices, labels, shifted<C>(ceiling_, shift), count, near_.data());
  const auto room = stock.room_for(number, size);
  const auto distance_of = [=](std::uint64_t pair) {
    return static_cast<std::uint32_t>(pair >> 32 >> shift);
  };
  if (!request_.by_target) {
    std::fill_n(starts_, static_cast<std::size_t>(ceiling_), 0u);
    for (std::int64_t i = 0; i < size; ++i) ++starts_[distance_of(near_[i])];
    std::int64_t at = 0;
    for (std::uint32_t d = 0; d < static_cast<std::uint32_t>(ceiling_); ++d) {
      const std::int64_t many = std::exchange(starts_[d], static_cast<std::uint32_t>(at));
      fill_run(room.distances + at, many, size - at, static_cast<T>(d));
      at += many;
    }
  }
  // In any order within the cache, then one after another to memory that is not in it.
  targets_.resize(near_.size()), hops_.resize(near_.size());
  for (std::int64_t i = 0; i < size; ++i) {
    const std::uint64_t pair = near_[i];
    const std::int64_t to = request_.by_target ? i : starts_[distance_of(pair)]++;
    targets_[to] = static_cast<std::int32_t>(pair);
    if (request_.by_target) room.distances[to] = static_cast<T>(distance_of(pair));
    if (request_.hops) hops_[to] = heads_[pair >> 32 & ((std::uint64_t{1} << shift) - 1)];
  }
  std::copy_n(targets_.data(), size, room.targets);
  if (request_.hops) std::copy_n(hops_.data(), size, room.hops);
}

#define APSP_INSTANTIATE(T, C)                                                                        \
  template void NearLines<T>::add<C>(NearStock<T>&, std::int64_t, const std::int32_t*, const C*, int, \
                                     std::int64_t, const Control&);
#define APSP_INSTANTIATE_ALONE(T) APSP_INSTANTIATE(T, T)
APSP_FOR_DTYPES(APSP_INSTANTIATE_ALONE)
APSP_INSTANTIATE(std::uint16_t, std::int32_t)
APSP_INSTANTIATE(std::int32_t, std::int64_t)
#undef APSP_INSTANTIATE_ALONE
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
