// Binds cpp/elimination: the factor of a graph whose weights change.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "bindings/tree_arrays.hpp"
#include "elimination/refactor.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using elimination::Vertex;

class FactorAssembly {
 public:
  // The caller keeps the arcs alive.
  FactorAssembly(const Tree& tree, const ArcArrays& arcs)
      : tree_(tree), assembly_(tree_view(tree), arcs.checked().csr()) {}
  const elimination::Assembly& get() const noexcept { return assembly_; }

 private:
  Tree tree_;
  elimination::Assembly assembly_;
};

struct AnyChanges {
  virtual ~AnyChanges() = default;
  virtual std::int64_t take(const graph::WeightedArcs& arcs, std::int64_t most) = 0;
  virtual std::int64_t take_some(const Vector<std::int64_t>& numbers, const AnyVector& weights,
                                 const Vector<std::int64_t>& closed) = 0;
  virtual void all(const AnyValues& values, int threads, Control& control) = 0;
  virtual std::optional<std::vector<Vertex>> some(const AnyValues& before, const Vector<Vertex>& stale,
                                                  const AnyValues& values, double most, int threads,
                                                  Control& control) = 0;
};

template <class T>
class TypedChanges final : public AnyChanges {
 public:
  explicit TypedChanges(const elimination::Assembly& assembly) : assembly_(assembly), changes_(assembly) {}

  std::int64_t take(const graph::WeightedArcs& arcs, std::int64_t most) override {
    return changes_.take(arcs, most);
  }

  std::int64_t take_some(const Vector<std::int64_t>& numbers, const AnyVector& weights,
                         const Vector<std::int64_t>& closed) override {
    for (const auto& each : {numbers, closed}) require_numbers(each);
    require_length(weights, static_cast<std::int64_t>(numbers.size()), "weights");
    const graph::WeightedArcs some{0, nullptr, nullptr, weights.data(), weight_type(weights)};
    return changes_.take_some({numbers.data(), numbers.size()}, some, {closed.data(), closed.size()});
  }

  void all(const AnyValues& values, int threads, Control& control) override {
    Team team(threads);
    changes_.all(own(values), team, control);
  }

  std::optional<std::vector<Vertex>> some(const AnyValues& before, const Vector<Vertex>& stale,
                                          const AnyValues& values, double most, int threads,
                                          Control& control) override {
    const elimination::TreeView& tree = assembly_.tree;
    const T* from = own(before);
    T* to = own(values);
    for (std::size_t i = 0; i < stale.size(); ++i) {
      const Vertex s = stale(i);
      require(s >= 0 && s < tree.nodes, "no such supernode");
      std::copy(from + tree.panel_start[s], from + tree.panel_start[s + 1], to + tree.panel_start[s]);
    }
    bool complete = false;
    std::vector<Vertex> renewed = changes_.some(most, to, threads, control, complete);
    if (!complete) return std::nullopt;
    return renewed;
  }

 private:
  T* own(const AnyValues& values) const {
    require(values.dtype() == nb::dtype<T>(), "values must have the dtype of the factor");
    require_length(values, assembly_.tree.entries(), "values");
    return static_cast<T*>(values.data());
  }

  void require_numbers(const Vector<std::int64_t>& numbers) const {
    require(std::all_of(numbers.data(), numbers.data() + numbers.size(),
                        [&](std::int64_t arc) { return arc >= 0 && arc < assembly_.graph.m; }),
            "no such arc");
  }

  const elimination::Assembly& assembly_;
  elimination::Changes<T> changes_;
};

class FactorChanges {
 public:
  // The caller keeps the assembly alive. values: of the dtype of all factors.
  FactorChanges(const FactorAssembly& assembly, const AnyValues& values) {
    with_distance_type(values,
                       [&]<class T>(T) { changes_ = std::make_unique<TypedChanges<T>>(assembly.get()); });
  }

  // How many arcs have changed, of which `most` are remembered; -1 if the graph has arcs that the assembly
  // does not have.
  std::int64_t take(const ArcArrays& arcs, std::int64_t most) {
    return changes_->take(arcs.checked().weighted(), most);
  }

  std::int64_t take_some(const Vector<std::int64_t>& numbers, const AnyVector& weights,
                         const Vector<std::int64_t>& closed) {
    return changes_->take_some(numbers, weights, closed);
  }

  void all(const AnyValues& values, int threads) {
    run_monitored(nb::none(), [&](Control& control) { changes_->all(values, threads, control); });
  }

  // The supernodes of which `values` differ from `before`, whose panels of `stale` it lacked; nothing if this
  // is more work than `most`.
  std::optional<Returned<Vertex>> some(const AnyValues& before, const Vector<Vertex>& stale,
                                       const AnyValues& values, double most, int threads) {
    std::optional<std::vector<Vertex>> renewed;
    run_monitored(nb::none(), [&](Control& control) {
      renewed = changes_->some(before, stale, values, most, threads, control);
    });
    if (!renewed) return std::nullopt;
    return nb::cast<Returned<Vertex>>(to_numpy(std::move(*renewed)));
  }

 private:
  std::unique_ptr<AnyChanges> changes_;
};

}  // namespace

void bind_elimination_changes(nb::module_& m) {
  nb::class_<FactorAssembly>(m, "FactorAssembly", "Where the arcs of a graph belong in its factor.")
      .def(nb::init<const Tree&, const ArcArrays&>(), nb::keep_alive<1, 3>(), "tree"_a, "arcs"_a);
  nb::class_<FactorChanges>(m, "FactorChanges", "Computes a factor again where weights have changed.")
      .def(nb::init<const FactorAssembly&, const AnyValues&>(), nb::keep_alive<1, 2>(), "assembly"_a,
           "values"_a.noconvert())
      .def("take", &FactorChanges::take, "arcs"_a, "most"_a)
      .def("take_some", &FactorChanges::take_some, "numbers"_a.noconvert(), "weights"_a.noconvert(),
           "closed"_a.noconvert())
      .def("all", &FactorChanges::all, "values"_a.noconvert(), "threads"_a)
      .def("some", &FactorChanges::some, nb::kw_only(), "before"_a.noconvert(), "stale"_a.noconvert(),
           "values"_a.noconvert(), "most"_a, "threads"_a);
}

}  // namespace apsp::bindings
