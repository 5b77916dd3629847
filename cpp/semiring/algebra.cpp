#include "semiring/algebra.hpp"

#include <stdexcept>
#include <string>

namespace apsp::semiring {

Algebra algebra_from_name(std::string_view name) {
  if (name == "min_plus") return Algebra::kMinPlus;
  if (name == "max_min") return Algebra::kMaxMin;
  if (name == "min_max") return Algebra::kMinMax;
  throw std::invalid_argument("unknown semiring '" + std::string(name) + "': min_plus, max_min or min_max");
}

}  // namespace apsp::semiring
