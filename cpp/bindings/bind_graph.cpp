// apsp._cpu: building graphs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
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
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

graph::Parallel parallel_from_name(const std::string& name) {
  if (name == "min") return graph::Parallel::min;
  if (name == "first") return graph::Parallel::first;
  if (name == "last") return graph::Parallel::last;
  throw std::invalid_argument("parallel is 'min', 'first' or 'last'");
}

template <class Index, class Weight>
nb::tuple build(std::int64_t n, const Input<Index>& tails, const Input<Index>& heads, const Weight* weights,
                bool undirected, const std::string& parallel) {
  if (tails.size() != heads.size()) throw std::invalid_argument("tails and heads differ in length");
  const auto rule = parallel_from_name(parallel);
  graph::CsrArrays<Weight> csr;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        csr = graph::csr_from_arcs(n, tails.data(), heads.data(), weights,
                                   static_cast<std::int64_t>(tails.size()), undirected, rule, control);
      },
      1, n + static_cast<std::int64_t>(tails.size()));
  nb::object kept = nb::none();
  if constexpr (!std::is_same_v<Weight, graph::NoWeight>) kept = to_numpy(std::move(csr.weights));
  return nb::make_tuple(to_numpy(std::move(csr.indptr)), to_numpy(std::move(csr.indices)), kept);
}

// None if the arrays are not those of a graph, or some weight is not a finite number: the caller raises the
// error.
template <class Index, class Weight>
nb::object from_rows(const Input<Index>& indptr, const Input<Index>& indices, const Input<Weight>& weights,
                     bool undirected) {
  if (indptr.size() == 0 || indices.size() != weights.size()) return nb::none();
  const auto n = static_cast<std::int64_t>(indptr.size()) - 1;
  std::optional<graph::CsrArrays<Weight>> csr;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        csr = graph::csr_from_rows(n, indptr.data(), indices.data(), weights.data(),
                                   static_cast<std::int64_t>(indices.size()), undirected, control);
      },
      1, n + static_cast<std::int64_t>(indices.size()));
  if (!csr) return nb::none();
  return nb::make_tuple(to_numpy(std::move(csr->indptr)), to_numpy(std::move(csr->indices)),
                        to_numpy(std::move(csr->weights)));
}

template <class Index>
void bind_from_rows(nb::module_& m) {
  const auto define = [&m](auto function) {
    m.def("csr_from_rows", function, "indptr"_a.noconvert(), "indices"_a.noconvert(), "weights"_a.noconvert(),
          "undirected"_a);
  };
  define(&from_rows<Index, std::int32_t>);
  define(&from_rows<Index, std::int64_t>);
  define(&from_rows<Index, float>);
  define(&from_rows<Index, double>);
}

template <class Weight>
nb::tuple arc_facts(const Input<std::int64_t>& indptr, const Input<std::int32_t>& indices,
                    const Input<Weight>& weights) {
  if (indptr.size() == 0 || indices.size() != weights.size())
    throw std::invalid_argument("indptr must have n + 1 elements, and indices and weights m");
  const auto n = static_cast<std::int64_t>(indptr.size()) - 1, m = static_cast<std::int64_t>(indices.size());
  graph::ArcFacts<Weight> facts;
  run_monitored(
      nb::none(),
      [&](Control& control) {
        facts = graph::arc_facts(n, indptr.data(), indices.data(), weights.data(), m, control);
      },
      1, n + m);
  return nb::make_tuple(facts.smallest, facts.largest, facts.mean, facts.has_zero_arc);
}

template <class T>
using Output = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Value>
void bind_reversed_arcs(nb::module_& m) {
  m.def(
      "reversed_arcs",
      [](const Input<std::int64_t>& indptr, const Input<std::int32_t>& indices,
         const std::optional<Input<Value>>& values, const Output<std::int64_t>& into_indptr,
         const Output<std::int32_t>& into_indices, const std::optional<Output<Value>>& into_values) {
        if (indptr.size() == 0 || into_indptr.size() != indptr.size() ||
            into_indices.size() != indices.size() || values.has_value() != into_values.has_value() ||
            (values && (values->size() != indices.size() || into_values->size() != indices.size())))
          throw std::invalid_argument("indptr must have n + 1 elements, and indices and values m");
        const graph::Csr graph{static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data(),
                               static_cast<std::int64_t>(indices.size()), nullptr};
        run_monitored(
            nb::none(),
            [&](Control& control) {
              graph::reverse(graph, values ? values->data() : nullptr, into_indptr.data(),
                             into_indices.data(), into_values ? into_values->data() : nullptr, control);
            },
            1, graph.n + graph.m);
      },
      "indptr"_a.noconvert(), "indices"_a.noconvert(), "values"_a.noconvert().none(),
      "into_indptr"_a.noconvert(), "into_indices"_a.noconvert(), "into_values"_a.noconvert().none());
}

graph::Csr arcs_of(const Input<std::int64_t>& indptr, const Input<std::int32_t>& indices) {
  require(indptr.size() > 0, "indptr must have n + 1 elements");
  return {static_cast<std::int64_t>(indptr.size()) - 1, indptr.data(), indices.data(),
          static_cast<std::int64_t>(indices.size()), nullptr};
}

nb::tuple weak_components(const Input<std::int64_t>& indptr, const Input<std::int32_t>& indices) {
  const graph::Csr graph = arcs_of(indptr, indices);
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

nb::tuple grouped(const Input<std::int32_t>& group, std::int64_t groups) {
  const auto n = static_cast<std::int64_t>(group.size());
  graph::check_vertices(group.data(), n, groups, "group");
  graph::Grouped found;
  run_monitored(nb::none(), [&](Control&) { found = graph::grouped(n, group.data(), groups); }, 1, n);
  return nb::make_tuple(to_numpy(std::move(found.first)), to_numpy(std::move(found.vertices)));
}

nb::tuple sorted_by(const Input<std::int64_t>& indptr, const Input<std::int32_t>& indices,
                    const Input<std::int32_t>& group, std::int64_t groups) {
  const graph::Csr graph = arcs_of(indptr, indices);
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

template <class Index, class Weight>
nb::tuple csr_weighted(std::int64_t n, const Input<Index>& tails, const Input<Index>& heads,
                       const Input<Weight>& weights, bool undirected, const std::string& parallel) {
  if (weights.size() != tails.size()) throw std::invalid_argument("tails and weights differ in length");
  return build(n, tails, heads, weights.data(), undirected, parallel);
}

template <class Index>
nb::tuple csr_hops(std::int64_t n, const Input<Index>& tails, const Input<Index>& heads,
                   const nb::object& weights, bool undirected, const std::string& parallel) {
  if (!weights.is_none()) throw nb::next_overload();
  return build<Index, graph::NoWeight>(n, tails, heads, nullptr, undirected, parallel);
}

template <class Index>
void bind_csr(nb::module_& m) {
  const auto define = [&m](auto function) {
    m.def("csr_from_arcs", function, "n"_a, "tails"_a.noconvert(), "heads"_a.noconvert(),
          "weights"_a.noconvert(), "undirected"_a, "parallel"_a);
  };
  m.def("csr_from_arcs", &csr_hops<Index>, "n"_a, "tails"_a.noconvert(), "heads"_a.noconvert(),
        "weights"_a.none(), "undirected"_a, "parallel"_a);
  define(&csr_weighted<Index, std::int32_t>);
  define(&csr_weighted<Index, std::int64_t>);
  define(&csr_weighted<Index, float>);
  define(&csr_weighted<Index, double>);
}

std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

char character(const std::string& text) {
  if (text.size() > 1) throw std::invalid_argument("a delimiter or comment mark is one byte");
  return text.empty() ? '\0' : text[0];
}

nb::tuple scan_columns(const nb::bytes& text, std::int64_t start, std::int64_t limit,
                       const std::string& columns, const std::string& tag, const std::string& comments,
                       const std::string& blanks, const std::string& delimiter, bool more,
                       std::int64_t lowest, std::int64_t highest) {
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

nb::tuple scan_rows(const nb::bytes& text, const std::string& comment) {
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
  bind_csr<std::int32_t>(m);
  bind_csr<std::int64_t>(m);
  bind_from_rows<std::int32_t>(m);
  bind_from_rows<std::int64_t>(m);
  const auto define = [&m](auto function) {
    m.def("arc_facts", function, "indptr"_a.noconvert(), "indices"_a.noconvert(), "weights"_a.noconvert());
  };
  define(&arc_facts<std::int32_t>);
  define(&arc_facts<std::int64_t>);
  define(&arc_facts<float>);
  define(&arc_facts<double>);
  bind_reversed_arcs<std::int32_t>(m);
  bind_reversed_arcs<std::int64_t>(m);
  m.def("weak_components", &weak_components, "indptr"_a.noconvert(), "indices"_a.noconvert(),
        "(count, labels): weakly connected components, in the order of their first vertices.");
  m.def("grouped", &grouped, "group"_a.noconvert(), "groups"_a,
        "(first, vertices): the vertices in the order of groups, and where each group begins.");
  m.def("sorted_by", &sorted_by, "indptr"_a.noconvert(), "indices"_a.noconvert(), "group"_a.noconvert(),
        "groups"_a,
        "(first, vertices, places, indptr, indices, arcs): the graph with its vertices in the order of "
        "groups.");
}

}  // namespace apsp::bindings
