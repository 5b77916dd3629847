#include "elimination/near_pairs.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "elimination/near.hpp"
#include "graph/nearness.hpp"
#include "searches/near_lines.hpp"

namespace apsp::elimination {
namespace {

// What all threads read.
template <class T>
struct Sweeps {
  const Factored<T> factored;
  std::vector<Vertex> place, node;
  Slots slots;
  ChildLists children;

  explicit Sweeps(const Factored<T>& factored)
      : factored(factored),
        place(places_of(factored.tree)),
        node(nodes_of(factored.tree)),
        slots(factored.tree, node),
        children(factored.tree) {}
};

template <class T>
class NearBatch final : public searches::NearWorker<T> {
 public:
  static constexpr std::int64_t kLanes = 256 / static_cast<std::int64_t>(sizeof(T));

  NearBatch(const Sweeps<T>& sweeps, const rows::Arcs<T>& arcs, const searches::ArcCosts<T>& costs,
            const searches::NearRequest<T>& request)
      : tree_(sweeps.factored.tree),
        request_(request),
        bound_(std::min<T>(request.cutoff, semiring::Bounds<T>::kNoPath - 1)),
        near_(sweeps.factored, sweeps.place, sweeps.node, sweeps.slots, sweeps.children, kLanes, bound_),
        rows_(arcs, costs, request, false) {}

  // The rows of the sources with these numbers, at most kLanes.
  void search(searches::NearStock<T>& stock, const std::int64_t* numbers, std::int64_t count,
              Control& control) override {
    sources_.clear(), lines_.clear(), seen_.clear();
    for (std::int64_t lane = 0; lane < count; ++lane) sources_.push_back(request_.sources[numbers[lane]]);
    near_.run(sources_.data(), count, control, [&](const T* line, std::int64_t place) {
      lines_.insert(lines_.end(), line, line + kLanes);
      seen_.push_back(tree_.order[place]);
    });
    const auto columns = static_cast<std::int64_t>(seen_.size());
    number_.resize(seen_.size());
    std::iota(number_.begin(), number_.end(), 0);
    std::sort(number_.begin(), number_.end(), [&](Vertex a, Vertex b) { return seen_[a] < seen_[b]; });
    vertices_.clear();
    for (const Vertex i : number_) vertices_.push_back(seen_[i]);
    distances_.resize(static_cast<std::size_t>(columns * count));
    T* rows[kLanes];
    for (std::int64_t lane = 0; lane < count; ++lane) rows[lane] = distances_.data() + lane * columns;
    kernels<T>(true).read_off(lines_.data(), kLanes, count, number_.data(), columns,
                              semiring::just_beyond(bound_), semiring::kNoPath<T>, rows);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      control.check();
      rows_.add(stock, numbers[lane], vertices_.data(), rows[lane], 0, columns, control);
    }
    control.advance(count);
  }

 private:
  const TreeView& tree_;
  const searches::NearRequest<T>& request_;
  T bound_;
  Near<T> near_;
  searches::NearLines<T> rows_;
  std::vector<Vertex> sources_, seen_, number_, vertices_;  // seen_: the vertex of each line
  std::vector<T> lines_, distances_;
};

template <class T>
class NearSweeps final : public searches::NearFinder<T> {
 public:
  NearSweeps(const Factored<T>& factored, const graph::Csr& graph, const T* weights,
             const std::vector<Vertex>& order, const double* costs, int size)
      : sweeps_(factored), arcs_(graph, weights, order.data()), costs_(graph, weights, arcs_, costs, size) {}

  searches::NearPairs<T> find(const searches::NearRequest<T>& request, int threads,
                              Control& control) const override {
    searches::check_near(request, n(), costs());
    const std::int64_t share = (request.count + threads - 1) / std::max(threads, 1);
    return searches::collect_near<T>(
        request, costs(), sweeps_.place.data(), std::clamp<std::int64_t>(share, 1, NearBatch<T>::kLanes),
        threads, this->spare_, control,
        [&] { return std::make_unique<NearBatch<T>>(sweeps_, arcs_, costs_, request); });
  }

  std::int64_t n() const noexcept override { return arcs_.n(); }
  int costs() const noexcept override { return costs_.size(); }

 private:
  Sweeps<T> sweeps_;
  rows::Arcs<T> arcs_;
  searches::ArcCosts<T> costs_;
};

}  // namespace

template <class T>
std::unique_ptr<searches::NearFinder<T>> near_sweeps(const Factored<T>& factored, const graph::Csr& graph,
                                                     const T* weights, const double* costs, int size) {
  graph::check_csr(graph);
  if (!factored.nonnegative || graph.n != factored.tree.n)
    throw std::invalid_argument("arcs must not be negative, and the tree must be of this graph");
  return std::make_unique<NearSweeps<T>>(factored, graph, weights, graph::nearness_order(graph), costs, size);
}

template std::unique_ptr<searches::NearFinder<std::uint16_t>> near_sweeps(const Factored<std::uint16_t>&,
                                                                          const graph::Csr&,
                                                                          const std::uint16_t*, const double*,
                                                                          int);
template std::unique_ptr<searches::NearFinder<std::int32_t>> near_sweeps(const Factored<std::int32_t>&,
                                                                         const graph::Csr&,
                                                                         const std::int32_t*, const double*,
                                                                         int);

}  // namespace apsp::elimination
