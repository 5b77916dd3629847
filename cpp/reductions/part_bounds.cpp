#include "reductions/part_bounds.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "semiring/length.hpp"

namespace apsp::reductions {
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

// parent (count): of each part, or -1; parents have higher numbers, or all have lower ones.
Preorder preorder(const std::vector<std::int32_t>& parent) {
  const auto count = static_cast<std::int64_t>(parent.size());
  const bool rises = std::any_of(parent.begin(), parent.end(),
                                 [&](const std::int32_t& p) { return p > &p - parent.data(); });
  const auto each = [count](bool upwards, const auto& act) {
    for (std::int64_t i = 0; i < count; ++i) act(upwards ? i : count - 1 - i);
  };
  Preorder found{std::vector<std::int64_t>(count, 0), std::vector<std::int64_t>(count, 1)};
  each(rises, [&](std::int64_t part) {
    if (parent[part] >= 0) found.size[parent[part]] += found.size[part];
  });
  std::vector<std::int64_t> next(count, 0);
  std::int64_t roots = 0;
  each(!rises, [&](std::int64_t part) {
    std::int64_t& at = parent[part] < 0 ? roots : next[parent[part]];
    found.place[part] = at;
    at += found.size[part];
    next[part] = found.place[part] + 1;
  });
  return found;
}

}  // namespace

Leading leading_arcs(const Parts& parts) {
  const std::int64_t count = parts.count;
  Leading found;
  std::vector<std::int64_t>& leading = found.arc;
  leading.assign(count, -1);
  std::vector<std::int32_t> nearest(count, -1),
      parent(count, -1);  // the first part after each, the last one before
  for (std::int64_t part = 0; part < count; ++part) {
    if (part == parts.largest) continue;
    bool is_complete = true;
    leave(parts, part, [&](std::int64_t arc, std::int32_t, std::int32_t other) {
      is_complete &= other != parts.largest;
      if (other == parts.largest) return;
      if (parent[other] < 0) parent[other] = static_cast<std::int32_t>(part);  // parts rise
      if (other > nearest[part]) {
        nearest[part] = other;
        leading[part] = arc;
      }
    });
    if (!is_complete) leading[part] = -1;
  }
  const Preorder below = preorder(parent);
  for (std::int64_t part = 0; part < count; ++part) {
    if (leading[part] < 0) continue;
    leave(parts, part, [&](std::int64_t, std::int32_t, std::int32_t other) {
      if (!below.is_below(other, nearest[part])) leading[part] = -1;
    });
    if (leading[part] < 0) nearest[part] = -1;
  }
  for (std::int64_t part = 0; part < count; ++part)
    if (leading[part] < 0) nearest[part] = -1;
  found.followers = preorder(nearest);
  return found;
}

template <class T>
void bound_parts(const Parts& parts, const Leading* leading, const T* lengths, const T* inner, T* upper) {
  constexpr T kMost = std::numeric_limits<T>::max();
  const auto length = [&](std::int64_t arc) { return lengths == nullptr ? T{1} : lengths[arc]; };
  std::vector<T> bound(parts.count, kMost), way(parts.count, 0);  // along leading arcs, through parts
  for (std::int64_t part = 0; part < parts.count; ++part) {
    if (part == parts.largest) continue;
    if (const std::int64_t arc = leading ? leading->arc[part] : -1; arc >= 0)
      way[part] = inner[part] + length(arc) + way[parts.part[parts.graph.indices[arc]]];
    T beyond = 0, through = kMost, led = kMost;
    bool is_bounded = true, is_before_largest = false;
    leave(parts, part, [&](std::int64_t arc, std::int32_t head, std::int32_t other) {
      if (other == parts.largest) {
        is_before_largest = true;
        if (upper[head] != kMost) through = std::min<T>(through, length(arc) + upper[head]);
      } else if (bound[other] != kMost) {
        beyond = std::max<T>(beyond, length(arc) + bound[other]);
        if (leading && leading->followers.is_below(static_cast<std::int32_t>(part), other))
          led =
              std::min<T>(led, std::max<T>(inner[part] + length(arc) + bound[other], way[part] - way[other]));
      } else {
        is_bounded = false;
      }
    });
    if (is_bounded && !(is_before_largest && through == kMost))
      bound[part] = inner[part] + (is_before_largest ? std::max(beyond, through) : beyond);
    bound[part] = std::min(bound[part], led);
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
    if (out[v] != semiring::kNoPath<T>) lower[v] = std::max<T>(lower[v], farthest[parts.part[v]] - out[v]);
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

#define APSP_INSTANTIATE(T)                                                           \
  template void bound_parts<T>(const Parts&, const Leading*, const T*, const T*, T*); \
  template void bound_by_potential<T>(const Parts&, const T*, T, T*);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
