// A shortest path from a factor, as entries one after the other: up the tree from the source, over the
// columns of the supernode where the path turns, and down to the target.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "elimination/pair.hpp"

namespace apsp::elimination {

// An entry of a route.
struct Hop {
  Vertex from, to;  // places
  std::int64_t entry;
};

template <class T>
class RouteSearch : PairSearch<T, true> {
  using Base = PairSearch<T, true>;

 public:
  using Base::Base;
  using Base::from;
  using Base::to;

  // The entries of the last path that `to` found, if it found one. Calls
  // head(v) first if the path begins with an arc from a zone to v, then entry(hop).
  template <class Head, class Entry>
  void route(Vertex source, const Head& head, const Entry& entry) {
    Vertex up = turning();
    climb_.clear();
    if (up != turn_) climb_.push_back({up, turn_, middle_});
    for (Vertex s = up_from_[up]; s >= 0; s = up_from_[up]) up = before(s, up);
    if (up != place_[source]) head(tree_.order[up]);
    for (std::size_t i = climb_.size(); i-- > 0;) entry(climb_[i]);
    for (Vertex s = down_from_[turn_]; s >= 0; s = down_from_[turn_]) turn_ = after(s, turn_, entry);
  }

 private:
  using Base::backward_;
  using Base::down_from_;
  using Base::factored_;
  using Base::forward_;
  using Base::place_;
  using Base::top_;
  using Base::tree_;
  using Base::turned_;
  using Base::up_from_;

  static bool leads(T from, T step, T to) {
    if (from >= semiring::Bounds<T>::kNoPath || step >= semiring::Bounds<T>::kNoPath) return false;
    return static_cast<T>(from + step) == to && (!std::is_unsigned_v<T> || to >= from);
  }

  // Finds the columns of the top supernode between which the path turns, and the entry between them; returns
  // the place of the first.
  Vertex turning() {
    const Panels<T> panels = panels_of(tree_, factored_.values, top_);
    const Vertex first = tree_.first[top_];
    Vertex last = 0;
    for (std::int64_t c = 1; c < panels.k; ++c)
      if (sum(turned_[first + c], backward_[first + c]) < sum(turned_[first + last], backward_[first + last]))
        last = c;
    turn_ = first + last;
    if (forward_[turn_] == turned_[turn_]) return turn_;
    Vertex i = 0;
    while (i + 1 < panels.k &&
           (i == last ||
            !leads(forward_[first + i], panels.out[i * (panels.k + panels.r) + last], turned_[turn_])))
      ++i;
    middle_ = tree_.panel_start[top_] + i * (panels.k + panels.r) + last;
    return first + i;
  }

  static T sum(T a, T b) {
    constexpr T kNone = semiring::Bounds<T>::kNoPath;
    return a < kNone && b < kNone
               ? (sizeof(T) == 2 ? static_cast<T>(std::min<std::int64_t>(a + b, kNone)) : a + b)
               : kNone;
  }

  // The column of s from which the place above it got its distance; its entry joins climb_.
  Vertex before(Vertex s, Vertex place) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const std::int64_t width = panels.k + panels.r, h = row_of(s, place);
    Vertex i = 0;
    while (i + 1 < panels.k &&
           !leads(forward_[tree_.first[s] + i], panels.out[i * width + panels.k + h], forward_[place]))
      ++i;
    const Vertex from = tree_.first[s] + i;
    climb_.push_back({from, place, tree_.panel_start[s] + i * width + panels.k + h});
    return from;
  }

  template <class Entry>
  Vertex after(Vertex s, Vertex place, const Entry& entry) {
    const Panels<T> panels = panels_of(tree_, factored_.values, s);
    const std::int64_t h = row_of(s, place);
    Vertex i = 0;
    while (i + 1 < panels.k &&
           !leads(backward_[tree_.first[s] + i], panels.in[h * panels.k + i], backward_[place]))
      ++i;
    const Vertex to = tree_.first[s] + i;
    entry({place, to, tree_.panel_start[s] + panels.k * (panels.k + panels.r) + h * panels.k + i});
    return to;
  }

  std::int64_t row_of(Vertex s, Vertex place) const {
    const Vertex* rows = tree_.rows_of(s);
    return std::lower_bound(rows, rows + tree_.row_count(s), place) - rows;
  }

  Vertex turn_ = 0;
  std::int64_t middle_ = -1;  // the entry before turn_, if it is not where the climb ends
  std::vector<Hop> climb_;
};

}  // namespace apsp::elimination
