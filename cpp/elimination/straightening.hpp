// Cuts out of a path what lies between two visits of a vertex. Memory: 32 to 64 bytes per vertex of the path.
#pragma once
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace apsp::elimination {

class Straightening {
 public:
  // Returns the number of the vertices that stay.
  std::int64_t straighten(std::int32_t* vertices, std::int64_t count) {
    table_.assign(std::bit_ceil(2 * static_cast<std::size_t>(count) + 1), {-1, kNotSeen});
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t& at = position(vertices[i]);
      if (at != kNotSeen) {
        while (kept > at + 1) position(vertices[--kept]) = kNotSeen;
      } else {
        at = kept;
        vertices[kept++] = vertices[i];
      }
    }
    return kept;
  }

 private:
  static constexpr std::int64_t kNotSeen = -1;

  // That of a vertex in the path, in a table with open addressing.
  std::int64_t& position(std::int32_t vertex) {
    const std::size_t mask = table_.size() - 1;
    std::size_t slot = (static_cast<std::uint32_t>(vertex) * std::uint64_t{0x9E3779B97F4A7C15} >> 20) & mask;
    while (table_[slot].first >= 0 && table_[slot].first != vertex) slot = (slot + 1) & mask;
    table_[slot].first = vertex;
    return table_[slot].second;
  }

  std::vector<std::pair<std::int32_t, std::int64_t>> table_;
};

}  // namespace apsp::elimination
