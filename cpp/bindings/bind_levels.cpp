// Binds cpp/searches/levels.hpp: breadth-first searches from sources that are chosen one after another.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <cstdint>
#include <optional>

#include "bindings/arc_arrays.hpp"
#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/levels.hpp"

namespace apsp::bindings {
namespace {

// Vertices and arcs of a search that take as long as a step of `is_brief`; about as many searches take as
// long as a word of them.
constexpr std::int64_t kPerStep = 8;

// Searches that read two arrays of arcs, which the caller keeps alive.
struct Levels {
  graph::Csr out, into;
  searches::KeptLevels levels;

  Levels(const ArcArrays& arcs, const ArcArrays& reversed)
      : out(arcs.without_zones()), into(checked(out, reversed.without_zones())), levels(out, into) {}

  std::int64_t steps() const noexcept { return (out.n + out.m) / kPerStep; }

 private:
  static graph::Csr checked(const graph::Csr& out, const graph::Csr& into) {
    require(into.n == out.n && into.m == out.m, "the reversed arcs must be as many");
    return into;
  }
};

}  // namespace

void bind_levels(nb::module_& m) {
  nb::class_<Levels>(m, "KeptLevels")
      .def(nb::init<const ArcArrays&, const ArcArrays&>(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
           nb::arg("arcs"), nb::arg("reversed"))
      .def(
          "rows",
          [](const Levels& self, const RowArrays& rows, int threads) {
            const auto request = rows.request<std::int32_t>(self.out.n);
            run_monitored(
                nb::none(), [&](Control& control) { self.levels.rows(request, threads, control); },
                request.count, self.steps());
          },
          nb::arg("rows"), nb::arg("threads") = 1)
      .def(
          "farthest",
          [](const Levels& self, const Vector<std::int32_t>& sources,
             const nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, Host>& distances, int threads) {
            const auto count = static_cast<std::int64_t>(sources.shape(0));
            require(static_cast<std::int64_t>(distances.shape(0)) == count,
                    "distances must have one element per source");
            run_monitored(
                nb::none(),
                [&](Control& control) {
                  self.levels.farthest(sources.data(), count, distances.data(), threads, control);
                },
                (count + searches::KeptLevels::kAtOnce - 1) / searches::KeptLevels::kAtOnce * kPerStep,
                self.steps());
          },
          nb::kw_only(), nb::arg("sources").noconvert(), nb::arg("distances").noconvert(),
          nb::arg("threads") = 1);
}

}  // namespace apsp::bindings
