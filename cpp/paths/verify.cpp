#include "paths/verify.hpp"

#include <atomic>
#include <limits>
#include <mutex>
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
  RowCheck(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim, const Comparison<T>& compare)
      : graph_(graph), weights_(weights), claim_(claim), compare_(compare), parents_(graph.n) {}

  // A vertex where the row is wrong, or -1.
  std::int64_t run(std::int64_t row) {
    source_ = claim_.sources[row];
    dist_ = claim_.dist + row * claim_.dist_stride;
    compare_.start_row(dist_, graph_.n);
    std::int64_t wrong = values();
    if (wrong >= 0 || dist_[source_] == kNoPath<T>) return wrong;
    if ((wrong = improvable()) >= 0) return wrong;
    if ((wrong = unattained()) >= 0) return wrong;
    return claim_.pred == nullptr ? -1 : predecessors(claim_.pred + row * claim_.pred_stride);
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
      // The cutoff counts in the dtype of the distances, as in the solvers.
      if (claim_.cutoff && dist_[v] > limit()) return v;
    }
    return -1;
  }

  // An arc from a vertex that has a path gives its head a shorter one than claimed.
  std::int64_t improvable() const {
    for (std::int64_t u = 0; u < graph_.n; ++u) {
      if (!finite(u) || (graph_.is_terminal(u) && u != source_)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        if (finite(v) ? compare_.improves(dist_[u], weights_[a], static_cast<Exact<T>>(dist_[v]))
                      : reaches(dist_[u], weights_[a]))
          return v;
      }
    }
    return -1;
  }

  // The arc proves a path to a vertex that is claimed to have none (within the cutoff).
  bool reaches(T du, Weight<T> weight) const {
    const Exact<T> sum = static_cast<Exact<T>>(du) + static_cast<Exact<T>>(weight);
    if constexpr (std::is_floating_point_v<T>)
      return claim_.cutoff ? compare_.improves(du, weight, static_cast<double>(limit()))
                           : static_cast<T>(sum) != kNoPath<T>;
    else
      return !claim_.cutoff || static_cast<double>(sum) <= *claim_.cutoff;
  }

  std::int64_t unattained() {
    tight_tree(graph_, weights_, source_, dist_, compare_, parents_.data(), queue_);
    for (std::int64_t v = 0; v < graph_.n; ++v)
      if (finite(v) && v != source_ && parents_[v] < 0) return v;
    return -1;
  }

  // Each predecessor is the tail of a tight arc that a path may take, and every chain of them ends at the
  // source.
  std::int64_t predecessors(const std::int32_t* before) {
    for (std::int64_t v = 0; v < graph_.n; ++v) {
      const bool none = v == source_ || !finite(v);
      if (none != (before[v] == -1) || before[v] < -1 || before[v] >= graph_.n) return v;
    }
    proven_.assign(graph_.n, 0);
    for (std::int64_t u = 0; u < graph_.n; ++u) {
      if (!finite(u) || (graph_.is_terminal(u) && u != source_)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        if (before[v] == u && compare_.tight(dist_[u], weights_[a], dist_[v])) proven_[v] = 1;
      }
    }
    for (std::int64_t v = 0; v < graph_.n; ++v)
      if (before[v] >= 0 && !proven_[v]) return v;
    return first_steps(before, graph_.n, parents_.data());
  }

  T limit() const noexcept {
    if constexpr (std::is_floating_point_v<T>) return static_cast<T>(*claim_.cutoff);
    const double top = static_cast<double>(kNoPath<T>);
    return *claim_.cutoff >= top ? kNoPath<T> : static_cast<T>(*claim_.cutoff);
  }

  const Csr& graph_;
  const Weight<T>* weights_;
  const Claim<T>& claim_;
  Comparison<T> compare_;
  std::int32_t source_ = 0;
  const T* dist_ = nullptr;
  std::vector<std::int32_t> parents_, queue_;
  std::vector<std::uint8_t> proven_;
};

}  // namespace

// A thread owns its RowCheck and the rows that it draws; the claim is read only; the first mismatch is kept
// under a lock.
template <class T>
Mismatch verify_rows(const Csr& graph, const Weight<T>* weights, const Claim<T>& claim, double tolerance,
                     int threads, Control& control) {
  sparse::check_csr(graph);
  sparse::check_vertices(claim.sources, claim.rows, graph.n, "sources");
  const Comparison<T> compare(graph, weights, tolerance);
  if (claim.cutoff && compare.negative())
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
    if (!checks[member]) checks[member].emplace(graph, weights, claim, compare);
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

#define APSP_INSTANTIATE(T) \
  template Mismatch verify_rows<T>(const Csr&, const Weight<T>*, const Claim<T>&, double, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
