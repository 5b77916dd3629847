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

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
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

using namespace nb::literals;
using searches::QueueKind;

// Runs kernel(graph, weights, request, threads, control), in the dtype of the distances.
template <class Kernel>
void run_rows(const ArcArrays& arcs, const RowArrays& rows, int threads, const Progress& progress,
              Kernel&& kernel) {
  with_distance_type(rows.dist, [&]<class T>(T) {
    const auto request = rows.request<T>(arcs.n());
    run_monitored(
        progress, [&](Control& control) { kernel(request, threads, control); }, request.count,
        arcs.n() + arcs.m());
  });
}

template <QueueKind kQueue>
void dijkstra_rows(const ArcArrays& arcs, const RowArrays& rows, int threads, const Progress& progress) {
  run_rows(arcs, rows, threads, progress, [&]<class T>(const rows::RowRequest<T>& request, auto&&... how) {
    searches::dijkstra_rows(arcs.csr(), arcs.lengths<T>(), request, kQueue, how...);
  });
}

void bfs_rows(const ArcArrays& arcs, const RowArrays& rows, int threads, const Progress& progress) {
  run_rows(arcs, rows, threads, progress, [&]<class T>(const rows::RowRequest<T>& request, auto&&... how) {
    searches::bfs_rows<T>(arcs.csr(), request, how...);
  });
}

void bit_bfs_rows(const ArcArrays& arcs, const RowArrays& rows, int threads, const Progress& progress) {
  run_rows(arcs, rows, threads, progress, [&]<class T>(const rows::RowRequest<T>& request, auto&&... how) {
    bit_bfs::bit_bfs_rows<T>(arcs.csr(), request, how...);
  });
}

// The weights of the arcs are reduced by potentials.
void johnson_rows(const ArcArrays& arcs, const Vector<std::int64_t>& height, const RowArrays& rows,
                  int threads, const Progress& progress) {
  require_shape(height, arcs.n(), "height");
  run_rows(arcs, rows, threads, progress, [&]<class T>(const rows::RowRequest<T>& request, auto&&... how) {
    if constexpr (std::is_integral_v<T>)
      with_type<std::int32_t, std::int64_t>(
          arcs.weights(), "reduced weights must be int32 or int64", [&]<class Reduced>(Reduced) {
            searches::johnson_rows(arcs.csr(), arcs.lengths<Reduced>(), height.data(), request, how...);
          });
    else
      throw std::invalid_argument("johnson_rows takes integers");
  });
}

template <QueueKind kQueue>
void dijkstra_weigh(const ArcArrays& arcs, const Vector<std::int32_t>& sources,
                    const WeighingArrays& weighing, int threads, const Progress& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  with_distance_type(arcs.weights(), [&]<class T>(T) {
    const T* weights = arcs.lengths<T>();
    const auto view = weighing.view<T>(arcs.n(), count);
    run_monitored(
        progress,
        [&](Control& control) {
          searches::weigh_balls(arcs.csr(), weights, sources.data(), count, view, kQueue, threads, control);
        },
        count, arcs.n() + arcs.m());
  });
}

void nearest_seeds(const ArcArrays& arcs, const Vector<std::int32_t>& seeds,
                   const nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig, Host>& nearest,
                   const nb::ndarray<nb::ndim<2>, nb::c_contig, Host>& lengths,
                   const std::optional<Numbers<std::int32_t>>& before, const std::optional<Number>& cutoff) {
  const auto k = static_cast<std::int64_t>(nearest.shape(1));
  require(static_cast<std::int64_t>(nearest.shape(0)) == arcs.n() &&
              static_cast<std::int64_t>(lengths.shape(0)) == arcs.n() &&
              static_cast<std::int64_t>(lengths.shape(1)) == k,
          "nearest and lengths must have shape (n, k)");
  if (before) require_length(*before, arcs.n(), "before");
  with_distance_type(lengths, [&]<class T>(T) {
    const T* weights = arcs.lengths<T>();
    const T limit = cutoff ? number_as<T>(*cutoff) : semiring::kNoPath<T>;
    run_monitored(
        nb::none(),
        [&](Control& control) {
          searches::nearest_seeds<T>(
              arcs.csr(), weights, seeds.data(), static_cast<std::int64_t>(seeds.shape(0)), k, limit,
              nearest.data(), static_cast<T*>(lengths.data()), before ? before->data() : nullptr, control);
        },
        k, arcs.n() + arcs.m());
  });
}

// Searches of any dtype.
struct KeptSearches {
  virtual ~KeptSearches() = default;
  virtual void rows(const RowArrays& rows, int threads) const = 0;
};

// The constructor copies what it needs of the arrays.
template <class T>
struct KeptSearchesOf final : KeptSearches {
  KeptSearchesOf(const graph::Csr& graph, const T* weights) : searches(graph, weights), n(graph.n) {}

  void rows(const RowArrays& rows, int threads) const override {
    const auto request = rows.request<T>(n);
    run_monitored(nb::none(), [&](Control& control) { searches.rows(request, threads, control); });
  }

  searches::KeptSearches<T> searches;
  std::int64_t n;
};

std::unique_ptr<KeptSearches> kept_searches(const ArcArrays& arcs) {
  return with_type<std::int32_t, std::int64_t, double>(
      arcs.weights(), "weights must be int32, int64 or float64",
      [&]<class T>(T) -> std::unique_ptr<KeptSearches> {
        const T* lengths = arcs.lengths<T>();
        const Unlocked unlocked;
        return std::make_unique<KeptSearchesOf<T>>(arcs.without_zones(), lengths);
      });
}

std::vector<std::int32_t> potentials(const ArcArrays& arcs, const Numbers<std::int64_t>& reduced,
                                     const Numbers<std::int64_t>& height) {
  require_length(reduced, arcs.m(), "reduced");
  require_length(height, arcs.n(), "height");
  const auto* weights = arcs.lengths<std::int64_t>();
  std::vector<std::int32_t> cycle;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        cycle = searches::potentials(arcs.without_zones(), weights, reduced.data(), height.data(), control);
      },
      arcs.n(), arcs.n() + arcs.m());
  return cycle;
}

// With the arcs that they have been made of.
void signed_rows(const searches::SignedFloats& searches, const ArcArrays& arcs, const RowArrays& rows,
                 int threads, const Progress& progress) {
  run_rows(arcs, rows, threads, progress, [&]<class T>(const rows::RowRequest<T>& request, auto&&... how) {
    if constexpr (std::is_floating_point_v<T>)
      searches.rows(request, how...);
    else
      throw std::invalid_argument("distances must be float32 or float64");
  });
}

std::unique_ptr<searches::SignedFloats> signed_floats(const ArcArrays& arcs, double epsilon, bool searches) {
  const double* weights = arcs.lengths<double>();
  require(epsilon >= 0 && epsilon <= 1e-3, "epsilon must lie between 0 and 0.001");
  std::unique_ptr<searches::SignedFloats> found;
  run_monitored(nb::none(), [&](Control& control) {
    found = searches::SignedFloats::make(arcs.csr(), weights, epsilon, searches, control);
  });
  return found;
}

bool has_cancelling_cycle(const ArcArrays& arcs, double epsilon) {
  const double* weights = arcs.lengths<double>();
  require(epsilon > 0 && epsilon <= 1e-3, "epsilon must lie between 0 and 0.001");
  bool found = false;
  run_monitored(nb::none(), [&](Control& control) {
    found = searches::has_cancelling_cycle(arcs.without_zones(), weights, epsilon, control);
  });
  return found;
}

void bind_signed_floats(nb::module_& m) {
  nb::class_<searches::SignedFloats>(m, "SignedFloats")
      .def_prop_ro("cycle", &searches::SignedFloats::cycle)
      .def_prop_ro("forgiving", &searches::SignedFloats::forgiving)
      .def(
          "potentials",
          [](const searches::SignedFloats& self, const Numbers<double>& height,
             const Numbers<double>& reduced) { self.potentials(height.data(), reduced.data()); },
          nb::kw_only(), "height"_a.noconvert(), "reduced"_a.noconvert())
      .def("rows", &signed_rows, "arcs"_a, "rows"_a, "threads"_a = 1, "progress"_a = nb::none());
  m.def("signed_floats", &signed_floats, "arcs"_a, nb::kw_only(), "epsilon"_a, "searches"_a);
  m.def("has_cancelling_cycle", &has_cancelling_cycle, "arcs"_a, "epsilon"_a);
}

}  // namespace

void bind_searches(nb::module_& m) {
  const auto rows = [&m](const char* name, auto function) {
    m.def(name, function, "arcs"_a, "rows"_a, "threads"_a = 1, "progress"_a = nb::none());
  };
  rows("dijkstra_rows", &dijkstra_rows<QueueKind::kHeap>);
  rows("bucket_rows", &dijkstra_rows<QueueKind::kBuckets>);
  rows("bfs_rows", &bfs_rows);
  rows("bit_bfs_rows", &bit_bfs_rows);
  m.def("johnson_rows", &johnson_rows, "arcs"_a, "height"_a.noconvert(), "rows"_a, "threads"_a = 1,
        "progress"_a = nb::none());
  const auto weigh = [&m](const char* name, auto function) {
    m.def(name, function, "arcs"_a, "sources"_a.noconvert(), "weighing"_a, "threads"_a = 1,
          "progress"_a = nb::none());
  };
  weigh("dijkstra_weigh", &dijkstra_weigh<QueueKind::kHeap>);
  weigh("bucket_weigh", &dijkstra_weigh<QueueKind::kBuckets>);
  m.def("nearest_seeds", &nearest_seeds, "arcs"_a, nb::kw_only(), "seeds"_a.noconvert(),
        "nearest"_a.noconvert(), "lengths"_a.noconvert(), "before"_a.noconvert() = nb::none(),
        "cutoff"_a = nb::none());
  nb::class_<KeptSearches>(m, "KeptSearches").def("rows", &KeptSearches::rows, "rows"_a, "threads"_a = 1);
  m.def("kept_searches", &kept_searches, "arcs"_a);
  m.def("potentials", &potentials, "arcs"_a, nb::kw_only(), "reduced"_a.noconvert(), "height"_a.noconvert());
  bind_signed_floats(m);
}

}  // namespace apsp::bindings
