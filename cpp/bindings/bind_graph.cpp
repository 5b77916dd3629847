// apsp._cpu: building graphs.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/monitor.hpp"
#include "graph/csr.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace apsp::bindings {
namespace {

template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Hands a vector's memory to NumPy without a copy.
template <class T>
nb::object to_numpy(std::vector<T>&& values) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* data = owned->data();
  const std::size_t size = owned->size();
  nb::capsule owner(owned.release(), [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::ndarray<nb::numpy, T, nb::ndim<1>>(data, {size}, owner).cast();
}

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
  graph::Csr<Weight> csr;
  run_monitored(nb::none(), [&](Control& control) {
    csr = graph::csr_from_arcs(n, tails.data(), heads.data(), weights, static_cast<std::int64_t>(tails.size()),
                               undirected, rule, control);
  });
  nb::object kept = nb::none();
  if constexpr (!std::is_same_v<Weight, graph::NoWeight>) kept = to_numpy(std::move(csr.weights));
  return nb::make_tuple(to_numpy(std::move(csr.indptr)), to_numpy(std::move(csr.indices)), kept);
}

template <class Index, class Weight>
nb::tuple csr_weighted(std::int64_t n, const Input<Index>& tails, const Input<Index>& heads,
                       const Input<Weight>& weights, bool undirected, const std::string& parallel) {
  if (weights.size() != tails.size()) throw std::invalid_argument("tails and weights differ in length");
  return build(n, tails, heads, weights.data(), undirected, parallel);
}

template <class Index>
nb::tuple csr_hops(std::int64_t n, const Input<Index>& tails, const Input<Index>& heads, const nb::object& weights,
                   bool undirected, const std::string& parallel) {
  if (!weights.is_none()) throw nb::next_overload();
  return build<Index, graph::NoWeight>(n, tails, heads, nullptr, undirected, parallel);
}

template <class Index>
void bind_csr(nb::module_& m) {
  const auto define = [&m](auto function) {
    m.def("csr_from_arcs", function, "n"_a, "tails"_a.noconvert(), "heads"_a.noconvert(), "weights"_a.noconvert(),
          "undirected"_a, "parallel"_a);
  };
  m.def("csr_from_arcs", &csr_hops<Index>, "n"_a, "tails"_a.noconvert(), "heads"_a.noconvert(),
        "weights"_a.none(), "undirected"_a, "parallel"_a);
  define(&csr_weighted<Index, std::int32_t>);
  define(&csr_weighted<Index, std::int64_t>);
  define(&csr_weighted<Index, float>);
  define(&csr_weighted<Index, double>);
}

}  // namespace

void bind_graph(nb::module_& m) {
  bind_csr<std::int32_t>(m);
  bind_csr<std::int64_t>(m);
}

}  // namespace apsp::bindings
