// apsp._cpu: building graphs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "graph/arc_facts.hpp"
#include "graph/build.hpp"
#include "graph/reverse.hpp"
#include "graph/text.hpp"
#include "graph/weak.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace apsp::bindings {
namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, Host>;

graph::Parallel parallel_from_name(const std::string& name) {
  if (name == "min") return graph::Parallel::min;
  if (name == "first") return graph::Parallel::first;
  if (name == "last") return graph::Parallel::last;
  throw std::invalid_argument("parallel is 'min', 'first' or 'last'");
}

template <class Body>
auto with_index_type(const AnyVector& array, Body&& body) {
  return with_type<std::int32_t, std::int64_t>(array, "vertices must be int32 or int64", body);
}

using Built = Tuple<Returned<std::int64_t>, Returned<std::int32_t>, std::optional<AnyReturned>>;

// weights: null for graph::NoWeight.
template <class Index, class Weight>
Built build(std::int64_t n, const Index* tails, const Index* heads, const Weight* weights, std::int64_t links,
            bool undirected, graph::Parallel rule) {
  graph::CsrArrays<Weight> csr;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        csr = graph::csr_from_arcs(n, tails, heads, weights, links, undirected, rule, control);
      },
      1, n + links);
  nb::object kept = nb::none();
  if constexpr (!std::is_same_v<Weight, graph::NoWeight>) kept = to_numpy(std::move(csr.weights));
  return nb::make_tuple(to_numpy(std::move(csr.indptr)), to_numpy(std::move(csr.indices)), kept);
}

Built csr_from_arcs(std::int64_t n, const AnyVector& tails, const AnyVector& heads, const AnyWeights& weights,
                    bool undirected, const std::string& parallel) {
  require(tails.size() == heads.size(), "tails and heads differ in length");
  require(!weights || weights->size() == tails.size(), "tails and weights differ in length");
  const auto rule = parallel_from_name(parallel);
  const auto links = static_cast<std::int64_t>(tails.size());
  return with_index_type(tails, [&]<class Index>(Index) {
    const auto *from = elements<Index>(tails), *to = elements<Index>(heads);
    if (!weights) return build<Index, graph::NoWeight>(n, from, to, nullptr, links, undirected, rule);
    return with_weight_type(*weights, [&]<class Weight>(Weight) {
      return build(n, from, to, elements<Weight>(*weights), links, undirected, rule);
    });
  });
}

// None if the arrays are not those of a graph, or some weight is not a finite number: the caller raises the
// error.
std::optional<Tuple<Returned<std::int64_t>, Returned<std::int32_t>, AnyReturned>> csr_from_rows(
    const AnyVector& indptr, const AnyVector& indices, const AnyVector& weights, bool undirected) {
  if (indptr.size() == 0 || indices.size() != weights.size()) return std::nullopt;
  const auto n = static_cast<std::int64_t>(indptr.size()) - 1, m = static_cast<std::int64_t>(indices.size());
  using Found = std::optional<Tuple<Returned<std::int64_t>, Returned<std::int32_t>, AnyReturned>>;
  return with_index_type(indptr, [&]<class Index>(Index) {
    return with_weight_type(weights, [&]<class Weight>(Weight) -> Found {
      const auto *starts = elements<Index>(indptr), *heads = elements<Index>(indices);
      const auto* lengths = elements<Weight>(weights);
      std::optional<graph::CsrArrays<Weight>> csr;
      run_monitored(
          nb::none(),
          [&](Control& control) {
            csr = graph::csr_from_rows(n, starts, heads, lengths, m, undirected, control);
          },
          1, n + m);
      if (!csr) return std::nullopt;
      return nb::make_tuple(to_numpy(std::move(csr->indptr)), to_numpy(std::move(csr->indices)),
                            to_numpy(std::move(csr->weights)));
    });
  });
}

Tuple<Number, Number, double, bool> arc_facts(const ArcArrays& arcs) {
  return with_weight_type(arcs.weights(), [&]<class Weight>(Weight) -> Tuple<Number, Number, double, bool> {
    const auto* lengths = arcs.lengths<Weight>();
    const graph::Csr& graph = arcs.csr();
    graph::ArcFacts<Weight> facts;
    run_monitored(
        nb::none(),
        [&](Control& control) {
          facts = graph::arc_facts(graph.n, graph.indptr, graph.indices, lengths, graph.m, control);
        },
        1, graph.n + graph.m);
    return nb::make_tuple(facts.smallest, facts.largest, facts.mean, facts.has_zero_arc);
  });
}

void reversed_arcs(const ArcArrays& arcs, const std::optional<AnyVector>& values,
                   const Numbers<std::int64_t>& into_indptr, const Numbers<std::int32_t>& into_indices,
                   const std::optional<nb::ndarray<nb::ndim<1>, nb::c_contig, Host>>& into_values) {
  const graph::Csr graph = arcs.without_zones();
  require_length(into_indptr, graph.n + 1, "into_indptr");
  require_length(into_indices, graph.m, "into_indices");
  require(values.has_value() == into_values.has_value(), "values must come with an array for them");
  const auto reverse = [&]<class Value>(Value) {
    const auto* from = elements_or_null<Value>(values);
    auto* to = into_values ? static_cast<Value*>(into_values->data()) : nullptr;
    run_monitored(
        nb::none(),
        [&](Control& control) {
          graph::reverse(graph, from, into_indptr.data(), into_indices.data(), to, control);
        },
        1, graph.n + graph.m);
  };
  if (!values) return reverse(std::int32_t{});
  require_length(*values, graph.m, "values");
  require_length(*into_values, graph.m, "into_values");
  require(values->dtype() == into_values->dtype(), "values and into_values must have the same dtype");
  with_type<std::int32_t, std::int64_t>(*values, "values must be int32 or int64", reverse);
}

Tuple<std::int64_t, Returned<std::int32_t>> weak_components(const ArcArrays& arcs) {
  const graph::Csr& graph = arcs.csr();
  std::vector<std::int32_t> labels(static_cast<std::size_t>(graph.n));
  std::int64_t count = 0;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        count = graph::weak(graph.n, graph.indptr, graph.indices, labels.data(), control);
      },
      1, graph.n + graph.m);
  return nb::make_tuple(count, to_numpy(std::move(labels)));
}

Tuple<Returned<std::int64_t>, Returned<std::int32_t>> grouped(const Input<std::int32_t>& group,
                                                              std::int64_t groups) {
  const auto n = static_cast<std::int64_t>(group.size());
  graph::check_vertices(group.data(), n, groups, "group");
  graph::Grouped found;
  run_monitored(nb::none(), [&](Control&) { found = graph::grouped(n, group.data(), groups); }, 1, n);
  return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.vertices)));
}

Tuple<Returned<std::int64_t>, Returned<std::int32_t>, Returned<std::int32_t>, Returned<std::int64_t>,
      Returned<std::int32_t>, Returned<std::int64_t>>
sorted_by(const ArcArrays& arcs, const Input<std::int32_t>& group, std::int64_t groups) {
  const graph::Csr graph = arcs.without_zones();
  require(static_cast<std::int64_t>(group.size()) == graph.n, "group must have n elements");
  graph::check_vertices(group.data(), graph.n, groups, "group");
  graph::Sorted found;
  run_monitored(
      nb::none(), [&](Control& control) { found = graph::sorted_by(graph, group.data(), groups, control); },
      1, graph.n + graph.m);
  return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.vertices)),
                        to_numpy(std::move(found.places)), to_numpy(std::move(found.indptr)),
                        to_numpy(std::move(found.indices)), to_numpy(std::move(found.arcs)));
}

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

char character(const std::string& text) {
  if (text.size() > 1) throw std::invalid_argument("a delimiter or comment mark is one byte");
  return text.empty() ? '\0' : text[0];
}

Tuple<nb::typed<nb::list, std::variant<Returned<std::int64_t>, Returned<double>>>, std::int64_t, std::int64_t,
      std::int64_t, std::string, std::int64_t, std::int64_t>
scan_columns(const nb::bytes& text, std::int64_t start, std::int64_t limit, const std::string& columns,
             const std::string& tag, const std::string& comments, const std::string& blanks,
             const std::string& delimiter, bool more, std::int64_t lowest, std::int64_t highest) {
  const graph::LineRules rules{columns, tag, comments, blanks, character(delimiter), more, lowest, highest};
  graph::Scan scan;
  run_monitored(nb::none(), [&, lines = view(text)](Control& control) {
    scan = graph::scan_columns(lines, start, limit, rules, control);
  });
  nb::list arrays;
  for (graph::Column& column : scan.columns) {
    if (column.floats)
      arrays.append(to_numpy(std::move(column.numbers)));
    else
      arrays.append(to_numpy(std::move(column.integers)));
  }
  return nb::make_tuple(arrays, scan.rows, scan.end, scan.lines, graph::fault_name(scan.fault), scan.fault_at,
                        scan.comments);
}

Tuple<Returned<std::int64_t>, Returned<std::int64_t>, std::int64_t, std::string, std::int64_t> scan_rows(
    const nb::bytes& text, const std::string& comment) {
  graph::IntegerLines rows;
  run_monitored(nb::none(), [&, lines = view(text), mark = character(comment)](Control& control) {
    rows = graph::scan_rows(lines, mark, control);
  });
  return nb::make_tuple(to_numpy(std::move(rows.integers)), to_numpy(std::move(rows.lengths)), rows.lines,
                        graph::fault_name(rows.fault), rows.fault_at);
}

}  // namespace

void bind_graph(nb::module_& m) {
  m.def("scan_columns", &scan_columns, "text"_a, "start"_a, "limit"_a, "columns"_a, "tag"_a, "comments"_a,
        "blanks"_a, "delimiter"_a, "more"_a, "lowest"_a, "highest"_a);
  m.def("scan_rows", &scan_rows, "text"_a, "comment"_a);
  m.def("csr_from_arcs", &csr_from_arcs, "n"_a, "tails"_a.noconvert(), "heads"_a.noconvert(),
        "weights"_a.noconvert().none(), "undirected"_a, "parallel"_a);
  m.def("csr_from_rows", &csr_from_rows, "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "weights"_a.noconvert(), "undirected"_a);
  m.def("arc_facts", &arc_facts, "arcs"_a);
  m.def("reversed_arcs", &reversed_arcs, "arcs"_a, "values"_a.noconvert().none(), "into_indptr"_a.noconvert(),
        "into_indices"_a.noconvert(), "into_values"_a.noconvert().none());
  m.def("weak_components", &weak_components, "arcs"_a,
        "(count, labels): weakly connected components, in the order of their first vertices.");
  m.def("grouped", &grouped, "group"_a.noconvert(), "groups"_a,
        "(first, vertices): the vertices in the order of groups, and where each group begins.");
  m.def("sorted_by", &sorted_by, "arcs"_a, "group"_a.noconvert(), "groups"_a,
        "(first, vertices, places, indptr, indices, arcs): the graph with its vertices in the order of "
        "groups.");
}

}  // namespace apsp::bindings
