// The nearest of many straight lines in the plane or in space to each of many points: branch and bound in a
// balanced tree of boxes (Roussopoulos, Kelley, Vincent 1995, "Nearest neighbor queries").
#pragma once
#include <cstdint>

#include "runtime/buffer.hpp"
#include "runtime/control.hpp"

namespace apsp::places {

// Where the results for each point go.
struct Nearest {
  std::int64_t* lines;  // -1 where no line is within the limit
  double* fractions;    // of the line from its begin to the nearest point, from 0 to 1
  double* places;  // (count, D) the nearest points; the points themselves where no line is within the limit
};

template <int D>
class LineTree {
 public:
  // `count` lines, at least one, of finite numbers.
  LineTree(const double* begins, const double* ends, std::int64_t count, Control& control);

  // Of lines at equal distances, as they are rounded here, the first. Returns the number of points that are
  // done, after about as many steps as allowed, or all.
  std::int64_t nearest(const double* points, std::int64_t count, double limit, const Nearest& found,
                       std::int64_t steps, Control& control) const;

  std::int64_t bytes() const noexcept;

 private:
  struct Line {
    double begin[D], along[D], square;
    std::int64_t number;
  };
  struct Box {
    double low[D], high[D];
  };
  struct Middle {
    double at[D];
    std::int64_t number;
  };
  struct Found {
    const Line* line;
    double fraction;
    std::int64_t steps;
  };

  std::int64_t boundary(std::int64_t leaf) const noexcept;
  Box build(const double* begins, const double* ends, Middle* middles, std::int64_t node, int level,
            const Control& control);
  Found find(const double* point, double limit) const noexcept;

  std::int64_t count_;
  int levels_;  // between the root and the leaves, of which there are 1 << levels_
  Buffer<Line> lines_;
  Buffer<Box> boxes_;  // of node i, whose parts are 2 i and 2 i + 1; the root is node 1
};

extern template class LineTree<2>;
extern template class LineTree<3>;

}  // namespace apsp::places
