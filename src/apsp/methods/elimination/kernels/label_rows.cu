// Distances of pairs from labels that lie in a row per vertex, from the root down: the ancestors of a vertex
// in the elimination tree begin its row, so those that two vertices have in common begin both of their rows.
// The shortest sum over these is the distance. Ouyang, Qin, Chang, Lin, Zhang and Zhu 2018, "When hierarchy
// meets 2-hop-labeling" (H2H), on supernodes.
#include "lines.cuh"

namespace apsp {

constexpr int kLine = 32;  // bytes: rows begin at multiples of them
constexpr int kShare = 8;  // threads that compare two rows

// Where the row of a vertex begins, and the supernode of the vertex. As in label_rows.py.
struct Home {
  unsigned line;
  int node;
};

// The supernodes of a tree, in postorder: `tops` (nodes,), their columns and all above; `least` (levels,
// nodes), the fewest `tops` of the parents of 1, 2, 4, ... supernodes from each on, 0 for a root.
struct Above {
  const int *tops, *least;
  int nodes;

  // The columns above both vertices. Supernodes between two of them lie below their lowest common ancestor,
  // and one is a child of it (Bender and Farach-Colton 2000, "The LCA problem revisited").
  __device__ __forceinline__ int common(int a, int b) const {
    if (a == b) return tops[a];
    const int low = min(a, b), high = max(a, b), level = 31 - __clz(high - low);
    const int* row = least + static_cast<long long>(level) * nodes;
    return min(row[low], row[high - (1 << level)]);
  }
};

template <class T>
struct alignas(16) Piece {
  static constexpr int kValues = 16 / sizeof(T);
  T value[kValues];
};

// rows = the labels of all places, which lie in a rectangle per supernode.
//
// A thread owns a place and goes up the tree: neighbours read neighbouring values. Read: labels, spans, owner
// and lines (n,) of a place, tops, parents and nodes (supernodes,). Written: rows, up to the end of the last
// piece that is read. No race: a row has one writer.
template <class T>
__global__ void __launch_bounds__(256)
    label_rows(const T* labels, const Span* spans, int n, const int* owner, const unsigned* lines,
               const int* tops, const int* parents, const Node* nodes, T* rows) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place >= n) return;
  T* row = rows + static_cast<long long>(lines[place]) * (kLine / sizeof(T));
  for (int c = tops[owner[place]]; c % Piece<T>::kValues != 0; ++c) row[c] = T(0);
  for (int s = owner[place]; s >= 0; s = parents[s]) {
    const Span span = spans[s];
    const T* from = labels + span.start + place - span.first();
    const int columns = nodes[s].columns;
    T* to = row + tops[s] - columns;
    for (int c = 0; c < columns; ++c) to[c] = from[static_cast<long long>(c) * span.width];
  }
}

// dist[i] = the distance of pair i.
//
// A warp owns 32 pairs: a thread finds what is above each, then kShare threads compare the rows of a pair, 16
// bytes each at a time. Read: sources and targets (count,), homes (n,) of vertices, the rows of both sides.
// Written: dist (count,), public values. No race: an entry has one writer.
template <class T>
__global__ void __launch_bounds__(256)
    meet_rows(const int* sources, const int* targets, long long count, const Home* homes, Above above,
              const T* onwards, const T* back, T ceiling, T* dist) {
  using Sum = typename WideSum<T>::Type;
  constexpr int kValues = Piece<T>::kValues;
  constexpr unsigned kAll = 0xffffffffu;
  const int lane = threadIdx.x % 32, part = lane % kShare;
  const long long first = (static_cast<long long>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32) * 32;
  if (first >= count) return;
  const long long own = min(first + lane, count - 1);
  const int source = sources[own], target = targets[own];
  const Home start = homes[source], end = homes[target];
  const int columns = above.common(start.node, end.node);
  Sum found = ceiling;
#pragma unroll 2
  for (int step = 0; step < kShare; ++step) {
    const int pair = step * (32 / kShare) + lane / kShare;
    const unsigned from = __shfl_sync(kAll, start.line, pair), to = __shfl_sync(kAll, end.line, pair);
    const int common = __shfl_sync(kAll, columns, pair);
    const Piece<T>* out =
        reinterpret_cast<const Piece<T>*>(onwards + static_cast<long long>(from) * (kLine / sizeof(T)));
    const Piece<T>* in =
        reinterpret_cast<const Piece<T>*>(back + static_cast<long long>(to) * (kLine / sizeof(T)));
    Sum best = ceiling;
    for (int p = part; p * kValues < common; p += kShare) {
      const Piece<T> a = out[p], b = in[p];
#pragma unroll
      for (int i = 0; i < kValues; ++i) {
        const Sum sum = static_cast<Sum>(a.value[i]) + static_cast<Sum>(b.value[i]);
        if (p * kValues + i < common && sum < best) best = sum;
      }
    }
#pragma unroll
    for (int by = kShare / 2; by > 0; by /= 2) {
      const Sum theirs = __shfl_xor_sync(kAll, best, by);
      best = theirs < best ? theirs : best;
    }
    const Sum mine = __shfl_sync(kAll, best, lane % (32 / kShare) * kShare);
    if (lane / (32 / kShare) == step) found = mine;
  }
  if (first + lane >= count) return;
  if (found < Sum(0) && source == target) found = 0;  // rounding: there is no negative cycle
  dist[own] = found < Sum(ceiling) ? static_cast<T>(found) : Range<T>::kMost;
}

}  // namespace apsp
