// Python bindings of the paths of pairs that no other path beats in two costs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "pareto/pareto.hpp"

namespace apsp::bindings {
namespace {

using Paths = Tuple<Returned<std::int64_t>, AnyReturned, AnyReturned, Returned<std::int64_t>,
                    Returned<std::int32_t>, Returned<std::int64_t>>;

Paths pareto_paths(const ArcArrays& arcs, const AnyVector& costs, const Indices& sources,
                   const Indices& targets, std::int64_t most_labels, std::int64_t most_bytes, int threads,
                   const Progress& progress) {
  constexpr const char* kTypes = "costs must be int64 or float64";
  const graph::Csr& graph = arcs.checked().csr();
  require_length(costs, graph.m, "costs");
  pareto::Pairs pairs{static_cast<std::int64_t>(sources.shape(0)), sources.data(), targets.data()};
  require_length(targets, pairs.count, "targets");
  graph::check_vertices(pairs.sources, pairs.count, graph.n, "sources");
  graph::check_vertices(pairs.targets, pairs.count, graph.n, "targets");
  return with_type<std::int64_t, double>(arcs.weights(), kTypes, [&]<class A>(A) -> Paths {
    return with_type<std::int64_t, double>(costs, kTypes, [&]<class B>(B) -> Paths {
      const pareto::Arcs<A, B> both{graph, arcs.lengths<A>(), elements<B>(costs)};
      pareto::Found<A, B> found;
      run_monitored(progress, [&](Control& control) {
        found = pareto::search<A, B>(both, pairs, {most_labels, most_bytes}, threads, control);
      });
      return nb::make_tuple(to_numpy(std::move(found.counts)), to_numpy(std::move(found.first)),
                            to_numpy(std::move(found.second)), to_numpy(std::move(found.offsets)),
                            to_numpy(std::move(found.vertices)), to_numpy(std::move(found.arcs)));
    });
  });
}

}  // namespace

void bind_pareto(nb::module_& m) {
  using namespace nb::literals;
  m.def("pareto_paths", &pareto_paths, "arcs"_a, nb::kw_only(), "costs"_a.noconvert(),
        "sources"_a.noconvert(), "targets"_a.noconvert(), "most_labels"_a, "most_bytes"_a, "threads"_a = 1,
        "progress"_a = nb::none(),
        "Paths of pairs that no path beats in weights and costs: (counts (pairs,), weights, costs, offsets, "
        "vertices, arcs).\n\n"
        "OverflowError with the number of a pair that has too many labels.");
}

}  // namespace apsp::bindings
