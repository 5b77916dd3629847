// How one warp access to global memory becomes transactions, and one to shared memory becomes passes, by the
// rules of the capabilities of the papers' GPUs, and of today.
#pragma once
#include <cstdint>

#include "../run/here.hpp"

namespace apsp_emulated {

// One load or store that active threads of a warp execute together: bit i of `active` is thread i.
struct Access {
  std::uint32_t active = 0;
  int size = 0;  // bytes of a thread
  std::uint64_t address[kWarp] = {};
};

struct Transactions {
  int count = 0, bytes = 0;
};

// Number of distinct aligned pieces of this number of bytes (a power of two) that are accessed.
int pieces(const Access& access, int bytes);

// Capability 1.0 and 1.1: CUDA programming guide 2.0, section 5.1.2.1.
Transactions transactions_cc10(const Access& access);

// Capability 1.2 and 1.3: the same section.
Transactions transactions_cc12(const Access& access);

// Passes beyond the first: 32 banks of 4 bytes; 8 bytes a half-warp, and 16 bytes a quarter-warp at a time.
int bank_conflicts(const Access& access);

// The same with capability 1.x: 16 banks, a half-warp at a time, one word broadcast in each pass; larger
// words are accessed 4 bytes after 4 bytes (section 5.1.2.5).
int bank_conflicts_cc1(const Access& access);

// Distinct addresses.
int distinct(const Access& access);

}  // namespace apsp_emulated
