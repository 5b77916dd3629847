// Closing the front of a supernode: paths whose inner vertices are its columns.
#pragma once
#include <cstdint>

#include "elimination/kernels.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {

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
