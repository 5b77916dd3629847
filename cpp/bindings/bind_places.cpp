// Binds cpp/places.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <limits>
#include <memory>
#include <variant>

#include "bindings/arrays.hpp"
#include "bindings/monitor.hpp"
#include "places/line_tree.hpp"

namespace apsp::bindings {
namespace {

using namespace nb::literals;

using PointRows = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, Host>;
using FoundPoints = nb::ndarray<double, nb::ndim<2>, nb::c_contig, Host>;

constexpr std::int64_t kStepsPerLine = 16;

struct AnyLineTree {
  AnyLineTree(const PointRows& begins, const PointRows& ends) {
    const auto count = static_cast<std::int64_t>(begins.shape(0));
    require(begins.shape(0) == ends.shape(0) && begins.shape(1) == ends.shape(1) && count > 0,
            "each line has a begin and an end");
    require(begins.shape(1) == 2 || begins.shape(1) == 3, "lines have two or three coordinates");
    run_monitored(
        nb::none(),
        [&](Control& control) {
          if (begins.shape(1) == 2)
            tree = std::make_unique<places::LineTree<2>>(begins.data(), ends.data(), count, control);
          else
            tree = std::make_unique<places::LineTree<3>>(begins.data(), ends.data(), count, control);
        },
        count, kStepsPerLine);
  }

  void nearest(const PointRows& points, double limit, const Numbers<std::int64_t>& lines,
               const Numbers<double>& fractions, const FoundPoints& places) const {
    const auto count = static_cast<std::int64_t>(points.shape(0));
    require_length(lines, count, "lines");
    require_length(fractions, count, "fractions");
    require(places.shape(0) == points.shape(0) && places.shape(1) == points.shape(1),
            "places must have the shape of points");
    std::visit(
        [&]<int D>(const std::unique_ptr<places::LineTree<D>>& of) {
          require(points.shape(1) == D, "points must have as many coordinates as the lines");
          std::int64_t done = 0;
          const auto some = [&](std::int64_t steps, Control& control) {
            done += of->nearest(points.data() + done * D, count - done, limit,
                                {lines.data() + done, fractions.data() + done, places.data() + done * D},
                                steps, control);
          };
          run_brief(nb::none(), [&](Control& control) { some(kBriefSteps, control); });
          if (done < count)
            run_monitored(nb::none(),
                          [&](Control& control) { some(std::numeric_limits<std::int64_t>::max(), control); });
        },
        tree);
  }

  std::variant<std::unique_ptr<places::LineTree<2>>, std::unique_ptr<places::LineTree<3>>> tree;
};

}  // namespace

void bind_places(nb::module_& m) {
  nb::class_<AnyLineTree>(m, "LineTree")
      .def(nb::init<const PointRows&, const PointRows&>(), "begins"_a.noconvert(), "ends"_a.noconvert())
      .def("nearest", &AnyLineTree::nearest, "points"_a.noconvert(), "limit"_a, nb::kw_only(),
           "lines"_a.noconvert(), "fractions"_a.noconvert(), "places"_a.noconvert())
      .def_prop_ro("nbytes", [](const AnyLineTree& self) {
        return std::visit([](const auto& of) { return of->bytes(); }, self.tree);
      });
}

}  // namespace apsp::bindings
