// Earliest arrivals for all times of departure between two: Orda and Rom 1990, "Shortest-path and
// minimum-delay algorithms in networks with time-dependent edge-length"; Dean 2004, "Shortest paths in FIFO
// time-dependent networks".
#pragma once
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "searches/timetable.hpp"

namespace apsp::searches {

struct ProfileRequest {
  double first = 0, last = 0;  // departures, first < last
  std::int64_t count = 0;
  const std::int32_t* sources = nullptr;  // (count,)
  std::int64_t columns = 0;
  const std::int32_t* targets = nullptr;  // (columns,)
  std::int64_t most_bytes = 0;            // of the points, of all threads
};

// The arrival at target j from source i lies on straight lines between the points offsets[i * columns + j]
// and on: the first departs first, the last one last. No points if there is no path.
struct Profiles {
  std::vector<std::int64_t> offsets;  // (count * columns + 1,)
  std::vector<double> departures, arrivals;
};

// Differences below 1e-12 of the latest time are taken for rounding, arc by arc. Throws as
// earliest_arrivals, and std::bad_alloc if the points need more bytes. Advances control by the sources.
template <class Weight>
Profiles arrival_profiles(const graph::Csr& graph, const Timetable<Weight>& timetable,
                          const ProfileRequest& request, int threads, Control& control);

}  // namespace apsp::searches
