// csr_from_arcs against a std::map, and csr_from_rows against it, on random arcs with many parallel ones,
// short and long rows.
#include "graph/build.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "check.hpp"

using namespace apsp;
using namespace apsp::graph;

namespace {

using Arc = std::pair<std::int64_t, std::int64_t>;

std::map<Arc, double> merged(const std::vector<std::int64_t>& tails, const std::vector<std::int64_t>& heads,
                             const std::vector<double>& weights, bool undirected, Parallel parallel) {
  std::map<Arc, double> arcs;
  const auto put = [&](std::int64_t u, std::int64_t v, double w) {
    const auto [place, fresh] = arcs.emplace(Arc{u, v}, w);
    if (fresh || parallel == Parallel::first) return;
    if (parallel == Parallel::last || w < place->second) place->second = w;
  };
  for (std::size_t i = 0; i < tails.size(); ++i) {
    put(tails[i], heads[i], weights[i]);
    if (undirected && tails[i] != heads[i]) put(heads[i], tails[i], weights[i]);
  }
  return arcs;
}

void compare(std::int64_t n, std::size_t count, bool undirected, Parallel parallel, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> tails(count), heads(count);
  std::vector<double> weights(count);
  for (std::size_t i = 0; i < count; ++i) {
    tails[i] = random() % 4 == 0 ? 0 : random() % n;  // vertex 0 has a long row
    heads[i] = random() % n;
    weights[i] = static_cast<double>(random() % 100) - 20;
  }
  const Control control;
  const auto csr = csr_from_arcs(n, tails.data(), heads.data(), weights.data(),
                                 static_cast<std::int64_t>(count), undirected, parallel, control);
  const auto expected = merged(tails, heads, weights, undirected, parallel);
  CHECK(csr.indptr.size() == static_cast<std::size_t>(n) + 1 && csr.indptr.front() == 0);
  CHECK(csr.indices.size() == expected.size() && csr.weights.size() == expected.size());
  std::size_t at = 0;
  auto arc = expected.begin();
  for (std::int64_t u = 0; u < n; ++u) {
    CHECK(csr.indptr[u] == static_cast<std::int64_t>(at));
    for (; arc != expected.end() && arc->first.first == u; ++arc, ++at)
      CHECK(csr.indices[at] == arc->first.second && csr.weights[at] == arc->second);
  }
  CHECK(csr.indptr[n] == static_cast<std::int64_t>(at));
}

// Rows in any order inside them, with parallel arcs.
void compare_rows(std::int64_t n, std::int64_t count, bool undirected, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> indptr(n + 1, 0), tails, heads(count);
  std::vector<double> weights(count);
  for (std::int64_t arc = 0; arc < count; ++arc) {
    ++indptr[random() % n + 1];
    heads[arc] = random() % n;
    weights[arc] = random() % 5 == 0 ? -0.0 : static_cast<double>(random() % 100);
  }
  for (std::int64_t v = 0; v < n; ++v) {
    tails.insert(tails.end(), indptr[v + 1], v);
    indptr[v + 1] += indptr[v];
  }
  const Control control;
  const auto rows = csr_from_rows(n, indptr.data(), heads.data(), weights.data(), count, undirected, control);
  const auto arcs =
      csr_from_arcs(n, tails.data(), heads.data(), weights.data(), count, undirected, Parallel::min, control);
  CHECK(rows && rows->indptr == arcs.indptr && rows->indices == arcs.indices &&
        rows->weights == arcs.weights);
  for (const double weight : rows->weights) CHECK(!std::signbit(weight));
}

void refuse_rows() {
  const Control control;
  const double weights[] = {1, 2}, endless[] = {1, std::numeric_limits<double>::infinity()};
  const std::int32_t indices[] = {1, 0}, outside[] = {1, 2}, below[] = {-1, 0};
  const std::int32_t indptr[] = {0, 1, 2}, late[] = {1, 1, 2}, falling[] = {0, 3, 2}, longer[] = {0, 1, 3};
  const auto made = [&](const std::int32_t* rows, const std::int32_t* heads, const double* lengths) {
    return csr_from_rows(2, rows, heads, lengths, 2, false, control).has_value();
  };
  CHECK(made(indptr, indices, weights));
  CHECK(!made(late, indices, weights) && !made(falling, indices, weights) && !made(longer, indices, weights));
  CHECK(!made(indptr, outside, weights) && !made(indptr, below, weights));
  CHECK(!made(indptr, indices, endless));
}

template <class Function>
bool throws(Function&& function) {
  try {
    function();
  } catch (const std::invalid_argument&) {
    return true;
  }
  return false;
}

}  // namespace

int main() {
  for (const Parallel parallel : {Parallel::min, Parallel::first, Parallel::last})
    for (const bool undirected : {false, true}) {
      compare(1, 5, undirected, parallel, 1);
      compare(7, 200, undirected, parallel, 2);
      compare(5000, 20000, undirected, parallel, 3);
    }
  compare(3'000'000, 3000, false, Parallel::min, 4);  // heads beyond two radix digits

  for (const bool undirected : {false, true}) {
    compare_rows(1, 5, undirected, 5);
    compare_rows(300, 2000, undirected, 6);
  }
  refuse_rows();

  const Control control;
  const std::int32_t tails[] = {0, 2}, heads[] = {1, 0};
  const NoWeight* none = nullptr;
  CHECK(csr_from_arcs(0, tails, heads, none, 0, true, Parallel::min, control).indptr.size() == 1);
  CHECK(csr_from_arcs(3, tails, heads, none, 2, true, Parallel::min, control).indices.size() == 4);
  CHECK(throws([&] { csr_from_arcs(2, tails, heads, none, 2, false, Parallel::min, control); }));
  CHECK(throws([&] { csr_from_arcs(-1, tails, heads, none, 0, false, Parallel::min, control); }));

  Control stopped;
  stopped.cancel();
  bool cancelled = false;
  try {
    csr_from_arcs(3, tails, heads, none, 2, false, Parallel::min, stopped);
  } catch (const Cancelled&) {
    cancelled = true;
  }
  CHECK(cancelled);
  return 0;
}
