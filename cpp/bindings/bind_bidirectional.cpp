// Python bindings of the search for one pair of vertices.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <variant>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/bidirectional.hpp"

namespace apsp::bindings {
namespace {

using Indptr = Vector<std::int64_t>;
using Indices = Vector<std::int32_t>;
using Marks = std::optional<Vector<bool>>;
using AnyWeights =
    std::variant<std::monostate, Vector<std::int32_t>, Vector<std::int64_t>, Vector<float>, Vector<double>>;

struct AnySearch {
  virtual ~AnySearch() = default;
  virtual nb::object path(std::int32_t source, std::int32_t target) = 0;
};

template <class Label, class Weight>
struct Search final : AnySearch {
  Search(const graph::Csr& forward, const Weight* weights, const graph::Csr& backward,
         const Weight* backward_weights, double largest)
      : search(forward, weights, backward, backward_weights, static_cast<Label>(largest)),
        steps(forward.n + forward.m) {}

  nb::object path(std::int32_t source, std::int32_t target) override {
    std::vector<std::int32_t> vertices;
    Label length{};
    run_monitored(
        nb::none(), [&](Control& control) { vertices = search.path(source, target, length, control); }, 1,
        steps);
    if (vertices.empty()) return nb::none();
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
    require(weights.index() == backward_weights.index(), "both directions must have weights of one type");
    std::visit(
        [&]<class Given>(const Given& given) {
          if constexpr (std::is_same_v<Given, std::monostate>) {
            search = std::make_unique<Search<std::int64_t, std::int32_t>>(forward, nullptr, backward, nullptr,
                                                                          largest);
          } else {
            using Weight = std::remove_const_t<typename Given::Scalar>;
            using Label = std::conditional_t<std::is_floating_point_v<Weight>, double, std::int64_t>;
            const auto& other = std::get<Given>(backward_weights);
            require_shape(given, forward.m, "weights");
            require_shape(other, backward.m, "backward_weights");
            search = std::make_unique<Search<Label, Weight>>(forward, given.data(), backward, other.data(),
                                                             largest);
          }
        },
        weights);
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
      .def("path", [](BidirectionalSearch& self, std::int32_t source, std::int32_t target) {
        return self.search->path(source, target);
      });
}

}  // namespace apsp::bindings
