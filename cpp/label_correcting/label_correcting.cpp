#include "label_correcting/label_correcting.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>

#include "label_correcting/batch.hpp"
#include "rows/row_joins.hpp"
#include "rows/source_patches.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::label_correcting {
namespace {

// A type of labels that is tried, with the data that all threads share.
template <class L>
struct Rung {
  using Label = L;
  std::mutex making;
  std::optional<rows::LaneGraph<L>> graph;
  std::atomic<bool> too_narrow{false};
  Policy policy;
};

// Labels of one byte are for distances only. They are not tried until the first batches have shown that
// labels are small: most graphs have larger ones.
template <class L>
constexpr bool kByte = sizeof(L) == 1;

// Searches batches of rows with the narrowest labels (Ls: from narrow to wide) in which no sum leaves the
// range, which each batch checks; the widest hold every sum. A member of the team owns one LabelBatch of each
// type that was tried, and the rows of the batches that it takes.
template <class T, class W, class... Ls>
class Ladder final : public LabelSolver<T> {
 public:
  Ladder(const graph::Csr& graph, const W* weights, const std::int64_t* height)
      : task_((graph::check_csr(graph), graph), weights, height) {
    const auto skip = [&](auto& rung) {
      using L = typename std::remove_reference_t<decltype(rung)>::Label;
      if constexpr (sizeof(L) < sizeof(W))
        rung.too_narrow = !(task_.scale.largest < static_cast<W>(rows::kNoLabel<L>));
      if constexpr (kByte<L>) {
        bytes_may_do_ = !rung.too_narrow;
        rung.too_narrow = true;
      }
      if (rung.too_narrow || lanes_ != 0) return;
      lanes_ = rows::kLabelLanes<L>;
      rung.graph.emplace(task_.csr, task_.weights, task_.order);
    };
    std::apply([&](auto&... rung) { (skip(rung), ...); }, rungs_);
    use_graph([&](const auto& arcs) { deep_ = rows::is_deep(arcs); });
  }

  void rows(const rows::RowRequest<T>& request, int threads, Control& control) override {
    rows::check_request(request, task_.csr.n);
    if (request.count == 0 || task_.csr.n == 0) return;
    if (request.pred != nullptr) find_zero_components(control);
    const LabelRequest<T> wanted(request, task_);
    auto following = following_rows(request);
    std::vector<std::int64_t> order = searched_rows(request, following);
    Team team(threads);
    const std::size_t measured = search_first(wanted, order, team, control);
    if (following && bytes_in_use(wanted) && searches_are_fast()) {
      for (std::int64_t row = 0; row < request.count; ++row)
        if (following->follows(row)) order.push_back(row);
      following.reset();
    }
    search(wanted, std::span<const std::int64_t>(order).subspan(measured), team, control);
    if (following) following->write(team, control);
  }

  void sums(const rows::RowRequest<T>& request, const rows::RowSums& sums, int threads,
            Control& control) override {
    if ((!std::is_same_v<T, std::uint16_t> && !std::is_same_v<T, std::int32_t>) || task_.height != nullptr)
      throw std::invalid_argument("sums are taken of distances in uint16 and int32, without negative arcs");
    rows::check_request(request, task_.csr.n);
    if (request.count == 0) return;
    LabelRequest<T> wanted(request, task_);
    wanted.sums = &sums;
    const std::vector<std::int64_t> order = searched_rows(request, std::nullopt);
    Team team(threads);
    const std::size_t measured = search_first(wanted, order, team, control);
    search(wanted, std::span<const std::int64_t>(order).subspan(measured), team, control);
  }

 private:
  // With byte labels, a search takes less time than rows that follow from others.
  bool searches_are_fast() const {
    constexpr std::int64_t kInCache = 2048;  // the labels of a batch, in the second-level cache
    return task_.csr.n <= kInCache && !deep_;
  }

  // In one batch per member, if the other batches are worth it.
  std::size_t rows_to_measure(const rows::RowRequest<T>& request, std::size_t searched,
                              const Team& team) const {
    constexpr std::size_t kWorthMeasuring = 4;
    const std::size_t rows = team.size() * lanes_;
    const std::size_t all = searches_are_fast() ? request.count : searched;
    return bytes_may_do_ && request.pred == nullptr && all > kWorthMeasuring * rows && searched >= rows ? rows
                                                                                                        : 0;
  }

  // Searches the first rows of the order, if they tell whether labels of one byte will do; returns their
  // number.
  std::size_t search_first(const LabelRequest<T>& wanted, const std::vector<std::int64_t>& order, Team& team,
                           Control& control) {
    if (static_cast<int>(members_.size()) < team.size()) members_.resize(team.size());
    const std::size_t measured = rows_to_measure(wanted.rows, order.size(), team);
    if (measured == 0) return 0;
    search(wanted, {order.data(), measured}, team, control, true);
    try_bytes();
    return measured;
  }

  void search(const LabelRequest<T>& wanted, std::span<const std::int64_t> order, Team& team,
              Control& control, bool measured = false) {
    const auto searched = static_cast<std::int64_t>(order.size());
    const std::int64_t share = (searched + team.size() - 1) / team.size();
    const std::int64_t width = std::clamp<std::int64_t>(share, 1, lanes_in_use(wanted));
    const std::int64_t batches = (searched + width - 1) / width;
    team.parallel_for(batches, [&](std::int64_t index, int member) {
      control.check();
      const std::int64_t count = std::min(width, searched - index * width);
      climb<0>(wanted, order.data() + index * width, count, member, measured, control);
      control.advance(count);
    });
  }

  static constexpr bool kHasBytes = (kByte<Ls> || ...);

  bool bytes_in_use(const LabelRequest<T>& wanted) const {
    if constexpr (kHasBytes) return wanted.rows.pred == nullptr && !std::get<0>(rungs_).too_narrow;
    return false;
  }

  std::int64_t lanes_in_use(const LabelRequest<T>& wanted) const {
    return bytes_in_use(wanted) ? rows::kLabelLanes<std::uint8_t> : lanes_;
  }

  // After the first batches: uses labels of one byte from now on if those of these batches would have fitted.
  void try_bytes() {
    bytes_may_do_ = false;
    if constexpr (kHasBytes) {
      const double next = static_cast<double>(largest_) + static_cast<double>(task_.scale.largest);
      if (!(next < static_cast<double>(rows::kNoLabel<std::uint8_t>))) return;
      auto& bytes = std::get<0>(rungs_);
      bytes.policy.learn(std::get<1>(rungs_).policy);
      bytes.too_narrow = false;
      for (auto& member : members_) std::get<1>(member).reset();
    }
  }

  void measure(std::uint64_t largest) {
    auto before = largest_.load(std::memory_order_relaxed);
    while (before < largest && !largest_.compare_exchange_weak(before, largest)) {
    }
  }

  // With the arcs in the form for the narrowest labels.
  template <class Use>
  void use_graph(const Use& use) {
    bool used = false;
    const auto try_one = [&](auto& rung) {
      if (rung.graph && !used) use(rung.graph->view());
      used |= rung.graph.has_value();
    };
    std::apply([&](auto&... rung) { (try_one(rung), ...); }, rungs_);
  }

  // None for a single batch, which takes as long for fewer sources.
  std::optional<rows::FollowingRows<T>> following_rows(const rows::RowRequest<T>& request) {
    std::optional<rows::FollowingRows<T>> following;
    if (request.count <= lanes_ || task_.height != nullptr || task_.csr.zones != nullptr) return following;
    use_graph([&](const auto& graph) {
      const auto weight = [&](std::int64_t a) { return static_cast<T>(rows::weight_of(graph.out[a])); };
      following.emplace(request, graph, weight, task_.order);
    });
    if (following->count() == 0) following.reset();
    return following;
  }

  // Neighbours among the sources one after another.
  std::vector<std::int64_t> searched_rows(const rows::RowRequest<T>& request,
                                          const std::optional<rows::FollowingRows<T>>& following) {
    if (!following) {
      if (patches_.empty()) use_graph([&](const auto& graph) { patches_ = patches(graph, nullptr); });
      return rows::rows_by_patch(request.sources, request.count, task_.order, patches_);
    }
    const std::uint8_t* searched = following->searched_vertices().data();
    std::vector<std::int64_t> order;
    use_graph([&](const auto& graph) {
      order = rows::rows_by_patch(request.sources, request.count, task_.order, patches(graph, searched));
    });
    std::erase_if(order, [&](std::int64_t row) { return following->follows(row); });
    return order;
  }

  std::vector<std::int32_t> patches(const rows::LaneShape& graph, const std::uint8_t* counts) const {
    if (deep_) return rows::source_patches(graph, lanes_, counts);
    std::vector<std::int32_t> all(graph.n);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  void find_zero_components(const Control& control) {
    const auto find = [&](auto& rung) {
      if (rung.graph) rung.graph->find_zero_components(control);
    };
    std::apply([&](auto&... rung) { (find(rung), ...); }, rungs_);
  }

  // Made when it is needed, by one of the threads.
  template <class L>
  const rows::LaneGraph<L>& graph(Rung<L>& rung, bool with_parents, const Control& control) {
    const std::lock_guard lock(rung.making);
    if (!rung.graph) {
      rows::LaneGraph<L> made(task_.csr, task_.weights, task_.order);
      if (with_parents) made.find_zero_components(control);
      rung.graph.emplace(std::move(made));
    }
    return *rung.graph;
  }

  template <std::size_t kRung>
  void climb(const LabelRequest<T>& wanted, const std::int64_t* rows, std::int64_t count, int member,
             [[maybe_unused]] bool measured, const Control& control) {
    constexpr bool kWidest = kRung + 1 == sizeof...(Ls);
    auto& rung = std::get<kRung>(rungs_);
    using L = typename std::remove_reference_t<decltype(rung)>::Label;
    std::int64_t done = 0;
    const bool serves = !kByte<L> || wanted.rows.pred == nullptr;
    while (done < count && serves && !rung.too_narrow.load(std::memory_order_relaxed)) {
      auto& batch = std::get<kRung>(members_[member]);
      if (!batch)
        batch = std::make_unique<LabelBatch<T, W, L>>(
            task_, this->graph(rung, wanted.rows.pred != nullptr, control));
      const std::int64_t some = std::min<std::int64_t>(count - done, rows::kLabelLanes<L>);
      if (!batch->run(wanted, rows + done, some, !kWidest, rung.policy, control)) {
        rung.too_narrow = true;
        batch.reset();
      } else {
        done += some;
        if constexpr (kHasBytes)
          if (measured) measure(batch->largest());
      }
    }
    if constexpr (!kWidest)
      if (done < count) climb<kRung + 1>(wanted, rows + done, count - done, member, measured, control);
  }

  LabelTask<W> task_;
  std::tuple<Rung<Ls>...> rungs_;
  std::vector<std::tuple<std::unique_ptr<LabelBatch<T, W, Ls>>...>> members_;
  std::int64_t lanes_ = 0;
  bool deep_ = false;                       // some vertices are far apart
  bool bytes_may_do_ = false;               // which is not known yet
  std::atomic<std::uint64_t> largest_ = 0;  // label of the batches that were measured
  std::vector<std::int32_t> patches_;       // inner numbers of all vertices, patch by patch
};

}  // namespace

template <class T>
std::unique_ptr<LabelSolver<T>> label_solver(const graph::Csr& graph, const T* weights) {
  using Byte = std::uint8_t;
  if constexpr (std::is_floating_point_v<T>)
    return std::make_unique<Ladder<T, T, T>>(graph, weights, nullptr);
  else if constexpr (sizeof(T) == 2)
    return std::make_unique<Ladder<T, T, Byte, T>>(graph, weights, nullptr);
  else if constexpr (sizeof(T) == 4)
    return std::make_unique<Ladder<T, T, Byte, std::uint16_t, std::uint32_t>>(graph, weights, nullptr);
  else
    return std::make_unique<Ladder<T, T, Byte, std::uint16_t, std::uint32_t, std::uint64_t>>(graph, weights,
                                                                                             nullptr);
}

template <class T>
std::unique_ptr<LabelSolver<T>> label_solver(const graph::Csr& graph, const std::int64_t* reduced,
                                             const std::int64_t* height) {
  return std::make_unique<Ladder<T, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t>>(
      graph, reduced, height);
}

#define APSP_INSTANTIATE(T) \
  template std::unique_ptr<LabelSolver<T>> label_solver<T>(const graph::Csr&, const T*);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE
#define APSP_INSTANTIATE(T)                                                                        \
  template std::unique_ptr<LabelSolver<T>> label_solver<T>(const graph::Csr&, const std::int64_t*, \
                                                           const std::int64_t*);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::label_correcting
