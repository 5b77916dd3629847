// Binds the groups of arrays that functions of several folders take.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include "bindings/arc_arrays.hpp"
#include "bindings/row_sums.hpp"
#include "bindings/weighings.hpp"

namespace apsp::bindings {

using namespace nb::literals;

void bind_arrays(nb::module_& m) {
  nb::class_<ArcArrays>(m, "ArcArrays",
                        "The arcs of a graph, as kernels read them; the arrays must not change.")
      .def(nb::init<Indptr, Indices, AnyWeights, Marks>(), "indptr"_a.noconvert(), "indices"_a.noconvert(),
           "weights"_a.noconvert() = nb::none(), "zones"_a.noconvert() = nb::none());
  nb::class_<RowArrays>(m, "RowArrays", "A request for rows, and the arrays that are written.")
      .def(nb::init<Indices, AnyMatrix, std::optional<Rows<std::int32_t>>, std::optional<Indices>,
                    std::optional<Number>>(),
           "sources"_a.noconvert(), "dist"_a.noconvert(), "pred"_a.noconvert() = nb::none(),
           "targets"_a.noconvert() = nb::none(), "cutoff"_a = nb::none());
  nb::class_<SumArrays>(m, "SumArrays", "What is summed up of the rows of some sources.")
      .def(nb::init<Vector<std::int32_t>, Numbers<std::int64_t>, Numbers<std::int64_t>, Numbers<double>,
                    Numbers<std::int32_t>, Numbers<std::int32_t>>(),
           nb::kw_only(), "sources"_a.noconvert(), "reached"_a.noconvert(), "total"_a.noconvert(),
           "reciprocals"_a.noconvert(), "largest"_a.noconvert(), "farthest"_a.noconvert());
  nb::class_<WeighingArrays>(m, "WeighingArrays", "Sums of amounts over distances, and what is summed up.")
      .def(nb::init<Amounts, AnyVector, DecayNumbers, WeighedSums>(), nb::kw_only(), "amounts"_a.noconvert(),
           "cutoffs"_a.noconvert(), "decay"_a, "sums"_a.noconvert());
}

}  // namespace apsp::bindings
