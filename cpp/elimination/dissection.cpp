#include "elimination/dissection.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <numeric>
#include <utility>

#include "elimination/minimum_degree.hpp"
#include "elimination/peel.hpp"
#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr std::size_t kLeaf = 300;  // minimum degree is as good and faster up to this number of vertices
constexpr std::size_t kMostByDegree = 600;  // of a part without a small separator
constexpr std::size_t kLarge = 4096;        // vertices that all threads coarsen together
constexpr double kUseless = 0.3;            // a separator must be smaller than this share of a part

// Some vertices of the graph, the arcs among them, and the places in the order that they will take.
struct Part {
  std::vector<Vertex> names;
  Levels levels;
  std::size_t first = 0;  // of its places in the order
};

struct Cut {
  Part part;
  Split split;
};

// A part, or a side of one that was cut; and the splits of it among which one is chosen.
struct Piece {
  Part part;
  std::shared_ptr<const Cut> cut;
  std::uint8_t side = 0;
  std::vector<Split> splits{};
};

// Short separators between sides that differ little: the vertices of the separator are ancestors of the whole
// part, and the larger side has the longest way up.
double cost(const Split& split) {
  const auto [one, other, separator] = split.mass;
  if (one == 0 || other == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(separator) * static_cast<double>(std::max(one, other));
}

void add_row(const Vertex* begin, const Vertex* end, const std::vector<Vertex>& number, Weighted& graph) {
  for (const Vertex* u = begin; u != end; ++u) graph.other.push_back(number[*u]);
  graph.start.push_back(static_cast<std::int64_t>(graph.other.size()));
}

// The connected components of the whole graph, each in breadth-first order, so that neighbours are close.
std::vector<Piece> components(const Neighbours& graph) {
  std::vector<Piece> pieces;
  std::vector<Vertex> number(graph.n, -1);
  std::size_t placed = 0;
  for (Vertex root = 0; root < graph.n; ++root) {
    if (number[root] >= 0) continue;
    Part part;
    part.first = placed;
    number[root] = 0;
    part.names.push_back(root);
    for (std::size_t next = 0; next < part.names.size(); ++next) {
      for (const Vertex* u = graph.begin(part.names[next]); u != graph.end(part.names[next]); ++u) {
        if (number[*u] >= 0) continue;
        number[*u] = static_cast<Vertex>(part.names.size());
        part.names.push_back(*u);
      }
    }
    placed += part.names.size();
    if (part.names.size() > kLeaf) {
      Weighted finest;
      finest.start.push_back(0);
      for (const Vertex v : part.names) add_row(graph.begin(v), graph.end(v), number, finest);
      finest.edge.assign(finest.other.size(), 1);
      finest.mass.assign(part.names.size(), 1);
      finest.total = static_cast<std::int64_t>(part.names.size());
      part.levels.push_back({std::move(finest), {}});
    }
    pieces.push_back({std::move(part), nullptr});
  }
  return pieces;
}

// The vertices of a side, and their graphs on all levels if it will be split again.
Part part_of(const Cut& cut, std::uint8_t side, std::size_t first) {
  Part part;
  part.first = first;
  for (std::size_t v = 0; v < cut.split.side.size(); ++v)
    if (cut.split.side[v] == side) part.names.push_back(cut.part.names[v]);
  if (part.names.size() > kLeaf) part.levels = side_of(cut.part.levels, cut.split, side);
  return part;
}

class Dissection {
 public:
  Dissection(const Neighbours& graph, std::int64_t widest, const Effort& effort, Team& team, Control& control)
      : graph_(graph),
        widest_(widest),
        effort_(effort),
        team_(team),
        control_(control),
        order_(graph.n),
        scratch_(team.size()) {}

  // Round by round: all parts of a round are split at the same time.
  std::vector<Vertex> run() {
    std::vector<Piece> pieces = components(graph_);
    for (Piece& piece : pieces)
      if (piece.part.names.size() > kLarge) coarsen(piece.part.levels, team_, control_);
    while (!pieces.empty()) {
      over(pieces.size(), [&](std::size_t index, int member) { prepare(pieces[index], member); });
      std::erase_if(pieces, [](const Piece& piece) { return piece.splits.empty(); });
      const auto tries = static_cast<std::size_t>(effort_.splits);
      over(pieces.size() * tries,
           [&](std::size_t index, int) { split(pieces[index / tries], index % tries); });
      std::vector<std::vector<Piece>> found(pieces.size());
      over(pieces.size(),
           [&](std::size_t index, int member) { found[index] = place(std::move(pieces[index]), member); });
      if (too_wide_.load()) return {};
      pieces.clear();
      for (auto& sides : found)
        for (Piece& side : sides) pieces.push_back(std::move(side));
    }
    return std::move(order_);
  }

 private:
  template <class Body>
  void over(std::size_t count, const Body& body) {
    team_.parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t index, int member) {
      control_.check();
      if (!too_wide_.load(std::memory_order_relaxed)) body(static_cast<std::size_t>(index), member);
    });
  }

  // A small part is ordered; a large one gets its graphs on all levels.
  void prepare(Piece& piece, int member) {
    if (piece.cut) piece.part = part_of(*piece.cut, piece.side, piece.part.first);
    piece.cut.reset();
    if (piece.part.names.size() <= kLeaf) return leaf(piece.part, member);
    Team alone(1);
    coarsen(piece.part.levels, alone, control_);
    piece.splits.resize(static_cast<std::size_t>(effort_.splits));
  }

  void split(Piece& piece, std::size_t index) {
    const Levels& levels = piece.part.levels;
    piece.splits[index] = separate(levels, static_cast<std::uint32_t>(index), effort_.coarse, control_);
    shorten(levels[0].graph, piece.splits[index], effort_.reach, control_);
  }

  // Writes the part of the order that is decided; returns the remaining sides.
  std::vector<Piece> place(Piece piece, int member) {
    Part& part = piece.part;
    Split best =
        std::move(*std::min_element(piece.splits.begin(), piece.splits.end(),
                                    [](const Split& a, const Split& b) { return cost(a) < cost(b); }));
    const bool useless =
        static_cast<double>(best.mass[2]) > kUseless * static_cast<double>(part.names.size());
    if (best.mass[2] > widest_) too_wide_.store(true, std::memory_order_relaxed);
    if (useless || best.mass[0] == 0 || best.mass[1] == 0) {
      leaf(part, member);
      return {};
    }
    const auto middle = part.first + static_cast<std::size_t>(best.mass[0]);
    std::size_t last = middle + static_cast<std::size_t>(best.mass[1]);
    for (std::size_t v = 0; v < part.names.size(); ++v)
      if (best.side[v] == kSeparator) order_[last++] = part.names[v];
    control_.advance(best.mass[kSeparator]);
    const std::size_t first = part.first;
    const auto cut = std::make_shared<const Cut>(Cut{std::move(part), std::move(best)});
    std::vector<Piece> sides(2);
    for (std::uint8_t side = 0; side < 2; ++side) {
      sides[side].part.first = side == 0 ? first : middle;
      sides[side].cut = cut;
      sides[side].side = side;
    }
    return sides;
  }

  void leaf(Part& part, int member) {
    std::vector<Vertex>& number = scratch_[static_cast<std::size_t>(member)];
    number.resize(static_cast<std::size_t>(graph_.n), -1);
    if (part.names.size() <= kMostByDegree) {
      minimum_degree(graph_, part.names, number);
    } else if (static_cast<std::int64_t>(part.names.size() / 3) > widest_) {
      too_wide_.store(true, std::memory_order_relaxed);
    }
    std::copy(part.names.begin(), part.names.end(), order_.begin() + static_cast<std::ptrdiff_t>(part.first));
    control_.advance(std::ssize(part.names));
  }

  const Neighbours& graph_;
  const std::int64_t widest_;
  const Effort effort_;
  std::atomic<bool> too_wide_{false};
  Team& team_;
  Control& control_;
  std::vector<Vertex> order_;
  std::vector<std::vector<Vertex>> scratch_;
};

}  // namespace

std::vector<Vertex> dissect(const Neighbours& graph, std::int64_t widest, const Effort& effort, Team& team,
                            Control& control) {
  return Dissection(graph, widest, effort, team, control).run();
}

std::vector<Vertex> elimination_order(Neighbours graph, std::int64_t widest, const Effort& effort, Team& team,
                                      Control& control) {
  control.check();
  Peeled peeled = peel(std::move(graph));
  control.check();
  control.advance(static_cast<std::int64_t>(peeled.order.size()));
  const std::vector<Vertex> last = dissect(peeled.core, widest, effort, team, control);
  if (static_cast<std::int64_t>(last.size()) < peeled.core.n) return {};
  for (const Vertex v : last) peeled.order.push_back(peeled.names[v]);
  return std::move(peeled.order);
}

}  // namespace apsp::elimination
