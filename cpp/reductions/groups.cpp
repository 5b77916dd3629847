#include "reductions/groups.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <mutex>
#include <type_traits>
#include <vector>

#include "reductions/bins.hpp"
#include "reductions/kernels.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

using semiring::kNoPath;

// The columns of all groups of row i side by side, without the source itself.
template <class T>
void gather(const DistanceRows<T>& rows, const Groups& groups, std::int64_t i, std::vector<T>& gathered) {
  const T* row = rows.data + i * rows.stride;
  const std::int64_t columns = groups.columns();
  gathered.resize(static_cast<std::size_t>(columns));
  T* to = gathered.data();
  for (std::int64_t place = 0; place < columns; ++place) to[place] = row[groups.order[place]];
  if (groups.own[i] >= 0) to[groups.own[i]] = kNoPath<T>;
}

// An integer in the order of the distances.
template <class T>
std::int64_t key_of(T distance) {
  if constexpr (std::is_integral_v<T>) {
    return distance;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    Bits bits;
    std::memcpy(&bits, &distance, sizeof(T));
    return bits >= 0 ? bits : std::numeric_limits<Bits>::min() - bits;  // -0.0 becomes 0
  }
}

// The counter of each kind of bins adds a segment to the counts of one cell and group.
template <class T>
struct Counter {
  static void add(const T* segment, std::int64_t count, const EvenBins& even, std::int64_t,
                  std::int64_t* counts) {
    const EvenCounter<T> counter(even.exponent, even.bins);
    std::int64_t* middle = counts + even.bins;
    for (std::int64_t j = 0; j < count; ++j)
      if (segment[j] != kNoPath<T>) counter.count(segment[j], middle);
  }

  static void add(const T* segment, std::int64_t count, const EdgeBins& bins, std::int64_t,
                  std::int64_t* counts) {
    const double* end = bins.edges + bins.bins + 1;
    for (std::int64_t j = 0; j < count; ++j) {
      const auto value = static_cast<double>(segment[j]);
      if (segment[j] == kNoPath<T> || !(value >= bins.edges[0] && value <= end[-1])) continue;
      const std::int64_t above = std::upper_bound(bins.edges, end, value) - bins.edges;
      ++counts[std::min(above, bins.bins) - 1];
    }
  }

  static void add(const T* segment, std::int64_t count, const KeyWindows& windows, std::int64_t first,
                  std::int64_t* counts) {
    for (std::int64_t w = 0; w < windows.windows; ++w) {
      const auto low = static_cast<std::uint64_t>(windows.lows[first * windows.windows + w]);
      std::int64_t* of_window = counts + w * windows.bins;
      for (std::int64_t j = 0; j < count; ++j) {
        if (segment[j] == kNoPath<T>) continue;
        // A key below the window wraps to a large number.
        const std::uint64_t bin = (static_cast<std::uint64_t>(key_of(segment[j])) - low) >> windows.shift;
        if (key_of(segment[j]) >= windows.lows[first * windows.windows + w] &&
            bin < static_cast<std::uint64_t>(windows.bins))
          ++of_window[bin];
      }
    }
  }
};

std::int64_t per_group(const EvenBins& even) { return 2 * even.bins; }
std::int64_t per_group(const EdgeBins& bins) { return bins.bins; }
std::int64_t per_group(const KeyWindows& windows) { return windows.windows * windows.bins; }

// Rows of one cell, a part of `sorted`.
struct Part {
  std::int64_t cell, begin, end;
  bool alone;  // no other part has this cell
};

// The rows sorted by cell, in parts of at least `least` rows of the same cell, or all of them.
std::vector<Part> parts_of(const std::int32_t* cells, std::int64_t rows, std::int64_t least,
                           std::vector<std::int64_t>& sorted) {
  sorted.clear();
  for (std::int64_t i = 0; i < rows; ++i)
    if (cells[i] >= 0) sorted.push_back(i);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::int64_t a, std::int64_t b) { return cells[a] < cells[b]; });
  std::vector<Part> parts;
  const auto count = static_cast<std::int64_t>(sorted.size());
  for (std::int64_t begin = 0, end = 0; begin < count; begin = end) {
    const std::int32_t cell = cells[sorted[static_cast<std::size_t>(begin)]];
    while (end < count && cells[sorted[static_cast<std::size_t>(end)]] == cell) ++end;
    const std::int64_t pieces = std::max<std::int64_t>((end - begin) / least, 1);
    for (std::int64_t piece = 0; piece < pieces; ++piece)
      parts.push_back({cell, begin + (end - begin) * piece / pieces,
                       begin + (end - begin) * (piece + 1) / pieces, pieces == 1});
  }
  return parts;
}

}  // namespace

template <class T>
bool reduce_groups(const DistanceRows<T>& rows, const Groups& groups, const GroupNumbers<T>& numbers,
                   int threads, Control& control) {
  const Kernels<T>& loops = kernels<T>();
  Team team(threads);
  std::vector<std::vector<T>> gathered(static_cast<std::size_t>(team.size()));
  std::atomic<bool> overflow{false};
  team.parallel_for(rows.rows, [&](std::int64_t i, int member) {
    control.check();
    auto& row = gathered[static_cast<std::size_t>(member)];
    gather(rows, groups, i, row);
    RowNumbers<T> found;
    for (std::int64_t g = 0; g < groups.count; ++g) {
      loops.row(row.data() + groups.starts[g], groups.starts[g + 1] - groups.starts[g], false, found);
      if (found.overflow) overflow = true;
      const std::int64_t place = i * groups.count + g;
      numbers.reached[place] = found.reachable;
      numbers.total[place] = found.sum;
      numbers.least[place] = found.least;
      numbers.largest[place] = found.largest;
    }
  });
  return overflow;
}

template <class T, class Bins>
void count_groups(const DistanceRows<T>& rows, const Groups& groups, const std::int32_t* cells,
                  const Bins& bins, std::int64_t* counts, int threads, Control& control) {
  const std::int64_t width = per_group(bins), per_cell = groups.count * width;
  // Own counts are made and added up at the end of a part, which must not cost more than the part itself.
  const std::int64_t least =
      std::max<std::int64_t>(16, 8 * per_cell / std::max<std::int64_t>(groups.columns(), 1));
  std::vector<std::int64_t> sorted;
  const std::vector<Part> parts = parts_of(cells, rows.rows, least, sorted);
  Team team(threads);
  std::vector<std::vector<T>> gathered(static_cast<std::size_t>(team.size()));
  std::mutex mutex;
  team.parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int member) {
    const Part& part = parts[static_cast<std::size_t>(index)];
    std::vector<std::int64_t> own(part.alone ? 0 : static_cast<std::size_t>(per_cell));
    std::int64_t* to = part.alone ? counts + part.cell * per_cell : own.data();
    auto& row = gathered[static_cast<std::size_t>(member)];
    for (std::int64_t k = part.begin; k < part.end; ++k) {
      control.check();
      gather(rows, groups, sorted[static_cast<std::size_t>(k)], row);
      for (std::int64_t g = 0; g < groups.count; ++g)
        Counter<T>::add(row.data() + groups.starts[g], groups.starts[g + 1] - groups.starts[g], bins,
                        part.cell * groups.count + g, to + g * width);
    }
    if (part.alone) return;
    const std::lock_guard lock(mutex);
    for (std::int64_t k = 0; k < per_cell; ++k)
      counts[part.cell * per_cell + k] += own[static_cast<std::size_t>(k)];
  });
}

namespace {

// The elements of some ranks, ascending, of values that are reordered.
template <class T>
void select(std::vector<T>& values, const std::vector<std::int64_t>& ranks, T* found) {
  auto from = values.begin();
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    const auto place = values.begin() + ranks[k];
    if (place >= from) {
      std::nth_element(from, place, values.end());
      from = place + 1;
    }
    found[k] = *place;
  }
}

// The same, by counts of integers from `least` to `largest`.
template <class T>
void select_by_counts(const std::vector<T>& values, T least, std::vector<std::int32_t>& counts,
                      const std::vector<std::int64_t>& ranks, T* found) {
  for (const T value : values) ++counts[static_cast<std::size_t>(value - least)];
  std::int64_t below = 0;
  std::size_t bin = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k) {
    while (below + counts[bin] <= ranks[k]) below += counts[bin++];
    found[k] = static_cast<T>(least + static_cast<T>(bin));
  }
}

}  // namespace

template <class T>
void quantiles_of_groups(const DistanceRows<T>& rows, const Groups& groups, const double* shares,
                         std::int64_t count, T* quantiles, int threads, Control& control) {
  Team team(threads);
  std::vector<std::vector<T>> gathered(static_cast<std::size_t>(team.size()));
  team.parallel_for(rows.rows, [&](std::int64_t i, int member) {
    control.check();
    auto& row = gathered[static_cast<std::size_t>(member)];
    gather(rows, groups, i, row);
    std::vector<T> values;
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(count));
    std::vector<std::int32_t> counts;
    for (std::int64_t g = 0; g < groups.count; ++g) {
      T* found = quantiles + (i * groups.count + g) * count;
      values.clear();
      std::copy_if(row.begin() + groups.starts[g], row.begin() + groups.starts[g + 1],
                   std::back_inserter(values), [](T distance) { return distance != kNoPath<T>; });
      if (values.empty()) {
        std::fill_n(found, count, kNoPath<T>);
        continue;
      }
      const auto size = static_cast<std::int64_t>(values.size());
      for (std::int64_t k = 0; k < count; ++k) {
        const auto rank = static_cast<std::int64_t>(std::ceil(shares[k] * static_cast<double>(size))) - 1;
        ranks[static_cast<std::size_t>(k)] = std::clamp<std::int64_t>(rank, 0, size - 1);
      }
      if constexpr (std::is_integral_v<T>) {
        const auto [least, largest] = std::minmax_element(values.begin(), values.end());
        const std::uint64_t range = static_cast<std::uint64_t>(*largest) - static_cast<std::uint64_t>(*least);
        if (range < static_cast<std::uint64_t>(2 * size)) {
          counts.assign(static_cast<std::size_t>(range) + 1, 0);
          select_by_counts(values, *least, counts, ranks, found);
          continue;
        }
      }
      select(values, ranks, found);
    }
  });
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template bool reduce_groups<T>(const DistanceRows<T>&, const Groups&, const GroupNumbers<T>&, int,         \
                                 Control&);                                                                  \
  template void count_groups<T>(const DistanceRows<T>&, const Groups&, const std::int32_t*, const EvenBins&, \
                                std::int64_t*, int, Control&);                                               \
  template void count_groups<T>(const DistanceRows<T>&, const Groups&, const std::int32_t*, const EdgeBins&, \
                                std::int64_t*, int, Control&);                                               \
  template void count_groups<T>(const DistanceRows<T>&, const Groups&, const std::int32_t*,                  \
                                const KeyWindows&, std::int64_t*, int, Control&);                            \
  template void quantiles_of_groups<T>(const DistanceRows<T>&, const Groups&, const double*, std::int64_t,   \
                                       T*, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
