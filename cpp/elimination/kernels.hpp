// The kernels of elimination for one dtype, as a table of functions: see simd/dispatch.hpp.
//
// Distances of a batch of sources are stored vertex-major: one line of `lanes` values per place, one lane per
// source.
#pragma once
#include <cstdint>

#include "elimination/neighbours.hpp"
#include "simd/dispatch.hpp"

namespace apsp::elimination {

// The lines that a panel reads or writes: of places first, first + 1, ..., or of those in `list`.
struct Lines {
  Vertex first = 0;
  const Vertex* list = nullptr;
  std::int64_t count = 0;
};

// Some of the lines of a panel: their numbers, and their rows or columns in the panel.
struct Chosen {
  const Vertex* line = nullptr;
  const Vertex* entry = nullptr;
  std::int64_t count = 0;
};

// Sums of amounts over the distances of each lane: see reductions/weighing.hpp.
struct LaneSums {
  double* sums;  // (cutoff_count * kinds, lanes)
  std::int64_t kinds, cutoff_count;
  const std::int64_t* cutoffs;  // ascending
  const double* decayed;        // (1 + the longest cutoff) the factor of each distance, or null: 1
  bool whole;  // amounts are whole numbers of which all together are exact: any order yields the same sums
};

// The lengths between points and both ends of their arcs; infinite where an end is not used.
struct EndLengths {
  const Vertex* places;   // (2, count)
  const double* lengths;  // (2, count)
  std::int64_t count;
};

// A matrix whose entries are lines, rows `stride` lines apart.
template <class T>
struct LineMatrix {
  T* data;
  std::int64_t rows, columns, stride;
};

template <class T>
struct Kernels {
  std::int64_t lanes;  // in a vector; lines hold a multiple of it

  // line(to i) = min(line(to i), min over h of panel[h, i] + line(from h)); with `fresh`, the previous values
  // of the lines of `to` are ignored. panel (from.count, to.count), rows `stride` apart. `to` may be `from`
  // if the panel is closed. The first `width` lanes of each line, whole vectors; lines are `lanes` apart.
  void (*extend)(const Lines& to, const Lines& from, const T* panel, std::int64_t stride, bool fresh,
                 T* lines, std::int64_t lanes, std::int64_t width);

  // row[j] = min(row[j], value + pivot[j]).
  void (*relax)(T* row, const T* pivot, T value, std::int64_t count);

  // row[j] = min over h < height of values[h] + panel[h, j], j < count, or "no path"; rows `stride` apart.
  void (*add)(T* row, const T* values, std::int64_t height, const T* panel, std::int64_t stride,
              std::int64_t count);

  // row[j] = min(row[j], min over h of values[line h] + panel[entry h, j]), j < count; panel rows `stride`
  // apart.
  void (*relax_chosen)(T* row, const Chosen& from, const T* values, const T* panel, std::int64_t stride,
                       std::int64_t count);

  // The minimum of a[j] + b[j], or "no path".
  T (*meet)(const T* a, const T* b, std::int64_t count);

  // out[lane][j] = line(place[j])[lane], with `none` for values of `ceiling` and above; lanes < used. Returns
  // the smallest value.
  T (*read_off)(const T* lines, std::int64_t lanes, std::int64_t used, const Vertex* place,
                std::int64_t columns, T ceiling, T none, T* const* out);

  // out[lane][j] = the least over both ends e of point j of line(end e)[lane] + its length, lanes < used.
  // Integers are twice a distance, plus 1 if it is from the second end of the source: then the length of that
  // end is added to the distance, offsets (2, lanes); floats are distances.
  void (*read_between)(const T* lines, std::int64_t lanes, std::int64_t used, const EndLengths& ends,
                       const double* offsets, double* const* out);

  // As `extend` with some of the entries of a panel.
  void (*extend_chosen)(const Chosen& to, const Chosen& from, const T* panel, std::int64_t stride, bool fresh,
                        T* lines, std::int64_t lanes);

  // Adds `count` contiguous lines to the sums of their lanes; the i-th line has the amounts (kinds) of
  // places[i]. Null for T other than uint16_t and int32_t, and no value may be below 0.
  void (*weigh)(const T* lines, std::int64_t lanes, std::int64_t count, const double* amounts,
                const Vertex* places, const LaneSums& to);

  // to[i, j] = min(to[i, j], min over p of a[i, p] + b[p, j]), lane by lane. `to` may be `a` or `b` if the
  // other one is closed. Null for floats, as the next one.
  void (*multiply)(const LineMatrix<T>& to, const LineMatrix<T>& a, const LineMatrix<T>& b,
                   std::int64_t lanes);

  // Line lines[i] of `to` = its minimum with line i of `from`, i < count.
  void (*merge)(T* to, const std::int64_t* lines, const T* from, std::int64_t count, std::int64_t lanes);
};

// Tuples of costs (see cost_factor.hpp) in lines of kCostLanes lanes and more. First costs lie apart, since
// they decide almost always.
constexpr std::int64_t kCostLanes = 16;
struct CostLines {
  double* first;   // of lane q of line l: first[l * stride + q]
  double* others;  // cost 1 + c of it: others[(l * kinds + c) * stride + q]; of no meaning without a path
  std::int64_t stride;  // a multiple of kCostLanes
  std::int64_t kinds;   // costs beside the first
};
// Costs of steps h: first[h * stride], and others[h * stride * kinds + c].
struct CostSteps {
  const double* first;
  const double* others;
  std::int64_t stride;
};

// line(to) = min(line(to), min over h of step h + line(from h)) in the order of the costs, for the lanes 0 to
// kCostLanes - 1. hits: scratch, (from.count).
void extend_costs(const CostLines& lines, std::int64_t to, const Lines& from, const CostSteps& steps,
                  Vertex* hits);

// Those of the instruction set in force. `nonnegative`: no value is below +0.
template <class T>
const Kernels<T>& kernels(bool nonnegative);

APSP_FOR_EACH_ISA(template <class T> const Kernels<T>& table(bool nonnegative);
                  void extend_costs(const CostLines& lines, std::int64_t to, const Lines& from,
                                    const CostSteps& steps, Vertex* hits);)

}  // namespace apsp::elimination
