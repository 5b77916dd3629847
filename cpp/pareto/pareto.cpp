#include "pareto/pareto.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "pareto/fronts.hpp"
#include "pareto/lower_bounds.hpp"
#include "pareto/open.hpp"
#include "runtime/budget.hpp"
#include "runtime/least_first.hpp"
#include "runtime/team.hpp"
#include "semiring/path_sums.hpp"

namespace apsp::pareto {
namespace {

template <class A, class B>
struct PathsOfPair : paths::PathsOfPair {
  std::vector<A> first;
  std::vector<B> second;
  std::vector<std::int64_t> arcs;
};

// Searches of one thread, for one pair after another.
template <class A, class B>
class Searcher {
 public:
  Searcher(const Arcs<A, B>& arcs, const Backward& backward, std::int64_t most, Budget& budget,
           const Control& control)
      : arcs_(arcs),
        graph_(arcs.csr),
        most_(most),
        budget_(budget),
        control_(control),
        sums_a_(graph_.n),
        sums_b_(graph_.n),
        bounds_a_(graph_, backward, arcs.first, arcs.second, control),
        bounds_b_(graph_, backward, arcs.second, arcs.first, control),
        fronts_(graph_.n) {}

  void find(std::int64_t pair, std::int32_t source, std::int32_t target, PathsOfPair<A, B>& into) {
    bounds_a_.begin(target), bounds_b_.begin(target);
    if (!bounds_a_.run_to(source) || !bounds_b_.run_to(source)) return;
    limit_a_ = sums_a_.raised(bounds_b_.other(source)), limit_b_ = sums_b_.raised(bounds_a_.other(source));
    bounds_a_.run_within(limit_a_), bounds_b_.run_within(limit_b_);
    pair_ = pair, source_ = source, target_ = target;
    fronts_.clear(), found_.clear();
    reach(source, 0, 0, kNoLabel, -1);
    while (!heap_.empty()) step();
    hand_over(into);
    give_back();
  }

 private:
  static constexpr std::uint32_t kNoLabel = ~std::uint32_t{0};
  static constexpr std::int64_t kBlock = 1 << 14;  // labels whose bytes are taken at a time

  struct Label {
    A first;
    B second;
    std::int64_t arc;
    std::uint32_t parent;
    std::int32_t vertex;
  };

  void step() {
    const Open<A, B> top = heap_.pop();
    if ((++taken_ & 0xfff) == 0) control_.check();
    const Label label = labels_[top.number];
    const std::int32_t v = label.vertex;
    if (fronts_.beats(v, label.first, label.second)) return;
    if (fronts_.beats(target_, sums_a_.lowered(top.first), sums_b_.lowered(top.second))) return;
    fronts_.add(v, label.first, label.second);
    if (v == target_) return found_.push_back(top.number);
    for (std::int64_t a = graph_.indptr[v]; a < graph_.indptr[v + 1]; ++a)
      reach(graph_.indices[a], label.first + arcs_.first[a], label.second + arcs_.second[a], top.number, a);
  }

  void reach(std::int32_t v, A first, B second, std::uint32_t parent, std::int64_t arc) {
    if (parent != kNoLabel && v != target_ && graph_.is_zone(v)) return;
    if (!bounds_a_.has(v) || !bounds_b_.has(v) || fronts_.beats(v, first, second)) return;
    if (!sums_a_.is_finite(first) || !sums_b_.is_finite(second)) return;
    const A whole_a = first + bounds_a_.cost(v);
    const B whole_b = second + bounds_b_.cost(v);
    const A least_a = sums_a_.lowered(whole_a);
    const B least_b = sums_b_.lowered(whole_b);
    if (least_a > limit_a_ || least_b > limit_b_ || fronts_.beats(target_, least_a, least_b)) return;
    if (static_cast<std::int64_t>(labels_.size()) >= most_) throw std::overflow_error(std::to_string(pair_));
    if (labels_.size() % kBlock == 0)
      take(kBlock * static_cast<std::int64_t>(sizeof(Label) + sizeof(Open<A, B>)));
    heap_.push({whole_a, whole_b, static_cast<std::uint32_t>(labels_.size())});
    labels_.push_back({first, second, arc, parent, v});
  }

  // The bytes of the labels, twice for a moment while their array grows.
  void take(std::int64_t bytes) {
    budget_.take(2 * bytes);
    taken_bytes_ += 2 * bytes;
  }

  // To other threads, the memory as well as its bytes.
  void give_back() {
    labels_ = std::vector<Label>(), heap_ = LeastFirst<Open<A, B>>();
    budget_.give_back(std::exchange(taken_bytes_, 0));
  }

  // Found paths are ascending by the first cost, but for floats whose lower bounds were rounded.
  void hand_over(PathsOfPair<A, B>& into) {
    std::sort(found_.begin(), found_.end(), [&](std::uint32_t one, std::uint32_t other) {
      const Label &a = labels_[one], &b = labels_[other];
      if (a.first != b.first) return a.first < b.first;
      return a.second < b.second;
    });
    for (const std::uint32_t number : found_) {
      const Label& label = labels_[number];
      if (!into.second.empty() && !(label.second < into.second.back())) continue;
      std::int64_t size = 0;
      for (std::uint32_t i = number; i != kNoLabel; i = labels_[i].parent) ++size;
      budget_.take(2 * (size * 12 + 24));  // once more when all pairs are joined
      const auto start = into.vertices.size(), first_arc = into.arcs.size();
      for (std::uint32_t i = number; i != kNoLabel; i = labels_[i].parent) {
        into.vertices.push_back(labels_[i].vertex);
        if (labels_[i].parent != kNoLabel) into.arcs.push_back(labels_[i].arc);
      }
      std::reverse(into.vertices.begin() + start, into.vertices.end());
      std::reverse(into.arcs.begin() + first_arc, into.arcs.end());
      into.end_path();
      into.first.push_back(label.first), into.second.push_back(label.second);
    }
  }

  const Arcs<A, B>& arcs_;
  const graph::Csr& graph_;
  const std::int64_t most_;
  Budget& budget_;
  const Control& control_;
  semiring::PathSums<A> sums_a_;
  semiring::PathSums<B> sums_b_;
  LowerBounds<A, B> bounds_a_;
  LowerBounds<B, A> bounds_b_;
  Fronts<A, B> fronts_;
  A limit_a_{};
  B limit_b_{};
  std::int64_t pair_ = 0, taken_bytes_ = 0;
  std::int32_t source_ = 0, target_ = 0;
  std::uint64_t taken_ = 0;
  std::vector<Label> labels_;
  LeastFirst<Open<A, B>> heap_;
  std::vector<std::uint32_t> found_;
};

template <class T>
void append(std::vector<T>& all, const std::vector<T>& part) {
  all.insert(all.end(), part.begin(), part.end());
}

}  // namespace

template <class A, class B>
Found<A, B> search(const Arcs<A, B>& arcs, const Pairs& pairs, const Limits& limits, int threads,
                   Control& control) {
  std::vector<PathsOfPair<A, B>> parts(pairs.count);
  {
    const Backward backward(arcs.csr, control);
    Budget budget(limits.bytes);
    const std::int64_t most = std::min<std::int64_t>(limits.labels, UINT32_MAX - 1);
    Team team(static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(pairs.count, 1))));
    std::vector<std::unique_ptr<Searcher<A, B>>> searchers(team.size());
    team.parallel_for(pairs.count, [&](std::int64_t i, int member) {
      if (!searchers[member])
        searchers[member] = std::make_unique<Searcher<A, B>>(arcs, backward, most, budget, control);
      searchers[member]->find(i, pairs.sources[i], pairs.targets[i], parts[i]);
      control.advance(1);
    });
  }
  Found<A, B> found;
  for (auto& part : parts) {
    found.add(part);
    append(found.first, part.first), append(found.second, part.second), append(found.arcs, part.arcs);
    part = {};
  }
  return found;
}

template Found<std::int64_t, std::int64_t> search(const Arcs<std::int64_t, std::int64_t>&, const Pairs&,
                                                  const Limits&, int, Control&);
template Found<std::int64_t, double> search(const Arcs<std::int64_t, double>&, const Pairs&, const Limits&,
                                            int, Control&);
template Found<double, std::int64_t> search(const Arcs<double, std::int64_t>&, const Pairs&, const Limits&,
                                            int, Control&);
template Found<double, double> search(const Arcs<double, double>&, const Pairs&, const Limits&, int,
                                      Control&);

}  // namespace apsp::pareto
