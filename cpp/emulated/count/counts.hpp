// The counts of a launch; the names and their order are those of apsp/gpu/counts.py.
#pragma once
#include <cstdint>

namespace apsp_emulated {

#define APSP_COUNTS(each)                                                                              \
  each(launches) each(blocks) each(threads) each(global_loads) each(global_stores) each(load_requests) \
      each(store_requests) each(load_sectors) each(store_sectors) each(transactions_128)               \
          each(transactions_cc10) each(bytes_cc10) each(transactions_cc12) each(bytes_cc12)            \
              each(shared_loads) each(shared_stores) each(shared_requests) each(bank_conflicts)        \
                  each(bank_conflicts_cc1) each(atomics) each(atomic_requests) each(atomic_sectors)    \
                      each(atomic_collisions) each(divergent_branches) each(barriers) each(warp_barriers)

struct Counts {
#define APSP_MEMBER(name) std::int64_t name = 0;
  APSP_COUNTS(APSP_MEMBER)
#undef APSP_MEMBER
};

}  // namespace apsp_emulated
