// A closed front after some of the steps that it was closed from have changed: only the entries that depend
// on them are computed again. Ausiello, Italiano, Marchetti Spaccamela and Nanni 1991, "Incremental
// algorithms for minimal length paths" (shorter steps); Even and Gazit 1985, "Updating distances in dynamic
// graphs" (longer ones), with paths whose inner vertices are columns.
//
// A step i -> j that is shorter now gives each entry (x, y) the way x, i, j, y. After all of these, a step
// that is longer matters to the entries of which it was on a shortest path: x, i, j, y had their length. Such
// entries are opened: they begin with the steps that there are now, and are closed among all others. Sums are
// compared, so that this is for integers only.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "elimination/front.hpp"

namespace apsp::elimination {

// A step between two places of a front, an arc or what a child hands up, before a change and after it.
template <class T>
struct Replaced {
  Vertex from, to;
  T before, after;
};

template <class T>
class ChangedFront {
 public:
  ChangedFront() : kernels_(kernels<T>(true)) {}

  // Changes a front in place: open entries, which have no path then, have to be lowered to their steps, and
  // closed. Returns false, and the front is as it was, if to close it as a whole takes less time.
  bool change(const Front<T>& front, const std::vector<Replaced<T>>& steps);

  // The rows with open entries, and where these are in a row.
  const std::vector<Vertex>& opened() const { return opened_; }
  const std::vector<Vertex>& open(std::int64_t row) const { return open_[static_cast<std::size_t>(row)]; }
  bool is_open(std::int64_t row, std::int64_t column) const { return flags_[row * width_ + column] != 0; }

  void lower(std::int64_t row, std::int64_t column, T step) {
    T& entry = at(row, column);
    entry = std::min(entry, step);
  }

  void close(Control& control);

  // (add, min) pairs of `close`.
  double pairs() const;

  // The rows that were written to, and what they were before: (k + r).
  const std::vector<Vertex>& written() const { return written_; }
  const T* before(std::int64_t row) const { return saved_.data() + slot_[row] * width_; }

 private:
  T& at(std::int64_t row, std::int64_t column) {
    const auto& [out, in, rest, k, r] = front_;
    if (row < k) return out[row * width_ + column];
    return column < k ? in[(row - k) * k + column] : rest[(row - k) * r + column - k];
  }
  // The places x from which `sum`, the distance to the beginning of a step and its length, compares with what
  // is known of the way to its end: take(x, sum). Those of the columns and of the rows lie apart.
  template <class Compare, class Take>
  void for_sums(Vertex from, Vertex to, T length, const Compare& compare, const Take& take);
  void keep(std::int64_t row);
  void relax(std::int64_t row, std::int64_t pivot, T value);
  void shorten(const Replaced<T>& step);
  void open_along(const Replaced<T>& step);
  void undo();

  const Kernels<T>& kernels_;
  Front<T> front_{};
  std::int64_t width_ = 0, work_ = 0;
  std::vector<Vertex> written_, slot_;  // slot_: (k + r) of a row that was written to, its number; -1
  std::vector<T> saved_;
  std::vector<Vertex> opened_;
  std::vector<std::pair<Vertex, T>> ahead_;  // of a step: where it leads to, and how far
  std::vector<std::vector<Vertex>> open_;    // of a row
  std::vector<std::uint8_t> flags_;          // (k + r, k + r)
};

}  // namespace apsp::elimination
