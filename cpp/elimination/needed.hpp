// The columns of the factor that some places need on the way down: their own, and the rows of these.
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "elimination/batch.hpp"

namespace apsp::elimination {

class Needed {
 public:
  Needed(const TreeView& tree, const std::vector<Vertex>& places) {
    std::vector<bool> needed(static_cast<std::size_t>(tree.n));
    for (const Vertex place : places) needed[place] = true;
    std::int64_t most = 0;
    for (std::int64_t s = 0; s < tree.nodes; ++s) {  // children first: all that need a column are known
      const Vertex first = tree.first[s], last = tree.first[s + 1];
      const std::size_t before = lines_.size();
      for (Vertex place = first; place < last; ++place) {
        if (!needed[place]) continue;
        lines_.push_back(place);
        entries_.push_back(place - first);
      }
      const std::size_t count = lines_.size() - before;
      if (count == 0) continue;
      if (static_cast<Vertex>(count) == last - first) {
        lines_.resize(before);
        entries_.resize(before);
      }
      nodes_.push_back(static_cast<Vertex>(s));
      end_.push_back(static_cast<std::int64_t>(lines_.size()));
      const std::int64_t rows = tree.row_start[s + 1] - tree.row_start[s];
      for (std::int64_t h = 0; h < rows; ++h) needed[tree.rows_of(s)[h]] = true;
      most = std::max(most, rows);
    }
    every_.resize(static_cast<std::size_t>(most));
    std::iota(every_.begin(), every_.end(), Vertex{0});
  }

  // Their lines in a batch that has gone up, parents first.
  template <class T>
  void down(Batch<T>& batch, const Control& control) const {
    for (std::size_t i = nodes_.size(); i-- > 0;) {
      if (i % 1024 == 0) control.check();
      const std::int64_t start = i > 0 ? end_[i - 1] : 0, count = end_[i] - start;
      if (count == 0)
        batch.down(nodes_[i]);
      else
        batch.down(nodes_[i], {lines_.data() + start, entries_.data() + start, count}, every_.data());
    }
  }

 private:
  std::vector<Vertex> nodes_;  // supernodes, children first
  std::vector<std::int64_t>
      end_;  // those of each end here in the next two; none are listed if all are needed
  std::vector<Vertex> lines_, entries_;  // the needed columns: their places, and their numbers in the panel
  std::vector<Vertex> every_;            // 0, 1, ...: the rows of any panel
};

}  // namespace apsp::elimination
