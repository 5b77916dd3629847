// A view of a matrix (or a page of one): row-major, any row stride. And the conversion of a graph to a matrix
// and of a closed matrix to distances.
#pragma once
#include <cstdint>

#include "graph/weighted_arcs.hpp"
#include "runtime/control.hpp"
#include "runtime/team.hpp"
#include "semiring/algebra.hpp"

namespace apsp::graph {

template <class T>
struct Matrix {
  T* data;
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t stride;  // elements from one row to the next, at least `columns`

  T* row(std::int64_t i) const { return data + i * stride; }
  Matrix block(std::int64_t row_from, std::int64_t row_count, std::int64_t column_from,
               std::int64_t column_count) const {
    return {data + row_from * stride + column_from, row_count, column_count, stride};
  }
};

// Writes the page of the matrix of arcs whose corner is (row_from, column_from): "no path", the arcs, and on
// the diagonal the empty path or a better self-loop. Arcs that leave a vertex v with closed[v] are left out
// (closed may be null). Rows are touched first by the thread that fills them. Throws std::invalid_argument
// for an integer weight that no distance within Bounds<T>::kLimit can contain (-kLimit or below, or below 0
// if T is unsigned).
template <class T>
void fill(Matrix<T> page, std::int64_t row_from, std::int64_t column_from, const WeightedArcs& arcs,
          semiring::Algebra algebra, const bool* closed, Team& team, Control& control);

// Turns the kernels' "no path" of (min,+) into the public one (the maximum of integers, infinity of floats).
// False if an integer distance is -kLimit or below: the proof of its range was wrong, and the matrix is
// undefined.
template <class T>
bool finish(Matrix<T> page, semiring::Algebra algebra, bool nonnegative, Team& team, Control& control);

// The rows of `closed` vertices of a matrix that was filled without the arcs leaving them and closed:
// row[t] = choose(row[t], w(t, v) join row[v]) over the arcs t -> v. The matrix is square, in kernel values.
template <class T>
void extend_closed_rows(Matrix<T> matrix, const WeightedArcs& arcs, semiring::Algebra algebra,
                        const bool* closed, Team& team, Control& control);

}  // namespace apsp::graph
