#include "facts/condensation.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "graph/groups.hpp"
#include "semiring/length.hpp"

namespace apsp::facts {
namespace {

template <class T>
T saturating_add(T a, T b) noexcept {
  const semiring::Sum<T> sum = semiring::add(a, b);
  return sum < static_cast<semiring::Sum<T>>(semiring::kNoPath<T>) ? static_cast<T>(sum)
                                                                   : semiring::kNoPath<T>;
}

}  // namespace

// Kahn's topological order; before[c] is the longest chain that ends just before component c.
template <class T>
T longest_chain(const graph::Csr& graph, const T* weights, const std::int32_t* labels, std::int64_t count,
                const T* inner) {
  graph::check_csr(graph);
  graph::check_vertices(labels, graph.n, count, "labels");
  const graph::Groups groups(labels, graph.n, count);
  const auto each_outer_arc = [&](std::int64_t c, auto&& body) {
    for (std::int64_t i = groups.first[c]; i < groups.first[c + 1]; ++i) {
      const std::int32_t u = groups.members[i];
      for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a)
        if (labels[graph.indices[a]] != c) body(labels[graph.indices[a]], weights[a]);
    }
  };
  std::vector<std::int64_t> incoming(count, 0);
  for (std::int64_t c = 0; c < count; ++c) each_outer_arc(c, [&](std::int32_t d, T) { ++incoming[d]; });
  std::vector<std::int64_t> ready;
  for (std::int64_t c = 0; c < count; ++c)
    if (incoming[c] == 0) ready.push_back(c);
  std::vector<T> before(count, T{0});
  T longest = T{0};
  for (std::size_t next = 0; next < ready.size(); ++next) {
    const std::int64_t c = ready[next];
    const T here = saturating_add(before[c], inner[c]);
    longest = std::max(longest, here);
    each_outer_arc(c, [&](std::int32_t d, T weight) {
      before[d] = std::max(before[d], saturating_add(here, weight));
      if (--incoming[d] == 0) ready.push_back(d);
    });
  }
  if (static_cast<std::int64_t>(ready.size()) != count)
    throw std::invalid_argument("a cycle leaves its component");
  return longest;
}

template std::int64_t longest_chain<std::int64_t>(const graph::Csr&, const std::int64_t*, const std::int32_t*,
                                                  std::int64_t, const std::int64_t*);
template double longest_chain<double>(const graph::Csr&, const double*, const std::int32_t*, std::int64_t,
                                      const double*);

}  // namespace apsp::facts
