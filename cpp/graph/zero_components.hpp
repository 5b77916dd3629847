// Strong components of the arcs of length zero: their vertices are equally far from every source. A tree out
// of a root and one into it give the paths inside a component for all sources, wherever these paths enter it.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/zero_view.hpp"
#include "runtime/control.hpp"
#include "runtime/function_ref.hpp"

namespace apsp::graph {

class ZeroComponents {
 public:
  using ForArcs = FunctionRef<void(std::int64_t, FunctionRef<bool(std::int32_t)>)>;

  // for_out(v, body) calls body(head) for the arcs of length zero that leave v, for_in(v, body) body(tail)
  // for those into v, until body returns false; neither lists self-loops. O(n + number of these arcs).
  ZeroComponents(std::int64_t n, ForArcs for_out, ForArcs for_in, const Control& control);

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
             const Control& control);
  // A breadth-first search from the root in a component; its order becomes that of the members.
  void grow(std::int64_t c, ForArcs for_arcs, std::vector<std::int32_t>& parent);

  static constexpr std::int32_t kNone = -1;  // the root has no vertex before it and none after it

  // (n,) before_: on the way from the root; onward_: on the way to it.
  std::vector<std::int32_t> component_, before_, onward_, place_;
  std::vector<std::int32_t> start_{0}, members_;
};

}  // namespace apsp::graph
