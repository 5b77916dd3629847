#include "label_correcting/near_lanes.hpp"

#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "label_correcting/kernels.hpp"
#include "rows/kernels.hpp"
#include "rows/lane_graph.hpp"
#include "rows/source_patches.hpp"
#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"
#include "searches/near_lines.hpp"

namespace apsp::label_correcting {
namespace {

template <class T>
using LabelOf = std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t,
                                   std::conditional_t<std::is_same_v<T, std::int64_t>, std::uint64_t, T>>;

// Patch by patch, so that the labels of a batch are close to each other in memory.
template <class T>
rows::VertexOrder order_by_patches(const graph::Csr& graph, const T* weights) {
  using L = LabelOf<T>;
  graph::check_csr(graph);
  const rows::VertexOrder first(graph);
  const rows::LaneGraph<L> arcs(graph, weights, first);
  std::vector<std::int32_t> patches = rows::source_patches(arcs.view(), rows::kLabelLanes<L>);
  for (std::int32_t& v : patches) v = first.original[v];
  return rows::VertexOrder(std::move(patches));
}

// The integers of labels that hold a distance and the number of an arc, where those of T are too narrow.
template <class T>
using WiderOf = std::conditional_t<std::is_same_v<T, std::uint16_t>, std::int32_t, std::int64_t>;

// The memory of a thread, from one call to the next.
template <class L>
struct NearScratch {
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;

  Buffer<L> labels;  // all `none`
  std::vector<std::uint8_t> marks;
  std::vector<std::int32_t> lists[3];
  L none{};

  explicit NearScratch(std::int64_t n)
      : labels(buffer<L>(n * kLanes)), marks(static_cast<std::size_t>((n + 7) / 8 * 8)) {
    for (auto& list : lists) list.resize(static_cast<std::size_t>(n));
  }
};

// The graph for one kind of labels. shift > 0: their lowest bits are the number of the first arc of the path,
// among the arcs of the source from 1 on. So the least label has the least number of all shortest paths,
// whatever the order of work: next hops do not depend on the other sources of a batch.
template <class L>
struct NearGraph {
  rows::LaneGraph<L> arcs;
  int shift = 0;
  std::mutex lending = {};
  std::vector<std::unique_ptr<NearScratch<L>>> scratch = {};

  std::unique_ptr<NearScratch<L>> borrow() {
    const std::lock_guard lock(lending);
    if (scratch.empty()) return nullptr;
    auto found = std::move(scratch.back());
    scratch.pop_back();
    return found;
  }
  void give_back(std::unique_ptr<NearScratch<L>> some) {
    const std::lock_guard lock(lending);
    scratch.push_back(std::move(some));
  }
};

// What all batches read.
template <class T>
struct NearTask {
  const rows::VertexOrder order;
  const rows::Arcs<T> arcs;
  const searches::ArcCosts<T> costs;

  NearTask(const graph::Csr& graph, const T* weights, const double* along, int size)
      : order(order_by_patches(graph, weights)),
        arcs(graph, weights, order.original.data()),
        costs(graph, weights, arcs, along, size) {}
};

// The searches of one thread. C: as wide as the labels.
template <class T, class C>
class NearBatch final : public searches::NearWorker<T> {
  using L = LabelOf<C>;

 public:
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;

  NearBatch(const NearTask<T>& task, NearGraph<L>& graph, const searches::NearRequest<T>& request)
      : task_(task),
        graph_(graph),
        request_(request),
        scratch_(graph.borrow()),
        lines_(task.arcs, task.costs, request, graph.shift > 0) {
    const L none = static_cast<L>(semiring::just_beyond(request.cutoff));
    search_.none = shifted(none);
    if (!scratch_) scratch_ = std::make_unique<NearScratch<L>>(task.arcs.n());
    if (scratch_->none != search_.none) {
      std::fill_n(scratch_->labels.get(), task.arcs.n() * kLanes, search_.none);
      scratch_->none = search_.none;
    }
    search_.graph = graph.arcs.view();
    search_.labels = scratch_->labels.get();
    search_.marks = scratch_->marks.data();
    search_.starts = starts_;
    search_.stopped = [](const Control* control) { return control->cancelled(); };
  }
  ~NearBatch() override {
    if (is_clean_) graph_.give_back(std::move(scratch_));
  }
  NearBatch(const NearBatch&) = delete;
  NearBatch& operator=(const NearBatch&) = delete;

  // The rows of the sources with these numbers, at most kLanes.
  void search(searches::NearStock<T>& stock, const std::int64_t* numbers, std::int64_t count,
              Control& control) override {
    for (int i = 0; i < 3; ++i) search_.lists[i] = scratch_->lists[i].data();
    search_.waiting = 0;
    search_.control = &control;
    is_clean_ = false;
    std::fill_n(starts_, kLanes, -1);
    for (std::int64_t lane = 0; lane < count; ++lane) start(request_.sources[numbers[lane]], lane);
    if (!kernels<L>().search_bounded(search_)) control.check();
    const std::int32_t* const met = search_.lists[2];
    vertices_.clear(), inner_.clear();
    for (std::int64_t i = 0; i < search_.met; ++i) vertices_.push_back(task_.order.original[met[i]]);
    std::sort(vertices_.begin(), vertices_.end());
    for (const std::int32_t v : vertices_) inner_.push_back(task_.order.inner[v]);
    transpose(count);
    forget();
    const auto columns = static_cast<std::int64_t>(vertices_.size());
    for (std::int64_t lane = 0; lane < count; ++lane) {
      control.check();
      lines_.add(stock, numbers[lane], vertices_.data(), labels_.data() + lane * columns, graph_.shift,
                 columns, control);
    }
    control.advance(count);
  }

 private:
  void start(std::int32_t source, std::int64_t lane) {
    const std::int32_t v = task_.order.inner[source];
    lower(v, lane, L{0});
    if (graph_.shift > 0) {
      search_.marks[v] |= kStarts;
      starts_[lane] = v;
    } else if (task_.arcs.through(v).begin() != task_.arcs.through(v).end()) {
      return;
    }
    L number = 0;
    for (const rows::Arc<T>& arc : task_.arcs.all(v)) {
      if (graph_.shift > 0) ++number;
      if (!(request_.cutoff < arc.weight))
        lower(arc.head, lane, shifted(static_cast<L>(arc.weight)) + number);
    }
  }

  L shifted(L length) const noexcept {
    if constexpr (std::is_integral_v<L>) return static_cast<L>(length << graph_.shift);
    return length;
  }

  void lower(std::int32_t v, std::int64_t lane, L label) {
    L& least = search_.labels[v * kLanes + lane];
    if (!(label < least)) return;
    least = label;
    if (search_.marks[v]) return;
    search_.marks[v] = 1;
    search_.lists[0][search_.waiting++] = v;
  }

  // Rows from lines.
  void transpose(std::int64_t count) {
    const auto columns = static_cast<std::int64_t>(inner_.size());
    labels_.resize(static_cast<std::size_t>(columns * count));
    C* rows[kLanes];
    for (std::int64_t lane = 0; lane < count; ++lane) rows[lane] = labels_.data() + lane * columns;
    rows::write_lanes<L, C>(
        {search_.labels, search_.none, inner_.data(), columns, rows, count, nullptr, nullptr});
  }

  void forget() {
    for (const std::int32_t v : inner_) {
      std::fill_n(search_.labels + v * kLanes, kLanes, search_.none);
      search_.marks[v] = 0;
    }
    is_clean_ = true;
  }

  const NearTask<T>& task_;
  NearGraph<L>& graph_;
  const searches::NearRequest<T>& request_;
  bool is_clean_ = true;
  std::unique_ptr<NearScratch<L>> scratch_;
  searches::NearLines<T> lines_;
  LabelSearch<L> search_{};
  std::int32_t starts_[kLanes];
  std::vector<std::int32_t> vertices_, inner_;  // that were met: original numbers, ascending, and inner ones
  std::vector<C> labels_;
};

template <class T>
class NearLanes final : public searches::NearFinder<T> {
 public:
  NearLanes(const graph::Csr& graph, const T* weights, const double* costs, int size)
      : task_(graph, weights, costs, size), plain_{{graph, weights, task_.order}} {
    std::int64_t most = 0;
    for (std::int32_t v = 0; v < n(); ++v)
      most = std::max<std::int64_t>(most, task_.arcs.all(v).end() - task_.arcs.all(v).begin());
    while (most >> shift_ != 0) ++shift_;
  }

  searches::NearPairs<T> find(const searches::NearRequest<T>& request, int threads,
                              Control& control) const override {
    searches::check_near(request, n(), costs());
    if constexpr (std::is_integral_v<T>)
      if (request.hops && !request.sums) {
        if (fits<T>(request.cutoff)) return found_in<T>(numbered(narrow_), request, threads, control);
        if constexpr (sizeof(T) < 8)
          if (fits<WiderOf<T>>(request.cutoff))
            return found_in<WiderOf<T>>(numbered(wide_), request, threads, control);
      }
    return found_in<T>(plain_, request, threads, control);
  }

  std::int64_t n() const noexcept override { return task_.arcs.n(); }
  int costs() const noexcept override { return task_.costs.size(); }

 private:
  // Whether labels that are as wide as C hold the distances within the cutoff and a number.
  template <class C>
  bool fits(T cutoff) const noexcept {
    constexpr auto kMost = static_cast<std::uint64_t>(rows::kNoLabel<LabelOf<C>>);
    return static_cast<std::uint64_t>(cutoff) < (kMost >> shift_);
  }

  // The graph with numbers of arcs in the labels, at the first request.
  template <class L>
  NearGraph<L>& numbered(std::unique_ptr<NearGraph<L>>& graph) const {
    const std::lock_guard lock(making_);
    if (!graph) graph.reset(new NearGraph<L>{{plain_.arcs, shift_}, shift_});
    return *graph;
  }

  template <class C>
  searches::NearPairs<T> found_in(NearGraph<LabelOf<C>>& graph, const searches::NearRequest<T>& request,
                                  int threads, Control& control) const {
    using Batch = NearBatch<T, C>;
    const std::int64_t share = (request.count + threads - 1) / std::max(threads, 1);
    return searches::collect_near<T>(request, costs(), task_.order.inner.data(),
                                     std::clamp<std::int64_t>(share, 1, Batch::kLanes), threads, this->spare_,
                                     control, [&] { return std::make_unique<Batch>(task_, graph, request); });
  }

  NearTask<T> task_;
  int shift_ = 1;
  mutable NearGraph<LabelOf<T>> plain_;
  mutable std::mutex making_;
  mutable std::unique_ptr<NearGraph<LabelOf<T>>> narrow_;
  mutable std::unique_ptr<NearGraph<LabelOf<WiderOf<T>>>> wide_;
};

}  // namespace

template <class T>
std::unique_ptr<searches::NearFinder<T>> near_lanes(const graph::Csr& graph, const T* weights,
                                                    const double* costs, int size) {
  return std::make_unique<NearLanes<T>>(graph, weights, costs, size);
}

#define APSP_INSTANTIATE(T)                                                                    \
  template std::unique_ptr<searches::NearFinder<T>> near_lanes<T>(const graph::Csr&, const T*, \
                                                                  const double*, int);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::label_correcting
