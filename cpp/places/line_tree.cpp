// Distances are rounded as NumPy rounds them, operation by operation: kernels.cmake forbids fused ones here.
#include "places/line_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace apsp::places {
namespace {

constexpr std::int64_t kLinesPerLeaf = 8;
constexpr int kDeepest = 60;

// Rounding makes the square of a distance at most this part of it less than that of the box of the line,
// which is wider than its lines by as much; and two squares that differ by less may have the same root.
constexpr double kRounding = 1e-14;
constexpr double kTiny = 1e-320;  // numbers below 1e-308 are rounded to multiples of 5e-324

// The square up to which lines may be as near as one at this square.
double reach(double square) { return square * (1 + kRounding) + kTiny; }

// std::nth_element with few branches that depend on the values: it takes a third of the time.
template <class T>
void split(T* first, T* middle, T* last, int axis) {
  constexpr std::int64_t kSample = 31, kFew = 64;
  while (last - first > kFew) {
    double sample[kSample];
    for (std::int64_t k = 0; k < kSample; ++k) sample[k] = first[(last - first) * k / kSample].at[axis];
    double* const pivot = sample + (middle - first) * kSample / (last - first);
    std::nth_element(sample, pivot, sample + kSample);
    T* stop = first;
    for (T* each = first; each < last; ++each) {
      const T one = *each;
      *each = *stop;
      *stop = one;
      stop += one.at[axis] < *pivot;
    }
    if (stop == middle) return;
    if (stop == first) break;  // it is the least
    (stop < middle ? first : last) = stop;
  }
  std::nth_element(first, middle, last, [axis](const T& a, const T& b) { return a.at[axis] < b.at[axis]; });
}

}  // namespace

template <int D>
LineTree<D>::LineTree(const double* begins, const double* ends, std::int64_t count, Control& control)
    : count_(count), levels_(0) {
  while ((count_ - 1) >> levels_ >= kLinesPerLeaf) ++levels_;
  lines_ = buffer<Line>(count_);
  boxes_ = buffer<Box>(std::int64_t{2} << levels_);
  auto middles = buffer<Middle>(count_);
  for (std::int64_t k = 0; k < count_; ++k) {
    for (int i = 0; i < D; ++i) middles[k].at[i] = begins[k * D + i] / 2 + ends[k * D + i] / 2;
    middles[k].number = k;
  }
  boxes_[1] = build(begins, ends, middles.get(), 1, 0, control);
}

// The first line of a leaf: leaf * count / leaves, rounded down.
template <int D>
std::int64_t LineTree<D>::boundary(std::int64_t leaf) const noexcept {
  const std::int64_t whole = count_ >> levels_, rest = count_ - (whole << levels_);
  return whole * leaf + ((rest * leaf) >> levels_);
}

template <int D>
typename LineTree<D>::Box LineTree<D>::build(const double* begins, const double* ends, Middle* middles,
                                             std::int64_t node, int level, const Control& control) {
  const int below = levels_ - level;
  const std::int64_t leaf = (node - (std::int64_t{1} << level)) << below;
  Middle* const first = middles + boundary(leaf);
  Middle* const last = middles + boundary(leaf + (std::int64_t{1} << below));
  Box box;
  std::fill_n(box.low, D, std::numeric_limits<double>::infinity());
  std::fill_n(box.high, D, -std::numeric_limits<double>::infinity());
  const auto widen = [&box](const double* low, const double* high) {
    for (int i = 0; i < D; ++i) {
      box.low[i] = std::min(box.low[i], low[i]);
      box.high[i] = std::max(box.high[i], high[i]);
    }
  };
  if (below == 0) {
    for (const Middle* each = first; each < last; ++each) {
      Line& line = lines_[each - middles];
      const double *begin = begins + each->number * D, *end = ends + each->number * D;
      widen(begin, begin);
      widen(end, end);
      for (int i = 0; i < D; ++i) {
        line.begin[i] = begin[i];
        line.along[i] = end[i] - begin[i];
        line.square = (i == 0 ? 0.0 : line.square) + line.along[i] * line.along[i];
      }
      line.number = each->number;
    }
    for (int i = 0; i < D; ++i) {
      const double more = (box.high[i] - box.low[i]) * kRounding;
      box.low[i] = std::nextafter(box.low[i] - more, -std::numeric_limits<double>::infinity());
      box.high[i] = std::nextafter(box.high[i] + more, std::numeric_limits<double>::infinity());
    }
    return box;
  }
  if (below >= 8) control.check();
  for (const Middle* each = first; each < last; ++each) widen(each->at, each->at);
  int axis = 0;
  for (int i = 1; i < D; ++i)
    if (box.high[i] - box.low[i] > box.high[axis] - box.low[axis]) axis = i;
  Middle* const middle = middles + boundary(leaf + (std::int64_t{1} << (below - 1)));
  split(first, middle, last, axis);
  for (const std::int64_t part : {2 * node, 2 * node + 1}) {
    boxes_[part] = build(begins, ends, middles, part, level + 1, control);
    widen(boxes_[part].low, boxes_[part].high);
  }
  return box;
}

template <int D>
typename LineTree<D>::Found LineTree<D>::find(const double* point, double limit) const noexcept {
  const auto square_to = [point](const Box& box) {
    double sum = 0;
    for (int i = 0; i < D; ++i) {
      const double away = std::max(std::max(box.low[i] - point[i], point[i] - box.high[i]), 0.0);
      sum += away * away;
    }
    return sum;
  };
  struct {
    std::int64_t node;
    double square;
  } waiting[kDeepest];
  const std::int64_t leaves = std::int64_t{1} << levels_;
  Found found{nullptr, 0, 0};
  double best = limit, most = reach(limit * limit);
  int waits = 0;
  for (std::int64_t node = 1;;) {
    ++found.steps;
    if (node < leaves) {
      const double one = square_to(boxes_[2 * node]), other = square_to(boxes_[2 * node + 1]);
      const std::int64_t nearer = other < one;
      const double far = nearer ? one : other;
      if (far <= most) waiting[waits++] = {2 * node + 1 - nearer, far};
      if ((nearer ? other : one) <= most) {
        node = 2 * node + nearer;
        continue;
      }
    } else {
      const Line* const end = &lines_[0] + boundary(node - leaves + 1);
      for (const Line* line = &lines_[0] + boundary(node - leaves); line < end; ++line) {
        ++found.steps;
        double from[D], inner = 0, square = 0;  // NumPy's sums begin at 0, too: it makes -0 to 0
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
                                  const Nearest& found, std::int64_t steps, Control& control) const {
  limit = std::min(limit, std::numeric_limits<double>::max());
  for (std::int64_t k = 0; k < count; ++k) {
    if (steps <= 0) return k;
    control.check();
    const double* point = points + k * D;
    const auto [line, fraction, taken] = find(point, limit);
    found.lines[k] = line ? line->number : -1;
    found.fractions[k] = fraction;
    for (int i = 0; i < D; ++i)
      found.places[k * D + i] = line ? line->begin[i] + fraction * line->along[i] : point[i];
    steps -= taken;
  }
  return count;
}

template <int D>
std::int64_t LineTree<D>::bytes() const noexcept {
  return count_ * static_cast<std::int64_t>(sizeof(Line)) +
         (std::int64_t{2} << levels_) * static_cast<std::int64_t>(sizeof(Box));
}

template class LineTree<2>;
template class LineTree<3>;

}  // namespace apsp::places
