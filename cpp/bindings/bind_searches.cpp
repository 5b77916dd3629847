// Binds cpp/searches and cpp/bit_bfs: functions of CSR arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "bindings/weighings.hpp"
#include "bit_bfs/bit_bfs.hpp"
#include "searches/bfs.hpp"
#include "searches/cells.hpp"
#include "searches/dijkstra.hpp"
#include "searches/johnson.hpp"
#include "searches/kept.hpp"
#include "searches/potentials.hpp"
#include "searches/signed_floats.hpp"
#include "searches/weigh.hpp"

namespace apsp::bindings {
namespace {

using searches::QueueKind;

template <class T>
void bind_dijkstra(nb::module_& m, const char* name, QueueKind queue) {
  m.def(
      name,
      [queue](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
              const Vector<T>& weights, const Vector<std::int32_t>& sources, const Rows<T>& dist,
              const std::optional<Rows<std::int32_t>>& pred, const std::optional<Vector<bool>>& zones,
              const std::optional<Vector<std::int32_t>>& targets, std::optional<T> cutoff, int threads,
              const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        const auto request = row_request(graph, sources, targets, cutoff, dist, pred);
        run_monitored(
            progress,
            [&](Control& control) {
              searches::dijkstra_rows(graph, weights.data(), request, queue, threads, control);
            },
            request.count, graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("sources").noconvert(), nb::arg("dist").noconvert(),
      nb::arg("pred").noconvert() = nb::none(), nb::arg("zones").noconvert() = nb::none(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
}

template <class T>
void bind_weigh(nb::module_& m, const char* name, QueueKind queue) {
  m.def(
      name,
      [queue](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
              const Vector<T>& weights, const Vector<std::int32_t>& sources, const Amounts& amounts,
              const Vector<T>& cutoffs, const DecayNumbers& decay, const WeighedSums& sums,
              const std::optional<Vector<bool>>& zones, int threads, const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        const auto count = static_cast<std::int64_t>(sources.shape(0));
        const auto weighing =
            weighing_of<T>(amounts, cutoffs.data(), static_cast<std::int64_t>(cutoffs.shape(0)), decay, sums,
                           graph.n, count);
        run_monitored(
            progress,
            [&](Control& control) {
              searches::weigh_balls(graph, weights.data(), sources.data(), count, weighing, queue, threads,
                                    control);
            },
            count, graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("sources").noconvert(), nb::arg("amounts").noconvert(),
      nb::arg("cutoffs").noconvert(), nb::arg("decay"), nb::arg("sums").noconvert(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T>
void bind_nearest_seeds(nb::module_& m) {
  m.def(
      "nearest_seeds",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<T>& weights,
         const Vector<std::int32_t>& seeds,
         const nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig, Host>& nearest,
         const nb::ndarray<T, nb::ndim<2>, nb::c_contig, Host>& lengths,
         const std::optional<nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, Host>>& before,
         const std::optional<Vector<bool>>& zones, std::optional<T> cutoff) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        const auto k = static_cast<std::int64_t>(nearest.shape(1));
        require(static_cast<std::int64_t>(nearest.shape(0)) == graph.n &&
                    static_cast<std::int64_t>(lengths.shape(0)) == graph.n &&
                    static_cast<std::int64_t>(lengths.shape(1)) == k,
                "nearest and lengths must have shape (n, k)");
        require(!before || static_cast<std::int64_t>(before->shape(0)) == graph.n,
                "before must have " + std::to_string(graph.n) + " elements");
        run_monitored(
            nb::none(),
            [&](Control& control) {
              searches::nearest_seeds<T>(graph, weights.data(), seeds.data(),
                                         static_cast<std::int64_t>(seeds.shape(0)), k,
                                         cutoff.value_or(semiring::kNoPath<T>), nearest.data(),
                                         lengths.data(), before ? before->data() : nullptr, control);
            },
            k, graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("seeds").noconvert(), nb::arg("nearest").noconvert(),
      nb::arg("lengths").noconvert(), nb::arg("before").noconvert() = nb::none(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("cutoff") = nb::none());
}

// Kernel: a row method on a graph without weights.
template <class T, class Kernel>
void bind_hops(nb::module_& m, const char* name, Kernel kernel) {
  m.def(
      name,
      [kernel](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
               const Vector<std::int32_t>& sources, const Rows<T>& dist,
               const std::optional<Rows<std::int32_t>>& pred, const std::optional<Vector<bool>>& zones,
               const std::optional<Vector<std::int32_t>>& targets, std::optional<T> cutoff, int threads,
               const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        const auto request = row_request(graph, sources, targets, cutoff, dist, pred);
        run_monitored(
            progress, [&](Control& control) { kernel(graph, request, threads, control); }, request.count,
            graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("sources").noconvert(), nb::arg("dist").noconvert(), nb::arg("pred").noconvert() = nb::none(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("targets").noconvert() = nb::none(),
      nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

// Searches of any dtype.
struct KeptSearches {
  virtual ~KeptSearches() = default;
  virtual void rows(const Vector<std::int32_t>& sources, const AnyMatrix& dist, int threads) const = 0;
};

// The constructor copies what it needs of the arrays.
template <class T>
struct KeptSearchesOf final : KeptSearches {
  KeptSearchesOf(const graph::Csr& graph, const T* weights) : searches(graph, weights) {}

  void rows(const Vector<std::int32_t>& sources, const AnyMatrix& dist, int threads) const override {
    graph::Csr graph;
    graph.n = static_cast<std::int64_t>(dist.shape(1));
    const auto request =
        row_request<T>(graph, sources, std::nullopt, std::optional<Number>(), dist, std::nullopt);
    run_monitored(nb::none(), [&](Control& control) { searches.rows(request, threads, control); });
  }

  searches::KeptSearches<T> searches;
};

std::unique_ptr<KeptSearches> kept_searches(const Vector<std::int64_t>& indptr,
                                            const Vector<std::int32_t>& indices, const AnyVector& weights) {
  const graph::Csr graph = csr(indptr, indices, std::nullopt);
  require_length(weights, graph.m, "weights");
  return with_type<std::int32_t, std::int64_t, double>(
      weights, "weights must be int32, int64 or float64", [&]<class T>(T) -> std::unique_ptr<KeptSearches> {
        const T* lengths = elements<T>(weights);
        const Unlocked unlocked;
        return std::make_unique<KeptSearchesOf<T>>(graph, lengths);
      });
}

void bind_kept_searches(nb::module_& m) {
  nb::class_<KeptSearches>(m, "KeptSearches")
      .def("rows", &KeptSearches::rows, nb::kw_only(), nb::arg("sources").noconvert(),
           nb::arg("dist").noconvert(), nb::arg("threads") = 1);
  m.def("kept_searches", &kept_searches, nb::kw_only(), nb::arg("indptr").noconvert(),
        nb::arg("indices").noconvert(), nb::arg("weights").noconvert());
}

template <class T>
using Out = nb::ndarray<T, nb::ndim<1>, nb::c_contig, Host>;

void bind_potentials(nb::module_& m) {
  using W = std::int64_t;
  m.def(
      "potentials",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices, const Vector<W>& weights,
         const Out<W>& reduced, const Out<W>& height) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        require_shape(weights, graph.m, "weights");
        require(static_cast<std::int64_t>(reduced.shape(0)) == graph.m, "reduced must have m elements");
        require(static_cast<std::int64_t>(height.shape(0)) == graph.n, "height must have n elements");
        std::vector<std::int32_t> cycle;
        run_monitored(
            nb::none(),
            [&](Control& control) {
              cycle = searches::potentials(graph, weights.data(), reduced.data(), height.data(), control);
            },
            graph.n, graph.n + graph.m);
        return cycle;
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("reduced").noconvert(), nb::arg("height").noconvert());
}

template <class T, class Class>
void bind_signed_rows(Class& bound) {
  bound.def(
      "rows",
      [](const searches::SignedFloats& self, const Vector<std::int64_t>& indptr,
         const Vector<std::int32_t>& indices, const Vector<std::int32_t>& sources, const Rows<T>& dist,
         const std::optional<Rows<std::int32_t>>& pred, const std::optional<Vector<std::int32_t>>& targets,
         std::optional<T> cutoff, int threads, const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        const auto request = row_request(graph, sources, targets, cutoff, dist, pred);
        run_monitored(
            progress, [&](Control& control) { self.rows(request, threads, control); }, request.count,
            graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("sources").noconvert(), nb::arg("dist").noconvert(), nb::arg("pred").noconvert() = nb::none(),
      nb::arg("targets").noconvert() = nb::none(), nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1,
      nb::arg("progress") = nb::none());
}

void bind_signed_floats(nb::module_& m) {
  nb::class_<searches::SignedFloats> bound(m, "SignedFloats");
  bound.def_prop_ro("cycle", &searches::SignedFloats::cycle)
      .def_prop_ro("forgiving", &searches::SignedFloats::forgiving)
      .def(
          "potentials",
          [](const searches::SignedFloats& self, const Out<double>& height, const Out<double>& reduced) {
            self.potentials(height.data(), reduced.data());
          },
          nb::kw_only(), nb::arg("height").noconvert(), nb::arg("reduced").noconvert());
  bind_signed_rows<float>(bound);
  bind_signed_rows<double>(bound);
  m.def(
      "signed_floats",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<double>& weights, const std::optional<Vector<bool>>& zones, double epsilon,
         bool searches) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(weights, graph.m, "weights");
        require(epsilon >= 0 && epsilon <= 1e-3, "epsilon must lie between 0 and 0.001");
        std::unique_ptr<searches::SignedFloats> found;
        run_monitored(nb::none(), [&](Control& control) {
          found = searches::SignedFloats::make(graph, weights.data(), epsilon, searches, control);
        });
        return found;
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("zones").noconvert() = nb::none(), nb::arg("epsilon"),
      nb::arg("searches"));
  m.def(
      "has_cancelling_cycle",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<double>& weights, double epsilon) {
        const graph::Csr graph = csr(indptr, indices, std::nullopt);
        require_shape(weights, graph.m, "weights");
        require(epsilon > 0 && epsilon <= 1e-3, "epsilon must lie between 0 and 0.001");
        bool found = false;
        run_monitored(nb::none(), [&](Control& control) {
          found = searches::has_cancelling_cycle(graph, weights.data(), epsilon, control);
        });
        return found;
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("epsilon"));
}

template <class T, class Reduced>
void bind_johnson(nb::module_& m) {
  m.def(
      "johnson_rows",
      [](const Vector<std::int64_t>& indptr, const Vector<std::int32_t>& indices,
         const Vector<Reduced>& reduced, const Vector<std::int64_t>& height,
         const Vector<std::int32_t>& sources, const Rows<T>& dist,
         const std::optional<Rows<std::int32_t>>& pred, const std::optional<Vector<bool>>& zones,
         const std::optional<Vector<std::int32_t>>& targets, std::optional<T> cutoff, int threads,
         const Progress& progress) {
        const graph::Csr graph = csr(indptr, indices, zones);
        require_shape(reduced, graph.m, "reduced");
        require_shape(height, graph.n, "height");
        const auto request = row_request(graph, sources, targets, cutoff, dist, pred);
        run_monitored(
            progress,
            [&](Control& control) {
              searches::johnson_rows(graph, reduced.data(), height.data(), request, threads, control);
            },
            request.count, graph.n + graph.m);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("reduced").noconvert(), nb::arg("height").noconvert(), nb::arg("sources").noconvert(),
      nb::arg("dist").noconvert(), nb::arg("pred").noconvert() = nb::none(),
      nb::arg("zones").noconvert() = nb::none(), nb::arg("targets").noconvert() = nb::none(),
      nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none());
}

template <class T>
void bind_integer_johnson(nb::module_& m) {
  bind_johnson<T, std::int32_t>(m);
  bind_johnson<T, std::int64_t>(m);
}

template <class T>
void bind_length(nb::module_& m) {
  bind_dijkstra<T>(m, "dijkstra_rows", QueueKind::kHeap);
  bind_dijkstra<T>(m, "bucket_rows", QueueKind::kBuckets);
  bind_weigh<T>(m, "dijkstra_weigh", QueueKind::kHeap);
  bind_weigh<T>(m, "bucket_weigh", QueueKind::kBuckets);
  bind_nearest_seeds<T>(m);
  bind_hops<T>(m, "bfs_rows", searches::bfs_rows<T>);
  bind_hops<T>(m, "bit_bfs_rows", bit_bfs::bit_bfs_rows<T>);
}

}  // namespace

void bind_searches(nb::module_& m) {
  bind_length<std::uint16_t>(m);
  bind_length<std::int32_t>(m);
  bind_length<std::int64_t>(m);
  bind_length<float>(m);
  bind_length<double>(m);
  bind_kept_searches(m);
  bind_potentials(m);
  bind_signed_floats(m);
  bind_integer_johnson<std::uint16_t>(m);
  bind_integer_johnson<std::int32_t>(m);
  bind_integer_johnson<std::int64_t>(m);
}

}  // namespace apsp::bindings
