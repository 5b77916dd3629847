#include "floyd_warshall/variants.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <type_traits>

#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::floyd_warshall {
namespace {

constexpr int kSets = 3;  // of instructions

// A proof that does not matter to a dtype is not a kind of values.
template <class T>
std::atomic<const Kernels<T>*>& preferred(Proven proven) {
  static std::atomic<const Kernels<T>*> kept[kSets][2];
  const bool matters = std::is_floating_point_v<T> ? proven.nonnegative
                                                   : std::is_same_v<T, std::uint16_t> && proven.half_range;
  return kept[static_cast<int>(isa())][matters ? 1 : 0];
}

template <class T>
std::string_view word(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kOnBits) return "integer minimum";
  if (arithmetic == Arithmetic::kHalfRange) return "half range";
  if (std::is_floating_point_v<T>) return "float minimum";
  return std::is_same_v<T, std::uint16_t> ? "saturating" : "integers";
}

template <class T>
bool allows(Proven proven, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kOnBits) return std::is_floating_point_v<T> && proven.nonnegative;
  if (arithmetic == Arithmetic::kHalfRange) return std::is_same_v<T, std::uint16_t> && proven.half_range;
  return true;
}

}  // namespace

template <class T>
std::vector<Variant<T>> variants(semiring::Algebra algebra, Proven proven) {
  std::vector<Variant<T>> found;
  for (const Arithmetic arithmetic : {Arithmetic::kOnBits, Arithmetic::kHalfRange, Arithmetic::kAny}) {
    if (!allows<T>(proven, arithmetic)) continue;
    const Kernels<T>* table = APSP_IN_FORCE(table<T>(algebra, arithmetic));
    if (table != nullptr)
      found.push_back({std::string(isa_name(isa())) + " " + std::string(word<T>(arithmetic)), table});
  }
  return found;
}

template <class T>
const Kernels<T>& variant(semiring::Algebra algebra, Proven proven, std::string_view name) {
  for (const Variant<T>& each : variants<T>(algebra, proven))
    if (each.name == name) return *each.kernels;
  throw std::invalid_argument("no kernels '" + std::string(name) + "' for these values on this machine");
}

template <class T>
const Kernels<T>& kernels(semiring::Algebra algebra, Proven proven) {
  if (algebra == semiring::Algebra::kMinPlus) {
    const Kernels<T>* kept = preferred<T>(proven).load(std::memory_order_relaxed);
    if (kept != nullptr) return *kept;
  }
  for (const Arithmetic arithmetic : {Arithmetic::kOnBits, Arithmetic::kHalfRange}) {
    const Kernels<T>* table =
        allows<T>(proven, arithmetic) ? APSP_IN_FORCE(table<T>(algebra, arithmetic)) : nullptr;
    if (table != nullptr) return *table;
  }
  return *APSP_IN_FORCE(table<T>(algebra, Arithmetic::kAny));
}

template <class T>
void prefer(Proven proven, const Kernels<T>& kernels) {
  preferred<T>(proven).store(&kernels, std::memory_order_relaxed);
}

template <class T>
double rate(const Kernels<T>& kernels, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kDepth = 128, kGroups = 4;
  const std::int64_t rows = kGroups * kernels.rows, columns = kernels.columns;
  const Buffer<T> values = buffer<T>((rows + columns) * kDepth), c = buffer<T>(rows * columns);
  const Buffer<char> left = buffer<char>(rows * kDepth * kernels.packed_bytes);
  const Buffer<T> right = buffer<T>(columns * kDepth);
  std::fill_n(values.get(), (rows + columns) * kDepth, T{1});
  std::fill_n(c.get(), rows * columns, T{3});
  kernels.pack_left(values.get(), kDepth, rows, kDepth, left.get());
  kernels.pack_right(values.get(), columns, kDepth, columns, right.get());
  const auto elapsed = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  double best = seconds;
  const auto begin = Clock::now();
  do {
    const auto start = Clock::now();
    kernels.multiply(rows, columns, kDepth, left.get(), right.get(), c.get(), columns);
    best = std::min(best, elapsed(start));
  } while (elapsed(begin) < seconds);
  return static_cast<double>(rows * columns * kDepth) / best;
}

#define APSP_INSTANTIATE(T)                                                           \
  template std::vector<Variant<T>> variants<T>(semiring::Algebra, Proven);            \
  template const Kernels<T>& variant<T>(semiring::Algebra, Proven, std::string_view); \
  template const Kernels<T>& kernels<T>(semiring::Algebra, Proven);                   \
  template void prefer<T>(Proven, const Kernels<T>&);                                 \
  template double rate<T>(const Kernels<T>&, double);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::floyd_warshall
