#include "label_correcting/label_correcting.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <tuple>

#include "label_correcting/batch.hpp"
#include "rows/source_patches.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::label_correcting {
namespace {

// A type of labels that is tried, with the data that all threads share.
template <class L>
struct Rung {
  using Label = L;
  std::once_flag made;
  std::optional<rows::LaneGraph<L>> graph;
  std::atomic<bool> too_narrow{false};
  Policy policy;
};

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
      if (rung.too_narrow || lanes_ != 0) return;
      lanes_ = rows::kLabelLanes<L>;
      patches_ = rows::SourcePatches<L>::order(this->graph(rung), lanes_);
    };
    std::apply([&](auto&... rung) { (skip(rung), ...); }, rungs_);
  }

  void rows(const rows::RowRequest<T>& request, int threads, Control& control) override {
    rows::check_request(request, task_.csr.n);
    if (request.count == 0 || task_.csr.n == 0) return;
    const LabelRequest<T> asked(request, task_);
    const std::vector<std::int64_t> order = rows::rows_by_patch(request, task_.order, patches_);
    Team team(threads);
    if (static_cast<int>(members_.size()) < team.size()) members_.resize(team.size());
    const std::int64_t share = (request.count + team.size() - 1) / team.size();
    const std::int64_t width = std::min(share, lanes_), batches = (request.count + width - 1) / width;
    team.parallel_for(batches, [&](std::int64_t index, int member) {
      control.check();
      const std::int64_t count = std::min(width, request.count - index * width);
      climb<0>(asked, order.data() + index * width, count, batches_ + index, member, control);
      control.advance(count);
    });
    batches_ += batches;
  }

 private:
  template <class L>
  rows::LaneGraphView<L> graph(Rung<L>& rung) {
    std::call_once(rung.made, [&] { rung.graph.emplace(task_.csr, task_.weights, task_.order); });
    return rung.graph->view();
  }

  template <std::size_t kRung>
  void climb(const LabelRequest<T>& asked, const std::int64_t* rows, std::int64_t count, std::int64_t number,
             int member, const Control& control) {
    constexpr bool kWidest = kRung + 1 == sizeof...(Ls);
    auto& rung = std::get<kRung>(rungs_);
    using L = typename std::remove_reference_t<decltype(rung)>::Label;
    std::int64_t done = 0;
    while (done < count && !rung.too_narrow.load(std::memory_order_relaxed)) {
      auto& batch = std::get<kRung>(members_[member]);
      if (!batch) batch = std::make_unique<LabelBatch<T, W, L>>(task_, this->graph(rung));
      const std::int64_t some = std::min<std::int64_t>(count - done, rows::kLabelLanes<L>);
      if (!batch->run(asked, rows + done, some, !kWidest, rung.policy, number, control)) {
        rung.too_narrow = true;
        batch.reset();
      } else {
        done += some;
      }
    }
    if constexpr (!kWidest)
      if (done < count) climb<kRung + 1>(asked, rows + done, count - done, number, member, control);
  }

  LabelTask<W> task_;
  std::tuple<Rung<Ls>...> rungs_;
  std::vector<std::tuple<std::unique_ptr<LabelBatch<T, W, Ls>>...>> members_;
  std::int64_t lanes_ = 0, batches_ = 0;
  std::vector<std::int32_t> patches_;  // inner numbers of all vertices, patch by patch
};

}  // namespace

template <class T>
std::unique_ptr<LabelSolver<T>> label_solver(const graph::Csr& graph, const T* weights) {
  if constexpr (std::is_floating_point_v<T> || sizeof(T) == 2)
    return std::make_unique<Ladder<T, T, T>>(graph, weights, nullptr);
  else if constexpr (sizeof(T) == 4)
    return std::make_unique<Ladder<T, T, std::uint16_t, std::uint32_t>>(graph, weights, nullptr);
  else
    return std::make_unique<Ladder<T, T, std::uint16_t, std::uint32_t, std::uint64_t>>(graph, weights,
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
