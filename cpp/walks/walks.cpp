#include "walks/walks.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <queue>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/budget.hpp"
#include "runtime/least_first.hpp"
#include "runtime/team.hpp"
#include "simple_paths/bounds.hpp"
#include "walks/ways.hpp"

namespace apsp::walks {
namespace {

using simple_paths::Bounds;
using simple_paths::Label;

template <class T>
struct WalksOfPair : paths::PathsOfPair {
  std::vector<Label<T>> lengths;
};

// The k least of some lengths.
template <class Length>
class Least {
 public:
  explicit Least(std::int64_t k) : k_(k) {}

  // Whether a length would be among them.
  bool takes(Length length) const {
    return static_cast<std::int64_t>(lengths_.size()) < k_ || length < lengths_.top();
  }
  bool is_full() const { return static_cast<std::int64_t>(lengths_.size()) == k_; }
  void add(Length length) {
    if (is_full()) lengths_.pop();
    lengths_.push(length);
  }

 private:
  std::int64_t k_;
  std::priority_queue<Length> lengths_;
};

// Walks of one thread, of one pair after another.
template <class T>
class Searcher {
 public:
  using Length = Label<T>;

  Searcher(const graph::Csr& graph, const T* weights, std::int64_t k, Budget& budget, const Control& control)
      : graph_(graph),
        weights_(weights),
        k_(k),
        budget_(budget),
        control_(control),
        bounds_(graph.n),
        ways_(graph, weights),
        least_(k),
        of_head_(kExact ? 0 : graph.n, -1) {}

  void find(std::int32_t source, std::int32_t target, const T* dist, WalksOfPair<T>& into) {
    bounds_.dist = dist;
    if (!bounds_.has_path(source)) return;
    source_ = source, target_ = target;
    ways_.begin(target);
    least_ = Least<Length>(k_), too_long_ = false;
    consider({0, 0, -1, -1, source});
    while (!heap_.empty()) {
      const Open top = heap_.pop();
      if (!least_.takes(top.bound)) break;
      deviate(top.walk);
    }
    if (too_long_ && !least_.is_full()) throw std::overflow_error("a walk may be longer than 2^61");
    hand_over(into);
    clear();
  }

 private:
  static constexpr bool kExact = Bounds<T>::kExact;
  static constexpr std::int64_t kBlock = 1 << 10;  // walks whose bytes are taken at a time

  // Follows another walk to `tail`, takes the arc to `head`, and then the way to the target.
  struct Walk {
    Length length, to_head;
    std::int64_t parent;  // -1: begins at `head`
    std::int32_t tail, head;
  };
  // A walk from whose last part others have not deviated yet; they are no shorter than the bound.
  struct Open {
    Length bound;
    std::int64_t walk;
    bool operator<(const Open& other) const noexcept {
      return bound != other.bound ? bound < other.bound : walk < other.walk;
    }
  };

  // Looks at all walks that take another arc somewhere on the last part of a walk.
  void deviate(std::int64_t number) {
    const Walk walk = walks_[number];
    Length length = walk.to_head;
    for (std::int32_t v = walk.head;; v = graph_.indices[ways_.arc(v)]) {
      const bool begins = walk.parent < 0 && v == walk.head;
      if (begins || !graph_.is_zone(v)) {
        const std::int64_t own = v == target_ ? -1 : ways_.arc(v);
        for (std::int64_t a = graph_.indptr[v]; a < graph_.indptr[v + 1]; ++a)
          if (a != own)
            consider({0, length + static_cast<Length>(weights_[a]), number, v, graph_.indices[a]});
      }
      if ((++steps_ & 0xfff) == 0) control_.check();
      if (v == target_) return;
      length += static_cast<Length>(weights_[ways_.arc(v)]);
    }
  }

  void consider(Walk walk) {
    const std::int32_t head = walk.head;
    if (!bounds_.has_path(head)) return;
    if (walk.parent >= 0 && head != target_ && graph_.is_zone(head)) return;
    const Length bound = bounds_.through(walk.to_head, head);
    if (!bounds_.sums.is_finite(bound) || !least_.takes(bound)) return;
    if constexpr (kExact) {
      if (bound > kLongest) {
        too_long_ = true;
        return;
      }
    }
    if (!kExact && walk.parent >= 0 && !is_among_shortest(head, walk.to_head)) return;
    ways_.find(head, bounds_);
    walk.length = kExact ? bound : along_way(walk);
    if (bounds_.sums.is_finite(walk.length) && least_.takes(walk.length)) least_.add(walk.length);
    const auto number = static_cast<std::int64_t>(walks_.size());
    if (number % kBlock == 0)
      take(2 * kBlock * static_cast<std::int64_t>(sizeof(Walk) + sizeof(Open) + 2 * sizeof(Length)));
    walks_.push_back(walk);
    heap_.push({bound, number});
  }

  // Rounding makes bounds smaller than lengths, so that cycles of length zero would be followed again and
  // again: of the walks to a vertex no more than k are continued.
  bool is_among_shortest(std::int32_t head, Length to_head) {
    if (of_head_[head] < 0) {
      of_head_[head] = static_cast<std::int32_t>(heads_.size());
      heads_.push_back(head), least_to_.emplace_back(k_);
    }
    Least<Length>& least = least_to_[of_head_[head]];
    if (!least.takes(to_head)) return false;
    least.add(to_head);
    return true;
  }

  Length along_way(const Walk& walk) const {
    Length length = walk.to_head;
    for (std::int32_t v = walk.head; v != target_; v = graph_.indices[ways_.arc(v)])
      length += static_cast<Length>(weights_[ways_.arc(v)]);
    return length;
  }

  // Walks of equal length are written together, so that they can be sorted.
  void hand_over(WalksOfPair<T>& into) {
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(walks_.size()); ++i)
      if (bounds_.sums.is_finite(walks_[i].length)) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::int64_t one, std::int64_t other) {
      const Length a = walks_[one].length, b = walks_[other].length;
      return a != b ? a < b : one < other;
    });
    if (static_cast<std::int64_t>(order.size()) > k_) order.resize(k_);
    std::vector<std::vector<std::int32_t>> equal;
    for (std::size_t i = 0; i < order.size(); ++i) {
      equal.push_back(vertices_of(order[i]));
      into.lengths.push_back(walks_[order[i]].length);
      if (i + 1 < order.size() && walks_[order[i + 1]].length == walks_[order[i]].length) continue;
      std::sort(equal.begin(), equal.end());
      for (const auto& vertices : equal) into.add(vertices);
      equal.clear();
    }
  }

  std::vector<std::int32_t> vertices_of(std::int64_t number) {
    std::vector<std::int64_t> parts;
    for (; walks_[number].parent >= 0; number = walks_[number].parent) parts.push_back(number);
    std::vector<std::int32_t> vertices;
    std::int32_t v = source_;
    const auto follow_to = [&](std::int32_t end) {
      for (; v != end; v = graph_.indices[ways_.arc(v)]) vertices.push_back(v);
      vertices.push_back(v);
      if ((++steps_ & 0xff) == 0) control_.check();
    };
    for (auto part = parts.rbegin(); part != parts.rend(); ++part)
      follow_to(walks_[*part].tail), v = walks_[*part].head;
    follow_to(target_);
    budget_.take(3 *
                 (static_cast<std::int64_t>(vertices.size()) * 4 + 24));  // twice more when pairs are joined
    return vertices;
  }

  void take(std::int64_t bytes) {
    budget_.take(bytes);
    taken_ += bytes;
  }

  void clear() {
    for (const std::int32_t head : heads_) of_head_[head] = -1;
    heads_.clear(), least_to_.clear();
    walks_ = std::vector<Walk>(), heap_ = LeastFirst<Open>(), least_ = Least<Length>(0);
    budget_.give_back(std::exchange(taken_, 0));
  }

  static constexpr Length kLongest = static_cast<Length>(std::int64_t{1} << 61);

  const graph::Csr& graph_;
  const T* weights_;
  const std::int64_t k_;
  Budget& budget_;
  const Control& control_;
  Bounds<T> bounds_;
  Ways<T> ways_;
  Least<Length> least_;  // lengths of walks that are known
  std::vector<Walk> walks_;
  LeastFirst<Open> heap_;
  std::vector<std::int32_t> of_head_, heads_;  // of floats: the vertices with a place in least_to_
  std::vector<Least<Length>> least_to_;
  std::int32_t source_ = 0, target_ = 0;
  bool too_long_ = false;
  std::int64_t taken_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace

template <class T>
simple_paths::Found<T> shortest(const graph::Csr& graph, const T* weights,
                                const simple_paths::Pairs<T>& pairs, std::int64_t k, std::int64_t most_bytes,
                                int threads, Control& control) {
  std::vector<WalksOfPair<T>> parts(pairs.count);
  {
    Budget budget(most_bytes);
    Team team(static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(pairs.count, 1))));
    std::vector<std::unique_ptr<Searcher<T>>> searchers(team.size());
    team.parallel_for(pairs.count, [&](std::int64_t i, int member) {
      if (!searchers[member])
        searchers[member] = std::make_unique<Searcher<T>>(graph, weights, k, budget, control);
      searchers[member]->find(pairs.sources[i], pairs.targets[i], pairs.dist + pairs.rows[i] * pairs.stride,
                              parts[i]);
      control.advance(1);
    });
  }
  simple_paths::Found<T> found;
  for (auto& part : parts) {
    found.add(part);
    found.lengths.insert(found.lengths.end(), part.lengths.begin(), part.lengths.end());
    part = {};
  }
  return found;
}

template simple_paths::Found<std::int32_t> shortest(const graph::Csr&, const std::int32_t*,
                                                    const simple_paths::Pairs<std::int32_t>&, std::int64_t,
                                                    std::int64_t, int, Control&);
template simple_paths::Found<std::int64_t> shortest(const graph::Csr&, const std::int64_t*,
                                                    const simple_paths::Pairs<std::int64_t>&, std::int64_t,
                                                    std::int64_t, int, Control&);
template simple_paths::Found<double> shortest(const graph::Csr&, const double*,
                                              const simple_paths::Pairs<double>&, std::int64_t, std::int64_t,
                                              int, Control&);

}  // namespace apsp::walks
