// cpp/published: the plain CPU programs that are baselines in the literature.
#include <nanobind/stl/pair.h>

#include <stdexcept>
#include <utility>

#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "published/plain_floyd_warshall.hpp"

namespace apsp::bindings {
namespace {

// Runs kernel(view, control) on a square page; -1, or the vertex on a negative closed walk that it returns.
template <class Kernel>
std::int64_t close_page(const AnyMatrix& page, const Progress& progress, Kernel&& kernel) {
  std::int64_t bad_vertex = -1;
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    if (view.rows != view.columns) throw std::invalid_argument("only a square page can be closed");
    run_monitored(progress, [&](Control& control) { bad_vertex = kernel(view, control); });
  });
  return bad_vertex;
}

std::int64_t sequential(const AnyMatrix& page, const Progress& progress) {
  return close_page(page, progress, [&]<class T>(graph::Matrix<T> view, Control& control) {
    return published::close_sequential(view, control);
  });
}

std::int64_t blocked(const AnyMatrix& page, std::int64_t block, const Progress& progress) {
  if (block < 1) throw std::invalid_argument("a block has at least 1 row");
  return close_page(page, progress, [&]<class T>(graph::Matrix<T> view, Control& control) {
    return published::close_blocked(view, block, control);
  });
}

}  // namespace

void bind_published(nb::module_& m) {
  using namespace nb::literals;
  m.def("published_close_sequential", &sequential, "page"_a, "progress"_a.none() = nb::none(),
        "Three plain loops; -1, or a vertex on a negative closed walk.");
  m.def("published_close_blocked", &blocked, "page"_a, "block"_a, "progress"_a.none() = nb::none(),
        "The same in blocks, on one thread.");
}

}  // namespace apsp::bindings
