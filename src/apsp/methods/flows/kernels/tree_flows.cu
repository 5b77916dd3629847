// Flows along shortest paths by elimination over (distance, number of paths): sweeps up and down the tree for
// tiles of 32 sources, and both backwards (cpp/flows/by_elimination.cpp does the same for 16 sources at
// once). Every sum has one writer and a fixed order: every run gives the same bits.
#include "tree_flows.cuh"

namespace apsp {

// The way up: distances and numbers of paths on which every place comes before the last.
//
// A block owns a tile, and its places in ascending order; a warp owns every kFlowWarps-th arc of a place.
// Written: path, met; near and value of the places of the path. No race: the arcs of a place lead to
// different places, and a barrier lies between places.
template <class T>
__global__ void __launch_bounds__(kFlowThreads, kFlowBlocks<T>) flow_climb(TreeFlows<T> s, FlowBatch batch) {
  const FlowTile<T> tile(s);
  const int first = batch.node_start[blockIdx.x], last = batch.node_start[blockIdx.x + 1];
  for (int i = first + tile.warp; i < last; i += kFlowWarps) {
    const int begin = s.node_first[batch.nodes[i]], count = s.node_first[batch.nodes[i] + 1] - begin;
    for (int k = 0; k < count; ++k) {
      tile.near_of(begin + k) = FlowRange<T>::kNone;
      tile.value_of(begin + k) = 0;
    }
    for (int k = tile.lane; k < count; k += 32) {
      tile.path[batch.node_at[i] + k] = begin + k;
      tile.met[begin + k] = 1;
    }
  }
  __syncthreads();
  if (tile.warp == 0) {
    const int source = batch.sources[blockIdx.x * 32 + tile.lane];
    if (source >= 0) {
      tile.near_of(source) = 0;
      tile.value_of(source) = 1;
    }
  }
  __syncthreads();
  const int length = batch.lengths[blockIdx.x];
  for (int i = 0; i < length; ++i) {
    const int u = tile.path[i];
    const T near = tile.near_of(u);
    const double paths = tile.value_of(u);
    each_arc(tile, s.up.arcs, s.up.first[u] + tile.warp, s.up.last[u], kFlowWarps,
             [&](long long a, const CountedArc<T>& arc, T old) {
               const T reach = near + arc.length;
               if (reach > old || !(near < FlowRange<T>::kNone)) return;
               double& to = tile.value_of(arc.other);
               const double more = paths * s.up.paths[a];
               to = reach == old ? to + more : more;
               tile.near_of(arc.other) = reach;
             });
    __syncthreads();
  }
}

// Distances and numbers of paths to the place u, by all warps of a block; called by all threads.
template <class T>
__device__ __forceinline__ void pull_together(const FlowTile<T>& tile, int u, T start,
                                              T (&nearest)[kFlowWarps][32], double (&sums)[kFlowWarps][32],
                                              T& best, double& paths) {
  const TreeFlows<T>& s = tile.s;
  const long long first = s.down.first[u] + tile.warp, last = s.down.last[u];
  best = start;
  each_arc(tile, s.down.arcs, first, last, kFlowWarps, [&](long long, const CountedArc<T>& arc, T near) {
    const T reach = near + arc.length;
    if (reach < best) best = reach;
  });
  nearest[tile.warp][tile.lane] = best;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < kFlowWarps; ++w) best = nearest[w][tile.lane] < best ? nearest[w][tile.lane] : best;
  paths = 0;
  each_arc(tile, s.down.arcs, first, last, kFlowWarps, [&](long long a, const CountedArc<T>& arc, T near) {
    if (near + arc.length == best) paths += tile.value_of(arc.other) * s.down.paths[a];
  });
  sums[tile.warp][tile.lane] = paths;
  __syncthreads();
  if (tile.warp == 0) {
    paths = 0;
#pragma unroll
    for (int w = 0; w < kFlowWarps; ++w) paths += sums[w][tile.lane];
  }
}

// The way down to the places of the path.
//
// A block owns a tile, and its places in descending order. Read and written: near, value of the path.
// Written: climbed. No race: as flow_climb.
template <class T>
__global__ void __launch_bounds__(kFlowThreads, kFlowBlocks<T>) flow_turn(TreeFlows<T> s, FlowBatch batch) {
  __shared__ T nearest[kFlowWarps][32];
  __shared__ double sums[kFlowWarps][32];
  const FlowTile<T> tile(s);
  for (int i = batch.lengths[blockIdx.x] - 1; i >= 0; --i) {
    const int u = tile.path[i];
    const T start = tile.near_of(u);
    T best;
    double paths;
    pull_together(tile, u, start, nearest, sums, best, paths);
    if (tile.warp == 0) {
      const double climbed = best == start ? tile.value_of(u) : 0.0;
      tile.climbed[i * 32LL + tile.lane] = climbed;
      paths += climbed;
      if (paths >= kMostPaths) *s.too_many = 1;
      tile.near_of(u) = best;
      tile.value_of(u) = paths;
    }
    __syncthreads();
  }
}

// The way down to all other places that are needed.
//
// A block owns a tile, a warp a place with few arcs. Read: near and value of later places. Written: those of
// the place. No race: places of a step do not depend on each other, and a barrier lies between steps.
template <class T>
__global__ void __launch_bounds__(kFlowThreads, kFlowBlocks<T>) flow_down(TreeFlows<T> s) {
  __shared__ T nearest[kFlowWarps][32];
  __shared__ double sums[kFlowWarps][32];
  const FlowTile<T> tile(s);
  for (int k = 0; k < s.onward_count; ++k) {
    const FlowStep step = s.onward.steps[k];
    FewArcs<T> next(s.onward, step.begin + tile.warp, step.few, tile.lane);
    for (int i = step.begin + tile.warp; i < step.few; i += kFlowWarps) {
      const FewArcs<T> now = next;
      const bool met = tile.met[now.place];
      next = FewArcs<T>(s.onward, i + kFlowWarps, step.few, tile.lane);
      T best = FlowRange<T>::kNone;
      int by = -1;
      bool ties = false;
      now.each(tile, [&](int k, const CountedArc<T>& arc, T near) {
        const T reach = near + arc.length;
        ties = reach < best ? false : ties || reach == best;
        by = reach < best ? k : by;
        best = reach < best ? reach : best;
      });
      if (met) continue;
      double paths = 0;
      const int other = __shfl_sync(0xffffffffu, now.own.other, max(by, 0));
      if (by >= 0) paths = tile.value_of(other) * s.onward.paths[now.first + by];
      ties = ties && by >= 0;
      if (__any_sync(0xffffffffu, ties)) {
        double sum = 0;
        now.each(tile, [&](int k, const CountedArc<T>& arc, T near) {
          if (ties && near + arc.length == best)
            sum += tile.value_of(arc.other) * s.onward.paths[now.first + k];
        });
        if (ties) paths = sum;
      }
      if (paths >= kMostPaths) *s.too_many = 1;
      tile.near_of(now.place) = best;
      tile.value_of(now.place) = paths;
    }
    for (int i = step.few; i < step.end; ++i) {
      const int u = s.onward.order[i];
      if (tile.met[u]) continue;
      T best;
      double paths;
      pull_together(tile, u, FlowRange<T>::kNone, nearest, sums, best, paths);
      if (tile.warp == 0) {
        if (!(best < FlowRange<T>::kNone)) paths = 0;
        if (paths >= kMostPaths) *s.too_many = 1;
        tile.near_of(u) = best;
        tile.value_of(u) = paths;
      }
    }
    __syncthreads();
  }
}

// Adds what an arc of `backward` that leads down from a place carries: flow per path.
template <class T>
__device__ __forceinline__ void lead(const FlowTile<T>& tile, T near, double paths, int number,
                                     const CountedArc<T>& arc, T reached, double& leads) {
  const bool tight = near + arc.length == reached && near < FlowRange<T>::kNone;
  if (!__any_sync(0xffffffffu, tight)) return;
  const double share = tight ? tile.value_of(arc.other) : 0.0;
  leads += share * tile.s.backward.paths[number];
  const double flow = warp_sum(share * paths);
  if (tile.lane == 0) add_to(tile.along_down + number, flow);
}

// What ends at v, and what passes it: by one warp.
template <class T>
__device__ __forceinline__ void end_flow(const FlowTile<T>& tile, int v, T near, double paths, double lead,
                                         double& served) {
  const TreeFlows<T>& s = tile.s;
  const int target = s.to != nullptr ? 0 : s.target_of[v];
  double ends = 0;
  const bool away = near > T(0), arrives = away && paths > 0 && near <= s.cutoff;
  if (s.to != nullptr)
    ends = arrives ? s.to[v] : 0.0;
  else if (target >= 0)
    ends =
        arrives ? s.demand[(blockIdx.x * static_cast<long long>(s.targets) + target) * 32 + tile.lane] : 0.0;
  served += ends;
  tile.value_of(v) = lead + (arrives ? ends / paths : 0.0);
  const double passing = warp_sum(away ? lead * paths : 0.0);
  const double arrived = target >= 0 ? warp_sum(ends) : 0.0;
  if (tile.lane == 0) {
    add_to(tile.through + v, passing);
    if (target >= 0) add_to(tile.arrived + v, arrived);
  }
}

// The way down backwards.
//
// A block owns a tile, a warp a place with few arcs that lead down from it. Read: near; value of earlier
// places. Written: value; through, arrived, along_down of the tile, and served. No race: as flow_down; an arc
// has one tail.
template <class T>
__global__ void __launch_bounds__(kFlowThreads, kFlowBlocks<T>) flow_back(TreeFlows<T> s, FlowBatch batch) {
  __shared__ double sums[2][kFlowWarps][32];
  const FlowTile<T> tile(s);
  const int length = batch.lengths[blockIdx.x];
  for (int i = tile.warp; i < length; i += kFlowWarps)
    if (!s.needed[tile.path[i]]) tile.value_of(tile.path[i]) = 0;
  double served = 0;
  int buffer = 0;
  for (int k = 0; k < s.backward_count; ++k) {
    const FlowStep step = s.backward.steps[k];
    FewArcs<T> next(s.backward, step.begin + tile.warp, step.few, tile.lane);
    T next_near = next.place < 0 ? T(0) : tile.near_of(next.place);
    double next_paths = next.place < 0 ? 0.0 : tile.value_of(next.place);
    for (int i = step.begin + tile.warp; i < step.few; i += kFlowWarps) {
      const FewArcs<T> now = next;
      const T near = next_near;
      const double paths = next_paths;
      next = FewArcs<T>(s.backward, i + kFlowWarps, step.few, tile.lane);
      if (next.place >= 0) {
        next_near = tile.near_of(next.place);
        next_paths = tile.value_of(next.place);
      }
      double leads = 0;
      now.each(tile, [&](int k, const CountedArc<T>& arc, T reached) {
        lead(tile, near, paths, now.first + k, arc, reached, leads);
      });
      end_flow(tile, now.place, near, paths, leads, served);
    }
    for (int i = step.few; i < step.end; ++i) {
      const int v = s.backward.order[i];
      const T near = tile.near_of(v);
      const double paths = tile.value_of(v);
      double leads = 0;
      each_arc(tile, s.backward.arcs, s.backward.start[i] + tile.warp, s.backward.start[i + 1], kFlowWarps,
               [&](long long e, const CountedArc<T>& arc, T reached) {
                 lead(tile, near, paths, static_cast<int>(e), arc, reached, leads);
               });
      sums[buffer][tile.warp][tile.lane] = leads;
      __syncthreads();
      if (tile.warp == 0) {
        leads = 0;
#pragma unroll
        for (int w = 0; w < kFlowWarps; ++w) leads += sums[buffer][w][tile.lane];
        end_flow(tile, v, near, paths, leads, served);
      }
      buffer ^= 1;
    }
    __syncthreads();
  }
  sums[0][tile.warp][tile.lane] = served;
  __syncthreads();
  if (tile.warp == 0) {
    served = 0;
#pragma unroll
    for (int w = 0; w < kFlowWarps; ++w) served += sums[0][w][tile.lane];
    s.served[blockIdx.x * 32 + tile.lane] = served;
  }
}

// The way up backwards.
//
// A block owns a tile, and the places of its path in descending order; a warp owns every kFlowWarps-th arc of
// a place. Read: near, climbed. Read and written: value of the path. Written: through, along_up of the tile;
// met becomes 0. No race: as flow_climb.
template <class T>
__global__ void __launch_bounds__(kFlowThreads, kFlowBlocks<T>) flow_return(TreeFlows<T> s, FlowBatch batch) {
  __shared__ double sums[2][kFlowWarps][32];
  const FlowTile<T> tile(s);
  for (int i = batch.lengths[blockIdx.x] - 1; i >= 0; --i) {
    const int u = tile.path[i];
    const T near = tile.near_of(u);
    const double climbed = tile.climbed[i * 32LL + tile.lane];
    double lead = 0;
    each_arc<2>(tile, s.up.arcs, s.up.first[u] + tile.warp, s.up.last[u], kFlowWarps,
                [&](long long a, const CountedArc<T>& arc, T reached) {
                  const bool tight = near + arc.length == reached && near < FlowRange<T>::kNone;
                  if (!__any_sync(0xffffffffu, tight)) return;
                  const double share = tight ? tile.value_of(arc.other) : 0.0;
                  lead += share * s.up.paths[a];
                  const double flow = warp_sum(share * climbed);
                  if (tile.lane == 0) add_to(tile.along_up + a, flow);
                });
    sums[i & 1][tile.warp][tile.lane] = lead;
    __syncthreads();
    if (tile.warp == 0) {
      lead = 0;
#pragma unroll
      for (int w = 0; w < kFlowWarps; ++w) lead += sums[i & 1][w][tile.lane];
      const double passing = warp_sum(near > T(0) ? lead * climbed : 0.0);
      if (tile.lane == 0) {
        add_to(tile.through + u, passing);
        tile.met[u] = 0;
      }
      tile.value_of(u) += lead;
    }
    __syncthreads();
  }
}

// Writes the demand of a batch. A block owns a source: rows (tiles, 32), -1 where there is none. `common`:
// the targets (of one row) are those of every row. No race: the targets of a source differ.
template <class T>
__global__ void flow_demand(TreeFlows<T> s, const int* rows, const long long* start, const int* targets,
                            const double* values, const int* place, int common, double* demand) {
  const int row = rows[blockIdx.x];
  if (row < 0) return;
  double* to = demand + (blockIdx.x / 32) * static_cast<long long>(s.targets) * 32 + blockIdx.x % 32;
  const long long first = start[row];
  for (long long i = first + threadIdx.x; i < start[row + 1]; i += blockDim.x)
    to[s.target_of[place[targets[common ? i - first : i]]] * 32LL] = values[i];
}

// total[i] = the sum over tiles. A thread owns an element. No race.
__global__ void flow_total(const double* parts, long long count, int tiles, double* total) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  double sum = 0;
  for (int tile = 0; tile < tiles; ++tile) sum += parts[tile * count + i];
  total[i] = sum;
}

}  // namespace apsp
