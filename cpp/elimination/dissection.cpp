#include "elimination/dissection.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>

#include "elimination/minimum_degree.hpp"
#include "elimination/peel.hpp"
#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr std::size_t kLeaf = 300;          // vertices that minimum degree orders as well, and faster
constexpr std::size_t kMostByDegree = 600;  // of a part without a small separator
constexpr double kUseless = 0.3;            // share of a part from which on a separator is none

// Some vertices of the graph, the arcs among them, and the places in the order that they will take.
struct Part {
  std::vector<Vertex> names;
  Weighted graph;
  std::size_t first = 0;  // of its places in the order
};

void add_row(const Vertex* begin, const Vertex* end, const std::vector<Vertex>& number, Weighted& graph) {
  for (const Vertex* u = begin; u != end; ++u)
    if (number[*u] >= 0) graph.other.push_back(number[*u]);
  graph.start.push_back(static_cast<std::int64_t>(graph.other.size()));
}

void finish(Weighted& graph) {
  graph.edge.assign(graph.other.size(), 1);
  graph.mass.assign(graph.start.size() - 1, 1);
  graph.total = static_cast<std::int64_t>(graph.mass.size());
}

// The connected components of the whole graph.
std::vector<Part> components(const Neighbours& graph) {
  std::vector<Part> parts;
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
    part.graph.start.push_back(0);
    for (const Vertex v : part.names) add_row(graph.begin(v), graph.end(v), number, part.graph);
    finish(part.graph);
    parts.push_back(std::move(part));
  }
  return parts;
}

Part side_of(const Part& whole, const Split& split, std::uint8_t side, std::size_t first) {
  Part part;
  part.first = first;
  std::vector<Vertex> number(whole.names.size(), -1), kept;
  for (Vertex v = 0; v < whole.graph.n(); ++v) {
    if (split.side[v] != side) continue;
    number[v] = static_cast<Vertex>(kept.size());
    kept.push_back(v);
    part.names.push_back(whole.names[v]);
  }
  part.graph.start.push_back(0);
  const Vertex* rows = whole.graph.other.data();
  for (const Vertex v : kept)
    add_row(rows + whole.graph.start[v], rows + whole.graph.start[v + 1], number, part.graph);
  finish(part.graph);
  return part;
}

class Dissection {
 public:
  Dissection(const Neighbours& graph, std::int64_t widest, Team& team, const Control& control)
      : graph_(graph),
        widest_(widest),
        team_(team),
        control_(control),
        order_(graph.n),
        scratch_(team.size()) {}

  // Round by round: all parts of a round are split at the same time.
  std::vector<Vertex> run() {
    for (std::vector<Part> parts = components(graph_); !parts.empty();) {
      std::vector<std::vector<Part>> found(parts.size());
      team_.parallel_for(static_cast<std::int64_t>(parts.size()), [&](std::int64_t index, int member) {
        control_.check();
        if (too_wide_.load(std::memory_order_relaxed)) return;
        found[index] = place(std::move(parts[index]), member);
      });
      if (too_wide_.load()) return {};
      parts.clear();
      for (auto& sides : found)
        for (Part& side : sides) parts.push_back(std::move(side));
    }
    return std::move(order_);
  }

 private:
  // Writes what is decided of the order; returns the sides that are left.
  std::vector<Part> place(Part part, int member) {
    if (part.names.size() <= kLeaf) return leaf(part, member);
    const Split split = separate(part.graph);
    const bool useless =
        static_cast<double>(split.mass[2]) > kUseless * static_cast<double>(part.graph.total);
    if (split.mass[2] > widest_) too_wide_.store(true, std::memory_order_relaxed);
    if (useless || split.mass[0] == 0 || split.mass[1] == 0) return leaf(part, member);
    const auto middle = part.first + static_cast<std::size_t>(split.mass[0]);
    std::size_t last = middle + static_cast<std::size_t>(split.mass[1]);
    for (Vertex v = 0; v < part.graph.n(); ++v)
      if (split.side[v] == kSeparator) order_[last++] = part.names[v];
    std::vector<Part> sides;
    sides.push_back(side_of(part, split, 0, part.first));
    sides.push_back(side_of(part, split, 1, middle));
    return sides;
  }

  std::vector<Part> leaf(Part& part, int member) {
    std::vector<Vertex>& number = scratch_[static_cast<std::size_t>(member)];
    number.resize(static_cast<std::size_t>(graph_.n), -1);
    if (part.names.size() <= kMostByDegree) {
      minimum_degree(graph_, part.names, number);
    } else if (static_cast<std::int64_t>(part.names.size() / 3) > widest_) {
      too_wide_.store(true, std::memory_order_relaxed);
    }
    std::copy(part.names.begin(), part.names.end(), order_.begin() + static_cast<std::ptrdiff_t>(part.first));
    return {};
  }

  const Neighbours& graph_;
  const std::int64_t widest_;
  std::atomic<bool> too_wide_{false};
  Team& team_;
  const Control& control_;
  std::vector<Vertex> order_;
  std::vector<std::vector<Vertex>> scratch_;
};

}  // namespace

std::vector<Vertex> dissect(const Neighbours& graph, std::int64_t widest, Team& team,
                            const Control& control) {
  return Dissection(graph, widest, team, control).run();
}

std::vector<Vertex> elimination_order(Neighbours graph, std::int64_t widest, Team& team,
                                      const Control& control) {
  Peeled peeled = peel(std::move(graph));
  const std::vector<Vertex> last = dissect(peeled.core, widest, team, control);
  if (static_cast<std::int64_t>(last.size()) < peeled.core.n) return {};
  for (const Vertex v : last) peeled.order.push_back(peeled.names[v]);
  return std::move(peeled.order);
}

}  // namespace apsp::elimination
