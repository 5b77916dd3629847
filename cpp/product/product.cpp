#include "product/product.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "floyd_warshall/kernels.hpp"
#include "runtime/buffer.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::product {
namespace {

using floyd_warshall::Kernels;

constexpr std::int64_t kDepth = 128;       // of a panel: see floyd_warshall.cpp
constexpr std::int64_t kRowGroups = 16;    // of a block of rows
constexpr std::int64_t kSmall = 1 << 21;   // pairs of a product that is not shared between threads
constexpr std::int64_t kTask = 1 << 17;    // pairs of a task, which multiplies several small matrices
constexpr std::int64_t kTasksAThread = 4;  // blocks of rows of a large product

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

bool is_sum(Semiring semiring) { return semiring == Semiring::kMinPlus || semiring == Semiring::kMaxPlus; }
bool is_largest(Semiring semiring) { return semiring == Semiring::kMaxPlus || semiring == Semiring::kMaxMin; }

template <class T>
T public_no_path(Semiring semiring) {
  return is_largest(semiring) ? semiring::smallest_value<T>() : semiring::largest_value<T>();
}

// Conversion of public values to kernel values and back: a sign, and "no path" of signed integers.
template <class T>
struct Conversion {
  static constexpr bool kHasLimit = std::is_integral_v<T> && std::is_signed_v<T>;
  Semiring semiring;
  bool is_half_range;

  // Whether operands are public values.
  bool is_none() const { return !is_sum(semiring) || (semiring == Semiring::kMinPlus && !kHasLimit); }
  void take_in(const T* from, T* to, std::int64_t count) const {
    const T none = public_no_path<T>(semiring), kernel = semiring::Bounds<T>::kNoPath;
    if (semiring == Semiring::kMaxPlus)
      for (std::int64_t j = 0; j < count; ++j)
        to[j] = from[j] == none ? kernel : static_cast<T>(T{0} - from[j]);
    else
      for (std::int64_t j = 0; j < count; ++j) to[j] = from[j] == none ? kernel : from[j];
  }
  // Also writes -1 to `via` where there is no path.
  void publish(T* row, std::int32_t* via, std::int64_t count) const {
    const T none = public_no_path<T>(semiring), limit = semiring::Bounds<T>::kLimit;
    if (semiring == Semiring::kMaxPlus)
      for (std::int64_t j = 0; j < count; ++j)
        row[j] = row[j] >= limit ? none : static_cast<T>(T{0} - row[j]);
    else if (semiring == Semiring::kMinPlus && kHasLimit)
      for (std::int64_t j = 0; j < count; ++j) row[j] = row[j] >= limit ? none : row[j];
    else if (is_half_range)
      for (std::int64_t j = 0; j < count; ++j)
        row[j] = row[j] < T{floyd_warshall::kHalfRange} ? row[j] : none;
    if (via != nullptr)
      for (std::int64_t j = 0; j < count; ++j) via[j] = row[j] == none ? -1 : via[j];
  }
};

template <class T>
class Product {
 public:
  Product(const Matrices<const T>& a, const Matrices<const T>& b, const Matrices<T>& c,
          const Matrices<std::int32_t>* via, Semiring semiring, const Kernels<T>& kernels, Team& team,
          Control& control)
      : a_(a),
        b_(b),
        c_(c),
        via_(via),
        conversion_{semiring, kernels.arithmetic == floyd_warshall::Arithmetic::kHalfRange},
        none_(semiring::no_path<T>(algebra_of(semiring))),
        kernels_(kernels),
        team_(team),
        control_(control),
        depth_(std::clamp<std::int64_t>(a.columns, 1, kDepth)),
        strips_(ceil_div(c.columns, kernels_.columns)) {}

  void run() {
    const std::int64_t pairs =
        std::max<std::int64_t>(c_.rows * c_.columns * std::max<std::int64_t>(a_.columns, 1), 1);
    if (pairs <= kSmall)
      run_small(pairs);
    else
      for (std::int64_t matrix = 0; matrix < c_.count(); ++matrix) run_large(matrix);
  }

 private:
  std::int64_t strip_values() const { return kernels_.columns * depth_; }
  std::int64_t panel_depth(std::int64_t from) const { return std::min(depth_, a_.columns - from); }

  // Packed operands and converted values of one thread.
  struct Room {
    Buffer<char> left;
    Buffer<T> right, converted;
  };
  Room room(std::int64_t rows, std::int64_t strips) const {
    const std::int64_t groups = ceil_div(rows, kernels_.rows) * kernels_.rows;
    return {buffer<char>(groups * depth_ * kernels_.packed_bytes), buffer<T>(strips * strip_values()),
            buffer<T>(std::max(groups, kernels_.columns) * depth_)};
  }

  void run_small(std::int64_t pairs) {
    const std::int64_t block = std::min(c_.rows, kRowGroups * kernels_.rows);
    std::vector<Room> rooms;
    for (int member = 0; member < team_.size(); ++member) rooms.push_back(room(block, strips_));
    const std::int64_t together = std::max<std::int64_t>(kTask / pairs, 1);
    team_.parallel_for(ceil_div(c_.count(), together), [&](std::int64_t task, int member) {
      Room& own = rooms[static_cast<std::size_t>(member)];
      const std::int64_t last = std::min(c_.count(), (task + 1) * together);
      for (std::int64_t matrix = task * together; matrix < last; ++matrix) {
        control_.check();
        for (std::int64_t from = 0; from < std::max<std::int64_t>(a_.columns, 1); from += depth_) {
          for (std::int64_t strip = 0; strip < strips_; ++strip)
            pack_right(matrix, from, strip, own.right.get() + strip * strip_values(), own.converted.get());
          for (std::int64_t row = 0; row < c_.rows; row += block)
            relax(matrix, from, row, std::min(block, c_.rows - row), own, own.right.get());
        }
        control_.advance(1);
      }
    });
  }

  void run_large(std::int64_t matrix) {
    const std::int64_t fair = ceil_div(c_.rows, kTasksAThread * team_.size());
    const std::int64_t groups = std::clamp<std::int64_t>(ceil_div(fair, kernels_.rows), 1, kRowGroups);
    const std::int64_t block = groups * kernels_.rows;
    const Buffer<T> right = buffer<T>(strips_ * strip_values());
    std::vector<Room> rooms;
    for (int member = 0; member < team_.size(); ++member) rooms.push_back(room(block, 0));
    for (std::int64_t from = 0; from < std::max<std::int64_t>(a_.columns, 1); from += depth_) {
      team_.parallel_for(strips_, [&](std::int64_t strip, int member) {
        control_.check();
        pack_right(matrix, from, strip, right.get() + strip * strip_values(),
                   rooms[static_cast<std::size_t>(member)].converted.get());
      });
      team_.parallel_for(ceil_div(c_.rows, block), [&](std::int64_t index, int member) {
        control_.check();
        const std::int64_t row = index * block;
        relax(matrix, from, row, std::min(block, c_.rows - row), rooms[static_cast<std::size_t>(member)],
              right.get());
      });
    }
    control_.advance(1);
  }

  void pack_right(std::int64_t matrix, std::int64_t from, std::int64_t strip, T* to, T* converted) const {
    const std::int64_t depth = panel_depth(from), column = strip * kernels_.columns;
    const std::int64_t width = std::min(kernels_.columns, c_.columns - column);
    if (depth <= 0) return;
    if (conversion_.is_none()) {
      kernels_.pack_right(b_.row(matrix, from) + column, b_.row_stride, depth, width, to);
      return;
    }
    for (std::int64_t k = 0; k < depth; ++k)
      conversion_.take_in(b_.row(matrix, from + k) + column, converted + k * width, width);
    kernels_.pack_right(converted, width, depth, width, to);
  }

  // Relaxes rows of c with one panel. They are "no path" before the first, and public after the last panel.
  void relax(std::int64_t matrix, std::int64_t from, std::int64_t row, std::int64_t rows, Room& room,
             const T* right) const {
    const std::int64_t depth = panel_depth(from);
    if (from == 0)
      for (std::int64_t i = row; i < row + rows; ++i) {
        std::fill_n(c_.row(matrix, i), c_.columns, none_);
        if (via_ != nullptr) std::fill_n(via_->row(matrix, i), c_.columns, -1);
      }
    if (depth > 0) {
      pack_left(matrix, from, row, rows, depth, room);
      if (via_ == nullptr)
        multiply(matrix, row, rows, depth, room.left.get(), right);
      else
        multiply_tracked(matrix, from, row, rows, depth, room.left.get(), right);
    }
    if (from + depth >= a_.columns)
      for (std::int64_t i = row; i < row + rows; ++i)
        conversion_.publish(c_.row(matrix, i), via_ == nullptr ? nullptr : via_->row(matrix, i), c_.columns);
  }

  void pack_left(std::int64_t matrix, std::int64_t from, std::int64_t row, std::int64_t rows,
                 std::int64_t depth, Room& room) const {
    if (conversion_.is_none()) {
      kernels_.pack_left(a_.row(matrix, row) + from, a_.row_stride, rows, depth, room.left.get());
      return;
    }
    T* converted = room.converted.get();
    for (std::int64_t i = 0; i < rows; ++i)
      conversion_.take_in(a_.row(matrix, row + i) + from, converted + i * depth, depth);
    kernels_.pack_left(converted, depth, rows, depth, room.left.get());
  }

  // Strips lie depth_ rows apart, and the last panel has fewer.
  void multiply(std::int64_t matrix, std::int64_t row, std::int64_t rows, std::int64_t depth,
                const void* left, const T* right) const {
    for (std::int64_t strip = 0; strip < strips_; ++strip) {
      const std::int64_t column = strip * kernels_.columns;
      kernels_.multiply(rows, std::min(kernels_.columns, c_.columns - column), depth, left,
                        right + strip * strip_values(), c_.row(matrix, row) + column, c_.row_stride);
    }
  }
  void multiply_tracked(std::int64_t matrix, std::int64_t from, std::int64_t row, std::int64_t rows,
                        std::int64_t depth, const void* left, const T* right) const {
    for (std::int64_t strip = 0; strip < strips_; ++strip) {
      const std::int64_t column = strip * kernels_.columns;
      kernels_.multiply_tracked(rows, std::min(kernels_.columns, c_.columns - column), depth, left,
                                right + strip * strip_values(), c_.row(matrix, row) + column, c_.row_stride,
                                via_->row(matrix, row) + column, via_->row_stride,
                                static_cast<std::int32_t>(from));
    }
  }

  const Matrices<const T>& a_;
  const Matrices<const T>& b_;
  const Matrices<T>& c_;
  const Matrices<std::int32_t>* via_;
  Conversion<T> conversion_;
  T none_;
  const Kernels<T>& kernels_;
  Team& team_;
  Control& control_;
  std::int64_t depth_;
  std::int64_t strips_;
};

// Extremes of values and whether all are numbers, in lanes that become vectors: a compiler does not reorder
// the minimum of floats.
template <class T, bool kNoneIsLowest>
class Lanes {
 public:
  Lanes() {
    std::fill_n(low_, kCount, kHighest);
    std::fill_n(high_, kCount, kLowest);
    std::fill_n(behind_, kCount, kNoneIsLowest ? kHighest : kLowest);
    std::fill_n(bad_, kCount, T{0});
  }
  void look_at(const T* row, std::int64_t count) {
    std::int64_t j = 0;
    for (; j + kCount <= count; j += kCount)
      for (std::int64_t lane = 0; lane < kCount; ++lane) look_at(lane, row[j + lane]);
    for (std::int64_t lane = 0; j + lane < count; ++lane) look_at(lane, row[j + lane]);
  }

  // "No path" is one of the extremes, which hides another value: then all rows are to be looked behind.
  bool hides() const { return kNoneIsLowest ? lowest(low_) == kLowest : highest(high_) == kHighest; }
  void look_behind(const T* row, std::int64_t count) {
    std::int64_t j = 0;
    for (; j + kCount <= count; j += kCount)
      for (std::int64_t lane = 0; lane < kCount; ++lane) look_behind(lane, row[j + lane]);
    for (std::int64_t lane = 0; j + lane < count; ++lane) look_behind(lane, row[j + lane]);
  }

  void add_to(Entries<T>& found, bool is_sum) const {
    const T least = hides() && kNoneIsLowest ? lowest(behind_) : lowest(low_);
    const T most = hides() && !kNoneIsLowest ? highest(behind_) : highest(high_);
    bool numbers = std::all_of(bad_, bad_ + kCount, [](T each) { return each == T{0}; });
    if (numbers && (kNoneIsLowest ? most == kLowest : least == kHighest)) return;  // no path
    if constexpr (std::is_floating_point_v<T>)
      if (is_sum && numbers)
        numbers = least >= std::numeric_limits<T>::lowest() && most <= std::numeric_limits<T>::max();
    found.low = found.found ? std::min(found.low, least) : least;
    found.high = found.found ? std::max(found.high, most) : most;
    found.found = true;
    found.numbers &= numbers;
  }

 private:
  static constexpr std::int64_t kCount = 64 / sizeof(T);
  static constexpr T kLowest = semiring::smallest_value<T>(), kHighest = semiring::largest_value<T>();

  static T lowest(const T* lanes) { return *std::min_element(lanes, lanes + kCount); }
  static T highest(const T* lanes) { return *std::max_element(lanes, lanes + kCount); }
  void look_at(std::int64_t lane, T value) {
    low_[lane] = value < low_[lane] ? value : low_[lane];
    high_[lane] = value > high_[lane] ? value : high_[lane];
    bad_[lane] = value == value ? bad_[lane] : T{1};
  }
  void look_behind(std::int64_t lane, T value) {
    if constexpr (kNoneIsLowest) {
      const T seen = value == kLowest ? kHighest : value;
      behind_[lane] = seen < behind_[lane] ? seen : behind_[lane];
    } else {
      const T seen = value == kHighest ? kLowest : value;
      behind_[lane] = seen > behind_[lane] ? seen : behind_[lane];
    }
  }

  T low_[kCount], high_[kCount], behind_[kCount], bad_[kCount];
};

// Rows [first, last) of all matrices.
template <class T, bool kNoneIsLowest>
void look_at(const Matrices<const T>& operand, std::int64_t first, std::int64_t last, Semiring semiring,
             Entries<T>& found) {
  Lanes<T, kNoneIsLowest> lanes;
  const auto row = [&](std::int64_t index) {
    return operand.row(index / operand.rows, index % operand.rows);
  };
  for (std::int64_t index = first; index < last; ++index) lanes.look_at(row(index), operand.columns);
  if (lanes.hides())
    for (std::int64_t index = first; index < last; ++index) lanes.look_behind(row(index), operand.columns);
  lanes.add_to(found, is_sum(semiring));
}

}  // namespace

Semiring semiring_from_name(std::string_view name) {
  if (name == "min_plus") return Semiring::kMinPlus;
  if (name == "max_plus") return Semiring::kMaxPlus;
  if (name == "max_min") return Semiring::kMaxMin;
  if (name == "min_max") return Semiring::kMinMax;
  throw std::invalid_argument("unknown semiring '" + std::string(name) + "'");
}

semiring::Algebra algebra_of(Semiring semiring) {
  if (semiring == Semiring::kMaxMin) return semiring::Algebra::kMaxMin;
  return semiring == Semiring::kMinMax ? semiring::Algebra::kMinMax : semiring::Algebra::kMinPlus;
}

template <class T>
void multiply(const Matrices<const T>& a, const Matrices<const T>& b, const Matrices<T>& c,
              const Matrices<std::int32_t>* via, Semiring semiring, const Kernels<T>& kernels, Team& team,
              Control& control) {
  if (c.count() == 0 || c.rows == 0 || c.columns == 0) return;
  Product<T>(a, b, c, via, semiring, kernels, team, control).run();
}

template <class T>
Entries<T> entries(const Matrices<const T>& operand, Semiring semiring, Team& team, Control& control) {
  constexpr std::int64_t kTogether = 1 << 14;  // entries of a task
  const std::int64_t rows = std::max<std::int64_t>(kTogether / std::max<std::int64_t>(operand.columns, 1), 1);
  const std::int64_t all = operand.count() * operand.rows;
  std::vector<Entries<T>> found(static_cast<std::size_t>(team.size()));
  team.parallel_for(ceil_div(all, rows), [&](std::int64_t task, int member) {
    control.check();
    Entries<T> own = found[static_cast<std::size_t>(member)];
    const std::int64_t first = task * rows, last = std::min(all, first + rows);
    if (is_largest(semiring))
      look_at<T, true>(operand, first, last, semiring, own);
    else
      look_at<T, false>(operand, first, last, semiring, own);
    found[static_cast<std::size_t>(member)] = own;
  });
  Entries<T> result;
  for (const Entries<T>& own : found) {
    result.numbers &= own.numbers;
    if (!own.found) continue;
    result.low = result.found ? std::min(result.low, own.low) : own.low;
    result.high = result.found ? std::max(result.high, own.high) : own.high;
    result.found = true;
  }
  return result;
}

#define APSP_INSTANTIATE(T)                                                                            \
  template void multiply(const Matrices<const T>&, const Matrices<const T>&, const Matrices<T>&,       \
                         const Matrices<std::int32_t>*, Semiring, const Kernels<T>&, Team&, Control&); \
  template Entries<T> entries(const Matrices<const T>&, Semiring, Team&, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::product
