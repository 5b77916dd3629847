// Binds cpp/elimination: distances and paths of pairs of vertices, from the factor.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "bindings/factor_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "elimination/pair.hpp"
#include "elimination/pairs.hpp"
#include "elimination/paths.hpp"
#include "elimination/steps.hpp"

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

// Writes dist; returns the first entry of each route, the entries, and the number of vertices of each path.
Tuple<Returned<std::int64_t>, Returned<std::int32_t>, Returned<std::int64_t>> routes(
    const FactorArrays& factor, const Vector<std::int32_t>& arcs, const Vector<std::int32_t>& sources,
    const Vector<std::int32_t>& targets, const AnyValues& dist, int threads, const Progress& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require(dist.dtype() == factor.values().dtype(), "dist must have the dtype of the factor");
  require(arcs.shape(0) == factor.values().shape(0), "there must be a number of arcs for each entry");
  require_shape(targets, count, "targets");
  require(static_cast<std::int64_t>(dist.shape(0)) == count, "dist must have an entry for each pair");
  elimination::Routes found;
  with_distance_type(factor.values(), [&]<class T>(T) {
    const auto from = factor.of<T>();
    graph::check_vertices(sources.data(), count, from.tree.n, "sources");
    graph::check_vertices(targets.data(), count, from.tree.n, "targets");
    run_monitored(progress, [&](Control& control) {
      Team team(threads);
      found = elimination::find_routes(from, arcs.data(), sources.data(), targets.data(), count,
                                       reinterpret_cast<T*>(dist.data()), team, control);
    });
  });
  return nb::make_tuple(to_numpy(std::move(found.start)), to_numpy(std::move(found.entry)),
                        to_numpy(std::move(found.length)));
}

// The vertices of the routes, from `offsets` on; without loops, if there may be some.
void unfold(const nb::ndarray<std::int32_t, nb::shape<-1, 2>, nb::c_contig, Host>& steps,
            const Vector<std::int32_t>& arcs, const Vector<std::int64_t>& start,
            const Vector<std::int32_t>& entry, const Numbers<std::int64_t>& length,
            const Vector<std::int32_t>& sources, std::int64_t n, bool loops,
            const Vector<std::int64_t>& offsets, const Numbers<std::int32_t>& vertices, int threads,
            const Progress& progress) {
  const auto count = static_cast<std::int64_t>(sources.shape(0));
  require(steps.shape(0) == arcs.shape(0), "there must be a number of arcs for each entry");
  require_shape(start, count + 1, "start");
  require(static_cast<std::int64_t>(length.shape(0)) == count, "length must have an entry for each pair");
  require_shape(offsets, count + 1, "offsets");
  const elimination::RoutesView routes{start.data(), entry.data(), length.data(), count};
  run_monitored(progress, [&](Control& control) {
    Team team(threads);
    elimination::unfold(routes, reinterpret_cast<const elimination::Step*>(steps.data()), arcs.data(),
                        static_cast<std::int64_t>(arcs.shape(0)), sources.data(), n, loops, offsets.data(),
                        vertices.data(), team, control);
  });
}

// A search of any dtype.
struct AnySearch {
  virtual ~AnySearch() = default;
  virtual std::optional<Number> distance(Vertex source, Vertex target) = 0;
};

// What searches of one tree share.
struct Positions {
  std::vector<Vertex> place, node;
};

template <class T>
struct Search final : AnySearch {
  Search(const elimination::Factored<T>& from, std::shared_ptr<const Positions> positions, bool mirrored)
      : positions(std::move(positions)),
        search(from, this->positions->place, this->positions->node, mirrored),
        n(from.tree.n) {}
  std::optional<Number> distance(Vertex source, Vertex target) override {
    require(source >= 0 && source < n && target >= 0 && target < n, "no such vertex");
    const std::lock_guard lock(mutex);
    const T found = search.distance(source, target);
    if (found == semiring::kNoPath<T>) return std::nullopt;
    return number_of(found);
  }
  std::shared_ptr<const Positions> positions;
  elimination::PairSearch<T> search;
  std::int64_t n;
  std::mutex mutex;
};

struct PairSearch {
  // The caller keeps the factor alive.
  explicit PairSearch(const FactorArrays& factor) {
    with_distance_type(factor.values(), [&]<class T>(T) {
      const auto from = factor.of<T>();
      positions = std::make_shared<const Positions>(
          Positions{elimination::places_of(from.tree), elimination::nodes_of(from.tree)});
      start(from, elimination::is_mirrored(from.tree, from.values));
    });
  }

  // The search of another factor of the same tree, which differs in the panels of some supernodes.
  PairSearch(const FactorArrays& factor, const PairSearch& before, const Vector<Vertex>& renewed)
      : positions(before.positions) {
    with_distance_type(factor.values(), [&]<class T>(T) {
      const auto from = factor.of<T>();
      require(static_cast<std::int64_t>(positions->place.size()) == from.tree.n, "the tree is another one");
      start(from,
            before.mirrored && std::all_of(renewed.data(), renewed.data() + renewed.size(), [&](Vertex s) {
              require(s >= 0 && s < from.tree.nodes, "no such supernode");
              return elimination::is_mirrored(elimination::panels_of(from.tree, from.values, s));
            }));
    });
  }

  // The memory of a search is that of the first pair: some oracles are updated again before.
  template <class T>
  void start(const elimination::Factored<T>& from, bool is_mirrored) {
    mirrored = is_mirrored;
    make = [from, shared = positions, is_mirrored] {
      return std::make_unique<Search<T>>(from, shared, is_mirrored);
    };
  }

  std::optional<Number> distance(Vertex source, Vertex target) {
    std::call_once(made, [&] { search = make(); });
    return search->distance(source, target);
  }

  std::shared_ptr<const Positions> positions;
  std::function<std::unique_ptr<AnySearch>()> make;
  std::unique_ptr<AnySearch> search;
  std::once_flag made;
  bool mirrored = false;
};

}  // namespace

void bind_elimination_pairs(nb::module_& m) {
  m.def("elimination_pairs", &pairs, "factor"_a, nb::kw_only(), "sources"_a.noconvert(),
        "targets"_a.noconvert(), "dist"_a.noconvert(), "threads"_a, "progress"_a = nb::none());
  m.def("elimination_steps", &steps, "factor"_a, nb::kw_only(), "steps"_a.noconvert(), "arcs"_a.noconvert(),
        "threads"_a, "progress"_a = nb::none());
  m.def("elimination_routes", &routes, "factor"_a, nb::kw_only(), "arcs"_a.noconvert(),
        "sources"_a.noconvert(), "targets"_a.noconvert(), "dist"_a.noconvert(), "threads"_a,
        "progress"_a = nb::none());
  m.def("elimination_unfold", &unfold, nb::kw_only(), "steps"_a.noconvert(), "arcs"_a.noconvert(),
        "start"_a.noconvert(), "entry"_a.noconvert(), "length"_a.noconvert(), "sources"_a.noconvert(), "n"_a,
        "loops"_a, "offsets"_a.noconvert(), "vertices"_a.noconvert(), "threads"_a,
        "progress"_a.none() = nb::none());
  nb::class_<PairSearch>(m, "PairSearch")
      .def(nb::init<const FactorArrays&>(), nb::keep_alive<1, 2>(), "factor"_a)
      .def(nb::init<const FactorArrays&, const PairSearch&, const Vector<Vertex>&>(), nb::keep_alive<1, 2>(),
           "factor"_a, "before"_a, "renewed"_a.noconvert())
      .def("distance", &PairSearch::distance, "source"_a, "target"_a);
}

}  // namespace apsp::bindings
