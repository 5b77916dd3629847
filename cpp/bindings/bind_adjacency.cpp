// apsp._cpu: the dictionaries of a NetworkX graph as arrays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"

namespace nb = nanobind;

namespace apsp::bindings {
namespace {

// Reads dictionaries of dictionaries without any Python code: keys and numbers of other types than those of
// Python itself, whose hashes and comparisons could run some, are left to the caller.
class AdjacencyReader {
 public:
  AdjacencyReader(PyObject* adjacency, PyObject* positions, PyObject* weight)
      : adjacency_(adjacency), positions_(positions), weight_(weight) {}

  // False if the graph has anything that is left to the caller.
  bool read() {
    if (!PyDict_CheckExact(adjacency_) || !PyDict_CheckExact(positions_)) return false;
    if (weight_ != Py_None && !PyUnicode_CheckExact(weight_)) return false;
    in_order_ = positions_are_keys();
    count_ = PyDict_Size(positions_);
    PyObject *node, *row;
    for (Py_ssize_t at = 0; PyDict_Next(adjacency_, &at, &node, &row);) {
      const std::int64_t tail = position(node);
      if (tail < 0 || !PyDict_CheckExact(row)) return false;
      PyObject *other, *data;
      for (Py_ssize_t next = 0; PyDict_Next(row, &next, &other, &data);) {
        const std::int64_t head = position(other);
        if (head < 0 || (weight_ != Py_None && !add_length(data))) return false;
        tails.push_back(static_cast<std::int32_t>(tail));
        heads.push_back(static_cast<std::int32_t>(head));
      }
    }
    return true;
  }

  std::vector<std::int32_t> tails, heads;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;

 private:
  static std::optional<std::int64_t> integer(PyObject* value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow == 0 ? std::optional<std::int64_t>(number) : std::nullopt;
  }

  // Nodes that are their own positions need no lookups.
  bool positions_are_keys() const {
    PyObject *node, *position;
    std::int64_t count = 0;
    for (Py_ssize_t at = 0; PyDict_Next(positions_, &at, &node, &position); ++count)
      if (!PyLong_CheckExact(node) || integer(node) != count || integer(position) != count) return false;
    return true;
  }

  // -1 for a node of another type, or without a position.
  std::int64_t position(PyObject* node) const {
    if (in_order_ && PyLong_CheckExact(node)) {
      const auto found = integer(node);
      return found && *found < count_ ? *found : -1;
    }
    if (!PyLong_CheckExact(node) && !PyUnicode_CheckExact(node)) return -1;
    PyObject* found = PyDict_GetItemWithError(positions_, node);
    if (found == nullptr) PyErr_Clear();
    return found == nullptr || !PyLong_CheckExact(found) ? -1 : integer(found).value_or(-1);
  }

  // All of one type, which every edge has.
  bool add_length(PyObject* data) {
    if (!PyDict_CheckExact(data)) return false;
    PyObject* value = PyDict_GetItemWithError(data, weight_);
    if (value == nullptr) {
      PyErr_Clear();
      return false;
    }
    if (PyLong_CheckExact(value)) {
      const auto number = integer(value);
      if (!number || !reals.empty()) return false;
      integers.push_back(*number);
      return true;
    }
    if (!PyFloat_CheckExact(value) || !integers.empty()) return false;
    reals.push_back(PyFloat_AsDouble(value));
    return std::isfinite(reals.back());
  }

  PyObject *adjacency_, *positions_, *weight_;
  bool in_order_ = false;
  std::int64_t count_ = 0;
};

using Arcs = Tuple<Returned<std::int32_t>, Returned<std::int32_t>,
                   std::optional<std::variant<Returned<std::int64_t>, Returned<double>>>>;

std::optional<Arcs> arcs_of_dictionaries(const nb::object& adjacency, const nb::object& positions,
                                         const nb::object& weight) {
#ifndef Py_GIL_DISABLED  // where other threads may change the dictionaries meanwhile
  AdjacencyReader reader(adjacency.ptr(), positions.ptr(), weight.ptr());
  if (reader.read()) {
    nb::object lengths = nb::none();
    if (!reader.integers.empty()) lengths = to_numpy(std::move(reader.integers));
    if (!reader.reals.empty()) lengths = to_numpy(std::move(reader.reals));
    return nb::make_tuple(to_numpy(std::move(reader.tails)), to_numpy(std::move(reader.heads)), lengths);
  }
#endif
  return std::nullopt;
}

}  // namespace

void bind_adjacency(nb::module_& m) {
  m.def("arcs_of_dictionaries", &arcs_of_dictionaries, nb::arg("adjacency"), nb::arg("positions"),
        nb::arg("weight").none(),
        "Tails, heads and lengths (None: hops, or no arcs); None for a graph that Python code must read.");
}

}  // namespace apsp::bindings
