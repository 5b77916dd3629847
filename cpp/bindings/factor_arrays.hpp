// The arrays of a factor, as the kernels read them; the caller keeps them alive.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "bindings/matrices.hpp"
#include "bindings/tree_arrays.hpp"
#include "elimination/rows.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

using AnyValues = nb::ndarray<nb::ndim<1>, nb::c_contig, Host>;

template <class T>
elimination::Factored<T> factored(const nb::object& tree, const AnyValues& values, const Indptr& indptr,
                                  const Indices& indices, const AnyWeights& weights, const Marks& zones,
                                  bool nonnegative) {
  const elimination::TreeView view = tree_view(tree);
  const graph::WeightedArcs arcs = arcs_view(indptr, indices, weights);
  require(arcs.n == view.n, "the tree and the graph must have the same number of vertices");
  require(static_cast<std::int64_t>(values.shape(0)) == view.entries(),
          "values must have one entry for each of the tree");
  return {view, reinterpret_cast<const T*>(values.data()), arcs, marks_view(zones, arcs.n), nonnegative};
}

}  // namespace apsp::bindings
