#include "sparse/label_correcting.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <tuple>

#include "runtime/team.hpp"
#include "sparse/label_batch.hpp"
#include "sparse/source_patches.hpp"

namespace apsp::sparse {
namespace {

// A type of labels that is tried, with what all threads share of it.
template <class L>
struct Rung {
  using Label = L;
  std::once_flag made;
  std::optional<LaneGraph<L>> graph;
  std::atomic<bool> too_narrow{false};
  Policy policy;
};

// Searches batches of rows with the narrowest labels (Ls: from narrow to wide) in which no sum leaves the
// range, which each batch finds out for itself; the widest hold every sum.
template <class T, class W, class... Ls>
class Ladder {
 public:
  explicit Ladder(const LabelTask<T, W>& task, int members) : task_(task), members_(members) {
    const auto skip = [&](auto& rung) {
      using L = typename std::remove_reference_t<decltype(rung)>::Label;
      if constexpr (sizeof(L) < sizeof(W))
        rung.too_narrow = !(task.scale.largest < static_cast<W>(kNoLabel<L>));
      if (!rung.too_narrow && first_lanes_ == 0) {
        first_lanes_ = kLabelLanes<L>;
        patches_ = SourcePatches<L>::order(graph(rung), first_lanes_);
      }
    };
    std::apply([&](auto&... rung) { (skip(rung), ...); }, rungs_);
  }

  std::int64_t lanes() const noexcept { return first_lanes_; }
  const std::vector<std::int32_t>& patches() const noexcept { return patches_; }

  void run(const std::int64_t* rows, std::int64_t count, std::int64_t number, int member,
           const Control& control) {
    climb<0>(rows, count, number, member, control);
  }

 private:
  template <class L>
  LaneGraphView<L> graph(Rung<L>& rung) {
    std::call_once(rung.made, [&] { rung.graph.emplace(task_.csr, task_.weights, task_.order); });
    return rung.graph->view();
  }

  template <std::size_t kRung>
  void climb(const std::int64_t* rows, std::int64_t count, std::int64_t number, int member,
             const Control& control) {
    constexpr bool kWidest = kRung + 1 == sizeof...(Ls);
    auto& rung = std::get<kRung>(rungs_);
    using L = typename std::remove_reference_t<decltype(rung)>::Label;
    std::int64_t done = 0;
    while (done < count && !rung.too_narrow.load(std::memory_order_relaxed)) {
      auto& batch = std::get<kRung>(members_[member]);
      if (!batch) batch = std::make_unique<LabelBatch<T, W, L>>(task_, graph(rung));
      const std::int64_t some = std::min<std::int64_t>(count - done, kLabelLanes<L>);
      if (!batch->run(rows + done, some, !kWidest, rung.policy, number, control)) {
        rung.too_narrow = true;
        batch.reset();
      } else {
        done += some;
      }
    }
    if constexpr (!kWidest)
      if (done < count) climb<kRung + 1>(rows + done, count - done, number, member, control);
  }

  const LabelTask<T, W>& task_;
  std::tuple<Rung<Ls>...> rungs_;
  std::vector<std::tuple<std::unique_ptr<LabelBatch<T, W, Ls>>...>> members_;
  std::int64_t first_lanes_ = 0;
  std::vector<std::int32_t> patches_;  // inner numbers of all vertices, patch by patch
};

// A member owns one LabelBatch of each type that was tried, and the rows of the batches that it draws.
template <class T, class W, class... Ls>
void climb_all(const Csr& graph, const W* weights, const std::int64_t* height, const RowRequest<T>& request,
               int threads, Control& control) {
  check_csr(graph);
  check_request(request, graph.n);
  if (request.count == 0 || graph.n == 0) return;
  const LabelTask<T, W> task(graph, weights, height, request);
  Team team(threads);
  Ladder<T, W, Ls...> ladder(task, team.size());
  const std::vector<std::int64_t> rows = rows_by_patch(request, task.order, ladder.patches());
  const std::int64_t share = (request.count + team.size() - 1) / team.size();
  const std::int64_t width = std::min(share, ladder.lanes());
  team.parallel_for((request.count + width - 1) / width, [&](std::int64_t index, int member) {
    control.check();
    const std::int64_t count = std::min(width, request.count - index * width);
    ladder.run(rows.data() + index * width, count, index, member, control);
    control.advance(count);
  });
}

}  // namespace

template <class T>
void label_correcting_rows(const Csr& graph, const T* weights, const RowRequest<T>& request, int threads,
                           Control& control) {
  if constexpr (std::is_floating_point_v<T> || sizeof(T) == 2)
    climb_all<T, T, T>(graph, weights, nullptr, request, threads, control);
  else if constexpr (sizeof(T) == 4)
    climb_all<T, T, std::uint16_t, std::uint32_t>(graph, weights, nullptr, request, threads, control);
  else
    climb_all<T, T, std::uint16_t, std::uint32_t, std::uint64_t>(graph, weights, nullptr, request, threads,
                                                                 control);
}

template <class T>
void label_correcting_rows(const Csr& graph, const std::int64_t* reduced, const std::int64_t* height,
                           const RowRequest<T>& request, int threads, Control& control) {
  climb_all<T, std::int64_t, std::uint16_t, std::uint32_t, std::uint64_t>(graph, reduced, height, request,
                                                                          threads, control);
}

#define APSP_INSTANTIATE(T) \
  template void label_correcting_rows<T>(const Csr&, const T*, const RowRequest<T>&, int, Control&);
APSP_INSTANTIATE(std::uint16_t)
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(float)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE
template void label_correcting_rows<std::int32_t>(const Csr&, const std::int64_t*, const std::int64_t*,
                                                  const RowRequest<std::int32_t>&, int, Control&);
template void label_correcting_rows<std::int64_t>(const Csr&, const std::int64_t*, const std::int64_t*,
                                                  const RowRequest<std::int64_t>&, int, Control&);

}  // namespace apsp::sparse
