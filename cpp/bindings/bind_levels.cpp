// Binds cpp/searches/levels.hpp: breadth-first searches from sources that are chosen one after another.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <optional>

#include "bindings/arrays.hpp"
#include "bindings/csr_arrays.hpp"
#include "bindings/monitor.hpp"
#include "searches/levels.hpp"

namespace apsp::bindings {
namespace {

// Vertices and arcs of a search that take as long as a step of `is_brief`; about as many searches take as
// long as a word of them.
constexpr std::int64_t kPerStep = 8;

// The arrays, and searches that read them.
struct LevelArrays {
  Vector<std::int64_t> indptr, into_indptr;
  Vector<std::int32_t> indices, into_indices;
  graph::Csr out, into;
  searches::KeptLevels levels;

  LevelArrays(const Vector<std::int64_t>& starts, const Vector<std::int32_t>& heads,
              const Vector<std::int64_t>& into_starts, const Vector<std::int32_t>& tails)
      : indptr(starts),
        into_indptr(into_starts),
        indices(heads),
        into_indices(tails),
        out(csr(indptr, indices, std::nullopt)),
        into(checked(out, csr(into_indptr, into_indices, std::nullopt))),
        levels(out, into) {}

  std::int64_t steps() const noexcept { return (out.n + out.m) / kPerStep; }

 private:
  static graph::Csr checked(const graph::Csr& out, const graph::Csr& into) {
    require(into.n == out.n && into.m == out.m, "the reversed arcs must be as many");
    return into;
  }
};

}  // namespace

void bind_levels(nb::module_& m) {
  nb::class_<LevelArrays>(m, "KeptLevels")
      .def(nb::init<const Vector<std::int64_t>&, const Vector<std::int32_t>&, const Vector<std::int64_t>&,
                    const Vector<std::int32_t>&>(),
           nb::kw_only(), nb::arg("indptr").noconvert(), nb::arg("indices").noconvert(),
           nb::arg("into_indptr").noconvert(), nb::arg("into_indices").noconvert())
      .def(
          "rows",
          [](const LevelArrays& self, const Vector<std::int32_t>& sources, const Rows<std::int32_t>& dist,
             int threads) {
            const auto request =
                row_request<std::int32_t>(self.out, sources, std::nullopt, std::nullopt, dist, std::nullopt);
            run_monitored(
                nb::none(), [&](Control& control) { self.levels.rows(request, threads, control); },
                request.count, self.steps());
          },
          nb::kw_only(), nb::arg("sources").noconvert(), nb::arg("dist").noconvert(), nb::arg("threads") = 1)
      .def(
          "farthest",
          [](const LevelArrays& self, const Vector<std::int32_t>& sources,
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
