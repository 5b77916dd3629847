#include "runtime/isa.hpp"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace apsp {
namespace {

Isa initial_isa() noexcept {
  const Isa best = best_isa();
  if (const char* wanted = std::getenv("APSP_ISA")) {
    try {
      const Isa asked = isa_from_name(wanted);
      if (asked <= best) return asked;
    } catch (const std::invalid_argument&) {
      // An unknown name is ignored here; `apsp info` shows the instruction set in force.
    }
  }
  return best;
}

std::atomic<Isa>& current() noexcept {
  static std::atomic<Isa> value{initial_isa()};
  return value;
}

}  // namespace

Isa best_isa() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("bmi2"))
    return Isa::kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2"))
    return Isa::kAvx2;
#endif
  return Isa::kBaseline;
}

Isa isa() noexcept { return current().load(std::memory_order_relaxed); }

void set_isa(Isa wanted) {
  if (wanted > best_isa())
    throw std::invalid_argument("this machine has no " + std::string(isa_name(wanted)) +
                                "; the best it has is " + std::string(isa_name(best_isa())));
  current().store(wanted, std::memory_order_relaxed);
}

std::string_view isa_name(Isa value) noexcept {
  switch (value) {
    case Isa::kAvx512:
      return "avx512";
    case Isa::kAvx2:
      return "avx2";
    default:
      return "baseline";
  }
}

Isa isa_from_name(std::string_view name) {
  for (const Isa value : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512})
    if (name == isa_name(value)) return value;
  throw std::invalid_argument("unknown instruction set '" + std::string(name) +
                              "': baseline, avx2 or avx512");
}

}  // namespace apsp
