// The arrays of an elimination tree, as the kernels read them; the caller keeps them alive.
#pragma once
#include <nanobind/nanobind.h>

#include "bindings/arrays.hpp"
#include "elimination/tree.hpp"

namespace apsp::bindings {

namespace nb = nanobind;

inline int is_any(PyObject*) noexcept { return 1; }

// Its arrays are read by their names.
class Tree : public nb::object {
  NB_OBJECT(Tree, nb::object, "apsp.methods.elimination.tree.EliminationTree", is_any)
};

inline elimination::TreeView tree_view(const Tree& tree) {
  const auto vertices = [&](const char* name) {
    return nb::cast<Vector<elimination::Vertex>>(tree.attr(name));
  };
  const auto offsets = [&](const char* name) { return nb::cast<Vector<std::int64_t>>(tree.attr(name)); };
  const auto order = vertices("order"), first = vertices("first"), parent = vertices("parent"),
             rows = vertices("rows");
  const auto row_start = offsets("row_start"), panel_start = offsets("panel_start");
  const auto nodes = static_cast<std::int64_t>(parent.shape(0));
  require_shape(first, nodes + 1, "first");
  require_shape(row_start, nodes + 1, "row_start");
  require_shape(panel_start, nodes + 1, "panel_start");
  return {static_cast<std::int64_t>(order.shape(0)),
          nodes,
          order.data(),
          first.data(),
          parent.data(),
          row_start.data(),
          rows.data(),
          panel_start.data()};
}

}  // namespace apsp::bindings
