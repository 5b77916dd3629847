#include "rows/source_patches.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "runtime/marks.hpp"

namespace apsp::rows {
namespace {

class SourcePatches {
 public:
  SourcePatches(const LaneShape& graph, const std::uint8_t* counts)
      : graph_(graph), counts_(counts), queued_(graph.n), taken_(graph.n, 0) {}

  std::vector<std::int32_t> order(std::int64_t size) {
    order_.reserve(graph_.n);
    while (left() > 0) grow(size);
    return std::move(order_);
  }

 private:
  std::int64_t left() const { return graph_.n - static_cast<std::int64_t>(order_.size()); }

  void grow(std::int64_t wanted) {
    queue_.clear();
    std::size_t next = 0;
    while (wanted > 0 && left() > 0) {
      if (next == queue_.size()) enter(seed());
      const std::int32_t u = queue_[next++];
      taken_[u] = 1;
      order_.push_back(u);
      if (counts_ == nullptr || counts_[u]) --wanted;
      for (std::int64_t a = graph_.out_start[u]; a < graph_.out_start[u + 1]; ++a) enter(graph_.out[a]);
      for (std::int64_t a = graph_.in_start[u]; a < graph_.in_start[u + 1]; ++a) enter(graph_.in[a]);
    }
    rim_.insert(rim_.end(), queue_.begin() + static_cast<std::ptrdiff_t>(next), queue_.end());
    queued_.clear();
  }

  void enter(std::int32_t v) {
    if (taken_[v] || queued_.has(v)) return;
    queued_.add(v);
    queue_.push_back(v);
  }

  // The oldest vertex next to a patch; if there is none, the first that is in no patch.
  std::int32_t seed() {
    while (rim_next_ < rim_.size()) {
      const std::int32_t v = rim_[rim_next_++];
      if (!taken_[v] && !queued_.has(v)) return v;
    }
    while (taken_[first_] || queued_.has(first_)) ++first_;
    return first_;
  }

  LaneShape graph_;
  const std::uint8_t* counts_;
  Marks queued_;  // of the patch that grows
  std::vector<std::uint8_t> taken_;
  std::vector<std::int32_t> order_, queue_, rim_;
  std::size_t rim_next_ = 0;
  std::int32_t first_ = 0;
};

}  // namespace

bool is_deep(const LaneShape& graph) {
  constexpr int kFewLevels = 16;
  for (std::int64_t first = 0; first < graph.n;) {
    std::int64_t end = first + 1;
    for (int levels = 0; first < end; ++levels) {
      if (levels > kFewLevels) return true;
      for (const std::int64_t last = end; first < last; ++first)
        for (std::int64_t a = graph.out_start[first]; a < graph.out_start[first + 1]; ++a)
          end = std::max(end, static_cast<std::int64_t>(graph.out[a]) + 1);
    }
  }
  return false;
}

std::vector<std::int32_t> source_patches(const LaneShape& graph, std::int64_t size,
                                         const std::uint8_t* counts) {
  return SourcePatches(graph, counts).order(size);
}

std::vector<std::int64_t> rows_by_patch(const std::int32_t* sources, std::int64_t count,
                                        const VertexOrder& order, const std::vector<std::int32_t>& patches) {
  std::vector<std::int64_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::vector<std::int32_t> rank(patches.size());
  for (std::size_t i = 0; i < patches.size(); ++i)
    rank[order.original[patches[i]]] = static_cast<std::int32_t>(i);
  std::sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
    const std::int32_t first = rank[sources[a]], second = rank[sources[b]];
    return first != second ? first < second : a < b;
  });
  return rows;
}

}  // namespace apsp::rows
