// The arguments of kernels that take sums of amounts over distances.
#pragma once
#include <cstdint>
#include <tuple>

#include "bindings/arrays.hpp"
#include "reductions/weighing.hpp"

namespace apsp::bindings {

using Amounts = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, Host>;
using WeighedSums = nb::ndarray<double, nb::ndim<3>, nb::c_contig, Host>;
using DecayNumbers = std::tuple<int, double, double>;  // the kind, beta, the midpoint

// amounts (n, kinds), cutoffs (c) of the dtype of the distances -> sums (rows, c, kinds).
struct WeighingArrays {
  Amounts amounts;
  AnyVector cutoffs;
  DecayNumbers decay;
  WeighedSums sums;

  template <class T>
  reductions::Weighing<T> view(std::int64_t n, std::int64_t rows) const {
    reductions::Weighing<T> weighing;
    weighing.amounts = amounts.data();
    weighing.kinds = static_cast<std::int64_t>(amounts.shape(1));
    weighing.cutoffs = elements<T>(cutoffs);
    weighing.cutoff_count = static_cast<std::int64_t>(cutoffs.shape(0));
    weighing.decay = {static_cast<reductions::DecayKind>(std::get<0>(decay)), std::get<1>(decay),
                      std::get<2>(decay)};
    weighing.sums = sums.data();
    require(static_cast<std::int64_t>(amounts.shape(0)) == n, "amounts must have a row per vertex");
    require(static_cast<std::int64_t>(sums.shape(0)) == rows &&
                static_cast<std::int64_t>(sums.shape(1)) == weighing.cutoff_count &&
                static_cast<std::int64_t>(sums.shape(2)) == weighing.kinds,
            "sums must have shape (rows, cutoffs, kinds)");
    return weighing;
  }
};

}  // namespace apsp::bindings
