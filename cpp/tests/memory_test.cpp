// Every kernel family without memory: the k-th allocation fails, or it and all that follow, for every k. The
// kernel either works without it or throws std::bad_alloc, and no memory stays allocated.
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "alternatives/via_paths.hpp"
#include "batch/batch.hpp"
#include "bit_bfs/bit_bfs.hpp"
#include "closure/closure.hpp"
#include "elimination/dissection.hpp"
#include "elimination/measures.hpp"
#include "elimination/pairs.hpp"
#include "elimination/rows.hpp"
#include "elimination/skims.hpp"
#include "elimination/tree.hpp"
#include "facts/condensation.hpp"
#include "flows/counts.hpp"
#include "flows/flows.hpp"
#include "floyd_warshall/floyd_warshall.hpp"
#include "graph/build.hpp"
#include "graph/text.hpp"
#include "label_correcting/label_correcting.hpp"
#include "pareto/pareto.hpp"
#include "paths/next_hops.hpp"
#include "paths/predecessors.hpp"
#include "paths/trees.hpp"
#include "paths/verify.hpp"
#include "places/line_tree.hpp"
#include "published/plain_floyd_warshall.hpp"
#include "reductions/nearest.hpp"
#include "reductions/rows.hpp"
#include "searches/bfs.hpp"
#include "searches/departures.hpp"
#include "searches/dijkstra.hpp"
#include "searches/johnson.hpp"
#include "searches/potentials.hpp"
#include "searches/profiles.hpp"
#include "searches/skims.hpp"
#include "simple_paths/simple_paths.hpp"
#include "tests/check.hpp"
#include "tests/failing_allocations.hpp"
#include "tests/owned_sums.hpp"
#include "walks/walks.hpp"

namespace {

using namespace apsp;

// A grid with weights, arcs in both directions and ascending order.
struct Grid {
  std::int64_t n;
  std::vector<std::int64_t> indptr{0}, weights;
  std::vector<std::int32_t> indices, narrow;

  explicit Grid(std::int64_t side) : n(side * side) {
    for (std::int64_t v = 0; v < n; ++v) {
      for (const std::int64_t u : {v - side, v - 1, v + 1, v + side}) {
        if (u < 0 || u >= n || (u / side != v / side && u % side != v % side)) continue;
        indices.push_back(static_cast<std::int32_t>(u));
        weights.push_back(1 + (v * 7 + u * 3) % 11);
      }
      indptr.push_back(static_cast<std::int64_t>(indices.size()));
    }
    narrow.assign(weights.begin(), weights.end());
  }
  graph::Csr csr() const {
    return {n, indptr.data(), indices.data(), static_cast<std::int64_t>(indices.size()), nullptr};
  }
  graph::WeightedArcs arcs() const {
    return {n, indptr.data(), indices.data(), narrow.data(), graph::WeightType::kInt32};
  }
  closure::Digraph digraph() const { return {n, indptr.data(), indices.data()}; }
};

template <class T>
struct Output {
  std::vector<std::int32_t> sources, pred;
  std::vector<T> dist;
  rows::RowRequest<T> request;

  explicit Output(std::int64_t n) : sources(n), pred(n * n), dist(n * n) {
    for (std::int64_t v = 0; v < n; ++v) sources[v] = static_cast<std::int32_t>(v);
    request.sources = sources.data();
    request.count = request.columns = request.dist_stride = request.pred_stride = n;
    request.dist = dist.data();
    request.pred = pred.data();
  }
};

template <class T>
void check_searches(const Grid& grid, const std::string& type) {
  const std::vector<T> weights(grid.weights.begin(), grid.weights.end());
  Output<T> out(grid.n);
  for (const auto queue : {searches::QueueKind::kHeap, searches::QueueKind::kBuckets})
    check_job(("dijkstra " + type).c_str(), [&] {
      Control control;
      searches::dijkstra_rows(grid.csr(), weights.data(), out.request, queue, 3, control);
    });
  check_job(("label correcting " + type).c_str(), [&] {
    Control control;
    label_correcting::label_solver<T>(grid.csr(), weights.data())->rows(out.request, 3, control);
  });
  if constexpr (std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int32_t>) {
    tests::OwnedSums sums(grid.n);
    check_job(("sums of labels " + type).c_str(), [&] {
      Control control;
      label_correcting::label_solver<T>(grid.csr(), weights.data())
          ->sums(out.request, sums.view(), 3, control);
    });
  }
  check_job(("bfs " + type).c_str(), [&] {
    Control control;
    searches::bfs_rows(grid.csr(), out.request, 3, control);
  });
  check_job(("bit-bfs " + type).c_str(), [&] {
    Control control;
    bit_bfs::bit_bfs_rows(grid.csr(), out.request, 3, control);
  });
}

void check_johnson(const Grid& grid) {
  std::vector<std::int64_t> reduced(grid.weights.size()), height(grid.n);
  Output<std::int64_t> out(grid.n);
  check_job("johnson of integers", [&] {
    Control control;
    searches::potentials(grid.csr(), grid.weights.data(), reduced.data(), height.data(), control);
    searches::johnson_rows<std::int64_t, std::int64_t>(grid.csr(), reduced.data(), height.data(), out.request,
                                                       3, control);
    label_correcting::label_solver<std::int64_t>(grid.csr(), reduced.data(), height.data())
        ->rows(out.request, 3, control);
  });
  const std::vector<std::int64_t> ring_start{0, 1, 2, 3}, ring_weights{4, -7, 2};
  const std::vector<std::int32_t> ring_heads{1, 2, 0};
  const graph::Csr ring{3, ring_start.data(), ring_heads.data(), 3, nullptr};
  check_job("a negative cycle", [&] {
    Control control;
    CHECK(searches::potentials(ring, ring_weights.data(), reduced.data(), height.data(), control).size() ==
          3);
  });
}

void check_dense(const Grid& grid) {
  const std::int64_t n = grid.n;
  std::vector<std::int32_t> dist(n * n), pred(n * n);
  const graph::Matrix<std::int32_t> page{dist.data(), n, n, n}, before{pred.data(), n, n, n};
  check_job("floyd-warshall", [&] {
    Control control;
    Team team(3);
    graph::fill<std::int32_t>(page, 0, 0, grid.arcs(), semiring::Algebra::kMinPlus, nullptr, team, control);
    const auto& kernels = floyd_warshall::kernels<std::int32_t>(semiring::Algebra::kMinPlus, true);
    floyd_warshall::close(page, kernels, team, control);
    floyd_warshall::update(page, page, page, kernels, team, control);
    paths::predecessors<std::int32_t>(page, before, grid.arcs(), semiring::Algebra::kMinPlus, true, nullptr,
                                      team, control);
  });
  std::vector<std::int32_t> to(dist.size()), status(1);
  check_job("a batch", [&] {
    Control control;
    Team team(3);
    batch::close_batch<std::int32_t>({dist.data(), 1, n, n * n, n}, {to.data(), 1, n, n * n, n}, nullptr,
                                     semiring::Algebra::kMinPlus, 1 << 20, status.data(), team, control);
  });
  std::vector<closure::Word> words(static_cast<std::size_t>(n * ((n + 63) / 64)));
  for (const auto method : {closure::Method::kComponents, closure::Method::kFourRussians})
    check_job("closure", [&] {
      Control control;
      Team team(3);
      closure::close_graph({words.data(), n, n, (n + 63) / 64}, grid.digraph(), method, team, control);
    });
}

void check_elimination(const Grid& grid) {
  Output<std::int32_t> out(grid.n);
  out.request.pred = nullptr;
  tests::OwnedSums sums(grid.n);
  check_job("elimination", [&] {
    Control control;
    Team team(3);
    const auto neighbours = elimination::neighbours_of(grid.csr());
    const elimination::Tree tree = elimination::eliminate(
        neighbours,
        elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control),
        INT64_MAX, control);
    const elimination::TreeView view = tree.view();
    std::vector<std::int32_t> values(static_cast<std::size_t>(view.entries()));
    elimination::factorise<std::int32_t>(view, grid.arcs(), nullptr, true, values.data(), team, control);
    const elimination::Factored<std::int32_t> factored{view, values.data(), grid.arcs(), nullptr, true};
    elimination::fill_rows(factored, out.request, 3, control);
    elimination::fill_pairs(factored, out.sources.data(), out.sources.data(), grid.n, out.dist.data(), team,
                            control);
    elimination::measure_rows<std::int32_t>(factored, out.sources.data(), grid.n,
                                            semiring::kNoPath<std::int32_t>, sums.view(), 3, control);
  });
}

void check_skims(const Grid& grid) {
  const Output<std::int32_t> ends(grid.n);
  std::vector<semiring::Costs<4>> costs;
  for (const std::int64_t weight : grid.weights) costs.push_back({static_cast<double>(weight), 1, 2});
  std::vector<double> found(static_cast<std::size_t>(3 * grid.n * grid.n));
  const semiring::CostMatrices out{found.data(), 3, grid.n, grid.n};
  check_job("skims", [&] {
    Control control;
    Team team(3);
    const elimination::Tree tree = elimination::eliminate(
        elimination::neighbours_of(grid.csr()),
        elimination::elimination_order(elimination::neighbours_of(grid.csr()), INT64_MAX,
                                       elimination::Effort{}, team, control),
        INT64_MAX, control);
    const elimination::CostArcs arcs{grid.csr(), costs.data()->at, 3};
    std::vector<double> first(static_cast<std::size_t>(tree.view().entries())), others(3 * first.size());
    const elimination::CostFactor factor{first.data(), others.data(), 3};
    elimination::factorise_costs(tree.view(), arcs, factor, team, control);
    elimination::fill_skims(tree.view(), arcs, factor, ends.sources.data(), ends.sources.data(), out, team,
                            control);
    searches::fill_skims<4>(grid.csr(), costs.data(), ends.sources.data(), ends.sources.data(), out, 3,
                            control);
  });
}

void check_flows(const Grid& grid) {
  const Output<std::int32_t> ends(grid.n);
  const std::vector<double> ones(static_cast<std::size_t>(grid.n), 1);
  const std::vector<double> lengths(grid.weights.begin(), grid.weights.end());
  std::vector<double> through(ones), arrived(ones), served(ones), along(lengths);
  const flows::Demand demand{.sources = ends.sources.data(), .count = grid.n, .to = ones.data()};
  const flows::Flows out{through.data(), arrived.data(), served.data(), along.data()};
  std::vector<double> rounded(static_cast<std::size_t>(grid.n * grid.n));
  std::vector<std::uint64_t> exact(rounded.size());
  check_job("flows", [&] {
    Control control;
    Team team(3);
    const auto neighbours = elimination::neighbours_of(grid.csr());
    const elimination::Tree tree = elimination::eliminate(
        neighbours,
        elimination::elimination_order(neighbours, INT64_MAX, elimination::Effort{}, team, control),
        INT64_MAX, control);
    CHECK(flows::flows_by_elimination(tree.view(), grid.csr(), lengths.data(), demand, 1e9, out, 3, control));
    flows::flows_by_hops(grid.csr(), demand, grid.n, out, 3, control);
    for (const auto ties : {flows::Ties::kSplit, flows::Ties::kFirst})
      flows::flows_by_length<std::int32_t>(grid.csr(), grid.narrow.data(), nullptr, demand,
                                           semiring::kNoPath<std::int32_t>, ties, out, 3, control);
  });
  check_job("counts", [&] {
    Control control;
    const auto count = [&](auto& rows) {
      using Number = std::remove_reference_t<decltype(rows[0])>;
      const flows::Counts<Number> counts{.sources = ends.sources.data(),
                                         .count = grid.n,
                                         .columns = grid.n,
                                         .paths = rows.data(),
                                         .stride = grid.n};
      if constexpr (std::is_same_v<Number, double>) flows::counts_by_hops(grid.csr(), 9, counts, 3, control);
      flows::counts_by_length<std::int32_t>(grid.csr(), grid.narrow.data(), nullptr,
                                            semiring::kNoPath<std::int32_t>, counts, 3, control);
    };
    count(rounded);
    count(exact);
    flows::tied_predecessors<std::int32_t>(grid.csr(), grid.narrow.data(), 0, semiring::kNoPath<std::int32_t>,
                                           control);
  });
}

void check_paths(const Grid& grid) {
  Output<std::int32_t> out(grid.n);
  Control all;
  searches::dijkstra_rows(grid.csr(), grid.narrow.data(), out.request, searches::QueueKind::kHeap, 1, all);
  std::vector<std::int32_t> other(out.pred.size());
  check_job("paths", [&] {
    Control control;
    paths::Claim<std::int32_t> claim;
    claim.sources = out.sources.data();
    claim.rows = claim.dist_stride = claim.pred_stride = grid.n;
    claim.dist = out.dist.data();
    claim.pred = out.pred.data();
    CHECK(paths::verify_rows(grid.csr(), grid.weights.data(), claim, {}, 3, control).row == -1);
    paths::next_hops(out.pred.data(), grid.n, grid.n, grid.n, other.data(), grid.n, 3, control);
    paths::trees<std::int32_t>(grid.csr(), grid.arcs(), out.sources.data(),
                               {out.dist.data(), grid.n, grid.n, grid.n},
                               {other.data(), grid.n, grid.n, grid.n}, 3, control);
  });
  std::vector<reductions::RowNumbers<std::int32_t>> numbers(static_cast<std::size_t>(grid.n));
  std::vector<std::int32_t> columns(static_cast<std::size_t>(grid.n * 5)), distances(columns.size());
  check_job("sums", [&] {
    Control control;
    reductions::Histogram histogram(10, true);
    reductions::reduce_rows<std::int32_t>({out.dist.data(), grid.n, grid.n, grid.n}, numbers.data(), true,
                                          &histogram, 3, control);
    reductions::nearest<std::int32_t>({out.dist.data(), grid.n, grid.n, grid.n}, out.sources.data(), 5,
                                      columns.data(), distances.data(), 3, control);
  });
}

void check_places() {
  std::vector<double> begins, ends;
  for (int k = 0; k < 200; ++k) {
    begins.push_back(k % 20);
    ends.push_back(k % 7);
  }
  check_job("places", [&] {
    Control control;
    const places::LineTree<2> tree(begins.data(), ends.data(), 100, control);
    std::int64_t line = -1;
    double fraction = -1, place[2];
    CHECK(tree.nearest(begins.data(), 1, 1.0, {&line, &fraction, place}, 1, control) == 1 && line == 0);
  });
}

// Many paths of each pair.
void check_pairs(const Grid& grid) {
  const auto last = static_cast<std::int32_t>(grid.n - 1);
  const std::vector<std::int32_t> sources{0, 1, 2}, targets{last, last, last};
  std::vector<std::int32_t> roads;  // as long in both directions
  for (std::int64_t v = 0; v < grid.n; ++v)
    for (std::int64_t a = grid.indptr[v]; a < grid.indptr[v + 1]; ++a)
      roads.push_back(static_cast<std::int32_t>(1 + (v + grid.indices[a]) * 5 % 11));
  const std::vector<double> lengths(roads.begin(), roads.end());
  Output<std::int32_t> out(grid.n);
  Control all;
  searches::dijkstra_rows(grid.csr(), roads.data(), out.request, searches::QueueKind::kHeap, 1, all);
  check_job("simple paths", [&] {
    Control control;
    const simple_paths::Pairs<std::int32_t> pairs{
        3, sources.data(), targets.data(), targets.data(), out.dist.data(), grid.n};
    CHECK(simple_paths::shortest(grid.csr(), roads.data(), pairs, 5, 2, control).lengths.size() == 15);
    CHECK(walks::shortest(grid.csr(), roads.data(), pairs, 5, INT64_MAX, 2, control).lengths.size() == 15);
  });
  check_job("compromises", [&] {
    Control control;
    const pareto::Arcs<std::int64_t, double> arcs{grid.csr(), grid.weights.data(), lengths.data()};
    const pareto::Pairs pairs{3, sources.data(), targets.data()};
    CHECK(pareto::search(arcs, pairs, {INT32_MAX, INT64_MAX}, 2, control).counts.size() == 3);
  });
  std::vector<double> distances(out.dist.begin(), out.dist.end());
  std::vector<std::int32_t> before(out.pred);
  for (std::int64_t i = 0; i < grid.n; ++i) before[i * grid.n + i] = static_cast<std::int32_t>(i);
  check_job("alternatives", [&] {
    Control control;
    const alternatives::Trees trees{distances.data(), before.data()};
    const alternatives::Pairs pairs{3, sources.data(), targets.data(), sources.data(), targets.data()};
    const alternatives::Limits limits{.paths = 4, .stretch = 1.5, .sharing = 0.9, .local_optimality = 0.1};
    CHECK(alternatives::via_paths(grid.csr(), lengths.data(), trees, trees, pairs, limits, 2, control)
              .counts.size() == 3);
  });
}

// Arrivals with weights that depend on the time.
void check_departures(const Grid& grid) {
  const std::vector<double> times{0, 40, 90};
  std::vector<std::int32_t> weights;
  for (const std::int64_t weight : grid.weights)
    for (const int more : {0, 9, 3}) weights.push_back(static_cast<std::int32_t>(weight) + more);
  const searches::Timetable<std::int32_t> table{times.data(), 3, 120, weights.data()};
  const std::vector<std::int32_t> sources{0, 1, 2}, targets{static_cast<std::int32_t>(grid.n - 1), 5};
  const std::vector<double> departures{0, 30, 500};
  Output<double> out(grid.n);
  out.request.count = 3;
  check_job("arrivals", [&] {
    Control control;
    searches::earliest_arrivals(grid.csr(), table, departures.data(), out.request, 2, control);
  });
  check_job("arrivals by departures", [&] {
    Control control;
    const searches::ProfileRequest request{10, 300, 3, sources.data(), 2, targets.data(), INT64_MAX};
    CHECK(searches::arrival_profiles(grid.csr(), table, request, 2, control).offsets.size() == 7);
  });
}

void check_graphs() {
  std::string text;
  std::vector<std::int32_t> tails, heads;
  for (int i = 0; i < 400; ++i) {
    tails.push_back(i % 50);
    heads.push_back(i * 7 % 50);
    text += std::to_string(tails.back()) + " " + std::to_string(heads.back()) + " 1.5\n";
  }
  check_job("text", [&] {
    graph::LineRules rules;
    rules.columns = "vvn";
    CHECK(graph::scan_columns(text, 0, INT64_MAX, rules, Control()).rows == 400);
    graph::scan_rows("1 2 3\n4 5\n", '%', Control());
  });
  check_job("arcs", [&] {
    const graph::NoWeight* none = nullptr;
    graph::csr_from_arcs(50, tails.data(), heads.data(), none, static_cast<std::int64_t>(tails.size()), true,
                         graph::Parallel::min, Control());
  });
}

}  // namespace

int main() {
  const Grid grid(13), larger(40);
  check_searches<std::uint16_t>(grid, "uint16");
  check_searches<std::int32_t>(grid, "int32");
  check_searches<double>(grid, "float64");
  check_johnson(grid);
  check_dense(grid);
  check_elimination(grid);
  check_elimination(larger);
  check_skims(grid);
  check_flows(grid);
  check_paths(grid);
  check_pairs(grid);
  check_places();
  check_departures(grid);
  check_graphs();
}
