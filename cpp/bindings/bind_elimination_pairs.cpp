// Binds cpp/elimination: distances and paths of pairs of vertices, from the factor.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "elimination/pair.hpp"
#include "elimination/pairs.hpp"
#include "elimination/paths.hpp"
#include "elimination/steps.hpp"
#include "elimination/straightening.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;
using elimination::Vertex;

void pairs(const FactorArrays& factor, const Vector<std::int32_t>& sources,
           const Vector<std::int32_t>& targets, const AnyValues& dist, int threads,
           const Progress& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require(dist.dtype() == factor.values().dtype(), "dist must have the dtype of the factor");
  require_shape(targets, count, "targets");
  require(static_cast<std::int64_t>(dist.shape(0)) == count, "dist must have an entry for each pair");
  with_distance_type(factor.values(), [&]<class T>(T) {
    const auto from = factor.of<T>();
    const auto exist = [&](const Vector<std::int32_t>& vertices) {
      return std::all_of(vertices.data(), vertices.data() + count,
                         [&](Vertex v) { return v >= 0 && v < from.tree.n; });
    };
    require(exist(sources) && exist(targets), "no such vertex");
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      elimination::fill_pairs(from, sources.data(), targets.data(), count, reinterpret_cast<T*>(dist.data()),
                              team, control);
    });
  });
}

// What the entries stand for: steps (entries, 2), arcs (entries).
void steps(const FactorArrays& factor,
           const nb::ndarray<std::int32_t, nb::shape<-1, 2>, nb::c_contig, Host>& steps,
           const Numbers<std::int32_t>& arcs, int threads, const Progress& progress) {
  require(steps.shape(0) == factor.values().shape(0) && arcs.shape(0) == factor.values().shape(0),
          "there must be a step for each entry");
  with_distance_type(factor.values(), [&]<class T>(T) {
    const auto from = factor.of<T>();
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      auto* to = reinterpret_cast<elimination::Step*>(steps.data());
      elimination::explain(from, to, team, control);
      elimination::count_arcs(to, from.tree.entries(), from.tree.n, arcs.data(), control);
    });
  });
}

// The vertices of the routes, from `offsets` on; without loops, if there may be some.
void unfold(const nb::ndarray<std::int32_t, nb::shape<-1, 2>, nb::c_contig, Host>& steps,
            const Vector<std::int32_t>& arcs, const Vector<std::int64_t>& start,
            const Vector<std::int32_t>& entry, const Numbers<std::int64_t>& length,
            const Vector<std::int32_t>& sources, bool loops, const Vector<std::int64_t>& offsets,
            const Numbers<std::int32_t>& vertices, int threads, const Progress& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require(steps.shape(0) == arcs.shape(0), "there must be a number of arcs for each entry");
  require_shape(start, count + 1, "start");
  require(static_cast<std::int64_t>(length.shape(0)) == count, "length must have an entry for each pair");
  require_shape(offsets, count + 1, "offsets");
  const elimination::RoutesView routes{start.data(), entry.data(), length.data(), count};
  run_monitored(progress, [&](Control& control) {
    Team team(threads);
    elimination::unfold(routes, reinterpret_cast<const elimination::Step*>(steps.data()), arcs.data(),
                        static_cast<std::int64_t>(arcs.shape(0)), sources.data(), loops, offsets.data(),
                        vertices.data(), team, control);
  });
}

// What searches of one tree share. Children are found for the first path.
struct Positions {
  explicit Positions(const elimination::TreeView& tree) : places(tree) {}

  const elimination::Children& children(const elimination::TreeView& tree) const {
    std::call_once(once, [&] {
      found.emplace(tree);
      bytes = static_cast<std::int64_t>(2 * found->first.size() * sizeof(Vertex));
    });
    return *found;
  }

  elimination::Places places;
  mutable std::once_flag once;
  mutable std::optional<elimination::Children> found;
  mutable std::atomic<std::int64_t> bytes = 0;
};

// The first entry of each route, the entries, and the number of vertices of each path.
using FoundRoutes = Tuple<Returned<std::int64_t>, Returned<std::int32_t>, Returned<std::int64_t>>;

struct Request {
  const std::int32_t* arcs;
  const Vertex *sources, *targets;
  std::int64_t count;
  void* dist;
  bool has_dist;
  std::int64_t most;
};

// A search of any dtype.
struct AnySearch {
  virtual ~AnySearch() = default;
  virtual std::optional<Number> distance(Vertex source, Vertex target) = 0;
  virtual std::optional<std::vector<Vertex>> path(Vertex source, Vertex target, bool loops) = 0;
  virtual elimination::Routes routes(const Request& request, int threads, const Progress& progress) = 0;
};

template <class T>
class Search final : public AnySearch {
 public:
  Search(const elimination::Factored<T>& from, std::shared_ptr<const Positions> positions, bool mirrored)
      : from_(from), positions_(std::move(positions)), mirrored_(mirrored) {}

  std::optional<Number> distance(Vertex source, Vertex target) override {
    check(source, target);
    const std::lock_guard lock(mutex_);
    if (!pairs_)
      pairs_ = std::make_unique<elimination::PairSearch<T>>(from_, positions_->places.place,
                                                            positions_->places.node, mirrored_);
    const T found = pairs_->distance(source, target);
    if (found == semiring::kNoPath<T>) return std::nullopt;
    return number_of(found);
  }

  // Empty if there is none; nullopt if the factor does not tell it.
  std::optional<std::vector<Vertex>> path(Vertex source, Vertex target, bool loops) override {
    check(source, target);
    if (source == target) return std::vector<Vertex>{source};
    std::vector<Vertex> vertices{-1 - source};
    bool known = true;
    const auto find = [&](Control& control) {
      std::unique_ptr<elimination::PathSearch<T>> search = take_idle();
      if (search->find(source, target, nullptr) == semiring::kNoPath<T>)
        vertices.clear();
      else
        known = search->route(nullptr, vertices, control) > 0;
      const std::lock_guard lock(mutex_);
      idle_.push_back(std::move(search));
    };
    run_monitored(nb::none(), find, 1, kStepsPerVertex * from_.tree.n);
    if (!known) return std::nullopt;
    for (Vertex& each : vertices) each = -1 - each;
    if (loops && !vertices.empty())
      vertices.resize(static_cast<std::size_t>(elimination::Straightening().straighten(
          vertices.data(), static_cast<std::int64_t>(vertices.size()))));
    return vertices;
  }

  elimination::Routes routes(const Request& request, int threads, const Progress& progress) override {
    graph::check_vertices(request.sources, request.count, from_.tree.n, "sources");
    graph::check_vertices(request.targets, request.count, from_.tree.n, "targets");
    elimination::Routes found;
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      found = elimination::find_routes(from_, positions_->places, positions_->children(from_.tree), mirrored_,
                                       request.arcs, request.sources, request.targets, request.count,
                                       static_cast<T*>(request.dist), request.has_dist, request.most, team,
                                       control);
    });
    return found;
  }

 private:
  static constexpr std::int64_t kStepsPerVertex = 4;

  void check(Vertex source, Vertex target) const {
    const std::int64_t n = from_.tree.n;
    require(source >= 0 && source < n && target >= 0 && target < n, "no such vertex");
  }

  // Threads that look for paths at the same time have one each.
  std::unique_ptr<elimination::PathSearch<T>> take_idle() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto search = std::move(idle_.back());
        idle_.pop_back();
        return search;
      }
    }
    return std::make_unique<elimination::PathSearch<T>>(from_, positions_->places,
                                                        positions_->children(from_.tree), mirrored_);
  }

  const elimination::Factored<T> from_;
  const std::shared_ptr<const Positions> positions_;
  const bool mirrored_;
  std::mutex mutex_;
  std::unique_ptr<elimination::PairSearch<T>> pairs_;  // of the first pair: some oracles are updated before
  std::vector<std::unique_ptr<elimination::PathSearch<T>>> idle_;
};

struct PairSearch {
  // The caller keeps the factor alive.
  explicit PairSearch(const FactorArrays& factor) : values(factor.values()) {
    with_distance_type(values, [&]<class T>(T) {
      const auto from = factor.of<T>();
      positions = std::make_shared<const Positions>(from.tree);
      start(from, elimination::is_mirrored(from.tree, from.values));
    });
  }

  // The search of another factor of the same tree, which differs in the panels of some supernodes.
  PairSearch(const FactorArrays& factor, const PairSearch& before, const Vector<Vertex>& renewed)
      : values(factor.values()), positions(before.positions) {
    with_distance_type(values, [&]<class T>(T) {
      const auto from = factor.of<T>();
      require(static_cast<std::int64_t>(positions->places.place.size()) == from.tree.n,
              "the tree is another one");
      start(from,
            before.mirrored && std::all_of(renewed.data(), renewed.data() + renewed.size(), [&](Vertex s) {
              require(s >= 0 && s < from.tree.nodes, "no such supernode");
              return elimination::is_mirrored(elimination::panels_of(from.tree, from.values, s));
            }));
    });
  }

  template <class T>
  void start(const elimination::Factored<T>& from, bool is_mirrored) {
    mirrored = is_mirrored;
    search = std::make_unique<Search<T>>(from, positions, is_mirrored);
  }

  std::optional<Number> distance(Vertex source, Vertex target) { return search->distance(source, target); }

  std::optional<Returned<Vertex>> path(Vertex source, Vertex target, bool loops) {
    auto found = search->path(source, target, loops);
    if (!found) return std::nullopt;
    return nb::cast<Returned<Vertex>>(to_numpy(std::move(*found)));
  }

  // arcs: of the entries, or None. Writes dist, unless it is known (has_dist).
  FoundRoutes routes(const std::optional<Vector<std::int32_t>>& arcs, const Vector<std::int32_t>& sources,
                     const Vector<std::int32_t>& targets, const AnyValues& dist, bool has_dist,
                     std::int64_t most, int threads, const Progress& progress) {
    const auto count = static_cast<std::int64_t>(sources.shape(0));
    require(dist.dtype() == values.dtype(), "dist must have the dtype of the factor");
    require(!arcs || arcs->shape(0) == values.shape(0), "there must be a number of arcs for each entry");
    require_shape(targets, count, "targets");
    require(static_cast<std::int64_t>(dist.shape(0)) == count, "dist must have an entry for each pair");
    elimination::Routes found = search->routes(
        {arcs ? arcs->data() : nullptr, sources.data(), targets.data(), count, dist.data(), has_dist, most},
        threads, progress);
    return nb::make_tuple(to_numpy(std::move(found.start)), to_numpy(std::move(found.entry)),
                          to_numpy(std::move(found.length)));
  }

  AnyValues values;
  std::shared_ptr<const Positions> positions;
  std::unique_ptr<AnySearch> search;
  bool mirrored = false;
};

}  // namespace

void bind_elimination_pairs(nb::module_& m) {
  m.def("elimination_pairs", &pairs, "factor"_a, nb::kw_only(), "sources"_a.noconvert(),
        "targets"_a.noconvert(), "dist"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("elimination_steps", &steps, "factor"_a, nb::kw_only(), "steps"_a.noconvert(), "arcs"_a.noconvert(),
        "threads"_a, "progress"_a = nb::none());
  m.def("elimination_unfold", &unfold, nb::kw_only(), "steps"_a.noconvert(), "arcs"_a.noconvert(),
        "start"_a.noconvert(), "entry"_a.noconvert(), "length"_a.noconvert(), "sources"_a.noconvert(),
        "loops"_a, "offsets"_a.noconvert(), "vertices"_a.noconvert(), "threads"_a,
        "progress"_a.none() = nb::none());
  nb::class_<PairSearch>(m, "PairSearch")
      .def(nb::init<const FactorArrays&>(), nb::keep_alive<1, 2>(), "factor"_a)
      .def(nb::init<const FactorArrays&, const PairSearch&, const Vector<Vertex>&>(), nb::keep_alive<1, 2>(),
           "factor"_a, "before"_a, "renewed"_a.noconvert())
      .def("distance", &PairSearch::distance, "source"_a, "target"_a)
      .def("path", &PairSearch::path, "source"_a, "target"_a, nb::kw_only(), "loops"_a)
      .def("routes", &PairSearch::routes, nb::kw_only(), "arcs"_a.noconvert().none(), "sources"_a.noconvert(),
           "targets"_a.noconvert(), "dist"_a.noconvert(), "has_dist"_a, "most"_a, "threads"_a,
           "progress"_a = nb::none())
      .def_prop_ro("nbytes", [](const PairSearch& self) { return self.positions->bytes.load(); });
}

}  // namespace apsp::bindings
