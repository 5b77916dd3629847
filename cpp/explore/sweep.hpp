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

// to[i] = min(to[i], min over h of line[row h] + in[h, i]) for kCount columns of a supernode; if they are
// fresh, their values before have no meaning.
template <int kCount, class T>
void lower_columns(T* __restrict to, const T* line, const int32_t* rows, const T* in, int32_t k, int32_t r,
                   bool fresh) {
  constexpr int kLanes = kCount < 4 ? 1 : 4, kVectors = kCount / kLanes;
  typedef T Vector __attribute__((vector_size(kLanes * sizeof(T)), aligned(sizeof(T)), may_alias));
  Vector sum[kVectors];
  for (int v = 0; v < kVectors; ++v)
    sum[v] = fresh ? Vector{} + Values<T>::kNone : *reinterpret_cast<const Vector*>(to + v * kLanes);
  for (int32_t h = 0; h < r; ++h, in += k) {
    const T value = line[rows[h]];
    for (int v = 0; v < kVectors; ++v) {
      const Vector next = value + *reinterpret_cast<const Vector*>(in + v * kLanes);
      sum[v] = next < sum[v] ? next : sum[v];
    }
  }
  for (int v = 0; v < kVectors; ++v) *reinterpret_cast<Vector*>(to + v * kLanes) = sum[v];
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
    const T* out = values + tree.out_start[s];
    const int32_t* rows = tree.rows_of(s);
    if (k > 1) extend_own(out, k, width, line + first);
    for (int32_t h = 0; h < r; ++h) above[h] = line[rows[h]];
    for (int32_t i = 0; i < k; ++i)
      if (line[first + i] < Values<T>::kNone) lower(above, line[first + i], out + i * width + k, r);
    for (int32_t h = 0; h < r; ++h) line[rows[h]] = above[h];
  }
  for (int32_t s = tree.nodes - 1; s >= 0; --s) {
    const int32_t first = tree.first[s], k = tree.columns(s), r = tree.row_count(s);
    const T* in = values + tree.in_start[s];
    const int32_t* rows = tree.rows_of(s);
    const bool fresh = !met[s];
    met[s] = 0;
    int32_t from = 0;
    for (; from + 16 <= k; from += 16)
      lower_columns<16>(line + first + from, line, rows, in + from, k, r, fresh);
    for (; from + 4 <= k; from += 4)
      lower_columns<4>(line + first + from, line, rows, in + from, k, r, fresh);
    for (; from < k; ++from) lower_columns<1>(line + first + from, line, rows, in + from, k, r, fresh);
  }
}

}  // namespace apsp::explore
