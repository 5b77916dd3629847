// Searches from 64 sources at once, level by level: bits find the vertices of a level (as in Then et al.
// 2014), then one pass over their arcs counts paths for all sources.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "flows/hop_graph.hpp"
#include "flows/kernels.hpp"
#include "flows/touched.hpp"
#include "graph/csr.hpp"
#include "rows/lane_graph.hpp"
#include "rows/source_patches.hpp"
#include "runtime/buffer.hpp"
#include "runtime/control.hpp"

namespace apsp::flows {

constexpr std::int64_t kAtOnce = 4096;  // vertices between two checks whether to stop

// Data shared by all threads.
struct HopTask {
  const graph::Csr& csr;
  const std::int32_t* sources;  // (count,)
  std::int64_t count;
  std::int64_t cutoff;
  rows::VertexOrder order;
  HopGraph graph;

  HopTask(const graph::Csr& given, const std::int32_t* starts, std::int64_t number, std::int64_t most)
      : csr(given), sources(starts), count(number), cutoff(most), order(given), graph(given, order) {}

  // Numbers of the sources: those near each other are neighbours, since they share most of their work.
  std::vector<std::int64_t> rows_in_patches() const {
    const std::vector<std::uint16_t> ones(csr.m, 1);
    const rows::LaneGraph<std::uint16_t> lanes(csr, ones.data(), order);
    const auto patches = rows::source_patches(lanes.view(), kLanes);
    return rows::rows_by_patch(sources, count, order, patches);
  }
};

// One thread's searches.
class HopSearch {
 public:
  explicit HopSearch(const HopTask& task)
      : task_(task),
        n_(task.csr.n),
        touched_(n_),
        marks_(n_),
        front_(n_, 0),
        found_(n_ + 1),
        paths_(buffer<double>(n_ * kLanes)) {
    search_.graph = task.graph.view();
    search_.front = front_.data();
    search_.paths = paths_.get();
  }

  // Counts the paths from up to kLanes sources. rows: numbers of the sources in the task.
  void run(const std::int64_t* rows, int count, const Control& control) {
    rows_ = rows;
    count_ = count;
    control_ = &control;
    forward();
  }

  // Number of shortest paths from a source of the last run to a vertex (original number).
  double paths(int lane, std::int64_t vertex) const {
    const std::int64_t v = task_.order.inner[vertex];
    if (vertex == source(lane)) return 1;
    return (marks_[v].seen >> lane & 1) != 0 ? paths_[v * kLanes + lane] : 0;
  }

  std::int32_t source(int lane) const { return task_.sources[rows_[lane]]; }

 protected:
  struct Marks {
    std::uint64_t seen, next;
  };

  void forward() {
    touched_.for_each_range([&](std::int64_t first, std::int64_t last) {
      std::fill(marks_.begin() + first, marks_.begin() + last, Marks{0, 0});
    });
    touched_.clear();
    vertices_.clear();
    masks_.clear();
    starts_.assign(1, 0);
    if (task_.cutoff < 1) return;
    append(first_level());
    settle();
    for (std::int64_t level = 2; size_of_last() > 0 && level <= task_.cutoff; ++level) {
      const std::int64_t first = starts_.back(), count = follow();
      if (count == 0) break;
      append(count);
      in_pieces(first, count, [&](std::int64_t i, std::int64_t size) {
        kernels().count(search_, &vertices_[i], &masks_[i], size);
      });
      clear_front(levels() - 1);
      settle();
    }
    clear_front(levels() - 1);
  }

  // From the sources themselves, which may be zones.
  std::int64_t first_level() {
    std::int64_t count = 0;
    for (int lane = 0; lane < count_; ++lane) {
      const std::uint64_t bit = std::uint64_t{1} << lane;
      const std::int32_t tail = source(lane);
      marks_[task_.order.inner[tail]].seen |= bit;
      touched_.add(task_.order.inner[tail]);
      for (std::int64_t a = task_.csr.indptr[tail]; a < task_.csr.indptr[tail + 1]; ++a) {
        if (task_.csr.indices[a] == tail) continue;
        const std::int32_t v = task_.order.inner[task_.csr.indices[a]];
        if (marks_[v].next == 0) found_[count++] = v;
        marks_[v].next |= bit;
        paths_[v * std::int64_t{kLanes} + lane] = 1;
      }
    }
    return count;
  }

  // The vertices of the next level, in found_, with their sources in `next`.
  std::int64_t follow() {
    std::int64_t count = 0;
    const HopArcs& graph = search_.graph;
    in_pieces(starts_[levels() - 1], size_of_last(), [&](std::int64_t first, std::int64_t size) {
      for (std::int64_t i = first; i < first + size; ++i) {
        const std::uint64_t bits = masks_[i];
        const std::int32_t u = vertices_[i];
        for (std::int64_t a = graph.out_start[u]; a < graph.out_start[u + 1]; ++a) {
          Marks& at = marks_[graph.heads[a]];
          const std::uint64_t fresh = bits & ~at.seen;
          found_[count] = graph.heads[a];
          count += (at.next == 0) & (fresh != 0);
          at.next |= fresh;
        }
      }
    });
    return count;
  }

  // The vertices in found_ are the next level,
  void append(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      touched_.add(found_[i]);
      vertices_.push_back(found_[i]);
      masks_.push_back(marks_[found_[i]].next);
    }
  }

  // which is the last one from now on.
  void settle() {
    for (auto i = static_cast<std::size_t>(starts_.back()); i < vertices_.size(); ++i) {
      Marks& at = marks_[vertices_[i]];
      front_[vertices_[i]] = at.next;
      at.seen |= at.next;
      at.next = 0;
    }
    starts_.push_back(static_cast<std::int64_t>(vertices_.size()));
  }

  // front_ is zero at the vertices of a level, if there is such a level.
  void clear_front(std::int64_t level) {
    if (level < 0 || level >= levels()) return;
    for (std::int64_t i = starts_[level]; i < starts_[level + 1]; ++i) front_[vertices_[i]] = 0;
  }

  std::int64_t levels() const { return static_cast<std::int64_t>(starts_.size()) - 1; }
  std::int64_t size_of_last() const { return starts_.back() - starts_[levels() - 1]; }

  template <class Act>
  void in_pieces(std::int64_t first, std::int64_t count, Act&& act) {
    for (std::int64_t i = 0; i < count; i += kAtOnce) {
      control_->check();
      act(first + i, std::min(kAtOnce, count - i));
    }
  }

  const HopTask& task_;
  std::int64_t n_;
  Touched touched_;  // by the last run
  std::vector<Marks> marks_;
  std::vector<std::uint64_t> front_, masks_;
  std::vector<std::int32_t> found_, vertices_;  // vertices_ and masks_: all levels, one after another
  std::vector<std::int64_t> starts_;            // of the levels, of which the first is that at distance 1
  Buffer<double> paths_;
  LaneSearch search_{};
  const std::int64_t* rows_ = nullptr;
  int count_ = 0;
  const Control* control_ = nullptr;
};

}  // namespace apsp::flows
