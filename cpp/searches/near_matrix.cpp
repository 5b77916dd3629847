#include "searches/near_matrix.hpp"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"
#include "semiring/length.hpp"

namespace apsp::searches {
namespace {

constexpr std::int64_t kRowsOfTask = 16;

// The memory of one thread: entries for every vertex, of which only those of a row are written and reset.
template <class T>
class NearWriter {
 public:
  NearWriter(const graph::Csr& graph, const T* weights, const rows::RowRequest<T>& request)
      : graph_(graph), weights_(weights), request_(request) {
    if (request.targets != nullptr || request.pred != nullptr)
      lengths_.assign(static_cast<std::size_t>(graph.n), semiring::kNoPath<T>);
  }

  void write(std::int64_t row, const std::int32_t* targets, const T* distances, std::int64_t count) {
    T* const out = request_.dist + row * request_.dist_stride;
    if (!lengths_.empty())
      for (std::int64_t i = 0; i < count; ++i) lengths_[targets[i]] = distances[i];
    if (request_.targets != nullptr) {
      for (std::int64_t i = 0; i < request_.columns; ++i) out[i] = lengths_[request_.targets[i]];
    } else {
      std::fill_n(out, request_.columns, semiring::kNoPath<T>);
      for (std::int64_t i = 0; i < count; ++i) out[targets[i]] = distances[i];
    }
    if (request_.pred != nullptr) write_parents(row);
    if (!lengths_.empty())
      for (std::int64_t i = 0; i < count; ++i) lengths_[targets[i]] = semiring::kNoPath<T>;
  }

 private:
  static bool is_tight(T from, T weight, T to) noexcept {
    const semiring::Sum<T> sum = semiring::add(from, weight);
    return sum == static_cast<semiring::Sum<T>>(to);
  }

  void write_parents(std::int64_t row) {
    std::int32_t* const out = request_.pred + row * request_.pred_stride;
    std::fill_n(out, graph_.n, -1);
    const std::int32_t source = request_.sources[row];
    if (!(lengths_[source] < semiring::kNoPath<T>)) return;
    queue_.assign(1, source);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::int32_t u = queue_[next];
      if (u != source && graph_.is_zone(u)) continue;
      for (std::int64_t a = graph_.indptr[u]; a < graph_.indptr[u + 1]; ++a) {
        const std::int32_t v = graph_.indices[a];
        if (out[v] >= 0 || v == source || !(lengths_[v] < semiring::kNoPath<T>)) continue;
        if (!is_tight(lengths_[u], weights_[a], lengths_[v])) continue;
        out[v] = u;
        queue_.push_back(v);
      }
    }
  }

  const graph::Csr& graph_;
  const T* weights_;
  const rows::RowRequest<T>& request_;
  std::vector<T> lengths_;  // (n,), if targets or predecessors are requested
  std::vector<std::int32_t> queue_;
};

}  // namespace

template <class T>
void write_near(const graph::Csr& graph, const T* weights, const PairsToWrite<T>& pairs,
                const rows::RowRequest<T>& request, int threads, Control& control) {
  rows::check_request(request, graph.n);
  Team team(threads);
  std::vector<std::unique_ptr<NearWriter<T>>> writers(static_cast<std::size_t>(team.size()));
  team.parallel_for((request.count + kRowsOfTask - 1) / kRowsOfTask, [&](std::int64_t task, int member) {
    control.check();
    auto& writer = writers[static_cast<std::size_t>(member)];
    if (!writer) writer = std::make_unique<NearWriter<T>>(graph, weights, request);
    const std::int64_t last = std::min((task + 1) * kRowsOfTask, request.count);
    for (std::int64_t row = task * kRowsOfTask; row < last; ++row) {
      const std::int64_t from = pairs.starts[row], count = pairs.starts[row + 1] - from;
      graph::check_vertices(pairs.targets + from, count, graph.n, "targets of pairs");
      writer->write(row, pairs.targets + from, pairs.distances + from, count);
    }
  });
}

#define APSP_INSTANTIATE(T)                                                        \
  template void write_near<T>(const graph::Csr&, const T*, const PairsToWrite<T>&, \
                              const rows::RowRequest<T>&, int, Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::searches
