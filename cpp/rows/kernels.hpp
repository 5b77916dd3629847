// Rows of distances and predecessors from lines of labels: see simd/dispatch.hpp.
#pragma once
#include <cstdint>

#include "graph/zero_view.hpp"
#include "rows/lane_arcs.hpp"
#include "rows/row_sums.hpp"
#include "simd/dispatch.hpp"

namespace apsp::rows {

// Rows of distances from labels.
template <class L, class T>
struct LaneRows {
  const L* labels;
  L none;                        // labels from here on mean "no path"
  const std::int32_t* vertices;  // (columns,) the vertex of each column
  std::int64_t columns;
  T* const* rows;  // (lanes,) where each row starts
  std::int64_t lanes;
  const T* column_shift;  // (columns,) and (lanes,): added to values other than "no path", modulo the range;
  const T* row_shift;     // or both nullptr
};

// Rows of predecessors from labels: the tail of an arc that adds up exactly, from a strictly smaller label
// or, if its length is zero, from another component of such arcs; else the vertex before on the way from the
// root of its component; or -1.
template <class L>
struct LaneParents {
  LaneGraphView<L> graph;
  const std::int64_t* rising;  // (n,) where the arcs into a vertex from outside its component begin
  graph::ZeroView zero;
  const L* labels;
  L none;
  const std::int32_t* vertices;  // (n,) the vertex of each column
  const std::int32_t* names;     // (n,) the column of each vertex
  std::int32_t* const* rows;     // (lanes,)
  std::int64_t lanes;
  std::int64_t* missing;  // (kLabelLanes,) out: columns below `none`, of vertices in no component, that got
                          // -1, the source among them
  const std::int32_t* first;  // (kLabelLanes,) in hops: the column of each source; else null
  std::int32_t* entries;  // (components, kLabelLanes) out: the smallest place of a vertex that paths enter
                          // from outside; kNoEntry if there is none
};

// Rows that follow from others: row `row`, of the distances from `vertex`, is the minimum of weight + row
// over its arcs.
struct JoinedRow {
  std::int64_t row;
  std::int32_t vertex;
};
template <class T>
struct RowArc {
  std::int64_t row;
  T weight;
};
template <class T>
struct RowJoins {
  T* dist;
  std::int64_t dist_stride;
  const JoinedRow* rows;      // (count,) in an order in which each follows from earlier ones and others
  const std::int64_t* start;  // (count + 1,)
  const RowArc<T>* arcs;
  std::int64_t count;
};

// With the instruction set in force.
template <class L, class T>
void write_lanes(const LaneRows<L, T>& rows);
template <class L>
void write_lane_parents(const LaneParents<L>& parents);
// Columns first .. last of all joined rows; others are independent of them.
template <class T>
void join_rows(const RowJoins<T>& joins, std::int64_t first, std::int64_t last);
// Adds `count` lines of `lanes` distances, those of vertices[0], vertices[1], ..., to the tallies of their
// lanes. Values of `ceiling` and above are not distances. T: uint8_t, uint16_t or int32_t.
template <class T>
void tally(const T* lines, std::int64_t lanes, std::int64_t count, const std::int32_t* vertices, T ceiling,
           const LaneTallies& to);

APSP_FOR_EACH_ISA(template <class L, class T> void write_lanes(const LaneRows<L, T>& rows); template <class T>
                  void tally(const T* lines, std::int64_t lanes, std::int64_t count,
                             const std::int32_t* vertices, T ceiling, const LaneTallies& to);
                  template <class L> void write_lane_parents(const LaneParents<L>& parents);
                  template <class T>
                  void join_rows(const RowJoins<T>& joins, std::int64_t first, std::int64_t last);)

// use(L, T) for each type of labels, and each type of distances computed from it.
#define APSP_FOR_LABELS_AND_LENGTHS(use)                                                                  \
  use(std::uint8_t, std::uint16_t) use(std::uint8_t, std::int32_t) use(std::uint8_t, std::int64_t)        \
      use(std::uint16_t, std::uint16_t) use(std::uint16_t, std::int32_t) use(std::uint16_t, std::int64_t) \
          use(std::uint16_t, float) use(std::uint16_t, double) use(std::uint32_t, std::int32_t)           \
              use(std::uint32_t, std::int64_t) use(std::uint64_t, std::int32_t)                           \
                  use(std::uint64_t, std::int64_t) use(float, float) use(double, double)

}  // namespace apsp::rows
