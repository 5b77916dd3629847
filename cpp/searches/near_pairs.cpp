#include "searches/near_pairs.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "graph/nearness.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "searches/ball.hpp"
#include "searches/buckets.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kSourcesOfTask = 256;
constexpr std::int64_t kTasksPerThread = 16;
constexpr std::size_t kPairsOfPiece = std::size_t{1} << 16;

struct TooMany : std::exception {};

template <class T>
struct Pair {
  T distance;
  std::int32_t target;
  std::int32_t hop;
};

// The rows of some sources, one after the other.
template <class T>
struct Piece {
  std::int64_t first, last;  // in the sequence of the sources
  Buffer<std::int32_t> targets;
  Buffer<T> distances;
  Buffer<std::int32_t> hops;
  Buffer<double> sums;  // the costs of a pair, then those of the next one
};

template <class T, class Queue, bool kHops>
class Finder {
 public:
  Finder(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs, const NearRequest<T>& request)
      : arcs_(arcs), costs_(costs), request_(request), sequence_(static_cast<std::size_t>(request.count)) {
    // Searches from neighbours one after another find their arcs and labels in the cache.
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return std::pair(arcs.inner(request.sources[a]), a) < std::pair(arcs.inner(request.sources[b]), b);
    });
    if (request.is_target == nullptr) return;
    is_target_.resize(static_cast<std::size_t>(arcs.n()));
    for (std::int32_t v = 0; v < arcs.n(); ++v) is_target_[v] = request.is_target[arcs.original(v)];
  }

  NearPairs<T> run(int threads, Control& control) {
    NearPairs<T> found;
    found.starts.assign(static_cast<std::size_t>(request_.count) + 1, 0);
    Team team(threads);
    std::vector<std::unique_ptr<Member>> members(static_cast<std::size_t>(team.size()));
    const std::int64_t share = request_.count / (kTasksPerThread * team.size());
    const std::int64_t height = std::clamp<std::int64_t>(share, 1, kSourcesOfTask);
    try {
      team.parallel_for((request_.count + height - 1) / height, [&](std::int64_t task, int number) {
        auto& member = members[static_cast<std::size_t>(number)];
        if (!member) member = std::make_unique<Member>(arcs_, costs_, request_);
        const std::int64_t first = task * height;
        search(*member, first, std::min(first + height, request_.count), found.starts.data() + 1, control);
      });
    } catch (const TooMany&) {
      found.complete = false;
      std::fill(found.starts.begin(), found.starts.end(), std::int64_t{0});
      return found;
    }
    std::partial_sum(found.starts.begin(), found.starts.end(), found.starts.begin());
    join(members, team, found, control);
    return found;
  }

 private:
  using Ball = BallSearch<T, Queue, kHops>;

  struct Member {
    Member(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs, const NearRequest<T>& request)
        : ball(arcs, request.cutoff) {
      if (request.sums) along.emplace(arcs, costs);
    }
    Ball ball;
    std::optional<PathCosts<T>> along;
    std::vector<std::int32_t> reached;  // by the current source, if there are other costs
    std::vector<Pair<T>> row, rows;     // of the current source, and of those since the last piece
    std::vector<double> sums;           // of `rows`
    std::vector<Piece<T>> pieces;
  };

  void search(Member& member, std::int64_t first, std::int64_t last, std::int64_t* counts, Control& control) {
    std::int64_t begun = first;
    for (std::int64_t i = first; i < last; ++i) {
      control.check();
      search_row(member, request_.sources[sequence_[i]], control);
      counts[sequence_[i]] = static_cast<std::int64_t>(member.row.size());
      member.rows.insert(member.rows.end(), member.row.begin(), member.row.end());
      if (member.rows.size() >= kPairsOfPiece || i + 1 == last) {
        cut(member, begun, i + 1);
        begun = i + 1;
      }
      control.advance(1);
    }
  }

  void search_row(Member& member, std::int32_t given, Control& control) {
    const std::int32_t source = arcs_.inner(given);
    std::vector<Pair<T>>& row = member.row;
    row.clear();
    member.reached.clear();
    const auto k = static_cast<std::uint64_t>(request_.k);
    member.ball.run(source, control, [&](std::int32_t v, T length) {
      if (row.size() >= k && row[k - 1].distance < length) return false;
      if (member.along) member.reached.push_back(v);
      if ((is_target_.empty() || is_target_[v]) && (request_.own || v != source))
        row.push_back({length, v, v});
      return true;
    });
    if (member.along)
      member.along->run(member.reached, [&](std::int32_t v) { return member.ball.length(v); }, control);
    for (Pair<T>& pair : row) {
      if constexpr (kHops) {
        const std::int32_t hop = member.along ? member.along->hop(pair.target) : member.ball.hop(pair.target);
        pair.hop = pair.target == source ? -1 : arcs_.original(hop);
      }
      pair.target = arcs_.original(pair.target);
    }
    order(row, k);
    if (!member.along) return;
    for (const Pair<T>& pair : row) {
      const double* const sums = member.along->sums(arcs_.inner(pair.target));
      member.sums.insert(member.sums.end(), sums, sums + costs_.size());
    }
  }

  // The pairs come in the order of the distances, but equal ones in any order.
  void order(std::vector<Pair<T>>& row, std::uint64_t k) const {
    const auto before = [](const Pair<T>& a, const Pair<T>& b) { return a.target < b.target; };
    if (!request_.by_target || row.size() > k) {
      for (auto first = row.begin(); first != row.end();) {
        auto last = first + 1;
        while (last != row.end() && last->distance == first->distance) ++last;
        if (last - first > 1) std::sort(first, last, before);
        first = last;
      }
      if (row.size() > k) row.resize(k);
    }
    if (request_.by_target) std::sort(row.begin(), row.end(), before);
  }

  // Moves the rows of the member to a piece of their size.
  void cut(Member& member, std::int64_t first, std::int64_t last) {
    const auto size = static_cast<std::int64_t>(member.rows.size());
    if (size == 0) return;
    if (total_.fetch_add(size, std::memory_order_relaxed) + size > request_.most) throw TooMany();
    Piece<T> piece{first, last, buffer<std::int32_t>(size), buffer<T>(size), {}, {}};
    if constexpr (kHops) piece.hops = buffer<std::int32_t>(size);
    if (member.along) {
      piece.sums = buffer<double>(size * costs_.size());
      std::copy(member.sums.begin(), member.sums.end(), piece.sums.get());
      member.sums.clear();
    }
    for (std::int64_t i = 0; i < size; ++i) {
      piece.targets[i] = member.rows[i].target;
      piece.distances[i] = member.rows[i].distance;
      if constexpr (kHops) piece.hops[i] = member.rows[i].hop;
    }
    member.pieces.push_back(std::move(piece));
    if (member.rows.capacity() > 8 * kPairsOfPiece) std::vector<Pair<T>>().swap(member.rows);
    member.rows.clear();
  }

  // Copies the pieces to their places, and frees each of them.
  void join(std::vector<std::unique_ptr<Member>>& members, Team& team, NearPairs<T>& found,
            Control& control) const {
    std::vector<Piece<T>> pieces;
    for (auto& member : members) {
      if (!member) continue;
      std::move(member->pieces.begin(), member->pieces.end(), std::back_inserter(pieces));
      member.reset();
    }
    found.targets = buffer<std::int32_t>(found.size());
    found.distances = buffer<T>(found.size());
    if constexpr (kHops) found.hops = buffer<std::int32_t>(found.size());
    if (request_.sums) found.sums = buffer<double>(found.size() * costs_.size());
    team.parallel_for(static_cast<std::int64_t>(pieces.size()), [&](std::int64_t number, int) {
      control.check();
      const Piece<T> piece = std::move(pieces[number]);
      std::int64_t at = 0;
      for (std::int64_t i = piece.first; i < piece.last; ++i) {
        const std::int64_t to = found.starts[sequence_[i]], size = found.starts[sequence_[i] + 1] - to;
        std::copy_n(piece.targets.get() + at, size, found.targets.get() + to);
        std::copy_n(piece.distances.get() + at, size, found.distances.get() + to);
        if constexpr (kHops) std::copy_n(piece.hops.get() + at, size, found.hops.get() + to);
        if (request_.sums)
          spread(piece.sums.get() + at * costs_.size(), size, found.sums.get() + to, found.size());
        at += size;
      }
    });
  }

  // Moves the costs of some pairs to a column per cost, each of so many entries.
  void spread(const double* sums, std::int64_t pairs, double* to, std::int64_t height) const {
    for (std::int64_t i = 0; i < pairs; ++i)
      for (int k = 0; k < costs_.size(); ++k) to[k * height + i] = sums[i * costs_.size() + k];
  }

  const rows::Arcs<T>& arcs_;
  const ArcCosts<T>& costs_;
  const NearRequest<T>& request_;
  std::vector<std::int64_t> sequence_;  // of the sources
  std::vector<std::uint8_t> is_target_;
  std::atomic<std::int64_t> total_{0};
};

std::vector<std::int32_t> order_of(const graph::Csr& graph, bool many) {
  graph::check_csr(graph);
  return many ? graph::nearness_order(graph) : std::vector<std::int32_t>();
}

template <class T>
rows::Arcs<T> arcs_of(const graph::Csr& graph, const T* weights, bool many) {
  const std::vector<std::int32_t> order = order_of(graph, many);
  return rows::Arcs<T>(graph, weights, order.empty() ? nullptr : order.data());
}

template <class T, class Queue>
NearPairs<T> found_by(const rows::Arcs<T>& arcs, const ArcCosts<T>& costs, const NearRequest<T>& request,
                      int threads, Control& control) {
  if (request.hops) return Finder<T, Queue, true>(arcs, costs, request).run(threads, control);
  return Finder<T, Queue, false>(arcs, costs, request).run(threads, control);
}

}  // namespace

template <class T>
NearSearches<T>::NearSearches(const graph::Csr& graph, const T* weights, bool many, const double* costs,
                              int size)
    : arcs_(arcs_of(graph, weights, many)) {
  if (size > 0) costs_ = ArcCosts<T>(graph, weights, arcs_, costs, size);
}

template <class T>
NearPairs<T> NearSearches<T>::find(const NearRequest<T>& request, int threads, Control& control) const {
  graph::check_vertices(request.sources, request.count, arcs_.n(), "sources");
  if (request.k < 1 || !(request.cutoff >= T{0}))
    throw std::invalid_argument("k must be at least 1, and the cutoff at least 0");
  if (request.sums && costs_.size() == 0) throw std::invalid_argument("there are no other costs");
  if (unit_buckets(std::min(arcs_.largest_weight(), request.cutoff)))
    return found_by<T, BucketQueue<T, true>>(arcs_, costs_, request, threads, control);
  return found_by<T, BucketQueue<T, false>>(arcs_, costs_, request, threads, control);
}

#define APSP_INSTANTIATE(T) template class NearSearches<T>;
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
