// Fiduccia and Mattheyses 1982 on a vertex separator: the vertex whose move gains the most moves to a side,
// and its neighbours on the other side enter the separator. Moves with a loss are tried too, and undone
// unless a better state follows.
#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "elimination/gains.hpp"
#include "elimination/separator.hpp"

namespace apsp::elimination {
namespace {

constexpr int kPasses = 3;

class Refinement {
 public:
  Refinement(const Weighted& graph, Split& split)
      : graph_(graph),
        split_(split),
        most_(most_mass(graph)),
        pulled_(2 * split.side.size()),
        locked_(split.side.size()),
        gains_{Gains(split.side.size()), Gains(split.side.size())} {}

  // One pass; returns whether the separator is better afterwards.
  bool pass() {
    start();
    const Key before = key();
    Key best = before;
    std::size_t kept = 0;
    const std::size_t patience = std::clamp<std::size_t>(separator_.size(), 15, 100);
    while (moves_.size() < kept + patience) {
      const int to = choose();
      if (to < 0) break;
      move(gains_[to].best(), static_cast<std::uint8_t>(to));
      if (key() < best) {
        best = key();
        kept = moves_.size();
      }
    }
    while (moves_.size() > kept) undo();
    for (const Vertex v : touched_) locked_[v] = false;
    return best < before;
  }

 private:
  using Key =
      std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // excess of a side, separator, heavier side
  struct Move {
    Vertex vertex;
    std::uint8_t to;
    std::size_t pulled;  // the number of vertices that had been pulled in before
  };

  Key key() const {
    const std::int64_t heavier = std::max(split_.mass[0], split_.mass[1]);
    return {std::max<std::int64_t>(heavier - most_, 0), split_.mass[2], heavier};
  }
  std::int32_t& pulled(Vertex v, int to) { return pulled_[2 * static_cast<std::size_t>(v) + to]; }
  std::int32_t gain(Vertex v, int to) { return graph_.mass[v] - pulled(v, to); }

  void start() {
    moves_.clear();
    came_.clear();
    touched_.clear();
    separator_.clear();
    for (Gains& gains : gains_) gains.clear();
    for (Vertex v = 0; v < graph_.n(); ++v)
      if (split_.side[v] == kSeparator) separator_.push_back(v);
    for (const Vertex v : separator_) enter(v);
  }

  // For v in the separator: the mass that its moves would pull in.
  void enter(Vertex v) {
    pulled(v, 0) = pulled(v, 1) = 0;
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      const Vertex u = graph_.other[at];
      if (split_.side[u] != kSeparator) pulled(v, 1 - split_.side[u]) += graph_.mass[u];
    }
    for (int to = 0; to < 2; ++to) offer(v, to);
  }
  void offer(Vertex v, int to) {
    if (!locked_[v]) gains_[to].set(v, gain(v, to));
  }

  // The side for the next move: its best vertex gains more and fits; -1 if there is none.
  int choose() {
    int best = -1;
    std::int32_t most = 0;
    for (int to = 0; to < 2; ++to) {
      if (gains_[to].empty()) continue;
      const Vertex v = gains_[to].best();
      if (split_.mass[to] + graph_.mass[v] > std::max(most_, split_.mass[1 - to])) continue;
      const std::int32_t here = gain(v, to);
      if (best < 0 || here > most || (here == most && split_.mass[to] < split_.mass[best])) {
        best = to;
        most = here;
      }
    }
    return best;
  }

  void shift(Vertex v, std::uint8_t to) {
    split_.mass[split_.side[v]] -= graph_.mass[v];
    split_.mass[to] += graph_.mass[v];
    split_.side[v] = to;
  }

  void move(Vertex v, std::uint8_t to) {
    const auto from = static_cast<std::uint8_t>(1 - to);
    moves_.push_back({v, to, came_.size()});
    locked_[v] = true;
    for (Gains& gains : gains_) gains.remove(v);
    touched_.push_back(v);
    shift(v, to);
    for (std::int64_t at = graph_.start[v]; at < graph_.start[v + 1]; ++at) {
      const Vertex u = graph_.other[at];
      if (split_.side[u] == kSeparator) {
        pulled(u, from) += graph_.mass[v];
        offer(u, from);
      } else if (split_.side[u] == from) {
        shift(u, kSeparator);
        came_.push_back(u);
        for (std::int64_t next = graph_.start[u]; next < graph_.start[u + 1]; ++next) {
          const Vertex x = graph_.other[next];
          if (split_.side[x] != kSeparator || x == u) continue;
          pulled(x, to) -= graph_.mass[u];
          offer(x, to);
        }
        enter(u);
      }
    }
  }

  void undo() {
    const Move last = moves_.back();
    moves_.pop_back();
    for (; came_.size() > last.pulled; came_.pop_back())
      shift(came_.back(), static_cast<std::uint8_t>(1 - last.to));
    shift(last.vertex, kSeparator);
  }

  const Weighted& graph_;
  Split& split_;
  const std::int64_t most_;
  std::vector<std::int32_t> pulled_;  // [v][side]: the mass that enters when v moves to that side
  std::vector<bool> locked_;
  std::vector<Move> moves_;
  std::vector<Vertex> came_, touched_, separator_;
  std::array<Gains, 2> gains_;  // of moving each vertex of the separator to either side
};

}  // namespace

void refine(const Weighted& graph, Split& split, const Control& control) {
  Refinement refinement(graph, split);
  for (int pass = 0; pass < kPasses && refinement.pass(); ++pass) control.check();
}

}  // namespace apsp::elimination
