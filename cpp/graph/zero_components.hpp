// Strong components of the arcs of length zero: their vertices are equally far from every source. A tree out
// of a root and one into it give the paths inside a component for all sources, wherever these paths enter it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/strong.hpp"
#include "graph/zero_view.hpp"
#include "runtime/control.hpp"

namespace apsp::graph {

class ZeroComponents {
 public:
  // for_out(v, body) calls body(head) for the arcs of length zero that leave v, for_in(v, body) body(tail)
  // for those into v, until body returns false; neither lists self-loops. O(n + number of these arcs).
  template <class ForOut, class ForIn>
  ZeroComponents(std::int64_t n, const ForOut& for_out, const ForIn& for_in, const Control& control) {
    std::vector<std::int64_t> start(n + 1, 0);
    std::vector<std::int32_t> heads;
    for (std::int64_t v = 0; v < n; ++v) {
      for_out(v, [&](std::int32_t head) {
        heads.push_back(head);
        return true;
      });
      start[v + 1] = static_cast<std::int64_t>(heads.size());
    }
    if (heads.empty()) return;
    group(n, start, heads, control);
    before_.assign(n, kNone);
    onward_.assign(n, kNone);
    place_.assign(n, kNone);
    for (std::int64_t c = 0; c < count(); ++c) {
      grow(c, for_out, before_);
      grow(c, for_in, onward_);  // the last one: vertices are in order of their way to the root
    }
    for (std::size_t i = 0; i < members_.size(); ++i) place_[members_[i]] = static_cast<std::int32_t>(i);
  }

  // Whether there are arcs of length zero; the functions below are for this case.
  bool any() const noexcept { return !component_.empty(); }
  // Components of two vertices or more.
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(start_.size()) - 1; }
  std::int32_t component(std::int64_t v) const noexcept { return component_[v]; }  // or kAlone
  bool are_joined(std::int64_t u, std::int64_t v) const noexcept {
    return component_[u] != kAlone && component_[u] == component_[v];
  }
  // The order of the vertices of a component by the length of the way to its root, which is the first.
  std::int32_t place(std::int64_t v) const noexcept { return place_[v]; }
  std::int32_t vertex(std::int64_t place) const noexcept { return members_[place]; }
  std::int32_t first_place(std::int64_t component) const noexcept { return start_[component]; }

  ZeroView view() const noexcept {
    if (!any()) return {};
    return {count(), component_.data(), before_.data(), place_.data(), start_.data(), members_.data()};
  }

  // Completes a row of predecessors in which every vertex of a component follows from the root unless it has
  // one from outside: paths enter the component at `entry`, which has one from outside or is the source, and
  // lead on to the root. name(v): the number of v in the row.
  template <class Name>
  void enter(std::int32_t entry, const Name& name, std::int32_t* pred) const {
    for (std::int32_t v = entry; onward_[v] != kNone; v = onward_[v]) pred[name(onward_[v])] = name(v);
  }

 private:
  // Lists the vertices of each component, first the one with the most arcs.
  void group(std::int64_t n, const std::vector<std::int64_t>& start, const std::vector<std::int32_t>& heads,
             const Control& control) {
    component_.resize(n);
    std::vector<std::int32_t> size(strong(n, start.data(), heads.data(), component_.data(), control), 0);
    for (const std::int32_t c : component_) ++size[c];
    std::vector<std::int32_t> number(size.size(), kAlone);
    for (std::size_t c = 0; c < size.size(); ++c) {
      if (size[c] < 2) continue;
      number[c] = static_cast<std::int32_t>(count());
      start_.push_back(start_.back() + size[c]);
    }
    members_.resize(start_.back());
    std::vector<std::int32_t> next(start_.begin(), start_.end() - 1);
    const auto degree = [&](std::int32_t v) { return start[v + 1] - start[v]; };
    for (std::int64_t v = 0; v < n; ++v) {
      component_[v] = number[component_[v]];
      if (component_[v] == kAlone) continue;
      const std::int32_t first = start_[component_[v]], at = next[component_[v]]++;
      members_[at] = static_cast<std::int32_t>(v);
      if (degree(members_[at]) > degree(members_[first])) std::swap(members_[at], members_[first]);
    }
  }

  // A breadth-first search from the root in a component; its order becomes that of the members.
  template <class ForArcs>
  void grow(std::int64_t c, const ForArcs& for_arcs, std::vector<std::int32_t>& parent) {
    const std::int32_t root = members_[start_[c]];
    std::int32_t found = start_[c] + 1;
    for (std::int32_t next = start_[c]; found < start_[c + 1]; ++next) {
      const std::int32_t u = members_[next];
      for_arcs(u, [&](std::int32_t v) {
        if (component_[v] == c && v != root && parent[v] == kNone) {
          parent[v] = u;
          members_[found++] = v;
        }
        return found < start_[c + 1];
      });
    }
  }

  static constexpr std::int32_t kNone = -1;  // the root has no vertex before it and none after it

  // (n,) before_: on the way from the root; onward_: on the way to it.
  std::vector<std::int32_t> component_, before_, onward_, place_;
  std::vector<std::int32_t> start_{0}, members_;
};

}  // namespace apsp::graph
