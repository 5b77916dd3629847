#include "paths/verify.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "paths/chains.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::paths {
namespace {

// One row of the claim and the scratch memory of one thread.
template <class T>
class RowCheck {
 public:
  RowCheck(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim, const Rounding& rounding)
      : graph_(graph), weights_(weights), claim_(claim), parents_(graph.n) {
    if constexpr (std::is_floating_point_v<T>) tree_.emplace(graph, weights, rounding);
  }

  // A vertex for which the row is wrong, or -1.
  std::int64_t run(std::int64_t row) {
    source_ = claim_.sources[row];
    dist_ = claim_.dist + row * claim_.dist_stride;
    const std::int32_t* before = claim_.pred == nullptr ? nullptr : claim_.pred + row * claim_.pred_stride;
    std::int64_t wrong = values();
    if (wrong >= 0 || dist_[source_] == kNoPath<T>) return wrong;
    if (before != nullptr && (wrong = ends_of(before)) >= 0) return wrong;
    if ((wrong = unattained(before)) >= 0) return wrong;
    if constexpr (std::is_floating_point_v<T>)
      return tree_->too_long(dist_, claim_.cutoff ? std::optional(limit()) : std::nullopt, parents_.data());
    else
      return improvable();
  }

 private:
  bool finite(std::int64_t v) const noexcept { return dist_[v] != kNoPath<T>; }

  // Zero at the source; numbers, within the cutoff.
  std::int64_t values() const {
    const bool nothing =
        claim_.cutoff && *claim_.cutoff < 0;  // then not even the source is within the cutoff
    if (nothing ? finite(source_) : dist_[source_] != T{0}) return source_;
    for (std::int64_t v = 0; v < graph_.n; ++v) {
      if (!finite(v)) continue;
      if (nothing || !std::isfinite(static_cast<double>(dist_[v]))) return v;
      if (claim_.cutoff && dist_[v] > limit()) return v;
    }
    return -1;
  }

  // All vertices with a path except the source have a predecessor, and every chain of these ends at the
  // source.
  std::int64_t ends_of(const std::int32_t* before) {
    for (std::int64_t v = 0; v < graph_.n; ++v) {
      const bool none = v == source_ || !finite(v);
      if (none != (before[v] == -1) || before[v] < -1 || before[v] >= graph_.n) return v;
    }
    return first_steps(before, graph_.n, parents_.data());
  }

  // No path has the distance: no chain of tight arcs leads there, or that of the predecessors is not one.
  std::int64_t unattained(const std::int32_t* before) {
    if constexpr (std::is_floating_point_v<T>) {
      if (before != nullptr) return tree_->follow(source_, dist_, before);
      proven_.assign(graph_.n, 0);
      std::int64_t lost = -1;
      tree_->grow_until(source_, dist_, parents_.data(), [&] {
        lost = -1;
        for (std::int64_t v = graph_.n - 1; v >= 0; --v) {
          proven_[v] |= v == source_ || !finite(v) || tree_->is_attained(v, dist_[v]);
          if (!proven_[v]) lost = v;
        }
        return lost < 0;
      });
      return lost;
    } else {
      if (before != nullptr) return untight(before);
      tight_tree(graph_, weights_, source_, dist_, parents_.data(), queue_);
      for (std::int64_t v = 0; v < graph_.n; ++v)
        if (finite(v) && v != source_ && parents_[v] < 0) return v;
      return -1;
    }
  }

  // A predecessor that is not the tail of a tight arc that a path may take.
  std::int64_t untight(const std::int32_t* before) {
    proven_.assign(graph_.n, 0);
    for (std::int64_t u = 0; u < graph_.n; ++u) {
      if (!finite(u) || (graph_.is_zone(u) && u != source_)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        if (before[v] == u && is_tight(dist_[u], weights_[a], dist_[v])) proven_[v] = 1;
      }
    }
    for (std::int64_t v = 0; v < graph_.n; ++v)
      if (before[v] >= 0 && !proven_[v]) return v;
    return -1;
  }

  // An arc from a vertex that has a path gives its head a shorter one than claimed, or the first within the
  // cutoff. For integers.
  std::int64_t improvable() const {
    for (std::int64_t u = 0; u < graph_.n; ++u) {
      if (!finite(u) || (graph_.is_zone(u) && u != source_)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        const Exact<T> length = sum_of(dist_[u], weights_[a]);
        const bool shorter = finite(v) ? length < static_cast<Exact<T>>(dist_[v])
                                       : !claim_.cutoff || length <= static_cast<Exact<T>>(*claim_.cutoff);
        if (shorter) return v;
      }
    }
    return -1;
  }

  // The cutoff is compared in the dtype of the distances, as in the solvers.
  T limit() const noexcept {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(*claim_.cutoff);
    return static_cast<T>(std::min<Weight<T>>(*claim_.cutoff, kNoPath<T>));
  }

  const Csr& graph_;
  const Weight<T>* weights_;
  const Claim<T>& claim_;
  std::optional<FloatTree<T>> tree_;  // for floats
  std::int32_t source_ = 0;
  const T* dist_ = nullptr;
  std::vector<std::int32_t> parents_, queue_;
  std::vector<std::uint8_t> proven_;
};

}  // namespace

// A thread owns its RowCheck and the rows that it takes; the claim is only read; the first mismatch is stored
// under a lock.
template <class T>
Mismatch verify_rows(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim,
                     const Rounding& rounding, int threads, Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(claim.sources, claim.rows, graph.n, "sources");
  const bool negative = std::any_of(weights, weights + graph.m, [](auto weight) { return weight < 0; });
  if (claim.cutoff && negative)
    throw std::invalid_argument(
        "a result with a cutoff on a graph with negative arcs cannot be checked row by row");
  Team team(threads);
  std::vector<std::optional<RowCheck<T>>> checks(team.size());
  std::mutex mutex;
  Mismatch first;
  std::atomic<std::int64_t> first_row{claim.rows};
  team.parallel_for(claim.rows, [&](std::int64_t row, int member) {
    control.check();
    if (row > first_row.load(std::memory_order_relaxed)) return;
    if (!checks[member]) checks[member].emplace(graph, weights, claim, rounding);
    const std::int64_t vertex = checks[member]->run(row);
    if (vertex >= 0) {
      const std::lock_guard lock(mutex);
      if (first.row < 0 || row < first.row) first = {row, vertex};
      first_row.store(first.row, std::memory_order_relaxed);
    }
    control.advance(1);
  });
  return first;
}

#define APSP_INSTANTIATE(T)                                                                             \
  template Mismatch verify_rows<T>(const Csr&, const Weight<T>*, const Claim<T>&, const Rounding&, int, \
                                   Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
