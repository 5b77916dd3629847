// A factor as the kernels read it: an object of Python that checks its arrays once.
#pragma once
#include <mutex>
#include <optional>
#include <utility>

#include "bindings/arc_arrays.hpp"
#include "bindings/tree_arrays.hpp"
#include "elimination/rows.hpp"

namespace apsp::bindings {

using AnyValues = nb::ndarray<nb::ndim<1>, nb::c_contig, Host>;

class FactorArrays {
 public:
  // The caller keeps the arcs alive; their weights, if they have some, do not count.
  FactorArrays(Tree tree, AnyValues values, const ArcArrays& arcs, AnyWeights weights, bool nonnegative)
      : tree_(std::move(tree)),
        values_(std::move(values)),
        weights_(std::move(weights)),
        view_(tree_view(tree_)),
        arcs_(arcs.checked().weighted()),
        zones_(arcs.zones()),
        nonnegative_(nonnegative) {
    if (weights_) require_length(*weights_, arcs.m(), "weights");
    arcs_.weights = weights_ ? weights_->data() : nullptr;
    arcs_.type = weight_type(weights_);
    require(arcs_.n == view_.n, "the tree and the graph must have the same number of vertices");
    require_length(values_, view_.entries(), "values");
  }

  const AnyValues& values() const noexcept { return values_; }
  template <class T>
  elimination::Factored<T> of() const {
    return {view_, static_cast<const T*>(values_.data()), arcs_, zones_, nonnegative_};
  }
  // With the places, which are found once, for kernels whose work may be less than that.
  template <class T>
  elimination::Factored<T> with_places() const {
    std::call_once(once_, [&] { places_.emplace(view_); });
    elimination::Factored<T> found = of<T>();
    found.places = &*places_;
    return found;
  }

 private:
  Tree tree_;
  AnyValues values_;
  AnyWeights weights_;
  elimination::TreeView view_;
  graph::WeightedArcs arcs_;
  const bool* zones_;
  bool nonnegative_;
  mutable std::once_flag once_;
  mutable std::optional<elimination::Places> places_;
};

}  // namespace apsp::bindings
