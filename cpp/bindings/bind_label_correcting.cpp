// Binds cpp/label_correcting: an object per graph and dtype, which computes rows any number of times.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "bindings/row_sums.hpp"
#include "label_correcting/label_correcting.hpp"

namespace apsp::bindings {
namespace {

using Int64s = Vector<std::int64_t>;
using Int32s = Vector<std::int32_t>;

// W: of the weights. Keeps the arrays that the solver borrows.
template <class T, class W>
class BoundSolver {
 public:
  BoundSolver(Int64s indptr, Int32s indices, Vector<W> weights, std::optional<Int64s> height,
              std::optional<Vector<bool>> zones)
      : indptr_(std::move(indptr)),
        indices_(std::move(indices)),
        weights_(std::move(weights)),
        height_(std::move(height)),
        zones_(std::move(zones)),
        graph_(csr(indptr_, indices_, zones_)) {
    require_shape(weights_, graph_.m, "weights");
    if (height_) require_shape(*height_, graph_.n, "height");
    const Unlocked unlocked;
    if constexpr (std::is_same_v<T, W>)
      if (!height_) solver_ = label_correcting::label_solver<T>(graph_, weights_.data());
    if constexpr (std::is_same_v<W, std::int64_t>)
      if (height_) solver_ = label_correcting::label_solver<T>(graph_, weights_.data(), height_->data());
  }

  // A vector of labels holds this many sources, or more; predecessors are found source by source.
  static constexpr std::int64_t kSourcesPerStep = 16;

  void rows(const Int32s& sources, const Rows<T>& dist, const std::optional<Rows<std::int32_t>>& pred,
            const std::optional<Int32s>& targets, std::optional<T> cutoff, int threads,
            const nb::object& progress) {
    const auto request = row_request(graph_, sources, targets, cutoff, dist, pred);
    const auto steps = graph_.n + graph_.m;
    const auto work = [&](Control& control) { solver_->rows(request, threads, control); };
    if (is_short(pred ? request.count : request.count / kSourcesPerStep + 1, steps)) {
      const std::unique_lock alone(mutex_, std::try_to_lock);
      if (alone)
        return is_brief(request.count, steps) ? run_brief(progress, work) : run_short(progress, work);
    }
    run_alone(progress, work);
  }

  void sums(const Int32s& sources, std::optional<T> cutoff, const Numbers<std::int64_t>& reached,
            const Numbers<std::int64_t>& total, const Numbers<double>& reciprocals,
            const Numbers<std::int32_t>& largest, const Numbers<std::int32_t>& farthest, int threads,
            const nb::object& progress) {
    const auto found = row_sums(sources, reached, total, reciprocals, largest, farthest);
    rows::RowRequest<T> request;
    request.sources = sources.data();
    request.count = static_cast<std::int64_t>(sources.shape(0));
    request.columns = graph_.n;
    if (cutoff) request.cutoff = *cutoff;
    run_alone(progress, [&](Control& control) { solver_->sums(request, found, threads, control); });
  }

 private:
  template <class Work>
  void run_alone(const nb::object& progress, const Work& work) {
    run_monitored(progress, [&](Control& control) {
      std::unique_lock one_call_at_a_time(mutex_, std::defer_lock);
      while (!one_call_at_a_time.try_lock_for(std::chrono::milliseconds(50))) control.check();
      work(control);
    });
  }

  Int64s indptr_;
  Int32s indices_;
  Vector<W> weights_;
  std::optional<Int64s> height_;
  std::optional<Vector<bool>> zones_;
  graph::Csr graph_;
  std::unique_ptr<label_correcting::LabelSolver<T>> solver_;
  std::timed_mutex mutex_;
};

template <class T, class W>
void bind_class(nb::module_& m, const char* name) {
  using Bound = BoundSolver<T, W>;
  nb::class_<Bound>(m, name)
      .def("rows", &Bound::rows, nb::kw_only(), nb::arg("sources").noconvert(), nb::arg("dist").noconvert(),
           nb::arg("pred").noconvert() = nb::none(), nb::arg("targets").noconvert() = nb::none(),
           nb::arg("cutoff") = nb::none(), nb::arg("threads") = 1, nb::arg("progress") = nb::none())
      .def("sums", &Bound::sums, nb::kw_only(), nb::arg("sources").noconvert(), nb::arg("cutoff").none(),
           nb::arg("reached").noconvert(), nb::arg("total").noconvert(), nb::arg("reciprocals").noconvert(),
           nb::arg("largest").noconvert(), nb::arg("farthest").noconvert(), nb::arg("threads"),
           nb::arg("progress") = nb::none());
}

template <class T>
void bind_solver(nb::module_& m) {
  m.def(
      "label_solver",
      [](const Int64s& indptr, const Int32s& indices, const Vector<T>& weights,
         const std::optional<Vector<bool>>& zones) {
        return std::make_unique<BoundSolver<T, T>>(indptr, indices, weights, std::nullopt, zones);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("zones").noconvert() = nb::none());
}

// With negative arcs. T: of the distances.
template <class T>
void bind_signed_solver(nb::module_& m, const char* name) {
  m.def(
      name,
      [](const Int64s& indptr, const Int32s& indices, const Int64s& reduced, const Int64s& height,
         const std::optional<Vector<bool>>& zones) {
        return std::make_unique<BoundSolver<T, std::int64_t>>(indptr, indices, reduced, height, zones);
      },
      nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
      nb::arg("reduced").noconvert(), nb::arg("height").noconvert(),
      nb::arg("zones").noconvert() = nb::none());
}

}  // namespace

void bind_label_correcting(nb::module_& m) {
  bind_class<std::uint16_t, std::uint16_t>(m, "LabelSolverUint16");
  bind_class<std::int32_t, std::int32_t>(m, "LabelSolverInt32");
  bind_class<std::int64_t, std::int64_t>(m, "LabelSolverInt64");
  bind_class<float, float>(m, "LabelSolverFloat32");
  bind_class<double, double>(m, "LabelSolverFloat64");
  bind_class<std::int32_t, std::int64_t>(m, "SignedLabelSolverInt32");
  bind_solver<std::uint16_t>(m);
  bind_solver<std::int32_t>(m);
  bind_solver<std::int64_t>(m);
  bind_solver<float>(m);
  bind_solver<double>(m);
  bind_signed_solver<std::int32_t>(m, "signed_label_solver_int32");
  bind_signed_solver<std::int64_t>(m, "signed_label_solver_int64");
}

}  // namespace apsp::bindings
