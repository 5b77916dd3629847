// A search from a vertex of a path to the target that leaves the path there: A* (Hart, Nilsson and Raphael
// 1968) with the distances to the target as bounds, which are exact as long as nothing is closed.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/control.hpp"
#include "runtime/least_first.hpp"
#include "runtime/marks.hpp"
#include "simple_paths/bounds.hpp"
#include "simple_paths/simple_paths.hpp"

namespace apsp::simple_paths {

// A path that was found, as it is followed: vertices, the lengths of its parts from the source, and which
// vertices are on it.
template <class T>
class Followed {
 public:
  explicit Followed(std::int64_t n) : place_(n), on_path_(n) {}

  void follow(const std::int32_t* vertices, const Label<T>* lengths, std::int32_t size) {
    on_path_.clear();
    vertices_ = vertices, lengths_ = lengths, size_ = size;
    for (std::int32_t i = 0; i < size; ++i) place_[vertices[i]] = i, on_path_.add(vertices[i]);
  }

  std::int32_t size() const noexcept { return size_; }
  // The place of a vertex on the path, -1 if it is not on it.
  std::int32_t place(std::int32_t v) const noexcept { return on_path_.has(v) ? place_[v] : -1; }
  Label<T> length_to(std::int32_t place) const noexcept { return lengths_[place]; }
  Label<T> length_from(std::int32_t place) const noexcept { return lengths_[size_ - 1] - lengths_[place]; }

 private:
  const std::int32_t* vertices_ = nullptr;
  const Label<T>* lengths_ = nullptr;
  std::int32_t size_ = 0;
  std::vector<std::int32_t> place_;
  Marks on_path_;
};

enum class End { kNone, kBeyond, kJoined, kTarget };

template <class T>
struct Deviation {
  End end = End::kNone;
  Label<T> bound{};  // of every path that the search could find; the length of the one found
  // From the vertex after the one that the search starts from: to the target, or to a vertex of the followed
  // path, from which that path is a shortest one.
  std::vector<std::int32_t> vertices;
};

template <class T>
class DeviationSearch {
 public:
  DeviationSearch(const graph::Csr& graph, const T* weights, const Control& control)
      : graph_(graph),
        weights_(weights),
        control_(control),
        labels_(graph.n),
        parents_(graph.n),
        reached_(graph.n) {}

  struct Request {
    std::int32_t from = 0;  // closed, as are the vertices of the path before it, if there is a path
    std::int32_t target = 0;
    Label<T> length{};                     // of the path to `from`
    Label<T> limit{};                      // the search ends with kBeyond if all that remains is longer
    bool closes_path = true;               // false: of the path only `from` is closed
    bool joins = true;                     // the search ends where the rest of the path is a shortest one
    const std::int32_t* closed = nullptr;  // heads of the arcs at `from` that are closed
    std::int32_t closed_count = 0;
  };

  // Whether the search may take the arc from `from` to this head.
  bool may_leave_by(std::int32_t head, const Request& request, const Followed<T>& path,
                    const Bounds<T>& bounds) const noexcept {
    if (!may_enter(head, request, path, bounds)) return false;
    return std::find(request.closed, request.closed + request.closed_count, head) ==
           request.closed + request.closed_count;
  }

  // The bound of paths that leave by one arc and follow a shortest way from its head.
  bool first_bound(const Request& request, const Followed<T>& path, const Bounds<T>& bounds,
                   Label<T>& bound) const noexcept {
    bool found = false;
    for (std::int64_t a = graph_.indptr[request.from]; a < graph_.indptr[request.from + 1]; ++a) {
      const std::int32_t head = graph_.indices[a];
      if (!may_leave_by(head, request, path, bounds)) continue;
      const Label<T> through = bounds.through(request.length + static_cast<Label<T>>(weights_[a]), head);
      if (bounds.sums.is_finite(through) && (!found || through < bound)) bound = through, found = true;
    }
    return found;
  }

  // Without `joins` a shortest path. Ties: the vertices that are further from the source come first.
  void run(const Request& request, const Followed<T>& path, const Bounds<T>& bounds, Deviation<T>& found) {
    reached_.clear();
    heap_.clear();
    found.vertices.clear();
    found.end = End::kNone;
    std::int32_t last = -1;
    for (std::int64_t a = graph_.indptr[request.from]; a < graph_.indptr[request.from + 1]; ++a)
      if (may_leave_by(graph_.indices[a], request, path, bounds))
        reach(graph_.indices[a], request.from, request.length + static_cast<Label<T>>(weights_[a]), bounds);
    while (!heap_.empty()) {
      const Open top = heap_.pop();
      const std::int32_t v = top.vertex;
      if (last >= 0 && !(top.bound < labels_[last])) break;
      if (labels_[v] < top.length) continue;
      if (top.bound > request.limit) {
        if (last >= 0) break;
        found.end = End::kBeyond, found.bound = top.bound;
        return;
      }
      if ((++taken_ & 0xfff) == 0) control_.check();
      if (v == request.target) {
        last = v;  // floats: a bound may be smaller yet
        if constexpr (Bounds<T>::kExact) break;
        continue;
      }
      if (request.joins) {
        const std::int32_t place = path.place(v);
        if (place > path.place(request.from) && bounds.is_shortest(path.length_from(place), v)) {
          found.end = End::kJoined, found.bound = top.bound;
          write(v, request.from, found.vertices);
          return;
        }
      }
      for (std::int64_t a = graph_.indptr[v]; a < graph_.indptr[v + 1]; ++a)
        if (may_enter(graph_.indices[a], request, path, bounds))
          reach(graph_.indices[a], v, top.length + static_cast<Label<T>>(weights_[a]), bounds);
    }
    if (last < 0) return;
    found.end = End::kTarget, found.bound = labels_[last];
    write(last, request.from, found.vertices);
  }

 private:
  struct Open {
    Label<T> bound, length;
    std::int32_t vertex;
    bool operator<(const Open& other) const noexcept {
      if (bound != other.bound) return bound < other.bound;
      if (length != other.length) return other.length < length;
      return vertex < other.vertex;
    }
  };

  bool may_enter(std::int32_t v, const Request& request, const Followed<T>& path,
                 const Bounds<T>& bounds) const noexcept {
    if (v == request.from || !bounds.has_path(v)) return false;
    if (v != request.target && graph_.is_zone(v)) return false;
    if (!request.closes_path) return true;
    const std::int32_t place = path.place(v);
    return place < 0 || place > path.place(request.from);
  }

  void reach(std::int32_t v, std::int32_t from, Label<T> length, const Bounds<T>& bounds) {
    if (reached_.has(v) && !(length < labels_[v])) return;
    const Label<T> bound = bounds.through(length, v);
    if (!bounds.sums.is_finite(bound)) return;
    reached_.add(v), labels_[v] = length, parents_[v] = from;
    heap_.push({bound, length, v});
  }

  void write(std::int32_t v, std::int32_t from, std::vector<std::int32_t>& vertices) const {
    for (; v != from; v = parents_[v]) vertices.push_back(v);
    std::reverse(vertices.begin(), vertices.end());
  }

  const graph::Csr& graph_;
  const T* weights_;
  const Control& control_;
  std::vector<Label<T>> labels_;
  std::vector<std::int32_t> parents_;
  Marks reached_;
  LeastFirst<Open> heap_;
  std::uint64_t taken_ = 0;
};

}  // namespace apsp::simple_paths
