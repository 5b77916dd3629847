// A panel of the factor applied to the lines of a batch of sources: kRows x NV vectors of the lines that are
// written stay in registers while other lines are read one after another: NV loads and kRows splats for 2
// kRows NV operations. Compiled once per instruction set: see simd/dispatch.hpp.
#include <limits>
#include <type_traits>

#include "elimination/extend_costs.hpp"
#include "elimination/kernels.hpp"
#include "elimination/line_product.hpp"
#include "elimination/relax.hpp"
#include "elimination/weights.hpp"
#include "simd/operations.hpp"
#include "simd/transpose.hpp"

namespace apsp::elimination::APSP_SIMD {

using namespace simd::APSP_SIMD;
using Index = std::int64_t;

#if defined(__AVX512BW__) || defined(__aarch64__)
constexpr int kRows = 6, kVectors = 4;
#elif defined(__AVX2__)
constexpr int kRows = 6, kVectors = 2;
#else
constexpr int kRows = 4, kVectors = 2;
#endif

constexpr Index kReadBytes = 32 << 10;  // of lines that are read together

template <class Ops>
struct PanelKernels {
  using T = typename Ops::Value;
  using L = Lanes<T>;
  using Vector = typename L::Vector;
  static constexpr T kNone = semiring::Bounds<T>::kNoPath;

  static Vector splat(T value) { return value - Vector{}; }

  template <bool kList>
  static Index line(const Lines& lines, Index i) {
    return kList ? lines.list[i] : lines.first + i;
  }

  // kCount lines of `to`, NV vectors of each.
  template <int kCount, int NV, bool kList>
  static void tile(T* const (&to)[kRows], const Lines& from, const T* panel, Index stride, bool fresh,
                   const T* lines, Index lanes) {
    Vector sum[kCount][NV];
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) sum[i][v] = fresh ? splat(kNone) : L::load(to[i] + v * L::kCount);
    for (Index h = 0; h < from.count; ++h, panel += stride) {
      const T* row = lines + line<kList>(from, h) * lanes;
      Vector value[NV];
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) value[v] = L::load(row + v * L::kCount);
#pragma GCC unroll 8
      for (int i = 0; i < kCount; ++i) {
        const Vector step = splat(panel[i]);
#pragma GCC unroll 8
        for (int v = 0; v < NV; ++v) sum[i][v] = Ops::choose(sum[i][v], Ops::join(step, value[v]));
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) L::store(to[i] + v * L::kCount, sum[i][v]);
  }

  template <int NV, bool kList>
  static void group(int count, T* const (&to)[kRows], const Lines& from, const T* panel, Index stride,
                    bool fresh, const T* lines, Index lanes) {
    if (count == 1) return tile<1, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
    if (count == 2) return tile<2, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
    if (count == 3) return tile<3, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
    if constexpr (kRows > 4) {
      if (count == 4) return tile<4, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
      if (count == 5) return tile<5, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
    }
    tile<kRows, NV, kList>(to, from, panel, stride, fresh, lines, lanes);
  }

  template <bool kList>
  static void extend_from(const Lines& to, const Lines& from, const T* panel, Index stride, bool fresh,
                          T* lines, Index lanes, Index width) {
    constexpr Index kWide = kVectors * L::kCount;
    for (Index i = 0; i < to.count; i += kRows) {
      const int count = to.count - i < kRows ? static_cast<int>(to.count - i) : kRows;
      T* at[kRows] = {};
      for (int k = 0; k < count; ++k)
        at[k] = lines + (to.list != nullptr ? to.list[i + k] : to.first + i + k) * lanes;
      Index lane = 0;
      for (; lane + kWide <= width; lane += kWide) {
        group<kVectors, kList>(count, at, from, panel + i, stride, fresh, lines + lane, lanes);
        for (int k = 0; k < count; ++k) at[k] += kWide;
      }
      for (; lane < width; lane += L::kCount) {
        group<1, kList>(count, at, from, panel + i, stride, fresh, lines + lane, lanes);
        for (int k = 0; k < count; ++k) at[k] += L::kCount;
      }
    }
  }

  // Many lines are read some at a time, so that they stay in the first-level cache for all that are written.
  static void extend(const Lines& to, const Lines& from, const T* panel, Index stride, bool fresh, T* lines,
                     Index lanes, Index width) {
    const Index most = kReadBytes / (width * static_cast<Index>(sizeof(T)));
    Index first = 0;
    do {
      const Index count = from.count - first <= 2 * most ? from.count - first : most;
      Lines some{from.first + static_cast<Vertex>(first), from.list, count};
      if (from.list != nullptr) {
        some.list += first;
        extend_from<true>(to, some, panel + first * stride, stride, fresh && first == 0, lines, lanes, width);
      } else {
        extend_from<false>(to, some, panel + first * stride, stride, fresh && first == 0, lines, lanes,
                           width);
      }
      first += count;
    } while (first < from.count);
  }

  // kCount chosen lines, NV vectors of each.
  template <int kCount, int NV>
  static void chosen_tile(T* const (&to)[kRows], const Vertex* entry, const Chosen& from, const T* panel,
                          Index stride, bool fresh, const T* lines, Index lanes) {
    Vector sum[kCount][NV];
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) sum[i][v] = fresh ? splat(kNone) : L::load(to[i] + v * L::kCount);
    for (Index h = 0; h < from.count; ++h) {
      const T* row = lines + from.line[h] * lanes;
      const T* steps = panel + from.entry[h] * stride;
      Vector value[NV];
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) value[v] = L::load(row + v * L::kCount);
#pragma GCC unroll 8
      for (int i = 0; i < kCount; ++i) {
        const Vector step = splat(steps[entry[i]]);
#pragma GCC unroll 8
        for (int v = 0; v < NV; ++v) sum[i][v] = Ops::choose(sum[i][v], Ops::join(step, value[v]));
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) L::store(to[i] + v * L::kCount, sum[i][v]);
  }

  template <int NV>
  static void chosen_group(int count, T* const (&to)[kRows], const Vertex* entry, const Chosen& from,
                           const T* panel, Index stride, bool fresh, const T* lines, Index lanes) {
    if (count == 1) return chosen_tile<1, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
    if (count == 2) return chosen_tile<2, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
    if (count == 3) return chosen_tile<3, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
    if constexpr (kRows > 4) {
      if (count == 4) return chosen_tile<4, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
      if (count == 5) return chosen_tile<5, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
    }
    chosen_tile<kRows, NV>(to, entry, from, panel, stride, fresh, lines, lanes);
  }

  static void extend_some(const Chosen& to, const Chosen& from, const T* panel, Index stride, bool fresh,
                          T* lines, Index lanes) {
    constexpr Index kWide = kVectors * L::kCount;
    for (Index i = 0; i < to.count; i += kRows) {
      const int count = to.count - i < kRows ? static_cast<int>(to.count - i) : kRows;
      T* at[kRows] = {};
      for (int k = 0; k < count; ++k) at[k] = lines + to.line[i + k] * lanes;
      Index lane = 0;
      for (; lane + kWide <= lanes; lane += kWide) {
        chosen_group<kVectors>(count, at, to.entry + i, from, panel, stride, fresh, lines + lane, lanes);
        for (int k = 0; k < count; ++k) at[k] += kWide;
      }
      for (; lane < lanes; lane += L::kCount) {
        chosen_group<1>(count, at, to.entry + i, from, panel, stride, fresh, lines + lane, lanes);
        for (int k = 0; k < count; ++k) at[k] += L::kCount;
      }
    }
  }

  static void extend_chosen(const Chosen& to, const Chosen& from, const T* panel, Index stride, bool fresh,
                            T* lines, Index lanes) {
    const Index most = kReadBytes / (lanes * static_cast<Index>(sizeof(T)));
    Index first = 0;
    do {
      const Index count = from.count - first <= 2 * most ? from.count - first : most;
      extend_some(to, {from.line + first, from.entry + first, count}, panel, stride, fresh && first == 0,
                  lines, lanes);
      first += count;
    } while (first < from.count);
  }

  static T meet(const T* a, const T* b, Index count) {
    T least = kNone;
    if (count < L::kCount) {
      for (Index j = 0; j < count; ++j) {
        const T sum = Relaxing<Ops>::add(a[j], b[j]);
        least = sum < least ? sum : least;
      }
      return least;
    }
    const Index last = count - L::kCount;  // of the vector that ends at the end, perhaps in others
    Vector best = Ops::join(L::load(a + last), L::load(b + last)), other = best;
    Index j = 0;
    for (; j + L::kCount <= last; j += 2 * L::kCount) {
      best = Ops::choose(best, Ops::join(L::load(a + j), L::load(b + j)));
      const Index next = j + L::kCount;
      other = Ops::choose(other, Ops::join(L::load(a + next), L::load(b + next)));
    }
    if (j < last) best = Ops::choose(best, Ops::join(L::load(a + j), L::load(b + j)));
    best = Ops::choose(best, other);
    for (int lane = 0; lane < L::kCount; ++lane) least = best[lane] < least ? best[lane] : least;
    return least;
  }

  // 16 lanes of a line, in pieces that fit a register: compilers split wider vectors into single values.
  static constexpr Index kPieceBytes = sizeof(Vector) < 16 * sizeof(T) ? sizeof(Vector) : 16 * sizeof(T);
  static constexpr Index kPiece = kPieceBytes / sizeof(T);
  typedef T Piece __attribute__((vector_size(kPieceBytes)));

  static Piece piece(const T* from) {
    Piece value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
  }

  // 16 lanes in public values; `least` becomes their minimum if that is smaller. If fewer are left, the
  // others hold "no path".
  static void show(const T* line, Index lanes, T ceiling, T none, T (&shown)[16], Piece& least) {
    T filled[16];
    if (lanes < 16) {
      for (int i = 0; i < 16; ++i) filled[i] = i < lanes ? line[i] : kNone;
      line = filled;
    }
    const Piece top = ceiling - Piece{}, missing = none - Piece{};
#pragma GCC unroll 8
    for (Index i = 0; i < 16; i += kPiece) {
      const Piece value = piece(line + i), public_value = value < top ? value : missing;
      least = value < least ? value : least;
      __builtin_memcpy(shown + i, &public_value, sizeof public_value);
    }
  }

  // Four cache lines of sixteen rows at a time, transposed in registers.
  static T read_off(const T* lines, Index lanes, Index used, const Vertex* place, Index columns, T ceiling,
                    T none, T* const* out) {
    constexpr Index kWide = 256 / sizeof(T) < 16 ? 16 : 256 / sizeof(T);
    alignas(64) T from[16][16], to[16][kWide];
    Piece least = kNone - Piece{};
    for (Index column = 0; column < columns; column += kWide) {
      const Index count = columns - column < kWide ? columns - column : kWide;
      for (Index lane = 0; lane < used; lane += 16) {
        for (Index first = 0; first < count; first += 16) {
          const Index here = count - first < 16 ? count - first : 16;
          for (Index j = 0; j < here; ++j)
            show(lines + static_cast<Index>(place[column + first + j]) * lanes + lane, lanes - lane, ceiling,
                 none, from[j], least);
          transpose(from, &to[0][first], kWide);
        }
        const Index rows = used - lane < 16 ? used - lane : 16;
        for (Index i = 0; i < rows; ++i) {
          if (count == kWide) {
            for (Index j = 0; j < kWide;
                 j += kPiece) {  // in registers: a call would take longer than the copy
              const Piece value = piece(to[i] + j);
              __builtin_memcpy(out[lane + i] + column + j, &value, sizeof value);
            }
          } else {
            __builtin_memcpy(out[lane + i] + column, to[i], count * sizeof(T));
          }
        }
      }
    }
    T lowest = least[0];
    for (int i = 1; i < kPiece; ++i) lowest = least[i] < lowest ? least[i] : lowest;
    return lowest;
  }

  // The length of lane i of a line.
  static double length(T value, const double* offsets, Index lanes, Index i) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if constexpr (std::is_floating_point_v<T>) {
      return static_cast<double>(value);
    } else {
      using Wide = std::conditional_t<sizeof(T) < 4, std::int32_t, T>;
      const Wide wide = value;
      const double first = offsets[i], second = offsets[lanes + i];
      const double found = static_cast<double>(wide >> 1) + ((wide & 1) != 0 ? second : first);
      return wide >= Wide{kNone} ? kInfinity : found;
    }
  }

  static void fetch(const T* line, Index lanes) {
    for (Index i = 0; i < lanes; i += 64 / sizeof(T)) __builtin_prefetch(line + i);
  }

  // Columns are combined lane by lane, and then written to the rows a cache line at a time. The lines of the
  // next columns, which lie anywhere in memory, are fetched meanwhile.
  static void read_between(const T* lines, Index lanes, Index used, const EndLengths& ends,
                           const double* offsets, double* const* out) {
    constexpr Index kColumns = 8;
    alignas(64) double found[kColumns][256 / sizeof(T)];
    for (Index column = 0; column < ends.count; column += kColumns) {
      const Index here = ends.count - column < kColumns ? ends.count - column : kColumns;
      for (Index j = 0; j < here; ++j) {
        const Index c = column + j, next = c + kColumns;
        if (next < ends.count)
          for (const Index end : {next, ends.count + next})
            fetch(lines + static_cast<Index>(ends.places[end]) * lanes, lanes);
        const T* line = lines + static_cast<Index>(ends.places[c]) * lanes;
        const double near = ends.lengths[c];
        for (Index i = 0; i < used; ++i) found[j][i] = length(line[i], offsets, lanes, i) + near;
        const double far = ends.lengths[ends.count + c];
        if (far == std::numeric_limits<double>::infinity()) continue;
        line = lines + static_cast<Index>(ends.places[ends.count + c]) * lanes;
        for (Index i = 0; i < used; ++i) {
          const double other = length(line[i], offsets, lanes, i) + far;
          found[j][i] = other < found[j][i] ? other : found[j][i];
        }
      }
      for (Index i = 0; i < used; ++i) {
        double* row = out[i] + column;
        if (here == kColumns) {
          for (Index j = 0; j < kColumns; ++j) row[j] = found[j][i];
        } else {
          for (Index j = 0; j < here; ++j) row[j] = found[j][i];
        }
      }
    }
  }

  static constexpr auto weigh() {
    if constexpr (sizeof(T) <= 4 && !std::is_floating_point_v<T>)
      return &Weights<T>::weigh;
    else
      return nullptr;
  }

  static constexpr auto multiply() {
    if constexpr (std::is_integral_v<T>)
      return &LineProduct<Ops>::multiply;
    else
      return nullptr;
  }

  static constexpr auto merge() {
    if constexpr (std::is_integral_v<T>)
      return &LineProduct<Ops>::merge;
    else
      return nullptr;
  }

  static constexpr Kernels<T> kTable = {
      L::kCount,  &extend,   &Relaxing<Ops>::relax, &Relaxing<Ops>::add, &Relaxing<Ops>::relax_chosen,
      &meet,      &read_off, &read_between,         &extend_chosen,      weigh(),
      multiply(), merge()};
};

template <class T>
const Kernels<T>& table([[maybe_unused]] bool nonnegative) {
  if constexpr (std::is_floating_point_v<T> && kMinimumOnBits) {
    if (nonnegative) return PanelKernels<MinPlusOnBits<T>>::kTable;
  }
  return PanelKernels<MinPlus<T>>::kTable;
}

template const Kernels<std::uint16_t>& table<std::uint16_t>(bool);
template const Kernels<std::int32_t>& table<std::int32_t>(bool);
template const Kernels<std::int64_t>& table<std::int64_t>(bool);
template const Kernels<float>& table<float>(bool);
template const Kernels<double>& table<double>(bool);

}  // namespace apsp::elimination::APSP_SIMD
