// C = choose(C, A join B): nearly all of the work of blocked Floyd-Warshall (Katz, Kider 2008, section 3).
#include "dynamic_shared.cuh"
#include "staged_tile.cuh"

namespace apsp {

template <class Ops, class S>
__device__ __forceinline__ void update_tile(const TileUpdate<Ops>& in) {
  using Size = Sizes<Ops, S>;
  APSP_DYNAMIC_SHARED(__align__(16) char, shared);
  const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const int own_row = (warp / S::kWarpsAcross) * 4 * S::kThreadRows + (lane >> 3);
  const int own_bytes = (warp % S::kWarpsAcross) * 128 * S::kThreadVectors + (lane & 7) * 16;
  const Place<Ops, S> at = {in.row.from + own_row,
                            in.column.from + own_bytes / int(sizeof(typename Ops::Value))};
  const int stages = (in.depth + Size::kDepth - 1) / Size::kDepth;
#pragma unroll
  for (int stage = 0; stage < S::kStages - 1; ++stage) {
    if (stage < stages) load_stage<Ops, S>(shared + stage * Size::kStageBytes, in, stage * Size::kDepth);
    end_of_stage();
  }

  Own<Ops, S> own;
  read_own<Ops, S>(in, own, at);

  int full = 0, empty = (S::kStages - 1) * Size::kStageBytes;
  for (int stage = 0; stage < stages; ++stage) {
    await_stages<S::kStages - 2>();
    __syncthreads();
    if (stage + S::kStages - 1 < stages)
      load_stage<Ops, S>(shared + empty, in, (stage + S::kStages - 1) * Size::kDepth);
    end_of_stage();
    relax_stage<Ops, S>(own, shared + full + own_row * S::kLeftPitch,
                        shared + full + S::kLeftBytes + own_bytes, in.one);
    full = full + Size::kStageBytes == Size::kStages ? 0 : full + Size::kStageBytes;
    empty = empty + Size::kStageBytes == Size::kStages ? 0 : empty + Size::kStageBytes;
  }
  write_own<Ops, S>(in, own, at);
}

// C = choose(C, A join B), C (rows, columns), A (rows, depth), B (depth, columns), each with its own row
// stride; rows [skip_row, skip_row_to) and columns [skip_column, skip_column_to) of C are not changed. C
// overlaps neither A nor B. `aligned`: every row of the three begins at a multiple of 16 bytes. `one` is 1.
//
// A block owns one tile of C, S::kRows rows of S::kRowBytes, and reads S::kDepthBytes of depth per stage
// through shared memory. A thread owns S::kThreadRows rows (4 apart) of S::kThreadVectors vectors of 16 bytes
// (128 apart) of it, in registers throughout. Read: the tile of C once, as many rows of A and columns
// of B through shared memory. Written: the tile of C once. No race: no other block writes the entries that a
// block reads; a stage is overwritten only after the barrier that follows its last use.
template <class Ops, class S, class L>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks)
    update(typename Ops::Value* __restrict__ c, long long c_stride, const typename Ops::Value* __restrict__ a,
           long long a_stride, const typename Ops::Value* __restrict__ b, long long b_stride, int rows,
           int columns, int depth, int skip_row, int skip_row_to, int skip_column, int skip_column_to,
           int aligned, int one) {
  static_assert(L::template kFits<Ops, S>, "policy.py and tile.cuh disagree");
  const Span row = tile_of(blockIdx.y, S::kRows, rows, skip_row, skip_row_to);
  const Span column = tile_of(blockIdx.x, Sizes<Ops, S>::kColumns, columns, skip_column, skip_column_to);
  const bool whole =
      aligned && row.to - row.from == S::kRows && column.to - column.from == Sizes<Ops, S>::kColumns;
  update_tile<Ops, S>({c, c_stride, a, a_stride, b, b_stride, row, column, depth, one, bool(aligned), whole});
}

}  // namespace apsp
