// The vertices within a bound of every source, as rows of different lengths: the request, the result, and how
// the rows that threads find in any order are put together.
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "graph/csr.hpp"
#include "runtime/buffer.hpp"
#include "runtime/control.hpp"
#include "runtime/function_ref.hpp"
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
void put_in_order(std::vector<NearPair<T>>& row, std::int64_t k, bool by_target);

// Several rows, one after the other in memory of their own.
template <class T>
struct NearPiece {
  std::int64_t capacity = 0, size = 0;  // pairs
  std::vector<std::int64_t> numbers;    // of the sources
  Buffer<std::int32_t> targets;
  Buffer<T> distances;
  Buffer<std::int32_t> hops;
  Buffer<double> sums;  // the costs of a pair, then those of the next one
};

// Large pieces whose rows have been moved, for the next call: the system would clear new pages first, which
// takes longer than to write pairs. Any number of threads may take and give.
template <class T>
class NearPieces {
 public:
  static constexpr std::int64_t kPairs = 1 << 21;  // of each

  // One with memory for hops, if requested; nullopt if there is none.
  std::optional<NearPiece<T>> take(bool hops) {
    const std::lock_guard lock(taking_);
    if (pieces_.empty() || (hops && !pieces_.back().hops)) return std::nullopt;
    NearPiece<T> piece = std::move(pieces_.back());
    pieces_.pop_back();
    return piece;
  }

  // Keeps a piece, or frees it if there are `most` of them, or it is another than most calls need.
  void give(NearPiece<T> piece, std::size_t most) {
    if (piece.capacity != kPairs || piece.sums) return;
    piece.size = 0, piece.numbers.clear();
    const std::lock_guard lock(taking_);
    if (pieces_.size() < most) pieces_.push_back(std::move(piece));
  }

 private:
  std::mutex taking_;
  std::vector<NearPiece<T>> pieces_;
};

// The rows that one thread has found.
template <class T>
class NearStock {
 public:
  // counts (request.count,): the pairs of each source.
  NearStock(const NearRequest<T>& request, int costs, std::int64_t* counts, std::atomic<std::int64_t>& total,
            NearPieces<T>& spare)
      : request_(request), costs_(request.sums ? costs : 0), counts_(counts), total_(total), spare_(spare) {}

  // The row of source number `number` of the request. sums: (pairs, costs), if requested. It ends the search
  // with an exception if there are too many pairs in all.
  void add(std::int64_t number, const std::vector<NearPair<T>>& row, const double* sums);

  // Where the row of source number `number` is to be written. It ends the search like `add`.
  struct Room {
    std::int32_t* targets;
    T* distances;
    std::int32_t* hops;  // null if not requested
    double* sums;        // (size, costs), null if not requested
  };
  Room room_for(std::int64_t number, std::int64_t size);

  std::vector<NearPiece<T>> take() { return std::move(pieces_); }

 private:
  static constexpr std::int64_t kLeast = 1 << 10;  // pairs of a piece

  void begin_piece(std::int64_t size);

  const NearRequest<T>& request_;
  int costs_;
  std::int64_t* counts_;
  std::atomic<std::int64_t>& total_;
  std::vector<NearPiece<T>> pieces_;
  NearPieces<T>& spare_;
};

// The searches of one thread.
template <class T>
class NearWorker {
 public:
  virtual ~NearWorker() = default;

  // Adds the rows of the sources with these numbers, and advances control by one per source.
  virtual void search(NearStock<T>& stock, const std::int64_t* numbers, std::int64_t count,
                      Control& control) = 0;
};

// Finds the rows of all sources in tasks of `height` of them, with a worker per thread. rank (n,): the tasks
// take the sources in this order, neighbours one after another; nullptr: that of their numbers.
template <class T>
NearPairs<T> collect_near(const NearRequest<T>& request, int costs, const std::int32_t* rank,
                          std::int64_t height, int threads, NearPieces<T>& spare, Control& control,
                          FunctionRef<std::unique_ptr<NearWorker<T>>()> make);

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

 protected:
  mutable NearPieces<T> spare_;
};

}  // namespace apsp::searches
