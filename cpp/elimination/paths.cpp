#include "elimination/paths.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "elimination/pairs.hpp"
#include "elimination/route.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kTask = 256;  // pairs: some milliseconds

// The vertices after the first one.
class Unfolding {
 public:
  explicit Unfolding(const Step* steps) : steps_(steps) {}

  std::int32_t* write(std::int32_t entry, std::int32_t* to) {
    if (entry < 0) {
      *to = -1 - entry;
      return to + 1;
    }
    for (;;) {
      const Step step = steps_[entry];
      if (step.first >= 0) {
        later_.push_back(step.second);
        entry = step.first;
        continue;
      }
      *to++ = step.second;
      if (later_.empty()) return to;
      entry = later_.back();
      later_.pop_back();
    }
  }

 private:
  const Step* steps_;
  std::vector<std::int32_t> later_;
};

// Cuts out what lies between two visits of a vertex.
class Straightening {
 public:
  explicit Straightening(std::int64_t n) : seen_(static_cast<std::size_t>(n), -1) {}

  std::int64_t straighten(std::int32_t* vertices, std::int64_t count) {
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int32_t v = vertices[i];
      if (seen_[v] >= 0) {
        while (kept > seen_[v] + 1) seen_[vertices[--kept]] = -1;
      } else {
        seen_[v] = kept;
        vertices[kept++] = v;
      }
    }
    for (std::int64_t i = 0; i < kept; ++i) seen_[vertices[i]] = -1;
    return kept;
  }

 private:
  std::vector<std::int64_t> seen_;  // (n) the position of each vertex in the path, or -1
};

// The vertices of all entries that routes have in common: many routes share few entries.
class Shared {
 public:
  // total: the vertices of all routes. Empty if it would not pay.
  Shared(const RoutesView& routes, const Step* steps, const std::int32_t* arcs, std::int64_t entries,
         std::int64_t total, Team& team, Control& control) {
    constexpr std::uint32_t kUnused = 0, kUsed = 1;
    const std::int64_t parts = routes.start[routes.count];
    if (parts < entries / 16) return;
    first_.assign(static_cast<std::size_t>(entries) + 1, kUnused);
    for (std::int64_t i = 0; i < parts; ++i)
      if (routes.entry[i] >= 0) first_[routes.entry[i]] = kUsed;
    control.check();
    std::int64_t size = 0;
    for (std::int64_t entry = 0; entry < entries; ++entry) size += first_[entry] == kUsed ? arcs[entry] : 0;
    if (size > total / 2 || size > std::numeric_limits<std::uint32_t>::max()) {
      first_ = {};
      return;
    }
    vertices_.resize(static_cast<std::size_t>(size));
    std::uint32_t next = 0;
    for (std::int64_t entry = 0; entry < entries; ++entry) {
      const bool used = first_[entry] == kUsed;
      first_[entry] = next;
      if (used) next += static_cast<std::uint32_t>(arcs[entry]);
    }
    first_[entries] = next;
    constexpr std::int64_t kAtOnce = 16384;
    team.parallel_for((entries + kAtOnce - 1) / kAtOnce, [&](std::int64_t task, int) {
      control.check();
      Unfolding unfolding(steps);
      for (std::int64_t e = task * kAtOnce; e < std::min(entries, (task + 1) * kAtOnce); ++e)
        if (first_[e + 1] > first_[e])
          unfolding.write(static_cast<std::int32_t>(e), vertices_.data() + first_[e]);
    });
  }

  bool has() const { return !first_.empty(); }
  const std::int32_t* of(std::int32_t entry) const { return vertices_.data() + first_[entry]; }

 private:
  std::vector<std::uint32_t> first_;  // (entries + 1)
  std::vector<std::int32_t> vertices_;
};

}  // namespace

template <class T>
Routes find_routes(const Factored<T>& factored, const std::int32_t* arcs, const Vertex* sources,
                   const Vertex* targets, std::int64_t count, T* dist, Team& team, Control& control) {
  const std::vector<Vertex> place = places_of(factored.tree), node = nodes_of(factored.tree);
  const std::vector<std::int64_t> order = by_source(place, sources, count);
  std::vector<std::unique_ptr<RouteSearch<T>>> searches(static_cast<std::size_t>(team.size()));
  const bool mirrored = is_worth(count, factored.tree) && is_mirrored(factored.tree, factored.values);
  for (auto& search : searches) search = std::make_unique<RouteSearch<T>>(factored, place, node, mirrored);
  const std::int64_t tasks = (count + kTask - 1) / kTask;
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(tasks));
  Routes routes;
  routes.start.assign(static_cast<std::size_t>(count) + 1, 0);
  routes.length.assign(static_cast<std::size_t>(count), 0);
  const auto begin_of = [](std::int64_t task) { return task * kTask; };
  team.parallel_for(tasks, [&](std::int64_t task, int member) {
    RouteSearch<T>& search = *searches[static_cast<std::size_t>(member)];
    std::vector<std::int32_t>& entries = found[static_cast<std::size_t>(task)];
    const std::int64_t last = std::min(count, begin_of(task + 1));
    Vertex climbed = -1;
    for (std::int64_t i = begin_of(task); i < last; ++i) {
      if (i % 16 == 0) control.check();
      const std::int64_t pair = order[i];
      const Vertex source = sources[pair], target = targets[pair];
      if (source == target) {
        dist[pair] = T{0};
        routes.length[pair] = 1;
        continue;
      }
      if (source != climbed) search.from(climbed = source);
      dist[pair] = search.to(target);
      if (dist[pair] == semiring::kNoPath<T>) continue;
      const std::size_t before = entries.size();
      std::int64_t length = 1;
      bool known = true;
      search.route(
          source,
          [&](Vertex head) {
            entries.push_back(-1 - head);
            ++length;
          },
          [&](std::int64_t entry) {
            entries.push_back(static_cast<std::int32_t>(entry));
            length += arcs[entry];
            known &= arcs[entry] > 0;
          });
      if (!known) entries.resize(before);
      routes.length[pair] = known ? length : -1;
      routes.start[pair + 1] = static_cast<std::int64_t>(entries.size() - before);
    }
    control.advance(last - begin_of(task));
  });
  for (std::int64_t i = 0; i < count; ++i) routes.start[i + 1] += routes.start[i];
  routes.entry.resize(static_cast<std::size_t>(routes.start[count]));
  team.parallel_for(tasks, [&](std::int64_t task, int) {
    const std::int32_t* from = found[static_cast<std::size_t>(task)].data();
    for (std::int64_t i = begin_of(task); i < std::min(count, begin_of(task + 1)); ++i) {
      const std::int64_t pair = order[i], size = routes.start[pair + 1] - routes.start[pair];
      std::copy_n(from, size, routes.entry.data() + routes.start[pair]);
      from += size;
    }
    found[static_cast<std::size_t>(task)] = {};
  });
  return routes;
}

void unfold(const RoutesView& routes, const Step* steps, const std::int32_t* arcs, std::int64_t entries,
            const Vertex* sources, std::int64_t n, bool loops, const std::int64_t* offsets,
            std::int32_t* vertices, Team& team, Control& control) {
  const std::int64_t count = routes.count;
  const Shared shared(routes, steps, arcs, entries, offsets[count], team, control);
  std::vector<std::unique_ptr<Straightening>> straightening(static_cast<std::size_t>(team.size()));
  team.parallel_for((count + kTask - 1) / kTask, [&](std::int64_t task, int member) {
    Unfolding unfolding(steps);
    auto& cut = straightening[static_cast<std::size_t>(member)];
    if (loops && !cut) cut = std::make_unique<Straightening>(n);
    const std::int64_t last = std::min(count, (task + 1) * kTask);
    for (std::int64_t pair = task * kTask; pair < last; ++pair) {
      if (pair % 16 == 0) control.check();
      if (routes.length[pair] <= 0) continue;
      std::int32_t* to = vertices + offsets[pair];
      *to++ = sources[pair];
      for (std::int64_t i = routes.start[pair]; i < routes.start[pair + 1]; ++i) {
        const std::int32_t entry = routes.entry[i];
        to = shared.has() && entry >= 0 ? std::copy_n(shared.of(entry), arcs[entry], to)
                                        : unfolding.write(entry, to);
      }
      if (loops) routes.length[pair] = cut->straighten(vertices + offsets[pair], routes.length[pair]);
    }
    control.advance(last - task * kTask);
  });
}

#define APSP_INSTANTIATE(T)                                                                          \
  template Routes find_routes(const Factored<T>&, const std::int32_t*, const Vertex*, const Vertex*, \
                              std::int64_t, T*, Team&, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
