#include "dense/tight_arcs.hpp"

#include <algorithm>
#include <utility>

namespace apsp::dense {
namespace {

constexpr std::int64_t kRowsAtOnce = 32;
constexpr std::int64_t kArcsAtOnce = 1024;

template <class L>
struct Kept {
  std::vector<std::int32_t> heads;
  std::vector<L> weights;
};

// The distances at `count` rising heads: in place where they are consecutive, as in a complete graph.
template <class T>
const T* distances_at(const std::int32_t* heads, std::int64_t count, const T* row, T* gathered) {
  if (heads[count - 1] - heads[0] == count - 1) return row + heads[0];
  for (std::int64_t arc = 0; arc < count; ++arc) gathered[arc] = row[heads[arc]];
  return gathered;
}

// Whether a[k] == b[k] for some k below kGroup.
constexpr std::int64_t kGroup = 16;
template <class T>
bool equal_somewhere(const T* a, const T* b) {
  typedef T Four __attribute__((vector_size(4 * sizeof(T))));
  decltype(Four{} == Four{}) equal = {};
  for (std::int64_t k = 0; k < kGroup; k += 4) {
    Four left, right;
    __builtin_memcpy(&left, a + k, sizeof left);
    __builtin_memcpy(&right, b + k, sizeof right);
    equal |= left == right;
  }
  return (equal[0] | equal[1] | equal[2] | equal[3]) != 0;
}

// Few arcs of many are kept: they are looked for sixteen at a time.
template <class T>
void keep_row(Matrix<T> dist, const Arcs& arcs, std::int64_t tail, Kept<Lane<T>>& kept) {
  T weights[kArcsAtOnce], gathered[kArcsAtOnce];
  for (std::int64_t first = arcs.begin(tail); first < arcs.end(tail); first += kArcsAtOnce) {
    const std::int64_t count = std::min(kArcsAtOnce, arcs.end(tail) - first);
    const std::int32_t* heads = arcs.indices + first;
    read_weights(arcs, Algebra::kMinPlus, first, count, weights);
    const T* distances = distances_at(heads, count, dist.row(tail), gathered);
    for (std::int64_t group = 0; group < count; group += kGroup) {
      if (count - group >= kGroup && !equal_somewhere(distances + group, weights + group)) continue;
      for (std::int64_t arc = group; arc < std::min(group + kGroup, count); ++arc) {
        if (distances[arc] != weights[arc] || heads[arc] == tail || weights[arc] == Bounds<T>::kNoPath)
          continue;
        kept.heads.push_back(heads[arc]);
        kept.weights.push_back(lane_value(weights[arc]));
      }
    }
  }
}

// The same arcs by head. The tails of a list rise; then each list is sorted by weight.
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
TightArcs<Lane<T>> tight_arcs(Matrix<T> dist, const Arcs& arcs, const bool* closed, Team& team,
                              Control& control) {
  const std::int64_t n = arcs.n, blocks = (n + kRowsAtOnce - 1) / kRowsAtOnce;
  std::vector<Kept<Lane<T>>> kept(static_cast<std::size_t>(blocks));
  ArcLists<Lane<T>> out;
  out.start.assign(static_cast<std::size_t>(n) + 1, 0);
  team.parallel_for(blocks, [&](std::int64_t block, int) {
    control.check();
    for (std::int64_t tail = block * kRowsAtOnce; tail < std::min(n, (block + 1) * kRowsAtOnce); ++tail) {
      keep_row(dist, arcs, tail, kept[block]);
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

template TightArcs<std::int32_t> tight_arcs(Matrix<std::uint16_t>, const Arcs&, const bool*, Team&, Control&);
template TightArcs<std::int32_t> tight_arcs(Matrix<std::int32_t>, const Arcs&, const bool*, Team&, Control&);
template TightArcs<std::int64_t> tight_arcs(Matrix<std::int64_t>, const Arcs&, const bool*, Team&, Control&);
template TightArcs<float> tight_arcs(Matrix<float>, const Arcs&, const bool*, Team&, Control&);
template TightArcs<double> tight_arcs(Matrix<double>, const Arcs&, const bool*, Team&, Control&);

}  // namespace apsp::dense
