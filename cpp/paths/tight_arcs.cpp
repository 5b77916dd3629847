#include "paths/tight_arcs.hpp"

#include <algorithm>
#include <utility>

#include "runtime/dtypes.hpp"

namespace apsp::paths {
namespace {

constexpr std::int64_t kRowsAtOnce = 32;
constexpr std::int64_t kLongRun = 16 * graph::kRunLength;

template <class L>
struct Kept {
  std::vector<std::int32_t> heads;
  std::vector<L> weights;
};

// Whether a[k] == b[k] for some k below kCount.
template <std::int64_t kCount, class T>
bool equal_somewhere(const T* a, const T* b) {
  constexpr std::int64_t kLanes = 16 / sizeof(T);
  typedef T Vector __attribute__((vector_size(16)));
  decltype(Vector{} == Vector{}) equal = {};
  for (std::int64_t k = 0; k < kCount; k += kLanes) {
    Vector left, right;
    __builtin_memcpy(&left, a + k, sizeof left);
    __builtin_memcpy(&right, b + k, sizeof right);
    equal |= left == right;
  }
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  const Words words = (Words)equal;
  return (words[0] | words[1]) != 0;
}

// Whether ascending heads are consecutive, from the first and the last only: reading all would take as long
// as reading the weights. (If heads are not ascending, arcs are lost here, but nothing worse.)
bool is_run(const std::int32_t* heads, std::int64_t count, std::int64_t n) {
  const std::int64_t first = heads[0], last = heads[count - 1];
  return first >= 0 && last < n && last - first == count - 1;
}

// One row's search for arcs as long as the distance. Few of many arcs are kept: if heads are consecutive, as
// in a complete graph, whole runs are skipped.
template <class T>
class RowFilter {
 public:
  RowFilter(graph::Matrix<T> dist, const graph::WeightedArcs& arcs, std::int64_t tail, Kept<Lane<T>>& kept)
      : row_(dist.row(tail)),
        arcs_(arcs),
        in_place_(arcs.type == graph::type_of<T>() ? static_cast<const T*>(arcs.weights) : nullptr),
        tail_(tail),
        kept_(kept) {}

  void keep() {
    T converted[graph::kRunLength];
    for (std::int64_t from = arcs_.begin(tail_); from < arcs_.end(tail_); from += kLongRun) {
      const std::int64_t to = std::min(from + kLongRun, arcs_.end(tail_));
      const bool run = is_run(arcs_.indices + from, to - from, arcs_.n);
      for (std::int64_t first = from; first < to; first += graph::kRunLength) {
        const std::int64_t count = std::min(graph::kRunLength, to - first);
        if (in_place_ == nullptr)
          graph::read_weights(arcs_, semiring::Algebra::kMinPlus, first, count, converted);
        const std::int64_t head = run ? arcs_.indices[from] + (first - from) : -1;
        keep_some(first, count, in_place_ == nullptr ? converted : in_place_ + first, head);
      }
    }
  }

 private:
  static constexpr std::int64_t kGroup = 16;

  // At most kRunLength arcs; their heads are consecutive from `head` unless that is -1.
  void keep_some(std::int64_t first, std::int64_t count, const T* weights, std::int64_t head) {
    if (head >= 0 && count == graph::kRunLength && !equal_somewhere<graph::kRunLength>(row_ + head, weights))
      return;
    for (std::int64_t group = 0; group < count; group += kGroup) {
      const std::int32_t* heads = arcs_.indices + first + group;
      const std::int64_t size = std::min(kGroup, count - group);
      const bool run = head >= 0 || is_run(heads, size, arcs_.n);
      if (!run) {
        graph::check_heads(arcs_, first + group, size);
        for (std::int64_t k = 0; k < size; ++k) keep_if_equal(heads[k], weights[group + k]);
        continue;
      }
      const std::int64_t column = head >= 0 ? head + group : heads[0];
      if (size == kGroup && !equal_somewhere<kGroup>(row_ + column, weights + group)) continue;
      for (std::int64_t k = 0; k < size; ++k) keep_if_equal(column + k, weights[group + k]);
    }
  }

  void keep_if_equal(std::int64_t head, T weight) {
    if (row_[head] != weight || head == tail_ || weight >= semiring::Bounds<T>::kNoPath) return;
    kept_.heads.push_back(static_cast<std::int32_t>(head));
    kept_.weights.push_back(lane_value(weight));
  }

  const T* row_;
  const graph::WeightedArcs& arcs_;
  const T* in_place_;
  std::int64_t tail_;
  Kept<Lane<T>>& kept_;
};

// The same arcs by head. The tails of a list are ascending; then each list is sorted by weight.
template <class L>
ArcLists<L> reversed(const ArcLists<L>& out, const bool* closed, Team& team, Control& control) {
  const auto n = static_cast<std::int64_t>(out.start.size()) - 1;
  std::vector<std::int64_t> start(static_cast<std::size_t>(n) + 1, 0);
  const auto for_open = [&](const auto& body) {
    for (std::int64_t tail = 0; tail < n; ++tail) {
      if (closed != nullptr && closed[tail]) continue;
      for (std::int64_t arc = out.start[tail]; arc < out.start[tail + 1]; ++arc) body(tail, arc);
    }
  };
  for_open([&](std::int64_t, std::int64_t arc) { ++start[out.other[arc] + 1]; });
  for (std::int64_t v = 0; v < n; ++v) start[v + 1] += start[v];
  std::vector<std::pair<L, std::int32_t>> sorted(static_cast<std::size_t>(start[n]));
  std::vector<std::int64_t> next(start.begin(), start.end() - 1);
  for_open([&](std::int64_t tail, std::int64_t arc) {
    sorted[next[out.other[arc]]++] = {out.weight[arc], static_cast<std::int32_t>(tail)};
  });
  ArcLists<L> in{std::move(start), {}, {}};
  in.other.resize(sorted.size());
  in.weight.resize(sorted.size());
  team.parallel_for((n + kRowsAtOnce - 1) / kRowsAtOnce, [&](std::int64_t block, int) {
    control.check();
    for (std::int64_t v = block * kRowsAtOnce; v < std::min(n, (block + 1) * kRowsAtOnce); ++v) {
      std::sort(sorted.begin() + in.start[v], sorted.begin() + in.start[v + 1]);
      for (std::int64_t arc = in.start[v]; arc < in.start[v + 1]; ++arc) {
        in.weight[arc] = sorted[arc].first;
        in.other[arc] = sorted[arc].second;
      }
    }
  });
  return in;
}

}  // namespace

template <class T>
TightArcs<Lane<T>> tight_arcs(graph::Matrix<T> dist, const graph::WeightedArcs& arcs, const bool* closed,
                              Team& team, Control& control) {
  const std::int64_t n = arcs.n, blocks = (n + kRowsAtOnce - 1) / kRowsAtOnce;
  std::vector<Kept<Lane<T>>> kept(static_cast<std::size_t>(blocks));
  ArcLists<Lane<T>> out;
  out.start.assign(static_cast<std::size_t>(n) + 1, 0);
  team.parallel_for(blocks, [&](std::int64_t block, int) {
    control.check();
    for (std::int64_t tail = block * kRowsAtOnce; tail < std::min(n, (block + 1) * kRowsAtOnce); ++tail) {
      RowFilter<T>(dist, arcs, tail, kept[block]).keep();
      out.start[tail + 1] = static_cast<std::int64_t>(kept[block].heads.size());  // within the block, so far
    }
  });
  for (std::int64_t block = 0, before = 0; block < blocks; ++block) {
    for (std::int64_t tail = block * kRowsAtOnce; tail < std::min(n, (block + 1) * kRowsAtOnce); ++tail)
      out.start[tail + 1] += before;
    before += static_cast<std::int64_t>(kept[block].heads.size());
    out.other.insert(out.other.end(), kept[block].heads.begin(), kept[block].heads.end());
    out.weight.insert(out.weight.end(), kept[block].weights.begin(), kept[block].weights.end());
    kept[block] = {};
  }
  ArcLists<Lane<T>> in = reversed(out, closed, team, control);
  return {std::move(out), std::move(in)};
}

template <class L>
void find_zero_components(TightArcs<L>& arcs, const bool* closed, const Control& control) {
  const auto n = static_cast<std::int64_t>(arcs.in.start.size()) - 1;
  ArcLists<L>& in = arcs.in;
  std::vector<std::int64_t> end_of_zeros(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v)
    end_of_zeros[v] =
        std::upper_bound(in.weight.begin() + in.start[v], in.weight.begin() + in.start[v + 1], L{0}) -
        in.weight.begin();
  arcs.zero.emplace(
      n,
      [&](std::int64_t v, const auto& body) {
        if (closed != nullptr && closed[v]) return;
        for (std::int64_t arc = arcs.out.start[v]; arc < arcs.out.start[v + 1]; ++arc)
          if (arcs.out.weight[arc] == L{0} && !body(arcs.out.other[arc])) return;
      },
      [&](std::int64_t v, const auto& body) {
        for (std::int64_t arc = in.start[v]; arc < end_of_zeros[v]; ++arc)
          if (!body(in.other[arc])) return;
      },
      control);
  arcs.rising.resize(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n && arcs.zero->any(); ++v)
    arcs.rising[v] =
        std::stable_partition(in.other.begin() + in.start[v], in.other.begin() + end_of_zeros[v],
                              [&](std::int32_t tail) { return arcs.zero->are_joined(tail, v); }) -
        in.other.begin();
  if (std::is_floating_point_v<L>)
    arcs.positive.assign(in.start.begin(), in.start.end() - 1);
  else
    arcs.positive = std::move(end_of_zeros);
}

template <class T>
TightArcs<Lane<T>> all_arcs(const graph::WeightedArcs& arcs, const bool* closed, Team& team,
                            Control& control) {
  ArcLists<Lane<T>> out;
  out.start.assign(static_cast<std::size_t>(arcs.n) + 1, 0);
  T weights[graph::kRunLength];
  for (std::int64_t tail = 0; tail < arcs.n; ++tail) {
    for (std::int64_t first = arcs.begin(tail); first < arcs.end(tail); first += graph::kRunLength) {
      const std::int64_t count = std::min(graph::kRunLength, arcs.end(tail) - first);
      graph::check_heads(arcs, first, count);
      graph::read_weights(arcs, semiring::Algebra::kMinPlus, first, count, weights);
      for (std::int64_t k = 0; k < count; ++k) {
        const std::int32_t head = arcs.indices[first + k];
        if (head == tail || weights[k] >= semiring::Bounds<T>::kNoPath) continue;
        out.other.push_back(head);
        out.weight.push_back(lane_value(weights[k]));
      }
    }
    out.start[tail + 1] = static_cast<std::int64_t>(out.other.size());
  }
  ArcLists<Lane<T>> in = reversed(out, closed, team, control);
  return {std::move(out), std::move(in)};
}

#define APSP_INSTANTIATE(T) \
  template TightArcs<Lane<T>> all_arcs<T>(const graph::WeightedArcs&, const bool*, Team&, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

#define APSP_INSTANTIATE(L) template void find_zero_components(TightArcs<L>&, const bool*, const Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
APSP_INSTANTIATE(float)
APSP_INSTANTIATE(double)
#undef APSP_INSTANTIATE

template TightArcs<std::int32_t> tight_arcs(graph::Matrix<std::uint16_t>, const graph::WeightedArcs&,
                                            const bool*, Team&, Control&);
template TightArcs<std::int32_t> tight_arcs(graph::Matrix<std::int32_t>, const graph::WeightedArcs&,
                                            const bool*, Team&, Control&);
template TightArcs<std::int64_t> tight_arcs(graph::Matrix<std::int64_t>, const graph::WeightedArcs&,
                                            const bool*, Team&, Control&);
template TightArcs<float> tight_arcs(graph::Matrix<float>, const graph::WeightedArcs&, const bool*, Team&,
                                     Control&);
template TightArcs<double> tight_arcs(graph::Matrix<double>, const graph::WeightedArcs&, const bool*, Team&,
                                      Control&);

}  // namespace apsp::paths
