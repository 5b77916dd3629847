// Elimination against Bellman-Ford on small random graphs, with every option, under the sanitizers.
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "elimination/dissection.hpp"
#include "elimination/labels.hpp"
#include "elimination/measures.hpp"
#include "elimination/pair.hpp"
#include "elimination/pairs.hpp"
#include "elimination/paths.hpp"
#include "elimination/period_factors.hpp"
#include "elimination/refactor.hpp"
#include "elimination/rows.hpp"
#include "elimination/tree.hpp"
#include "tests/check.hpp"
#include "tests/owned_sums.hpp"

namespace {

using namespace apsp;
using namespace apsp::elimination;

constexpr std::int64_t kNone = INT64_MAX;

struct Sample {
  std::int64_t n;
  std::vector<std::int64_t> indptr;
  std::vector<std::int32_t> indices, weights;
  std::vector<std::uint8_t> zones;
  bool nonnegative;

  graph::Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size()),
            zones.empty() ? nullptr : zones.data()};
  }
  graph::WeightedArcs arcs() const {
    return {n, indptr.data(), indices.data(), weights.data(), graph::WeightType::kInt32};
  }
  const bool* closed() const { return zones.empty() ? nullptr : reinterpret_cast<const bool*>(zones.data()); }
};

// Vertices in a strip `width` wide, arcs to near ones, so that there are separators.
Sample random_sample(std::mt19937_64& random, std::int64_t n, std::int64_t reach, int arcs, bool negative) {
  Sample sample{n, {0}, {}, {}, {}, !negative};
  std::vector<std::int32_t> height(n);
  for (auto& h : height) h = negative ? static_cast<std::int32_t>(random() % 100) : 0;
  if (random() % 3 == 0) {
    sample.zones.resize(n);
    for (auto& zone : sample.zones) zone = random() % 4 == 0;
  }
  for (std::int64_t u = 0; u < n; ++u) {
    for (int k = 0; k < arcs; ++k) {
      const auto shift =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * reach + 1)) - reach;
      const std::int64_t v = ((u + shift) % n + n) % n;
      if (random() % 4 == 0 || (negative && u == v)) continue;
      sample.indices.push_back(static_cast<std::int32_t>(v));
      sample.weights.push_back(static_cast<std::int32_t>(random() % 50) + height[u] - height[v]);
    }
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  }
  return sample;
}

std::vector<std::int64_t> expected_row(const Sample& sample, std::int64_t source) {
  std::vector<std::int64_t> row(sample.n, kNone);
  row[source] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t u = 0; u < sample.n; ++u) {
      if (row[u] == kNone || (u != source && !sample.zones.empty() && sample.zones[u])) continue;
      for (std::int64_t a = sample.indptr[u]; a < sample.indptr[u + 1]; ++a) {
        if (row[u] + sample.weights[a] >= row[sample.indices[a]]) continue;
        row[sample.indices[a]] = row[u] + sample.weights[a];
        changed = true;
      }
    }
  }
  return row;
}

template <class T>
void check_measures(const Sample& sample, const Factored<T>& factored,
                    const std::vector<std::int32_t>& sources) {
  const std::size_t count = sources.size();
  tests::OwnedSums found(static_cast<std::int64_t>(count));
  Control control;
  CHECK(measure_rows<T>(factored, sources.data(), static_cast<std::int64_t>(count), T{90}, found.view(), 2,
                        control));
  for (std::size_t i = 0; i < count; ++i) {
    const auto truth = expected_row(sample, sources[i]);
    std::int64_t seen = 0, sum = 0, most = 0;
    std::int32_t last = -1;
    double parts = 0;
    for (std::int64_t v = 0; v < sample.n; ++v) {
      if (truth[v] > 90) continue;
      ++seen;
      sum += truth[v];
      parts += truth[v] == 0 ? 0 : 1.0 / static_cast<double>(truth[v]);
      if (last >= 0 && truth[v] <= most) continue;
      if (last < 0 && truth[v] < most) continue;
      most = truth[v];
      last = static_cast<std::int32_t>(v);
    }
    CHECK(found.reached[i] == seen && found.total[i] == sum);
    CHECK(found.largest[i] == most && found.farthest[i] == last);
    CHECK(std::abs(found.reciprocals[i] - parts) <=
          1e-12 * (1 + std::abs(parts)) * static_cast<double>(seen));
  }
}

// Every source with every target, in an order that has neither sorted.
template <class T>
void check_pairs(const Sample& sample, const Factored<T>& factored, const std::vector<std::int32_t>& sources,
                 const std::vector<std::int32_t>& targets) {
  std::vector<std::int32_t> from, to;
  for (const std::int32_t target : targets) {
    from.insert(from.end(), sources.begin(), sources.end());
    to.insert(to.end(), sources.size(), target);
  }
  const auto count = static_cast<std::int64_t>(from.size());
  std::vector<T> dist(from.size(), T{7});
  Control control;
  Team team(2);
  fill_pairs(factored, from.data(), to.data(), count, dist.data(), team, control);
  CHECK(control.done() == count);
  Control labelling, labelled;
  const Labels<T> labels(factored, is_mirrored(factored.tree, factored.values), team, labelling);
  CHECK(labelling.done() == sample.n);
  std::vector<T> others(from.size(), T{7});
  labels.fill(from.data(), to.data(), count, others.data(), team, labelled);
  CHECK(labelled.done() == count);
  for (std::size_t j = 0; j < sources.size(); ++j) {
    const auto truth = expected_row(sample, sources[j]);
    for (std::size_t i = j; i < from.size(); i += sources.size()) {
      const T wanted = truth[to[i]] == kNone ? semiring::kNoPath<T> : static_cast<T>(truth[to[i]]);
      CHECK(dist[i] == wanted);
      CHECK(others[i] == wanted);
    }
  }
}

template <class T>
void check_factor(const Sample& sample, const Tree& tree, std::int64_t step) {
  Control control;
  Team team(2);
  const TreeView view = tree.view();
  std::vector<T> values(static_cast<std::size_t>(view.entries()));
  const std::int64_t bad =
      factorise<T>(view, sample.arcs(), sample.closed(), sample.nonnegative, values.data(), team, control);
  CHECK(bad < 0);
  const Factored<T> factored{view, values.data(), sample.arcs(), sample.closed(), sample.nonnegative};
  std::vector<std::int32_t> sources, targets;
  for (std::int64_t v = 0; v < sample.n; v += step)
    sources.push_back(static_cast<std::int32_t>(sample.n - 1 - v));
  for (std::int64_t v = 0; v < sample.n; v += 3)
    targets.push_back(static_cast<std::int32_t>((7 * v) % sample.n));
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 4) check_measures(sample, factored, sources);
  const std::vector<Vertex> place = places_of(view), node = nodes_of(view);
  PairSearch<T> climbing(factored, place, node, is_mirrored(view, values.data()));
  PairSearch<T> descending(factored, place, node, false);
  check_pairs(sample, factored, sources, targets);
  for (const int some : {0, 1, 2}) {  // all targets, a third of them, and few between few: see TreePart
    rows::RowRequest<T> request;
    request.sources = sources.data();
    request.count =
        static_cast<std::int64_t>(some < 2 ? sources.size() : std::min<std::size_t>(sources.size(), 2));
    request.targets = some ? targets.data() : nullptr;
    request.columns = some == 0   ? sample.n
                      : some == 1 ? static_cast<std::int64_t>(targets.size())
                                  : std::min<std::int64_t>(static_cast<std::int64_t>(targets.size()), 3);
    std::vector<T> dist(sources.size() * static_cast<std::size_t>(request.columns), T{7});
    request.dist = dist.data();
    request.dist_stride = request.columns;
    CHECK(fill_rows(factored, request, 2, control));
    for (std::size_t i = 0; i < static_cast<std::size_t>(request.count); ++i) {
      const auto truth = expected_row(sample, sources[i]);
      for (std::int64_t j = 0; j < request.columns; ++j) {
        const std::int32_t target = some ? targets[j] : static_cast<std::int32_t>(j);
        const T wanted = truth[target] == kNone ? semiring::kNoPath<T> : static_cast<T>(truth[target]);
        CHECK(dist[i * static_cast<std::size_t>(request.columns) + static_cast<std::size_t>(j)] == wanted);
        if (some) CHECK(climbing.distance(sources[i], target) == wanted);
        if (some) CHECK(descending.distance(sources[i], target) == wanted);
      }
    }
  }
}

Tree tree_of(const Sample& sample, int threads) {
  Control control;
  Team team(threads);
  const Neighbours neighbours = neighbours_of(sample.csr());
  Tree tree = eliminate(neighbours, elimination_order(neighbours, INT64_MAX, Effort{}, team, control),
                        INT64_MAX, control);
  check_tree(tree.view(), static_cast<std::int64_t>(tree.rows.size()));
  return tree;
}

void check_sample(const Sample& sample, std::int64_t step) {
  const Tree tree = tree_of(sample, 1);
  CHECK(tree_of(sample, 2).order == tree.order);
  check_factor<std::int32_t>(sample, tree, step);
  check_factor<std::int64_t>(sample, tree, step);
  check_factor<float>(sample, tree, step);
  check_factor<double>(sample, tree, step);
  if (sample.nonnegative) check_factor<std::uint16_t>(sample, tree, step);
}

// The factors of several periods at once have the values of separate ones.
template <class T>
void check_periods(const Sample& sample, std::mt19937_64& random) {
  const Tree tree = tree_of(sample, 1);
  const TreeView view = tree.view();
  Control control;
  Team team(2);
  std::vector<Sample> samples(1 + random() % 70, sample);
  std::vector<graph::WeightedArcs> periods;
  for (Sample& each : samples) {
    for (auto& weight : each.weights) weight = static_cast<std::int32_t>(random() % 60);
    periods.push_back(each.arcs());
  }
  const std::int64_t size = view.entries(), stride = size + 3;
  std::vector<T> all(samples.size() * static_cast<std::size_t>(stride)), one(static_cast<std::size_t>(size));
  factorise_periods<T>(view, periods, sample.closed(), all.data(), stride, team, control);
  for (std::size_t p = 0; p < periods.size(); ++p) {
    CHECK(factorise<T>(view, periods[p], sample.closed(), true, one.data(), team, control) < 0);
    CHECK(std::equal(one.begin(), one.end(), all.begin() + static_cast<std::int64_t>(p) * stride));
  }
}

// The sample with rows that rise, as those of graphs do: of parallel arcs the last.
Sample risen(const Sample& sample) {
  Sample made = sample;
  made.indices.clear();
  made.weights.clear();
  for (std::int64_t v = 0; v < sample.n; ++v) {
    std::map<std::int32_t, std::int32_t> row;
    for (std::int64_t arc = sample.indptr[v]; arc < sample.indptr[v + 1]; ++arc)
      row[sample.indices[arc]] = sample.weights[arc];
    for (const auto& [head, weight] : row) {
      made.indices.push_back(head);
      made.weights.push_back(weight);
    }
    made.indptr[v + 1] = std::ssize(made.indices);
  }
  return made;
}

// Paths of pairs: those that are unpacked one by one are those of the table of all steps, and as long as the
// distances; loops are cut out.
template <class T>
void check_paths(const Sample& given, std::mt19937_64& random) {
  const Sample sample = risen(given);
  const Tree tree = tree_of(sample, 1);
  const TreeView view = tree.view();
  const std::int64_t entries = view.entries(), count = 200;
  std::vector<T> values(static_cast<std::size_t>(entries));
  Team team(2);
  Control control;
  CHECK(factorise<T>(view, sample.arcs(), sample.closed(), sample.nonnegative, values.data(), team, control) <
        0);
  const Factored<T> factored{view, values.data(), sample.arcs(), sample.closed(), sample.nonnegative};
  const Places places(view);
  const Children children(view);
  std::vector<Step> steps(values.size());
  std::vector<std::int32_t> arcs(values.size());
  explain(factored, steps.data(), team, control);
  count_arcs(steps.data(), entries, sample.n, arcs.data(), control);
  std::vector<Vertex> ends[2];
  for (auto& each : ends)
    for (std::int64_t i = 0; i < count; ++i)
      each.push_back(static_cast<Vertex>(random() % static_cast<std::uint64_t>(sample.n)));
  std::vector<std::vector<std::int32_t>> found;
  std::vector<T> dist(count);
  for (const bool at_once : {false, true}) {
    Routes routes =
        find_routes(factored, places, children, false, at_once ? arcs.data() : nullptr, ends[0].data(),
                    ends[1].data(), count, dist.data(), at_once, INT64_MAX, team, control);
    std::vector<std::int64_t> offsets{0};
    for (const std::int64_t length : routes.length) offsets.push_back(offsets.back() + length);
    std::vector<std::int32_t> vertices(static_cast<std::size_t>(offsets.back()));
    unfold({routes.start.data(), routes.entry.data(), routes.length.data(), count}, steps.data(), arcs.data(),
           entries, ends[0].data(), true, offsets.data(), vertices.data(), team, control);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto first = vertices.begin() + offsets[i];
      std::vector<std::int32_t> path(first, first + routes.length[i]);
      if (at_once) CHECK(path == found[i]);
      found.push_back(std::move(path));
    }
  }
  bool thrown = false;
  try {
    find_routes<T>(factored, places, children, false, nullptr, ends[0].data(), ends[1].data(), count,
                   dist.data(), false, 1, team, control);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  CHECK(thrown || std::all_of(found.begin(), found.end(), [](const auto& path) { return path.size() < 2; }));
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t length = expected_row(sample, ends[0][i])[ends[1][i]];
    const std::vector<std::int32_t>& path = found[i];
    CHECK(path.empty() == (length == kNone));
    if (path.empty()) continue;
    CHECK(path.front() == ends[0][i] && path.back() == ends[1][i]);
    CHECK(std::set(path.begin(), path.end()).size() == path.size());
    std::int64_t sum = 0;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      const auto begin = sample.indices.begin() + sample.indptr[path[k]],
                 end = sample.indices.begin() + sample.indptr[path[k] + 1],
                 arc = std::lower_bound(begin, end, path[k + 1]);
      CHECK(arc != end && *arc == path[k + 1]);
      CHECK(k == 0 || sample.zones.empty() || !sample.zones[path[k]]);
      sum += sample.weights[arc - sample.indices.begin()];
    }
    CHECK(sum == length);
  }
}

// Weights that change a few at a time, up and down, and arcs that close and open, yield the values of a fresh
// factor.
template <class T>
void check_changes(const Sample& given, std::mt19937_64& random) {
  Sample sample = risen(given);
  const Tree tree = tree_of(sample, 1);
  const TreeView view = tree.view();
  const Sample whole = sample;
  const Assembly assembly(view, whole.csr());
  Changes<T> changes(assembly);
  Control control;
  Team team(1), two(2);
  const auto size = static_cast<std::size_t>(view.entries());
  std::vector<T> values(size), fresh(size);
  const auto take = [&] {
    CHECK(changes.take(sample.arcs(), whole.csr().m) >= 0);
    CHECK(factorise<T>(view, sample.arcs(), sample.closed(), true, fresh.data(), team, control) < 0);
  };
  take();
  changes.all(values.data(), two, control);
  CHECK(values == fresh);
  for (int round = 0; round < 30; ++round) {
    const std::vector<T> before = values;
    if (round % 5 == 4) {  // another part of the arcs
      sample.indices.clear();
      sample.weights.clear();
      for (std::int64_t v = 0; v < whole.n; ++v) {
        for (std::int64_t arc = whole.indptr[v]; arc < whole.indptr[v + 1]; ++arc) {
          if (random() % 20 == 0) continue;
          sample.indices.push_back(whole.indices[arc]);
          sample.weights.push_back(whole.weights[arc]);
        }
        sample.indptr[v + 1] = std::ssize(sample.indices);
      }
    } else {
      const std::uint64_t most = round % 4 == 3 ? 40 : 5;  // several threads take many changes alone
      for (std::uint64_t i = 0; i < 1 + random() % most && !sample.indices.empty(); ++i)
        sample.weights[random() % sample.indices.size()] =
            static_cast<std::int32_t>(random() % (round % 3 == 0 ? 3 : 60));
    }
    take();
    bool complete = false;
    const std::vector<Vertex> renewed = changes.some(1e18, values.data(), 1 + round % 3, control, complete);
    CHECK(complete && values == fresh);
    for (std::int64_t s = 0; s < view.nodes; ++s) {
      const auto start = before.begin() + view.panel_start[s], end = before.begin() + view.panel_start[s + 1];
      CHECK(std::equal(start, end, values.begin() + view.panel_start[s]) ==
            (std::find(renewed.begin(), renewed.end(), s) == renewed.end()));
    }
  }
  if (sample.indices.size() > 50) {
    for (auto& weight : sample.weights) weight += 1;
    take();
    bool complete = true;
    changes.some(1, values.data(), 2, control, complete);
    CHECK(!complete);
    changes.all(values.data(), two, control);
    CHECK(values == fresh);
  }
}

void check_negative_cycle() {
  const Sample ring{4, {0, 1, 2, 3, 4}, {1, 2, 3, 0}, {4, -7, 2, 0}, {}, false};
  const Tree tree = tree_of(ring, 1);
  std::vector<std::int32_t> values(static_cast<std::size_t>(tree.view().entries()));
  Team team(1);
  Control control;
  CHECK(factorise<std::int32_t>(tree.view(), ring.arcs(), nullptr, false, values.data(), team, control) >= 0);
}

void check_limits() {
  std::mt19937_64 random(5);
  const Sample sample = random_sample(random, 800, 400, 6, false);
  const Neighbours neighbours = neighbours_of(sample.csr());
  Team team(2);
  Control control;
  CHECK(elimination_order(neighbours, 5, Effort{}, team, control).empty());
  CHECK(
      eliminate(neighbours, elimination_order(neighbours, INT64_MAX, Effort{}, team, control), 1000, control)
          .parent.empty());
  control.cancel();
  bool stopped = false;
  try {
    elimination_order(neighbours, INT64_MAX, Effort{}, team, control);
  } catch (const Cancelled&) {
    stopped = true;
  }
  CHECK(stopped);
}

// A grid; every arc in both directions, in ascending order, with the same weight.
Sample grid(std::int64_t side) {
  Sample sample{side * side, {0}, {}, {}, {}, true};
  for (std::int64_t v = 0; v < sample.n; ++v) {
    for (const std::int64_t u : {v - side, v - 1, v + 1, v + side}) {
      if (u < 0 || u >= sample.n || (u / side != v / side && u % side != v % side)) continue;
      sample.indices.push_back(static_cast<std::int32_t>(u));
      sample.weights.push_back(static_cast<std::int32_t>(1 + (u * v + u + v) % 40));
    }
    sample.indptr.push_back(static_cast<std::int64_t>(sample.indices.size()));
  }
  return sample;
}

// Large enough for several blocks of vertices to be contracted at the same time.
void check_teams() {
  const Sample sample = grid(95);
  const Tree tree = tree_of(sample, 1);
  CHECK(tree.view().entries() < 120 * sample.n);
  for (const int threads : {2, 5}) {
    const Tree again = tree_of(sample, threads);
    CHECK(again.order == tree.order && again.first == tree.first && again.rows == tree.rows);
  }
}

// Undirected graphs without zones have mirrored factors: their targets climb.
void check_mirrored() {
  Sample sample = grid(13);
  const Tree tree = tree_of(sample, 1);
  const auto mirrored = [&] {
    std::vector<std::int32_t> values(static_cast<std::size_t>(tree.view().entries()));
    Team team(1);
    Control control;
    factorise<std::int32_t>(tree.view(), sample.arcs(), sample.closed(), true, values.data(), team, control);
    return is_mirrored(tree.view(), values.data());
  };
  CHECK(mirrored());
  check_sample(sample, 5);
  sample.weights[17] = 0;
  CHECK(!mirrored());
  check_sample(sample, 5);
}

void check_neighbours(const Sample& sample) {
  const Neighbours found = neighbours_of(sample.csr());
  std::vector<std::set<Vertex>> wanted(sample.n);
  for (std::int64_t tail = 0; tail < sample.n; ++tail) {
    for (std::int64_t arc = sample.indptr[tail]; arc < sample.indptr[tail + 1]; ++arc) {
      if (sample.indices[arc] == tail) continue;
      wanted[tail].insert(sample.indices[arc]);
      wanted[sample.indices[arc]].insert(static_cast<Vertex>(tail));
    }
  }
  for (Vertex v = 0; v < static_cast<Vertex>(sample.n); ++v)
    CHECK(std::equal(found.begin(v), found.end(v), wanted[v].begin(), wanted[v].end()));
}

void check_all_neighbours() {
  check_neighbours(grid(7));
  check_neighbours({0, {0}, {}, {}, {}, true});
  check_neighbours({3, {0, 2, 3, 4}, {1, 2, 0, 0}, {1, 1, 1, 1}, {}, true});
  check_neighbours({3, {0, 2, 3, 4}, {2, 1, 0, 0}, {1, 1, 1, 1}, {}, true});  // not ascending
  check_neighbours({2, {0, 2, 4}, {1, 1, 0, 0}, {1, 1, 1, 1}, {}, true});     // parallel
  check_neighbours({2, {0, 2, 4}, {0, 1, 0, 1}, {1, 1, 1, 1}, {}, true});     // loops
  check_neighbours({3, {0, 1, 2, 3}, {1, 2, 0}, {1, 1, 1}, {}, true});        // one way
  check_neighbours({3, {0, 1, 3, 4}, {1, 0, 2, 0}, {1, 1, 1, 1}, {}, true});  // nearly
  check_neighbours({4, {0, 1, 2, 4, 4}, {1, 0, 1, 3}, {1, 1, 1, 1}, {}, true});
}

}  // namespace

int main() {
  check_all_neighbours();
  check_teams();
  check_mirrored();
  std::mt19937_64 random(1);
  for (int round = 0; round < 40; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 120);
    const auto reach = static_cast<std::int64_t>(1 + random() % 8);
    check_sample(random_sample(random, n, reach, static_cast<int>(1 + random() % 4), round % 2 == 1), 5);
  }
  for (int round = 0; round < 12; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 300);
    const auto reach = static_cast<std::int64_t>(1 + random() % 12);
    const Sample sample = random_sample(random, n, reach, static_cast<int>(1 + random() % 4), false);
    check_changes<std::int32_t>(sample, random);
    check_changes<std::uint16_t>(sample, random);
    check_changes<double>(sample, random);
    check_periods<std::uint16_t>(sample, random);
    check_periods<std::int32_t>(sample, random);
    check_periods<std::int64_t>(sample, random);
  }
  for (int round = 0; round < 24; ++round) {
    const auto n = static_cast<std::int64_t>(1 + random() % 200);
    Sample sample = random_sample(random, n, 8, static_cast<int>(1 + random() % 4), round % 3 == 2);
    if (round % 3 == 1)
      for (auto& weight : sample.weights) weight %= 3;
    if (sample.nonnegative) check_paths<std::uint16_t>(sample, random);
    check_paths<std::int32_t>(sample, random);
    check_paths<double>(sample, random);
  }
  check_paths<std::int32_t>(grid(40), random);
  check_periods<std::uint16_t>(grid(40), random);
  check_changes<std::int32_t>(grid(40), random);
  check_sample(random_sample(random, 1500, 20, 4, false), 300);
  check_sample(random_sample(random, 500, 250, 8, true), 100);
  check_negative_cycle();
  check_limits();
  return 0;
}
