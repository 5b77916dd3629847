// Binds cpp/label_correcting: an object per graph and dtype, which computes rows any number of times.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bindings/monitor.hpp"
#include "bindings/row_sums.hpp"
#include "label_correcting/label_correcting.hpp"

namespace apsp::bindings {
namespace {

// A solver of any dtype.
class LabelSolver {
 public:
  virtual ~LabelSolver() = default;
  virtual void rows(const RowArrays& rows, int threads, const Progress& progress) = 0;
  virtual void sums(const SumArrays& sums, const std::optional<Number>& cutoff, int threads,
                    const Progress& progress) = 0;
};

// W: of the weights. The caller keeps the arcs alive.
template <class T, class W>
class BoundSolver final : public LabelSolver {
 public:
  BoundSolver(const ArcArrays& arcs, std::optional<Vector<std::int64_t>> height)
      : height_(std::move(height)), graph_(arcs.csr()) {
    const W* weights = arcs.lengths<W>();
    if (height_) require_shape(*height_, graph_.n, "height");
    const Unlocked unlocked;
    if constexpr (std::is_same_v<T, W>)
      if (!height_) solver_ = label_correcting::label_solver<T>(graph_, weights);
    if constexpr (std::is_same_v<W, std::int64_t>)
      if (height_) solver_ = label_correcting::label_solver<T>(graph_, weights, height_->data());
  }

  // A vector of labels holds this many sources, or more; predecessors are found source by source.
  static constexpr std::int64_t kSourcesPerStep = 16;

  void rows(const RowArrays& rows, int threads, const Progress& progress) override {
    const auto request = rows.request<T>(graph_.n);
    const auto steps = graph_.n + graph_.m;
    const auto work = [&](Control& control) { solver_->rows(request, threads, control); };
    if (is_short(rows.pred ? request.count : request.count / kSourcesPerStep + 1, steps)) {
      const std::unique_lock alone(mutex_, std::try_to_lock);
      if (alone)
        return is_brief(request.count, steps) ? run_brief(progress, work) : run_short(progress, work);
    }
    run_alone(progress, work);
  }

  void sums(const SumArrays& sums, const std::optional<Number>& cutoff, int threads,
            const Progress& progress) override {
    const rows::RowSums found = sums.view();
    rows::RowRequest<T> request;
    request.sources = sums.sources.data();
    request.count = sums.count();
    request.columns = graph_.n;
    if (cutoff) request.cutoff = number_as<T>(*cutoff);
    run_alone(progress, [&](Control& control) { solver_->sums(request, found, threads, control); });
  }

 private:
  template <class Work>
  void run_alone(const Progress& progress, const Work& work) {
    run_monitored(progress, [&](Control& control) {
      std::unique_lock one_call_at_a_time(mutex_, std::defer_lock);
      while (!one_call_at_a_time.try_lock_for(std::chrono::milliseconds(50))) control.check();
      work(control);
    });
  }

  std::optional<Vector<std::int64_t>> height_;
  graph::Csr graph_;
  std::unique_ptr<label_correcting::LabelSolver<T>> solver_;
  std::timed_mutex mutex_;
};

std::unique_ptr<LabelSolver> label_solver(const ArcArrays& arcs) {
  return with_distance_type(arcs.weights(), [&]<class T>(T) -> std::unique_ptr<LabelSolver> {
    return std::make_unique<BoundSolver<T, T>>(arcs, std::nullopt);
  });
}

// Of arcs whose weights are reduced by potentials, because some are negative. T: of the distances.
template <class T>
std::unique_ptr<LabelSolver> signed_solver(const ArcArrays& arcs, const Vector<std::int64_t>& height) {
  return std::make_unique<BoundSolver<T, std::int64_t>>(arcs, height);
}

}  // namespace

void bind_label_correcting(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<LabelSolver>(m, "LabelSolver")
      .def("rows", &LabelSolver::rows, "rows"_a, "threads"_a = 1, "progress"_a = nb::none())
      .def("sums", &LabelSolver::sums, "sums"_a, "cutoff"_a.none(), "threads"_a, "progress"_a = nb::none());
  m.def("label_solver", &label_solver, nb::keep_alive<0, 1>(), "arcs"_a);
  const auto define = [&m](const char* name, auto function) {
    m.def(name, function, nb::keep_alive<0, 1>(), "arcs"_a, "height"_a.noconvert());
  };
  define("signed_label_solver_int32", &signed_solver<std::int32_t>);
  define("signed_label_solver_int64", &signed_solver<std::int64_t>);
}

}  // namespace apsp::bindings
