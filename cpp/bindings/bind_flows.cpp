// Binds cpp/flows: flows of a demand along shortest paths.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
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

// Arguments that both kernels have; the arrays outlive the work.
struct FlowArrays {
  const Vector<std::int32_t>& sources;
  const std::optional<Vector<double>>& to;
  const std::optional<Vector<std::int64_t>>& start;
  const std::optional<Vector<std::int32_t>>& targets;
  const std::optional<Vector<double>>& values;
  const Out<double>& through;
  const Out<double>& arrived;
  const Out<double>& served;
  const std::optional<Out<double>>& along;

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
    const auto has = [](const Out<double>& array, std::int64_t length, const char* name) {
      require(static_cast<std::int64_t>(array.shape(0)) == length,
              std::string(name) + " must have " + std::to_string(length) + " elements");
    };
    has(through, graph.n, "through");
    has(arrived, graph.n, "arrived");
    has(served, static_cast<std::int64_t>(sources.shape(0)), "served");
    if (along) has(*along, graph.m, "along");
    return {through.data(), arrived.data(), served.data(), along ? along->data() : nullptr};
  }
};

// The number of threads to use: no thread is started for a little work.
int useful(const graph::Csr& graph, const flows::Demand& demand, int threads) {
  return is_brief(demand.count, graph.n + graph.m) ? 1 : threads;
}

template <class Kernel>
void run_flows(const graph::Csr& graph, const flows::Demand& demand, const Progress& progress,
               Kernel&& kernel) {
  graph::check_csr(graph);
  with_flow_errors([&] { run_monitored(progress, kernel, demand.count, graph.n + graph.m); });
}

void bind_by_hops(nb::module_& m) {
  m.def(
      "flows_by_hops",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const std::optional<Vector<bool>>& zones, const Vector<std::int32_t>& sources,
         const std::optional<Vector<double>>& to, const std::optional<Vector<std::int64_t>>& start,
         const std::optional<Vector<std::int32_t>>& targets, const std::optional<Vector<double>>& values,
         const Out<double>& through, const Out<double>& arrived, const Out<double>& served,
         const std::optional<Out<double>>& along, std::int64_t cutoff, int threads,
         const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        const FlowArrays arrays{sources, to, start, targets, values, through, arrived, served, along};
        const flows::Demand demand = arrays.demand(graph);
        const flows::Flows flows = arrays.flows(graph);
        run_flows(graph, demand, progress, [&](Control& control) {
          flows::flows_by_hops(graph, demand, cutoff, flows, useful(graph, demand, threads), control);
        });
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("sources").noconvert(),
      nb::arg("to").noconvert() = nb::none(), nb::arg("start").noconvert() = nb::none(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("values").noconvert() = nb::none(),
      nb::arg("through").noconvert(), nb::arg("arrived").noconvert(), nb::arg("served").noconvert(),
      nb::arg("along").noconvert() = nb::none(), nb::arg("cutoff"), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
}

template <class T>
void bind_by_length(nb::module_& m) {
  m.def(
      "flows_by_length",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
         const std::optional<Vector<std::int64_t>>& heights, const std::optional<Vector<bool>>& zones,
         const Vector<std::int32_t>& sources, const std::optional<Vector<double>>& to,
         const std::optional<Vector<std::int64_t>>& start, const std::optional<Vector<std::int32_t>>& targets,
         const std::optional<Vector<double>>& values, const Out<double>& through, const Out<double>& arrived,
         const Out<double>& served, const std::optional<Out<double>>& along, std::optional<T> cutoff,
         bool first, int threads, const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        if (heights) require_shape(*heights, graph.n, "heights");
        const FlowArrays arrays{sources, to, start, targets, values, through, arrived, served, along};
        const flows::Demand demand = arrays.demand(graph);
        const flows::Flows flows = arrays.flows(graph);
        run_flows(graph, demand, progress, [&](Control& control) {
          flows::flows_by_length<T>(graph, weights.data(), data_or_null(heights), demand,
                                    cutoff.value_or(semiring::kNoPath<T>),
                                    first ? flows::Ties::kFirst : flows::Ties::kSplit, flows,
                                    useful(graph, demand, threads), control);
        });
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("heights").noconvert() = nb::none(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("sources").noconvert(),
      nb::arg("to").noconvert() = nb::none(), nb::arg("start").noconvert() = nb::none(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("values").noconvert() = nb::none(),
      nb::arg("through").noconvert(), nb::arg("arrived").noconvert(), nb::arg("served").noconvert(),
      nb::arg("along").noconvert() = nb::none(), nb::arg("cutoff") = nb::none(), nb::arg("first") = false,
      nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

// The counted arcs of an elimination, for several calls or for sweeps that run elsewhere.
struct Counted {
  flows::CountedArcs arcs;
  std::vector<std::int32_t> place;
};

void bind_by_elimination(nb::module_& m) {
  m.def(
      "flows_by_elimination",
      [](const nb::object& tree, const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const std::optional<Vector<bool>>& zones, const Vector<double>& weights,
         const Vector<std::int32_t>& sources, const std::optional<Vector<double>>& to,
         const std::optional<Vector<std::int64_t>>& start, const std::optional<Vector<std::int32_t>>& targets,
         const std::optional<Vector<double>>& values, const Out<double>& through, const Out<double>& arrived,
         const Out<double>& served, const std::optional<Out<double>>& along, double cutoff,
         const Counted* counted, int threads, const Progress& progress) {
        require(!zones, "elimination takes no zones");
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        const elimination::TreeView view = tree_view(tree);
        require(view.n == graph.n, "the tree and the graph must have the same number of vertices");
        require_shape(weights, graph.m, "weights");
        for (std::int64_t a = 0; a < graph.m; ++a)
          require(weights.data()[a] > 0, "elimination takes weights above zero");
        const FlowArrays arrays{sources, to, start, targets, values, through, arrived, served, along};
        const flows::Demand demand = arrays.demand(graph);
        const flows::Flows flows = arrays.flows(graph);
        require(counted == nullptr || counted->place == elimination::places_of(view),
                "the counted arcs must be those of the tree");
        bool fits = false;
        run_flows(graph, demand, progress, [&](Control& control) {
          const int members = useful(graph, demand, threads);
          if (counted == nullptr) {
            fits = flows::flows_by_elimination(view, graph, weights.data(), demand, cutoff, flows, members,
                                               control);
            return;
          }
          Team team(members);
          fits = flows::flows_by_elimination(view, graph, weights.data(), counted->place, counted->arcs,
                                             demand, cutoff, flows, team, control);
        });
        return fits;
      },
      nb::kw_only(), nb::arg("tree"), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("weights").noconvert(),
      nb::arg("sources").noconvert(), nb::arg("to").noconvert() = nb::none(),
      nb::arg("start").noconvert() = nb::none(), nb::arg("targets").noconvert() = nb::none(),
      nb::arg("values").noconvert() = nb::none(), nb::arg("through").noconvert(),
      nb::arg("arrived").noconvert(), nb::arg("served").noconvert(),
      nb::arg("along").noconvert() = nb::none(), nb::arg("cutoff"), nb::arg("counted").none() = nb::none(),
      nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T>
void bind_first_by_elimination(nb::module_& m) {
  m.def(
      "first_flows_by_elimination",
      [](const nb::object& tree, const Vector<T>& factor, const Vector<std::int64_t>& indptr,
         const Vector<std::int32_t>& indices, const Vector<T>& weights, const Vector<std::int32_t>& sources,
         const std::optional<Vector<double>>& to, const std::optional<Vector<std::int64_t>>& start,
         const std::optional<Vector<std::int32_t>>& targets, const std::optional<Vector<double>>& values,
         const Out<double>& through, const Out<double>& arrived, const Out<double>& served,
         const std::optional<Out<double>>& along, std::optional<T> cutoff, int threads,
         const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        const elimination::TreeView view = tree_view(tree);
        require(view.n == graph.n, "the tree and the graph must have the same number of vertices");
        require_shape(factor, view.entries(), "factor");
        require_shape(weights, graph.m, "weights");
        for (std::int64_t a = 0; a < graph.m; ++a)
          require(weights.data()[a] > 0, "elimination takes weights above zero");
        const FlowArrays arrays{sources, to, start, targets, values, through, arrived, served, along};
        const flows::Demand demand = arrays.demand(graph);
        const flows::Flows flows = arrays.flows(graph);
        const graph::WeightedArcs arcs{graph.n, graph.indptr, graph.indices, weights.data(),
                                       graph::type_of<T>()};
        run_flows(graph, demand, progress, [&](Control& control) {
          flows::first_by_elimination<T>({view, factor.data(), arcs, nullptr, true}, graph, weights.data(),
                                         demand, cutoff.value_or(semiring::kNoPath<T>), flows,
                                         useful(graph, demand, threads), control);
        });
      },
      nb::kw_only(), nb::arg("tree"), nb::arg("factor").noconvert(), nb::arg("indptr").noconvert(),
      nb::arg("indices").noconvert(), nb::arg("weights").noconvert(), nb::arg("sources").noconvert(),
      nb::arg("to").noconvert() = nb::none(), nb::arg("start").noconvert() = nb::none(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("values").noconvert() = nb::none(),
      nb::arg("through").noconvert(), nb::arg("arrived").noconvert(), nb::arg("served").noconvert(),
      nb::arg("along").noconvert() = nb::none(), nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
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
          [](const Counted& self, const nb::object& tree, const Out<double>& up, const Out<double>& down,
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
          [](const Counted& self, const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
             const Vector<double>& weights, const Out<double>& up, const Out<double>& down,
             const Out<double>& along) {
            const graph::Csr graph = csr(indptr, indices, std::nullopt);
            require(graph.n == static_cast<std::int64_t>(self.place.size()) &&
                        up.shape(0) == self.arcs.up.other.size() &&
                        down.shape(0) == self.arcs.down.other.size(),
                    "up and down must have one element for each arc");
            require_shape(weights, graph.m, "weights");
            require(static_cast<std::int64_t>(along.shape(0)) == graph.m, "along must have m elements");
            graph::check_csr(graph);
            flows::write_along(self.arcs, graph, weights.data(), self.place, up.data(), down.data(),
                               along.data());
          },
          nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
          nb::arg("weights").noconvert(), nb::arg("up").noconvert(), nb::arg("down").noconvert(),
          nb::arg("along").noconvert());
  m.def(
      "counted_arcs",
      [](const nb::object& tree, const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<double>& weights, int threads) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        const elimination::TreeView view = tree_view(tree);
        require(view.n == graph.n, "the tree and the graph must have the same number of vertices");
        require_shape(weights, graph.m, "weights");
        for (std::int64_t a = 0; a < graph.m; ++a)
          require(weights.data()[a] > 0, "elimination takes weights above zero");
        Counted counted;
        run_monitored(nb::none(), [&](Control& control) {
          graph::check_csr(graph);
          counted.place = elimination::places_of(view);
          Team team(threads);
          counted.arcs = flows::counted_arcs(view, graph, weights.data(), counted.place, team, control);
        });
        return counted;
      },
      nb::kw_only(), nb::arg("tree"), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("threads") = 1);
}

}  // namespace

void bind_flows(nb::module_& m) {
  bind_by_hops(m);
  bind_by_length<std::int32_t>(m);
  bind_by_length<std::int64_t>(m);
  bind_by_length<double>(m);
  bind_by_elimination(m);
  bind_first_by_elimination<std::int32_t>(m);
  bind_first_by_elimination<std::int64_t>(m);
  bind_counted_arcs(m);
}

}  // namespace apsp::bindings
