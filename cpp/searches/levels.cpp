#include "searches/levels.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kFollow = 24;  // follow again if fewer than n / kFollow vertices are in the frontier
constexpr std::int64_t kBetweenChecks = 1 << 14;

constexpr std::int32_t kNone = semiring::kNoPath<std::int32_t>;

// One thread's searches.
class Levels {
 public:
  Levels(const graph::Csr& out, const graph::Csr& into)
      : out_(out), into_(into), active_(out.n + 1), found_(out.n + 1) {}

  void run(std::int32_t source, std::int32_t* dist, const Control& control) {
    std::fill_n(dist, out_.n, kNone);
    dist[source] = 0;
    active_[0] = source;
    std::int64_t count = 1, arcs = degree(source), left = out_.m - arcs;
    bool gathering = false;
    for (std::int32_t level = 1; count > 0; ++level) {
      control.check();
      // Gather if the frontier has as many arcs as are left.
      gathering = gathering ? count * kFollow >= out_.n : arcs >= left && count * kFollow >= out_.n / 64;
      arcs = 0;
      count = gathering ? gather(dist, level, arcs, control) : follow(dist, level, count, arcs, control);
      left -= arcs;
    }
  }

 private:
  std::int64_t degree(std::int32_t v) const noexcept { return out_.indptr[v + 1] - out_.indptr[v]; }

  // Without branches on what was found: those would be mispredicted often.
  std::int64_t follow(std::int32_t* dist, std::int32_t level, std::int64_t count, std::int64_t& arcs,
                      const Control& control) {
    std::int64_t found = 0;
    std::int32_t* next = found_.data();
    for (std::int64_t i = 0; i < count; ++i) {
      if (i % kBetweenChecks == kBetweenChecks - 1) control.check();
      const std::int32_t u = active_[i];
      for (std::int64_t a = out_.indptr[u]; a < out_.indptr[u + 1]; ++a) {
        const std::int32_t v = out_.indices[a], before = dist[v];
        const bool is_new = before == kNone;
        next[found] = v;
        found += is_new;
        dist[v] = is_new ? level : before;
      }
    }
    for (std::int64_t i = 0; i < found; ++i) arcs += degree(next[i]);
    active_.swap(found_);
    return found;
  }

  std::int64_t gather(std::int32_t* dist, std::int32_t level, std::int64_t& arcs, const Control& control) {
    std::int64_t found = 0;
    for (std::int32_t v = 0; v < out_.n; ++v) {
      if (v % kBetweenChecks == 0) control.check();
      if (dist[v] != kNone) continue;
      for (std::int64_t a = into_.indptr[v]; a < into_.indptr[v + 1]; ++a) {
        if (dist[into_.indices[a]] != level - 1) continue;
        found_[found++] = v;
        arcs += degree(v);
        dist[v] = level;
        break;
      }
    }
    active_.swap(found_);
    return found;
  }

  const graph::Csr& out_;
  const graph::Csr& into_;
  std::vector<std::int32_t> active_, found_;
};

}  // namespace

void levels(const graph::Csr& out, const graph::Csr& into, const rows::RowRequest<std::int32_t>& request,
            int threads, Control& control) {
  graph::check_csr(out);
  if (into.indices != out.indices) graph::check_csr(into);
  rows::check_request(request, out.n);
  Team team(static_cast<int>(std::clamp<std::int64_t>(request.count, 1, threads)));
  std::vector<std::unique_ptr<Levels>> searches(team.size());
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    if (!searches[member]) searches[member] = std::make_unique<Levels>(out, into);
    searches[member]->run(request.sources[row], request.dist + row * request.dist_stride, control);
    control.advance(1);
  });
}

}  // namespace apsp::searches
