// The factor of a graph from its arcs, with the values of elimination/factor.hpp, to the last bit.hpp and
// with its values, to the last bit. What a supernode hands up goes to the panels of its ancestors at once, so
// that the factor needs no memory beside itself but that of one front.
#pragma once
#include <stdint.h>

#include "explore/front.hpp"
#include "explore/tree.hpp"

namespace apsp::explore {

// Arcs from place to place: those from i are start[i] .. start[i + 1] - 1. No weight is below 0.
template <class T>
struct Arcs {
  const int32_t *start, *heads;
  const T* weights;
  const uint8_t* zones;  // (n) whether paths may only start and end at a place, or null
};

template <class T>
T* entry(const Tree& tree, T* values, int32_t from, int32_t to) {
  const int32_t s = tree.node_of[from < to ? from : to], first = tree.first[s], k = tree.columns(s);
  const int32_t width = k + tree.row_count(s);
  if (from >= first + k) return values + tree.in_start[s] + tree.row_at(s, from) * k + (to - first);
  const int32_t column = to < first + k ? to - first : k + tree.row_at(s, to);
  return values + tree.out_start[s] + (from - first) * width + column;
}

// Entries of the scratch that `factorise` needs, and as many positions as the longest list of rows.
inline int64_t factor_scratch(const Tree& tree) {
  int64_t most = 0;
  for (int32_t s = 0; s < tree.nodes; ++s) {
    const int64_t r = tree.row_count(s), needed = r * r + scratch_of(tree.columns(s), tree.row_count(s));
    if (needed > most) most = needed;
  }
  return most;
}

inline int32_t most_rows(const Tree& tree) {
  int32_t most = 0;
  for (int32_t s = 0; s < tree.nodes; ++s)
    if (tree.row_count(s) > most) most = tree.row_count(s);
  return most;
}

// Lowers the panels of the ancestors of s to the paths between its rows.
template <class T>
void hand_up(const Tree& tree, int32_t s, const T* rest, T* values, int32_t* position) {
  const int32_t r = tree.row_count(s);
  const int32_t* rows = tree.rows_of(s);
  for (int32_t begin = 0, end = 0; begin < r; begin = end) {
    const int32_t t = tree.node_of[rows[begin]], first = tree.first[t], last = tree.first[t + 1];
    const int32_t k = last - first, width = k + tree.row_count(t);
    while (end < r && rows[end] < last) ++end;
    for (int32_t j = begin; j < end; ++j) position[j] = rows[j] - first;
    const int32_t* above = tree.rows_of(t);
    for (int32_t j = end, at = 0; j < r; ++j) {
      while (above[at] != rows[j]) ++at;
      position[j] = k + at;
    }
    T *out = values + tree.out_start[t], *in = values + tree.in_start[t];
    for (int32_t h = begin; h < r; ++h) {
      const bool own = h < end;
      T* to = own ? out + position[h] * width : in + (position[h] - k) * k;
      const T* from = rest + h * r;
      for (int32_t j = begin; j < (own ? r : end); ++j) to[position[j]] = least(to[position[j]], from[j]);
    }
  }
}

// values: (entries) as lay_out counts them, scratch: (factor_scratch), position: (most_rows).
template <class T>
void factorise(const Tree& tree, const Arcs<T>& arcs, T* values, int32_t entries, T* scratch,
               int32_t* position) {
  for (int32_t i = 0; i < entries; ++i) values[i] = Values<T>::kNone;
  for (int32_t i = 0; i < tree.n; ++i) {
    *entry(tree, values, i, i) = T{0};
    if (arcs.zones != nullptr && arcs.zones[i]) continue;
    for (int32_t arc = arcs.start[i]; arc < arcs.start[i + 1]; ++arc) {
      T* to = entry(tree, values, i, arcs.heads[arc]);
      *to = least(*to, arcs.weights[arc]);
    }
  }
  for (int32_t s = 0; s < tree.nodes; ++s) {
    const int32_t k = tree.columns(s), r = tree.row_count(s);
    T *out = values + tree.out_start[s], *in = values + tree.in_start[s], *rest = scratch;
    for (int32_t i = 0; i < r * r; ++i) rest[i] = Values<T>::kNone;
    close(Front<T>{out, in, rest, k, r}, scratch + r * r);
    hand_up(tree, s, rest, values, position);
  }
}

}  // namespace apsp::explore
