// Sums and extremes of the lines of a batch, taken while the lines are in the cache. Included by
// kernels_simd.cpp only: see simd/dispatch.hpp.
#pragma once
#include "rows/row_sums.hpp"
#include "simd/dispatch.hpp"

namespace apsp::rows::APSP_SIMD {

template <class T>
struct Tallies {
  using Index = std::int64_t;
#if defined(__AVX512BW__)
  static constexpr int kLanes = 8;  // lanes at a time: the number of 64-bit sums in a vector
#else
  static constexpr int kLanes = 4;
#endif
  typedef T Values __attribute__((vector_size(kLanes * sizeof(T))));
  typedef std::int32_t Ints __attribute__((vector_size(kLanes * 4)));
  typedef std::int64_t Longs __attribute__((vector_size(kLanes * 8)));
  typedef double Doubles __attribute__((vector_size(kLanes * 8)));

  // Some lanes of `count` lines; `ceiling` and above are not distances.
  struct Sums {
    std::int32_t reached[kLanes], most[kLanes], least[kLanes];
    std::int64_t total[kLanes];
    double reciprocals[kLanes];
  };

  // Reciprocals of eight lines are added as one fraction, for one division.
  static void add_lines(const T* line, Index lanes, Index count, std::int32_t ceiling, Sums& sums) {
    Ints reached{}, most = Ints{} - 1, least{};
    Longs total{};
    Doubles reciprocals{};
    for (Index from = 0; from < count; from += 8) {
      const Index to = count - from < 8 ? count : from + 8;
      Doubles numerator{}, denominator = Doubles{} + 1;
      for (Index i = from; i < to; ++i, line += lanes) {
        Values value;
        __builtin_memcpy(&value, line, sizeof value);
        const Ints distance = __builtin_convertvector(value, Ints), known = distance < ceiling;
        const Ints shown = distance & known, far = distance | ~known, zero = shown == 0;
        reached -= known;
        total += __builtin_convertvector(shown, Longs);
        most = far > most ? far : most;
        least = distance < least ? distance : least;
        const Doubles divisor =
            __builtin_convertvector(shown - zero, Doubles);  // 1 for 0, which adds nothing
        numerator = numerator * divisor + denominator * __builtin_convertvector(zero + 1, Doubles);
        denominator *= divisor;
      }
      reciprocals += numerator / denominator;
    }
    __builtin_memcpy(sums.reached, &reached, sizeof reached);
    __builtin_memcpy(sums.most, &most, sizeof most);
    __builtin_memcpy(sums.least, &least, sizeof least);
    __builtin_memcpy(sums.total, &total, sizeof total);
    __builtin_memcpy(sums.reciprocals, &reciprocals, sizeof reciprocals);
  }

  // sum + error is kept exact to a few roundings: Neumaier 1974.
  static void add_compensated(double* sums, double* errors, const double* values) {
    for (int lane = 0; lane < kLanes; ++lane) {
      const double sum = sums[lane], value = values[lane], next = sum + value;
      errors[lane] +=
          __builtin_fabs(sum) >= __builtin_fabs(value) ? (sum - next) + value : (value - next) + sum;
      sums[lane] = next;
    }
  }

  // The farthest vertices so far; of equally far ones the smallest.
  static void note_farthest(const T* line, Index lanes, Index count, const std::int32_t* vertices,
                            std::int32_t ceiling, std::int32_t* largest, std::int32_t* farthest) {
    for (Index i = 0; i < count; ++i, line += lanes) {
      for (int lane = 0; lane < kLanes; ++lane) {
        const auto distance = static_cast<std::int32_t>(line[lane]);
        if (distance >= ceiling || distance < largest[lane]) continue;
        if (distance == largest[lane] && vertices[i] > farthest[lane]) continue;
        largest[lane] = distance;
        farthest[lane] = vertices[i];
      }
    }
  }

  static void tally(const T* lines, Index lanes, Index count, const std::int32_t* vertices, T ceiling,
                    const LaneTallies& to) {
    const auto top = static_cast<std::int32_t>(ceiling);
    for (Index lane = 0; lane < lanes; lane += kLanes) {
      Sums sums;
      add_lines(lines + lane, lanes, count, top, sums);
      bool farther = false;
      for (int i = 0; i < kLanes; ++i) {
        to.reached[lane + i] += sums.reached[i];
        to.total[lane + i] += sums.total[i];
        if (sums.least[i] < to.least[lane + i]) to.least[lane + i] = sums.least[i];
        farther |= sums.most[i] >= to.largest[lane + i];
      }
      add_compensated(to.reciprocals + lane, to.errors + lane, sums.reciprocals);
      if (farther)
        note_farthest(lines + lane, lanes, count, vertices, top, to.largest + lane, to.farthest + lane);
    }
  }
};

template <class T>
void tally(const T* lines, std::int64_t lanes, std::int64_t count, const std::int32_t* vertices, T ceiling,
           const LaneTallies& to) {
  Tallies<T>::tally(lines, lanes, count, vertices, ceiling, to);
}

}  // namespace apsp::rows::APSP_SIMD
