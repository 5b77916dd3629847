// Closing the front of a supernode with the operations of elimination/front.cpp and floyd_warshall.cpp in
// their order, so that sums of floats are rounded alike.
#pragma once
#include <stdint.h>

#include "explore/values.hpp"

namespace apsp::explore {

constexpr int32_t kDepth = 128;  // pivots of a step

// The entries among k columns and r rows: out (k, k + r), in (r, k), and between rows, rest (r, r).
template <class T>
struct Front {
  T *out, *in, *rest;
  int32_t k, r;
};

// Entries of the scratch that `close` needs.
inline int64_t scratch_of(int32_t k, int32_t r) {
  const int64_t depth = k < kDepth ? k : kDepth;
  return 2 * depth * (static_cast<int64_t>(k) + r);
}

// One column after the other.
template <class T>
void close_by_pivots(const Front<T>& front) {
  const int32_t k = front.k, r = front.r, width = k + r;
  for (int32_t p = 0; p < k; ++p) {
    const T* pivot = front.out + p * width;
    for (int32_t i = 0; i < k; ++i) {
      T* row = front.out + i * width;
      if (i != p && row[p] < Values<T>::kNone) lower(row, row[p], pivot, width);
    }
    for (int32_t h = 0; h < r; ++h) {
      T* row = front.in + h * k;
      const T value = row[p];
      if (!(value < Values<T>::kNone)) continue;
      lower(row, value, pivot, k);
      lower(front.rest + h * r, value, pivot + k, r);
    }
  }
}

// Closes the columns among themselves, kDepth pivots at a time.
template <class T>
void close_own(T* own, int32_t k, int32_t stride, T* scratch) {
  T *rows = scratch, *columns = scratch + kDepth * k;  // copies of (depth, k) and (k, depth)
  for (int32_t pivot = 0; pivot < k; pivot += kDepth) {
    const int32_t depth = k - pivot < kDepth ? k - pivot : kDepth, next = pivot + depth;
    T *tile = own + pivot * stride + pivot, *across = own + pivot * stride, *down = own + pivot;
    for (int32_t p = 0; p < depth; ++p)
      for (int32_t i = 0; i < depth; ++i)
        if (i != p) lower(tile + i * stride, tile[i * stride + p], tile + p * stride, depth);
    if (depth == k) return;
    copy(rows, k, across, stride, depth, k);
    copy(columns, depth, tile, stride, depth, depth);
    lower_by_product(across, stride, columns, depth, rows, k, depth, depth, pivot);
    lower_by_product(across + next, stride, columns, depth, rows + next, k, depth, depth, k - next);
    copy(rows, k, across, stride, depth, k);
    for (int32_t part = 0; part < 2; ++part) {
      const int32_t from = part == 0 ? 0 : next, count = part == 0 ? pivot : k - next;
      T* here = down + from * stride;
      copy(columns, depth, here, stride, count, depth);
      lower_by_product(here, stride, columns, depth, rows + pivot, k, count, depth, depth);
      copy(columns, depth, here, stride, count, depth);
      T* all = own + from * stride;
      lower_by_product(all, stride, columns, depth, rows, k, count, depth, pivot);
      lower_by_product(all + next, stride, columns, depth, rows + next, k, count, depth, k - next);
    }
  }
}

// c = min(c, a b), c (m, n), a (m, k), b (k, n), kDepth at a time; c may be a or b.
template <class T>
void update(T* c, int32_t c_stride, const T* a, int32_t a_stride, const T* b, int32_t b_stride, int32_t m,
            int32_t k, int32_t n, T* scratch) {
  for (int32_t from = 0; from < k; from += kDepth) {
    const int32_t depth = k - from < kDepth ? k - from : kDepth;
    T *left = scratch, *right = scratch + depth * m;
    copy(left, depth, a + from, a_stride, m, depth);
    copy(right, n, b + from * b_stride, b_stride, depth, n);
    lower_by_product(c, c_stride, left, depth, right, n, m, depth, n);
  }
}

template <class T>
void close_by_tiles(const Front<T>& front, T* scratch) {
  const int32_t k = front.k, r = front.r, width = k + r;
  close_own(front.out, k, width, scratch);
  update(front.out + k, width, front.out, width, front.out + k, width, k, k, r, scratch);
  update(front.in, k, front.in, k, front.out, width, r, k, k, scratch);
  update(front.rest, r, front.in, k, front.out + k, width, r, k, r, scratch);
}

template <class T>
void close(const Front<T>& front, T* scratch) {
  const int32_t k = front.k, r = front.r;
  if ((k >= 24 && k + r >= 64) || (k >= 4 && r >= 256))
    close_by_tiles(front, scratch);
  else
    close_by_pivots(front);
}

}  // namespace apsp::explore
