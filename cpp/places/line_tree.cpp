// Distances are rounded as NumPy rounds them, operation by operation: kernels.cmake forbids fused ones here.
#include "places/line_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace apsp::places {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kLinesPerLeaf = 8;
constexpr std::int64_t kLinesPerCheck = std::int64_t{1} << 20;

// A node has fewer bits of cells, or half of the lines, of the node that it is a part of.
constexpr int kDeepest = 128;

// Boxes are wider than their lines by this part, which is more than rounding can change the distance of a
// line by; and squares of distances that differ by less may have the same root.
constexpr double kRounding = 1e-14;
constexpr double kTiny = 1e-320;  // numbers below 1e-308 are rounded to multiples of 5e-324

// The square up to which a line or a box may be as near as a line at this square.
double reach(double square) { return square * (1 + kRounding) + kTiny; }

// The lower 32 bits of a number (21 if D = 3) with room for those of D - 1 others between them.
template <int D>
std::uint64_t spread(std::uint64_t bits) {
  if constexpr (D == 2) {
    bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
    bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
  } else {
    bits = (bits | bits << 32) & 0x001F00000000FFFF;
    bits = (bits | bits << 16) & 0x001F0000FF0000FF;
    bits = (bits | bits << 8) & 0x100F00F00F00F00F;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3;
    return (bits | bits << 2) & 0x1249249249249249;
  }
}

template <int D>
struct Span {
  double low[D], high[D];

  Span() {
    std::fill_n(low, D, kInfinity);
    std::fill_n(high, D, -kInfinity);
  }
  void add(const double* lowest, const double* highest) {
    for (int i = 0; i < D; ++i) {
      low[i] = std::min(low[i], lowest[i]);
      high[i] = std::max(high[i], highest[i]);
    }
  }
};

}  // namespace

template <int D>
LineTree<D>::LineTree(const double* begins, const double* ends, std::int64_t count, const Control& control)
    : count_(count), lines_(buffer<Line>(count)), nodes_(1) {
  const Ends of{begins, ends};
  const auto keys = sorted(keys_of(of, count, control), count, control);
  nodes_.reserve(count / 2 + 1);  // of several lines per leaf
  build(of, keys.get(), 0, 0, count, control);
  nodes_.shrink_to_fit();
}

// The cells of the middles of the lines.
template <int D>
Buffer<typename LineTree<D>::Key> LineTree<D>::keys_of(const Ends& of, std::int64_t count,
                                                       const Control& control) {
  Span<D> span;
  for (std::int64_t k = 0; k < count; ++k) span.add(of.begins + k * D, of.begins + k * D);
  double extent = 0;
  for (int i = 0; i < D; ++i) extent = std::max(extent, span.high[i] - span.low[i]);
  constexpr double kCells = D == 2 ? 1LL << 32 : 1LL << 21;
  const double scale = extent > 0 ? kCells / extent : 0;
  auto keys = buffer<Key>(count);
  for (std::int64_t k = 0; k < count; ++k) {
    if (k % kLinesPerCheck == 0) control.check();
    keys[k] = {0, k};
    for (int i = 0; i < D; ++i) {
      const double middle = of.begins[k * D + i] / 2 + of.ends[k * D + i] / 2;
      const double cell = std::min(std::max(0.0, (middle - span.low[i]) * scale), kCells - 1);  // not NaN
      keys[k].cell |= spread<D>(static_cast<std::uint64_t>(cell)) << i;
    }
  }
  return keys;
}

// In the order of the cells: in passes for 8 bits each, without those in which all lines are equal.
template <int D>
Buffer<typename LineTree<D>::Key> LineTree<D>::sorted(Buffer<Key> keys, std::int64_t count,
                                                      const Control& control) {
  constexpr int kDigits = 8, kValues = 256;
  const auto digit_of = [](const Key& key, int digit) { return (key.cell >> (8 * digit)) % kValues; };
  std::vector<std::int64_t> starts(kDigits * kValues);
  for (std::int64_t k = 0; k < count; ++k)
    for (int digit = 0; digit < kDigits; ++digit) ++starts[digit * kValues + digit_of(keys[k], digit)];
  auto other = buffer<Key>(count);
  for (int digit = 0; digit < kDigits; ++digit) {
    std::int64_t* const start = &starts[digit * kValues];
    if (start[digit_of(keys[0], digit)] == count) continue;
    std::exclusive_scan(start, start + kValues, start, std::int64_t{0});
    for (std::int64_t k = 0; k < count; ++k) {
      if (k % kLinesPerCheck == 0) control.check();
      other[start[digit_of(keys[k], digit)]++] = keys[k];
    }
    std::swap(keys, other);
  }
  return keys;
}

// The lines from `first` to `last` in the order of `keys`.
template <int D>
void LineTree<D>::build(const Ends& of, const Key* keys, std::int64_t node, std::int64_t first,
                        std::int64_t last, const Control& control) {
  Span<D> span;
  std::int64_t parts = first, count = last - first;
  if (count <= kLinesPerLeaf) {
    for (std::int64_t k = first; k < last; ++k) {
      Line& line = lines_[k];
      line.number = keys[k].number;
      const double *begin = of.begins + line.number * D, *end = of.ends + line.number * D;
      span.add(begin, begin);
      span.add(end, end);
      line.square = 0;
      for (int i = 0; i < D; ++i) {
        line.begin[i] = begin[i];
        line.along[i] = end[i] - begin[i];
        line.square += line.along[i] * line.along[i];
      }
    }
    for (int i = 0; i < D; ++i) {
      const double more = (span.high[i] - span.low[i]) * kRounding;
      span.low[i] = std::nextafter(span.low[i] - more, -kInfinity);
      span.high[i] = std::nextafter(span.high[i] + more, kInfinity);
    }
  } else {
    control.check();
    const std::uint64_t differing = keys[first].cell ^ keys[last - 1].cell, bit = std::bit_floor(differing);
    const auto is_low = [bit](const Key& key) { return (key.cell & bit) == 0; };
    const std::int64_t middle =
        bit == 0 ? first + count / 2 : std::partition_point(keys + first, keys + last, is_low) - keys;
    parts = static_cast<std::int64_t>(nodes_.size());
    count = 0;
    nodes_.resize(nodes_.size() + 2);
    build(of, keys, parts, first, middle, control);
    build(of, keys, parts + 1, middle, last, control);
    for (const std::int64_t part : {parts, parts + 1}) span.add(nodes_[part].low, nodes_[part].high);
  }
  Node& made = nodes_[node];
  std::copy_n(span.low, D, made.low);
  std::copy_n(span.high, D, made.high);
  made.first = parts;
  made.lines = count;
}

template <int D>
typename LineTree<D>::Found LineTree<D>::find(const double* point, double limit) const noexcept {
  const auto square_to = [point](const Node& node) {
    double sum = 0;
    for (int i = 0; i < D; ++i) {
      const double away = std::max(std::max(node.low[i] - point[i], point[i] - node.high[i]), 0.0);
      sum += away * away;
    }
    return sum;
  };
  struct {
    const Node* node;
    double square;
  } waiting[kDeepest];
  int waits = 0;
  Found found{nullptr, 0, 0};
  double best = limit, most = reach(limit * limit);
  for (const Node* node = nodes_.data();;) {
    found.steps += 1 + node->lines;
    if (node->lines == 0) {
      const Node* const parts = &nodes_[node->first];
      const double first = square_to(parts[0]), second = square_to(parts[1]);
      const bool turned = second < first;
      if ((turned ? first : second) <= most) waiting[waits++] = {parts + !turned, turned ? first : second};
      if ((turned ? second : first) <= most) {
        node = parts + turned;
        continue;
      }
    }
    const Line* const lines = &lines_[node->first];
    for (const Line* line = lines; line < lines + node->lines; ++line) {
      double from[D], inner = 0, square = 0;  // sums of NumPy begin at 0, too, so that there is no -0
      for (int i = 0; i < D; ++i) {
        from[i] = point[i] - line->begin[i];
        inner += from[i] * line->along[i];
      }
      double at = line->square > 0 ? inner / line->square : 0.0;
      at = at < 0 ? 0.0 : at;
      at = at > 1 ? 1.0 : at;
      for (int i = 0; i < D; ++i) {
        const double away = from[i] - at * line->along[i];
        square += away * away;
      }
      if (!(square <= most)) continue;
      const double away = std::sqrt(square);
      if (away < best || (away == best && (!found.line || line->number < found.line->number))) {
        best = away;
        most = reach(square);
        found.line = line;
        found.fraction = at;
      }
    }
    do {
      if (waits == 0) return found;
      --waits;
    } while (waiting[waits].square > most);
    node = waiting[waits].node;
  }
}

template <int D>
std::int64_t LineTree<D>::nearest(const double* points, std::int64_t count, double limit,
                                  const Nearest& found, std::int64_t steps, const Control& control) const {
  limit = std::min(limit, std::numeric_limits<double>::max());
  for (std::int64_t k = 0; k < count; ++k) {
    if (steps <= 0) return k;
    control.check();
    const double* const point = points + k * D;
    const Found nearest = find(point, limit);
    const Line* const line = nearest.line;
    found.lines[k] = line ? line->number : -1;
    found.fractions[k] = nearest.fraction;
    for (int i = 0; i < D; ++i)
      found.places[k * D + i] = line ? line->begin[i] + nearest.fraction * line->along[i] : point[i];
    steps -= nearest.steps;
  }
  return count;
}

template <int D>
std::int64_t LineTree<D>::bytes() const noexcept {
  return count_ * static_cast<std::int64_t>(sizeof(Line)) +
         static_cast<std::int64_t>(nodes_.size() * sizeof(Node));
}

template class LineTree<2>;
template class LineTree<3>;

}  // namespace apsp::places
