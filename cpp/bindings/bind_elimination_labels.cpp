// Binds cpp/elimination: labels, and distances of pairs from them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "elimination/labels.hpp"
#include "elimination/pair.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using elimination::Vertex;

// An integer or a float, as Python knows them, or None.
class NumberOrNone : public nb::object {
  NB_OBJECT(NumberOrNone, nb::object, "int | float | None", [](PyObject*) noexcept { return true; })
};

// The integer of exactly this type in [0, n); -1 for any other object.
Vertex position_of(nb::handle object, std::int64_t n) {
  if (Py_TYPE(object.ptr()) != &PyLong_Type) return -1;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  return overflow == 0 && value >= 0 && value < n ? static_cast<Vertex>(value) : -1;
}

// Labels of any dtype.
struct AnyLabels {
  virtual ~AnyLabels() = default;
  virtual PyObject* distance(Vertex source, Vertex target) const = 0;
  virtual void pairs(const Vertex* sources, const Vertex* targets, std::int64_t count, void* dist, Team& team,
                     Control& control) const = 0;
  virtual std::int64_t bytes() const = 0;
  virtual bool mirrored() const = 0;
  virtual bool has_spare() const = 0;
};

template <class T>
struct LabelsOf final : AnyLabels {
  LabelsOf(const elimination::Factored<T>& from, bool mirrored, Team& team, Control& control)
      : labels(from, mirrored, team, control) {}
  LabelsOf(const elimination::Factored<T>& from, const LabelsOf& before,
           typename elimination::Labels<T>::Spare spare, const std::vector<Vertex>* renewed, bool keep,
           Team& team, Control& control)
      : labels(from, before.labels, std::move(spare), renewed, keep, team, control) {}
  PyObject* distance(Vertex source, Vertex target) const override {
    const T found = labels.distance(source, target);
    if (found == semiring::kNoPath<T>) return PyFloat_FromDouble(std::numeric_limits<double>::infinity());
    if constexpr (std::is_floating_point_v<T>)
      return PyFloat_FromDouble(found);
    else
      return PyLong_FromLongLong(found);
  }
  void pairs(const Vertex* sources, const Vertex* targets, std::int64_t count, void* dist, Team& team,
             Control& control) const override {
    labels.fill(sources, targets, count, static_cast<T*>(dist), team, control);
  }
  std::int64_t bytes() const override { return labels.bytes(); }
  bool mirrored() const override { return labels.mirrored(); }
  bool has_spare() const override { return labels.has_spare(); }
  elimination::Labels<T> labels;
};

class PairLabels {
 public:
  // The caller keeps the factor alive.
  PairLabels(const FactorArrays& factor, bool mirrored, int threads, const Progress& progress) {
    with_distance_type(factor.values(), [&]<class T>(T) {
      const auto from = factor.of<T>();
      n_ = from.tree.n;
      itemsize_ = sizeof(T);
      run_monitored(progress, [&](Control& control) {
        Team team(threads);
        labels_ = std::make_unique<LabelsOf<T>>(from, mirrored, team, control);
      });
    });
  }

  // The labels of another factor of the same tree, which differs in the panels of some supernodes, or in any.
  // Directions that were equal must have stayed so.
  PairLabels(const FactorArrays& factor, PairLabels& before, const std::optional<Vector<Vertex>>& renewed,
             bool keep, int threads)
      : n_(before.n_), itemsize_(before.itemsize_) {
    with_distance_type(factor.values(), [&]<class T>(T) {
      const auto from = factor.of<T>();
      auto* old = dynamic_cast<LabelsOf<T>*>(before.labels_.get());
      require(old != nullptr && from.tree.n == n_, "the labels are of another factor");
      std::vector<Vertex> nodes;
      if (renewed) nodes.assign(renewed->data(), renewed->data() + renewed->size());
      for (const Vertex s : nodes) require(s >= 0 && s < from.tree.nodes, "no such supernode");
      auto spare = old->labels.take_spare();  // while no other thread runs Python
      run_monitored(nb::none(), [&](Control& control) {
        Team team(threads);
        labels_ = std::make_unique<LabelsOf<T>>(from, *old, std::move(spare), renewed ? &nodes : nullptr,
                                                keep, team, control);
      });
    });
  }

  // Whether a factor, of which the panels of some supernodes or any may differ, fits the directions here.
  bool fits(const FactorArrays& factor, const std::optional<Vector<Vertex>>& renewed) const {
    if (!labels_->mirrored()) return true;
    return with_distance_type(factor.values(), [&]<class T>(T) {
      const auto from = factor.of<T>();
      if (!renewed) return elimination::is_mirrored(from.tree, from.values);
      return std::all_of(renewed->data(), renewed->data() + renewed->size(), [&](Vertex s) {
        require(s >= 0 && s < from.tree.nodes, "no such supernode");
        return elimination::is_mirrored(elimination::panels_of(from.tree, from.values, s));
      });
    });
  }

  bool mirrored() const { return labels_->mirrored(); }
  bool has_spare() const { return labels_->has_spare(); }

  NumberOrNone distance(nb::handle source, nb::handle target) const {
    const Vertex from = position_of(source, n_), to = position_of(target, n_);
    if (from < 0 || to < 0) return nb::borrow<NumberOrNone>(Py_None);
    PyObject* found = labels_->distance(from, to);
    if (found == nullptr) throw nb::python_error();
    return nb::steal<NumberOrNone>(found);
  }

  void pairs(const Vector<Vertex>& sources, const Vector<Vertex>& targets, const AnyValues& dist, int threads,
             const Progress& progress) const {
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    require_shape(targets, count, "targets");
    require(dist.itemsize() == itemsize_, "dist must have the dtype of the factor");
    require(static_cast<std::int64_t>(dist.shape(0)) == count, "dist must have an entry for each pair");
    graph::check_vertices(sources.data(), count, n_, "sources");
    graph::check_vertices(targets.data(), count, n_, "targets");
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      labels_->pairs(sources.data(), targets.data(), count, dist.data(), team, control);
    });
  }

  std::int64_t bytes() const { return labels_->bytes(); }

 private:
  std::unique_ptr<AnyLabels> labels_;
  std::int64_t n_ = 0;
  std::size_t itemsize_ = 0;
};

bool is_mirrored(const FactorArrays& factor) {
  return with_distance_type(factor.values(), [&]<class T>(T) {
    const auto from = factor.of<T>();
    return elimination::is_mirrored(from.tree, from.values);
  });
}

// Bytes of the labels of one direction.
std::int64_t label_bytes(const Tree& tree, const ArcArrays& arcs, std::int64_t itemsize) {
  require(tree_view(tree).n == arcs.n(), "the tree and the graph must have the same number of vertices");
  return elimination::Ancestors(tree_view(tree), arcs.checked().csr()).bytes(itemsize);
}

}  // namespace

void bind_elimination_labels(nb::module_& m) {
  m.def("elimination_label_bytes", &label_bytes, "tree"_a, "arcs"_a, "itemsize"_a);
  m.def("elimination_is_mirrored", &is_mirrored, "factor"_a);
  nb::class_<PairLabels>(m, "PairLabels")
      .def(nb::init<const FactorArrays&, bool, int, const Progress&>(), nb::keep_alive<1, 2>(), "factor"_a,
           nb::kw_only(), "mirrored"_a, "threads"_a, "progress"_a = nb::none())
      .def(nb::init<const FactorArrays&, PairLabels&, const std::optional<Vector<Vertex>>&, bool, int>(),
           nb::keep_alive<1, 2>(), "factor"_a, "before"_a, nb::kw_only(), "renewed"_a.noconvert().none(),
           "keep"_a, "threads"_a)
      .def("fits", &PairLabels::fits, "factor"_a, "renewed"_a.noconvert().none())
      .def_prop_ro("mirrored", &PairLabels::mirrored)
      .def_prop_ro("has_spare", &PairLabels::has_spare)
      .def("distance", &PairLabels::distance, "source"_a.none(), "target"_a.none())
      .def("pairs", &PairLabels::pairs, nb::kw_only(), "sources"_a.noconvert(), "targets"_a.noconvert(),
           "dist"_a.noconvert(), "threads"_a, "progress"_a = nb::none())
      .def_prop_ro("nbytes", &PairLabels::bytes);
}

}  // namespace apsp::bindings
