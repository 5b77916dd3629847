// cpp/published: the plain CPU programs that the literature measures against.
#include <nanobind/stl/pair.h>

#include <stdexcept>
#include <utility>

#include "bindings/matrices.hpp"
#include "bindings/monitor.hpp"
#include "published/plain_floyd_warshall.hpp"

namespace apsp::bindings {
namespace {

// Runs kernel(view, control) -> dense::Closed on a square page.
template <class Kernel>
std::pair<std::int64_t, bool> close_page(const AnyMatrix& page, const nb::object& progress, Kernel&& kernel) {
  dense::Closed closed;
  with_distance_type(page, [&]<class T>(T) {
    const auto view = matrix_view<T>(page);
    if (view.rows != view.columns) throw std::invalid_argument("only a square page can be closed");
    run_monitored(progress, [&](Control& control) { closed = kernel(view, control); });
  });
  return {closed.bad_vertex, closed.rounded};
}

std::pair<std::int64_t, bool> sequential(const AnyMatrix& page, double slack, const nb::object& progress) {
  return close_page(page, progress, [&]<class T>(dense::Matrix<T> view, Control& control) {
    return published::close_sequential(view, slack, control);
  });
}

std::pair<std::int64_t, bool> blocked(const AnyMatrix& page, std::int64_t block, double slack,
                                      const nb::object& progress) {
  if (block < 1) throw std::invalid_argument("a block has at least 1 row");
  return close_page(page, progress, [&]<class T>(dense::Matrix<T> view, Control& control) {
    return published::close_blocked(view, block, slack, control);
  });
}

}  // namespace

void bind_published(nb::module_& m) {
  using namespace nb::literals;
  m.def("published_close_sequential", &sequential, "page"_a, "slack"_a, "progress"_a.none() = nb::none(),
        "Three plain loops; (a vertex on a negative closed walk or -1, whether rounding was forgiven).");
  m.def("published_close_blocked", &blocked, "page"_a, "block"_a, "slack"_a, "progress"_a.none() = nb::none(),
        "The same in blocks, on one thread.");
}

}  // namespace apsp::bindings
