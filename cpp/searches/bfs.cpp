#include "searches/bfs.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <vector>

#include "graph/nearness.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kBits = 64;

// Rows whose sources are near each other share most of their frontiers: the rows in the breadth-first order
// of their sources.
template <class T>
std::vector<std::int64_t> rows_by_nearness(const graph::Csr& graph, const rows::RowRequest<T>& request) {
  std::vector<std::int64_t> rows(request.count);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  if (request.count <= kBits) return rows;
  const std::vector<std::int32_t> order = graph::nearness_order(graph);
  std::vector<std::int32_t> rank(graph.n);
  for (std::int64_t i = 0; i < graph.n; ++i) rank[order[i]] = static_cast<std::int32_t>(i);
  std::sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
    return rank[request.sources[a]] < rank[request.sources[b]];
  });
  return rows;
}

// The columns of the targets: the first column of each vertex, -1 if it is not a target.
template <class T>
struct Columns {
  std::vector<std::int64_t> first;
  std::int64_t different = 0;

  Columns(const rows::RowRequest<T>& request, std::int64_t n) {
    if (request.targets == nullptr) return;
    first.assign(n, -1);
    for (std::int64_t i = request.columns - 1; i >= 0; --i) {
      different += first[request.targets[i]] < 0;
      first[request.targets[i]] = i;
    }
  }
};

// One thread's searches. Bit b of a word belongs to row rows[b].
template <class T>
class Batch {
 public:
  Batch(const graph::Csr& graph, const rows::RowRequest<T>& request, const Columns<T>& columns)
      : graph_(graph),
        request_(request),
        columns_(columns),
        seen_(graph.n),
        frontier_(graph.n),
        next_(graph.n) {}

  void run(const std::int64_t* rows, std::int64_t count, const Control& control) {
    rows_ = rows;
    start(count);
    const bool early = request_.targets != nullptr && request_.pred == nullptr;
    for (std::int64_t level = 1; !active_.empty() && !beyond(level); ++level) {
      if (early && open_ == 0) break;
      expand(level == 1, control);
      settle(static_cast<T>(level));
    }
    for (const std::int32_t v : active_) frontier_[v] = 0;
    repeat_columns(count);
  }

 private:
  bool beyond(std::int64_t level) const noexcept {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(level) > request_.cutoff;
    else
      return level >= static_cast<std::int64_t>(semiring::kNoPath<T>) ||
             level > static_cast<std::int64_t>(request_.cutoff);
  }

  void start(std::int64_t count) {
    std::fill(seen_.begin(), seen_.end(), 0);
    active_.clear();
    open_ = columns_.different * count;
    for (std::int64_t b = 0; b < count; ++b) {
      T* dist = request_.dist + rows_[b] * request_.dist_stride;
      std::fill(dist, dist + request_.columns, semiring::kNoPath<T>);
      if (request_.pred != nullptr) {
        std::int32_t* pred = request_.pred + rows_[b] * request_.pred_stride;
        std::fill(pred, pred + graph_.n, -1);
      }
    }
    if (request_.cutoff < T{0}) return;
    for (std::int64_t b = 0; b < count; ++b) {
      const std::int32_t source = request_.sources[rows_[b]];
      if (frontier_[source] == 0) active_.push_back(source);
      frontier_[source] |= std::uint64_t{1} << b;
    }
    for (const std::int32_t v : active_) emit(v, frontier_[v], T{0});
  }

  // From frontier_ (the vertices in active_) to next_ (in found_).
  void expand(bool first, const Control& control) {
    found_.clear();
    std::int64_t taken = 0;
    for (const std::int32_t u : active_) {
      const std::uint64_t bits = frontier_[u];
      frontier_[u] = 0;
      if (!first && graph_.is_zone(u)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        const std::uint64_t fresh = bits & ~(seen_[v] | next_[v]);
        if (fresh == 0) continue;
        if (next_[v] == 0) found_.push_back(v);
        next_[v] |= fresh;
        if (request_.pred != nullptr)
          each_row(fresh, [&](std::int64_t row) { request_.pred[row * request_.pred_stride + v] = u; });
      }
      if ((++taken & 0xfff) == 0) control.check();
    }
    control.check();
  }

  // Moves the vertices of next_ to frontier_ and writes their level; in vertex order if there are many, so
  // that each of the rows is written from left to right.
  void settle(T level) {
    const auto take = [&](std::int32_t v) {
      const std::uint64_t bits = next_[v];
      frontier_[v] = bits;
      next_[v] = 0;
      emit(v, bits, level);
    };
    if (static_cast<std::int64_t>(found_.size()) * 16 > graph_.n) {
      active_.clear();
      for (std::int32_t v = 0; v < graph_.n; ++v)
        if (next_[v] != 0) {
          active_.push_back(v);
          take(v);
        }
    } else {
      active_.swap(found_);
      for (const std::int32_t v : active_) take(v);
    }
  }

  void emit(std::int32_t v, std::uint64_t bits, T level) {
    seen_[v] |= bits;
    std::int64_t column = v;
    if (request_.targets != nullptr) {
      column = columns_.first[v];
      if (column < 0) return;
      open_ -= std::popcount(bits);
    }
    each_row(bits, [&](std::int64_t row) { request_.dist[row * request_.dist_stride + column] = level; });
  }

  template <class Body>
  void each_row(std::uint64_t bits, Body&& body) const {
    for (; bits != 0; bits &= bits - 1) body(rows_[std::countr_zero(bits)]);
  }

  // A repeated target has the lengths of its first column.
  void repeat_columns(std::int64_t count) {
    if (request_.targets == nullptr || columns_.different == request_.columns) return;
    for (std::int64_t b = 0; b < count; ++b) {
      T* dist = request_.dist + rows_[b] * request_.dist_stride;
      for (std::int64_t i = 0; i < request_.columns; ++i) dist[i] = dist[columns_.first[request_.targets[i]]];
    }
  }

  const graph::Csr& graph_;
  const rows::RowRequest<T>& request_;
  const Columns<T>& columns_;
  const std::int64_t* rows_ = nullptr;
  std::vector<std::uint64_t> seen_, frontier_, next_;
  std::vector<std::int32_t> active_, found_;
  std::int64_t open_ = 0;  // (target, source) pairs that are not reached yet
};

}  // namespace

// A member owns one Batch of bit vectors and the rows of the batches that it takes.
template <class T>
void bfs_rows(const graph::Csr& graph, const rows::RowRequest<T>& request, int threads, Control& control) {
  graph::check_csr(graph);
  rows::check_request(request, graph.n);
  const Columns<T> columns(request, graph.n);
  const std::vector<std::int64_t> rows = rows_by_nearness(graph, request);
  Team team(threads);
  const std::int64_t share = (request.count + 2 * team.size() - 1) / (2 * team.size());
  const std::int64_t width = std::clamp<std::int64_t>(share, 1, kBits);
  std::vector<std::unique_ptr<Batch<T>>> batches(team.size());
  team.parallel_for((request.count + width - 1) / width, [&](std::int64_t index, int member) {
    control.check();
    if (!batches[member]) batches[member] = std::make_unique<Batch<T>>(graph, request, columns);
    const std::int64_t count = std::min(width, request.count - index * width);
    batches[member]->run(rows.data() + index * width, count, control);
    control.advance(count);
  });
}

#define APSP_INSTANTIATE(T) \
  template void bfs_rows<T>(const graph::Csr&, const rows::RowRequest<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
