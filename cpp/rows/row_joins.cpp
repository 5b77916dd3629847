#include "rows/row_joins.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

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

}  // namespace

std::vector<std::int32_t> rows_without_search(const LaneShape& graph,
                                              const std::vector<std::int64_t>& row_of) {
  return CycleCut(graph, row_of).uncut();
}

}  // namespace apsp::rows
