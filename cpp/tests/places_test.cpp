// LineTree beside the distances to all lines, in two and three dimensions.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include "check.hpp"
#include "places/line_tree.hpp"

using namespace apsp;
using namespace apsp::places;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kAll = std::int64_t{1} << 60;

// Rounded here and not only after the next operation, as on ARM.
double times(double a, double b) {
  const volatile double product = a * b;
  return product;
}

struct Found {
  std::vector<std::int64_t> lines;
  std::vector<double> fractions, places;

  Found(std::int64_t count, int d) : lines(count, -2), fractions(count, -2), places(count * d, -2) {}
  Nearest view() { return {lines.data(), fractions.data(), places.data()}; }
};

template <int D>
Found of_all(const std::vector<double>& begins, const std::vector<double>& ends,
             const std::vector<double>& points, double limit) {
  const auto count = static_cast<std::int64_t>(points.size()) / D;
  Found found(count, D);
  for (std::int64_t k = 0; k < count; ++k) {
    double best = kInfinity;
    found.lines[k] = -1;
    found.fractions[k] = 0;
    std::copy_n(&points[k * D], D, &found.places[k * D]);
    for (std::int64_t j = 0; j < static_cast<std::int64_t>(begins.size()) / D; ++j) {
      double along[D], from[D], length = 0, inner = 0, square = 0;
      for (int i = 0; i < D; ++i) {
        along[i] = ends[j * D + i] - begins[j * D + i];
        from[i] = points[k * D + i] - begins[j * D + i];
        length += times(along[i], along[i]);
        inner += times(from[i], along[i]);
      }
      const double at = length > 0 ? std::clamp(inner / length, 0.0, 1.0) : 0.0;
      for (int i = 0; i < D; ++i) {
        const double away = from[i] - times(at, along[i]);
        square += times(away, away);
      }
      const double away = std::sqrt(square);
      if (!(away < best && away <= limit)) continue;
      best = away;
      found.lines[k] = j;
      found.fractions[k] = at;
      for (int i = 0; i < D; ++i) found.places[k * D + i] = begins[j * D + i] + times(at, along[i]);
    }
  }
  return found;
}

template <int D>
void check_all(const std::vector<double>& begins, const std::vector<double>& ends,
               const std::vector<double>& points) {
  const Control control;
  const auto lines = static_cast<std::int64_t>(begins.size()) / D;
  const auto count = static_cast<std::int64_t>(points.size()) / D;
  const LineTree<D> tree(begins.data(), ends.data(), lines, control);
  for (const double limit : {kInfinity, 0.0, 0.5, 3.0}) {
    Found found(count, D);
    CHECK(tree.nearest(points.data(), count, limit, found.view(), kAll, control) == count);
    const Found all = of_all<D>(begins, ends, points, limit);
    CHECK(found.lines == all.lines);
    CHECK(std::memcmp(found.fractions.data(), all.fractions.data(), count * sizeof(double)) == 0);
    CHECK(std::memcmp(found.places.data(), all.places.data(), count * D * sizeof(double)) == 0);
  }
}

template <int D>
void check_random() {
  std::mt19937 random(D);
  for (const std::int64_t count : {1, 2, 8, 9, 100, 1000}) {
    for (const int kind : {0, 1, 2, 3}) {
      std::uniform_real_distribution<double> uniform(-4, 4);
      const auto coordinate = [&] { return kind == 1 ? std::round(uniform(random)) : uniform(random); };
      std::vector<double> begins(count * D), ends(count * D), points(60 * D);
      std::generate(begins.begin(), begins.end(), coordinate);
      std::generate(ends.begin(), ends.end(), coordinate);
      std::generate(points.begin(), points.end(), coordinate);
      if (kind == 2) ends = begins;
      if (kind == 3)
        for (std::int64_t k = 0; k < count * D; ++k) ends[k] = begins[k] = begins[k % D];
      std::copy_n(begins.begin(), std::min<std::int64_t>(count, 9) * D, points.begin());
      check_all<D>(begins, ends, points);
    }
  }
}

// Ends of long lines at distances that differ by a few roundings: computed, they may be below those of the
// boxes.
template <int D>
void check_rounding() {
  std::mt19937 random(D);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 300; ++round) {
    const double scale = round % 3 ? 1 : std::exp2(-537.5);  // whose square is half of the least number
    std::vector<double> begins(60 * D), ends(60 * D), point(D);
    for (double& x : point) x = uniform(random) * scale;
    for (std::int64_t k = 0; k < 60; ++k) {
      const int axis = k % D;
      for (int i = 0; i < D; ++i) ends[k * D + i] = point[i];
      const double away = scale * (1 + static_cast<double>(random() % 5) * 1.1e-16);
      ends[k * D + axis] += k % 4 < 2 ? away : -away;
      const bool is_long = random() % 3 > 0;
      for (int i = 0; i < D; ++i) begins[k * D + i] = ends[k * D + i];
      if (is_long)
        begins[k * D + axis] += (k % 4 < 2 ? 1 : -1) * scale * (1 + 1e3 * std::abs(uniform(random)));
    }
    check_all<D>(begins, ends, point);
  }
}

// Points are done until the steps are used up, at least one at a time; a cancelled search ends.
void check_stops() {
  Control control;
  std::vector<double> begins;
  for (int k = 0; k < 1000; ++k) begins.insert(begins.end(), {std::cos(k), std::sin(k)});
  const LineTree<2> tree(begins.data(), begins.data(), 1000, control);
  const std::vector<double> middle(20, 0.0);
  Found found(10, 2);
  CHECK(tree.nearest(middle.data(), 10, 9, found.view(), 0, control) == 0);
  CHECK(tree.nearest(middle.data(), 10, 9, found.view(), 1, control) == 1);
  CHECK(found.lines[0] >= 0 && found.lines[1] == -2);
  const std::int64_t done = tree.nearest(middle.data(), 10, 9, found.view(), 5000, control);
  CHECK(done > 1 && done < 10);
  control.cancel();
  int stopped = 0;
  try {
    tree.nearest(middle.data(), 10, 9, found.view(), kAll, control);
  } catch (const Cancelled&) {
    ++stopped;
  }
  try {
    const LineTree<2> other(begins.data(), begins.data(), 1000, control);
  } catch (const Cancelled&) {
    ++stopped;
  }
  CHECK(stopped == 2);
}

}  // namespace

int main() {
  check_random<2>();
  check_random<3>();
  check_rounding<2>();
  check_rounding<3>();
  check_stops();
}
