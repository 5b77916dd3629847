// Python bindings of the search for one pair of vertices.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
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
  // The caller keeps both alive.
  BidirectionalSearch(const ArcArrays& forward, const ArcArrays& backward, double largest) {
    require(forward.n() == backward.n() && forward.m() == backward.m(),
            "both directions must have the same arcs");
    require(forward.is_weighted() == backward.is_weighted(), "both directions must have weights, or none");
    const auto make = [&]<class Weight>(Weight) {
      using Label = std::conditional_t<std::is_floating_point_v<Weight>, double, std::int64_t>;
      search = std::make_unique<Search<Label, Weight>>(forward.csr(), forward.lengths_or_null<Weight>(),
                                                       backward.csr(), backward.lengths_or_null<Weight>(),
                                                       largest);
    };
    if (forward.is_weighted())
      with_weight_type(forward.weights(), make);
    else
      make(std::int32_t{});
  }

  std::unique_ptr<AnySearch> search;
};

}  // namespace

void bind_bidirectional(nb::module_& m) {
  nb::class_<BidirectionalSearch>(m, "BidirectionalSearch")
      .def(nb::init<const ArcArrays&, const ArcArrays&, double>(), nb::keep_alive<1, 2>(),
           nb::keep_alive<1, 3>(), nb::arg("forward"), nb::arg("backward"), nb::arg("largest"))
      .def(
          "path",
          [](BidirectionalSearch& self, std::int32_t source, std::int32_t target) {
            return self.search->path(source, target);
          },
          nb::arg("source"), nb::arg("target"));
}

}  // namespace apsp::bindings
