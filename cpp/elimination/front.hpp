// Closing the front of a supernode: paths whose inner vertices are its columns.
#pragma once
#include <algorithm>
#include <cstdint>

#include "elimination/kernels.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

constexpr std::int64_t kSharedFront = 384;  // from which on all threads work on one front

// The entries among k columns and r rows: those of the panel (factor.hpp), and between rows, (r, r).
template <class T>
struct Front {
  T *out, *in, *rest;
  std::int64_t k, r;
};

// Lowers the entries of a front to what a child hands up: from, (count, count), between its rows, of which
// row i is at to[i] in the front (rows_in_front).
template <class T, class Place>
void merge_rest(const Place* to, std::int64_t count, const T* from, const Front<T>& front) {
  const std::int64_t k = front.k, r = front.r, inner = std::lower_bound(to, to + count, k) - to;
  const auto merge = [](T& entry, T value) { entry = std::min(entry, value); };
  for (std::int64_t i = 0; i < count; ++i, from += count) {
    if (i < inner) {
      T* row = front.out + to[i] * (k + r);
      for (std::int64_t j = 0; j < count; ++j) merge(row[to[j]], from[j]);
    } else {
      T* row = front.in + (to[i] - k) * k;
      for (std::int64_t j = 0; j < inner; ++j) merge(row[to[j]], from[j]);
      row = front.rest + (to[i] - k) * r - k;
      for (std::int64_t j = inner; j < count; ++j) merge(row[to[j]], from[j]);
    }
  }
}

template <class T>
class Fronts {
 public:
  Fronts(bool nonnegative, Control& control)
      : kernels_(kernels<T>(nonnegative)), nonnegative_(nonnegative), control_(control) {}

  // Closes out (k, k + r) and in (r, k) of k columns and r rows in place. Unless `rest` (r, r) is null, its
  // entries are relaxed by the paths between rows. Returns -1, or the number of a column on a negative cycle.
  std::int64_t close(T* out, T* in, T* rest, std::int64_t k, std::int64_t r, Team& team) const;

 private:
  std::int64_t by_pivots(T* out, T* in, T* rest, std::int64_t k, std::int64_t r) const;
  std::int64_t by_tiles(T* out, T* in, T* rest, std::int64_t k, std::int64_t r, Team& team) const;

  const Kernels<T>& kernels_;
  bool nonnegative_;
  Control& control_;
};

}  // namespace apsp::elimination
