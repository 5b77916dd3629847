// The arcs of a graph and a request for rows: arguments of most kernels, objects of Python that check their
// arrays once.
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

#include "bindings/arrays.hpp"
#include "bindings/matrices.hpp"
#include "graph/csr.hpp"
#include "rows/request.hpp"

namespace apsp::bindings {

class ArcArrays {
 public:
  ArcArrays(Indptr indptr, Indices indices, AnyWeights weights, Marks zones)
      : indptr_(std::move(indptr)),
        indices_(std::move(indices)),
        weights_(std::move(weights)),
        zones_(std::move(zones)) {
    require(indptr_.shape(0) >= 1, "indptr must have n + 1 elements");
    csr_.n = static_cast<std::int64_t>(indptr_.shape(0)) - 1;
    csr_.m = static_cast<std::int64_t>(indices_.shape(0));
    csr_.indptr = indptr_.data();
    csr_.indices = indices_.data();
    require(csr_.n < INT32_MAX, "at most 2^31 - 2 vertices");
    if (weights_) require_length(*weights_, csr_.m, "weights");
    if (zones_) {
      require_length(*zones_, csr_.n, "zones");
      csr_.zones = reinterpret_cast<const std::uint8_t*>(zones_->data());
    }
  }

  std::int64_t n() const noexcept { return csr_.n; }
  std::int64_t m() const noexcept { return csr_.m; }
  const graph::Csr& csr() const noexcept { return csr_; }
  graph::Csr without_zones() const noexcept { return {csr_.n, csr_.indptr, csr_.indices, csr_.m, nullptr}; }
  const bool* zones() const noexcept { return zones_ ? zones_->data() : nullptr; }

  // Whether indptr rises and all heads are vertices, which takes as long as a pass over the arcs.
  const ArcArrays& checked() const {
    if (!is_checked_.load(std::memory_order_relaxed)) {
      graph::check_csr(csr_);
      is_checked_.store(true, std::memory_order_relaxed);
    }
    return *this;
  }

  bool is_weighted() const noexcept { return weights_.has_value(); }
  const AnyVector& weights() const {
    require(weights_.has_value(), "the arcs must have weights");
    return *weights_;
  }
  template <class T>
  const T* lengths() const {
    return elements<T>(weights());
  }
  template <class T>
  const T* lengths_or_null() const {
    return elements_or_null<T>(weights_);
  }

  // For kernels that take weights of all types but uint16, or none.
  graph::WeightedArcs weighted() const {
    return {csr_.n, csr_.indptr, csr_.indices, weights_ ? weights_->data() : nullptr, weight_type(weights_)};
  }

 private:
  Indptr indptr_;
  Indices indices_;
  AnyWeights weights_;
  Marks zones_;
  graph::Csr csr_;
  mutable std::atomic<bool> is_checked_ = false;
};

struct RowArrays {
  Indices sources;
  AnyMatrix dist;
  std::optional<Rows<std::int32_t>> pred;
  std::optional<Indices> targets;
  std::optional<Number> cutoff;

  // Of a graph with n vertices.
  template <class T>
  rows::RowRequest<T> request(std::int64_t n) const {
    rows::RowRequest<T> request;
    request.sources = sources.data();
    request.count = static_cast<std::int64_t>(sources.shape(0));
    request.targets = data_or_null(targets);
    request.columns = targets ? static_cast<std::int64_t>(targets->shape(0)) : n;
    if (cutoff) {
      request.cutoff = number_as<T>(*cutoff);
      require(!(request.cutoff != request.cutoff), "cutoff must be a number");
    }
    require(dist.dtype() == nb::dtype<T>(), "dist must have the dtype of the lengths");
    const Rows<T> rows(dist);
    require_shape(rows, request.count, request.columns, "dist");
    request.dist = rows.data();
    request.dist_stride = rows.stride(0);
    if (pred) {
      require_shape(*pred, request.count, n, "pred");
      request.pred = pred->data();
      request.pred_stride = pred->stride(0);
    }
    return request;
  }
};

}  // namespace apsp::bindings
