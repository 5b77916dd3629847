// apsp._cpu: what the shape of a graph proves of eccentricities.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "reductions/implied.hpp"
#include "reductions/part_bounds.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace apsp::bindings {
namespace {

graph::Csr checked(const ArcArrays& arcs) { return arcs.checked().without_zones(); }

// The arcs of a graph and its components, checked once.
class PartsOfGraph {
 public:
  // The caller keeps the arcs alive.
  PartsOfGraph(const ArcArrays& arcs, Vector<std::int32_t> part, Vector<std::int64_t> first,
               Vector<std::int32_t> vertices, std::int64_t largest)
      : part_(std::move(part)), first_(std::move(first)), vertices_(std::move(vertices)) {
    const graph::Csr graph = checked(arcs);
    const auto count = static_cast<std::int64_t>(first_.shape(0)) - 1;
    require(count > 0 && largest >= 0 && largest < count,
            "first must have an element for each part, and one more");
    require_shape(part_, graph.n, "part");
    require_shape(vertices_, graph.n, "vertices");
    graph::check_vertices(part_.data(), graph.n, count, "part");
    graph::check_vertices(vertices_.data(), graph.n, graph.n, "vertices");
    require(first_.data()[0] == 0 && first_.data()[count] == graph.n, "first must go from 0 to n");
    for (std::int64_t k = 0; k < count; ++k)
      require(first_.data()[k] < first_.data()[k + 1], "first must rise");
    parts_ = {graph, count, largest, part_.data(), first_.data(), vertices_.data()};
  }

  const reductions::Parts& parts() const { return parts_; }
  // They are found when they are used first.
  const reductions::Leading& leading() {
    if (!leading_) leading_ = reductions::leading_arcs(parts_);
    return *leading_;
  }

 private:
  Vector<std::int32_t> part_;
  Vector<std::int64_t> first_;
  Vector<std::int32_t> vertices_;
  reductions::Parts parts_;
  std::optional<reductions::Leading> leading_;
};

template <class T>
void bound_parts(PartsOfGraph& of, bool by_leading, const std::optional<Vector<T>>& lengths,
                 const Vector<T>& inner, const Numbers<T>& upper) {
  const reductions::Parts& parts = of.parts();
  if (lengths) require_shape(*lengths, parts.graph.m, "lengths");
  require_shape(inner, parts.count, "inner");
  require(static_cast<std::int64_t>(upper.shape(0)) == parts.graph.n, "upper must have n elements");
  run_short(nb::none(), [&](Control&) {
    reductions::bound_parts<T>(parts, by_leading ? &of.leading() : nullptr, data_or_null(lengths),
                               inner.data(), upper.data());
  });
}

template <class T>
void bound_by_potential(const PartsOfGraph& of, const Vector<T>& out, T of_largest, const Numbers<T>& lower) {
  const reductions::Parts& parts = of.parts();
  require_shape(out, parts.graph.n, "out");
  require(static_cast<std::int64_t>(lower.shape(0)) == parts.graph.n, "lower must have n elements");
  run_short(nb::none(), [&](Control&) {
    reductions::bound_by_potential<T>(parts, out.data(), of_largest, lower.data());
  });
}

void bound_reach(const PartsOfGraph& of, const Vector<bool>& before, const Vector<bool>& after,
                 const Numbers<double>& reach, const Numbers<bool>& known) {
  const reductions::Parts& parts = of.parts();
  require_shape(before, parts.count, "before");
  require_shape(after, parts.count, "after");
  require(static_cast<std::int64_t>(reach.shape(0)) == parts.count &&
              static_cast<std::int64_t>(known.shape(0)) == parts.count,
          "reach and known must have an element for each part");
  run_short(nb::none(), [&](Control&) {
    reductions::bound_reach(parts, reinterpret_cast<const std::uint8_t*>(before.data()),
                            reinterpret_cast<const std::uint8_t*>(after.data()), reach.data(),
                            reinterpret_cast<std::uint8_t*>(known.data()));
  });
}

// Weights are compared by their bytes. into: null if they are the same arcs.
nb::typed<nb::object, Returned<std::int32_t>> twins(const ArcArrays& arcs, const ArcArrays* into) {
  const graph::Csr graph = checked(arcs), reversed = into ? checked(*into) : graph;
  require(reversed.n == graph.n && reversed.m == graph.m, "as many arcs must lead in as out");
  require(!into || into->is_weighted() == arcs.is_weighted(),
          "the arcs in must have the arrays of those out");
  const auto bytes_of = [](const ArcArrays& of) {
    return of.is_weighted() ? static_cast<const std::uint8_t*>(of.weights().data()) : nullptr;
  };
  const std::int64_t bytes = arcs.is_weighted() ? static_cast<std::int64_t>(arcs.weights().itemsize()) : 0;
  require(!into || !arcs.is_weighted() || into->weights().dtype() == arcs.weights().dtype(),
          "the weights of both directions must have the same dtype");
  std::vector<std::int32_t> found;
  run_short(nb::none(), [&](Control&) {
    found = reductions::twins(graph, bytes_of(arcs), reversed, bytes_of(into ? *into : arcs), bytes);
  });
  return to_numpy(std::move(found));
}

reductions::SingleArcs single_arcs_of(const graph::Csr& graph, bool directed) {
  return directed ? reductions::single_arcs(graph) : reductions::pendant_arcs(graph);
}

Tuple<Returned<std::int64_t>, Returned<std::int32_t>, Returned<std::int32_t>> single_arcs(
    const ArcArrays& arcs, bool directed) {
  const graph::Csr graph = checked(arcs);
  reductions::SingleArcs found;
  run_short(nb::none(), [&](Control&) { found = single_arcs_of(graph, directed); });
  return nb::make_tuple(to_numpy(std::move(found.arc)), to_numpy(std::move(found.anchor)),
                        to_numpy(std::move(found.members)));
}

using Settled = Tuple<Returned<std::int32_t>, AnyReturned, Returned<std::int64_t>>;

std::optional<Settled> settle_single(const ArcArrays& arcs, std::int64_t anchor, const AnyVector& out,
                                     bool directed) {
  const graph::Csr graph = checked(arcs);
  require(anchor >= 0 && anchor < graph.n, "anchor must be a vertex");
  require_length(out, graph.n, "out");
  return with_type<std::int32_t, std::int64_t>(
      out, "out must be int32 or int64", [&]<class T>(T) -> std::optional<Settled> {
        const T *of_arcs = arcs.lengths_or_null<T>(), *from_anchor = elements<T>(out);
        std::optional<reductions::Settled<T>> found;
        run_short(nb::none(), [&](Control&) {
          found = reductions::settle_single<T>(graph, of_arcs, single_arcs_of(graph, directed),
                                               static_cast<std::int32_t>(anchor), from_anchor, directed);
        });
        if (!found) return std::nullopt;
        return nb::make_tuple(to_numpy(std::move(found->vertices)),
                              to_numpy(std::move(found->eccentricities)),
                              to_numpy(std::move(found->reached)));
      });
}

Tuple<Returned<std::int64_t>, Returned<std::int32_t>, Returned<std::int32_t>> chains(const ArcArrays& arcs,
                                                                                     std::int64_t fewest) {
  const graph::Csr graph = checked(arcs);
  reductions::Chains found;
  run_short(nb::none(), [&](Control&) { found = reductions::chains(graph, fewest); });
  return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.vertices)),
                        to_numpy(std::move(found.ends)));
}

void settle_chain(const ArcArrays& arcs, const Vector<std::int32_t>& inner, std::int64_t first,
                  std::int64_t last, const AnyVector& from_first, const AnyVector& from_last,
                  const nb::ndarray<nb::ndim<1>, nb::c_contig, Host>& eccentricities) {
  const graph::Csr graph = checked(arcs);
  const auto count = static_cast<std::int64_t>(inner.shape(0));
  require(count > 0, "a chain has inner vertices");
  require_length(eccentricities, count, "eccentricities");
  require(first >= 0 && first < graph.n && last >= 0 && last < graph.n, "the ends must be vertices");
  graph::check_vertices(inner.data(), count, graph.n, "inner");
  require_length(from_first, graph.n, "from_first");
  require_length(from_last, graph.n, "from_last");
  with_type<std::int32_t, std::int64_t>(
      eccentricities, "eccentricities must be int32 or int64", [&]<class T>(T) {
        const T* lengths = arcs.lengths_or_null<T>();
        const T *from_one = elements<T>(from_first), *from_other = elements<T>(from_last);
        run_short(nb::none(), [&](Control&) {
          reductions::settle_chain<T>(graph, lengths, inner.data(), count, static_cast<std::int32_t>(first),
                                      static_cast<std::int32_t>(last), from_one, from_other,
                                      static_cast<T*>(eccentricities.data()));
        });
      });
}

template <class T>
void bind_implied_kernels(nb::module_& m) {
  m.def("bound_parts", &bound_parts<T>, "parts"_a, "by_leading"_a, "lengths"_a.noconvert().none(),
        "inner"_a.noconvert(), "upper"_a.noconvert(),
        "Lower upper bounds on eccentricities by the order of components.");
  m.def("bound_by_potential", &bound_by_potential<T>, "parts"_a, "out"_a.noconvert(), "of_largest"_a,
        "lower"_a.noconvert(),
        "Raise lower bounds on eccentricities by a search and the order of components.");
}

}  // namespace

void bind_implied(nb::module_& m) {
  nb::class_<PartsOfGraph>(m, "PartsOfGraph")
      .def(nb::init<const ArcArrays&, Vector<std::int32_t>, Vector<std::int64_t>, Vector<std::int32_t>,
                    std::int64_t>(),
           nb::keep_alive<1, 2>(), "arcs"_a, "part"_a.noconvert(), "first"_a.noconvert(),
           "vertices"_a.noconvert(), "largest"_a);
  bind_implied_kernels<std::int32_t>(m);
  bind_implied_kernels<std::int64_t>(m);
  m.def("bound_reach", &bound_reach, "parts"_a, "before"_a.noconvert(), "after"_a.noconvert(),
        "reach"_a.noconvert(), "known"_a.noconvert(), "Bound the number of vertices that each part reaches.");
  m.def("twins", &twins, "arcs"_a, "into"_a.none(), "The first vertex of the class of twins of each vertex.");
  m.def("single_arcs", &single_arcs, "arcs"_a, "directed"_a,
        "(arc, anchor, members): the single arc out of each vertex, and where the way leads.");
  m.def(
      "settle_single", &settle_single, "arcs"_a, "anchor"_a, "out"_a.noconvert(), "directed"_a,
      "(vertices, eccentricities, reached) of those whose ways lead to an anchor; None if that takes long.");
  m.def("chains", &chains, "arcs"_a, "fewest"_a,
        "(first, vertices, ends): paths of vertices with two neighbours.");
  m.def("settle_chain", &settle_chain, "arcs"_a, "inner"_a.noconvert(), "first"_a, "last"_a,
        "from_first"_a.noconvert(), "from_last"_a.noconvert(), "eccentricities"_a.noconvert(),
        "Eccentricities of the vertices of a chain.");
}

}  // namespace apsp::bindings
