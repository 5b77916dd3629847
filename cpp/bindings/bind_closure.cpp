// Binds cpp/closure and the components of cpp/graph: reachability.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "closure/closure.hpp"
#include "closure/condensation.hpp"
#include "graph/strong.hpp"

namespace apsp::bindings {
namespace {

using BitArray = nb::ndarray<std::uint64_t, nb::ndim<2>, Host>;
using ConstBitArray = nb::ndarray<const std::uint64_t, nb::ndim<2>, Host>;

template <class Array>
closure::BitMatrix bits_view(const Array& bits, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(bits.shape(0)),
             words = static_cast<std::int64_t>(bits.shape(1));
  const std::int64_t stride = rows > 1 ? bits.stride(0) : words;
  if (columns < 0 || words != (columns + 63) / 64)
    throw std::invalid_argument("a row of n bits has (n + 63) / 64 words");
  if (rows > 0 && words > 0 && ((words > 1 && bits.stride(1) != 1) || stride < words))
    throw std::invalid_argument("a bit matrix must have contiguous rows that do not overlap");
  return {const_cast<closure::Word*>(bits.data()), rows, columns, stride};
}

closure::Method method_from_name(const std::string& name) {
  if (name == "components") return closure::Method::kComponents;
  if (name == "four-russians") return closure::Method::kFourRussians;
  throw std::invalid_argument("unknown closure method '" + name + "': components or four-russians");
}

closure::Digraph digraph(const ArcArrays& arcs) { return {arcs.n(), arcs.csr().indptr, arcs.csr().indices}; }

void close_graph(const BitArray& bits, const ArcArrays& arcs, const std::string& method, int threads,
                 const Progress& progress) {
  graph::check_indptr(arcs.weighted(), arcs.m());
  const auto view = bits_view(bits, arcs.n());
  const auto chosen = method_from_name(method);
  // Rows of unions that every row reads from tables; or rows that are joined, at most one per arc.
  const bool by_tables = chosen == closure::Method::kFourRussians;
  const std::int64_t unions = by_tables ? arcs.n() / 8 : 0;
  const std::int64_t rows = arcs.n() + (by_tables ? 0 : arcs.m());
  run_monitored(
      progress,
      [&](Control& control) {
        Team team(threads);
        closure::close_graph(view, digraph(arcs), chosen, team, control);
      },
      rows, (view.words() + 1) * (unions + 1));
}

void close_bits(const BitArray& bits, int threads, const Progress& progress) {
  const auto view = bits_view(bits, static_cast<std::int64_t>(bits.shape(0)));
  run_monitored(progress, [&](Control& control) {
    Team team(closure::useful_threads(view.rows, threads));
    closure::close_bits(view, team, control);
  });
}

void update_bits(const BitArray& c, const ConstBitArray& a, const ConstBitArray& b, std::int64_t columns,
                 int threads) {
  const auto c_view = bits_view(c, columns), b_view = bits_view(b, columns);
  const auto a_view = bits_view(a, b_view.rows);
  run_monitored(nb::none(), [&](Control& control) {
    Team team(threads);
    closure::update_bits(c_view, a_view, b_view, team, control);
  });
}

std::int64_t count_bits(const ConstBitArray& bits, int threads) {
  const auto view = bits_view(bits, 64 * static_cast<std::int64_t>(bits.shape(1)));
  std::int64_t count = 0;
  run_monitored(nb::none(), [&](Control& control) {
    Team team(threads);
    count = closure::count_bits(view, team, control);
  });
  return count;
}

std::pair<std::int64_t, Returned<std::int32_t>> strong_components(const ArcArrays& arcs) {
  const graph::Csr& graph = arcs.checked().csr();
  auto labels = std::make_unique<std::int32_t[]>(static_cast<std::size_t>(graph.n));
  std::int64_t count = 0;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        count = graph::strong(graph.n, graph.indptr, graph.indices, labels.get(), control);
      },
      1, graph.n + graph.m);
  std::int32_t* data = labels.release();
  nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<std::int32_t*>(memory); });
  return {count, Returned<std::int32_t>(data, {static_cast<std::size_t>(graph.n)}, owner)};
}

Tuple<Returned<std::int64_t>, Returned<std::int32_t>> condensation(const ArcArrays& arcs,
                                                                   const Indices& labels,
                                                                   std::int64_t count) {
  const closure::Digraph graph = digraph(arcs.checked());
  require_shape(labels, graph.n, "labels");
  for (std::int64_t v = 0; v < graph.n; ++v)
    require(labels.data()[v] >= 0 && labels.data()[v] < count, "a label must be in [0, count)");
  closure::Arcs found;
  run_monitored(nb::none(), [&](Control& control) {
    found = closure::condensation(graph, labels.data(), count, control);
  });
  return nb::make_tuple(to_numpy(std::move(found.indptr)), to_numpy(std::move(found.indices)));
}

// The arcs of a condensation, whose heads are lower than their tails.
closure::Digraph condensed(const ArcArrays& arcs) {
  const closure::Digraph graph = digraph(arcs.checked());
  for (std::int64_t v = 0; v < graph.n; ++v)
    for (std::int64_t arc = graph.indptr[v]; arc < graph.indptr[v + 1]; ++arc)
      require(graph.indices[arc] < v, "an arc between components leads to a lower one");
  return graph;
}

Returned<bool> reached_from(const ArcArrays& arcs, std::int64_t vertex) {
  const closure::Digraph graph = condensed(arcs);
  require(vertex >= 0 && vertex < graph.n, "vertex must be in [0, n)");
  std::vector<std::uint8_t> found;
  run_monitored(
      nb::none(), [&](Control& control) { found = closure::reached_from(graph, vertex, control); }, 1,
      graph.n + arcs.m());
  auto bits = std::make_unique<bool[]>(found.size());
  std::copy(found.begin(), found.end(), bits.get());
  bool* data = bits.release();
  nb::capsule owner(data, [](void* memory) noexcept { delete[] static_cast<bool*>(memory); });
  return Returned<bool>(data, {found.size()}, owner);
}

std::int64_t count_in_forest(const ArcArrays& arcs, const Vector<std::int64_t>& sizes) {
  const closure::Digraph graph = condensed(arcs);
  require_shape(sizes, graph.n, "sizes");
  return closure::count_in_forest(graph, sizes.data());
}

void join_heads(const BitArray& bits, const ArcArrays& arcs, std::int64_t first, std::int64_t last,
                int threads) {
  graph::check_indptr(arcs.weighted(), arcs.m());
  const auto view = bits_view(bits, 64 * static_cast<std::int64_t>(bits.shape(1)));
  run_monitored(nb::none(), [&](Control& control) {
    Team team(threads);
    closure::join_heads(view, digraph(arcs), first, last, team, control);
  });
}

}  // namespace

void bind_closure(nb::module_& m) {
  using namespace nb::literals;
  m.def("closure_graph", &close_graph, "bits"_a, "arcs"_a, "method"_a, "threads"_a,
        "progress"_a.none() = nb::none(), "Write the transitive closure of a graph into (n, words) uint64.");
  m.def("close_bits", &close_bits, "bits"_a, "threads"_a, "progress"_a.none() = nb::none(),
        "Close a bit-packed square matrix under (or,and).");
  m.def("update_bits", &update_bits, "c"_a, "a"_a, "b"_a, "columns"_a, "threads"_a,
        "c |= a and b over (or,and); `columns` bits in c and b.");
  m.def("count_bits", &count_bits, "bits"_a, "threads"_a = 1, "How many bits are set.");
  m.def("strong_components", &strong_components, "arcs"_a,
        "(count, labels): strongly connected components in reverse topological order, sinks first.");
  m.def("condensation", &condensation, "arcs"_a, "labels"_a, "count"_a,
        "(indptr, indices): the arcs between strongly connected components, each once.");
  m.def("reached_from", &reached_from, "arcs"_a, "vertex"_a, "(n,) what a component reaches.");
  m.def("count_in_forest", &count_in_forest, "arcs"_a, "sizes"_a,
        "The number of pairs with a path, of a forest of components; -1 if it is none.");
  m.def("join_heads", &join_heads, "bits"_a, "arcs"_a, "first"_a, "last"_a, "threads"_a,
        "Add to the rows first .. last - 1, in this order, the rows of their heads.");
}

}  // namespace apsp::bindings
