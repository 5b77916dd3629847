// The vertices within a bound of every source, as rows of different lengths: the request, the result, and how
// the rows that threads find in any order are put together.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "graph/csr.hpp"
#include "rows/arcs.hpp"
#include "runtime/buffer.hpp"
#include "runtime/control.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {

template <class T>
struct NearRequest {
  const std::int32_t* sources = nullptr;  // (count,) in any order, also repeated
  std::int64_t count = 0;
  T cutoff = semiring::kNoPath<T>;  // itself included
  std::int64_t k = INT64_MAX;  // most pairs of a source: the nearest, of equally near ones the first vertices
  const std::uint8_t* is_target = nullptr;  // (n,) where a vertex is a target; nullptr: all
  bool own = true;                          // the source may be one of its targets
  bool hops = false;
  bool sums = false;       // of the other costs, along the path that is best by all costs in their order
  bool by_target = false;  // rows are in the order of the targets, not of the distances
  std::int64_t most = INT64_MAX;  // pairs in all
};

// costs: the number of other costs. Throws std::invalid_argument.
template <class T>
void check_near(const NearRequest<T>& request, std::int64_t n, int costs) {
  graph::check_vertices(request.sources, request.count, n, "sources");
  if (request.k < 1 || !(request.cutoff >= T{0}))
    throw std::invalid_argument("k must be at least 1, and the cutoff at least 0");
  if (request.sums && costs == 0) throw std::invalid_argument("there are no other costs");
}

// Pairs of source number i: from starts[i] to starts[i + 1].
template <class T>
struct NearPairs {
  bool complete = true;              // false if there are more pairs than `most`; then there are none here
  std::vector<std::int64_t> starts;  // (count + 1,)
  Buffer<std::int32_t> targets;
  Buffer<T> distances;
  Buffer<std::int32_t>
      hops;             // the first vertex after the source, -1 for the source itself; empty if not requested
  Buffer<double> sums;  // (costs, pairs); empty if not requested

  std::int64_t size() const noexcept { return starts.back(); }
};

template <class T>
struct NearPair {
  T distance;
  std::int32_t target;
  std::int32_t hop;
};

// Orders a row whose pairs come in the order of the distances, but equal ones in any order, and keeps k.
template <class T>
void put_in_order(std::vector<NearPair<T>>& row, std::int64_t k, bool by_target) {
  const auto before = [](const NearPair<T>& a, const NearPair<T>& b) { return a.target < b.target; };
  const bool too_many = static_cast<std::int64_t>(row.size()) > k;
  if (!by_target || too_many) {
    for (auto first = row.begin(); first != row.end();) {
      auto last = first + 1;
      while (last != row.end() && last->distance == first->distance) ++last;
      if (last - first > 1) std::sort(first, last, before);
      first = last;
    }
    if (too_many) row.resize(static_cast<std::size_t>(k));
  }
  if (by_target) std::sort(row.begin(), row.end(), before);
}

struct TooManyPairs : std::exception {};

// The rows that one thread has found.
template <class T>
class NearStock {
 public:
  // counts (request.count,): the pairs of each source.
  NearStock(const NearRequest<T>& request, int costs, std::int64_t* counts, std::atomic<std::int64_t>& total)
      : request_(request), costs_(request.sums ? costs : 0), counts_(counts), total_(total) {}

  // The row of source number `number` of the request. sums: (pairs, costs), if requested. Throws
  // TooManyPairs.
  void add(std::int64_t number, const std::vector<NearPair<T>>& row, const double* sums) {
    const auto size = static_cast<std::int64_t>(row.size());
    const Room room = room_for(number, size);
    for (std::int64_t i = 0; i < size; ++i) {
      room.targets[i] = row[i].target;
      room.distances[i] = row[i].distance;
    }
    if (request_.hops)
      for (std::int64_t i = 0; i < size; ++i) room.hops[i] = row[i].hop;
    if (costs_ > 0) std::copy_n(sums, size * costs_, room.sums);
  }

  // Where the row of source number `number` is to be written. Throws TooManyPairs.
  struct Room {
    std::int32_t* targets;
    T* distances;
    std::int32_t* hops;  // null if not requested
    double* sums;        // (size, costs), null if not requested
  };
  Room room_for(std::int64_t number, std::int64_t size) {
    counts_[number] = size;
    if (size == 0) return {};
    if (total_.fetch_add(size, std::memory_order_relaxed) + size > request_.most) throw TooManyPairs();
    if (pieces_.empty() || pieces_.back().capacity - pieces_.back().size < size) begin_piece(size);
    Piece& piece = pieces_.back();
    piece.numbers.push_back(number);
    const std::int64_t at = piece.size;
    piece.size += size;
    return {piece.targets.get() + at, piece.distances.get() + at,
            request_.hops ? piece.hops.get() + at : nullptr,
            costs_ > 0 ? piece.sums.get() + at * costs_ : nullptr};
  }

  // Several rows, one after the other in memory of their own.
  struct Piece {
    std::int64_t capacity = 0, size = 0;
    std::vector<std::int64_t> numbers;  // of the sources
    Buffer<std::int32_t> targets;
    Buffer<T> distances;
    Buffer<std::int32_t> hops;
    Buffer<double> sums;  // the costs of a pair, then those of the next one
  };
  std::vector<Piece> take() { return std::move(pieces_); }

 private:
  static constexpr std::int64_t kLeast = 1 << 10, kMost = 1 << 21;  // pairs of a piece

  void begin_piece(std::int64_t size) {
    const std::int64_t before = pieces_.empty() ? kLeast / 2 : pieces_.back().capacity;
    Piece piece;
    piece.capacity = std::max(size, std::min(2 * before, kMost));
    piece.targets = on_large_pages<std::int32_t>(piece.capacity);
    piece.distances = on_large_pages<T>(piece.capacity);
    if (request_.hops) piece.hops = on_large_pages<std::int32_t>(piece.capacity);
    if (costs_ > 0) piece.sums = on_large_pages<double>(piece.capacity * costs_);
    pieces_.push_back(std::move(piece));
  }

  const NearRequest<T>& request_;
  int costs_;
  std::int64_t* counts_;
  std::atomic<std::int64_t>& total_;
  std::vector<Piece> pieces_;
};

// Moves the pieces to their places, and frees each of them.
template <class T>
void join_pieces(std::vector<typename NearStock<T>::Piece>& pieces, int costs, Team& team, Control& control,
                 NearPairs<T>& found) {
  const auto spread = [&](const double* sums, std::int64_t pairs, std::int64_t to) {
    for (std::int64_t i = 0; i < pairs; ++i)
      for (int k = 0; k < costs; ++k) found.sums[k * found.size() + to + i] = sums[i * costs + k];
  };
  team.parallel_for(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t number, int) {
    control.check();
    const auto piece = std::move(pieces[static_cast<std::size_t>(number)]);
    std::int64_t at = 0;
    for (const std::int64_t i : piece.numbers) {
      const std::int64_t to = found.starts[i], size = found.starts[i + 1] - to;
      std::copy_n(piece.targets.get() + at, size, found.targets.get() + to);
      std::copy_n(piece.distances.get() + at, size, found.distances.get() + to);
      if (found.hops) std::copy_n(piece.hops.get() + at, size, found.hops.get() + to);
      if (found.sums) spread(piece.sums.get() + at * costs, size, to);
      at += size;
    }
  });
}

// Finds the rows of all sources in tasks of `height` of them: make() is a thread's worker, and
// search(worker, stock, first, last) adds the rows of the task.
template <class T, class Make, class Search>
NearPairs<T> collect_near(const NearRequest<T>& request, int costs, std::int64_t height, int threads,
                          Control& control, const Make& make, const Search& search) {
  using Worker = typename std::invoke_result_t<Make>::element_type;
  struct Member {
    std::unique_ptr<Worker> worker;
    NearStock<T> stock;
  };
  NearPairs<T> found;
  found.starts.assign(static_cast<std::size_t>(request.count) + 1, 0);
  std::atomic<std::int64_t> total{0};
  Team team(threads);
  std::vector<std::unique_ptr<Member>> members(static_cast<std::size_t>(team.size()));
  try {
    team.parallel_for((request.count + height - 1) / height, [&](std::int64_t task, int number) {
      control.check();
      auto& member = members[static_cast<std::size_t>(number)];
      if (!member)
        member.reset(new Member{make(), NearStock<T>(request, costs, found.starts.data() + 1, total)});
      const std::int64_t first = task * height;
      search(*member->worker, member->stock, first, std::min(first + height, request.count));
    });
  } catch (const TooManyPairs&) {
    found.complete = false;
    std::fill(found.starts.begin(), found.starts.end(), std::int64_t{0});
    return found;
  }
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  std::vector<typename NearStock<T>::Piece> pieces;
  for (auto& member : members) {
    if (!member) continue;
    auto some = member->stock.take();
    std::move(some.begin(), some.end(), std::back_inserter(pieces));
    member.reset();
  }
  // Every page is written once; the system takes longer to provide small ones than the pairs take to move.
  found.targets = on_large_pages<std::int32_t>(found.size());
  found.distances = on_large_pages<T>(found.size());
  if (request.hops) found.hops = on_large_pages<std::int32_t>(found.size());
  if (request.sums) found.sums = on_large_pages<double>(found.size() * costs);
  join_pieces<T>(pieces, costs, team, control, found);
  return found;
}

// The numbers of the sources, so that rank(source) does not fall: neighbours one after another.
template <class Rank>
std::vector<std::int64_t> near_sequence(const std::int32_t* sources, std::int64_t count, const Rank& rank) {
  std::vector<std::int64_t> sequence(static_cast<std::size_t>(count));
  std::iota(sequence.begin(), sequence.end(), std::int64_t{0});
  std::sort(sequence.begin(), sequence.end(), [&](std::int64_t a, std::int64_t b) {
    return std::pair(rank(sources[a]), a) < std::pair(rank(sources[b]), b);
  });
  return sequence;
}

// A search structure over one graph, with the interface that all kinds share.
template <class T>
class NearFinder {
 public:
  virtual ~NearFinder() = default;

  // Advances control by one per source. Rows are the same for any number of threads, any other sources, and
  // any kind, but which of equally short paths the vertex in `hops` begins depends on the kind. Throws
  // std::invalid_argument for sources out of range.
  virtual NearPairs<T> find(const NearRequest<T>& request, int threads, Control& control) const = 0;
  virtual std::int64_t n() const noexcept = 0;
  virtual int costs() const noexcept = 0;  // other costs of the arcs
};

}  // namespace apsp::searches
