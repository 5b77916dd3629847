// Binds cpp/batch: many small graphs at once.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <algorithm>

#include "batch/batch.hpp"
#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"

namespace apsp::bindings {
namespace {

using AnyBatch = nb::ndarray<nb::ndim<3>, Host>;
using ReadBatch = nb::ndarray<nb::ro, nb::ndim<3>, Host>;
using Predecessors = nb::ndarray<std::int32_t, nb::ndim<3>, Host>;
using Sizes = std::optional<Vector<std::int32_t>>;
using Statuses = nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, Host>;

template <class T, class Array>
batch::Matrices<T> batch_view(const Array& array) {
  const auto count = static_cast<std::int64_t>(array.shape(0)), n = static_cast<std::int64_t>(array.shape(1));
  require(static_cast<std::int64_t>(array.shape(2)) == n && (n <= 1 || array.stride(2) == 1),
          "a batch must have shape (b, n, n) and contiguous rows");
  return {reinterpret_cast<T*>(array.data()), count, n, array.stride(0), array.stride(1)};
}

void check_sizes(const Sizes& sizes, std::int64_t count, std::int64_t n) {
  if (!sizes) return;
  require_shape(*sizes, count, "sizes");
  for (std::int64_t graph = 0; graph < count; ++graph)
    require(sizes->data()[graph] >= 0 && sizes->data()[graph] <= n, "sizes must be between 0 and n");
}

void check_signed(const ReadBatch& from, const Sizes& sizes, const Statuses& status, int threads) {
  const auto count = static_cast<std::int64_t>(from.shape(0));
  require(static_cast<std::int64_t>(status.shape(0)) == count, "there must be one status per graph");
  check_sizes(sizes, count, static_cast<std::int64_t>(from.shape(1)));
  with_distance_type(from, [&]<class T>(T) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto view = batch_view<const T>(from);
      run_monitored(nb::none(), [&](Control& control) {
        Team team(static_cast<int>(std::clamp<std::int64_t>(count, 1, std::max(threads, 1))));
        batch::check_signed<T>(view, data_or_null(sizes), status.data(), team, control);
      });
    } else {
      throw std::invalid_argument("only floats cancel");
    }
  });
}

void close_batch(const ReadBatch& from, const AnyBatch& to, const std::optional<Predecessors>& pred,
                 const Sizes& sizes, const std::string& semiring, const Number& largest,
                 const Statuses& status, int threads) {
  const auto algebra = semiring::algebra_from_name(semiring);
  require(from.dtype() == to.dtype(), "both batches must have the same dtype");
  require(from.shape(0) == to.shape(0) && from.shape(1) == to.shape(1), "both batches must have one shape");
  const auto count = static_cast<std::int64_t>(to.shape(0));
  require(static_cast<std::int64_t>(status.shape(0)) == count, "there must be one status per graph");
  check_sizes(sizes, count, static_cast<std::int64_t>(to.shape(1)));
  if (pred) {
    require(pred->shape(0) == to.shape(0) && pred->shape(1) == to.shape(1),
            "predecessors must have the shape of the batch");
    require(to.shape(1) < 65535, "predecessors of so large graphs do not fit into 16 bits");
  }
  with_distance_type(to, [&]<class T>(T) {
    const auto from_view = batch_view<const T>(from);
    const auto to_view = batch_view<T>(to);
    const T most = number_as<T>(largest);
    run_monitored(nb::none(), [&](Control& control) {
      Team team(static_cast<int>(std::clamp<std::int64_t>(count, 1, std::max(threads, 1))));
      if (pred) {
        batch::close_batch_tracked<T>(from_view, to_view, batch_view<std::int32_t>(*pred),
                                      data_or_null(sizes), algebra, most, status.data(), team, control);
      } else {
        batch::close_batch<T>(from_view, to_view, data_or_null(sizes), algebra, most, status.data(), team,
                              control);
      }
    });
  });
}

}  // namespace

void bind_batch(nb::module_& m) {
  using namespace nb::literals;
  m.def("dense_close_batch", &close_batch, "from_"_a, "to"_a, "pred"_a.none(), "sizes"_a.none(), "semiring"_a,
        "largest"_a, "status"_a, "threads"_a,
        "All distances of many graphs, public values in and out; and predecessors, unless None.");
  m.def("dense_check_signed", &check_signed, "from_"_a, "sizes"_a.none(), "status"_a, "threads"_a,
        "Whether sums of floats of both signs may cancel in a graph.");
}

}  // namespace apsp::bindings
