#include "searches/levels.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

#include "runtime/prefetch.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kGather = 4;  // arcs that are followed in the time that gathers at one vertex
constexpr int kBlock = 4;            // arcs that are looked at together, although the last ones may be others
constexpr std::int64_t kAhead = 8;   // vertices, whose arcs are fetched in advance
constexpr std::int64_t kBetweenChecks = 1 << 14;

constexpr std::int32_t kNone = semiring::kNoPath<std::int32_t>;

}  // namespace

// One thread's searches.
class KeptLevels::Levels {
 public:
  Levels(const graph::Csr& out, const graph::Csr& into)
      : out_(out), into_(into), active_(out.n + 1), found_(out.n + 1), open_(out.n), seen_(out.n) {}

  void run(std::int32_t source, std::int32_t* dist, const Control& control) {
    std::fill_n(dist, out_.n, kNone);
    std::fill(seen_.begin(), seen_.end(), std::uint8_t{0});
    dist[source] = 0;
    seen_[source] = 1;
    active_[0] = source;
    open_count_ = -1;
    std::int64_t count = 1, arcs = degree(source), left = out_.n - 1;
    for (std::int32_t level = 1; count > 0; ++level) {
      control.check();
      const bool gathering = arcs > kGather * left;
      arcs = 0;
      count = gathering ? gather(dist, level, arcs, control) : follow(dist, level, count, arcs, control);
      left -= count;
    }
  }

 private:
  std::int64_t degree(std::int32_t v) const noexcept { return out_.indptr[v + 1] - out_.indptr[v]; }

  // Without branches on what was found, and with few on the number of arcs: those would be mispredicted
  // often. A byte per vertex tells what was found, since these bytes fit into a smaller cache than distances.
  std::int64_t follow(std::int32_t* dist, std::int32_t level, std::int64_t count, std::int64_t& arcs,
                      const Control& control) {
    std::int64_t found = 0;
    std::int32_t* next = found_.data();
    std::uint8_t* seen = seen_.data();
    const auto look = [&](std::int64_t a, unsigned is_arc) {
      const std::int32_t v = out_.indices[a];
      const unsigned before = seen[v];
      next[found] = v;
      found += static_cast<std::int64_t>(is_arc & ~before);
      seen[v] = static_cast<std::uint8_t>(before | is_arc);
    };
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kBetweenChecks == kBetweenChecks - 1) control.check();
      if (i + kAhead < count) prefetch(out_.indices + out_.indptr[active_[i + kAhead]]);
      std::int64_t a = out_.indptr[active_[i]];
      const std::int64_t end = out_.indptr[active_[i] + 1];
      for (; a < end && a + kBlock <= out_.m; a += kBlock)
        for (int k = 0; k < kBlock; ++k) look(a + k, a + k < end);
      for (; a < end; ++a) look(a, 1);
    }
    for (std::int64_t i = 0; i < found; ++i) {
      dist[next[i]] = level;
      arcs += degree(next[i]);
    }
    active_.swap(found_);
    return found;
  }

  std::int64_t gather(std::int32_t* dist, std::int32_t level, std::int64_t& arcs, const Control& control) {
    if (open_count_ < 0) list_open(dist);
    std::int64_t found = 0, still = 0;
    for (std::int64_t i = 0; i < open_count_; ++i) {
      if (i % kBetweenChecks == 0) control.check();
      const std::int32_t v = open_[i];
      if (dist[v] != kNone) continue;
      open_[still++] = v;
      for (std::int64_t a = into_.indptr[v]; a < into_.indptr[v + 1]; ++a) {
        if (dist[into_.indices[a]] != level - 1) continue;
        found_[found++] = v;
        arcs += degree(v);
        dist[v] = level;
        seen_[v] = 1;
        --still;
        break;
      }
    }
    open_count_ = still;
    active_.swap(found_);
    return found;
  }

  // The vertices that arcs lead to and no level has: few remain, so that each gather looks at fewer.
  void list_open(const std::int32_t* dist) {
    open_count_ = 0;
    for (std::int32_t v = 0; v < out_.n; ++v) {
      open_[open_count_] = v;
      open_count_ += (dist[v] == kNone) & (into_.indptr[v] < into_.indptr[v + 1]);
    }
  }

  const graph::Csr& out_;
  const graph::Csr& into_;
  std::vector<std::int32_t> active_, found_, open_;
  std::vector<std::uint8_t> seen_;  // 0 or 1
  std::int64_t open_count_ = -1;
};

namespace {

// One thread's words of sources. A level is followed, or gathered at the vertices that some source has not
// reached, until all of these have.
class WordLevels {
 public:
  WordLevels(const graph::Csr& out, const graph::Csr& into)
      : out_(out),
        into_(into),
        marks_(out.n),
        front_(out.n, 0),
        active_(out.n + 1),
        found_(out.n + 1),
        open_(out.n) {}

  void run(const std::int32_t* sources, int count, std::int32_t* distances, const Control& control) {
    const std::uint64_t all = ~std::uint64_t{0} >> (kWord - count);
    std::fill(marks_.begin(), marks_.end(), Marks{0, 0});
    std::fill_n(distances, count, 0);
    std::iota(open_.begin(), open_.end(), 0);
    open_count_ = out_.n;
    found_count_ = 0;
    for (int lane = 0; lane < count; ++lane) reach(sources[lane], std::uint64_t{1} << lane);
    for (std::int32_t level = 1;; ++level) {
      control.check();
      const std::int64_t arcs = settle();
      if (active_count_ == 0) break;
      const std::uint64_t lanes = open_arcs(all) < arcs ? gather(all, control) : follow(control);
      for (int lane = 0; lane < count; ++lane)
        if ((lanes >> lane & 1) != 0) distances[lane] = level;
    }
  }

 private:
  static constexpr int kWord = KeptLevels::kAtOnce;

  struct Marks {
    std::uint64_t seen, next;
  };

  std::uint64_t follow(const Control& control) {
    std::uint64_t lanes = 0;
    for (std::int64_t i = 0; i < active_count_; ++i) {
      if (i % kBetweenChecks == kBetweenChecks - 1) control.check();
      const std::int32_t u = active_[i];
      for (std::int64_t a = out_.indptr[u]; a < out_.indptr[u + 1]; ++a)
        lanes |= reach(out_.indices[a], front_[u]);
    }
    return lanes;
  }

  std::uint64_t gather(std::uint64_t all, const Control& control) {
    std::uint64_t lanes = 0;
    for (std::int64_t i = 0; i < open_count_; ++i) {
      if (i % kBetweenChecks == kBetweenChecks - 1) control.check();
      const std::int32_t v = open_[i];
      const std::uint64_t missing = all & ~marks_[v].seen;
      std::uint64_t here = 0;
      for (std::int64_t a = into_.indptr[v]; a < into_.indptr[v + 1] && (missing & ~here) != 0; ++a)
        here |= front_[into_.indices[a]];
      lanes |= reach(v, here & missing);
    }
    return lanes;
  }

  // Without branches on what was found. Returns the lanes that had not reached the vertex.
  std::uint64_t reach(std::int32_t v, std::uint64_t lanes) {
    Marks& at = marks_[v];
    const std::uint64_t fresh = lanes & ~at.seen;
    found_[found_count_] = v;
    found_count_ += (at.next == 0) & (fresh != 0);
    at.next |= fresh;
    return fresh;
  }

  // What was found is the level to follow. Returns the number of its arcs.
  std::int64_t settle() {
    for (std::int64_t i = 0; i < active_count_; ++i) front_[active_[i]] = 0;
    active_.swap(found_);
    active_count_ = found_count_;
    found_count_ = 0;
    std::int64_t arcs = 0;
    for (std::int64_t i = 0; i < active_count_; ++i) {
      const std::int32_t v = active_[i];
      Marks& at = marks_[v];
      front_[v] = at.next;
      at.seen |= at.next;
      at.next = 0;
      arcs += out_.indptr[v + 1] - out_.indptr[v];
    }
    return arcs;
  }

  // Forgets the vertices that all sources have reached. Returns the number of arcs into the others.
  std::int64_t open_arcs(std::uint64_t all) {
    std::int64_t still = 0, arcs = 0;
    for (std::int64_t i = 0; i < open_count_; ++i) {
      const std::int32_t v = open_[i];
      const bool is_open = (all & ~marks_[v].seen) != 0;
      open_[still] = v;
      still += is_open;
      arcs += is_open ? into_.indptr[v + 1] - into_.indptr[v] : 0;
    }
    open_count_ = still;
    return arcs;
  }

  const graph::Csr& out_;
  const graph::Csr& into_;
  std::vector<Marks> marks_;
  std::vector<std::uint64_t> front_;
  std::vector<std::int32_t> active_, found_, open_;
  std::int64_t active_count_ = 0, found_count_ = 0, open_count_ = 0;
};

}  // namespace

KeptLevels::KeptLevels(const graph::Csr& out, const graph::Csr& into) : out_(out), into_(into) {
  graph::check_csr(out);
  if (into.indices != out.indices) graph::check_csr(into);
}

KeptLevels::~KeptLevels() = default;

std::unique_ptr<KeptLevels::Levels> KeptLevels::take() const {
  const std::lock_guard lock(mutex_);
  if (spare_.empty()) return nullptr;
  std::unique_ptr<Levels> search = std::move(spare_.back());
  spare_.pop_back();
  return search;
}

void KeptLevels::give_back(std::unique_ptr<Levels> search) const {
  const std::lock_guard lock(mutex_);
  spare_.push_back(std::move(search));
}

void KeptLevels::rows(const rows::RowRequest<std::int32_t>& request, int threads, Control& control) const {
  rows::check_request(request, out_.n);
  Team team(static_cast<int>(std::clamp<std::int64_t>(request.count, 1, threads)));
  std::vector<std::unique_ptr<Levels>> searches(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    if (!searches[member]) searches[member] = take();
    if (!searches[member]) searches[member] = std::make_unique<Levels>(out_, into_);
    searches[member]->run(request.sources[row], request.dist + row * request.dist_stride, control);
    control.advance(1);
  });
  for (std::unique_ptr<Levels>& search : searches)
    if (search) give_back(std::move(search));
}

void KeptLevels::farthest(const std::int32_t* sources, std::int64_t count, std::int32_t* distances,
                          int threads, Control& control) const {
  graph::check_vertices(sources, count, out_.n, "sources");
  const std::int64_t words = (count + kAtOnce - 1) / kAtOnce;
  Team team(static_cast<int>(std::clamp<std::int64_t>(words, 1, threads)));
  std::vector<std::unique_ptr<WordLevels>> searches(team.size());
  team.parallel_for(words, [&](std::int64_t word, int member) {
    if (!searches[member]) searches[member] = std::make_unique<WordLevels>(out_, into_);
    const auto size = static_cast<int>(std::min<std::int64_t>(kAtOnce, count - word * kAtOnce));
    searches[member]->run(sources + word * kAtOnce, size, distances + word * kAtOnce, control);
    control.advance(size);
  });
}

}  // namespace apsp::searches
