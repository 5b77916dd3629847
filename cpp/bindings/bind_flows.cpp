// Binds cpp/flows: flows of a demand along shortest paths.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/flow_errors.hpp"
#include "bindings/monitor.hpp"
#include "bindings/tree_arrays.hpp"
#include "flows/counted_arcs.hpp"
#include "flows/flows.hpp"
#include "flows/sweep_order.hpp"

namespace apsp::bindings {
namespace {

template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, Host>;

// A demand, which is `to` or start, targets and values, and the arrays of its flows.
struct FlowArrays {
  Vector<std::int32_t> sources;
  Out<double> through;
  Out<double> arrived;
  Out<double> served;
  std::optional<Out<double>> along;
  std::optional<Vector<double>> to;
  std::optional<Vector<std::int64_t>> start;
  std::optional<Vector<std::int32_t>> targets;
  std::optional<Vector<double>> values;

  flows::Demand demand(const graph::Csr& graph) const {
    flows::Demand demand;
    demand.sources = sources.data();
    demand.count = static_cast<std::int64_t>(sources.shape(0));
    graph::check_vertices(demand.sources, demand.count, graph.n, "sources");
    if (to) {
      require_shape(*to, graph.n, "to");
      demand.to = to->data();
      return demand;
    }
    require(start && targets && values, "the demand must be `to`, or start, targets and values");
    require_shape(*start, demand.count + 1, "start");
    demand.start = start->data();
    demand.targets = targets->data();
    demand.values = values->data();
    const auto size = static_cast<std::int64_t>(targets->shape(0));
    require_shape(*values, size, "values");
    require(demand.start[0] == 0 && demand.start[demand.count] == size,
            "start must end at the number of targets");
    for (std::int64_t i = 0; i < demand.count; ++i)
      require(demand.start[i] <= demand.start[i + 1], "start must never fall");
    graph::check_vertices(demand.targets, size, graph.n, "targets");
    return demand;
  }

  flows::Flows flows(const graph::Csr& graph) const {
    require_length(through, graph.n, "through");
    require_length(arrived, graph.n, "arrived");
    require_length(served, static_cast<std::int64_t>(sources.shape(0)), "served");
    if (along) require_length(*along, graph.m, "along");
    return {through.data(), arrived.data(), served.data(), along ? along->data() : nullptr};
  }
};

// The number of threads to use: no thread is started for a little work.
int useful_for_flows(const graph::Csr& graph, const flows::Demand& demand, int threads) {
  return is_brief(demand.count, graph.n + graph.m) ? 1 : threads;
}

// kernel(demand, flows, threads, control)
template <class Kernel>
void run_flows(const ArcArrays& arcs, const FlowArrays& arrays, int threads, const Progress& progress,
               Kernel&& kernel) {
  const graph::Csr& graph = arcs.csr();
  const flows::Demand demand = arrays.demand(graph);
  const flows::Flows flows = arrays.flows(graph);
  arcs.checked();
  const auto work = [&](Control& control) {
    kernel(demand, flows, useful_for_flows(graph, demand, threads), control);
  };
  with_flow_errors([&] { run_monitored(progress, work, demand.count, graph.n + graph.m); });
}

void by_hops(const ArcArrays& arcs, const FlowArrays& arrays, std::int64_t cutoff, int threads,
             const Progress& progress) {
  run_flows(arcs, arrays, threads, progress,
            [&](const auto& demand, const auto& flows, int members, Control& control) {
              flows::flows_by_hops(arcs.csr(), demand, cutoff, flows, members, control);
            });
}

void by_length(const ArcArrays& arcs, const FlowArrays& arrays,
               const std::optional<Vector<std::int64_t>>& heights, const std::optional<Number>& cutoff,
               bool first, int threads, const Progress& progress) {
  if (heights) require_shape(*heights, arcs.n(), "heights");
  with_type<std::int32_t, std::int64_t, double>(
      arcs.weights(), "weights must be int32, int64 or float64", [&]<class T>(T) {
        const T* weights = arcs.lengths<T>();
        const T limit = cutoff ? number_as<T>(*cutoff) : semiring::kNoPath<T>;
        run_flows(arcs, arrays, threads, progress,
                  [&](const auto& demand, const auto& flows, int members, Control& control) {
                    flows::flows_by_length<T>(arcs.csr(), weights, data_or_null(heights), demand, limit,
                                              first ? flows::Ties::kFirst : flows::Ties::kSplit, flows,
                                              members, control);
                  });
      });
}

// The weights of arcs for elimination on a tree.
template <class T>
const T* weights_above_zero(const ArcArrays& arcs, const elimination::TreeView& tree) {
  require(tree.n == arcs.n(), "the tree and the graph must have the same number of vertices");
  require(arcs.zones() == nullptr, "elimination takes no zones");
  const T* weights = arcs.lengths<T>();
  require(std::all_of(weights, weights + arcs.m(), [](T weight) { return weight > 0; }),
          "elimination takes weights above zero");
  return weights;
}

// The counted arcs of an elimination, for several calls or for sweeps that run elsewhere.
struct Counted {
  flows::CountedArcs arcs;
  std::vector<std::int32_t> place;
};

bool by_elimination(const Tree& tree, const ArcArrays& arcs, const FlowArrays& arrays, double cutoff,
                    const Counted* counted, int threads, const Progress& progress) {
  const elimination::TreeView view = tree_view(tree);
  const double* weights = weights_above_zero<double>(arcs, view);
  require(counted == nullptr || counted->place == elimination::places_of(view),
          "the counted arcs must be those of the tree");
  bool fits = false;
  run_flows(arcs, arrays, threads, progress,
            [&](const auto& demand, const auto& flows, int members, Control& control) {
              if (counted == nullptr) {
                fits = flows::flows_by_elimination(view, arcs.csr(), weights, demand, cutoff, flows, members,
                                                   control);
                return;
              }
              Team team(members);
              fits = flows::flows_by_elimination(view, arcs.csr(), weights, counted->place, counted->arcs,
                                                 demand, cutoff, flows, team, control);
            });
  return fits;
}

// factor: the values of that of the arcs.
void first_by_elimination(const Tree& tree, const AnyVector& factor, const ArcArrays& arcs,
                          const FlowArrays& arrays, const std::optional<Number>& cutoff, int threads,
                          const Progress& progress) {
  const elimination::TreeView view = tree_view(tree);
  require_length(factor, view.entries(), "factor");
  with_type<std::int32_t, std::int64_t>(factor, "factor must be int32 or int64", [&]<class T>(T) {
    const T* weights = weights_above_zero<T>(arcs, view);
    const T* values = elements<T>(factor);
    const T limit = cutoff ? number_as<T>(*cutoff) : semiring::kNoPath<T>;
    const graph::WeightedArcs weighted = arcs.weighted();
    run_flows(arcs, arrays, threads, progress,
              [&](const auto& demand, const auto& flows, int members, Control& control) {
                flows::first_by_elimination<T>({view, values, weighted, nullptr, true}, arcs.csr(), weights,
                                               demand, limit, flows, members, control);
              });
  });
}

template <class T>
using Kept = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;  // memory of the counted arcs

template <class T>
nb::object array_of(const std::vector<T>& values, nb::handle owner) {
  return Kept<T>(values.data(), {values.size()}, owner).cast();
}

using Half = Tuple<Kept<std::int64_t>, Kept<std::int64_t>, Kept<std::int32_t>, Kept<double>, Kept<double>>;

Half half_of(nb::handle self, bool up) {
  const Counted& counted = nb::cast<const Counted&>(self);
  const flows::CountedHalf& half = up ? counted.arcs.up : counted.arcs.down;
  return nb::make_tuple(array_of(half.first, self), array_of(half.last, self), array_of(half.other, self),
                        array_of(half.length, self), array_of(half.paths, self));
}

void bind_counted_arcs(nb::module_& m) {
  nb::class_<Counted>(m, "CountedArcs")
      .def_prop_ro("largest", [](const Counted& self) { return self.arcs.largest; })
      .def_prop_ro("up", [](nb::handle self) { return half_of(self, true); })
      .def_prop_ro("down", [](nb::handle self) { return half_of(self, false); })
      .def(
          "sweep_order",
          [](const Counted& self, const Vector<bool>& targets)
              -> Tuple<Returned<std::uint8_t>, Returned<std::int32_t>, Returned<std::int64_t>,
                       Returned<std::int32_t>, Returned<std::int64_t>> {
            const auto n = static_cast<std::int64_t>(self.place.size());
            require_shape(targets, n, "targets");
            std::vector<std::uint8_t> wanted(self.place.size());
            for (std::int64_t v = 0; v < n; ++v) wanted[self.place[v]] = targets.data()[v];
            flows::SweepOrder order = flows::sweep_order(self.arcs, std::move(wanted));
            return nb::make_tuple(to_numpy(std::move(order.needed)), to_numpy(std::move(order.level)),
                                  to_numpy(std::move(order.below_start)), to_numpy(std::move(order.below)),
                                  to_numpy(std::move(order.below_arc)));
          },
          nb::arg("targets").noconvert())
      .def(
          "spread",
          [](const Counted& self, const Tree& tree, const Out<double>& up, const Out<double>& down,
             const Out<double>& through, int threads) {
            const elimination::TreeView view = tree_view(tree);
            require(view.n == static_cast<std::int64_t>(self.place.size()),
                    "the tree must be that of the arcs");
            require(up.shape(0) == self.arcs.up.other.size() &&
                        down.shape(0) == self.arcs.down.other.size() && through.shape(0) == self.place.size(),
                    "up, down and through must have one element for each arc and place");
            run_monitored(nb::none(), [&](Control& control) {
              Team team(threads);
              flows::spread(view, self.arcs, up.data(), down.data(), through.data(), team, control);
            });
          },
          nb::kw_only(), nb::arg("tree"), nb::arg("up").noconvert(), nb::arg("down").noconvert(),
          nb::arg("through").noconvert(), nb::arg("threads") = 1)
      .def(
          "write_along",
          [](const Counted& self, const ArcArrays& arcs, const Out<double>& up, const Out<double>& down,
             const Out<double>& along) {
            require(arcs.n() == static_cast<std::int64_t>(self.place.size()) &&
                        up.shape(0) == self.arcs.up.other.size() &&
                        down.shape(0) == self.arcs.down.other.size(),
                    "up and down must have one element for each arc");
            require_length(along, arcs.m(), "along");
            flows::write_along(self.arcs, arcs.checked().csr(), arcs.lengths<double>(), self.place, up.data(),
                               down.data(), along.data());
          },
          nb::arg("arcs"), nb::kw_only(), nb::arg("up").noconvert(), nb::arg("down").noconvert(),
          nb::arg("along").noconvert());
  m.def(
      "counted_arcs",
      [](const Tree& tree, const ArcArrays& arcs, int threads) {
        const elimination::TreeView view = tree_view(tree);
        const double* weights = weights_above_zero<double>(arcs, view);
        Counted counted;
        run_monitored(nb::none(), [&](Control& control) {
          arcs.checked();
          counted.place = elimination::places_of(view);
          Team team(threads);
          counted.arcs = flows::counted_arcs(view, arcs.csr(), weights, counted.place, team, control);
        });
        return counted;
      },
      nb::arg("tree"), nb::arg("arcs"), nb::arg("threads") = 1);
}

}  // namespace

void bind_flows(nb::module_& m) {
  using namespace nb::literals;
  bind_counted_arcs(m);
  nb::class_<FlowArrays>(m, "FlowArrays", "A demand (`to`, or start, targets and values), and its flows.")
      .def(nb::init<Vector<std::int32_t>, Out<double>, Out<double>, Out<double>, std::optional<Out<double>>,
                    std::optional<Vector<double>>, std::optional<Vector<std::int64_t>>,
                    std::optional<Vector<std::int32_t>>, std::optional<Vector<double>>>(),
           nb::kw_only(), "sources"_a.noconvert(), "through"_a.noconvert(), "arrived"_a.noconvert(),
           "served"_a.noconvert(), "along"_a.noconvert() = nb::none(), "to"_a.noconvert() = nb::none(),
           "start"_a.noconvert() = nb::none(), "targets"_a.noconvert() = nb::none(),
           "values"_a.noconvert() = nb::none());
  m.def("flows_by_hops", &by_hops, "arcs"_a, "flows"_a, nb::kw_only(), "cutoff"_a, "threads"_a = 1,
        "progress"_a = nb::none());
  m.def("flows_by_length", &by_length, "arcs"_a, "flows"_a, nb::kw_only(),
        "heights"_a.noconvert() = nb::none(), "cutoff"_a = nb::none(), "first"_a = false, "threads"_a = 1,
        "progress"_a = nb::none());
  m.def("flows_by_elimination", &by_elimination, "tree"_a, "arcs"_a, "flows"_a, nb::kw_only(), "cutoff"_a,
        "counted"_a.none() = nb::none(), "threads"_a = 1, "progress"_a = nb::none());
  m.def("first_flows_by_elimination", &first_by_elimination, "tree"_a, "factor"_a.noconvert(), "arcs"_a,
        "flows"_a, nb::kw_only(), "cutoff"_a = nb::none(), "threads"_a = 1, "progress"_a = nb::none());
}

}  // namespace apsp::bindings
