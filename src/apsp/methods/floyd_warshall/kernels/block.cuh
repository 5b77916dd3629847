// One block of threads and tiles of kTile x kTile entries: how its threads share a tile, load and store it,
// close it (Floyd-Warshall) and relax it through two others. Latency matters here more than arithmetic
// throughput, because all other work waits for these steps.
#pragma once
#include "tile.cuh"

namespace apsp {

template <bool kFirst, class A, class B>
struct Either {
  using Type = A;
};
template <class A, class B>
struct Either<false, A, B> {
  using Type = B;
};

// How threads share a tile: kTile / 4 neighbouring lanes hold 4 neighbouring entries each of the same rows. A
// thread owns 8 rows of them, in two groups of 4, so that the rows of 4 pivots are owned by kTile / 4 lanes.
template <class Ops, int kSide>
struct Block {
  using Value = typename Ops::Value;
  using Math = typename Either<Ops::kLanes == 1, Ops, typename Ops::Single>::Type;  // one value per register
  using Word = typename Math::Word;
  static constexpr int kTile = kSide;
  static constexpr int kThreads = kSide * kSide / 32;
  static constexpr int kLanes = kSide / 4;    // that share a row
  static constexpr int kTeams = 32 / kLanes;  // of kLanes lanes in a warp
  static constexpr int kVector = 16 / sizeof(Word);
  static constexpr int kLeftPitch =
      kSide + kVector;  // words of a row in shared memory, against bank conflicts
  static constexpr int kWords = kSide * kSide;

  static __device__ __forceinline__ int team() { return (threadIdx.x & 31) / kLanes; }
  static __device__ __forceinline__ int lane() { return threadIdx.x & (kLanes - 1); }
  static __device__ __forceinline__ int warp() { return threadIdx.x >> 5; }
  static __device__ __forceinline__ int row(int i) {
    return 8 * kTeams * warp() + 4 * (team() + kTeams * (i >> 2)) + (i & 3);
  }
  static __device__ __forceinline__ int column() { return 4 * lane(); }
  static __device__ __forceinline__ void barrier() {
    if constexpr (kThreads == 32)
      __syncwarp();
    else
      __syncthreads();
  }
};

template <class T>
struct alignas(sizeof(T) == 2 ? 8 : 16) Four {
  T at[4];
};

// Four neighbouring values, bypassing the first-level cache: other blocks may just have written them.
template <class T>
__device__ __forceinline__ Four<T> load_four(const T* from) {
  Four<T> four;
  if constexpr (sizeof(T) == 2) {
    *reinterpret_cast<int2*>(&four) = __ldcg(reinterpret_cast<const int2*>(from));
  } else {
#pragma unroll
    for (int part = 0; part < int(sizeof(T)) / 4; ++part)
      reinterpret_cast<int4*>(&four)[part] = __ldcg(reinterpret_cast<const int4*>(from) + part);
  }
  return four;
}

// A tile of a matrix in device memory, cut off at the end of the matrix.
template <class Value>
struct Place {
  Value* corner;
  long long stride;
  int rows, columns;  // rows or columns from the tile on, which may be more or fewer than kTile
  bool aligned;       // four neighbouring values may be read and written at once
};

template <class B>
using OwnEntries = typename B::Word[8][4];

template <class Ops, class B>
__device__ __forceinline__ void load_own(OwnEntries<B>& own, const Place<typename B::Value>& from) {
  const bool whole = from.aligned && B::column() + 4 <= from.columns;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = B::row(i);
    const typename B::Value* at = from.corner + row * from.stride + B::column();
    Four<typename B::Value> four;
#pragma unroll
    for (int j = 0; j < 4; ++j) four.at[j] = Ops::kNoPath;
    if (row < from.rows) {
      if (whole) {
        four = load_four(at);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          if (B::column() + j < from.columns) four.at[j] = __ldcg(at + j);
      }
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) own[i][j] = typename B::Word(four.at[j]);
  }
}

template <class B>
__device__ __forceinline__ void store_own(const OwnEntries<B>& own, const Place<typename B::Value>& to) {
  const bool whole = to.aligned && B::column() + 4 <= to.columns;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = B::row(i);
    if (row >= to.rows) continue;
    typename B::Value* at = to.corner + row * to.stride + B::column();
    Four<typename B::Value> four;
#pragma unroll
    for (int j = 0; j < 4; ++j) four.at[j] = typename B::Value(own[i][j]);
    if (whole) {
      *reinterpret_cast<Four<typename B::Value>*>(at) = four;
    } else {
#pragma unroll
      for (int j = 0; j < 4; ++j)
        if (B::column() + j < to.columns) at[j] = four.at[j];
    }
  }
}

// A whole tile of words, to shared or device memory, rows `pitch` words apart.
template <class B>
__device__ __forceinline__ void write_words(typename B::Word* to, int pitch, const OwnEntries<B>& own) {
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    Four<typename B::Word> four;
#pragma unroll
    for (int j = 0; j < 4; ++j) four.at[j] = own[i][j];
    *reinterpret_cast<Four<typename B::Word>*>(to + B::row(i) * pitch + B::column()) = four;
  }
}

// A whole tile of words from device memory to shared memory; await_stages<0>() and a barrier end it.
template <class B>
__device__ __forceinline__ void stage_words(typename B::Word* to, int pitch, const typename B::Word* from) {
  constexpr int kOfRow = B::kTile / B::kVector;
#pragma unroll
  for (int part = 0; part < B::kWords / B::kVector / B::kThreads; ++part) {
    const int vector = part * B::kThreads + threadIdx.x;
    copy_16_bytes(to + vector / kOfRow * pitch + vector % kOfRow * B::kVector, from + vector * B::kVector);
  }
}

// own = choose(own, left join right): left (kTile, kTile) at kLeftPitch, right (kTile, kTile), in shared
// memory; the first `depth` pivots, rounded up to 4.
template <class B>
__device__ __forceinline__ void relax_own(OwnEntries<B>& own, const typename B::Word* left,
                                          const typename B::Word* right, int depth) {
  using Math = typename B::Math;
  using Word = typename B::Word;
  constexpr int kPivots = B::kVector;
  const Word* at_left = left + B::row(0) * B::kLeftPitch;
  const Word* at_right = right + B::column();
#pragma unroll 1
  for (int first = 0; first < depth; first += kPivots) {
    struct alignas(16) Pivots {
      Word value[kPivots];
    } x[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      x[i] = *reinterpret_cast<const Pivots*>(at_left + (4 * B::kTeams * (i >> 2) + (i & 3)) * B::kLeftPitch +
                                              first);
#pragma unroll
    for (int pivot = 0; pivot < kPivots; pivot += 2) {
      const auto y0 = *reinterpret_cast<const Four<Word>*>(at_right + (first + pivot) * B::kTile);
      const auto y1 = *reinterpret_cast<const Four<Word>*>(at_right + (first + pivot + 1) * B::kTile);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          own[i][j] = Math::relax2(own[i][j], x[i].value[pivot], y0.at[j], x[i].value[pivot + 1], y1.at[j]);
    }
  }
}

// Result of closing a tile: *found = 1 + a vertex on a negative closed walk (0: none yet).
struct Cycles {
  int first_vertex;
  int* found;
};

// Relaxes the rows of four pivots through one another; one team owns them: its rows first_row .. first_row +
// 3, columns 4 * group .. + 3.
template <class Ops, class B, int kFirst>
__device__ __forceinline__ void close_pivots(OwnEntries<B>& own, int group, const Cycles& cycles) {
  using Math = typename B::Math;
  using Word = typename B::Word;
  const unsigned members = (B::kLanes == 32 ? ~0u : (1u << B::kLanes) - 1) << (B::team() * B::kLanes);
#pragma unroll
  for (int pivot = 0; pivot < 4; ++pivot) {
    if (Ops::kSums && B::lane() == group && own[kFirst + pivot][pivot] < Word(0))
      atomicCAS(cycles.found, 0, cycles.first_vertex + 4 * group + pivot + 1);
    Word down[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) down[i] = __shfl_sync(members, own[kFirst + i][pivot], group, B::kLanes);
    Word across[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) across[j] = own[kFirst + pivot][j];
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j) own[kFirst + i][j] = Math::relax(own[kFirst + i][j], down[i], across[j]);
  }
}

// Four pivots: their team closes their rows and publishes them, every team publishes its four columns of the
// pivots; one barrier; all relax: a path goes to the first of the four pivots on it, and continues along the
// closed row of that pivot. kSub: the team of a warp, and its group of rows.
template <class Ops, class B, int kSub>
__device__ __forceinline__ void close_group(OwnEntries<B>& own, typename B::Word* shared, int owner_warp,
                                            const Cycles& cycles) {
  using Math = typename B::Math;
  using Word = typename B::Word;
  constexpr int kOwner = kSub % B::kTeams, kFirst = 4 * (kSub / B::kTeams);
  const int group = 2 * B::kTeams * owner_warp + kSub;
  const bool owner = B::warp() == owner_warp && B::team() == kOwner;
  Word* rows = shared + (kSub & 1) * 8 * B::kTile;  // (4, kTile)
  Word* columns = rows + 4 * B::kTile;              // (kTile, 4)
  if (owner) {
    close_pivots<Ops, B, kFirst>(own, group, cycles);
#pragma unroll
    for (int pivot = 0; pivot < 4; ++pivot) {
      Four<Word> four;
#pragma unroll
      for (int j = 0; j < 4; ++j) four.at[j] = own[kFirst + pivot][j];
      *reinterpret_cast<Four<Word>*>(rows + pivot * B::kTile + B::column()) = four;
    }
  }
  if (B::lane() == group) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      Four<Word> four;
#pragma unroll
      for (int j = 0; j < 4; ++j) four.at[j] = own[i][j];
      *reinterpret_cast<Four<Word>*>(columns + 4 * B::row(i)) = four;
    }
  }
  B::barrier();
  Four<Word> across[4];
#pragma unroll
  for (int pivot = 0; pivot < 4; ++pivot)
    across[pivot] = *reinterpret_cast<const Four<Word>*>(rows + pivot * B::kTile + B::column());
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    if (owner && half == kFirst / 4) continue;
#pragma unroll
    for (int i = 4 * half; i < 4 * half + 4; ++i) {
      const auto down = *reinterpret_cast<const Four<Word>*>(columns + 4 * B::row(i));
#pragma unroll
      for (int pivot = 0; pivot < 4; pivot += 2)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          own[i][j] = Math::relax2(own[i][j], down.at[pivot], across[pivot].at[j], down.at[pivot + 1],
                                   across[pivot + 1].at[j]);
    }
  }
}

template <class Ops, class B, int kSub>
__device__ __forceinline__ void close_groups(OwnEntries<B>& own, typename B::Word* shared, int owner_warp,
                                             int size, const Cycles& cycles) {
  if constexpr (kSub < 2 * B::kTeams) {
    if (4 * (2 * B::kTeams * owner_warp + kSub) >= size) return;
    close_group<Ops, B, kSub>(own, shared, owner_warp, cycles);
    close_groups<Ops, B, kSub + 1>(own, shared, owner_warp, size, cycles);
  }
}

// Floyd-Warshall on the tile whose entries the threads own; `size` vertices, the rest is "no path". `shared`:
// 16 kTile words. No race: the barrier of a group of pivots lies between writing a copy of its rows and
// columns and reading it; there are two copies, so a copy is rewritten after a barrier that all of its
// readers have passed.
template <class Ops, class B>
__device__ __forceinline__ void close_own(OwnEntries<B>& own, typename B::Word* shared, int size,
                                          const Cycles& cycles) {
  for (int warp = 0; warp < B::kThreads / 32; ++warp)
    close_groups<Ops, B, 0>(own, shared, warp, size, cycles);
}

}  // namespace apsp
