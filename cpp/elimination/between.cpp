#include "elimination/between.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "elimination/batch.hpp"
#include "elimination/needed.hpp"
#include "elimination/tree_part.hpp"
#include "runtime/dtypes.hpp"
#include "runtime/team.hpp"

namespace apsp::elimination {
namespace {

constexpr std::int64_t kLineBytes = 256;  // of the lanes of a batch: four vectors of AVX-512
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Where the search from a source begins, and what is added to its distances.
template <class T>
struct Begin {
  T value[2];        // of both ends; "no path" where one is not used
  double offset[2];  // for distances from the first and from the second end
};

// Of two ends the first is better for a target if the difference of the distances from them is at most that
// of the lengths: for integers, at most its floor. Values are twice the distances, so that the lowest bit
// says which end it is.
template <class T>
Begin<T> begin_of(double first, double second) {
  constexpr T kNone = semiring::Bounds<T>::kNoPath;
  Begin<T> begin{{kNone, kNone}, {0.0, 0.0}};
  if constexpr (std::is_floating_point_v<T>) {
    begin.value[0] = static_cast<T>(first);
    begin.value[1] = static_cast<T>(second);
  } else {
    const bool both = first < kInfinity && second < kInfinity;
    const double more = both ? std::floor(second - first) : 0.0;
    const double shift[2] = {std::max(-more, 0.0), std::max(more, 0.0)};
    const double length[2] = {first, second};
    for (int end = 0; end < 2; ++end) {
      if (length[end] == kInfinity) continue;
      begin.value[end] = static_cast<T>(2 * static_cast<T>(shift[end]) + end);
      begin.offset[end] = length[end] - shift[end];
    }
  }
  return begin;
}

template <class T>
class Between {
 public:
  Between(const Factored<T>& factored, const Places& places, const Ends& sources, const Ends& targets,
          double* dist, std::int64_t stride)
      : factored_(factored),
        sources_(sources),
        dist_(dist),
        stride_(stride),
        place_(places.place),
        node_(places.node),
        wanted_(places_of_ends(targets)),
        to_{wanted_.data(), targets.lengths, targets.count},
        needed_(factored.tree, wanted_),
        sequence_(static_cast<std::size_t>(sources.count)) {
    std::iota(sequence_.begin(), sequence_.end(), std::int64_t{0});
    std::sort(sequence_.begin(), sequence_.end(), [&](std::int64_t a, std::int64_t b) {
      return place_[sources.vertices[a]] < place_[sources.vertices[b]];
    });
  }

  void run(int threads, Control& control) {
    Team team(threads);
    const std::int64_t count = sources_.count;
    std::int64_t lanes = kLineBytes / static_cast<std::int64_t>(sizeof(T));
    while (lanes > kernels<T>(true).lanes && lanes * threads >= 2 * count) lanes /= 2;
    std::vector<std::unique_ptr<Batch<T>>> batches(static_cast<std::size_t>(team.size()));
    team.parallel_for((count + lanes - 1) / lanes, [&](std::int64_t index, int member) {
      auto& batch = batches[static_cast<std::size_t>(member)];
      if (!batch) batch = std::make_unique<Batch<T>>(factored_, place_, node_, lanes);
      const std::int64_t from = index * lanes, here = std::min(lanes, count - from);
      fill(*batch, lanes, from, here, control);
      control.advance(here);
    });
  }

 private:
  std::vector<Vertex> places_of_ends(const Ends& ends) const {
    std::vector<Vertex> found;
    for (std::int64_t i = 0; i < 2 * ends.count; ++i) found.push_back(place_[ends.vertices[i]]);
    return found;
  }

  void fill(Batch<T>& batch, std::int64_t lanes, std::int64_t from, std::int64_t count, Control& control) {
    std::vector<Begin<T>> begins;
    std::vector<double> offsets(static_cast<std::size_t>(2 * lanes));
    std::vector<double*> out;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const std::int64_t i = sequence_[from + lane];
      begins.push_back(begin_of<T>(sources_.lengths[i], sources_.lengths[sources_.count + i]));
      offsets[lane] = begins.back().offset[0];
      offsets[lanes + lane] = begins.back().offset[1];
      out.push_back(dist_ + i * stride_);
    }
    control.check();
    batch.seed_each([&](const auto& body) {
      for (std::int64_t lane = 0; lane < count; ++lane)
        for (int end = 0; end < 2; ++end)
          if (begins[lane].value[end] < semiring::Bounds<T>::kNoPath)
            body(lane, sources_.vertices[end * sources_.count + sequence_[from + lane]],
                 begins[lane].value[end]);
    });
    batch.up();
    needed_.down(batch, control);
    batch.clear();
    kernels<T>(true).read_between(batch.lines(), lanes, count, to_, offsets.data(), out.data());
  }

  const Factored<T>& factored_;
  const Ends& sources_;
  double* dist_;
  std::int64_t stride_;
  const std::vector<Vertex>&place_, &node_;
  std::vector<Vertex> wanted_;  // (2, targets) places
  EndLengths to_;
  Needed needed_;
  std::vector<std::int64_t> sequence_;  // of the sources: those that are close in the tree form a batch
};

void check_range(const Ends& ends, std::int64_t n) {
  for (std::int64_t i = 0; i < 2 * ends.count; ++i)
    if (ends.vertices[i] < 0 || ends.vertices[i] >= n) throw std::invalid_argument("an end is out of range");
}

}  // namespace

template <class T>
void fill_between(const Factored<T>& factored, const Ends& sources, const Ends& targets, double* dist,
                  std::int64_t stride, int threads, Control& control) {
  check_range(sources, factored.tree.n);
  check_range(targets, factored.tree.n);
  if (sources.count == 0 || targets.count == 0) return;
  std::optional<Places> own;
  const Places& places = factored.places != nullptr ? *factored.places : own.emplace(factored.tree);
  const std::span starts(sources.vertices, static_cast<std::size_t>(2 * sources.count)),
      ends(targets.vertices, static_cast<std::size_t>(2 * targets.count));
  if (const auto part = TreePart::of(factored.tree, places, {starts, ends})) {
    const std::vector<Vertex> from = part->numbers(starts), to = part->numbers(ends);
    const Factored<T> ancestors = part->part_of(factored);
    return Between<T>(ancestors, Places(ancestors.tree), {from.data(), sources.lengths, sources.count},
                      {to.data(), targets.lengths, targets.count}, dist, stride)
        .run(threads, control);
  }
  Between<T>(factored, places, sources, targets, dist, stride).run(threads, control);
}

#define APSP_INSTANTIATE(T)                                                                            \
  template void fill_between(const Factored<T>&, const Ends&, const Ends&, double*, std::int64_t, int, \
                             Control&);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::elimination
