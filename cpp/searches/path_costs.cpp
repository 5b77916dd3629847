#include "searches/path_costs.hpp"

#include "runtime/dtypes.hpp"

namespace apsp::searches {

template <class T>
void PathCosts<T>::run(const std::vector<std::int32_t>& reached, const T* lengths, const Control& control) {
  reached_.clear();
  const std::int32_t source = reached[0];
  std::fill_n(at(source), size_, 0.0);
  hops_[source] = source;
  reached_.add(source);
  std::int64_t taken = 0;
  for (auto first = reached.begin(); first != reached.end();) {
    const T here = lengths[*first];
    auto last = first + 1;
    while (last != reached.end() && lengths[*last] == here) ++last;
    if (costs_.has_zero() && last - first > 1) close(first, last, source, here, lengths);
    for (; first != last; ++first) {
      if ((++taken & 0xfff) == 0) control.check();
      for (const rows::Arc<T>& arc : out_of(*first, source)) {
        const auto sum = semiring::add(here, arc.weight);
        const auto there = static_cast<semiring::Sum<T>>(lengths[arc.head]);
        if (sum == there && static_cast<semiring::Sum<T>>(here) < there) relax(*first, arc, source);
      }
    }
  }
}

template <class T>
void PathCosts<T>::close(Place first, Place last, std::int32_t source, T here, const T* lengths) {
  open_.clear();
  for (Place v = first; v != last; ++v)
    if (reached_.has(*v)) open(*v);
  for (std::int32_t v; (v = open_.pop()) >= 0;)
    for (const rows::Arc<T>& arc : out_of(v, source)) {
      const bool same =
          lengths[arc.head] == here && semiring::add(here, arc.weight) == static_cast<semiring::Sum<T>>(here);
      if (!same || (arc.weight != T{0} && reached_.has(arc.head))) continue;
      if (relax(v, arc, source)) open(arc.head);
    }
}

template <class T>
bool PathCosts<T>::relax(std::int32_t v, const rows::Arc<T>& arc, std::int32_t source) {
  const double *before = sums(v), *cost = costs_.of(arc);
  for (std::int64_t k = 0; k < size_; ++k) sum_[k] = before[k] + cost[k];
  double* const now = at(arc.head);
  if (reached_.has(arc.head) && !std::lexicographical_compare(sum_.begin(), sum_.end(), now, now + size_))
    return false;
  std::copy(sum_.begin(), sum_.end(), now);
  hops_[arc.head] = v == source ? arc.head : hops_[v];
  reached_.add(arc.head);
  return true;
}

#define APSP_INSTANTIATE(T) template class PathCosts<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
