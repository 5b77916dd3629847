// Floyd-Warshall on many small graphs in one launch: a block a graph (blocks of tiles as in close.cu, one
// after the other).
#include "block.cuh"

namespace apsp {

constexpr int kNotALength = 1, kOutOfRange = 2, kNegativeCycle = 4, kRounded = 8;  // what may be wrong

// Per graph: what is wrong, and where (row and column of an entry).
struct Finding {
  int what, row, column, unused;
};

struct Weights {
  unsigned long long largest;  // the bits of the largest magnitude, as a double
  int has_negative;
  unsigned wrong;  // row * n + column of the first entry that is no length
};

// Public values to kernel values, entries beyond `size` to "no path"; the largest weight; the first entry
// that is no length.
template <class Ops>
__device__ __forceinline__ void take_graph(const typename Ops::Value* from, typename Ops::Value* to, int n,
                                           int size, Weights& weights) {
  using Value = typename Ops::Value;
  double largest = 0;
  for (int at = threadIdx.x; at < n * n; at += blockDim.x) {
    const int row = at / n, column = at % n;
    Value value = Ops::kNoPath;
    if (row < size && column < size) {
      const Value given = from[at];
      if (given != given || (Value(1) / Value(2) != Value(0) && given == Range<Value>::kLeast)) {
        atomicMin(&weights.wrong, unsigned(at));
      } else if (given != Range<Value>::kMost) {
        largest = larger(largest, given < Value(0) ? -double(given) : double(given));
        if (given < Value(0)) weights.has_negative = 1;
        value = given;
      }
      if (row == column && !Ops::better(value, Ops::kEmptyPath)) value = Ops::kEmptyPath;
    }
    to[at] = value;
  }
  atomicMax(&weights.largest, static_cast<unsigned long long>(__double_as_longlong(largest)));
}

// The kernel's "no path" to the public one; a diagonal without negative cycles is 0, whatever rounding left.
template <class Ops>
__device__ __forceinline__ void give_graph(typename Ops::Value* at, int n, int size, bool has_negative) {
  using Value = typename Ops::Value;
  if constexpr (!Ops::kSums) return;
  const Value threshold =
      has_negative && Value(1) / Value(2) == Value(0) ? Ops::kNoPath / 2 + 1 : Ops::kNoPath;
  for (int entry = threadIdx.x; entry < n * n; entry += blockDim.x) {
    if (entry / n == entry % n && entry / n < size)
      at[entry] = Ops::kEmptyPath;
    else if (at[entry] >= threshold)
      at[entry] = Range<Value>::kMost;
  }
}

template <class Ops, class B>
__device__ __forceinline__ void walk_tiles(typename Ops::Value* graph, int n, int size, const Cycles& cycles,
                                           typename B::Word* shared) {
  using Word = typename B::Word;
  const int tiles = (size + B::kTile - 1) / B::kTile;
  Word* left = shared;
  Word* right = shared + B::kTile * B::kLeftPitch;
  const bool aligned =
      reinterpret_cast<unsigned long long>(graph) % 16 == 0 && n * sizeof(typename Ops::Value) % 16 == 0;
  const auto place = [&](int i, int j) {
    const int row = i * B::kTile, column = j * B::kTile;
    return Place<typename B::Value>{graph + static_cast<long long>(row) * n + column, n, size - row,
                                    size - column, aligned};
  };
  OwnEntries<B> own;
  for (int k = 0; k < tiles; ++k) {
    const int depth = min(B::kTile, size - k * B::kTile);
    load_own<Ops, B>(own, place(k, k));
    close_own<Ops, B>(own, shared, depth, {cycles.slack, cycles.first_vertex + k * B::kTile, cycles.found});
    store_own<Ops, B, false>(own, place(k, k), {});
    // first the panels, then the rest
    for (int step = 0; step < 2 * tiles + tiles * tiles; ++step) {
      const int inner = step - 2 * tiles;
      const int i = step < tiles ? k : step < 2 * tiles ? step - tiles : inner / tiles;
      const int j = step < tiles ? step : step < 2 * tiles ? k : inner % tiles;
      if ((i == k && j == k) || (inner >= 0 && (i == k || j == k))) continue;
      __syncthreads();
      load_own<Ops, B>(own, place(i, k));
      write_words<B>(left, B::kLeftPitch, own);
      load_own<Ops, B>(own, place(k, j));
      write_words<B>(right, B::kTile, own);
      load_own<Ops, B>(own, place(i, j));
      __syncthreads();
      relax_own<B>(own, left, right, depth);
      store_own<Ops, B, false>(own, place(i, j), {});
    }
    __syncthreads();
  }
}

// Close `count` graphs: from (count, n, n) public values to `to` (count, n, n); both may be the same. Graph g
// has sizes[g] vertices, or n where sizes is null. nonnegative_limit, limit: what (n - 1) times the largest
// weight must stay below, for integers. findings (count,), zero before. summary: the `what` of all.
//
// A block owns graph blockIdx.x, its threads share the entries of its tiles, 8 x 4 a thread. Read: the graph
// once from `from`, its tiles from `to`. Written: `to`. No race: a barrier between all passes over the graph.
template <class Ops, int kSide>
__global__ void __launch_bounds__(kSide* kSide / 32, sizeof(typename Block<Ops, kSide>::Word) == 4 ? 3 : 1)
    close_graphs(const typename Ops::Value* from, typename Ops::Value* to, int n, const int* sizes,
                 double nonnegative_limit, double limit, double rounding, Finding* findings, int* summary) {
  using B = Block<Ops, kSide>;
  extern __shared__ __align__(16) char dynamic[];
  __shared__ Weights weights;
  __shared__ int found[2];
  const long long offset = static_cast<long long>(blockIdx.x) * n * n;
  const int size = sizes == nullptr ? n : sizes[blockIdx.x];
  if (threadIdx.x == 0) {
    weights = {0, 0, ~0u};
    found[0] = found[1] = 0;
  }
  __syncthreads();
  take_graph<Ops>(from + offset, to + offset, n, size, weights);
  __syncthreads();
  const double largest = __longlong_as_double(static_cast<long long>(weights.largest));
  const double reach = largest * (size - 1) * (1 + 1e-14);
  Finding finding = {0, 0, 0, 0};
  if (weights.wrong != ~0u) {
    finding = {kNotALength, int(weights.wrong / n), int(weights.wrong % n), 0};
  } else if (Ops::kSums && limit > 0 && reach >= (weights.has_negative ? limit : nonnegative_limit)) {
    finding = {kOutOfRange, 0, 0, 0};
  } else {
    const double slack = weights.has_negative ? 4 * rounding * size * largest : 0;
    walk_tiles<Ops, B>(to + offset, n, size, {slack, 0, found}, reinterpret_cast<typename B::Word*>(dynamic));
    __syncthreads();
    if (found[0] != 0)
      finding = {kNegativeCycle, found[0] - 1, found[0] - 1, 0};
    else if (found[1] != 0)
      finding = {kRounded, 0, 0, 0};
    give_graph<Ops>(to + offset, n, size, weights.has_negative != 0);
  }
  if (threadIdx.x == 0 && finding.what != 0) {
    findings[blockIdx.x] = finding;
    atomicOr(summary, finding.what);
  }
}

}  // namespace apsp
