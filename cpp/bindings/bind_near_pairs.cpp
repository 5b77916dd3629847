// Binds cpp/searches/near_pairs.hpp: the vertices within a cutoff of every source.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <cstdint>
#include <memory>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/near_pairs.hpp"

namespace apsp::bindings {
namespace {

using CostArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// find() returns (starts, targets, distances, hops or None, sums or None), or None if there are more pairs
// than `most`.
template <class T>
void bind_near_searches(nb::module_& m, const char* name) {
  using Near = searches::NearSearches<T>;
  nb::class_<Near>(m, name).def(
      "find",
      [](const Near& self, const Vector<std::int32_t>& sources, std::optional<T> cutoff,
         std::optional<std::int64_t> k, const std::optional<Vector<bool>>& is_target, bool own, bool hops,
         bool sums, bool by_target, std::int64_t most, int threads,
         const nb::object& progress) -> nb::object {
        if (is_target) require_shape(*is_target, self.n(), "is_target");
        searches::NearRequest<T> request;
        request.sources = sources.data();
        request.count = static_cast<std::int64_t>(sources.shape(0));
        if (cutoff) request.cutoff = *cutoff;
        if (k) request.k = *k;
        if (is_target) request.is_target = reinterpret_cast<const std::uint8_t*>(is_target->data());
        request.own = own;
        request.hops = hops;
        request.sums = sums;
        request.by_target = by_target;
        request.most = most;
        searches::NearPairs<T> found;
        run_monitored(
            progress, [&](Control& control) { found = self.find(request, threads, control); }, request.count,
            self.n());
        if (!found.complete) return nb::none();
        const std::int64_t size = found.size();
        nb::object next = nb::none(), costs = nb::none();
        if (hops) next = to_numpy(std::move(found.hops), size);
        if (sums) costs = to_numpy(std::move(found.sums), self.costs() * size);
        return nb::make_tuple(to_numpy(std::move(found.starts)), to_numpy(std::move(found.targets), size),
                              to_numpy(std::move(found.distances), size), next, costs);
      },
      nb::kw_only(), nb::arg("sources").noconvert(), nb::arg("cutoff") = nb::none(),
      nb::arg("k") = nb::none(), nb::arg("is_target").noconvert() = nb::none(), nb::arg("own") = true,
      nb::arg("hops") = false, nb::arg("sums") = false, nb::arg("by_target") = false,
      nb::arg("most") = INT64_MAX, nb::arg("threads") = 1, nb::arg("progress") = nb::none());
  m.def(
      "near_searches",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
         const std::optional<Vector<bool>>& zones, bool many, const std::optional<CostArray>& costs) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        require(!costs || costs->shape(0) == static_cast<std::size_t>(graph.m),
                "costs must have a row for each arc");
        const Unlocked unlocked;
        if (!costs) return std::make_unique<Near>(graph, weights.data(), many);
        return std::make_unique<Near>(graph, weights.data(), many, costs->data(),
                                      static_cast<int>(costs->shape(1)));
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("zones").noconvert() = nb::none(), nb::arg("many") = true,
      nb::arg("costs").noconvert() = nb::none());
}

}  // namespace

void bind_near_pairs(nb::module_& m) {
  bind_near_searches<std::uint16_t>(m, "NearSearchesUint16");
  bind_near_searches<std::int32_t>(m, "NearSearchesInt32");
  bind_near_searches<std::int64_t>(m, "NearSearchesInt64");
  bind_near_searches<float>(m, "NearSearchesFloat32");
  bind_near_searches<double>(m, "NearSearchesFloat64");
}

}  // namespace apsp::bindings
