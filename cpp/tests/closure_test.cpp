// The closure of random graphs by both methods against Warshall bit by bit, products against bits one by one,
// and the order of the components.
#include "closure/closure.hpp"

#include <random>
#include <vector>

#include "closure/condensation.hpp"
#include "graph/strong.hpp"
#include "runtime/isa.hpp"
#include "tests/check.hpp"

using namespace apsp;
using namespace apsp::closure;

namespace {

struct Graph {
  std::vector<std::int64_t> indptr{0};
  std::vector<std::int32_t> indices;
  Digraph view() const {
    return {static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data()};
  }
};

Graph random_graph(int n, int degree, unsigned seed) {
  std::mt19937 random(seed);
  Graph graph;
  for (int i = 0; i < n; ++i) {
    for (unsigned k = random() % static_cast<unsigned>(degree + 1); k > 0; --k)
      graph.indices.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(n)));
    graph.indptr.push_back(static_cast<std::int64_t>(graph.indices.size()));
  }
  return graph;
}

std::vector<char> oracle(const Digraph& graph) {
  const std::int64_t n = graph.n;
  std::vector<char> reached(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    reached[i * n + i] = 1;
    for (std::int64_t arc = graph.indptr[i]; arc < graph.indptr[i + 1]; ++arc)
      reached[i * n + graph.indices[arc]] = 1;
  }
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t i = 0; i < n; ++i)
      if (reached[i * n + k])
        for (std::int64_t j = 0; j < n; ++j) reached[i * n + j] |= reached[k * n + j];
  return reached;
}

void check_graph(int n, int degree) {
  const Graph graph = random_graph(n, degree, static_cast<unsigned>(n + degree));
  const auto expected = oracle(graph.view());
  const std::int64_t stride = (n + 63) / 64 + 1;
  for (const Method method : {Method::kComponents, Method::kFourRussians}) {
    std::vector<Word> words(static_cast<std::size_t>(n * stride), ~Word{0});
    const BitMatrix bits{words.data(), n, n, stride};
    Team team(2);
    Control control;
    close_graph(bits, graph.view(), method, team, control);
    CHECK(control.done() == n);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        CHECK(bits.get(i, j) == (expected[i * n + j] != 0));
        count += expected[i * n + j];
      }
    CHECK(count_bits(bits, team, control) == count);
  }
}

// Pivots that are selected by no row, by few and by most, in matrices of several tiles.
void check_update(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
  std::mt19937 random(static_cast<unsigned>(rows + depth));
  std::vector<Word> memory[3];
  const auto matrix = [&](int number, std::int64_t height, std::int64_t width) {
    const std::int64_t stride = (width + 63) / 64 + 1;
    memory[number].assign(static_cast<std::size_t>(height * stride), 0);
    return BitMatrix{memory[number].data(), height, width, stride};
  };
  const BitMatrix a = matrix(0, rows, depth), b = matrix(1, depth, columns), c = matrix(2, rows, columns);
  const unsigned shares[] = {0, 1, 500, 2, 900};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < depth; ++k)
      if (random() % 1000 < shares[k / 64 % 5]) a.set(i, k);
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t j = 0; j < columns; ++j)
      if (random() % 100 == 0) b.set(k, j);
  for (std::int64_t i = 0; i < rows; i += 7) c.set(i, i % columns);
  Team team(2);
  Control control;
  update_bits(c, a, b, team, control);
  for (std::int64_t i = 0; i < rows; i += 11)
    for (std::int64_t j = 0; j < columns; ++j) {
      bool expected = i % 7 == 0 && i % columns == j;
      for (std::int64_t k = 0; k < depth; ++k) expected = expected || (a.get(i, k) && b.get(k, j));
      CHECK(c.get(i, j) == expected);
    }
}

void check_components() {
  const Graph graph = random_graph(300, 2, 5);
  const auto reached = oracle(graph.view());
  std::vector<std::int32_t> labels(300);
  Control control;
  const std::int64_t count =
      graph::strong(300, graph.indptr.data(), graph.indices.data(), labels.data(), control);
  for (std::int64_t i = 0; i < 300; ++i) {
    CHECK(labels[i] >= 0 && labels[i] < count);
    for (std::int64_t j = 0; j < 300; ++j) {
      const bool both = reached[i * 300 + j] && reached[j * 300 + i];
      CHECK((labels[i] == labels[j]) == both);
      if (reached[i * 300 + j]) CHECK(labels[i] >= labels[j]);
    }
  }
}

// The condensation, closed in some columns, some rows at a time.
void check_condensation(int n, int degree, std::int64_t from, std::int64_t columns) {
  const Graph graph = random_graph(n, degree, static_cast<unsigned>(7 * n + degree));
  const auto reached = oracle(graph.view());
  std::vector<std::int32_t> labels(static_cast<std::size_t>(n));
  Control control;
  const std::int64_t count =
      graph::strong(n, graph.indptr.data(), graph.indices.data(), labels.data(), control);
  const Arcs arcs = condensation(graph.view(), labels.data(), count, control);
  CHECK(static_cast<std::int64_t>(arcs.indptr.size()) == count + 1);
  for (std::int64_t c = 0; c < count; ++c)
    for (std::int64_t arc = arcs.indptr[c]; arc < arcs.indptr[c + 1]; ++arc) {
      CHECK(arcs.indices[arc] >= 0 && arcs.indices[arc] < c);
      CHECK(arc == arcs.indptr[c] || arcs.indices[arc - 1] < arcs.indices[arc]);
    }
  const std::int64_t stride = (columns + 63) / 64 + 1;
  std::vector<Word> words(static_cast<std::size_t>(count * stride), 0);
  const BitMatrix bits{words.data(), count, columns, stride};
  for (std::int64_t v = from; v < from + columns; ++v) bits.set(labels[v], v - from);
  Team team(2);
  const Digraph between{count, arcs.indptr.data(), arcs.indices.data()};
  join_heads(bits, between, 0, count / 3, team, control);
  join_heads(bits, between, count / 3, count, team, control);
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t v = from; v < from + columns; ++v)
      CHECK(bits.get(labels[u], v - from) == (reached[u * n + v] != 0));
}

}  // namespace

int main() {
  for (const Isa wanted : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (wanted > best_isa()) continue;
    set_isa(wanted);
    for (const int n : {0, 1, 2, 63, 64, 65, 130}) {
      check_graph(n, 1);
      check_graph(n, 3);
    }
    check_graph(200, 40);
    check_update(4200, 330, 70);
    check_update(1, 1, 1);
    check_update(90, 64, 1100);
    check_condensation(0, 1, 0, 0);
    check_condensation(150, 2, 0, 150);
    check_condensation(900, 1, 13, 700);
    check_condensation(300, 3, 299, 1);
  }
  check_components();
}
