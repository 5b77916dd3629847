#include "wait.hpp"

#include "going_on.hpp"

namespace apsp_emulated {

int meet_block(bool claim, bool counts) {
  here.scheduler->meet_block(claim, counts);
  return here.scheduler->block_claims();
}

int threads_met() { return here.scheduler->block_present(); }

unsigned meet_warp(bool claim) {
  here.scheduler->meet_warp(claim);
  return here.scheduler->ballot();
}

unsigned warp_met() { return here.scheduler->present(); }

int lane() { return here.scheduler->lane(); }

std::uint64_t exchange(std::uint64_t bits, int from, int width) {
  const int first = lane() / width * width;
  const std::uint64_t* values = here.scheduler->exchange(bits);
  const bool is_there = from >= first && from < first + width && (warp_met() >> from & 1);
  return is_there ? values[from] : bits;
}

std::uint64_t exchange_among(unsigned lanes, std::uint64_t bits, int from, int width) {
  here.scheduler->name(lanes);
  return exchange(bits, from, width);
}

}  // namespace apsp_emulated
