#include "elimination/changed_front.hpp"

#include <algorithm>

#include "runtime/dtypes.hpp"
#include "semiring/algebra.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kAtOnce = 8;  // entries that a kernel relaxes in the time of one that is looked at

template <class T>
constexpr T kNone = semiring::Bounds<T>::kNoPath;

// Wide enough to compare two sums.
template <class T>
std::int64_t sum_of(T a, T b) {
  return static_cast<std::int64_t>(a) + static_cast<std::int64_t>(b);
}

}  // namespace

template <class T>
bool ChangedFront<T>::change(const Front<T>& front, const std::vector<Replaced<T>>& steps) {
  front_ = front;
  width_ = front.k + front.r;
  slot_.assign(static_cast<std::size_t>(width_), -1);
  saved_.clear();
  written_.clear();
  opened_.clear();
  work_ = 0;
  const std::int64_t most = front.k * width_ * width_ / kAtOnce;
  for (const Replaced<T>& step : steps) {
    if (step.after < step.before && step.after < at(step.from, step.to)) shorten(step);
    if (work_ > most) break;
  }
  const auto matters = [&](const Replaced<T>& step) {
    return step.after > step.before && step.before <= at(step.from, step.to);
  };
  if (work_ <= most && std::any_of(steps.begin(), steps.end(), matters)) {
    flags_.assign(static_cast<std::size_t>(width_ * width_), 0);
    if (static_cast<std::int64_t>(open_.size()) < width_) open_.resize(static_cast<std::size_t>(width_));
    for (const Replaced<T>& step : steps) {
      if (matters(step)) open_along(step);
      if (work_ > most) break;
    }
  }
  if (work_ > most || 2 * pairs() > static_cast<double>(front.k * width_ * width_)) {
    undo();
    return false;
  }
  for (const Vertex row : opened_) {
    keep(row);
    for (const Vertex column : open(row)) at(row, column) = kNone<T>;
  }
  return true;
}

// A path may begin anywhere, and if the step begins in a row, with it only.
template <class T>
template <class Compare, class Take>
void ChangedFront<T>::for_sums(Vertex from, Vertex to, T length, const Compare& compare, const Take& take) {
  const auto& [out, in, rest, k, r] = front_;
  if (from >= k) {
    work_ += 1;
    take(from, static_cast<std::int64_t>(length));
    return;
  }
  work_ += width_;
  const auto some = [&](std::int64_t first, const T* way, const T* known, std::int64_t count,
                        std::int64_t way_stride, std::int64_t known_stride) {
    for (std::int64_t x = 0; x < count; ++x, way += way_stride, known += known_stride) {
      const std::int64_t sum = sum_of(*way, length);
      if (compare(sum, static_cast<std::int64_t>(*known)) && *way < kNone<T>)
        take(static_cast<Vertex>(first + x), sum);
    }
  };
  some(0, out + from, out + to, k, width_, width_);
  if (r > 0) some(k, in + from, to < k ? in + to : rest + (to - k), r, k, to < k ? k : r);
}

// The rows from which the step is a shorter way to where it leads.
template <class T>
void ChangedFront<T>::shorten(const Replaced<T>& step) {
  const std::int64_t to = step.to;
  for_sums(
      step.from, step.to, step.after, [](std::int64_t sum, std::int64_t known) { return sum < known; },
      [&](Vertex x, std::int64_t sum) {
        keep(x);
        at(x, to) = static_cast<T>(sum);
        if (to >= front_.k) return;
        relax(x, to, static_cast<T>(sum));
        work_ += width_ / kAtOnce;
      });
}

// The entries with a shortest path along the step. Where it is one to the end of the path from its own
// beginning, it may be one from other rows.
template <class T>
void ChangedFront<T>::open_along(const Replaced<T>& step) {
  const auto [from, to, length, unused] = step;
  ahead_.clear();
  if (to >= front_.k) {
    ahead_.push_back({to, T{0}});
  } else {
    const T* onwards = front_.out + to * width_;
    for (std::int64_t y = 0; y < width_; ++y)
      if (onwards[y] < kNone<T> && sum_of(length, onwards[y]) <= static_cast<std::int64_t>(at(from, y)))
        ahead_.push_back({static_cast<Vertex>(y), onwards[y]});
    work_ += width_;
  }
  for_sums(
      from, to, length, [](std::int64_t sum, std::int64_t known) { return sum <= known; },
      [&](Vertex x, std::int64_t sum) {
        std::uint8_t* flags = flags_.data() + x * width_;
        for (const auto& [y, onwards] : ahead_) {
          if (flags[y] != 0 || (x == y && x < front_.k)) continue;
          if (sum + static_cast<std::int64_t>(onwards) > static_cast<std::int64_t>(at(x, y))) continue;
          flags[y] = 1;
          if (open_[x].empty()) opened_.push_back(x);
          open_[x].push_back(y);
        }
        work_ += std::ssize(ahead_);
      });
}

// Few entries of a row one by one, many together with the others, which stay as they are.
template <class T>
void ChangedFront<T>::close(Control& control) {
  for (std::int64_t p = 0; p < front_.k && !opened_.empty(); ++p) {
    control.check();
    const T* pivot = front_.out + p * width_;
    for (const Vertex x : opened_) {
      const T way = x == p ? kNone<T> : at(x, p);
      if (!(way < kNone<T>)) continue;
      if (kAtOnce * std::ssize(open_[x]) > width_) {
        relax(x, p, way);
        continue;
      }
      for (const Vertex y : open_[x]) {
        T& entry = at(x, y);
        const std::int64_t sum = sum_of(way, pivot[y]);
        if (sum < static_cast<std::int64_t>(entry)) entry = static_cast<T>(sum);
      }
    }
  }
  for (const Vertex x : opened_) open_[x].clear();
}

template <class T>
double ChangedFront<T>::pairs() const {
  std::int64_t entries = 0;
  for (const Vertex x : opened_) entries += std::min(kAtOnce * std::ssize(open_[x]), width_);
  return static_cast<double>(entries) * static_cast<double>(front_.k);
}

// A row is the way to a column, and then its row.
template <class T>
void ChangedFront<T>::relax(std::int64_t row, std::int64_t pivot, T value) {
  const std::int64_t k = front_.k;
  const T* from = front_.out + pivot * width_;
  kernels_.relax(&at(row, 0), from, value, row < k ? width_ : k);
  if (row >= k && front_.r > 0) kernels_.relax(&at(row, k), from + k, value, front_.r);
}

template <class T>
void ChangedFront<T>::keep(std::int64_t row) {
  if (slot_[row] >= 0) return;
  slot_[row] = static_cast<Vertex>(written_.size());
  written_.push_back(static_cast<Vertex>(row));
  saved_.resize(saved_.size() + static_cast<std::size_t>(width_));
  T* to = saved_.data() + saved_.size() - width_;
  const std::int64_t columns = row < front_.k ? width_ : front_.k;
  std::copy_n(&at(row, 0), columns, to);
  if (row >= front_.k) std::copy_n(front_.rest + (row - front_.k) * front_.r, front_.r, to + columns);
}

template <class T>
void ChangedFront<T>::undo() {
  for (const Vertex row : written_) {
    const std::int64_t columns = row < front_.k ? width_ : front_.k;
    std::copy_n(before(row), columns, &at(row, 0));
    if (row >= front_.k)
      std::copy_n(before(row) + columns, front_.r, front_.rest + (row - front_.k) * front_.r);
  }
  for (const Vertex x : opened_) open_[x].clear();
  opened_.clear();
  written_.clear();
}

#define APSP_INSTANTIATE(T) template class ChangedFront<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
