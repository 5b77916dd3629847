#include "measures/part_bounds.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "semiring/length.hpp"

namespace apsp::measures {
namespace {

// Calls act(arc, head, part of the head) for the arcs that leave a part.
template <class Act>
void leave(const Parts& parts, std::int64_t part, const Act& act) {
  const graph::Csr& graph = parts.graph;
  for (std::int64_t i = parts.first[part]; i < parts.first[part + 1]; ++i) {
    const std::int64_t v = parts.vertices[i];
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc) {
      const std::int32_t head = graph.indices[arc], other = parts.part[head];
      if (other != part) act(arc, head, other);
    }
  }
}

}  // namespace

template <class T>
void bound_parts(const Parts& parts, const T* lengths, const T* inner, T* upper) {
  constexpr T kMost = std::numeric_limits<T>::max();
  std::vector<T> bound(parts.count, kMost);
  for (std::int64_t part = 0; part < parts.count; ++part) {
    if (part == parts.largest) continue;
    T beyond = 0, through = kMost;
    bool is_bounded = true, is_before_largest = false;
    leave(parts, part, [&](std::int64_t arc, std::int32_t head, std::int32_t other) {
      const T length = lengths == nullptr ? T{1} : lengths[arc];
      if (other == parts.largest) {
        is_before_largest = true;
        if (upper[head] != kMost) through = std::min<T>(through, length + upper[head]);
      } else if (bound[other] != kMost) {
        beyond = std::max<T>(beyond, length + bound[other]);
      } else {
        is_bounded = false;
      }
    });
    if (!is_bounded || (is_before_largest && through == kMost)) continue;
    if (is_before_largest) beyond = std::max(beyond, through);
    bound[part] = inner[part] + beyond;
    const std::int64_t first = parts.first[part];
    if (parts.first[part + 1] == first + 1) bound[part] = std::min(bound[part], upper[parts.vertices[first]]);
    for (std::int64_t i = first; i < parts.first[part + 1]; ++i) {
      T& value = upper[parts.vertices[i]];
      value = std::min(value, bound[part]);
    }
  }
}

template <class T>
void bound_by_potential(const Parts& parts, const T* out, T of_largest, T* lower) {
  std::vector<T> farthest(parts.count, T{-1});
  for (std::int64_t part = 0; part < parts.count; ++part) {
    T& value = farthest[part];
    if (part == parts.largest) continue;
    for (std::int64_t i = parts.first[part]; i < parts.first[part + 1]; ++i) {
      const T distance = out[parts.vertices[i]];
      if (distance != semiring::kNoPath<T>) value = std::max(value, distance);
    }
    leave(parts, part, [&](std::int64_t, std::int32_t, std::int32_t other) {
      value = std::max(value, other == parts.largest ? of_largest : farthest[other]);
    });
  }
  farthest[parts.largest] = of_largest;
  for (std::int64_t v = 0; v < parts.graph.n; ++v)
    if (out[v] != semiring::kNoPath<T>)
      lower[v] = std::max<T>(lower[v], farthest[parts.part[v]] - out[v]);
}

void bound_reach(const Parts& parts, const std::uint8_t* before, const std::uint8_t* after, double* reach,
                 std::uint8_t* known) {
  const double of_largest = reach[parts.largest];
  std::vector<double> beside(parts.count, 0);  // without what is reached through the largest part
  for (std::int64_t part = 0; part < parts.count; ++part) {
    if (part == parts.largest) continue;
    const auto size = static_cast<double>(parts.first[part + 1] - parts.first[part]);
    beside[part] = size;
    std::int32_t only = -1;
    bool is_one = true;
    leave(parts, part, [&](std::int64_t, std::int32_t, std::int32_t other) {
      is_one &= only < 0 || only == other;
      only = other;
      if (other != parts.largest && !(before[part] && after[other])) beside[part] += beside[other];
    });
    if (known[part]) continue;
    if (only >= 0 && is_one && known[only]) {
      reach[part] = size + reach[only];
      known[part] = 1;
    } else {
      reach[part] = beside[part] + (before[part] ? of_largest : 0);
    }
  }
}

#define APSP_INSTANTIATE(T)                                              \
  template void bound_parts<T>(const Parts&, const T*, const T*, T*);    \
  template void bound_by_potential<T>(const Parts&, const T*, T, T*);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::measures
