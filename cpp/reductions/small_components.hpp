// Sums over the rows of distances of many small components, each row as long as its component: Floyd 1962
// within each component, whose distances stay in the first-level cache.
#pragma once
#include <cstdint>

#include "reductions/rows.hpp"
#include "runtime/control.hpp"

namespace apsp::reductions {

// Vertices of a component.
constexpr std::int64_t kLargestSmall = 32;

// Components one after another: component c has the vertices first[c] .. first[c + 1] - 1, at most
// kLargestSmall, and its arcs stay inside. weights (m) are at least 0; nullptr: every arc counts 1.
template <class T>
struct Components {
  std::int64_t count;
  const std::int64_t* first;
  const std::int64_t* indptr;
  const std::int32_t* indices;
  const T* weights;
  T cutoff;  // distances beyond it are "no path"
};

// numbers[v]: those of the row of v. Components are divided among `threads`; the numbers do not depend on
// their number.
template <class T>
void small_components(const Components<T>& components, RowNumbers<T>* numbers, int threads, Control& control);

}  // namespace apsp::reductions
