// Kernels that compute the same values in different ways: which one is fastest depends on the processor. For
// example, on some the minimum of integers and a sum that saturates run on one port of several.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "floyd_warshall/kernels.hpp"

namespace apsp::floyd_warshall {

template <class T>
struct Variant {
  std::string name;  // instruction set and arithmetic, such as "avx512 saturating"
  const Kernels<T>* kernels;
};

// Those that the proof and the instruction set in force allow. The first needs no measurement to be a good
// choice on most processors.
template <class T>
std::vector<Variant<T>> variants(semiring::Algebra algebra, Proven proven);

// The one with this name; std::invalid_argument if there is none.
template <class T>
const Kernels<T>& variant(semiring::Algebra algebra, Proven proven, std::string_view name);

// The one with this name, or without a name those of `kernels`.
template <class T>
const Kernels<T>& chosen(semiring::Algebra algebra, Proven proven, const std::optional<std::string>& name) {
  return name ? variant<T>(algebra, proven, *name) : kernels<T>(algebra, proven);
}

// From now on, calls of this process in (min,+) with this proof use these kernels while the present
// instruction set is in force.
template <class T>
void prefer(Proven proven, const Kernels<T>& kernels);

// (choose, join) pairs per second of one core on packed operands in its first-level cache: the best of
// several runs within about `seconds`.
template <class T>
double rate(const Kernels<T>& kernels, double seconds);

}  // namespace apsp::floyd_warshall
