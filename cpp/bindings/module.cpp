// The Python module apsp._cpu: one bind_* function for each folder of kernels.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

#include "bindings/interpreter.hpp"
#include "runtime/isa.hpp"

namespace nb = nanobind;

namespace apsp::bindings {

void bind_arrays(nb::module_& m);
void bind_adjacency(nb::module_& m);
void bind_alternatives(nb::module_& m);
void bind_facts(nb::module_& m);
void bind_graph(nb::module_& m);
void bind_pareto(nb::module_& m);
void bind_paths(nb::module_& m);
void bind_places(nb::module_& m);
void bind_searches(nb::module_& m);
void bind_near_pairs(nb::module_& m);
void bind_levels(nb::module_& m);
void bind_label_correcting(nb::module_& m);
void bind_floyd_warshall(nb::module_& m);
void bind_batch(nb::module_& m);
void bind_product(nb::module_& m);
void bind_measures(nb::module_& m);
void bind_implied(nb::module_& m);
void bind_groups(nb::module_& m);
void bind_closure(nb::module_& m);
void bind_elimination(nb::module_& m);
void bind_elimination_changes(nb::module_& m);
void bind_elimination_pairs(nb::module_& m);
void bind_elimination_labels(nb::module_& m);
void bind_counts(nb::module_& m);
void bind_flows(nb::module_& m);
void bind_bidirectional(nb::module_& m);
void bind_cut(nb::module_& m);
void bind_simple_paths(nb::module_& m);
void bind_departures(nb::module_& m);
void bind_skims(nb::module_& m);
void bind_layouts(nb::module_& m);
void bind_published(nb::module_& m);

void bind_runtime(nb::module_& m) {
  m.def(
      "best_isa", [] { return std::string(isa_name(best_isa())); },
      "The best instruction set of this machine.");
  m.def("isa", [] { return std::string(isa_name(isa())); }, "The instruction set in force.");
  m.def(
      "set_isa", [](const std::string& name) { set_isa(isa_from_name(name)); }, nb::arg("name"),
      "Use 'baseline', 'avx2' or 'avx512' kernels from now on; ValueError if this machine lacks it.");
}

}  // namespace apsp::bindings

NB_MODULE(_cpu, m) {
  m.doc() =
      "The CPU kernels of apsp (C++20). Arrays come in validated: see the Python module that calls each "
      "function.";
  apsp::bindings::prepare_interpreter();
  apsp::bindings::bind_runtime(m);
  apsp::bindings::bind_arrays(m);  // first: signatures name its classes
  apsp::bindings::bind_adjacency(m);
  apsp::bindings::bind_alternatives(m);
  apsp::bindings::bind_facts(m);
  apsp::bindings::bind_graph(m);
  apsp::bindings::bind_pareto(m);
  apsp::bindings::bind_paths(m);
  apsp::bindings::bind_places(m);
  apsp::bindings::bind_searches(m);
  apsp::bindings::bind_near_pairs(m);
  apsp::bindings::bind_levels(m);
  apsp::bindings::bind_label_correcting(m);
  apsp::bindings::bind_floyd_warshall(m);
  apsp::bindings::bind_batch(m);
  apsp::bindings::bind_product(m);
  apsp::bindings::bind_measures(m);
  apsp::bindings::bind_implied(m);
  apsp::bindings::bind_groups(m);
  apsp::bindings::bind_closure(m);
  apsp::bindings::bind_elimination(m);
  apsp::bindings::bind_elimination_changes(m);
  apsp::bindings::bind_elimination_pairs(m);
  apsp::bindings::bind_elimination_labels(m);
  apsp::bindings::bind_counts(m);
  apsp::bindings::bind_flows(m);
  apsp::bindings::bind_bidirectional(m);
  apsp::bindings::bind_cut(m);
  apsp::bindings::bind_simple_paths(m);
  apsp::bindings::bind_departures(m);
  apsp::bindings::bind_skims(m);
  apsp::bindings::bind_layouts(m);
  apsp::bindings::bind_published(m);
}
