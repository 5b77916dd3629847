// The nearest of many straight lines in the plane or in space to each of many points: branch and bound in a
// tree of boxes (Roussopoulos, Kelley, Vincent 1995, "Nearest neighbor queries"), whose parts are cells of a
// Z-order curve (Lauterbach et al. 2009, "Fast BVH construction on GPUs").
#pragma once
#include <cstdint>
#include <vector>

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
  LineTree(const double* begins, const double* ends, std::int64_t count, const Control& control);

  // Of lines at equal distances, as they are rounded here, the first. Returns the number of points that are
  // done, which are all, or as many as take about `steps` steps.
  std::int64_t nearest(const double* points, std::int64_t count, double limit, const Nearest& found,
                       std::int64_t steps, const Control& control) const;

  std::int64_t bytes() const noexcept;

 private:
  struct Line {
    double begin[D], along[D], square;
    std::int64_t number;
  };
  struct Node {
    double low[D], high[D];
    std::int64_t
        first;  // its first line, if it is a leaf; otherwise its first part, which the second one follows
    std::int64_t lines;  // 0 if it has parts
  };
  struct Key {
    std::uint64_t cell;
    std::int64_t number;
  };
  struct Found {
    const Line* line;
    double fraction;
    std::int64_t steps;
  };
  struct Ends {
    const double *begins, *ends;
  };

  static Buffer<Key> keys_of(const Ends& of, std::int64_t count, const Control& control);
  static Buffer<Key> sorted(Buffer<Key> keys, std::int64_t count, const Control& control);
  void build(const Ends& of, const Key* keys, std::int64_t node, std::int64_t first, std::int64_t last,
             const Control& control);
  Found find(const double* point, double limit) const noexcept;

  std::int64_t count_;
  Buffer<Line> lines_;  // in the order of the leaves
  std::vector<Node> nodes_;
};

extern template class LineTree<2>;
extern template class LineTree<3>;

}  // namespace apsp::places
