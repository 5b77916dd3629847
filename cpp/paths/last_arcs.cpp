#include "paths/last_arcs.hpp"

#include <algorithm>
#include <type_traits>

#include "runtime/dtypes.hpp"

namespace apsp::paths {

template <class T>
void LastArcs<T>::Rows::add(const Rows& other, std::int64_t lane) {
  source[count] = other.source[lane];
  dist[count] = other.dist[lane];
  pred[count++] = other.pred[lane];
}

// By components integers are complete. Floats may be rounded differently in one component: distances first,
// and components in the rows that these leave open, unless only few vertices are left.
template <class T>
void LastArcs<T>::find(const std::int32_t* sources, std::int64_t lanes, const T* const* dist,
                       std::int32_t* const* pred, const Control& control) {
  control.check();
  Rows rows;
  rows.count = lanes;
  std::copy_n(sources, lanes, rows.source);
  std::copy_n(dist, lanes, rows.dist);
  std::copy_n(pred, lanes, rows.pred);
  const bool by_components = lists_.zero && lists_.zero->any();
  Rows left = by_components && std::is_integral_v<T> ? rows : incomplete(rows);
  if (by_components && left.count > 0) {
    if (std::is_floating_point_v<T>) left = not_completed(left, arcs_.n / 4, control);
    if (left.count > 0) left = incomplete_by_components(left);
    if (left.count > 0) left = incomplete(left);
  }
  left = not_completed(left, arcs_.n, control);
  for (std::int64_t lane = 0; lane < left.count; ++lane) {
    control.check();
    search_.grow(left.source[lane], left.dist[lane], left.pred[lane], nullptr);
  }
}

// The rows that a search for single vertices, of up to `most` in a row, does not complete.
template <class T>
typename LastArcs<T>::Rows LastArcs<T>::not_completed(const Rows& rows, std::int64_t most,
                                                      const Control& control) {
  Rows left;
  for (std::int64_t lane = 0; lane < rows.count; ++lane) {
    control.check();
    if (!search_.complete(rows.source[lane], rows.dist[lane], rows.pred[lane], lists_, most))
      left.add(rows, lane);
  }
  return left;
}

template <class T>
std::uint32_t LastArcs<T>::search(const Rows& rows, bool by_components) {
  lines_.resize(
      static_cast<std::size_t>((arcs_.n + kSearchLanes - 1) / kSearchLanes * kSearchLanes * kSearchLanes));
  LastArcSearch<T> search{arcs_.n,
                          rows.source,
                          rows.count,
                          rows.dist,
                          rows.pred,
                          lists_.in.start.data(),
                          by_components ? lists_.rising.data() : lists_.positive.data(),
                          lists_.in.other.data(),
                          lists_.in.weight.data(),
                          lines_.data()};
  if (by_components) {
    entries_.resize(static_cast<std::size_t>(lists_.zero->count() * kSearchLanes));
    search.zero = lists_.zero->view();
    search.entries = entries_.data();
  }
  return search_last_arcs(search);
}

// Searches with arcs from nearer vertices alone; returns the rows that lack a predecessor.
template <class T>
typename LastArcs<T>::Rows LastArcs<T>::incomplete(const Rows& rows) {
  const std::uint32_t found = search(rows, false);
  Rows left;
  for (std::int64_t lane = 0; lane < rows.count; ++lane) {
    leave_closed(rows, lane, [](std::int32_t) {});
    if ((found >> lane) & 1u) left.add(rows, lane);
  }
  return left;
}

template <class T>
typename LastArcs<T>::Rows LastArcs<T>::incomplete_by_components(const Rows& rows) {
  const std::uint32_t found = search(rows, true);
  Rows left;
  for (std::int64_t lane = 0; lane < rows.count; ++lane) {
    const std::int32_t source = rows.source[lane];
    const T* dist = rows.dist[lane];
    std::int32_t* pred = rows.pred[lane];
    bool complete = enter_components(rows, lane) && ((found >> kSearchLanes >> lane) & 1u) == 0;
    if (complete && ((found >> lane) & 1u))
      for (std::int64_t v = 0; v < arcs_.n && complete; ++v)
        complete = pred[v] >= 0 || v == source || dist[v] == semiring::largest_value<T>();
    if (!complete) left.add(rows, lane);
  }
  return left;
}

// False if paths enter a component in an unknown place.
template <class T>
bool LastArcs<T>::enter_components(const Rows& rows, std::int64_t lane) {
  const graph::ZeroComponents& zero = *lists_.zero;
  const auto at_entry = [&](std::int32_t v) {
    if (zero.component(v) == graph::kAlone) return;
    std::int32_t& entry = entries_[zero.component(v) * kSearchLanes + lane];
    entry = std::min(entry, zero.place(v));
  };
  at_entry(rows.source[lane]);
  leave_closed(rows, lane, at_entry);
  rows.pred[lane][rows.source[lane]] = -1;
  for (std::int64_t c = 0; c < zero.count(); ++c) {
    const std::int32_t root = zero.first_place(c), entry = entries_[c * kSearchLanes + lane];
    if (entry == root) continue;
    if (entry != graph::kNoEntry)
      zero.enter(zero.vertex(entry), [](std::int32_t v) { return v; }, rows.pred[lane]);
    else if (rows.dist[lane][zero.vertex(root)] != semiring::largest_value<T>())
      return false;
  }
  return true;
}

// A tight arc that leaves the source is a whole path: right even if the source is closed.
template <class T>
template <class Joined>
void LastArcs<T>::leave_closed(const Rows& rows, std::int64_t lane, const Joined& joined) const {
  const std::int32_t source = rows.source[lane];
  if (closed_ == nullptr || !closed_[source]) return;
  for (std::int64_t arc = lists_.out.start[source]; arc < lists_.out.start[source + 1]; ++arc) {
    const std::int32_t head = lists_.out.other[arc];
    if (lists_.out.weight[arc] != lane_value(rows.dist[lane][head])) continue;
    rows.pred[lane][head] = source;
    joined(head);
  }
}

#define APSP_INSTANTIATE(T) template class LastArcs<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::paths
