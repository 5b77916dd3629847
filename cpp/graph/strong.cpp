#include "graph/strong.hpp"

#include <algorithm>
#include <vector>

namespace apsp::graph {
namespace {

constexpr std::int32_t kNone = -1;
constexpr std::int64_t kStepsBetweenChecks = 1 << 18;

class Tarjan {
 public:
  Tarjan(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices, std::int32_t* labels,
         const Control& control)
      : indptr_(indptr),
        indices_(indices),
        labels_(labels),
        control_(control),
        order_(n, kNone),
        low_(n),
        arc_(indptr, indptr + n) {
    std::fill_n(labels, n, kNone);
  }

  void search(std::int32_t root) {
    enter(root);
    while (!path_.empty()) {
      const std::int32_t tail = path_.back();
      if (arc_[tail] < indptr_[tail + 1]) {
        follow(tail, indices_[arc_[tail]++]);
        if (++steps_ % kStepsBetweenChecks == 0) control_.check();
      } else {
        leave(tail);
      }
    }
  }
  bool seen(std::int64_t vertex) const { return order_[vertex] != kNone; }
  std::int64_t count() const { return count_; }

 private:
  void enter(std::int32_t vertex) {
    order_[vertex] = low_[vertex] = next_++;
    path_.push_back(vertex);
    open_.push_back(vertex);
  }
  void follow(std::int32_t tail, std::int32_t head) {
    if (order_[head] == kNone) {
      enter(head);
    } else if (labels_[head] == kNone) {  // still open: on a cycle, or beside one
      low_[tail] = std::min(low_[tail], order_[head]);
    }
  }
  void leave(std::int32_t vertex) {
    path_.pop_back();
    if (!path_.empty()) low_[path_.back()] = std::min(low_[path_.back()], low_[vertex]);
    if (low_[vertex] != order_[vertex]) return;
    std::int32_t member;
    do {  // the root of a component: everything entered since belongs to it
      member = open_.back();
      open_.pop_back();
      labels_[member] = count_;
    } while (member != vertex);
    ++count_;
  }

  const std::int64_t* indptr_;
  const std::int32_t* indices_;
  std::int32_t* labels_;
  const Control& control_;
  std::vector<std::int32_t> order_, low_;
  std::vector<std::int64_t> arc_;
  std::vector<std::int32_t> path_, open_;
  std::int32_t next_ = 0, count_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace

std::int64_t strong(std::int64_t n, const std::int64_t* indptr, const std::int32_t* indices,
                    std::int32_t* labels, const Control& control) {
  Tarjan tarjan(n, indptr, indices, labels, control);
  for (std::int64_t v = 0; v < n; ++v)
    if (!tarjan.seen(v)) tarjan.search(static_cast<std::int32_t>(v));
  return tarjan.count();
}

}  // namespace apsp::graph
