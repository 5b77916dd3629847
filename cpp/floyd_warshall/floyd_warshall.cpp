#include "floyd_warshall/floyd_warshall.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::floyd_warshall {
namespace {

constexpr std::int64_t kDepth =
    128;  // of a panel: its packed strip (32 KiB at most) just stays in the first-level cache
constexpr std::int64_t kTasksAThread =
    12;  // row blocks: enough that the others do not wait long for the last one
constexpr std::int64_t kMostRowGroups =
    16;  // of a row block: its packed left operand stays in the second-level cache

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// Memory for both kinds of packed operand, reused for all panels.
template <class T>
class PackedPanels {
 public:
  PackedPanels(const Kernels<T>& kernels, std::int64_t rows, std::int64_t columns, std::int64_t depth,
               int threads)
      : kernels_(kernels), right_(buffer<T>(ceil_div(columns, kernels.columns) * kernels.columns * depth)) {
    const std::int64_t fair = ceil_div(rows, kTasksAThread * threads);
    groups_ = std::clamp<std::int64_t>(ceil_div(fair, kernels.rows), 1, kMostRowGroups);
    for (int member = 0; member < threads; ++member)
      left_.push_back(buffer<char>(block_rows() * depth * kernels.packed_bytes));
  }
  std::int64_t block_rows() const { return groups_ * kernels_.rows; }
  T* right(std::int64_t strip, std::int64_t depth) const {
    return right_.get() + strip * kernels_.columns * depth;
  }
  void* left(int member) const { return left_[static_cast<std::size_t>(member)].get(); }

 private:
  const Kernels<T>& kernels_;
  std::int64_t groups_ = 1;
  Buffer<T> right_;
  std::vector<Buffer<char>> left_;
};

// With kernels of half the range, values from kHalfRange on mean "no path" until the end.
template <class T>
void restore_no_path(graph::Matrix<T> page, const Kernels<T>& kernels, Team& team, Control& control) {
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    if (kernels.arithmetic != Arithmetic::kHalfRange) return;
    constexpr std::int64_t kRows = 16;
    team.parallel_for(ceil_div(page.rows, kRows), [&](std::int64_t block, int) {
      control.check();
      for (std::int64_t i = block * kRows; i < std::min(page.rows, (block + 1) * kRows); ++i) {
        T* row = page.row(i);
        for (std::int64_t j = 0; j < page.columns; ++j)
          row[j] = row[j] < kHalfRange ? row[j] : semiring::Bounds<T>::kNoPath;
      }
    });
  }
}

template <class T>
class Closing {
 public:
  Closing(graph::Matrix<T> page, const Kernels<T>& kernels, Team& team, Control& control)
      : page_(page),
        kernels_(kernels),
        team_(team),
        control_(control),
        depth_(std::min(kDepth, page.rows)),
        panels_(kernels, page.rows, page.rows, depth_, team.size()),
        scratch_(buffer<T>(depth_ * (depth_ + 128))),
        tile_left_(
            buffer<char>(ceil_div(depth_, kernels.rows) * kernels.rows * depth_ * kernels.packed_bytes)),
        tile_right_(buffer<T>(ceil_div(depth_, kernels.columns) * kernels.columns * depth_)) {}

  std::int64_t run() {
    close_all();
    restore_no_path(page_, kernels_, team_, control_);
    return bad_vertex_;
  }

 private:
  void close_all() {
    close_tile(0);
    for (std::int64_t pivot = 0; pivot < page_.rows && bad_vertex_ < 0; pivot += depth_) {
      const std::int64_t depth = depth_at(pivot);
      if (depth < page_.rows) {
        relax_row_panel(pivot, depth);
        relax_rest(pivot, depth);
      }
      control_.advance(depth);
    }
  }

  std::int64_t depth_at(std::int64_t pivot) const { return std::min(depth_, page_.rows - pivot); }
  graph::Matrix<T> tile_at(std::int64_t pivot) const {
    return page_.block(pivot, depth_at(pivot), pivot, depth_at(pivot));
  }

  void close_tile(std::int64_t pivot) {
    const graph::Matrix<T> tile = tile_at(pivot);
    const std::int64_t bad = kernels_.close(tile.data, tile.stride, tile.rows, scratch_.get());
    if (bad >= 0) bad_vertex_ = pivot + bad;
  }

  // Rows of the pivots: strip by strip through the closed tile, and packed for all threads. Strips that
  // overlap the tile change nothing there, since the tile is closed.
  void relax_row_panel(std::int64_t pivot, std::int64_t depth) {
    const graph::Matrix<T> tile = tile_at(pivot);
    kernels_.pack_left(tile.data, tile.stride, depth, depth, tile_left_.get());
    kernels_.pack_right(tile.data, tile.stride, depth, depth, tile_right_.get());
    const std::int64_t strips = ceil_div(page_.rows, kernels_.columns);
    team_.parallel_for(strips, [&, this](std::int64_t strip, int) {
      control_.check();
      const std::int64_t column = strip * kernels_.columns;
      const std::int64_t width = std::min(kernels_.columns, page_.rows - column);
      T* at = page_.row(pivot) + column;
      T* packed = panels_.right(strip, depth);
      kernels_.pack_right(at, page_.stride, depth, width, packed);
      if (column >= pivot && column + width <= pivot + depth) return;
      kernels_.multiply(depth, width, depth, tile_left_.get(), packed, at, page_.stride);
      kernels_.pack_right(at, page_.stride, depth, width, packed);
    });
  }

  // All other rows, one block per task: first the columns of the pivots through the closed tile, then
  // everything through these and the row panel. A task writes only its own rows and reads packed copies. The
  // blocks with the next tile of the diagonal are first, and the thread that finishes the last of them closes
  // that tile while the others continue.
  void relax_rest(std::int64_t pivot, std::int64_t depth) {
    const std::int64_t rows = panels_.block_rows(), next = pivot + depth;
    const std::int64_t before = ceil_div(pivot, rows), after = ceil_div(page_.rows - next, rows);
    const std::int64_t with_next = next < page_.rows ? ceil_div(depth_at(next), rows) : 0;
    std::atomic<std::int64_t> awaited{with_next};
    team_.parallel_for(after + before, [&, this](std::int64_t block, int member) {
      control_.check();
      const std::int64_t from = block < after ? next + block * rows : (block - after) * rows;
      const std::int64_t to = std::min(from + rows, block < after ? page_.rows : pivot);
      void* left = panels_.left(member);
      T* own = page_.row(from) + pivot;
      kernels_.pack_left(own, page_.stride, to - from, depth, left);
      kernels_.multiply(to - from, depth, depth, left, tile_right_.get(), own, page_.stride);
      kernels_.pack_left(own, page_.stride, to - from, depth, left);
      relax_columns(from, to - from, depth, left, 0, pivot);
      relax_columns(from, to - from, depth, left, next, page_.rows);
      if (block < with_next && awaited.fetch_sub(1, std::memory_order_acq_rel) == 1) close_tile(next);
    });
  }

  // Columns [first, last), in whole strips: those that overlap the pivots' columns change nothing there.
  void relax_columns(std::int64_t row, std::int64_t rows, std::int64_t depth, const void* left,
                     std::int64_t first, std::int64_t last) {
    const std::int64_t column = first / kernels_.columns * kernels_.columns;
    if (first >= last) return;
    kernels_.multiply(rows, last - column, depth, left, panels_.right(column / kernels_.columns, depth),
                      page_.row(row) + column, page_.stride);
  }

  graph::Matrix<T> page_;
  const Kernels<T>& kernels_;
  Team& team_;
  Control& control_;
  std::int64_t depth_;
  PackedPanels<T> panels_;
  Buffer<T> scratch_;
  Buffer<char> tile_left_;
  Buffer<T> tile_right_;
  std::int64_t bad_vertex_ = -1;
};

}  // namespace

template <class T>
std::int64_t close(graph::Matrix<T> page, const Kernels<T>& kernels, Team& team, Control& control) {
  if (page.rows != page.columns) throw std::invalid_argument("only a square page can be closed");
  if (page.rows == 0) return -1;
  return Closing<T>(page, kernels, team, control).run();
}

template <class T>
void update(graph::Matrix<T> c, graph::Matrix<T> a, graph::Matrix<T> b, const Kernels<T>& kernel, Team& team,
            Control& control) {
  if (c.rows != a.rows || c.columns != b.columns || a.columns != b.rows)
    throw std::invalid_argument("the shapes must be c (m, n), a (m, k), b (k, n)");
  if (c.rows == 0 || c.columns == 0) return;
  const std::int64_t most = std::min(kDepth, std::max<std::int64_t>(a.columns, 1));
  const PackedPanels<T> panels(kernel, c.rows, c.columns, most, team.size());
  const std::int64_t rows = panels.block_rows();
  for (std::int64_t from = 0; from < a.columns; from += most) {
    const std::int64_t depth = std::min(most, a.columns - from);
    team.parallel_for(ceil_div(c.columns, kernel.columns), [&](std::int64_t strip, int) {
      control.check();
      const std::int64_t column = strip * kernel.columns;
      kernel.pack_right(b.row(from) + column, b.stride, depth, std::min(kernel.columns, c.columns - column),
                        panels.right(strip, depth));
    });
    team.parallel_for(ceil_div(c.rows, rows), [&](std::int64_t block, int member) {
      control.check();
      const std::int64_t row = block * rows, count = std::min(rows, c.rows - row);
      kernel.pack_left(a.row(row) + from, a.stride, count, depth, panels.left(member));
      kernel.multiply(count, c.columns, depth, panels.left(member), panels.right(0, depth), c.row(row),
                      c.stride);
    });
    control.advance(depth);
  }
  restore_no_path(c, kernel, team, control);
}

template <class T>
double register_peak(const Kernels<T>& kernel, int threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  Team team(threads);
  double best = 0;
  std::int64_t rounds = 1000;
  const auto begin = Clock::now();
  const auto elapsed = [](Clock::time_point since) {
    return std::chrono::duration<double>(Clock::now() - since).count();
  };
  do {
    std::vector<std::int64_t> pairs(static_cast<std::size_t>(team.size()));
    const auto start = Clock::now();
    team.parallel_for(team.size(), [&](std::int64_t member, int) {
      pairs[static_cast<std::size_t>(member)] = kernel.peak(rounds);
    });
    const double took = elapsed(start);
    double total = 0;
    for (const std::int64_t count : pairs) total += static_cast<double>(count);
    best = std::max(best, total / took);
    if (took < 0.01) rounds *= 2;
  } while (elapsed(begin) < seconds);
  return best;
}

#define APSP_INSTANTIATE(T)                                                                            \
  template std::int64_t close(graph::Matrix<T>, const Kernels<T>&, Team&, Control&);                   \
  template void update(graph::Matrix<T>, graph::Matrix<T>, graph::Matrix<T>, const Kernels<T>&, Team&, \
                       Control&);                                                                      \
  template double register_peak(const Kernels<T>&, int, double);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::floyd_warshall
