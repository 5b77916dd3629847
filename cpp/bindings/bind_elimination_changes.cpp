// Binds cpp/elimination: a factor after some weights have changed.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstdint>
#include <optional>
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

class FactorChanges {
 public:
  explicit FactorChanges(const Tree& tree) : tree_(tree), view_(tree_view(tree)), where_(view_) {}

  // The vertex on a negative cycle, -1 if there is none, or nothing: more work than `most`.
  std::optional<std::int64_t> apply(const ArcArrays& arcs, bool nonnegative,
                                    const Vector<std::int64_t>& changed, double most,
                                    const AnyValues& assembled, const AnyValues& values) const {
    const graph::WeightedArcs weighted = arcs.checked().weighted();
    require_length(values, view_.entries(), "values");
    require_length(assembled, view_.entries(), "assembled");
    require(values.dtype() == assembled.dtype(), "values and assembled must have the same dtype");
    std::vector<elimination::Arc> found;
    for (std::size_t i = 0; i < changed.size(); ++i) {
      const std::int64_t arc = changed(i);
      require(arc >= 0 && arc < arcs.m(), "no such arc");
      const std::int64_t* after = std::upper_bound(weighted.indptr, weighted.indptr + weighted.n + 1, arc);
      found.push_back({static_cast<elimination::Vertex>(after - weighted.indptr - 1), weighted.indices[arc]});
    }
    std::int64_t bad_place = -1;
    with_distance_type(values, [&]<class T>(T) {
      run_monitored(nb::none(), [&](Control& control) {
        bad_place = elimination::refactorise<T>(view_, where_, weighted, arcs.zones(), nonnegative, found,
                                                most, static_cast<T*>(assembled.data()),
                                                static_cast<T*>(values.data()), control);
      });
    });
    if (bad_place == elimination::kTooMany) return std::nullopt;
    return bad_place < 0 ? -1 : view_.order[bad_place];
  }

 private:
  Tree tree_;
  elimination::TreeView view_;
  elimination::Occurrences where_;
};

}  // namespace

void bind_elimination_changes(nb::module_& m) {
  nb::class_<FactorChanges>(m, "FactorChanges", "Computes a factor again where some weights have changed.")
      .def(nb::init<Tree>(), "tree"_a)
      .def("apply", &FactorChanges::apply, "arcs"_a, nb::kw_only(), "nonnegative"_a, "changed"_a.noconvert(),
           "most"_a, "assembled"_a.noconvert(), "values"_a.noconvert());
}

}  // namespace apsp::bindings
