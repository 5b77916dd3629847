#include "searches/departures.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "runtime/team.hpp"
#include "searches/heap.hpp"

namespace apsp::searches {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

template <class Weight>
class ArrivalSearch {
 public:
  ArrivalSearch(const graph::Csr& graph, const Timetable<Weight>& table, bool keeps_parents)
      : graph_(graph),
        table_(table),
        arrivals_(static_cast<std::size_t>(graph.n)),
        parents_(keeps_parents ? static_cast<std::size_t>(graph.n) : 0),
        queue_(graph.n, arrivals_.data(), 0) {}

  // Until the arrivals at all vertices, or at so many with a mark, are final.
  void run(std::int32_t source, double departure, const std::vector<std::uint8_t>& marks, std::int64_t wanted,
           const Control& control) {
    std::fill(arrivals_.begin(), arrivals_.end(), kNever);
    std::fill(parents_.begin(), parents_.end(), -1);
    queue_.clear();
    arrivals_[source] = departure;
    queue_.lower(source, departure, kNever, true);
    std::int64_t taken = 0;
    for (std::int32_t u; (u = queue_.pop()) >= 0;) {
      if (!marks.empty() && marks[u] != 0 && --wanted == 0) return;
      if (u == source || !graph_.is_zone(u)) relax_arcs(u, source);
      if ((++taken & 0xfff) == 0) control.check();
    }
  }

  const std::vector<double>& arrivals() const noexcept { return arrivals_; }
  const std::vector<std::int32_t>& parents() const noexcept { return parents_; }

 private:
  void relax_arcs(std::int32_t u, std::int32_t source) {
    const double now = arrivals_[u];
    const Moment at = moment_at(table_, now);
    for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
      const double arrival = now + weight_at(table_.weights + a * table_.count, at);
      const std::int32_t v = graph_.indices[a];
      const double old = arrivals_[v];
      if (!(arrival < old) || v == source) continue;
      arrivals_[v] = arrival;
      if (!parents_.empty()) parents_[v] = u;
      queue_.lower(v, arrival, old, old == kNever);
    }
  }

  const graph::Csr& graph_;
  const Timetable<Weight>& table_;
  std::vector<double> arrivals_;
  std::vector<std::int32_t> parents_;
  HeapQueue<double> queue_;
};

}  // namespace

template <class Weight>
void earliest_arrivals(const graph::Csr& graph, const Timetable<Weight>& timetable, const double* departures,
                       const rows::RowRequest<double>& request, int threads, Control& control) {
  graph::check_csr(graph);
  rows::check_request(request, graph.n);
  std::vector<std::uint8_t> marks;
  std::int64_t wanted = 0;
  if (request.targets != nullptr && request.pred == nullptr && request.columns > 0) {
    marks.assign(static_cast<std::size_t>(graph.n), 0);
    for (std::int64_t i = 0; i < request.columns; ++i) {
      std::uint8_t& mark = marks[request.targets[i]];
      wanted += mark == 0;
      mark = 1;
    }
  }
  Team team(threads);
  std::vector<std::unique_ptr<ArrivalSearch<Weight>>> searches(static_cast<std::size_t>(team.size()));
  team.parallel_for(request.count, [&](std::int64_t row, int member) {
    control.check();
    auto& search = searches[static_cast<std::size_t>(member)];
    if (!search) search = std::make_unique<ArrivalSearch<Weight>>(graph, timetable, request.pred != nullptr);
    search->run(request.sources[row], departures[row], marks, wanted, control);
    const std::vector<double>& arrivals = search->arrivals();
    double* const out = request.dist + row * request.dist_stride;
    if (request.targets == nullptr)
      std::copy(arrivals.begin(), arrivals.end(), out);
    else
      for (std::int64_t i = 0; i < request.columns; ++i) out[i] = arrivals[request.targets[i]];
    if (request.pred != nullptr)
      std::copy(search->parents().begin(), search->parents().end(), request.pred + row * request.pred_stride);
    control.advance(1);
  });
}

template void earliest_arrivals(const graph::Csr&, const Timetable<std::int32_t>&, const double*,
                                const rows::RowRequest<double>&, int, Control&);
template void earliest_arrivals(const graph::Csr&, const Timetable<double>&, const double*,
                                const rows::RowRequest<double>&, int, Control&);

}  // namespace apsp::searches
