// The paths of many pairs, from those of each pair.
#pragma once
#include <cstdint>
#include <vector>

namespace apsp::paths {

struct PathsOfPair {
  std::vector<std::int64_t> ends;  // of each path in `vertices`
  std::vector<std::int32_t> vertices;

  void add(const std::vector<std::int32_t>& path) {
    vertices.insert(vertices.end(), path.begin(), path.end());
    end_path();
  }
  // The vertices of a path have been added.
  void end_path() { ends.push_back(static_cast<std::int64_t>(vertices.size())); }
};

struct PathsOfPairs {
  std::vector<std::int64_t> counts;      // (pairs,) paths of each pair
  std::vector<std::int64_t> offsets{0};  // path i is vertices[offsets[i]], ..., vertices[offsets[i + 1] - 1]
  std::vector<std::int32_t> vertices;

  void add(const PathsOfPair& pair) {
    const auto start = static_cast<std::int64_t>(vertices.size());
    counts.push_back(static_cast<std::int64_t>(pair.ends.size()));
    for (const std::int64_t end : pair.ends) offsets.push_back(start + end);
    vertices.insert(vertices.end(), pair.vertices.begin(), pair.vertices.end());
  }
};

}  // namespace apsp::paths
