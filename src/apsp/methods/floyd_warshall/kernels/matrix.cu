// Public values to kernel values and back: the first and the last pass over a page.
#include "dense_arcs.cuh"

namespace apsp {

// The unsigned integer of so many bytes, as atomic operations take it.
template <int kBytes>
struct Unsigned;
template <>
struct Unsigned<2> {
  using Type = unsigned short;
};
template <>
struct Unsigned<4> {
  using Type = unsigned;
};
template <>
struct Unsigned<8> {
  using Type = unsigned long long;
};

// *at = choose(*at, value), atomically.
template <class Ops>
__device__ void choose_at(typename Ops::Value* at, typename Ops::Value value) {
  using Type = typename Unsigned<sizeof(value)>::Type;
  union Cast {
    typename Ops::Value value;
    Type bits;
  } old, wanted;
  old.value = *static_cast<volatile typename Ops::Value*>(at);
  wanted.value = value;
  while (Ops::better(value, old.value)) {
    const Type seen = atomicCAS(reinterpret_cast<Type*>(at), old.bits, wanted.bits);
    if (seen == old.bits) return;
    old.bits = seen;
  }
}

// Write "no path", the diagonal and the arcs into the page (rows, columns) whose corner is entry (row_from,
// column_from).
//
// A block owns one row of the page. Its threads share the row's columns, then the row's arcs.
// Read: for the rows of the page, indptr (rows + 1,), indices and weights of their arcs, zones (rows,) or
// null (they keep no arcs). Written: the row. No race: a barrier lies between "no path" and the arcs;
// parallel arcs are combined by an atomic compare and swap.
template <class Ops>
__global__ void fill(typename Ops::Value* page, long long stride, int columns, int row_from, int column_from,
                     const long long* indptr, const int* indices, const typename Ops::Value* weights,
                     const bool* zones) {
  typename Ops::Value* row = page + blockIdx.x * stride;
  const int vertex = row_from + blockIdx.x;
  for (int j = threadIdx.x; j < columns; j += blockDim.x)
    row[j] = column_from + j == vertex ? Ops::kEmptyPath : Ops::kNoPath;
  __syncthreads();
  if (zones != nullptr && zones[blockIdx.x]) return;
  for (long long arc = indptr[blockIdx.x] + threadIdx.x; arc < indptr[blockIdx.x + 1]; arc += blockDim.x) {
    const int j = indices[arc] - column_from;
    if (j >= 0 && j < columns) choose_at<Ops>(row + j, weights[arc]);
  }
}

// The same from the rows of a dense matrix of lengths in device memory.
//
// A block owns one row of the page. A thread owns every 256th of its entries.
// Read: the row's piece of lengths (rows, n). Written: the row. No race: each entry has one writer.
template <class Ops, class W>
__global__ void fill_dense(typename Ops::Value* page, long long stride, int columns, int row_from,
                           int column_from, const W* lengths, long long lengths_stride, W absent,
                           int absent_kind) {
  typename Ops::Value* row = page + blockIdx.x * stride;
  const int vertex = row_from + blockIdx.x;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) {
    const bool diagonal = column_from + j == vertex;
    const W length = lengths[blockIdx.x * lengths_stride + column_from + j];
    typename Ops::Value value = diagonal ? Ops::kEmptyPath : Ops::kNoPath;
    if (is_arc(length, absent, absent_kind, diagonal)) {
      const typename Ops::Value arc = page_value<Ops>(length);
      if (Ops::better(arc, value)) value = arc;
    }
    row[j] = value;
  }
}

// Paths that begin at zones: their rows of the closed page (n, n) from those of their heads.
//
// A block owns the row of one listed zone. A thread owns every 256th of its entries.
// Read: the rows of the heads that are not zones, indptr, indices, weights, zones. Written: the row.
// No race: rows of zones are only written, the others only read.
template <class Ops>
__global__ void extend(typename Ops::Value* page, long long stride, int n, const int* listed,
                       const long long* indptr, const int* indices, const typename Ops::Value* weights,
                       const bool* zones) {
  const int tail = listed[blockIdx.x];
  typename Ops::Value* row = page + tail * stride;
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    typename Ops::Value own = row[j];
    for (long long arc = indptr[tail]; arc < indptr[tail + 1]; ++arc) {
      const int head = indices[arc];
      if (zones[head] && head != j) continue;
      const typename Ops::Value onward = head == j ? Ops::kEmptyPath : page[head * stride + j];
      own = typename Ops::Value(Ops::Single::relax(typename Ops::Single::Word(own),
                                                   typename Ops::Single::Word(weights[arc]),
                                                   typename Ops::Single::Word(onward)));
    }
    row[j] = own;
  }
}

// Values at or above `threshold` become the public "no path"; *out_of_range = 1 if a value is at or below
// `least`.
//
// A block owns one row of the page. A thread owns every 256th of its entries.
// Read and written: the page (rows, columns). No race: each entry has one writer; all threads that write
// out_of_range write the same value.
template <class T>
__global__ void finish(T* page, long long stride, int columns, T threshold, T least, int* out_of_range) {
  T* row = page + blockIdx.x * stride;
  bool sound = true;
  for (int j = threadIdx.x; j < columns; j += blockDim.x) {
    const T value = row[j];
    sound = sound && (T(-1) > T(0) || value > least);
    if (value >= threshold) row[j] = Range<T>::kMost;
  }
  if (!sound) *out_of_range = 1;
}

}  // namespace apsp
