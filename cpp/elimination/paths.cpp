#include "elimination/paths.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "elimination/pairs.hpp"
#include "elimination/straightening.hpp"
#include "runtime/budget.hpp"
#include "runtime/dtypes.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kTask = 256;  // pairs: some milliseconds
constexpr std::int64_t kUnpackedTask = 16;

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

// The vertices of all entries that routes have in common: many routes share few entries.
class Shared {
 public:
  // total: the vertices of all routes. Empty if it would not pay.
  Shared(const RoutesView& routes, const Step* steps, const std::int32_t* arcs, std::int64_t entries,
         std::int64_t total, Team& team, Control& control) {
    constexpr std::uint32_t kUnused = 0, kUsed = 1;
    const std::int64_t parts = routes.start[routes.count];
    if (entries == 0 || parts < entries / 16) return;
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
PathSearch<T>::PathSearch(const Factored<T>& factored, const Places& places, const Children& children,
                          bool mirrored)
    : search_(factored, places.place, places.node, mirrored), unpacking_(factored, places.node, children) {}

template <class T>
T PathSearch<T>::find(Vertex source, Vertex target, const T* enough) {
  if (source != source_) search_.from(source_ = source);
  return search_.to(target, enough);
}

template <class T>
std::int64_t PathSearch<T>::route(const std::int32_t* arcs, std::vector<std::int32_t>& entries,
                                  const Control& control) {
  const std::size_t before = entries.size();
  std::int64_t length = 1;
  bool known = true;
  search_.route(
      source_,
      [&](Vertex head) {
        entries.push_back(-1 - head);
        ++length;
      },
      [&](const Hop& hop) {
        if (arcs != nullptr) {
          entries.push_back(static_cast<std::int32_t>(hop.entry));
          length += arcs[hop.entry];
          known = known && arcs[hop.entry] > 0;
        } else if (known) {
          const std::size_t first = entries.size();
          known = unpacking_.write(hop.from, hop.to, entries, control);
          length += static_cast<std::int64_t>(entries.size() - first);
        }
      });
  if (known) return length;
  entries.resize(before);
  return -1;
}

template <class T>
Routes find_routes(const Factored<T>& factored, const Places& places, const Children& children, bool mirrored,
                   const std::int32_t* arcs, const Vertex* sources, const Vertex* targets, std::int64_t count,
                   T* dist, bool has_dist, std::int64_t most, Team& team, Control& control) {
  const std::vector<std::int64_t> order = by_source(places.place, sources, count);
  std::vector<std::unique_ptr<PathSearch<T>>> searches(static_cast<std::size_t>(team.size()));
  for (auto& search : searches)
    search = std::make_unique<PathSearch<T>>(factored, places, children, mirrored);
  const std::int64_t at_once = arcs != nullptr ? kTask : kUnpackedTask;
  const std::int64_t tasks = (count + at_once - 1) / at_once;
  std::vector<std::vector<std::int32_t>> found(static_cast<std::size_t>(tasks));
  Routes routes;
  routes.start.assign(static_cast<std::size_t>(count) + 1, 0);
  routes.length.assign(static_cast<std::size_t>(count), 0);
  const auto begin_of = [&](std::int64_t task) { return task * at_once; };
  Budget budget(most);
  team.parallel_for(tasks, [&](std::int64_t task, int member) {
    PathSearch<T>& search = *searches[static_cast<std::size_t>(member)];
    std::vector<std::int32_t>& entries = found[static_cast<std::size_t>(task)];
    const std::int64_t last = std::min(count, begin_of(task + 1));
    for (std::int64_t i = begin_of(task); i < last; ++i) {
      if (i % 16 == 0) control.check();
      const std::int64_t pair = order[i];
      const Vertex source = sources[pair], target = targets[pair];
      if (source == target) {
        dist[pair] = T{0};
        routes.length[pair] = 1;
        continue;
      }
      const T length = search.find(source, target, has_dist ? &dist[pair] : nullptr);
      if (!has_dist) dist[pair] = length;
      if (length == semiring::kNoPath<T>) continue;
      const std::size_t before = entries.size();
      routes.length[pair] = search.route(arcs, entries, control);
      routes.start[pair + 1] = static_cast<std::int64_t>(entries.size() - before);
    }
    entries.shrink_to_fit();
    budget.take(2 * static_cast<std::int64_t>(entries.size() * sizeof(entries[0])));
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
            const Vertex* sources, bool loops, const std::int64_t* offsets, std::int32_t* vertices,
            Team& team, Control& control) {
  const std::int64_t count = routes.count;
  const Shared shared(routes, steps, arcs, entries, offsets[count], team, control);
  team.parallel_for((count + kTask - 1) / kTask, [&](std::int64_t task, int) {
    Unfolding unfolding(steps);
    Straightening cut;
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
      if (loops) routes.length[pair] = cut.straighten(vertices + offsets[pair], routes.length[pair]);
    }
    control.advance(last - task * kTask);
  });
}

#define APSP_INSTANTIATE(T)                                                                                  \
  template class PathSearch<T>;                                                                              \
  template Routes find_routes(const Factored<T>&, const Places&, const Children&, bool, const std::int32_t*, \
                              const Vertex*, const Vertex*, std::int64_t, T*, bool, std::int64_t, Team&,     \
                              Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
