#include "searches/signed_floats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <type_traits>

#include "rows/arcs.hpp"
#include "searches/bellman_ford.hpp"
#include "searches/buckets.hpp"
#include "searches/exact.hpp"
#include "searches/heap.hpp"
#include "searches/johnson_search.hpp"

namespace apsp::searches {
namespace {

constexpr double kForgivenSteps = 1024;  // see SignedFloats::make

// All weights are multiples of 2^unit; sums of up to 4 n of them are below 2^bits in that unit.
struct Digits {
  int unit;
  int bits;
};

// The exponent of the lowest binary digit of a value that is not zero.
int lowest_digit(double value) noexcept {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::abs(fraction), 53));
  return exponent - 53 + std::countr_zero(mantissa);
}

struct Sizes {
  double smallest = std::numeric_limits<double>::infinity();  // of those that are not zero
  double largest = 0;
  int unit = std::numeric_limits<int>::max();
};

Sizes sizes_of(const double* weights, std::int64_t m) {
  Sizes sizes;
  for (std::int64_t a = 0; a < m; ++a) {
    const double size = std::abs(weights[a]);
    if (!std::isfinite(size)) throw std::invalid_argument("weights must be finite");
    if (size == 0) continue;
    sizes.smallest = std::min(sizes.smallest, size);
    sizes.largest = std::max(sizes.largest, size);
    sizes.unit = std::min(sizes.unit, lowest_digit(size));
  }
  return sizes;
}

Digits digits_of(const Sizes& sizes, int unit, std::int64_t n) noexcept {
  if (sizes.largest == 0) return {0, 8};
  int exponent = 0;
  std::frexp(sizes.largest, &exponent);
  const int sums = std::bit_width(static_cast<std::uint64_t>(n)) + 5;
  return {unit, exponent - unit + sums};
}

// Calls use(Int{}) with the narrowest type of at least this number of bits and a sign.
template <class Use>
auto with_width(int bits, const Use& use) {
  if (bits < 63) return use(std::int64_t{});
  if (bits < 127) return use(Int128{});
  if (bits < 511) return use(Fixed<8>{});
  return use(Fixed<36>{});  // 2,304 bits: enough for sums of any doubles
}

template <class Int>
using QueueOf = std::conditional_t<(sizeof(Int) <= sizeof(Int128)), BucketQueue<Int, false>, HeapQueue<Int>>;

// weights[a] + add(a), in units.
template <class Int, class Add>
std::vector<Int> lengths_of(const double* weights, std::int64_t m, int unit, const Add& add) {
  std::vector<Int> lengths(static_cast<std::size_t>(m));
  for (std::int64_t a = 0; a < m; ++a) lengths[a] = to_units<Int>(weights[a], unit) + add(a);
  return lengths;
}

template <class Int>
class Exact final : public SignedFloats {
 public:
  // more(a) is added to arc a in the search for cycles, in units.
  template <class More>
  Exact(const graph::Csr& graph, const double* weights, int unit, bool forgiving, bool searches,
        const More& more, Control& control)
      : unit_(unit) {
    forgiving_ = forgiving;
    reduced_ = lengths_of<Int>(weights, graph.m, unit, more);
    cycle_ = heights(graph, [&](std::int64_t a) { return reduced_[a]; }, height_, control);
    if (!cycle_.empty()) return;
    for (std::int64_t u = 0; u < graph.n; ++u)
      for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
        if (forgiving) reduced_[a] = to_units<Int>(weights[a], unit);
        reduced_[a] = std::max(Int(0), reduced_[a] + height_[u] - height_[graph.indices[a]]);
      }
    if (!searches) return;
    arcs_.emplace(graph, reduced_.data(), nullptr);
    reduced_ = {};
  }

  void potentials(double* height, double* reduced) const override {
    std::transform(height_.begin(), height_.end(), height,
                   [&](const Int& h) { return from_units(h, unit_); });
    std::transform(reduced_.begin(), reduced_.end(), reduced,
                   [&](const Int& length) { return from_units(length, unit_); });
  }

  void rows(const rows::RowRequest<float>& request, int threads, Control& control) const override {
    search(request, threads, control);
  }
  void rows(const rows::RowRequest<double>& request, int threads, Control& control) const override {
    search(request, threads, control);
  }

 private:
  template <class T>
  void search(const rows::RowRequest<T>& request, int threads, Control& control) const {
    rows::check_request(request, arcs_->n());
    const auto restore = [&](const auto& found, std::int32_t source, const auto& order,
                             std::vector<T>& lengths) {
      for (const std::int32_t v : order)
        lengths[v] = static_cast<T>(from_units<Int>(found.labels()[v] - height_[source] + height_[v], unit_));
    };
    search_with<QueueOf<Int>>(
        *arcs_, request, threads, control, [](std::int32_t) { return semiring::kNoPath<Int>; }, restore);
  }

  int unit_;
  std::vector<Int> height_, reduced_;
  std::optional<rows::Arcs<Int>> arcs_;
};

}  // namespace

std::unique_ptr<SignedFloats> SignedFloats::make(const graph::Csr& graph, const double* weights,
                                                 double epsilon, bool searches, Control& control) {
  graph::check_csr(graph);
  const Sizes sizes = sizes_of(weights, graph.m);
  const Digits plain = digits_of(sizes, sizes.unit, graph.n);
  auto found = with_width(plain.bits, [&](auto zero) -> std::unique_ptr<SignedFloats> {
    using Int = decltype(zero);
    const auto none = [](std::int64_t) { return Int(0); };
    return std::make_unique<Exact<Int>>(graph, weights, plain.unit, false, searches, none, control);
  });
  if (found->cycle().empty() || epsilon == 0) return found;
  const double most = epsilon * sizes.largest;
  const auto forgiven = [&](std::int64_t a) {
    return std::min(most, kForgivenSteps * epsilon * std::abs(weights[a]));
  };
  const int finer = sizes.unit + std::ilogb(epsilon);  // so that the tolerated amounts are exact
  const Digits fine = digits_of(sizes, std::max(finer, -1074), graph.n);
  return with_width(fine.bits, [&](auto zero) -> std::unique_ptr<SignedFloats> {
    using Int = decltype(zero);
    const auto more = [&](std::int64_t a) { return to_units<Int>(forgiven(a), fine.unit); };
    return std::make_unique<Exact<Int>>(graph, weights, fine.unit, true, searches, more, control);
  });
}

bool has_cancelling_cycle(const graph::Csr& graph, const double* weights, double epsilon, Control& control) {
  graph::check_csr(graph);
  const Sizes sizes = sizes_of(weights, graph.m);
  if (sizes.largest == 0) return false;
  const bool exact = digits_of(sizes, sizes.unit, graph.n).bits <= 1 - std::ilogb(epsilon);
  const double share = exact ? 0 : static_cast<double>(graph.n) * epsilon;
  int finer = 0;
  std::frexp(share * sizes.smallest, &finer);
  const int unit = exact ? sizes.unit : std::min(sizes.unit, std::max(finer - 8, -1074));
  const Digits digits = digits_of(sizes, unit, graph.n);
  return with_width(digits.bits, [&](auto zero) {
    using Int = decltype(zero);
    std::vector<Int> height;
    const auto less = [&](std::int64_t a) {  // rounded away from zero
      const double size = std::abs(weights[a]);
      return size == 0 || exact ? Int(0) : Int(-1) - to_units<Int>(share * size, digits.unit);
    };
    const auto lengths = lengths_of<Int>(weights, graph.m, digits.unit, less);
    const auto length = [&](std::int64_t a) { return lengths[a]; };
    return !heights(graph, length, height, control).empty();
  });
}

}  // namespace apsp::searches
