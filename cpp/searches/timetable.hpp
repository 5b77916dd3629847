// Weights of arcs that depend on the time at which an arc is entered.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace apsp::searches {

// The weights at some times, and between them on straight lines. Before the first and after the last they
// stay, or, with a cycle > 0, the last is followed by the first, so much later.
template <class Weight>
struct Timetable {
  const double* times = nullptr;  // (count,), ascending; with a cycle less than one cycle apart
  std::int64_t count = 0;         // at least 1
  double cycle = 0;
  const Weight* weights = nullptr;  // (m, count), none below zero: those of an arc are neighbours
};

// Where a time lies in the timetable: the weight is that of `before`, and `share` of the way to that of
// `after`.
struct Moment {
  std::int64_t before, after;
  double share;
};

template <class Weight>
Moment moment_at(const Timetable<Weight>& table, double time) {
  const double* const times = table.times;
  const std::int64_t last = table.count - 1;
  if (table.cycle > 0) {
    time = times[0] + std::fmod(time - times[0], table.cycle);
    if (time < times[0]) time += table.cycle;
  }
  const std::int64_t next = std::upper_bound(times, times + table.count, time) - times;
  if (next == 0) return {0, 0, 0};
  if (next <= last) return {next - 1, next, (time - times[next - 1]) / (times[next] - times[next - 1])};
  if (table.cycle <= 0) return {last, last, 0};
  return {last, 0, (time - times[last]) / (times[0] + table.cycle - times[last])};
}

// The weight of an arc whose weights are `weights` (count,).
template <class Weight>
double weight_at(const Weight* weights, const Moment& at) {
  const auto before = static_cast<double>(weights[at.before]), after = static_cast<double>(weights[at.after]);
  return before + (after - before) * at.share;
}

// Goes through the times of a timetable, with those of later cycles, from some time on.
template <class Weight>
class Ticks {
 public:
  Ticks(const Timetable<Weight>& table, double from) : table_(table) {
    const double* const times = table.times;
    if (table.cycle > 0) lap_ = std::floor((from - times[0]) / table.cycle);
    const double within = from - lap_ * table.cycle;
    next_ = std::upper_bound(times, times + table.count, within) - times;
    while (time() <= from) advance();  // rounding
  }

  // The next time, later than those before; infinite if there is none.
  double time() const noexcept {
    if (next_ < table_.count) return table_.times[next_] + lap_ * table_.cycle;
    return table_.cycle > 0 ? table_.times[0] + (lap_ + 1) * table_.cycle
                            : std::numeric_limits<double>::infinity();
  }

  // Its number.
  std::int64_t index() const noexcept { return next_ < table_.count ? next_ : 0; }

  void advance() noexcept {
    if (next_ < table_.count) {
      ++next_;
      return;
    }
    lap_ += 1;
    next_ = 1;
  }

 private:
  const Timetable<Weight>& table_;
  double lap_ = 0;
  std::int64_t next_ = 0;
};

}  // namespace apsp::searches
