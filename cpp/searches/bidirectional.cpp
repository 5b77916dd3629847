#include "searches/bidirectional.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "searches/buckets.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kBetweenChecks = 1 << 12;  // vertices between two looks at the control

template <class Label>
constexpr Label kUnseen = std::numeric_limits<Label>::max();

// The search from one end.
template <class Label>
struct Side {
  Side(std::int64_t n, Label largest)
      : labels(n, kUnseen<Label>), before(n), queue(n, labels.data(), largest) {}
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  void begin(std::int32_t end) {
    touched.push_back(end);
    labels[end] = 0;
    before[end] = -1;
    queue.lower(end, 0, 0, true);
    open = 1;
    top = 0;
  }

  void clear() noexcept {
    for (const std::int32_t v : touched) labels[v] = kUnseen<Label>;
    touched.clear();
    queue.clear();
  }

  std::vector<Label> labels;
  std::vector<std::int32_t> before, touched;
  BucketQueue<Label, false> queue;
  std::int64_t open = 0;  // vertices in the queue
  Label top = 0;          // no vertex in the queue is nearer
};

}  // namespace

template <class Label, class Weight>
class BidirectionalSearch<Label, Weight>::Both {
 public:
  Both(std::int64_t n, Label largest) : from_source(n, largest), to_target(n, largest) {}

  void clear() noexcept {
    from_source.clear();
    to_target.clear();
  }

  // Takes one vertex from a queue, and looks at its arcs. False if the best path is known.
  bool step(const graph::Csr& graph, const Weight* weights, Side<Label>& side, const Side<Label>& other,
            std::int32_t end) {
    const std::int32_t u = side.queue.pop();
    if (u < 0) return false;
    --side.open;
    side.top = side.labels[u];
    if (best != kUnseen<Label> && !(side.top + other.top < best)) return false;
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      const Label length = side.top + (weights == nullptr ? Label{1} : static_cast<Label>(weights[a]));
      const Label old = side.labels[v];
      if (!(length < old) || (graph.is_zone(v) && v != end)) continue;
      const bool first = old == kUnseen<Label>;
      if (first) {
        side.touched.push_back(v);
        ++side.open;
      }
      side.labels[v] = length;
      side.before[v] = u;
      side.queue.lower(v, length, old, first);
      if (other.labels[v] != kUnseen<Label> && length + other.labels[v] < best) {
        best = length + other.labels[v];
        meeting = v;
      }
    }
    return true;
  }

  Side<Label> from_source, to_target;
  Label best = kUnseen<Label>;
  std::int32_t meeting = -1;
};

template <class Label, class Weight>
BidirectionalSearch<Label, Weight>::BidirectionalSearch(const graph::Csr& forward, const Weight* weights,
                                                        const graph::Csr& backward,
                                                        const Weight* backward_weights, Label largest)
    : forward_(forward),
      backward_(backward),
      weights_(weights),
      backward_weights_(backward_weights),
      largest_(largest) {
  graph::check_csr(forward);
  if (backward.indptr != forward.indptr) graph::check_csr(backward);
}

template <class Label, class Weight>
BidirectionalSearch<Label, Weight>::~BidirectionalSearch() = default;

template <class Label, class Weight>
std::unique_ptr<typename BidirectionalSearch<Label, Weight>::Both>
BidirectionalSearch<Label, Weight>::taken() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto found = std::move(idle_.back());
      idle_.pop_back();
      return found;
    }
  }
  return std::make_unique<Both>(forward_.n, largest_);
}

template <class Label, class Weight>
std::vector<std::int32_t> BidirectionalSearch<Label, Weight>::path(std::int32_t source, std::int32_t target,
                                                                   Label& length, Control& control) {
  for (const std::int32_t end : {source, target}) graph::check_vertices(&end, 1, forward_.n, "ends");
  length = 0;
  if (source == target) return {source};
  std::unique_ptr<Both> both = taken();
  Side<Label>&ahead = both->from_source, &back = both->to_target;
  both->best = kUnseen<Label>;
  ahead.begin(source);
  back.begin(target);
  for (std::int64_t count = 1;; ++count) {
    if (count % kBetweenChecks == 0) control.check();
    const bool is_ahead = ahead.open <= back.open;
    if (!(is_ahead ? both->step(forward_, weights_, ahead, back, target)
                   : both->step(backward_, backward_weights_, back, ahead, source)))
      break;
  }
  std::vector<std::int32_t> vertices;
  if (both->best != kUnseen<Label>) {
    length = both->best;
    for (std::int32_t v = both->meeting; v >= 0; v = ahead.before[v]) vertices.push_back(v);
    std::reverse(vertices.begin(), vertices.end());
    for (std::int32_t v = back.before[both->meeting]; v >= 0; v = back.before[v]) vertices.push_back(v);
  }
  both->clear();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(both));
  return vertices;
}

template class BidirectionalSearch<std::int64_t, std::int32_t>;
template class BidirectionalSearch<std::int64_t, std::int64_t>;
template class BidirectionalSearch<double, float>;
template class BidirectionalSearch<double, double>;

}  // namespace apsp::searches
