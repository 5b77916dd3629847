#include "sparse/potentials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace apsp::sparse {
namespace {

__extension__ typedef __int128 Wide;

// The vertices of a cycle among the parents (-1: none), in the direction of the arcs; empty if there is none.
std::vector<std::int32_t> parent_cycle(const std::vector<std::int32_t>& parents) {
  const auto n = static_cast<std::int64_t>(parents.size());
  std::vector<std::int32_t> walked_from(n, -1);
  for (std::int32_t start = 0; start < n; ++start) {
    std::int32_t v = start;
    while (v >= 0 && walked_from[v] < 0) {
      walked_from[v] = start;
      v = parents[v];
    }
    if (v < 0 || walked_from[v] != start) continue;
    std::vector<std::int32_t> cycle{v};
    for (std::int32_t u = parents[v]; u != v; u = parents[u]) cycle.push_back(u);
    std::reverse(cycle.begin(), cycle.end());
    return cycle;
  }
  return {};
}

// First in, first out; every vertex is in it at most once.
class VertexQueue {
 public:
  explicit VertexQueue(std::int64_t n) : ring_(n), waiting_(n, 1), count_(n) {
    for (std::int64_t v = 0; v < n; ++v) ring_[v] = static_cast<std::int32_t>(v);
  }
  bool empty() const noexcept { return count_ == 0; }
  void push(std::int32_t v) noexcept {
    if (waiting_[v]) return;
    waiting_[v] = 1;
    ring_[(first_ + count_++) % static_cast<std::int64_t>(ring_.size())] = v;
  }
  std::int32_t pop() noexcept {
    const std::int32_t v = ring_[first_];
    first_ = first_ + 1 == static_cast<std::int64_t>(ring_.size()) ? 0 : first_ + 1;
    --count_;
    waiting_[v] = 0;
    return v;
  }

 private:
  std::vector<std::int32_t> ring_;
  std::vector<std::uint8_t> waiting_;
  std::int64_t first_ = 0, count_;
};

// Bellman-Ford from all vertices at once. In exact arithmetic a cycle of parents is a negative cycle, and
// while there is one to be found it appears; looking for it every n improvements costs no more than the
// improvements. Until then no height is below -(2 n) times the largest weight, so Int cannot overflow where
// the caller made sure.
template <class Int, class Length>
std::vector<std::int32_t> heights(const Csr& graph, const Length& length, std::vector<Int>& height,
                                  Control& control) {
  height.assign(graph.n, 0);
  std::vector<std::int32_t> parents(graph.n, -1);
  VertexQueue queue(graph.n);
  std::int64_t improved = 0, taken = 0;
  while (!queue.empty()) {
    const std::int32_t u = queue.pop();
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      const Int sum = height[u] + length(a);
      if (!(sum < height[v])) continue;
      if (v == u) return {u};
      height[v] = sum;
      parents[v] = u;
      queue.push(v);
      ++improved;
    }
    if (improved >= graph.n) {
      improved = 0;
      auto cycle = parent_cycle(parents);
      if (!cycle.empty()) return cycle;
    }
    if ((++taken & 0xfff) == 0) control.check();
  }
  return {};
}

template <class Int>
std::vector<std::int32_t> integer_potentials(const Csr& graph, const std::int64_t* weights,
                                             std::int64_t* reduced, std::int64_t* height, Control& control) {
  std::vector<Int> exact;
  auto cycle =
      heights<Int>(graph, [&](std::int64_t a) { return static_cast<Int>(weights[a]); }, exact, control);
  if (!cycle.empty()) return cycle;
  constexpr auto kLowest = std::numeric_limits<std::int64_t>::min();
  constexpr auto kHighest = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t u = 0; u < graph.n; ++u) {
    if (exact[u] < static_cast<Int>(kLowest)) throw std::overflow_error("a potential is below -2^63");
    height[u] = static_cast<std::int64_t>(exact[u]);
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const Wide value = static_cast<Wide>(weights[a]) + exact[u] - exact[graph.indices[a]];
      if (value >= kHighest) throw std::overflow_error("a reduced weight is beyond 2^63");
      reduced[a] = static_cast<std::int64_t>(value);
    }
  }
  return {};
}

double largest_size(const double* weights, std::int64_t m) {
  double largest = 0;
  for (std::int64_t a = 0; a < m; ++a) {
    if (!std::isfinite(weights[a])) throw std::invalid_argument("weights must be finite");
    largest = std::max(largest, std::abs(weights[a]));
  }
  return largest;
}

}  // namespace

std::vector<std::int32_t> potentials(const Csr& graph, const std::int64_t* weights, std::int64_t* reduced,
                                     std::int64_t* height, Control& control) {
  check_csr(graph);
  double largest = 0;
  for (std::int64_t a = 0; a < graph.m; ++a)
    largest = std::max(largest, std::abs(static_cast<double>(weights[a])));
  const bool narrow = largest * (2.0 * static_cast<double>(graph.n) + 2) < 4e18;  // below 2^62
  return narrow ? integer_potentials<std::int64_t>(graph, weights, reduced, height, control)
                : integer_potentials<Wide>(graph, weights, reduced, height, control);
}

std::vector<std::int32_t> potentials(const Csr& graph, const double* weights, double slack, double* reduced,
                                     double* height, Control& control) {
  check_csr(graph);
  constexpr int kBits = 93;  // and 2 n + 2 of them still fit 127 bits
  int exponent = 0;
  std::frexp(largest_size(weights, graph.m), &exponent);
  const auto fixed = [&](double value) { return static_cast<Wide>(std::ldexp(value, kBits - exponent)); };
  const auto margin = static_cast<Wide>(std::ldexp(slack, kBits));
  std::vector<Wide> exact;
  auto cycle =
      heights<Wide>(graph, [&](std::int64_t a) { return fixed(weights[a]) + margin; }, exact, control);
  if (!cycle.empty()) return cycle;
  for (std::int64_t u = 0; u < graph.n; ++u) {
    height[u] = std::ldexp(static_cast<double>(exact[u]), exponent - kBits);
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const Wide value = fixed(weights[a]) + exact[u] - exact[graph.indices[a]];
      reduced[a] = value > 0 ? std::ldexp(static_cast<double>(value), exponent - kBits) : 0.0;
    }
  }
  return {};
}

}  // namespace apsp::sparse
