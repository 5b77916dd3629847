#include "reductions/search_bounds.hpp"

#include <algorithm>

#include "semiring/length.hpp"

namespace apsp::reductions {
namespace {

// Loops without branches on a distance, which would be mispredicted. is_inside(v): v is in the component.
template <class T, class Inside>
void bound_below(std::int64_t n, const T* out, T eccentricity, T* lower, const Inside& is_inside) {
  for (std::int64_t v = 0; v < n; ++v) {
    const T beyond = eccentricity - out[v];  // does not wrap where there is no path, and is not used there
    const T bound = is_inside(v) ? beyond : T{0};
    lower[v] = lower[v] < bound ? bound : lower[v];
  }
}

template <class T, class Inside>
void bound_above(std::int64_t n, const T* into, T eccentricity, T* upper, const Inside& is_inside) {
  for (std::int64_t v = 0; v < n; ++v) {
    const T within = into[v] == semiring::kNoPath<T> ? T{0} : into[v];
    const T bound = within + eccentricity, before = upper[v];
    upper[v] = (is_inside(v) & (bound < before)) ? bound : before;
  }
}

template <class T>
void add_distances(std::int64_t n, const T* into, T* lower, double* total) {
  for (std::int64_t v = 0; v < n; ++v) {
    const T within = into[v] == semiring::kNoPath<T> ? T{0} : into[v];
    lower[v] = lower[v] < within ? within : lower[v];
    total[v] += static_cast<double>(within);
  }
}

// The largest distance, and the first vertex at it; where there is no path, the distance counts as
// `otherwise`.
template <class T>
T farthest(const T* distances, std::int64_t n, T otherwise, std::int64_t& first) {
  T largest = -1;
  for (std::int64_t v = 0; v < n; ++v) {
    const T distance = distances[v] == semiring::kNoPath<T> ? otherwise : distances[v];
    largest = std::max(largest, distance);
  }
  for (first = 0; first < n; ++first)
    if ((distances[first] == semiring::kNoPath<T> ? otherwise : distances[first]) == largest) break;
  return largest;
}

}  // namespace

template <class T>
SearchEnds<T> add_search(const SearchBounds<T>& bounds, const T* out, const T* into, const std::int32_t* part,
                         std::int64_t vertex) {
  SearchEnds<T> ends;
  ends.eccentricity = farthest(out, bounds.n, T{-1}, ends.target);
  for (std::int64_t v = 0; v < bounds.n; ++v)
    ends.reached += static_cast<std::int64_t>(out[v] != semiring::kNoPath<T>);
  if (into != nullptr) ends.longest = farthest(into, bounds.n, T{0}, ends.source);
  const auto add = [&](const auto& is_inside) {
    bound_below(bounds.n, out, ends.eccentricity, bounds.lower, is_inside);
    if (into != nullptr) bound_above(bounds.n, into, ends.eccentricity, bounds.upper, is_inside);
  };
  if (part == nullptr)
    add([](std::int64_t) { return true; });
  else
    add([part, own = part[vertex]](std::int64_t v) { return part[v] == own; });
  if (into != nullptr) add_distances(bounds.n, into, bounds.lower, bounds.total);
  return ends;
}

template <class T>
std::int64_t best_vertex(const std::int64_t* vertices, std::int64_t count, const T* bound,
                         const double* total, bool largest) {
  T best = bound[vertices[0]];
  for (std::int64_t i = 1; i < count; ++i) {
    const T value = bound[vertices[i]];
    best = largest ? std::max(best, value) : std::min(best, value);
  }
  std::int64_t chosen = -1;
  double most = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t v = vertices[i];
    const double value = largest ? total[v] : -total[v];
    if ((bound[v] == best) & ((chosen < 0) | (value > most))) {
      chosen = v;
      most = value;
    }
  }
  return chosen;
}

#define APSP_INSTANTIATE(T)                                                                          \
  template SearchEnds<T> add_search(const SearchBounds<T>&, const T*, const T*, const std::int32_t*, \
                                    std::int64_t);                                                   \
  template std::int64_t best_vertex(const std::int64_t*, std::int64_t, const T*, const double*, bool);
APSP_INSTANTIATE(std::int32_t)
APSP_INSTANTIATE(std::int64_t)
#undef APSP_INSTANTIATE

}  // namespace apsp::reductions
