// The inner loops over one row, for the instruction set in force. Three files (loops_baseline, loops_avx2,
// loops_avx512) compile the same template, loops_template.hpp.
#pragma once
#include <cstdint>

#include "reduce/rows.hpp"
#include "runtime/isa.hpp"

namespace apsp::reduce {

template <class T>
struct Loops {
  // row (columns) -> its numbers.
  void (*row)(const T* row, std::int64_t columns, RowNumbers<T>& numbers);

  // Adds row (columns) to the running sums, all of which start at the same column.
  void (*add_to_columns)(const T* row, std::int64_t columns, const ColumnNumbers<T>& sums);
};

namespace baseline {
template <class T>
const Loops<T>& loops();
}
namespace avx2 {
template <class T>
const Loops<T>& loops();
}
namespace avx512 {
template <class T>
const Loops<T>& loops();
}

template <class T>
const Loops<T>& loops_in_force() {
#if defined(__x86_64__)
  if (isa() == Isa::kAvx512) return avx512::loops<T>();
  if (isa() == Isa::kAvx2) return avx2::loops<T>();
#endif
  return baseline::loops<T>();
}

}  // namespace apsp::reduce
