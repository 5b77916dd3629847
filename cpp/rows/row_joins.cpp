#include "rows/row_joins.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "runtime/dtypes.hpp"

namespace apsp::rows {
namespace {

// The set is chosen greedily, after Levy, Low 1988, "A contraction algorithm for finding small cycle
// cutsets": vertices that are on no cycle are taken away until there are none, then the one with the most
// pairs of an arc in and an arc out joins the set. O(n + m); the choice does not depend on the number of
// threads.
class CycleCut {
 public:
  CycleCut(const LaneShape& graph, const std::vector<std::int64_t>& row_of)
      : graph_(graph), left_(graph.n, 1), out_(graph.n), in_(graph.n), by_pairs_(kMostPairs + 1) {
    for (std::int32_t v = 0; v < graph.n; ++v) {
      out_[v] = static_cast<std::int32_t>(graph.out_start[v + 1] - graph.out_start[v]);
      in_[v] = static_cast<std::int32_t>(graph.in_start[v + 1] - graph.in_start[v]);
    }
    for (std::int32_t v = 0; v < graph.n; ++v)
      if (!may_follow(v, row_of)) take(v);
    for (std::int32_t v = 0; v < graph.n; ++v)
      if (left_[v]) by_pairs_[pairs(v)].push_back(v);
    for (std::int32_t v = 0; v < graph.n; ++v) looked_at_.push_back(v);
    settle();
    for (std::int64_t most = kMostPairs; most > 0; --most) cut(most);
  }

  // Vertices whose rows follow, each after all its heads that do.
  std::vector<std::int32_t> uncut() {
    early_.insert(early_.end(), late_.rbegin(), late_.rend());
    return std::move(early_);
  }

 private:
  static constexpr std::int64_t kMostArcs = 16;  // more of them take as long as a search
  static constexpr std::int64_t kMostPairs = 512;

  bool may_follow(std::int32_t v, const std::vector<std::int64_t>& row_of) const {
    if (row_of[v] < 0 || graph_.out_start[v + 1] - graph_.out_start[v] > kMostArcs) return false;
    for (std::int64_t a = graph_.out_start[v]; a < graph_.out_start[v + 1]; ++a)
      if (row_of[graph_.out[a]] < 0) return false;
    return true;
  }

  std::int64_t pairs(std::int32_t v) const {
    return std::min(static_cast<std::int64_t>(out_[v]) * in_[v], kMostPairs);
  }

  void take(std::int32_t v) {
    left_[v] = 0;
    for (std::int64_t a = graph_.out_start[v]; a < graph_.out_start[v + 1]; ++a) --in_[graph_.out[a]];
    for (std::int64_t a = graph_.in_start[v]; a < graph_.in_start[v + 1]; ++a) --out_[graph_.in[a]];
  }

  void take_and_look(std::int32_t u) {
    take(u);
    for (std::int64_t a = graph_.out_start[u]; a < graph_.out_start[u + 1]; ++a)
      looked_at_.push_back(graph_.out[a]);
    for (std::int64_t a = graph_.in_start[u]; a < graph_.in_start[u + 1]; ++a)
      looked_at_.push_back(graph_.in[a]);
  }

  // Takes away those that are on no cycle, and then those that this leaves on no cycle.
  void settle() {
    while (!looked_at_.empty()) {
      const std::int32_t u = looked_at_.back();
      looked_at_.pop_back();
      if (!left_[u] || (out_[u] != 0 && in_[u] != 0)) continue;
      (out_[u] == 0 ? early_ : late_).push_back(u);
      take_and_look(u);
    }
  }

  // Numbers of pairs never grow: a vertex that moves is found later.
  void cut(std::int64_t most) {
    for (std::size_t i = 0; i < by_pairs_[most].size(); ++i) {
      const std::int32_t v = by_pairs_[most][i];
      if (!left_[v]) continue;
      if (pairs(v) < most) {
        by_pairs_[pairs(v)].push_back(v);
      } else {
        take_and_look(v);
        settle();
      }
    }
  }

  LaneShape graph_;
  std::vector<std::uint8_t> left_;
  std::vector<std::int32_t> out_, in_;  // arcs to and from vertices that are left
  std::vector<std::vector<std::int32_t>> by_pairs_;
  std::vector<std::int32_t> early_, late_, looked_at_;
};

constexpr std::int64_t kLeastShare = 2;  // 1 / kLeastShare of all rows

}  // namespace

template <class T>
FollowingRows<T>::FollowingRows(const RowRequest<T>& request, const LaneShape& graph,
                                FunctionRef<T(std::int64_t)> weight, const VertexOrder& order)
    : request_(request), follows_(request.count, 0), searched_(graph.n, 1) {
  const bool whole = request.targets == nullptr && request.pred == nullptr;
  if (!whole || request.cutoff < semiring::kNoPath<T> || request.count < graph.n / kLeastShare) return;
  std::vector<std::int64_t> row_of(graph.n, -1);
  for (std::int64_t i = request.count; i-- > 0;) row_of[order.inner[request.sources[i]]] = i;
  const std::vector<std::int32_t> uncut = CycleCut(graph, row_of).uncut();
  std::int64_t arcs = 0;
  for (const std::int32_t v : uncut) arcs += graph.out_start[v + 1] - graph.out_start[v];
  arcs_.reserve(arcs);
  rows_.reserve(uncut.size());
  start_.reserve(uncut.size() + 1);
  for (const std::int32_t v : uncut) {
    for (std::int64_t a = graph.out_start[v]; a < graph.out_start[v + 1]; ++a)
      arcs_.push_back({row_of[graph.out[a]], weight(a)});
    start_.push_back(static_cast<std::int64_t>(arcs_.size()));
    rows_.push_back({row_of[v], order.original[v]});
    follows_[row_of[v]] = 1;
    searched_[v] = 0;
  }
}

template <class T>
void FollowingRows<T>::write(Team& team, Control& control) const {
  constexpr std::int64_t kBlock = 1024 / static_cast<std::int64_t>(sizeof(T));  // columns
  if (rows_.empty()) return;
  const RowJoins<T> joins{request_.dist, request_.dist_stride, rows_.data(),
                          start_.data(), arcs_.data(),         count()};
  const std::int64_t blocks = (request_.columns + kBlock - 1) / kBlock;
  team.parallel_for(blocks, [&](std::int64_t block, int) {
    control.check();
    const std::int64_t first = block * kBlock;
    join_rows(joins, first, std::min(first + kBlock, request_.columns));
    control.advance(count() * (block + 1) / blocks - count() * block / blocks);
  });
}

#define APSP_INSTANTIATE(T) template class FollowingRows<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::rows
