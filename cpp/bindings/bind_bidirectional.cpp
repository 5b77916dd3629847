// Python bindings of the search for one pair of vertices.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "searches/bidirectional.hpp"

namespace apsp::bindings {
namespace {

using Path = Tuple<Number, Returned<std::int32_t>>;

struct AnySearch {
  virtual ~AnySearch() = default;
  virtual std::optional<Path> path(std::int32_t source, std::int32_t target) = 0;
};

template <class Label, class Weight>
struct Search final : AnySearch {
  Search(const graph::Csr& forward, const Weight* weights, const graph::Csr& backward,
         const Weight* backward_weights, double largest)
      : search(forward, weights, backward, backward_weights, static_cast<Label>(largest)),
        steps(forward.n + forward.m) {}

  std::optional<Path> path(std::int32_t source, std::int32_t target) override {
    std::vector<std::int32_t> vertices;
    Label length{};
    run_monitored(
        nb::none(), [&](Control& control) { vertices = search.path(source, target, length, control); }, 1,
        steps);
    if (vertices.empty()) return std::nullopt;
    return nb::make_tuple(length, to_numpy(std::move(vertices)));
  }

  searches::BidirectionalSearch<Label, Weight> search;
  std::int64_t steps;
};

struct BidirectionalSearch {
  BidirectionalSearch(const Indptr& indptr, const Indices& indices, const AnyWeights& weights,
                      const Indptr& backward_indptr, const Indices& backward_indices,
                      const AnyWeights& backward_weights, const Marks& zones, double largest)
      : kept(nb::make_tuple(indptr, indices, weights, backward_indptr, backward_indices, backward_weights,
                            zones)) {
    const graph::Csr forward = csr(indptr, indices, zones),
                     backward = csr(backward_indptr, backward_indices, zones);
    require(forward.n == backward.n && forward.m == backward.m, "both directions must have the same arcs");
    require(weights.has_value() == backward_weights.has_value(),
            "both directions must have weights, or none");
    if (weights) {
      require_length(*weights, forward.m, "weights");
      require_length(*backward_weights, backward.m, "backward_weights");
    }
    const auto make = [&]<class Weight>(Weight) {
      using Label = std::conditional_t<std::is_floating_point_v<Weight>, double, std::int64_t>;
      search = std::make_unique<Search<Label, Weight>>(forward, elements_or_null<Weight>(weights), backward,
                                                       elements_or_null<Weight>(backward_weights), largest);
    };
    if (weights)
      with_weight_type(*weights, make);
    else
      make(std::int32_t{});
  }

  nb::tuple kept;  // the arrays that the search reads
  std::unique_ptr<AnySearch> search;
};

}  // namespace

void bind_bidirectional(nb::module_& m) {
  nb::class_<BidirectionalSearch>(m, "BidirectionalSearch")
      .def(nb::init<const Indptr&, const Indices&, const AnyWeights&, const Indptr&, const Indices&,
                    const AnyWeights&, const Marks&, double>(),
           nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
           nb::arg("weights").noconvert().none(), nb::arg("backward_indptr").noconvert(),
           nb::arg("backward_indices").noconvert(), nb::arg("backward_weights").noconvert().none(),
           nb::arg("zones").noconvert().none(), nb::arg("largest"))
      .def(
          "path",
          [](BidirectionalSearch& self, std::int32_t source, std::int32_t target) {
            return self.search->path(source, target);
          },
          nb::arg("source"), nb::arg("target"));
}

}  // namespace apsp::bindings
