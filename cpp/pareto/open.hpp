// What a search over two costs takes next: the least first cost, of equal ones that with the least second
// one.
#pragma once
#include <cstdint>

namespace apsp::pareto {

template <class A, class B>
struct Open {
  A first;
  B second;
  std::uint32_t number;  // of a vertex or a label

  bool operator<(const Open& other) const noexcept {
    if (first != other.first) return first < other.first;
    if (second != other.second) return second < other.second;
    return number < other.number;
  }
};

}  // namespace apsp::pareto
