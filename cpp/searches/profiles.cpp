#include "searches/profiles.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "graph/reverse.hpp"
#include "runtime/team.hpp"
#include "searches/heap.hpp"

namespace apsp::searches {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-12;

// The arrival of those who depart at a time. A profile has some, with straight lines between them.
struct Point {
  double departure, arrival;
};

using Profile = std::vector<Point>;

double on_line(const Point& from, const Point& to, double departure) {
  return from.arrival +
         (to.arrival - from.arrival) * ((departure - from.departure) / (to.departure - from.departure));
}

// Bytes that all threads share. Throws std::bad_alloc where there are no more.
class Budget {
 public:
  explicit Budget(std::int64_t bytes) : left_(bytes) {}

  void take(std::int64_t points) {
    const auto bytes = points * static_cast<std::int64_t>(sizeof(Point));
    if (left_.fetch_sub(bytes, std::memory_order_relaxed) < bytes) throw std::bad_alloc();
  }
  void give_back(std::int64_t points) noexcept {
    left_.fetch_add(points * static_cast<std::int64_t>(sizeof(Point)), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> left_;
};

// The least and the greatest weight of each arc, and the reversed arcs with the least.
struct Extremes {
  std::vector<double> least, most;
  std::vector<std::int64_t> back_indptr;
  std::vector<std::int32_t> back_heads;
  std::vector<double> back_least;

  template <class Weight>
  Extremes(const graph::Csr& graph, const Timetable<Weight>& table, const Control& control)
      : least(static_cast<std::size_t>(graph.m)),
        most(least.size()),
        back_indptr(static_cast<std::size_t>(graph.n + 1)),
        back_heads(least.size()),
        back_least(least.size()) {
    for (std::int64_t a = 0; a < graph.m; ++a) {
      const Weight* const weights = table.weights + a * table.count;
      const auto [low, high] = std::minmax_element(weights, weights + table.count);
      least[a] = static_cast<double>(*low), most[a] = static_cast<double>(*high);
    }
    graph::reverse(graph, least.data(), back_indptr.data(), back_heads.data(), back_least.data(), control);
  }
};

// Lengths of shortest paths from vertices that are in the queue already, with their lengths.
void shortest(const graph::Csr& graph, const double* arcs, std::int32_t passed_zone,
              std::vector<double>& lengths, HeapQueue<double>& queue, const Control& control) {
  std::int64_t taken = 0;
  for (std::int32_t u; (u = queue.pop()) >= 0;) {
    if ((++taken & 0xfff) == 0) control.check();
    if (u != passed_zone && graph.is_zone(u)) continue;
    for (std::int64_t a = graph.indptr[u]; a < graph.indptr[u + 1]; ++a) {
      const std::int32_t v = graph.indices[a];
      const double length = lengths[u] + arcs[a];
      if (!(length < lengths[v])) continue;
      lengths[v] = length;
      queue.lower(v, length, 0, false);
    }
  }
}

// What a path through an arc must not exceed: bounds that hold at any time.
class Corridor {
 public:
  Corridor(const graph::Csr& graph, const Extremes& extremes, const std::int32_t* targets,
           std::int64_t columns)
      : graph_(graph),
        extremes_(extremes),
        targets_(targets, targets + columns),
        least_(static_cast<std::size_t>(graph.n)),
        most_(static_cast<std::size_t>(graph.n)),
        onwards_(static_cast<std::size_t>(graph.n)),
        queue_(graph.n, nullptr, 0) {}

  // Takes a source; `latest` is the time farthest from 0 at which a path begins. Differences of arrivals
  // below `slack` are then rounding.
  void begin(std::int32_t source, double latest, const Control& control) {
    search_from(source, extremes_.least, least_, control);
    search_from(source, extremes_.most, most_, control);
    double longest = 0;
    for (const double each : most_)
      if (each < kNever) longest = std::max(longest, each);
    slack_ = kRounding * (latest + longest);
    std::fill(onwards_.begin(), onwards_.end(), kNever);
    for (const std::int32_t target : targets_)
      if (most_[target] < kNever && -most_[target] < onwards_[target]) {
        onwards_[target] = -most_[target];
        queue_.lower(target, onwards_[target], 0, true);
      }
    const graph::Csr back{graph_.n, extremes_.back_indptr.data(), extremes_.back_heads.data(), graph_.m};
    shortest(back, extremes_.back_least.data(), -1, onwards_, queue_, control);
  }

  double slack() const noexcept { return slack_; }
  double least(std::int32_t v) const noexcept { return least_[v]; }

  // Whether an arc from u to v may belong to an earliest path to a target.
  bool contains(std::int32_t u, std::int64_t a, std::int32_t v) const noexcept {
    const double length = least_[u] + extremes_.least[a];
    return length <= most_[v] + slack_ && length + onwards_[v] <= slack_;
  }

 private:
  void search_from(std::int32_t source, const std::vector<double>& arcs, std::vector<double>& lengths,
                   const Control& control) {
    std::fill(lengths.begin(), lengths.end(), kNever);
    lengths[source] = 0;
    queue_.lower(source, 0, 0, true);
    shortest(graph_, arcs.data(), source, lengths, queue_, control);
  }

  const graph::Csr& graph_;
  const Extremes& extremes_;
  std::vector<std::int32_t> targets_;
  std::vector<double> least_, most_, onwards_;  // onwards: to the target that leaves most room, less its most
  HeapQueue<double> queue_;
  double slack_ = 0;
};

template <class Weight>
class ProfileSearch {
 public:
  ProfileSearch(const graph::Csr& graph, const Timetable<Weight>& table, const Extremes& extremes,
                const ProfileRequest& request, Budget& budget)
      : graph_(graph),
        table_(table),
        request_(request),
        budget_(budget),
        corridor_(graph, extremes, request.targets, request.columns),
        profiles_(static_cast<std::size_t>(graph.n)),
        queue_(graph.n, nullptr, 0) {}

  void run(std::int32_t source, const Control& control) {
    for (Profile& each : profiles_) release(each);
    queue_.clear();
    corridor_.begin(source, std::max(std::abs(request_.first), std::abs(request_.last)), control);
    merged_ = {{request_.first, request_.first}, {request_.last, request_.last}};
    keep(source);
    std::int64_t taken = 0;
    for (std::int32_t u; (u = queue_.pop()) >= 0;) {
      if (u == source || !graph_.is_zone(u)) relax_arcs(u, source);
      if ((++taken & 0xff) == 0) control.check();
    }
  }

  const Profile& of(std::int32_t v) const noexcept { return profiles_[v]; }

 private:
  // A point of the profile of a vertex, and where its arrival lies in the timetable.
  struct Entry {
    Point point;
    Moment moment;
  };

  void relax_arcs(std::int32_t u, std::int32_t source) {
    enter(profiles_[u]);
    for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
      const std::int32_t v = graph_.indices[a];
      if (v == source || v == u || !corridor_.contains(u, a, v)) continue;
      const Weight* const weights = table_.weights + a * table_.count;
      through_.clear();
      for (const Entry& each : entries_)
        through_.push_back({each.point.departure, each.point.arrival + weight_at(weights, each.moment)});
      merged_.clear();
      if (profiles_[v].empty())
        for (const Point& point : through_) append(point);
      else if (!merge(profiles_[v]))
        continue;
      keep(v);
    }
  }

  // The points at which the weight of an arc may turn for those who follow a profile.
  void enter(const Profile& profile) {
    entries_.clear();
    Ticks<Weight> ticks(table_, profile.front().arrival);
    for (std::size_t i = 0; i < profile.size(); ++i) {
      const Point& here = profile[i];
      entries_.push_back({here, moment_at(table_, here.arrival)});
      if (i + 1 == profile.size()) break;
      const Point& next = profile[i + 1];
      while (ticks.time() <= here.arrival) ticks.advance();
      for (; ticks.time() < next.arrival; ticks.advance()) {
        const double share = (ticks.time() - here.arrival) / (next.arrival - here.arrival);
        const double departure = here.departure + (next.departure - here.departure) * share;
        if (here.departure < departure && departure < next.departure &&
            entries_.back().point.departure < departure)
          entries_.push_back({{departure, ticks.time()}, {ticks.index(), ticks.index(), 0}});
      }
    }
  }

  // merged_ = the earlier one of a profile and through_, everywhere; whether through_ is earlier anywhere.
  bool merge(const Profile& profile) {
    const double slack = corridor_.slack();
    bool is_earlier = false;
    Point before{};
    double gap_before = 0;
    for (std::size_t i = 0, j = 0; i < profile.size() || j < through_.size();) {
      const double departure = std::min(i < profile.size() ? profile[i].departure : kNever,
                                        j < through_.size() ? through_[j].departure : kNever);
      const double old = value_at(profile, i, departure), other = value_at(through_, j, departure);
      const double gap = old - other;  // above 0 where through_ is earlier
      if (!merged_.empty() && std::abs(gap_before) > slack && std::abs(gap) > slack &&
          (gap_before > 0) != (gap > 0)) {
        const double share = gap_before / (gap_before - gap);
        const double crossing = before.departure + (departure - before.departure) * share;
        if (before.departure < crossing && crossing < departure)
          append({crossing, before.arrival + (old - before.arrival) * share});
      }
      append({departure, gap > slack ? other : old});
      is_earlier |= gap > slack;
      before = {departure, old};
      gap_before = gap;
      if (i < profile.size() && profile[i].departure == departure) ++i;
      if (j < through_.size() && through_[j].departure == departure) ++j;
    }
    return is_earlier;
  }

  // The arrival on a profile whose points before `next` depart earlier than `departure`.
  static double value_at(const Profile& profile, std::size_t next, double departure) {
    if (next == profile.size()) return profile.back().arrival;
    if (profile[next].departure == departure || next == 0) return profile[next].arrival;
    return on_line(profile[next - 1], profile[next], departure);
  }

  // Adds a point to merged_, in place of the last one if this lies on the line.
  void append(const Point& point) {
    if (merged_.size() >= 2) {
      Point& last = merged_.back();
      const Point& before = merged_[merged_.size() - 2];
      if (std::abs(on_line(before, point, last.departure) - last.arrival) <= corridor_.slack() / 8) {
        last = point;
        return;
      }
    }
    merged_.push_back(point);
  }

  void keep(std::int32_t v) {
    Profile& profile = profiles_[v];
    const auto points = static_cast<std::int64_t>(merged_.size());
    if (merged_.size() > profile.capacity()) {
      release(profile);
      budget_.take(points);
      profile.reserve(merged_.size());
    }
    profile.assign(merged_.begin(), merged_.end());
    queue_.lower(v, corridor_.least(v), 0, false);
  }

  void release(Profile& profile) noexcept {
    budget_.give_back(static_cast<std::int64_t>(profile.capacity()));
    Profile().swap(profile);
  }

  const graph::Csr& graph_;
  const Timetable<Weight>& table_;
  const ProfileRequest& request_;
  Budget& budget_;
  Corridor corridor_;
  std::vector<Profile> profiles_;
  HeapQueue<double> queue_;
  std::vector<Entry> entries_;
  Profile through_, merged_;
};

}  // namespace

template <class Weight>
Profiles arrival_profiles(const graph::Csr& graph, const Timetable<Weight>& timetable,
                          const ProfileRequest& request, int threads, Control& control) {
  graph::check_csr(graph);
  graph::check_vertices(request.sources, request.count, graph.n, "sources");
  graph::check_vertices(request.targets, request.columns, graph.n, "targets");
  const Extremes extremes(graph, timetable, control);
  Budget budget(request.most_bytes);
  std::vector<std::vector<Profile>> found(static_cast<std::size_t>(request.count));
  Team team(threads);
  std::vector<std::unique_ptr<ProfileSearch<Weight>>> searches(static_cast<std::size_t>(team.size()));
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    auto& search = searches[static_cast<std::size_t>(member)];
    if (!search)
      search = std::make_unique<ProfileSearch<Weight>>(graph, timetable, extremes, request, budget);
    search->run(request.sources[row], control);
    std::vector<Profile>& kept = found[static_cast<std::size_t>(row)];
    kept.reserve(static_cast<std::size_t>(request.columns));
    for (std::int64_t i = 0; i < request.columns; ++i) {
      const Profile& profile = search->of(request.targets[i]);
      budget.take(2 * static_cast<std::int64_t>(profile.size()));  // and once more in the result
      kept.push_back(profile);
    }
    control.advance(1);
  });
  searches.clear();
  Profiles result;
  result.offsets.push_back(0);
  for (const std::vector<Profile>& row : found)
    for (const Profile& profile : row)
      result.offsets.push_back(result.offsets.back() + static_cast<std::int64_t>(profile.size()));
  result.departures.reserve(static_cast<std::size_t>(result.offsets.back()));
  result.arrivals.reserve(static_cast<std::size_t>(result.offsets.back()));
  for (const std::vector<Profile>& row : found)
    for (const Profile& profile : row)
      for (const Point& point : profile) {
        result.departures.push_back(point.departure);
        result.arrivals.push_back(point.arrival);
      }
  return result;
}

template Profiles arrival_profiles(const graph::Csr&, const Timetable<std::int32_t>&, const ProfileRequest&,
                                   int, Control&);
template Profiles arrival_profiles(const graph::Csr&, const Timetable<double>&, const ProfileRequest&, int,
                                   Control&);

}  // namespace apsp::searches
