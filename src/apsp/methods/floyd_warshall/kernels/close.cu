// Blocked Floyd-Warshall of a whole page in one launch: tiles of 64 (Katz, Kider 2008, section 3), whose
// steps wait for one another by counters in device memory instead of by launches.
#include "block.cuh"
#include "dynamic_shared.cuh"

namespace apsp {

// A step of one tile: relax tile (i, j) through the pivots of tile k. i == j == k closes a tile of the
// diagonal, i == k or j == k relaxes a panel.
struct Step {
  int i, j, k;
};

// Steps in an order in which each needs only earlier ones, with look-ahead: among the tiles of step k, the
// next tile of the diagonal is the first, the tiles of its panels follow, and the panels themselves come
// after `lead` more tiles, when that tile of the diagonal has been closed.
__device__ __forceinline__ Step step_of(long long ticket, int tiles, int lead) {
  const int first = 2 * tiles - 1;  // the first tile of the diagonal and its panels
  int k = -1, at = int(ticket) + 1;
  if (ticket >= first) {
    const long long area = static_cast<long long>(tiles) * tiles;
    k = int((ticket - first) / area);
    at = int((ticket - first) - k * area);
    if (k == tiles - 1) return {(k + 1 + at / (tiles - 1)) % tiles, (k + 1 + at % (tiles - 1)) % tiles, k};
    if (at == 0) return {k + 1, k + 1, k};
  }
  const int next = k + 1;
  if (at == 1) return {next, next, next};
  at -= 2;
  const int others = tiles - 2, strips = k < 0 ? 0 : 2 * others, rest = k < 0 ? 0 : others * others;
  if (at < strips) {
    const int other = (next + 1 + at / 2) % tiles;
    return at % 2 == 0 ? Step{next, other, k} : Step{other, next, k};
  }
  at -= strips;
  const int before = min(lead, rest), panels = 2 * (tiles - 1);
  if (at >= before && at < before + panels) {
    const int other = (next + 1 + (at - before) / 2) % tiles;
    return (at - before) % 2 == 0 ? Step{next, other, next} : Step{other, next, next};
  }
  if (at >= before) at -= panels;
  return {(next + 1 + at / others) % tiles, (next + 1 + at % others) % tiles, k};
}

__device__ __forceinline__ void await(const int* counter, int value) {
  int seen;
  while (true) {
#if __CUDA_ARCH__ >= 700
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(counter) : "memory");
#else
    seen = *static_cast<const volatile int*>(counter);
    __threadfence();
#endif
    if (seen >= value) return;
    __nanosleep(20);
  }
}

constexpr int kSlots = 4;  // steps whose panels are kept

// Shared by the blocks: the next ticket, the number of steps done on each tile, and of tiles done in each
// step.
struct Counters {
  int* ticket;
  int* of_tile;  // (tiles, tiles)
  int* of_step;  // (tiles,)
};

__device__ __forceinline__ void await_step(const Step& step, int tiles, const Counters& counters) {
  const int thread = threadIdx.x;
  const bool diagonal = step.i == step.k && step.j == step.k;
  if (thread == 0) await(counters.of_tile + step.i * tiles + step.j, step.k);
  if (thread == 1 && step.j != step.k) await(counters.of_tile + step.i * tiles + step.k, step.k + 1);
  if (thread == 2 && step.i != step.k) await(counters.of_tile + step.k * tiles + step.j, step.k + 1);
  if (thread == 3 && diagonal && step.k >= kSlots)
    await(counters.of_step + step.k - kSlots, tiles * tiles - 1);
  __syncthreads();
}

__device__ __forceinline__ void finish_step(const Step& step, int tiles, const Counters& counters) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(counters.of_tile + step.i * tiles + step.j, step.k + 1);
    if (step.i != step.k || step.j != step.k) atomicAdd(counters.of_step + step.k, 1);
  }
}

// One step, after its inputs are available. panels: copies of the pivots' rows [0] and columns [1] of tiles,
// so that tiles of the matrix may enter the next step while others still read the panels of this one.
template <class Ops, class B>
__device__ __forceinline__ void run_step(const Step& step, int tiles, const Place<typename B::Value>& page,
                                         const Cycles& cycles, typename B::Word* panels,
                                         typename B::Word* shared) {
  using Word = typename B::Word;
  const long long row = step.i * B::kTile, column = step.j * B::kTile;
  const Place<typename B::Value> place = {page.corner + row * page.stride + column, page.stride,
                                          page.rows - int(row), page.columns - int(column), page.aligned};
  Word* left = shared;
  Word* right = shared + B::kTile * B::kLeftPitch;
  Word* rows = panels + static_cast<long long>(step.k % kSlots) * 2 * tiles * B::kWords;
  Word* columns = rows + static_cast<long long>(tiles) * B::kWords;
  const int size = min(B::kTile, page.rows - step.k * B::kTile);
  OwnEntries<B> own;
  if (step.j != step.k)
    stage_words<B>(left, B::kLeftPitch,
                   step.i == step.k ? rows + step.k * B::kWords : columns + step.i * B::kWords);
  if (step.i != step.k) stage_words<B>(right, B::kTile, rows + step.j * B::kWords);
  end_of_stage();
  load_own<Ops, B>(own, place);
  if (step.i == step.k && step.j != step.k) write_words<B>(right, B::kTile, own);
  if (step.j == step.k && step.i != step.k) write_words<B>(left, B::kLeftPitch, own);
  await_stages<0>();
  __syncthreads();
  if (step.i == step.k && step.j == step.k)
    close_own<Ops, B>(own, shared, size, {cycles.first_vertex + step.k * B::kTile, cycles.found});
  else
    relax_own<B>(own, left, right, size);
  if (step.i == step.k)
    write_words<B>(rows + step.j * B::kWords, B::kTile, own);
  else if (step.j == step.k)
    write_words<B>(columns + step.i * B::kWords, B::kTile, own);
  store_own<B>(own, place);
}

// Floyd-Warshall on the page (n, n), in place. found: see Cycles, counts from first_vertex. counters
// (1 + tiles^2 + tiles,), zero before the launch. panels: (kSlots, 2, tiles, 64, 64) words.
//
// A block owns one tile at a time, the next in the order of step_of. A thread owns 8 x 4 entries of it, in
// registers. Read: the tile, and two tiles of `panels`, once. Written: the tile; if it belongs to a panel,
// its copy in `panels`. No race: a step begins when the counters show that the steps it needs are done; a
// copy in `panels` is rewritten kSlots steps later, when all tiles have done its step. No deadlock: a block
// only waits for steps with earlier tickets, which running blocks have taken.
template <class Ops>
__global__ void __launch_bounds__(128, sizeof(typename Block<Ops, 64>::Word) == 4 ? 4 : 2)
    close(typename Ops::Value* page, long long stride, int n, int aligned, int first_vertex, int lead,
          typename Block<Ops, 64>::Word* panels, int* counters, int* found) {
  using B = Block<Ops, 64>;
  APSP_DYNAMIC_SHARED(__align__(16) char, dynamic);
  __shared__ long long taken;
  const int tiles = (n + B::kTile - 1) / B::kTile;
  const Counters shared_counters = {counters, counters + 1, counters + 1 + tiles * tiles};
  const long long steps = static_cast<long long>(tiles) * tiles * tiles;
  const Place<typename B::Value> whole = {page, stride, n, n, aligned != 0};
  while (true) {
    if (threadIdx.x == 0) taken = atomicAdd(shared_counters.ticket, 1);
    __syncthreads();
    if (taken >= steps) return;
    const Step step = step_of(taken, tiles, lead);
    await_step(step, tiles, shared_counters);
    run_step<Ops, B>(step, tiles, whole, {first_vertex, found}, panels,
                     reinterpret_cast<typename B::Word*>(dynamic));
    finish_step(step, tiles, shared_counters);
  }
}

}  // namespace apsp
