#include "searches/near_rows.hpp"

#include <algorithm>
#include <exception>
#include <iterator>
#include <numeric>

#include "runtime/dtypes.hpp"
#include "runtime/large_pages.hpp"
#include "runtime/team.hpp"

namespace apsp::searches {
namespace {

constexpr int kSparePieces = 2;  // per thread

struct TooManyPairs : std::exception {};

// Moves the pieces to their places, and keeps their memory or frees it.
template <class T>
void join_pieces(std::vector<NearPiece<T>>& pieces, int costs, Team& team, NearPieces<T>& spare,
                 Control& control, NearPairs<T>& found) {
  const auto spread = [&](const double* sums, std::int64_t pairs, std::int64_t to) {
    for (std::int64_t i = 0; i < pairs; ++i)
      for (int k = 0; k < costs; ++k) found.sums[k * found.size() + to + i] = sums[i * costs + k];
  };
  team.parallel_for(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t number, int) {
    control.check();
    auto piece = std::move(pieces[static_cast<std::size_t>(number)]);
    std::int64_t at = 0;
    for (const std::int64_t i : piece.numbers) {
      const std::int64_t to = found.starts[i], size = found.starts[i + 1] - to;
      std::copy_n(piece.targets.get() + at, size, found.targets.get() + to);
      std::copy_n(piece.distances.get() + at, size, found.distances.get() + to);
      if (found.hops) std::copy_n(piece.hops.get() + at, size, found.hops.get() + to);
      if (found.sums) spread(piece.sums.get() + at * costs, size, to);
      at += size;
    }
    spare.give(std::move(piece), static_cast<std::size_t>(kSparePieces * team.size()));
  });
}

// The numbers of the sources, so that rank[source] does not fall.
std::vector<std::int64_t> sequence_of(const std::int32_t* sources, std::int64_t count,
                                      const std::int32_t* rank) {
  std::vector<std::pair<std::int32_t, std::int64_t>> ranked(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    ranked[static_cast<std::size_t>(i)] = {rank == nullptr ? sources[i] : rank[sources[i]], i};
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::int64_t> sequence;
  sequence.reserve(ranked.size());
  for (const auto& [_, number] : ranked) sequence.push_back(number);
  return sequence;
}

}  // namespace

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

template <class T>
void NearStock<T>::add(std::int64_t number, const std::vector<NearPair<T>>& row, const double* sums) {
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

template <class T>
typename NearStock<T>::Room NearStock<T>::room_for(std::int64_t number, std::int64_t size) {
  counts_[number] = size;
  if (size == 0) return {};
  if (total_.fetch_add(size, std::memory_order_relaxed) + size > request_.most) throw TooManyPairs();
  if (pieces_.empty() || pieces_.back().capacity - pieces_.back().size < size) begin_piece(size);
  NearPiece<T>& piece = pieces_.back();
  piece.numbers.push_back(number);
  const std::int64_t at = piece.size;
  piece.size += size;
  return {piece.targets.get() + at, piece.distances.get() + at,
          request_.hops ? piece.hops.get() + at : nullptr,
          costs_ > 0 ? piece.sums.get() + at * costs_ : nullptr};
}

template <class T>
void NearStock<T>::begin_piece(std::int64_t size) {
  if (size <= NearPieces<T>::kPairs && costs_ == 0)
    if (auto piece = spare_.take(request_.hops)) {
      pieces_.push_back(std::move(*piece));
      return;
    }
  const std::int64_t before = pieces_.empty() ? kLeast / 2 : pieces_.back().capacity;
  NearPiece<T> piece;
  piece.capacity = std::max(size, std::min(2 * before, NearPieces<T>::kPairs));
  piece.targets = on_large_pages<std::int32_t>(piece.capacity);
  piece.distances = on_large_pages<T>(piece.capacity);
  if (request_.hops) piece.hops = on_large_pages<std::int32_t>(piece.capacity);
  if (costs_ > 0) piece.sums = on_large_pages<double>(piece.capacity * costs_);
  pieces_.push_back(std::move(piece));
}

template <class T>
NearPairs<T> collect_near(const NearRequest<T>& request, int costs, const std::int32_t* rank,
                          std::int64_t height, int threads, NearPieces<T>& spare, Control& control,
                          FunctionRef<std::unique_ptr<NearWorker<T>>()> make) {
  struct Member {
    std::unique_ptr<NearWorker<T>> worker;
    NearStock<T> stock;
  };
  NearPairs<T> found;
  found.starts.assign(static_cast<std::size_t>(request.count) + 1, 0);
  std::atomic<std::int64_t> total{0};
  const std::vector<std::int64_t> sequence = sequence_of(request.sources, request.count, rank);
  Team team(threads);
  std::vector<std::unique_ptr<Member>> members(static_cast<std::size_t>(team.size()));
  try {
    team.parallel_for((request.count + height - 1) / height, [&](std::int64_t task, int number) {
      control.check();
      auto& member = members[static_cast<std::size_t>(number)];
      if (!member)
        member.reset(new Member{make(), NearStock<T>(request, costs, found.starts.data() + 1, total, spare)});
      const std::int64_t first = task * height;
      member->worker->search(member->stock, sequence.data() + first, std::min(height, request.count - first),
                             control);
    });
  } catch (const TooManyPairs&) {
    found.complete = false;
    std::fill(found.starts.begin(), found.starts.end(), std::int64_t{0});
    return found;
  }
  std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
  std::vector<NearPiece<T>> pieces;
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
  join_pieces<T>(pieces, costs, team, spare, control, found);
  return found;
}

#define APSP_INSTANTIATE(T)                                                                                 \
  template void put_in_order<T>(std::vector<NearPair<T>>&, std::int64_t, bool);                             \
  template class NearStock<T>;                                                                              \
  template NearPairs<T> collect_near<T>(const NearRequest<T>&, int, const std::int32_t*, std::int64_t, int, \
                                        NearPieces<T>&, Control&,                                           \
                                        FunctionRef<std::unique_ptr<NearWorker<T>>()>);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
