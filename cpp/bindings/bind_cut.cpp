// Binds the cut searches of cpp/searches: the most central vertices.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/cut.hpp"

namespace apsp::bindings {
namespace {

template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, Host>;

using searches::Centrality;

Centrality centrality_of(bool harmonic, bool improved) {
  if (harmonic) return Centrality::kHarmonic;
  return improved ? Centrality::kClosenessImproved : Centrality::kCloseness;
}

// The searches of a call, and its arrays, which are as long as the graph needs.
searches::CutSearches searches_of(const graph::Csr& graph, bool undirected,
                                  const Vector<std::int64_t>& fewest, const Vector<std::int64_t>& most,
                                  Centrality centrality) {
  require_shape(fewest, graph.n, "fewest");
  require_shape(most, graph.n, "most");
  return {graph, undirected, {.fewest = fewest.data(), .most = most.data()}, centrality};
}

}  // namespace

void bind_cut(nb::module_& m) {
  m.def(
      "cut_bounds",
      [](const ArcArrays& arcs, bool undirected, const Vector<std::int64_t>& fewest,
         const Vector<std::int64_t>& most, bool harmonic, bool improved, const Out<double>& bounds,
         int threads) {
        const graph::Csr graph = arcs.without_zones();
        require(static_cast<std::int64_t>(bounds.shape(0)) == graph.n, "bounds must have n elements");
        run_monitored(
            nb::none(),
            [&](Control& control) {
              searches_of(graph, undirected, fewest, most, centrality_of(harmonic, improved))
                  .bound(bounds.data(), threads, control);
            },
            1, graph.n + graph.m);
      },
      nb::arg("arcs"), nb::kw_only(), nb::arg("undirected"), nb::arg("fewest").noconvert(),
      nb::arg("most").noconvert(), nb::arg("harmonic"), nb::arg("improved"), nb::arg("bounds").noconvert(),
      nb::arg("threads") = 1);
  m.def(
      "cut_searches",
      [](const ArcArrays& arcs, bool undirected, const Vector<std::int64_t>& fewest,
         const Vector<std::int64_t>& most, bool harmonic, bool improved, const Vector<std::int32_t>& sources,
         const Vector<double>& bounds, const Vector<double>& best, std::int64_t k, std::int64_t most_arcs,
         const Out<std::int64_t>& reached, const Out<std::int64_t>& total, const Out<double>& reciprocals,
         int threads, const Progress& progress) {
        const graph::Csr graph = arcs.without_zones();
        const auto count = static_cast<std::int64_t>(sources.shape(0));
        require_shape(bounds, graph.n, "bounds");
        require(static_cast<std::int64_t>(reached.shape(0)) == count &&
                    static_cast<std::int64_t>(total.shape(0)) == count &&
                    static_cast<std::int64_t>(reciprocals.shape(0)) == count,
                "reached, total and reciprocals must have an element per source");
        const searches::Found found{
            .reached = reached.data(), .total = total.data(), .reciprocals = reciprocals.data()};
        searches::Spent spent{};
        run_monitored(
            progress,
            [&](Control& control) {
              spent = searches_of(graph, undirected, fewest, most, centrality_of(harmonic, improved))
                          .search(sources.data(), count, bounds.data(),
                                  std::vector<double>(best.data(), best.data() + best.shape(0)), k, most_arcs,
                                  found, threads, control);
            },
            count, graph.n + graph.m);
        return std::pair(spent.arcs, spent.searches);
      },
      nb::arg("arcs"), nb::kw_only(), nb::arg("undirected"), nb::arg("fewest").noconvert(),
      nb::arg("most").noconvert(), nb::arg("harmonic"), nb::arg("improved"), nb::arg("sources").noconvert(),
      nb::arg("bounds").noconvert(), nb::arg("best").noconvert(), nb::arg("k"), nb::arg("most_arcs"),
      nb::arg("reached").noconvert(), nb::arg("total").noconvert(), nb::arg("reciprocals").noconvert(),
      nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

}  // namespace apsp::bindings
