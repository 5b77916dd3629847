#include "layouts/stress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "runtime/team.hpp"

namespace apsp::layouts {
namespace {

constexpr std::int64_t kLanes = 4;
constexpr std::int64_t kChunk = 256;  // vertices that a thread takes at a time

// The sums of where the terms of a vertex would have it, times their weights.
struct Pull {
  double x = 0, y = 0;
};

class Sweeps {
 public:
  Sweeps(const SparseStress& stress, double* points, int threads)
      : stress_(stress),
        points_(points),
        x_(static_cast<std::size_t>(stress.k)),
        y_(static_cast<std::size_t>(stress.k)),
        is_pivot_(static_cast<std::size_t>(stress.n)),
        pulls_(static_cast<std::size_t>(stress.n)),
        totals_(static_cast<std::size_t>(stress.n)),
        team_(threads) {
    for (std::int64_t p = 0; p < stress.k; ++p) {
      is_pivot_[stress.pivots[p]] = 1;
      keep_pivot(p);
    }
    for (std::int64_t i = 0; i < stress.n; ++i) totals_[i] = total(i);
  }

  // Moves every vertex once; the sum of the squares of the moves.
  double run(Control& control) {
    double moved = 0;
    for (std::int64_t p = 0; p < stress_.k; ++p) {
      const std::int64_t i = stress_.pivots[p];
      control.check();
      moved += move(i, pull_of_pivots(i));
      keep_pivot(p);
    }
    // What the pivots, which stand still from here on, and a vertex's own old place say of it.
    const std::int64_t chunks = (stress_.n + kChunk - 1) / kChunk;
    team_.parallel_for(chunks, [&](std::int64_t chunk, int) {
      control.check();
      const std::int64_t stop = std::min(stress_.n, (chunk + 1) * kChunk);
      for (std::int64_t i = chunk * kChunk; i < stop; ++i)
        if (!is_pivot_[i]) pulls_[i] = pull_of_pivots(i);
    });
    for (std::int64_t i = 0; i < stress_.n; ++i) {
      if (i % 4096 == 0) control.check();
      if (!is_pivot_[i]) moved += move(i, pulls_[i]);
    }
    return moved;
  }

 private:
  // Above 0, so that two points in one place, which have no direction, stay there.
  static double apart(double x, double y) {
    return std::sqrt(std::max(x * x + y * y, std::numeric_limits<double>::min()));
  }
  static double weight(double length) { return 1 / (length * length); }

  void keep_pivot(std::int64_t p) {
    const std::int64_t i = stress_.pivots[p];
    x_[p] = points_[2 * i], y_[p] = points_[2 * i + 1];
  }

  double total(std::int64_t i) const {
    double sum = 0;
    for (std::int64_t p = 0; p < stress_.k; ++p) sum += stress_.weights[i * stress_.k + p];
    for (std::int64_t e = stress_.indptr[i]; e < stress_.indptr[i + 1]; ++e)
      sum += weight(stress_.lengths[e]);
    return sum;
  }

  // The sums of several lanes, in a fixed order.
  Pull pull_of_pivots(std::int64_t i) const {
    const double x = points_[2 * i], y = points_[2 * i + 1];
    const float* distances = stress_.distances + i * stress_.k;
    const float* weights = stress_.weights + i * stress_.k;
    double sum_x[kLanes] = {}, sum_y[kLanes] = {};
    const auto add = [&](std::int64_t p, std::int64_t lane) {
      const double from_x = x - x_[p], from_y = y - y_[p], weight = weights[p];
      const double scale = distances[p] / apart(from_x, from_y);
      sum_x[lane] += weight * (x_[p] + scale * from_x);
      sum_y[lane] += weight * (y_[p] + scale * from_y);
    };
    const std::int64_t whole = stress_.k - stress_.k % kLanes;
    for (std::int64_t p = 0; p < whole; p += kLanes)
      for (std::int64_t lane = 0; lane < kLanes; ++lane) add(p + lane, lane);
    for (std::int64_t p = whole; p < stress_.k; ++p) add(p, p - whole);
    Pull sum;
    for (std::int64_t lane = 0; lane < kLanes; ++lane) sum.x += sum_x[lane], sum.y += sum_y[lane];
    return sum;
  }

  double move(std::int64_t i, Pull pull) {
    const double x = points_[2 * i], y = points_[2 * i + 1];
    for (std::int64_t e = stress_.indptr[i]; e < stress_.indptr[i + 1]; ++e) {
      const std::int64_t j = stress_.neighbours[e];
      const double from_x = x - points_[2 * j], from_y = y - points_[2 * j + 1];
      const double scale = stress_.lengths[e] / apart(from_x, from_y);
      const double by = weight(stress_.lengths[e]);
      pull.x += by * (points_[2 * j] + scale * from_x);
      pull.y += by * (points_[2 * j + 1] + scale * from_y);
    }
    if (!(totals_[i] > 0)) return 0;
    const double new_x = pull.x / totals_[i], new_y = pull.y / totals_[i];
    points_[2 * i] = new_x, points_[2 * i + 1] = new_y;
    return (new_x - x) * (new_x - x) + (new_y - y) * (new_y - y);
  }

  const SparseStress& stress_;
  double* points_;
  std::vector<double> x_, y_;  // of the pivots
  std::vector<char> is_pivot_;
  std::vector<Pull> pulls_;
  std::vector<double> totals_;
  Team team_;
};

}  // namespace

std::int64_t reduce_stress(const SparseStress& stress, double* points, std::int64_t sweeps, double tolerance,
                           int threads, Control& control) {
  if (stress.n == 0) return 0;
  Sweeps work(stress, points, threads);
  const double enough = tolerance * tolerance * static_cast<double>(stress.n);
  for (std::int64_t done = 0; done < sweeps;) {
    const double moved = work.run(control);
    ++done;
    control.advance(1);
    if (moved <= enough) return done;
  }
  return sweeps;
}

}  // namespace apsp::layouts
