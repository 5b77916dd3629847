#include "reductions/implied.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

constexpr std::int64_t kStepsPerVertex = 64;

std::uint64_t mixed(std::uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// The arcs of vertices as sets of (head, weight).
class Rows {
 public:
  Rows(const graph::Csr& graph, const std::uint8_t* weights, std::int64_t bytes)
      : graph_(graph), weights_(weights), bytes_(bytes) {}

  std::uint64_t hash(std::int64_t v) const {
    std::uint64_t sum = 0;
    for (std::int64_t arc = graph_.indptr[v]; arc < graph_.indptr[v + 1]; ++arc) {
      std::uint64_t weight = 0;
      if (weights_) std::memcpy(&weight, weights_ + arc * bytes_, static_cast<std::size_t>(bytes_));
      sum += mixed(mixed(static_cast<std::uint64_t>(graph_.indices[arc])) ^ weight);
    }
    return sum;
  }
  bool has(std::int64_t v, std::int64_t head) const {
    const auto *begin = graph_.indices + graph_.indptr[v], *end = graph_.indices + graph_.indptr[v + 1];
    return std::find(begin, end, static_cast<std::int32_t>(head)) != end;
  }
  bool equal(std::int64_t u, std::int64_t v) const {
    const std::int64_t a = graph_.indptr[u], b = graph_.indptr[v], count = graph_.indptr[u + 1] - a;
    if (graph_.indptr[v + 1] - b != count) return false;
    return std::equal(graph_.indices + a, graph_.indices + a + count, graph_.indices + b) &&
           (!weights_ || std::memcmp(weights_ + a * bytes_, weights_ + b * bytes_,
                                     static_cast<std::size_t>(count * bytes_)) == 0);
  }
  // Without a regard to u and v: the heads of both rows are in ascending order.
  bool equal_beside(std::int64_t u, std::int64_t v) const {
    std::int64_t a = graph_.indptr[u], b = graph_.indptr[v];
    const std::int64_t last = graph_.indptr[u + 1], end = graph_.indptr[v + 1];
    const auto skip = [&](std::int64_t& arc, std::int64_t stop) {
      while (arc < stop && (graph_.indices[arc] == u || graph_.indices[arc] == v)) ++arc;
    };
    for (;; ++a, ++b) {
      skip(a, last);
      skip(b, end);
      if (a == last || b == end) return a == last && b == end;
      if (graph_.indices[a] != graph_.indices[b]) return false;
    }
  }

 private:
  const graph::Csr& graph_;
  const std::uint8_t* weights_;
  std::int64_t bytes_;
};

// Joins vertices of equal hashes to the first one that is the same; one comparison for each vertex.
template <class Hash, class Same>
void join(std::int64_t n, std::vector<std::int32_t>& first, const Hash& hash, const Same& same) {
  std::size_t size = 2;
  while (static_cast<std::int64_t>(size) < 2 * n) size *= 2;
  std::vector<std::int32_t> seen(size, -1);
  std::vector<std::uint64_t> hashes(n);
  for (std::int64_t v = 0; v < n; ++v) {
    if (first[v] != v) continue;
    hashes[v] = hash(v);
    std::size_t place = hashes[v] & (size - 1);
    while (seen[place] >= 0 && hashes[seen[place]] != hashes[v]) place = (place + 1) & (size - 1);
    if (seen[place] < 0)
      seen[place] = static_cast<std::int32_t>(v);
    else if (same(seen[place], v))
      first[v] = seen[place];
  }
}

template <class T>
T length_of(const T* lengths, std::int64_t arc) {
  return lengths == nullptr ? T{1} : lengths[arc];
}

}  // namespace

std::vector<std::int32_t> twins(const graph::Csr& graph, const std::uint8_t* weights, const graph::Csr& into,
                                const std::uint8_t* into_weights, std::int64_t weight_bytes) {
  const std::int64_t n = graph.n;
  std::vector<std::int32_t> first(n);
  for (std::int64_t v = 0; v < n; ++v) first[v] = static_cast<std::int32_t>(v);
  const Rows out(graph, weights, weight_bytes), in(into, into_weights, weight_bytes);
  const bool is_directed = into.indptr != graph.indptr;
  const auto both = [&](std::int64_t v) {
    return is_directed ? mixed(out.hash(v)) + in.hash(v) : out.hash(v);
  };
  join(n, first, both,
       [&](std::int64_t u, std::int64_t v) { return out.equal(u, v) && (!is_directed || in.equal(u, v)); });
  if (weights) return first;
  const auto closed = [&](const Rows& rows, std::int64_t v) {
    return rows.hash(v) + (rows.has(v, v) ? 0 : mixed(mixed(static_cast<std::uint64_t>(v))));
  };
  std::vector<bool> is_alone(n, true);
  for (std::int64_t v = 0; v < n; ++v)
    if (first[v] != v) is_alone[v] = is_alone[first[v]] = false;
  join(
      n, first,
      [&](std::int64_t v) { return is_directed ? mixed(closed(out, v)) + closed(in, v) : closed(out, v); },
      [&](std::int64_t u, std::int64_t v) {
        if (!is_alone[u] || !is_alone[v] || !out.has(u, v) || !out.has(v, u)) return false;
        return out.equal_beside(u, v) && (!is_directed || in.equal_beside(u, v));
      });
  return first;
}

SingleArcs single_arcs(const graph::Csr& graph) {
  const std::int64_t n = graph.n;
  SingleArcs found;
  found.arc.assign(n, -1);
  found.anchor.assign(n, -1);
  found.members.assign(n, 0);
  for (std::int64_t v = 0; v < n; ++v) {
    std::int64_t count = 0, only = -1;
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1] && count < 2; ++arc)
      if (graph.indices[arc] != v) only = arc, ++count;
    if (count == 1) found.arc[v] = only;
  }
  constexpr std::int32_t kOnTheWay = -2;
  std::vector<std::int32_t> way;
  for (std::int64_t v = 0; v < n; ++v) {
    auto u = static_cast<std::int32_t>(v);
    way.clear();
    while (found.anchor[u] == -1 && found.arc[u] >= 0) {
      found.anchor[u] = kOnTheWay;
      way.push_back(u);
      u = graph.indices[found.arc[u]];
    }
    const std::int32_t anchor =
        found.anchor[u] >= 0 ? found.anchor[u] : u;  // an end, or where the way meets itself
    found.anchor[anchor] = anchor;
    for (const std::int32_t w : way) found.anchor[w] = anchor;
  }
  for (std::int64_t v = 0; v < n; ++v)
    if (found.anchor[v] != v) ++found.members[found.anchor[v]];
  return found;
}

SingleArcs pendant_arcs(const graph::Csr& graph) {
  const std::int64_t n = graph.n;
  SingleArcs found;
  found.arc.assign(n, -1);
  found.anchor.resize(n);
  found.members.assign(n, 0);
  std::vector<std::int32_t> degree(n, 0), leaves;
  for (std::int64_t v = 0; v < n; ++v) {
    found.anchor[v] = static_cast<std::int32_t>(v);
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc)
      degree[v] += graph.indices[arc] != v;
    if (degree[v] == 1) leaves.push_back(static_cast<std::int32_t>(v));
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {  // it grows
    const std::int32_t v = leaves[i];
    if (degree[v] != 1) continue;  // the last one of a tree
    std::int64_t arc = graph.indptr[v];
    while (graph.indices[arc] == v || degree[graph.indices[arc]] == 0) ++arc;
    degree[v] = 0;
    found.arc[v] = arc;
    if (--degree[graph.indices[arc]] == 1) leaves.push_back(graph.indices[arc]);
  }
  for (auto v = leaves.rbegin(); v != leaves.rend(); ++v)
    if (found.arc[*v] >= 0) ++found.members[found.anchor[*v] = found.anchor[graph.indices[found.arc[*v]]]];
  return found;
}

namespace {

// The eccentricities of the vertices of a tree, in preorder: of each, the distance up to its parent, and the
// largest distance from the root to a vertex outside.
template <class T>
void settle_tree(const graph::Csr& graph, const T* lengths, const SingleArcs& single, T outside,
                 Settled<T>& found) {
  const auto& vertices = found.vertices;
  std::vector<T> down(graph.n, 0), next(graph.n, 0),
      up(graph.n, outside);  // the largest and the second one below
  for (std::size_t i = vertices.size(); i-- > 0;) {
    const std::int32_t v = vertices[i], parent = graph.indices[single.arc[v]];
    const T by_v = down[v] + length_of(lengths, single.arc[v]);
    if (by_v > down[parent]) {
      next[parent] = down[parent];
      down[parent] = by_v;
    } else {
      next[parent] = std::max(next[parent], by_v);
    }
  }
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::int32_t v = vertices[i], parent = graph.indices[single.arc[v]];
    const T step = length_of(lengths, single.arc[v]);
    const T beside = down[v] + step == down[parent] ? next[parent] : down[parent];
    up[v] = step + std::max(up[parent], beside);
    found.eccentricities[i] = std::max(up[v], down[v]);
  }
}

}  // namespace

template <class T>
std::optional<Settled<T>> settle_single(const graph::Csr& graph, const T* lengths, const SingleArcs& single,
                                        std::int32_t anchor, const T* out, bool is_directed) {
  const std::int64_t n = graph.n;
  Settled<T> found;
  auto& [vertices, eccentricities, reached] = found;
  // The ways form a tree with the anchor as its root: the children of each vertex, then all in preorder.
  std::vector<std::int32_t> child(n, -1), sibling(n, -1), enter(n, -1), leave(n, -1);
  for (std::int64_t v = n - 1; v >= 0; --v) {
    if (single.anchor[v] != anchor || v == anchor) continue;
    const std::int32_t parent = graph.indices[single.arc[v]];
    sibling[v] = child[parent];
    child[parent] = static_cast<std::int32_t>(v);
  }
  std::vector<std::int32_t> open{anchor};
  std::vector<T> way(n);
  std::int32_t next = 0;
  while (!open.empty()) {  // a vertex is met twice: before and after its children
    const std::int32_t v = open.back();
    if (enter[v] >= 0) {
      leave[v] = next;
      open.pop_back();
      continue;
    }
    enter[v] = next++;
    if (v != anchor) {
      vertices.push_back(v);
      way[v] = way[graph.indices[single.arc[v]]] + length_of(lengths, single.arc[v]);
    } else {
      way[v] = 0;
    }
    for (std::int32_t w = child[v]; w >= 0; w = sibling[w]) open.push_back(w);
  }
  T others = 0;  // the largest distance to a vertex that is on no way
  std::vector<std::int32_t> far;
  std::vector<std::int64_t> reach(n, 0);
  for (std::int64_t v = 0; v < n; ++v) {
    if (out[v] == semiring::kNoPath<T>) continue;
    ++reach[anchor];
    if (enter[v] < 0)
      others = std::max(others, out[v]);
    else if (v != anchor)
      far.push_back(static_cast<std::int32_t>(v));
  }
  eccentricities.resize(vertices.size());
  if (!is_directed) {
    reached.assign(vertices.size(), reach[anchor]);
    settle_tree(graph, lengths, single, others, found);
    return found;
  }
  std::sort(far.begin(), far.end(), [&](std::int32_t u, std::int32_t v) { return out[u] > out[v]; });
  // The first vertex of `far` that is not on the way of v comes at or after that of its parent.
  const auto is_on_way = [&](std::int32_t t, std::int32_t v) {
    return enter[t] <= enter[v] && enter[v] < leave[t];
  };
  std::vector<std::size_t> place(n, 0);
  std::int64_t steps = kStepsPerVertex * (static_cast<std::int64_t>(vertices.size()) + 1);
  reached.resize(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::int32_t v = vertices[i], parent = graph.indices[single.arc[v]];
    reached[i] = reach[v] = reach[parent] + (out[v] == semiring::kNoPath<T> ? 1 : 0);
    std::size_t at = place[parent];
    for (; at < far.size() && is_on_way(far[at], v); ++at)
      if (--steps < 0) return std::nullopt;
    place[v] = at;
    eccentricities[i] = way[v] + (at < far.size() ? std::max(others, out[far[at]]) : others);
  }
  return found;
}

Chains chains(const graph::Csr& graph, std::int64_t fewest) {
  const std::int64_t n = graph.n;
  std::vector<std::int32_t> one(n, -1), other(n, -1);
  std::vector<bool> is_inner(n, false), is_seen(n, false);
  for (std::int64_t v = 0; v < n; ++v) {
    std::int64_t count = 0;
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1] && count < 3; ++arc) {
      const std::int32_t head = graph.indices[arc];
      if (head == v) continue;
      (count == 0 ? one : other)[v] = head;
      ++count;
    }
    is_inner[v] = count == 2;
  }
  Chains found;
  found.first.push_back(0);
  const auto walk = [&](std::int32_t end, std::int32_t first) {  // from an end, along inner vertices
    const std::size_t begin = found.vertices.size();
    std::int32_t before = end, v = first;
    for (; is_inner[v] && !is_seen[v] && v != end;) {
      is_seen[v] = true;
      found.vertices.push_back(v);
      const std::int32_t next = one[v] == before ? other[v] : one[v];
      before = v;
      v = next;
    }
    if (static_cast<std::int64_t>(found.vertices.size() - begin) < fewest) {
      found.vertices.resize(begin);
      return;
    }
    found.first.push_back(static_cast<std::int64_t>(found.vertices.size()));
    found.ends.push_back(end);
    found.ends.push_back(v);
  };
  for (std::int64_t v = 0; v < n; ++v) {
    if (is_inner[v]) continue;
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc) {
      const std::int32_t head = graph.indices[arc];
      if (is_inner[head] && !is_seen[head]) walk(static_cast<std::int32_t>(v), head);
    }
  }
  for (std::int64_t v = 0; v < n; ++v) {  // rings: any vertex serves as both ends
    if (!is_inner[v] || is_seen[v]) continue;
    is_seen[v] = true;
    walk(static_cast<std::int32_t>(v), one[v]);
  }
  return found;
}

template <class T>
void settle_chain(const graph::Csr& graph, const T* lengths, const std::int32_t* inner, std::int64_t count,
                  std::int32_t first, std::int32_t last, const T* from_first, const T* from_last,
                  T* eccentricities) {
  // The place of each inner vertex, as its distance from the first end along the chain.
  const auto step = [&](std::int32_t tail, std::int32_t head) {
    const auto *begin = graph.indices + graph.indptr[tail], *end = graph.indices + graph.indptr[tail + 1];
    const auto* arc = std::find(begin, end, head);
    if (arc == end) throw std::invalid_argument("the vertices of a chain are neighbours");
    return length_of(lengths, arc - graph.indices);
  };
  std::vector<std::int64_t> place(count);
  std::int64_t whole = 0;
  std::vector<bool> is_inside(graph.n, false);
  for (std::int64_t i = 0; i < count; ++i) {
    whole += step(i == 0 ? first : inner[i - 1], inner[i]);
    place[i] = whole;
    is_inside[inner[i]] = true;
  }
  whole += step(inner[count - 1], last);
  // To t outside, vertices before a place go by the first end, which is as near, and others by the last one.
  std::vector<std::int64_t> by_first(count + 1, -1), by_last(count + 1, -1);
  for (std::int64_t t = 0; t < graph.n; ++t) {
    if (is_inside[t] || from_first[t] == semiring::kNoPath<T>) continue;
    const std::int64_t from = from_first[t], to = from_last[t], limit = whole - from + to;
    const auto is_beyond = [](std::int64_t twice, std::int64_t at) { return twice < 2 * at; };
    const auto turn = std::upper_bound(place.begin(), place.end(), limit, is_beyond) - place.begin();
    by_first[turn] = std::max(by_first[turn], from);
    by_last[turn] = std::max(by_last[turn], to);
  }
  std::int64_t most = -1;
  std::vector<std::int64_t> found(count, 0);
  for (std::int64_t i = count - 1; i >= 0; --i) {
    most = std::max(most, by_first[i + 1]);
    if (most >= 0) found[i] = std::max(found[i], place[i] + most);
  }
  most = -1;
  for (std::int64_t i = 0; i < count; ++i) {
    most = std::max(most, by_last[i]);
    if (most >= 0) found[i] = std::max(found[i], whole - place[i] + most);
  }
  // Between inner vertices at a distance x along the chain, the way around is the rest of a ring.
  const std::int64_t ring = whole + from_first[last];
  const auto between = [&](std::int64_t i, std::int64_t j) {
    const std::int64_t along = place[j] - place[i];
    return std::min(along, ring - along);
  };
  std::int64_t j = 0;
  for (std::int64_t i = 0; i < count;
       ++i) {  // the farthest from i beyond it, and i as the farthest from those
    j = std::max(i, j);
    while (j + 1 < count && 2 * (place[j + 1] - place[i]) <= ring) ++j;
    for (const std::int64_t other : {j, std::min(j + 1, count - 1)}) {
      found[i] = std::max(found[i], between(i, other));
      found[other] = std::max(found[other], between(i, other));
    }
  }
  j = count - 1;
  for (std::int64_t i = count - 1; i >= 0; --i) {
    j = std::min(i, j);
    while (j > 0 && 2 * (place[i] - place[j - 1]) <= ring) --j;
    for (const std::int64_t other : {j, std::max<std::int64_t>(j - 1, 0)})
      found[i] = std::max(found[i], between(other, i));
  }
  std::copy(found.begin(), found.end(), eccentricities);
}

#define APSP_INSTANTIATE(T)                                                                           \
  template std::optional<Settled<T>> settle_single<T>(const graph::Csr&, const T*, const SingleArcs&, \
                                                      std::int32_t, const T*, bool);                  \
  template void settle_chain<T>(const graph::Csr&, const T*, const std::int32_t*, std::int64_t,       \
                                std::int32_t, std::int32_t, const T*, const T*, T*);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
