// The path of an entry without a table of all steps (steps.hpp): the step of each entry on the way is found
// when it is needed, the same one that the table has. Cost: per arc of the path, a search in the arcs of its
// tail, a column or a few of a panel, and the supernodes below with both ends among their rows.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "elimination/explained.hpp"
#include "elimination/schedule.hpp"

namespace apsp::elimination {

template <class T>
class Unpacking {
 public:
  // The caller keeps all of them alive.
  Unpacking(const Factored<T>& factored, const std::vector<Vertex>& node, const Children& children)
      : rules_(factored.nonnegative),
        factored_(factored),
        tree_(factored.tree),
        node_(node),
        children_(children) {}

  // Appends the arcs of the entry from one place to another, as -1 - v for an arc to v. Returns false, with
  // `route` as it was, where sums of floats differ by more than rounding, and where there are n arcs or more:
  // then there are loops.
  bool write(Vertex from, Vertex to, std::vector<std::int32_t>& route, const Control& control);

 private:
  using Sum = typename Rules<T>::Sum;
  static constexpr Vertex kArc = -1, kUnknown = -2;

  struct Ends {
    Vertex from, to;  // places
  };
  // The panels of a supernode, and where an entry lies among them.
  struct Front {
    Panels<T> panels;
    std::int64_t row, column;  // of the entry: columns, then rows

    std::int64_t width() const { return panels.k + panels.r; }
    const T* line(std::int64_t i) const {
      return i < panels.k ? panels.out + i * width() : panels.in + (i - panels.k) * panels.k;
    }
    T value(std::int64_t i, std::int64_t j) const { return line(i)[j]; }
  };

  // The place between the two entries that an entry stands for.
  Vertex middle_of(Ends ends);
  Vertex at_once(Vertex s, const Front& front, Ends ends);
  bool is_arc(Ends ends, T value) const;
  Vertex below(Vertex s, Ends ends, T value);
  Vertex among_own(Vertex s, const Front& front);
  Vertex place_of(Vertex s, std::int64_t position) const {
    return position < tree_.columns(s) ? tree_.first[s] + static_cast<Vertex>(position)
                                       : tree_.rows_of(s)[position - tree_.columns(s)];
  }
  std::int64_t key(Ends ends) const { return ends.from * tree_.n + ends.to; }

  const Rules<T> rules_;
  const Factored<T>& factored_;
  const TreeView& tree_;
  const std::vector<Vertex>& node_;
  const Children& children_;
  std::vector<Ends> later_;
  std::vector<Vertex> open_;                        // supernodes
  std::unordered_map<std::int64_t, Vertex> found_;  // the middles that took a search among several entries
};

}  // namespace apsp::elimination
