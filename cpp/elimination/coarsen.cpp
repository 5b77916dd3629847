#include "elimination/coarsen.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace apsp::elimination {
namespace {

constexpr Vertex kBlock = 2048;    // vertices that one thread works on
constexpr double kStep = 0.657;    // within a block, between vertices that are visited one after the other
constexpr double kShrinks = 0.95;  // contraction continues while it leaves at most this share

// One level up. Vertices are matched within blocks of consecutive numbers first, then across: the result does
// not depend on the number of threads.
class Contraction {
 public:
  Contraction(Level& level, Team& team, std::vector<std::vector<std::int64_t>>& places,
              const Control& control)
      : graph_(level.graph),
        above_(level.above),
        team_(team),
        places_(places),
        control_(control),
        blocks_((graph_.n() + kBlock - 1) / kBlock),
        heaviest_(std::max<std::int64_t>(3 * graph_.total / (2 * kCoarsest), 2)),
        mate_(graph_.n(), -1),
        rows_(blocks_),
        first_(blocks_ + 1) {}

  Weighted run() {
    over_blocks([&](std::size_t block, int) { match_within(block); });
    for (Vertex v = 0; v < graph_.n(); ++v)
      if (mate_[v] < 0) join(v, partner(v, 0, graph_.n()));
    over_blocks([&](std::size_t block, int) {
      for (Vertex v = begin(block); v < end(block); ++v) first_[block + 1] += mate_[v] >= v;
    });
    for (std::size_t block = 0; block < blocks_; ++block) first_[block + 1] += first_[block];
    above_.resize(mate_.size());
    coarse_.total = graph_.total;
    coarse_.mass.resize(first_[blocks_]);
    over_blocks([&](std::size_t block, int) { number(block); });
    over_blocks([&](std::size_t block, int member) { add_rows(block, member); });
    copy_rows();
    return std::move(coarse_);
  }

 private:
  struct BlockArcs {
    std::vector<Vertex> other;
    std::vector<std::int32_t> edge;
    std::vector<std::int64_t> end;
    std::int64_t first = 0;  // of all rows
  };

  Vertex begin(std::size_t block) const { return static_cast<Vertex>(block) * kBlock; }
  Vertex end(std::size_t block) const { return std::min(begin(block) + kBlock, graph_.n()); }

  template <class Body>
  void over_blocks(const Body& body) {
    team_.parallel_for(static_cast<std::int64_t>(blocks_), [&](std::int64_t block, int member) {
      control_.check();
      body(static_cast<std::size_t>(block), member);
    });
  }

  // If vertices were visited in the order of a grid, pairs would form along its rows and restrict the
  // direction of separators: so they are visited in large steps.
  void match_within(std::size_t block) {
    const Vertex low = begin(block), high = end(block);
    const auto size = std::bit_ceil(static_cast<std::uint32_t>(high - low));
    const auto step = static_cast<std::uint32_t>(kStep * size) | 1;
    for (std::uint32_t i = 0; i < size; ++i) {
      const Vertex v = low + static_cast<Vertex>(i * step & (size - 1));
      if (v >= high || mate_[v] >= 0) continue;
      const Vertex u = partner(v, low, high);
      if (u != v) join(v, u);
    }
  }

  void join(Vertex v, Vertex u) {
    mate_[v] = u;
    mate_[u] = v;
  }

  // The heaviest edge to an unmatched vertex from `low` to `high`; among equals, to the lighter vertex.
  Vertex partner(Vertex v, Vertex low, Vertex high) const {
    Vertex best = v;
    std::int32_t weight = 0, mass = 0;
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      const Vertex u = graph_.other[at];
      if (u < low || u >= high || mate_[u] >= 0 || graph_.mass[u] + graph_.mass[v] > heaviest_) continue;
      if (graph_.edge[at] > weight || (graph_.edge[at] == weight && graph_.mass[u] < mass)) {
        best = u;
        weight = graph_.edge[at];
        mass = graph_.mass[u];
      }
    }
    return best;
  }

  void number(std::size_t block) {
    Vertex next = first_[block];
    for (Vertex v = begin(block); v < end(block); ++v) {
      const Vertex u = mate_[v];
      if (u < v) continue;
      coarse_.mass[next] = u == v ? graph_.mass[v] : graph_.mass[v] + graph_.mass[u];
      above_[v] = above_[u] = next++;
    }
  }

  void add_rows(std::size_t block, int member) {
    std::vector<std::int64_t>& place = places_[static_cast<std::size_t>(member)];
    if (place.size() < coarse_.mass.size()) place.resize(coarse_.mass.size());
    BlockArcs& rows = rows_[block];
    const std::int64_t most = graph_.start[end(block)] - graph_.start[begin(block)];
    rows.other.reserve(static_cast<std::size_t>(most));
    rows.edge.reserve(static_cast<std::size_t>(most));
    for (Vertex v = begin(block); v < end(block); ++v) {
      if (mate_[v] < v) continue;
      const auto first = static_cast<std::int64_t>(rows.other.size());
      append(v, first, rows, place);
      if (mate_[v] != v) append(mate_[v], first, rows, place);
      rows.end.push_back(static_cast<std::int64_t>(rows.other.size()));
    }
  }

  // Adds the row of v to the one that begins at `first`. If `place` points to an entry of that row which is
  // u, then u is in the row.
  void append(Vertex v, std::int64_t first, BlockArcs& rows, std::vector<std::int64_t>& place) const {
    const Vertex own = above_[v];
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      const Vertex u = above_[graph_.other[at]];
      if (u == own) continue;
      const std::int64_t known = place[u];
      if (known >= first && known < static_cast<std::int64_t>(rows.other.size()) && rows.other[known] == u) {
        rows.edge[known] += graph_.edge[at];
      } else {
        place[u] = static_cast<std::int64_t>(rows.other.size());
        rows.other.push_back(u);
        rows.edge.push_back(graph_.edge[at]);
      }
    }
  }

  void copy_rows() {
    std::int64_t count = 0;
    for (BlockArcs& rows : rows_) {
      rows.first = count;
      count += static_cast<std::int64_t>(rows.other.size());
    }
    coarse_.other.resize(static_cast<std::size_t>(count));
    coarse_.edge.resize(static_cast<std::size_t>(count));
    coarse_.start.resize(coarse_.mass.size() + 1);
    over_blocks([&](std::size_t block, int) {
      const BlockArcs& rows = rows_[block];
      std::copy(rows.other.begin(), rows.other.end(), coarse_.other.begin() + rows.first);
      std::copy(rows.edge.begin(), rows.edge.end(), coarse_.edge.begin() + rows.first);
      for (std::size_t i = 0; i < rows.end.size(); ++i)
        coarse_.start[static_cast<std::size_t>(first_[block]) + i + 1] = rows.first + rows.end[i];
    });
  }

  const Weighted& graph_;
  std::vector<Vertex>& above_;
  Team& team_;
  std::vector<std::vector<std::int64_t>>& places_;
  const Control& control_;
  const std::size_t blocks_;
  const std::int64_t heaviest_;
  std::vector<Vertex> mate_;
  std::vector<BlockArcs> rows_;
  std::vector<Vertex> first_;  // (blocks + 1) number of a block's first vertex in the next level
  Weighted coarse_;
};

}  // namespace

void coarsen(Levels& levels, Team& team, const Control& control) {
  std::vector<std::vector<std::int64_t>> places(static_cast<std::size_t>(team.size()));
  while (levels.back().graph.n() > kCoarsest) {
    Level next{Contraction(levels.back(), team, places, control).run(), {}};
    if (next.graph.n() > kShrinks * levels.back().graph.n()) {
      levels.back().above.clear();
      break;
    }
    levels.push_back(std::move(next));
  }
}

}  // namespace apsp::elimination
