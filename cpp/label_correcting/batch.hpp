// The searches of one thread with labels of one type: a batch of sources, from its start to rows.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "label_correcting/kernels.hpp"
#include "rows/kernels.hpp"
#include "rows/lane_graph.hpp"
#include "rows/lane_trees.hpp"
#include "rows/request.hpp"
#include "runtime/buffer.hpp"
#include "runtime/thread_time.hpp"

namespace apsp::label_correcting {

// The graph, for any type of labels. W: the type of the original weights; csr and weights are borrowed.
template <class W>
struct LabelTask {
  const graph::Csr csr;
  const W* weights;
  const std::int64_t* height;  // (n,) or nullptr
  const rows::WeightScale<W> scale;
  const rows::VertexOrder order;

  LabelTask(const graph::Csr& graph, const W* lengths, const std::int64_t* heights)
      : csr(graph), weights(lengths), height(heights), scale(lengths, graph.m), order(graph) {}
};

// The request, in inner numbers.
template <class T>
struct LabelRequest {
  const rows::RowRequest<T>& rows;
  const rows::RowSums* sums = nullptr;  // instead of rows, if wanted
  std::vector<std::int32_t> vertices;   // (columns,)
  std::vector<T> column_shift;          // (columns,) heights of the columns, if there are heights

  template <class W>
  LabelRequest(const rows::RowRequest<T>& wanted, const LabelTask<W>& task)
      : rows(wanted), vertices(wanted.columns) {
    if (task.height != nullptr) column_shift.resize(wanted.columns);
    for (std::int64_t i = 0; i < wanted.columns; ++i) {
      const std::int64_t v = wanted.targets == nullptr ? i : wanted.targets[i];
      vertices[i] = task.order.inner[v];
      if (task.height != nullptr) column_shift[i] = static_cast<T>(task.height[v]);
    }
  }
};

// Which order of work is cheaper. Windows of distances are tried once a batch of sweeps has visited the
// vertices so often that they may be. The results do not depend on it.
class Policy {
 public:
  int choose() const noexcept {
    const std::int64_t sweeps = time_[0].load(std::memory_order_relaxed),
                       windows = time_[1].load(std::memory_order_relaxed);
    if (windows == 0) return many_visits_.load(std::memory_order_relaxed) ? 1 : 0;
    return windows < sweeps ? 1 : 0;
  }
  // time: nanoseconds per source; visits: per vertex.
  void learn(int chosen, std::int64_t time, std::int64_t visits) noexcept {
    time_[chosen].store(std::max<std::int64_t>(time, 1), std::memory_order_relaxed);
    if (chosen == 0 && visits > kFewVisits) many_visits_.store(true, std::memory_order_relaxed);
  }
  void learn(const Policy& other) noexcept {
    for (int i = 0; i < 2; ++i) time_[i].store(other.time_[i].load(std::memory_order_relaxed));
    many_visits_.store(other.many_visits_.load(std::memory_order_relaxed));
  }

 private:
  static constexpr std::int64_t kFewVisits = 10;  // a visit in windows takes three times as long

  std::atomic<std::int64_t> time_[2] = {};
  std::atomic<bool> many_visits_ = false;
};

template <class T, class W, class L>
class LabelBatch {
 public:
  LabelBatch(const LabelTask<W>& task, const rows::LaneGraph<L>& arcs)
      : task_(task), arcs_(arcs), labels_(buffer<L>(task.csr.n * kLanes)), marks_((task.csr.n + 7) / 8 * 8) {
    for (auto& list : lists_) list.resize(task.csr.n);
    search_.graph = arcs.view();
    search_.labels = labels_.get();
    search_.marks = marks_.data();
    search_.width = static_cast<L>(std::clamp(task.scale.mean * kWidth, 1e-30,
                                              static_cast<double>(std::min<L>(rows::kNoLabel<L>, kWidest))));
    if (!std::is_floating_point_v<L> && search_.width < L{1}) search_.width = L{1};
    search_.stopped = [](const Control* control) { return control->cancelled(); };
  }

  // Rows rows[0 .. count) of the request, count at most kLabelLanes<L>. With `check`, returns false and
  // writes nothing if a sum may have left the range of L.
  bool run(const LabelRequest<T>& request, const std::int64_t* rows, std::int64_t count, bool check,
           Policy& policy, const Control& control) {
    request_ = &request;
    rows_ = rows;
    count_ = count;
    start();
    search_.control = &control;
    const auto& loops = kernels<L>();
    const int chosen = policy.choose();
    const std::int64_t started = thread_time();
    if (!(chosen == 0 ? loops.search_sweeps : loops.search_windows)(search_)) {
      std::fill(marks_.begin(), marks_.end(), std::uint8_t{0});  // no vertex is in a list of the next batch
      throw Cancelled();
    }
    policy.learn(chosen, (thread_time() - started) / count, search_.visits / search_.graph.n);
    if (check && search_.none == rows::kNoLabel<L> &&
        !(static_cast<double>(loops.largest(search_)) + static_cast<double>(task_.scale.largest) <
          static_cast<double>(rows::kNoLabel<L>)))
      return false;
    if (request_->sums != nullptr) {
      sum_up(*request_->sums);
      return true;
    }
    if constexpr (sizeof(L) > 1)
      if (request_->rows.pred != nullptr) write_parents();
    write_distances();
    return true;
  }

  // Of the last batch: the largest label below "no path"; 0 if there is none.
  L largest() const { return kernels<L>().largest(search_); }

 private:
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;
  static constexpr std::int64_t kLinesAtOnce = 128;  // in the first-level cache
  static constexpr double kWidth = 0.2;              // of a window of distances, in mean weights
  static constexpr L kWidest = sizeof(L) == 1 ? 1 << 6 : 1 << 14;  // a window and a label do not wrap

  std::int32_t source(std::int64_t lane) const { return request_->rows.sources[rows_[lane]]; }

  // Labels from the cutoff on count as "no path" immediately; with heights, lengths are known only at the
  // end.
  L ceiling() const {
    const T cutoff = request_->rows.cutoff;
    if (task_.height == nullptr && cutoff < T{0}) return L{0};
    if (task_.height != nullptr || !(static_cast<W>(cutoff) < static_cast<W>(rows::kNoLabel<L>)) ||
        !(cutoff < semiring::kNoPath<T>))
      return rows::kNoLabel<L>;
    return static_cast<L>(semiring::just_beyond(cutoff));
  }

  void start() {
    search_.none = ceiling();
    std::fill_n(labels_.get(), search_.graph.n * kLanes, search_.none);
    for (int i = 0; i < 3; ++i) search_.lists[i] = lists_[i].data();
    search_.waiting = 0;
    for (std::int64_t lane = 0; lane < count_; ++lane) {
      lower(task_.order.inner[source(lane)], lane, L{0});
      if (task_.csr.is_zone(source(lane))) leave_zone(lane);
    }
  }

  void lower(std::int32_t v, std::int64_t lane, L length) {
    L& label = labels_[v * kLanes + lane];
    if (!(length < label)) return;
    label = length;
    if (marks_[v]) return;
    marks_[v] = 1;
    search_.lists[0][search_.waiting++] = v;
  }

  void leave_zone(std::int64_t lane) {
    const std::int32_t tail = source(lane);
    for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a)
      if (task_.weights[a] < semiring::kNoPath<W>)
        lower(task_.order.inner[task_.csr.indices[a]], lane, static_cast<L>(task_.weights[a]));
  }

  // The labels are read once, where rows would be written and read again.
  void sum_up(const rows::RowSums& sums) {
    if constexpr (std::is_integral_v<L> && sizeof(L) <= 4) {
      using Value = std::conditional_t<sizeof(L) == 4, std::int32_t, L>;
      if (!tallies_) tallies_.emplace(kLanes);
      const auto* lines = reinterpret_cast<const Value*>(labels_.get());
      const rows::LaneTallies tallies = tallies_->begin();
      for (std::int64_t first = 0; first < search_.graph.n; first += kLinesAtOnce)
        rows::tally(lines + first * kLanes, kLanes, std::min(kLinesAtOnce, search_.graph.n - first),
                    task_.order.original.data() + first, static_cast<Value>(search_.none), tallies);
      for (std::int64_t lane = 0; lane < count_; ++lane) tallies_->store(lane, sums, rows_[lane]);
    }
  }

  void write_distances() {
    T* rows[kLanes];
    T row_shift[kLanes];
    for (std::int64_t lane = 0; lane < count_; ++lane) {
      rows[lane] = request_->rows.dist + rows_[lane] * request_->rows.dist_stride;
      row_shift[lane] = T{0};
      if constexpr (std::is_integral_v<T>)
        if (task_.height != nullptr)
          row_shift[lane] = static_cast<T>(-static_cast<std::uint64_t>(task_.height[source(lane)]));
    }
    const bool shifted = task_.height != nullptr;
    rows::write_lanes<L, T>({labels_.get(), search_.none, request_->vertices.data(), request_->rows.columns,
                             rows, count_, shifted ? request_->column_shift.data() : nullptr,
                             shifted ? row_shift : nullptr});
    if (!shifted || request_->rows.cutoff == semiring::kNoPath<T>) return;
    for (std::int64_t lane = 0; lane < count_; ++lane)
      for (std::int64_t i = 0; i < request_->rows.columns; ++i)
        if (request_->rows.cutoff < rows[lane][i]) rows[lane][i] = semiring::kNoPath<T>;
  }

  void write_parents() {
    std::int32_t* rows[kLanes];
    std::int64_t missing[kLanes];
    for (std::int64_t lane = 0; lane < count_; ++lane)
      rows[lane] = request_->rows.pred + rows_[lane] * request_->rows.pred_stride;
    const graph::ZeroComponents* zero = arcs_.zero_components();
    if (zero != nullptr) entries_.resize(zero->count() * kLanes);
    rows::write_lane_parents<L>({search_.graph, arcs_.rising(), zero ? zero->view() : graph::ZeroView{},
                                 labels_.get(), search_.none, task_.order.inner.data(),
                                 task_.order.original.data(), rows, count_, missing, nullptr,
                                 entries_.data()});
    for (std::int64_t lane = 0; lane < count_; ++lane) {
      const auto at_entry = [&](std::int64_t v) {
        if (zero == nullptr || zero->component(v) == graph::kAlone) return;
        std::int32_t& entry = entries_[zero->component(v) * kLanes + lane];
        entry = std::min(entry, zero->place(v));
      };
      const std::int32_t start = task_.order.inner[source(lane)];
      const bool joined = zero != nullptr && zero->component(start) != graph::kAlone;
      missing[lane] += joined || rows[lane][source(lane)] >= 0;  // it counts as missing in any case
      rows[lane][source(lane)] = -1;
      at_entry(start);
      if (task_.csr.is_zone(source(lane))) tree(lane, rows).join_zone(task_.csr, task_.weights, at_entry);
    }
    if (zero != nullptr) enter_components(*zero, rows, missing);
    for (std::int64_t lane = 0; lane < count_; ++lane) {
      if constexpr (std::is_floating_point_v<L>)
        if (missing[lane] > 1) {
          if (zero != nullptr) tree(lane, rows).forget_equals();
          tree(lane, rows).join_equals(stack_);
        }
      if constexpr (std::is_integral_v<T>)
        if (task_.height != nullptr && request_->rows.cutoff != semiring::kNoPath<T>)
          cut_parents(lane, rows[lane]);
    }
  }

  rows::LaneTree<L> tree(std::int64_t lane, std::int32_t* const* rows) const {
    return {search_.graph, task_.order, labels_.get() + lane, search_.none, source(lane), rows[lane]};
  }

  // Paths inside the components of arcs of length zero, from where they enter them. A component of floats
  // that is entered only by arcs that are lost in rounding is counted as missing.
  void enter_components(const graph::ZeroComponents& zero, std::int32_t* const* rows, std::int64_t* missing) {
    const auto name = [&](std::int32_t v) { return task_.order.original[v]; };
    for (std::int64_t c = 0; c < zero.count(); ++c) {
      const std::int32_t root = zero.first_place(c);
      for (std::int64_t lane = 0; lane < count_; ++lane) {
        const std::int32_t entry = entries_[c * kLanes + lane];
        if (entry == graph::kNoEntry) {
          if (labels_[zero.vertex(root) * kLanes + lane] < search_.none) missing[lane] += 2;
        } else if (entry != root) {
          zero.enter(zero.vertex(entry), name, rows[lane]);
        }
      }
    }
  }

  void cut_parents(std::int64_t lane, std::int32_t* pred) {
    const std::int64_t n = search_.graph.n;
    lengths_.resize(n);
    const auto from = static_cast<std::uint64_t>(task_.height[source(lane)]);
    for (std::int64_t v = 0; v < n; ++v) {
      const L label = labels_[task_.order.inner[v] * kLanes + lane];
      const auto to = static_cast<std::uint64_t>(task_.height[v]);
      lengths_[v] = label < search_.none ? static_cast<T>(static_cast<std::uint64_t>(label) - from + to)
                                         : semiring::kNoPath<T>;
    }
    rows::keep_needed(source(lane), lengths_.data(), n, request_->rows.cutoff, pred, needed_);
  }

  const LabelTask<W>& task_;
  const rows::LaneGraph<L>& arcs_;
  Buffer<L> labels_;
  std::vector<std::int32_t> lists_[3], stack_, entries_;
  std::vector<std::uint8_t> marks_, needed_;
  std::vector<T> lengths_;
  std::optional<rows::BatchTallies> tallies_;
  LabelSearch<L> search_{};
  const LabelRequest<T>* request_ = nullptr;
  const std::int64_t* rows_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace apsp::label_correcting
