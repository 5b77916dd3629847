#include "label_correcting/near_lanes.hpp"

#include <algorithm>
#include <limits>
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
  std::vector<std::int32_t> patches = rows::SourcePatches<L>::order(arcs.view(), rows::kLabelLanes<L>);
  for (std::int32_t& v : patches) v = first.original[v];
  return rows::VertexOrder(std::move(patches));
}

// The memory of a thread, from one call to the next.
template <class L>
struct NearScratch {
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;

  Buffer<L> labels;           // all `none`
  Buffer<FirstArc<L>> first;  // all 0; none before next hops are requested
  std::vector<std::uint8_t> marks;
  std::vector<std::int32_t> lists[3];
  L none{};

  explicit NearScratch(std::int64_t n)
      : labels(buffer<L>(n * kLanes)), marks(static_cast<std::size_t>((n + 7) / 8 * 8)) {
    for (auto& list : lists) list.resize(static_cast<std::size_t>(n));
  }
};

template <class T>
class NearBatch {
  using L = LabelOf<T>;

 public:
  static constexpr std::int64_t kLanes = rows::kLabelLanes<L>;

  NearBatch(const rows::LaneGraph<L>& graph, const rows::VertexOrder& order, const rows::Arcs<T>& arcs,
            const searches::ArcCosts<T>& costs, const searches::NearRequest<T>& request, bool has_hops,
            std::unique_ptr<NearScratch<L>> scratch)
      : order_(order),
        arcs_(arcs),
        request_(request),
        has_hops_(has_hops && request.hops && !request.sums),
        scratch_(std::move(scratch)),
        lines_(arcs, costs, request, has_hops) {
    const L none = static_cast<L>(semiring::just_beyond(request.cutoff));
    if (!scratch_ || scratch_->none != none) {
      if (!scratch_) scratch_ = std::make_unique<NearScratch<L>>(arcs.n());
      std::fill_n(scratch_->labels.get(), arcs.n() * kLanes, none);
      scratch_->none = none;
    }
    if (has_hops_ && !scratch_->first) {
      scratch_->first = buffer<FirstArc<L>>(arcs.n() * kLanes);
      std::fill_n(scratch_->first.get(), arcs.n() * kLanes, FirstArc<L>{0});
    }
    search_.graph = graph.view();
    search_.labels = scratch_->labels.get();
    search_.marks = scratch_->marks.data();
    search_.none = none;
    search_.stopped = [](const Control* control) { return control->cancelled(); };
  }

  // The rows of the sources with these numbers, at most kLanes.
  void search(searches::NearStock<T>& stock, const std::int64_t* numbers, std::int64_t count,
              Control& control) {
    for (int i = 0; i < 3; ++i) search_.lists[i] = scratch_->lists[i].data();
    search_.waiting = 0;
    search_.control = &control;
    is_clean_ = false;
    for (std::int64_t lane = 0; lane < count; ++lane) start(request_.sources[numbers[lane]], lane);
    if (!kernels<L>().search_bounded(search_)) control.check();
    if (has_hops_) {
      for (std::int64_t lane = 0; lane < count; ++lane) start_hops(request_.sources[numbers[lane]], lane);
      if (!kernels<L>().first_arcs(search_, scratch_->first.get())) control.check();
    }
    const std::int32_t* const met = search_.lists[2];
    vertices_.clear(), inner_.clear();
    for (std::int64_t i = 0; i < search_.met; ++i) vertices_.push_back(order_.original[met[i]]);
    std::sort(vertices_.begin(), vertices_.end());
    for (const std::int32_t v : vertices_) inner_.push_back(order_.inner[v]);
    const auto columns = static_cast<std::int64_t>(vertices_.size());
    transpose(search_.labels, search_.none, count, distances_);
    if (has_hops_) transpose(scratch_->first.get(), kSource, count, first_);
    forget();
    for (std::int64_t lane = 0; lane < count; ++lane) {
      control.check();
      const std::int64_t row = lane * columns;
      lines_.add(stock, numbers[lane], vertices_.data(), distances_.data() + row,
                 has_hops_ ? first_.data() + row : nullptr, columns, control);
    }
    control.advance(count);
  }

  // If it can be used again.
  std::unique_ptr<NearScratch<L>> take() { return is_clean_ ? std::move(scratch_) : nullptr; }

 private:
  static constexpr FirstArc<L> kSource = static_cast<FirstArc<L>>(-1);

  void start(std::int32_t source, std::int64_t lane) {
    const std::int32_t v = order_.inner[source];
    lower(v, lane, L{0});
    if (arcs_.through(v).begin() != arcs_.through(v).end()) return;
    for (const rows::Arc<T>& arc : arcs_.all(v)) lower(arc.head, lane, static_cast<L>(arc.weight));
  }

  void lower(std::int32_t v, std::int64_t lane, L length) {
    L& label = search_.labels[v * kLanes + lane];
    if (!(length < label)) return;
    label = length;
    if (search_.marks[v]) return;
    search_.marks[v] = 1;
    search_.lists[0][search_.waiting++] = v;
  }

  void start_hops(std::int32_t source, std::int64_t lane) {
    const std::int32_t v = order_.inner[source];
    FirstArc<L> number = 0;
    for (const rows::Arc<T>& arc : arcs_.all(v)) {
      ++number;
      const std::int64_t at = arc.head * kLanes + lane;
      if (static_cast<L>(arc.weight) == search_.labels[at] && search_.labels[at] < search_.none)
        scratch_->first[at] = number;
    }
    scratch_->first[v * kLanes + lane] = kSource;
  }

  template <class From, class To>
  void transpose(const From* lines, From none, std::int64_t count, std::vector<To>& to) const {
    const auto columns = static_cast<std::int64_t>(inner_.size());
    to.resize(static_cast<std::size_t>(columns * count));
    To* rows[kLanes];
    for (std::int64_t lane = 0; lane < count; ++lane) rows[lane] = to.data() + lane * columns;
    rows::write_lanes<From, To>({lines, none, inner_.data(), columns, rows, count, nullptr, nullptr});
  }

  void forget() {
    for (const std::int32_t v : inner_) {
      std::fill_n(search_.labels + v * kLanes, kLanes, search_.none);
      if (has_hops_) std::fill_n(scratch_->first.get() + v * kLanes, kLanes, FirstArc<L>{0});
      search_.marks[v] = 0;
    }
    is_clean_ = true;
  }

  const rows::VertexOrder& order_;
  const rows::Arcs<T>& arcs_;
  const searches::NearRequest<T>& request_;
  bool has_hops_;
  bool is_clean_ = true;
  std::unique_ptr<NearScratch<L>> scratch_;
  searches::NearLines<T> lines_;
  LabelSearch<L> search_{};
  std::vector<std::int32_t> vertices_, inner_;  // that were met: original numbers, ascending, and inner ones
  std::vector<T> distances_;
  std::vector<std::int32_t> first_;
};

template <class T>
class NearLanes final : public searches::NearFinder<T> {
 public:
  NearLanes(const graph::Csr& graph, const T* weights, const double* costs, int size)
      : order_(order_by_patches(graph, weights)),
        lanes_(graph, weights, order_),
        arcs_(graph, weights, order_.original.data()),
        costs_(graph, weights, arcs_, costs, size) {
    for (std::int32_t v = 0; v < arcs_.n(); ++v)
      has_hops_ &= arcs_.all(v).end() - arcs_.all(v).begin() < std::numeric_limits<std::uint16_t>::max();
  }

  searches::NearPairs<T> find(const searches::NearRequest<T>& request, int threads,
                              Control& control) const override {
    searches::check_near(request, n(), costs());
    const auto sequence = searches::near_sequence(request.sources, request.count,
                                                  [&](std::int32_t v) { return order_.inner[v]; });
    const std::int64_t share = (request.count + threads - 1) / std::max(threads, 1);
    const auto make = [&] {
      return std::make_unique<Worker>(
          *this, NearBatch<T>(lanes_, order_, arcs_, costs_, request, has_hops_, borrow()));
    };
    return searches::collect_near<T>(
        request, costs(), std::clamp<std::int64_t>(share, 1, NearBatch<T>::kLanes), threads, control, make,
        [&](Worker& worker, searches::NearStock<T>& stock, std::int64_t first, std::int64_t last) {
          worker.batch.search(stock, sequence.data() + first, last - first, control);
        });
  }

  std::int64_t n() const noexcept override { return arcs_.n(); }
  int costs() const noexcept override { return costs_.size(); }

 private:
  using Scratch = NearScratch<LabelOf<T>>;

  struct Worker {
    const NearLanes& owner;
    NearBatch<T> batch;

    Worker(const NearLanes& owner, NearBatch<T> batch) : owner(owner), batch(std::move(batch)) {}
    ~Worker() {
      if (auto scratch = batch.take()) owner.give_back(std::move(scratch));
    }
  };

  std::unique_ptr<Scratch> borrow() const {
    const std::lock_guard lock(lending_);
    if (scratch_.empty()) return nullptr;
    auto found = std::move(scratch_.back());
    scratch_.pop_back();
    return found;
  }
  void give_back(std::unique_ptr<Scratch> scratch) const {
    const std::lock_guard lock(lending_);
    scratch_.push_back(std::move(scratch));
  }

  rows::VertexOrder order_;
  rows::LaneGraph<LabelOf<T>> lanes_;
  rows::Arcs<T> arcs_;
  searches::ArcCosts<T> costs_;
  bool has_hops_ = true;  // the numbers of the arcs of a vertex fit 16 bits
  mutable std::mutex lending_;
  mutable std::vector<std::unique_ptr<Scratch>> scratch_;
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
