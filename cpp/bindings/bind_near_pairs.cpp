// Binds the vertices within a cutoff of every source: by searches one after another, by searches in SIMD
// lanes, and by the sweeps of elimination.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/factor_arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/monitor.hpp"
#include "elimination/near_pairs.hpp"
#include "label_correcting/near_lanes.hpp"
#include "searches/near_matrix.hpp"
#include "searches/near_pairs.hpp"

namespace apsp::bindings {
namespace {

using Found = Tuple<Returned<std::int64_t>, Returned<std::int32_t>, AnyReturned,
                    std::optional<Returned<std::int32_t>>, std::optional<Returned<double>>>;
using CostArray = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// Searches of any dtype. find() returns (starts, targets, distances, hops or None, sums or None), or None if
// there are more pairs than `most`.
struct NearFinder {
  virtual ~NearFinder() = default;
  virtual std::optional<Found> find(const Vector<std::int32_t>& sources, const std::optional<Number>& cutoff,
                                    const std::optional<std::int64_t>& k,
                                    const std::optional<Vector<bool>>& is_target, bool own, bool hops,
                                    bool sums, bool by_target, std::int64_t most, int threads,
                                    const Progress& progress) = 0;
};

template <class T>
struct FinderOf final : NearFinder {
  explicit FinderOf(std::unique_ptr<searches::NearFinder<T>> made) : finder(std::move(made)) {}

  std::optional<Found> find(const Vector<std::int32_t>& sources, const std::optional<Number>& cutoff,
                            const std::optional<std::int64_t>& k,
                            const std::optional<Vector<bool>>& is_target, bool own, bool hops, bool sums,
                            bool by_target, std::int64_t most, int threads,
                            const Progress& progress) override {
    if (is_target) require_shape(*is_target, finder->n(), "is_target");
    searches::NearRequest<T> request;
    request.sources = sources.data();
    request.count = static_cast<std::int64_t>(sources.shape(0));
    if (cutoff) request.cutoff = number_as<T>(*cutoff);
    if (k) request.k = *k;
    if (is_target) request.is_target = reinterpret_cast<const std::uint8_t*>(is_target->data());
    request.own = own;
    request.hops = hops;
    request.sums = sums;
    request.by_target = by_target;
    request.most = most;
    searches::NearPairs<T> found;
    run_monitored(
        progress, [&](Control& control) { found = finder->find(request, threads, control); }, request.count,
        finder->n());
    if (!found.complete) return std::nullopt;
    const std::int64_t size = found.size();
    nb::object next = nb::none(), costs = nb::none();
    if (hops) next = to_numpy(std::move(found.hops), size);
    if (sums) costs = to_numpy(std::move(found.sums), finder->costs() * size);
    return nb::make_tuple(to_numpy(std::move(found.starts)), to_numpy(std::move(found.targets), size),
                          to_numpy(std::move(found.distances), size), next, costs);
  }

  std::unique_ptr<searches::NearFinder<T>> finder;
};

// Other costs of the arcs, one row each.
struct Costs {
  const double* values = nullptr;
  int size = 0;

  Costs(const ArcArrays& arcs, const std::optional<CostArray>& costs) {
    if (!costs) return;
    require(costs->shape(0) == static_cast<std::size_t>(arcs.m()), "costs must have a row for each arc");
    values = costs->data();
    size = static_cast<int>(costs->shape(1));
  }
};

template <class T>
std::unique_ptr<NearFinder> bound(std::unique_ptr<searches::NearFinder<T>> finder) {
  return std::make_unique<FinderOf<T>>(std::move(finder));
}

std::unique_ptr<NearFinder> near_searches(const ArcArrays& arcs, bool many,
                                          const std::optional<CostArray>& costs) {
  const Costs others(arcs, costs);
  return with_distance_type(arcs.weights(), [&]<class T>(T) {
    const T* lengths = arcs.lengths<T>();
    const Unlocked unlocked;
    return bound(searches::near_searches<T>(arcs.csr(), lengths, many, others.values, others.size));
  });
}

std::unique_ptr<NearFinder> near_lanes(const ArcArrays& arcs, const std::optional<CostArray>& costs) {
  const Costs others(arcs, costs);
  return with_distance_type(arcs.weights(), [&]<class T>(T) {
    const T* lengths = arcs.lengths<T>();
    const Unlocked unlocked;
    return bound(label_correcting::near_lanes<T>(arcs.csr(), lengths, others.values, others.size));
  });
}

std::unique_ptr<NearFinder> near_sweeps(const FactorArrays& factor, const ArcArrays& arcs,
                                        const std::optional<CostArray>& costs) {
  const Costs others(arcs, costs);
  constexpr const char* kTypes = "pairs are found by elimination in uint16 and int32";
  return with_type<std::uint16_t, std::int32_t>(factor.values(), kTypes, [&]<class T>(T) {
    const auto from = factor.of<T>();
    const T* lengths = arcs.lengths<T>();
    const Unlocked unlocked;
    return bound(elimination::near_sweeps<T>(from, arcs.csr(), lengths, others.values, others.size));
  });
}

void write_near(const ArcArrays& arcs, const RowArrays& rows, const Vector<std::int64_t>& starts,
                const Vector<std::int32_t>& targets, const AnyVector& distances, int threads) {
  const auto size = static_cast<std::int64_t>(targets.shape(0));
  require_length(distances, size, "distances");
  with_distance_type(rows.dist, [&]<class T>(T) {
    const auto request = rows.request<T>(arcs.n());
    require_shape(starts, request.count + 1, "starts");
    require(std::is_sorted(starts.data(), starts.data() + request.count + 1) && starts(0) == 0 &&
                starts(static_cast<std::size_t>(request.count)) == size,
            "starts must rise from 0 to the number of pairs");
    const searches::PairsToWrite<T> pairs{starts.data(), targets.data(), elements<T>(distances)};
    const T* lengths = arcs.lengths<T>();
    const auto& graph = arcs.checked().csr();
    run_monitored(nb::none(), [&](Control& control) {
      searches::write_near<T>(graph, lengths, pairs, request, threads, control);
    });
  });
}

}  // namespace

void bind_near_pairs(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<NearFinder>(m, "NearFinder")
      .def("find", &NearFinder::find, nb::kw_only(), "sources"_a.noconvert(), "cutoff"_a = nb::none(),
           "k"_a = nb::none(), "is_target"_a.noconvert() = nb::none(), "own"_a = true, "hops"_a = false,
           "sums"_a = false, "by_target"_a = false, "most"_a = INT64_MAX, "threads"_a = 1,
           "progress"_a = nb::none());
  m.def("near_searches", &near_searches, "arcs"_a, nb::kw_only(), "many"_a = true,
        "costs"_a.noconvert() = nb::none());
  m.def("near_lanes", &near_lanes, "arcs"_a, nb::kw_only(), "costs"_a.noconvert() = nb::none());
  m.def("near_sweeps", &near_sweeps, nb::keep_alive<0, 1>(), "factor"_a, "arcs"_a, nb::kw_only(),
        "costs"_a.noconvert() = nb::none());
  m.def("write_near", &write_near, "arcs"_a, "rows"_a, nb::kw_only(), "starts"_a.noconvert(),
        "targets"_a.noconvert(), "distances"_a.noconvert(), "threads"_a = 1,
        "Writes rows whose near pairs are given, and their predecessors: all other entries are \"no path\".");
}

}  // namespace apsp::bindings
