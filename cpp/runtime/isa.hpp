// Which instruction set the kernels run with: the best one this machine has, or a lower one that the caller
// requests (tests run all of them). Kernels that are compiled several times pick their table of functions by
// isa().
#pragma once
#include <string_view>

namespace apsp {

enum class Isa { kBaseline = 0, kAvx2 = 1, kAvx512 = 2 };

// The best instruction set of this machine (and operating system).
Isa best_isa() noexcept;

// The one in force: best_isa(), unless set_isa() lowered it. APSP_ISA=baseline|avx2|avx512 sets it at start.
Isa isa() noexcept;

// Lowers (or restores) the instruction set in force; throws std::invalid_argument if it is higher than
// best_isa().
void set_isa(Isa wanted);

std::string_view isa_name(Isa value) noexcept;
Isa isa_from_name(std::string_view name);  // throws std::invalid_argument

}  // namespace apsp
