// Rows of near pairs from distances in the order of the vertices, as engines make them that search from many
// sources at once.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "searches/near_rows.hpp"
#include "searches/path_costs.hpp"

namespace apsp::searches {

// Of one thread.
template <class T>
class NearLines {
 public:
  // has_hops: the engine knows next hops, unless they depend on other costs.
  NearLines(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs, const NearRequest<T>& request, bool has_hops)
      : arcs_(arcs), costs_(costs), request_(request), ceiling_(semiring::just_beyond(request.cutoff)) {
    if (!request.sums && (!request.hops || has_hops)) return;
    along_.emplace(arcs, costs);
    lengths_.assign(static_cast<std::size_t>(arcs.n()), ceiling_);
  }

  // Adds the row of source number `number`. labels[i]: the distance of vertices[i] (ascending), and beyond
  // the cutoff or "no path" for those that are not near. All that are near are among them. shift > 0: the
  // lowest bits of a label are the number of the first arc on a shortest path, from 1 on, and 0 for the
  // source; C is then T or wider integers.
  template <class C>
  void add(NearStock<T>& stock, std::int64_t number, const std::int32_t* vertices, const C* labels, int shift,
           std::int64_t count, const Control& control);

 private:
  static constexpr std::uint64_t kFewDistances = 1 << 11;
  static constexpr int kMostShift = 20;  // with so few distances, labels have 32 bits

  void walk(std::int32_t source, const Control& control);
  void read_off(std::int32_t source);
  // By the number of an arc of the source, from 1 on; -1 for the source itself.
  void name_heads(std::int32_t source);

  // Whether all that are near are pairs, and one pass of counting sorts them.
  bool is_plain(int shift) const noexcept {
    return !along_ && request_.is_target == nullptr && request_.own && request_.k >= arcs_.n() &&
           static_cast<std::uint64_t>(ceiling_) < kFewDistances && shift <= kMostShift;
  }

  // The same as in steps, with fewer of them (counting sort: Knuth, volume 3, section 5.2).
  template <class C>
  void add_plain(NearStock<T>& stock, std::int64_t number, const std::int32_t* vertices, const C* labels,
                 int shift, std::int64_t count);

  const rows::Arcs<T>& arcs_;
  const ArcCosts<T>& costs_;
  const NearRequest<T>& request_;
  T ceiling_;
  std::uint32_t starts_[kFewDistances];
  std::optional<PathCosts<T>> along_;
  std::vector<NearPair<T>> row_, sorted_, scratch_;
  std::vector<std::uint64_t> near_;  // labels and vertices
  std::vector<std::int32_t> targets_, hops_;
  std::vector<std::int32_t> reached_;  // inner numbers
  std::vector<std::int32_t> heads_;    // of the arcs of a source
  std::vector<T> lengths_;             // (n,) by inner numbers
  std::vector<double> sums_;
};

}  // namespace apsp::searches
