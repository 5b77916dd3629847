// The register-tiled kernel c = choose(c, left join right) and related kernels, one source for all
// instruction sets: a tile of MR x NV vectors of c stays in registers while `depth` columns of the packed
// left operand and rows of the packed right operand are read: NV loads and MR splats for 2 MR NV operations.
// Compiled once per instruction set: see simd/dispatch.hpp.
#include "floyd_warshall/kernels.hpp"
#include "runtime/dtypes.hpp"
#include "simd/lanes.hpp"
#include "simd/operations.hpp"

namespace apsp::floyd_warshall::APSP_SIMD {

using namespace simd::APSP_SIMD;
using Index = std::int64_t;

// Register tile: accumulators, NV vectors of the right operand, a splat and a sum have to fit 32 or 16
// registers.
#if defined(__AVX512BW__)
constexpr int kTileRows = 6, kTileVectors = 4;
#elif defined(__AVX2__)
constexpr int kTileRows = 6, kTileVectors = 2;
#elif defined(__aarch64__)
constexpr int kTileRows = 6, kTileVectors = 4;
#else
constexpr int kTileRows = 4, kTileVectors = 2;
#endif

// With pivots there are twice as many accumulators.
constexpr int kTrackedVectors = kTileVectors / 2;

// The operations of an algebra and the value that stands for "no path" in packed operands.
template <class Of>
struct Compared : Of {
  static constexpr Arithmetic kArithmetic = Arithmetic::kAny;
  static constexpr typename Of::Value kNone = semiring::no_path<typename Of::Value>(Of::kAlgebra);
};
template <class T>
using AnySum = Compared<MinPlus<T>>;

template <class T>
struct SumOnBits : MinPlusOnBits<T> {
  static constexpr Arithmetic kArithmetic = Arithmetic::kOnBits;
  static constexpr T kNone = AnySum<T>::kNone;
};

struct HalfRangeSum : MinPlus<std::uint16_t> {
  static constexpr Arithmetic kArithmetic = Arithmetic::kHalfRange;
  static constexpr std::uint16_t kNone = kHalfRange;
  static Vector join(Vector a, Vector b) { return a + b; }
};

template <class Ops>
struct Tile {
  using T = typename Ops::Value;
  using L = Lanes<T>;
  static constexpr T kNone = Ops::kNone;
  using Vector = typename L::Vector;
  using Packed = typename L::Packed;
  static constexpr Index kRows = kTileRows;
  static constexpr Index kColumns = kTileVectors * L::kCount;

  // A value as an operand.
  static T taken(T value) {
    if constexpr (Ops::kArithmetic == Arithmetic::kHalfRange) return value < kNone ? value : kNone;
    return value;
  }
  static void take(const T* from, Index count, T* to) {
    if constexpr (Ops::kArithmetic == Arithmetic::kHalfRange) {
      for (Index j = 0; j < count; ++j) to[j] = taken(from[j]);
    } else {
      __builtin_memcpy(to, from, count * sizeof(T));
    }
  }

  static void pack_left(const T* from, Index stride, Index rows, Index depth, void* to) {
    Packed* out = static_cast<Packed*>(to);
    for (Index row = 0; row < rows; row += kRows, out += kRows * depth) {
      const Index here = rows - row < kRows ? rows - row : kRows;
      for (Index i = 0; i < here; ++i)
        for (Index k = 0; k < depth; ++k) out[k * kRows + i] = L::pack(taken(from[(row + i) * stride + k]));
      for (Index i = here; i < kRows; ++i)
        for (Index k = 0; k < depth; ++k) out[k * kRows + i] = L::pack(kNone);
    }
  }

  static void pack_right(const T* from, Index stride, Index depth, Index columns, T* to) {
    for (Index column = 0; column < columns; column += kColumns, to += kColumns * depth) {
      const Index here = columns - column < kColumns ? columns - column : kColumns;
      for (Index k = 0; k < depth; ++k) {
        const T* row = from + k * stride + column;
        T* out = to + k * kColumns;
        if (here == kColumns) {
          take(row, kColumns, out);
        } else {
          take(row, here, out);
          for (Index j = here; j < kColumns; ++j) out[j] = kNone;
        }
      }
    }
  }

  // One register tile, NV vectors wide. The next tile below is prefetched meanwhile: c is the operand that
  // does not fit L1.
  template <int NV>
  [[gnu::noinline]] static void tile(Index depth, const Packed* left, const T* right, T* c, Index stride) {
    Vector sum[kTileRows][NV];
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) sum[i][v] = L::load(c + i * stride + v * L::kCount);
    const char* next = reinterpret_cast<const char*>(c) + kRows * stride * static_cast<Index>(sizeof(T));
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i)
      for (int byte = 0; byte < NV * kVectorBytes; byte += 64)
        __builtin_prefetch(next + i * stride * static_cast<Index>(sizeof(T)) + byte, 1, 3);
    for (Index k = 0; k < depth; ++k, left += kTileRows, right += kColumns) {
      Vector row[NV];
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) row[v] = L::load(right + v * L::kCount);
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
        const Vector value = L::splat(left[i]);
#pragma GCC unroll 8
        for (int v = 0; v < NV; ++v) sum[i][v] = Ops::choose(sum[i][v], Ops::join(value, row[v]));
      }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) L::store(c + i * stride + v * L::kCount, sum[i][v]);
  }

  // A tile that extends beyond c: computed on a copy.
  static void edge(Index rows, Index columns, Index depth, const Packed* left, const T* right, T* c,
                   Index stride) {
    alignas(64) T copy[kRows * kColumns] = {};
    for (Index i = 0; i < rows; ++i)
      __builtin_memcpy(copy + i * kColumns, c + i * stride, columns * sizeof(T));
    if (columns > kColumns / 2) {
      tile<kTileVectors>(depth, left, right, copy, kColumns);
    } else {
      for (Index j = 0; j < columns; j += L::kCount) tile<1>(depth, left, right + j, copy + j, kColumns);
    }
    for (Index i = 0; i < rows; ++i)
      __builtin_memcpy(c + i * stride, copy + i * kColumns, columns * sizeof(T));
  }

  static void multiply(Index rows, Index columns, Index depth, const void* left, const T* right, T* c,
                       Index stride) {
    for (Index j = 0; j < columns; j += kColumns, right += kColumns * depth) {
      const Index width = columns - j < kColumns ? columns - j : kColumns;
      const Packed* group = static_cast<const Packed*>(left);
      for (Index i = 0; i < rows; i += kRows, group += kRows * depth) {
        const Index height = rows - i < kRows ? rows - i : kRows;
        if (width == kColumns && height == kRows) {
          tile<kTileVectors>(depth, group, right, c + i * stride + j, stride);
        } else {
          edge(height, width, depth, group, right, c + i * stride + j, stride);
        }
      }
    }
  }

  // As `tile`, from "no path" and with the pivots: number[i, j] is the first that attains best[i, j]. A pivot
  // of a panel is a number that every dtype holds, so it shares the lanes of the values. Both hold kRows rows
  // of kColumns entries, of which NV vectors are written.
  template <int NV>
  [[gnu::noinline]] static void tracked(Index depth, const Packed* left, const T* right, T* best, T* number) {
    Vector sum[kTileRows][NV], pivot[kTileRows][NV];
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) {
        sum[i][v] = L::splat(L::pack(kNone));
        pivot[i][v] = Vector{};
      }
    Vector now{};
    for (Index k = 0; k < depth; ++k, left += kTileRows, right += kColumns) {
      Vector row[NV];
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) row[v] = L::load(right + v * L::kCount);
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i) {
        const Vector value = L::splat(left[i]);
#pragma GCC unroll 8
        for (int v = 0; v < NV; ++v) {
          const Vector candidate = Ops::join(value, row[v]);
          const auto better = is_better(candidate, sum[i][v]);
          sum[i][v] = better ? candidate : sum[i][v];
          pivot[i][v] = better ? now : pivot[i][v];
        }
      }
      now += T{1};
    }
#pragma GCC unroll 8
    for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 8
      for (int v = 0; v < NV; ++v) {
        L::store(best + i * kColumns + v * L::kCount, sum[i][v]);
        L::store(number + i * kColumns + v * L::kCount, pivot[i][v]);
      }
  }

  template <class V>
  static auto is_better(V a, V b) {
    if constexpr (Ops::kAlgebra == semiring::Algebra::kMaxMin)
      return a > b;
    else
      return a < b;
  }

  static void multiply_tracked(Index rows, Index columns, Index depth, const void* left, const T* right, T* c,
                               Index stride, std::int32_t* via, Index via_stride, std::int32_t first) {
    alignas(64) T best[kRows * kColumns];
    alignas(64) T number[kRows * kColumns];
    const Packed* group = static_cast<const Packed*>(left);
    for (Index i = 0; i < rows; i += kRows, group += kRows * depth) {
      const Index height = rows - i < kRows ? rows - i : kRows;
      for (Index j = 0; j < columns; j += kTrackedVectors * L::kCount)
        tracked<kTrackedVectors>(depth, group, right + j, best + j, number + j);
      for (Index r = 0; r < height; ++r) {
        T* row = c + (i + r) * stride;
        std::int32_t* pivots = via + (i + r) * via_stride;
        const T* candidates = best + r * kColumns;
        const T* numbers = number + r * kColumns;
        for (Index j = 0; j < columns; ++j) {
          const bool better = is_better(candidates[j], row[j]);
          row[j] = better ? candidates[j] : row[j];
          pivots[j] = better ? first + static_cast<std::int32_t>(numbers[j]) : pivots[j];
        }
      }
    }
  }

  // Plain Floyd-Warshall on a copy with whole vectors; the pivot row stays in registers, the pivot column is
  // set aside.
  static Index close(T* tile_data, Index stride, Index size, T* scratch) {
    constexpr Index kPanel = kTileVectors * L::kCount;
    const Index width = (size + kPanel - 1) / kPanel * kPanel;
    T* copy = scratch;
    for (Index i = 0; i < size; ++i) {
      take(tile_data + i * stride, size, copy + i * width);
      for (Index j = size; j < width; ++j) copy[i * width + j] = kNone;
    }
    Index bad = -1;
    for (Index k = 0; k < size && bad < 0; ++k) {
      if (is_negative(copy[k * width + k]))
        bad = k;
      else
        relax_pivot(copy, width, size, k);
    }
    for (Index i = 0; i < size; ++i)
      __builtin_memcpy(tile_data + i * stride, copy + i * width, size * sizeof(T));
    return bad;
  }

  static bool is_negative(T own) {
    if constexpr (Ops::kAlgebra == semiring::Algebra::kMinPlus && std::is_signed_v<T>) return own < T{0};
    return false;
  }

  static void relax_pivot(T* copy, Index width, Index size, Index k) {
    Packed column[256];
    for (Index i = 0; i < size; ++i) column[i] = L::pack(copy[i * width + k]);
    for (Index j = 0; j < width; j += kColumns) {
      Vector pivot[kTileVectors];
      for (int v = 0; v < kTileVectors; ++v) pivot[v] = L::load(copy + k * width + j + v * L::kCount);
      for (Index i = 0; i < size; ++i) {
        T* row = copy + i * width + j;
        const Vector value = L::splat(column[i]);
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v) {
          T* at = row + v * L::kCount;
          L::store(at, Ops::choose(L::load(at), Ops::join(value, pivot[v])));
        }
      }
    }
  }

  // The operations of tile() without its loads, to measure the arithmetic alone.
  static Index peak(Index rounds) {
    Vector sum[kTileRows][kTileVectors];
    for (auto& row : sum)
      for (Vector& value : row) value = L::splat(L::pack(kNone));
    const Vector value = L::splat(L::pack(T{3}));
    Vector operand = L::splat(L::pack(T{4}));
    for (Index round = 0; round < rounds; ++round)
#pragma GCC unroll 8
      for (int i = 0; i < kTileRows; ++i)
#pragma GCC unroll 8
        for (int v = 0; v < kTileVectors; ++v) {
          hide(operand);
          sum[i][v] = Ops::choose(sum[i][v], Ops::join(value, operand));
        }
    for (auto& row : sum)
      for (Vector& value : row) hide(value);
    return rounds * kRows * kColumns;
  }

  // Prevents the compiler from computing a sum once for all rounds, without an instruction.
  static void hide(Vector& operand) {
#if defined(__AVX512BW__)
    asm volatile("" : "+v"(operand));
#elif defined(__x86_64__)
    asm volatile("" : "+x"(operand));
#elif defined(__aarch64__)
    asm volatile("" : "+w"(operand));
#else
    asm volatile("" : "+m"(operand));
#endif
  }

  static constexpr Kernels<T> kTable = {Ops::kArithmetic, kRows,       kColumns,  sizeof(Packed),
                                        &pack_left,       &pack_right, &multiply, &multiply_tracked,
                                        &close,           &peak};
};

template <class T>
const Kernels<T>* table(semiring::Algebra algebra, Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kAny) {
    if (algebra == semiring::Algebra::kMaxMin) return &Tile<Compared<MaxMin<T>>>::kTable;
    if (algebra == semiring::Algebra::kMinMax) return &Tile<Compared<MinMax<T>>>::kTable;
    return &Tile<AnySum<T>>::kTable;
  }
  if (algebra != semiring::Algebra::kMinPlus) return nullptr;
  if constexpr (std::is_floating_point_v<T> && kMinimumOnBits) {
    if (arithmetic == Arithmetic::kOnBits) return &Tile<SumOnBits<T>>::kTable;
  }
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    if (arithmetic == Arithmetic::kHalfRange) return &Tile<HalfRangeSum>::kTable;
  }
  return nullptr;
}

#define APSP_INSTANTIATE(T) template const Kernels<T>* table<T>(semiring::Algebra, Arithmetic);
APSP_FOR_DTYPES(APSP_INSTANTIATE)
#undef APSP_INSTANTIATE

}  // namespace apsp::floyd_warshall::APSP_SIMD
