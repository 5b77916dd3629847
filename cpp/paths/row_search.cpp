#include "paths/row_search.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::paths {

template <class T>
template <class Body>
void RowSearch<T>::for_arcs(std::int64_t tail, const ArcLists<Lane<T>>* tight, const Body& body) {
  if (tight != nullptr) {
    for (std::int64_t arc = tight->start[tail]; arc < tight->start[tail + 1]; ++arc)
      body(tight->other[arc], static_cast<T>(tight->weight[arc]));
    return;
  }
  constexpr std::int64_t kArcsAtOnce = 256;
  T weights[kArcsAtOnce];
  for (std::int64_t first = arcs_.begin(tail); first < arcs_.end(tail); first += kArcsAtOnce) {
    const std::int64_t count = std::min(kArcsAtOnce, arcs_.end(tail) - first);
    graph::read_weights(arcs_, algebra_, first, count, weights);
    for (std::int64_t arc = 0; arc < count; ++arc) body(arcs_.indices[first + arc], weights[arc]);
  }
}

template <class T>
double RowSearch<T>::gap(T from, T weight, T to) const {
  if (algebra_ == semiring::Algebra::kMaxMin) return std::min(from, weight) == to ? 0 : HUGE_VAL;
  if (algebra_ == semiring::Algebra::kMinMax) return std::max(from, weight) == to ? 0 : HUGE_VAL;
  if constexpr (std::is_integral_v<T>) {  // both differences are exact in 64 bits: |values| are below 2^61
    const auto wide = [](T value) { return static_cast<std::int64_t>(value); };
    return wide(from) + wide(weight) == wide(to) ? 0 : HUGE_VAL;
  } else {
    if (static_cast<T>(from + weight) == to) return 0;
    return std::abs(static_cast<double>(from) + static_cast<double>(weight) - static_cast<double>(to));
  }
}

template <class T>
void RowSearch<T>::grow(std::int64_t source, const T* dist, std::int32_t* pred,
                        const ArcLists<Lane<T>>* tight) {
  std::fill_n(pred, arcs_.n, std::int32_t{-1});
  const T none =
      algebra_ == semiring::Algebra::kMinPlus ? semiring::largest_value<T>() : semiring::no_path<T>(algebra_);
  heap_ = {};
  stack_.assign(1, static_cast<std::int32_t>(source));
  const auto free = [&](std::int32_t v) { return pred[v] < 0 && v != source && dist[v] != none; };
  const auto join = [&](std::int32_t v, std::int32_t tail) {
    pred[v] = tail;
    stack_.push_back(v);
  };
  for (;;) {
    while (!stack_.empty()) {
      const std::int32_t tail = stack_.back();
      stack_.pop_back();
      if (!may_leave(tail, source)) continue;
      for_arcs(tail, tight, [&](std::int32_t head, T weight) {
        if (!free(head)) return;
        const double distance = gap(dist[tail], weight, dist[head]);
        if (distance == 0) {
          join(head, tail);
        } else if (distance < HUGE_VAL) {
          heap_.emplace(distance, head, tail);
        }
      });
    }
    while (!heap_.empty() && !free(std::get<1>(heap_.top()))) heap_.pop();
    if (heap_.empty()) return;
    join(std::get<1>(heap_.top()), std::get<2>(heap_.top()));
  }
}

template <class T>
bool RowSearch<T>::complete(std::int64_t source, const T* dist, std::int32_t* pred,
                            const TightArcs<Lane<T>>& lists, std::int64_t most) {
  const auto free = [&](std::int64_t v) {
    return pred[v] < 0 && v != source && dist[v] != semiring::largest_value<T>();
  };
  std::int64_t left = 0;
  for (std::int64_t v = 0; v < arcs_.n; ++v) left += free(v);
  if (left > most) return false;
  heap_ = {};
  farther_ = {};
  stack_.clear();
  const auto join = [&](std::int32_t head, std::int32_t tail) {
    pred[head] = tail;
    stack_.push_back(head);
    --left;
  };
  const auto offer = [&](std::int32_t tail, Lane<T> weight, std::int32_t head) {
    const double distance = gap(dist[tail], static_cast<T>(weight), dist[head]);
    if (dist[tail] > dist[head]) {
      if (distance < HUGE_VAL) farther_.emplace(distance, head, tail);
    } else if (distance == 0) {
      join(head, tail);
    } else if (distance < HUGE_VAL) {
      heap_.emplace(distance, head, tail);
    }
  };
  // From all tails that are complete; integers have all arcs above zero already. Adding vertices meanwhile is
  // safe: a vertex is complete when it has been added.
  for (std::int32_t v = 0; v < arcs_.n && left > 0; ++v)
    for (std::int64_t arc = lists.in.start[v]; arc < lists.in.start[v + 1] && free(v); ++arc) {
      if (std::is_integral_v<T> && lists.in.weight[arc] > 0) break;
      const std::int32_t tail = lists.in.other[arc];
      if (!free(tail) && dist[tail] != semiring::largest_value<T>() && may_leave(tail, source))
        offer(tail, lists.in.weight[arc], v);
    }
  while (left > 0) {
    while (!stack_.empty()) {
      const std::int32_t tail = stack_.back();
      stack_.pop_back();
      if (!may_leave(tail, source)) continue;
      for (std::int64_t arc = lists.out.start[tail]; arc < lists.out.start[tail + 1]; ++arc) {
        const std::int32_t head = lists.out.other[arc];
        if (free(head)) offer(tail, lists.out.weight[arc], head);
      }
    }
    for (Heap* heap : {&heap_, &farther_})
      while (!heap->empty() && !free(std::get<1>(heap->top()))) heap->pop();
    if (heap_.empty()) break;
    const auto [smallest, head, tail] = heap_.top();
    if (!farther_.empty() && std::get<0>(farther_.top()) < smallest) return false;
    join(head, tail);
  }
  return left == 0;
}

template class RowSearch<std::uint16_t>;
template class RowSearch<std::int32_t>;
template class RowSearch<std::int64_t>;
template class RowSearch<float>;
template class RowSearch<double>;

}  // namespace apsp::paths
