// Rows of distances from the factor of an elimination, some sources at a time; then every target looks for
// its path: the arcs of one path to each vertex form a tree, of which only the part that leads to targets is
// read, from the targets up and, to add up flows, again from its leaves.
#include <algorithm>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "flows/flows.hpp"
#include "flows/ordered_sums.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/team.hpp"

namespace apsp::flows {
namespace {

constexpr std::int64_t kSources = 16;           // in a batch, whose flows are added up apart
constexpr std::int64_t kRowBytes = 256 << 20;   // of a block of sources
constexpr std::int64_t kFew = 64, kMany = 512;  // sources of a block

// Arcs by head, then by tail, then as in the graph.
template <class T>
struct Incoming {
  std::vector<std::int64_t> start, number;
  std::vector<std::int32_t> tail;
  std::vector<T> weight;

  Incoming(const graph::Csr& graph, const T* weights)
      : start(graph.n + 1), number(graph.m), tail(graph.m), weight(graph.m) {
    for (std::int64_t a = 0; a < graph.m; ++a) ++start[graph.indices[a] + 1];
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    for (std::int64_t u = 0; u < graph.n; ++u)
      for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
        const std::int64_t at = next[graph.indices[a]]++;
        number[at] = a;
        tail[at] = static_cast<std::int32_t>(u);
        weight[at] = weights[a];
      }
  }

  // The arc (as an index into these arrays) by which v is reached: from the smallest predecessor, the last of
  // parallel arcs.
  std::int64_t arc_to(std::int32_t v, const T* dist) const {
    std::int64_t found = -1;
    for (std::int64_t i = start[v]; i < start[v + 1]; ++i) {
      if (found >= 0 && tail[i] != tail[found]) break;
      const T near = dist[tail[i]];
      if (near < dist[v] && dist[v] - near == weight[i]) found = i;
    }
    return found;
  }
};

// One thread's arrays; flows of one source at a time.
template <class T>
class FirstPaths {
 public:
  FirstPaths(const Incoming<T>& incoming, const Demand& demand, const Flows& flows, std::int64_t n)
      : incoming_(incoming),
        demand_(demand),
        flows_(flows),
        n_(n),
        arc_(n, kUnseen),
        below_(n),
        onward_(n),
        ends_(n) {}

  // row: number of the source in the demand.
  void run(std::int64_t row, const T* dist, FlowPart& part) {
    source_ = demand_.sources[row];
    served_ = 0;
    part_ = part.values.data();
    arc_[source_] = kSource;
    if (demand_.to != nullptr) {
      for (std::int32_t v = 0; v < n_; ++v) begin(v, demand_.to[v], dist);
    } else {
      for (std::int64_t i = demand_.start[row]; i < demand_.start[row + 1]; ++i)
        begin(demand_.targets[i], demand_.values[i], dist);
    }
    for (const std::int32_t v : seen_)
      if (below_[v] == 0) carry(v);
    for (const std::int32_t v : seen_) {
      arc_[v] = kUnseen;
      onward_[v] = ends_[v] = 0;
      below_[v] = 0;
    }
    arc_[source_] = kUnseen;
    below_[source_] = 0;
    seen_.clear();
    flows_.served[row] = served_;
  }

 private:
  static constexpr std::int64_t kUnseen = -1, kSource = -2;

  void begin(std::int32_t target, double amount, const T* dist) {
    if (target == source_ || amount == 0 || dist[target] >= semiring::kNoPath<T>) return;
    ends_[target] = amount;
    part_[n_ + target] += amount;
    served_ += amount;
    for (std::int32_t v = target; arc_[v] == kUnseen;) {
      const std::int64_t arc = incoming_.arc_to(v, dist);
      if (arc < 0) throw std::invalid_argument("the factor must be that of the weights");
      arc_[v] = arc;
      seen_.push_back(v);
      v = incoming_.tail[arc];
      ++below_[v];
    }
  }

  // From a leaf towards the source, as far as all flows from below are known.
  void carry(std::int32_t v) {
    for (;;) {
      const double sum = onward_[v] + ends_[v];
      part_[v] += onward_[v];
      if (flows_.along != nullptr) part_[2 * n_ + incoming_.number[arc_[v]]] += sum;
      below_[v] = -1;  // done
      v = incoming_.tail[arc_[v]];
      if (v == source_) return;
      onward_[v] += sum;
      if (--below_[v] > 0) return;
    }
  }

  const Incoming<T>& incoming_;
  const Demand& demand_;
  const Flows& flows_;
  std::int64_t n_;
  std::vector<std::int64_t> arc_;    // by which a vertex is reached, or why there is none
  std::vector<std::int32_t> below_;  // vertices that are reached from a vertex and are not done
  std::vector<double> onward_, ends_;
  std::vector<std::int32_t> seen_;
  std::int32_t source_ = 0;
  double served_ = 0;
  double* part_ = nullptr;
};

}  // namespace

template <class T>
void first_by_elimination(const elimination::Factored<T>& factored, const graph::Csr& graph, const T* weights,
                          const Demand& demand, T cutoff, const Flows& flows, int threads, Control& control) {
  const std::int64_t n = graph.n, m = flows.along != nullptr ? graph.m : 0;
  const Incoming<T> incoming(graph, weights);
  const std::vector<std::int32_t> place = elimination::places_of(factored.tree);
  std::vector<std::int64_t> sequence(demand.count);  // sources that are close in the tree are swept together
  std::iota(sequence.begin(), sequence.end(), std::int64_t{0});
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::int64_t a, std::int64_t b) {
    return place[demand.sources[a]] < place[demand.sources[b]];
  });
  const std::int64_t fitting = kRowBytes / std::max<std::int64_t>(n * std::int64_t{sizeof(T)}, 1);
  const std::int64_t most = std::min(std::clamp(fitting / kFew * kFew, kFew, kMany), demand.count);
  const auto dist = on_large_pages<T>(most * n);
  Team team(threads);
  OrderedSums sums(n, m, nullptr, team.size());
  std::vector<std::unique_ptr<FirstPaths<T>>> members(team.size());
  std::vector<std::int32_t> sources(most);
  for (std::int64_t first = 0; first < demand.count; first += most) {
    const std::int64_t here = std::min(most, demand.count - first);
    for (std::int64_t i = 0; i < here; ++i) sources[i] = demand.sources[sequence[first + i]];
    rows::RowRequest<T> request;
    request.sources = sources.data();
    request.count = here;
    request.columns = n;
    request.cutoff = cutoff;
    request.dist = dist.get();
    request.dist_stride = n;
    elimination::fill_rows(factored, request, threads, control);
    team.parallel_for((here + kSources - 1) / kSources, [&](std::int64_t index, int member) {
      try {
        if (!members[member]) members[member] = std::make_unique<FirstPaths<T>>(incoming, demand, flows, n);
        OrderedSums::Part part = sums.take();
        for (std::int64_t i = index * kSources; i < std::min(here, (index + 1) * kSources); ++i) {
          control.check();
          members[member]->run(sequence[first + i], dist.get() + i * n, *part);
        }
        sums.give(first / kSources + index, std::move(part));
      } catch (...) {
        sums.stop();
        throw;
      }
    });
  }
  for (std::int64_t v = 0; v < n; ++v) {
    flows.through[v] = sums[v];
    flows.arrived[v] = sums[n + v];
  }
  for (std::int64_t a = 0; a < m; ++a) flows.along[a] = sums[2 * n + a];
}

#define APSP_INSTANTIATE(T)                                                                           \
  template void first_by_elimination<T>(const elimination::Factored<T>&, const graph::Csr&, const T*, \
                                        const Demand&, T, const Flows&, int, Control&);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::flows
