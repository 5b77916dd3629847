// All distances from the nearest of some seeds: up the elimination tree from them, and down to every place,
// with the operations of elimination/batch.hpp.
#pragma once
#include <stdint.h>

#include "explore/tree.hpp"
#include "explore/values.hpp"

namespace apsp::explore {

// Where paths begin, and at what distance.
template <class T>
struct Seeds {
  const int32_t* places;
  const T* values;
  int32_t count;
};

// line[i] = min(line[i], min over h of line[h] + own[h, i]) for the columns of a supernode. Six are written
// together, as by the kernels of most processors.
template <class T>
void extend_own(const T* own, int32_t k, int32_t stride, T* line) {
  constexpr int32_t kTogether = 6;
  for (int32_t from = 0; from < k; from += kTogether) {
    const int32_t count = k - from < kTogether ? k - from : kTogether;
    T sum[kTogether];
    for (int32_t i = 0; i < count; ++i) sum[i] = line[from + i];
    for (int32_t h = 0; h < k; ++h)
      for (int32_t i = 0; i < count; ++i)
        sum[i] = least(sum[i], static_cast<T>(line[h] + own[h * stride + from + i]));
    for (int32_t i = 0; i < count; ++i) line[from + i] = sum[i];
  }
}

// Writes line (n), "no path" as that of Values. met: (nodes) bytes that are 0, before and after; above:
// scratch of most_rows entries.
template <class T>
void sweep(const Tree& tree, const T* values, const Seeds<T>& seeds, T* line, uint8_t* met, T* above) {
  for (int32_t i = 0; i < seeds.count; ++i)
    for (int32_t s = tree.node_of[seeds.places[i]]; s >= 0 && !met[s]; s = tree.parent(s)) {
      met[s] = 1;
      for (int32_t place = tree.first[s]; place < tree.first[s + 1]; ++place) line[place] = Values<T>::kNone;
    }
  for (int32_t i = 0; i < seeds.count; ++i) {
    T& entry = line[seeds.places[i]];
    entry = least(entry, seeds.values[i]);
  }
  for (int32_t s = 0; s < tree.nodes; ++s) {
    if (!met[s]) continue;
    const int32_t first = tree.first[s], k = tree.columns(s), r = tree.row_count(s), width = k + r;
    const T* out = values + tree.panel_start[s];
    const int32_t* rows = tree.rows_of(s);
    if (k > 1) extend_own(out, k, width, line + first);
    for (int32_t h = 0; h < r; ++h) above[h] = line[rows[h]];
    for (int32_t i = 0; i < k; ++i)
      if (line[first + i] < Values<T>::kNone) lower(above, line[first + i], out + i * width + k, r);
    for (int32_t h = 0; h < r; ++h) line[rows[h]] = above[h];
  }
  for (int32_t s = tree.nodes - 1; s >= 0; --s) {
    const int32_t first = tree.first[s], k = tree.columns(s), r = tree.row_count(s);
    const T* in = values + tree.panel_start[s] + k * (k + r);
    const int32_t* rows = tree.rows_of(s);
    if (!met[s])
      for (int32_t i = 0; i < k; ++i) line[first + i] = Values<T>::kNone;
    met[s] = 0;
    for (int32_t h = 0; h < r; ++h) lower(line + first, line[rows[h]], in + h * k, k);
  }
}

}  // namespace apsp::explore
