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

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "bindings/row_sums.hpp"
#include "label_correcting/label_correcting.hpp"

namespace apsp::bindings {
namespace {

using Int64s = Vector<std::int64_t>;
using Int32s = Vector<std::int32_t>;

// A solver of any dtype.
class LabelSolver {
 public:
  virtual ~LabelSolver() = default;
  virtual void rows(const Int32s& sources, const AnyMatrix& dist,
                    const std::optional<Rows<std::int32_t>>& pred, const std::optional<Int32s>& targets,
                    const std::optional<Number>& cutoff, int threads, const Progress& progress) = 0;
  virtual void sums(const Int32s& sources, const std::optional<Number>& cutoff,
                    const Numbers<std::int64_t>& reached, const Numbers<std::int64_t>& total,
                    const Numbers<double>& reciprocals, const Numbers<std::int32_t>& largest,
                    const Numbers<std::int32_t>& farthest, int threads, const Progress& progress) = 0;
};

// W: of the weights. Keeps the arrays that the solver borrows.
template <class T, class W>
class BoundSolver final : public LabelSolver {
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

  void rows(const Int32s& sources, const AnyMatrix& dist, const std::optional<Rows<std::int32_t>>& pred,
            const std::optional<Int32s>& targets, const std::optional<Number>& cutoff, int threads,
            const Progress& progress) override {
    const auto request = row_request<T>(graph_, sources, targets, cutoff, dist, pred);
    const auto steps = graph_.n + graph_.m;
    const auto work = [&](Control& control) { solver_->rows(request, threads, control); };
    if (is_short(pred ? request.count : request.count / kSourcesPerStep + 1, steps)) {
      const std::unique_lock alone(mutex_, std::try_to_lock);
      if (alone)
        return is_brief(request.count, steps) ? run_brief(progress, work) : run_short(progress, work);
    }
    run_alone(progress, work);
  }

  void sums(const Int32s& sources, const std::optional<Number>& cutoff, const Numbers<std::int64_t>& reached,
            const Numbers<std::int64_t>& total, const Numbers<double>& reciprocals,
            const Numbers<std::int32_t>& largest, const Numbers<std::int32_t>& farthest, int threads,
            const Progress& progress) override {
    const auto found = row_sums(sources, reached, total, reciprocals, largest, farthest);
    rows::RowRequest<T> request;
    request.sources = sources.data();
    request.count = static_cast<std::int64_t>(sources.shape(0));
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

  Int64s indptr_;
  Int32s indices_;
  Vector<W> weights_;
  std::optional<Int64s> height_;
  std::optional<Vector<bool>> zones_;
  graph::Csr graph_;
  std::unique_ptr<label_correcting::LabelSolver<T>> solver_;
  std::timed_mutex mutex_;
};

std::unique_ptr<LabelSolver> label_solver(const Int64s& indptr, const Int32s& indices,
                                          const AnyVector& weights,
                                          const std::optional<Vector<bool>>& zones) {
  return with_distance_type(weights, [&]<class T>(T) -> std::unique_ptr<LabelSolver> {
    return std::make_unique<BoundSolver<T, T>>(indptr, indices, Vector<T>(weights), std::nullopt, zones);
  });
}

// With negative arcs. T: of the distances.
template <class T>
std::unique_ptr<LabelSolver> signed_solver(const Int64s& indptr, const Int32s& indices, const Int64s& reduced,
                                           const Int64s& height, const std::optional<Vector<bool>>& zones) {
  return std::make_unique<BoundSolver<T, std::int64_t>>(indptr, indices, reduced, height, zones);
}

}  // namespace

void bind_label_correcting(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<LabelSolver>(m, "LabelSolver")
      .def("rows", &LabelSolver::rows, nb::kw_only(), "sources"_a.noconvert(), "dist"_a.noconvert(),
           "pred"_a.noconvert() = nb::none(), "targets"_a.noconvert() = nb::none(), "cutoff"_a = nb::none(),
           "threads"_a = 1, "progress"_a = nb::none())
      .def("sums", &LabelSolver::sums, nb::kw_only(), "sources"_a.noconvert(), "cutoff"_a.none(),
           "reached"_a.noconvert(), "total"_a.noconvert(), "reciprocals"_a.noconvert(),
           "largest"_a.noconvert(), "farthest"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("label_solver", &label_solver, nb::kw_only(), "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "weights"_a.noconvert(), "zones"_a.noconvert() = nb::none());
  const auto define = [&m](const char* name, auto function) {
    m.def(name, function, nb::kw_only(), "indptr"_a.noconvert(), "indices"_a.noconvert(),
          "reduced"_a.noconvert(), "height"_a.noconvert(), "zones"_a.noconvert() = nb::none());
  };
  define("signed_label_solver_int32", &signed_solver<std::int32_t>);
  define("signed_label_solver_int64", &signed_solver<std::int64_t>);
}

}  // namespace apsp::bindings
