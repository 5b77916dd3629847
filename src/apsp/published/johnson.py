"""Johnson's algorithm on one GPU, in the three versions of Batool and Mehdi, which store frontiers differently.

Source: Batool, Mehdi, "Sequential Johnson's APSP Algorithm on GPU", sections 5 to 7, figures 1 and 3 to 7; Crauser et
al. 1998 and Ortega-Arranz et al. 2013 for the thresholds. Input: any graph. Output: as `Solver.fill`. Cost: n m at
worst for the heights, then for each source m + n operations per frontier, at worst n frontiers; 16 m + 60 n bytes and
64 rows of device memory. Raises NegativeCycleError with the cycle, DeviceError.

The idea: heights make every arc non-negative; then all vertices within the threshold (the minimum of distance plus
shortest arc out) are settled, and their arcs relaxed, at once.

Corrected: figure 2 repeats the Bellman-Ford listing, so the text is followed: the frontier is the vertices up to the
threshold (figures 6 and 7), not those beyond it. Figure 5 adds an arc to the distance of its head instead of its tail.
The vertex q is not stored: its arcs, the initial class, are written directly (heights 0, all vertices in the queue). An
arc that improves nothing enqueues nothing, and no vertex is in a queue twice: as printed, the algorithm does not end on
cycles. In-degrees do not count q, so the incoming class may accept a value only if it is smaller. Loops are skipped,
but a negative one is a negative cycle. The host launches the rounds (the paper's child kernels are no longer a part of
CUDA) and reads 16 bytes after each; a queue that is not empty after n rounds means a negative cycle, which the exact
potentials of the CPU find; if it was only due to rounding, these potentials are used. Lengths are 64 bits wide, since
reduced ones are larger than distances. Floats lose digits by cancellation, so their rows are verified, and the CPU
searches again, by exact sums, from sources whose rows are not within rounding. Predecessors are added: the frontier
vertex from which a length was computed.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.potentials import potentials, signed_floats
from apsp.gpu import jit
from apsp.gpu.memory import on_gpu
from apsp.gpu.recorder import kernel_name
from apsp.gpu.traffic import fetched, first_of, sent
from apsp.graph.csr import arc_arrays
from apsp.graph.signed import allowed_rounding
from apsp.methods.problem import IntArray, KernelProgress, Problem, Solver
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.published.one_gpu import only_gpu
from apsp.result.paths import passed_through
from apsp.semiring import NO_VERTEX, unreachable
from apsp.system.array_device import is_on_gpu, module_of

__all__ = ["BLOCK", "Frontier", "JohnsonOnGpu", "expressions", "prepare"]

BLOCK = 256
Frontier = Literal["flag", "queue", "prefix"]

_KERNELS = (
    "relax_queue", "relax_outgoing", "reweight", "begin", "relax_flagged", "relax_queued", "record", "minimum",
    "update_flags", "update_queue", "take_back",
)  # fmt: skip
_ROWS_AT_ONCE = 64
_LARGEST_HEIGHT = 2**61


def prepare(problem: Problem, *, frontier: Frontier = "flag", block: int = BLOCK) -> Solver:
    """Prepare the method for a problem; `JohnsonOnGpu` describes the options."""
    return JohnsonOnGpu(problem, frontier=frontier, block=block)


def expressions(value: str) -> tuple[str, ...]:
    """The kernels of johnson.cu for 'long long' or 'double'."""
    return (*(f"apsp::{name}<{value}>" for name in _KERNELS), "apsp::update_prefix")


class JohnsonOnGpu(Solver):
    """One of the three versions.

    Parameters
    ----------
    problem : Problem
    frontier : {'flag', 'queue', 'prefix'}
    block : int
        Threads of a block.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        frontier: Frontier = "flag",
        block: int = BLOCK,
    ) -> None:
        self.problem, self.frontier, self.block = problem, frontier, block
        self.gpu = only_gpu(f"johnson-{frontier}", problem)
        self.integer = problem.dtype.kind != "f"
        self.value = np.dtype(np.int64 if self.integer else np.float64)
        self._arrays: Any = None
        self._kernels: dict[str, Any] = {}
        self._exact: _cpu.SignedFloats | None = None
        if any(self._negative_loops()):
            refuse_negative_cycle(problem.graph)

    def _negative_loops(self) -> npt.NDArray[np.bool_]:
        graph = self.problem.graph
        loops: npt.NDArray[np.bool_] = graph.tails() == graph.indices
        return loops & (graph.arc_weights(self.value) < 0)

    def fill(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None = None) -> None:
        """Write distances from the sources and, if requested, their predecessors."""
        if self.problem.graph.n == 0:
            return
        self._arrays = jit.cupy()
        with on_gpu(self.gpu):
            self._solve(sources, dist, pred, progress)

    def _solve(self, sources: IntArray, dist: Any, pred: Any, progress: KernelProgress | None) -> None:
        self._upload()
        self._bellman_ford()
        self.run("reweight", self.n, np.int32(self.n), self.indptr, self.indices, self.height, self.weights, self.least)
        n, xp = self.n, self._arrays
        for first in range(0, len(sources), _ROWS_AT_ONCE):
            part = sources[first : first + _ROWS_AT_ONCE]
            rows = xp.empty((len(part), n), dtype=self.value)
            before = xp.full((len(part), n), NO_VERTEX, dtype=np.int32) if pred is not None else None
            for i, source in enumerate(part.tolist()):
                self._dijkstra(source, None if before is None else before[i])
                self.run("take_back", n, np.int32(n), np.int32(source), self.dist, self.height, rows[i])
                if progress is not None:
                    progress(first + i + 1)
            here = slice(first, first + len(part))
            whole, preds = fetched(rows), None if before is None else fetched(before)
            if not self.integer and self.problem.graph.has_negative_arc:
                self._search_again(part, whole, preds)
            self._hand_over(whole, preds, dist[here], None if pred is None else pred[here])

    def _search_again(self, sources: IntArray, rows: npt.NDArray[Any], before: npt.NDArray[np.int32] | None) -> None:
        """Compute rows that are not within rounding again, by exact sums."""
        graph, row = self.problem.graph, 0
        rounding = allowed_rounding(graph, sources, self.problem.dtype)
        arcs = arc_arrays(graph, graph.arc_weights(np.float64))
        while row < len(sources):
            rest = slice(row, None)
            preds = None if before is None else before[rest]
            wrong, _ = _cpu.verify_rows(arcs, sources[rest], rows[rest], preds, None, *rounding)
            if wrong < 0:
                return
            row += wrong
            if self._exact is None:
                self._exact = signed_floats(graph)
            here = slice(row, row + 1)
            again = _cpu.RowArrays(sources[here], rows[here], None if before is None else before[here])
            self._exact.rows(arcs, again)
            row += 1

    def run(self, name: str, threads: int, *arguments: Any) -> None:
        """Launch one kernel with at least this number of threads."""
        block = 256 if name == "minimum" else self.block
        if not self._kernels:
            found = jit.kernels("johnson.cu", expressions("long long" if self.integer else "double"))
            self._kernels = {kernel_name(expression): kernel for expression, kernel in found.items()}
        blocks = (threads + block - 1) // block
        self._kernels[name]((blocks,), (block,), arguments)

    def _upload(self) -> None:
        graph, xp = self.problem.graph, self._arrays
        self.n = n = graph.n
        self.indptr, self.indices = sent(graph.indptr), sent(graph.indices)
        self.weights = sent(graph.arc_weights(self.value))  # a copy: reweighting changes it
        closed = graph.zones if graph.zones is not None else np.zeros(n, dtype=bool)
        self.closed = sent(closed.astype(np.uint8))
        self.height = xp.zeros(n, dtype=self.value)
        self.least, self.dist = xp.empty(n, dtype=self.value), xp.empty(n, dtype=self.value)
        self.state = xp.zeros(2, dtype=self.value)  # the values that the host reads after every frontier, in one copy
        self.threshold, self.tail = self.state[:1], _count_in(self.state)
        self.unsettled, self.flag = xp.empty(n, dtype=np.uint8), xp.empty(n, dtype=np.uint8)
        self.settled, self.queue, self.sums = (xp.empty(n, dtype=np.int32) for _ in range(3))

    def _bellman_ford(self) -> None:
        """Heights from the vertex q (figures 1 and 3)."""
        graph, xp, n = self.problem.graph, self._arrays, self.n
        if not graph.has_negative_arc:
            return
        if self.integer and not self._heights_fit():
            self.height = sent(potentials(graph).height.astype(self.value, copy=False))
            return
        in_degree = sent(np.bincount(graph.indices, minlength=n).astype(np.int32))
        queue, following = xp.arange(n, dtype=np.int32), xp.empty(n, dtype=np.int32)
        stamp = xp.full(n, -1, dtype=np.int32)
        count = n
        for round_number in range(n + 1):
            if count == 0:
                break
            self.tail[...] = 0
            self.run(
                "relax_queue", count, queue, np.int32(count), self.indptr, self.indices, self.weights, in_degree,
                self.height, stamp, np.int32(round_number), following, self.tail,
            )  # fmt: skip
            queue, following, count = following, queue, first_of(self.tail)
        self.run("relax_outgoing", n, np.int32(n), self.indptr, self.indices, self.weights, self.height)
        if count or (self.integer and int(fetched(self.height.min())) <= -_LARGEST_HEIGHT):
            self.height = sent(potentials(graph).height.astype(self.value, copy=False))

    def _heights_fit(self) -> bool:
        weights = self.problem.graph.arc_weights(self.value)
        return -int(weights.min(initial=0)) * (self.n + 1) < _LARGEST_HEIGHT

    def _dijkstra(self, source: int, pred: Any) -> None:
        """Reduced lengths from one source into `dist`, and predecessors."""
        n, where, none = np.int32(self.n), (np.int32(source), self.closed), unreachable(self.value)
        self.run("begin", self.n, n, where[0], self.dist, self.unsettled, self.flag, self.settled, self.queue)
        arcs, count = (self.indptr, self.indices, self.weights, self.unsettled, self.dist), 1
        for round_number in range(self.n):
            if self.frontier == "flag":
                self.run("relax_flagged", self.n, self.flag, n, *where, *arcs, self.threshold, self.tail)
            else:
                self.run("relax_queued", count, self.queue, np.int32(count), *where, *arcs, self.threshold, self.tail)
            if pred is not None:
                self.run("record", self.n, self.settled, np.int32(round_number), n, *where, *arcs, pred)
            self.run("minimum", self.n, n, self.unsettled, self.dist, self.least, self.threshold)
            self._update(n, np.int32(round_number + 1))
            state = fetched(self.state)
            if state[0] == none:
                return  # vertices that are not settled have no arcs out
            count = int(_count_in(state)[0])

    def _update(self, n: np.int32, round_number: np.int32) -> None:
        """The next frontier (section 7.3 and 7.4)."""
        common = (n, self.dist, self.threshold, round_number)
        if self.frontier == "queue":
            self.run("update_queue", self.n, *common, self.unsettled, self.settled, self.queue, self.tail)
            return
        settle = np.int32(self.frontier == "flag")
        self.run("update_flags", self.n, *common, settle, self.unsettled, self.flag, self.settled)
        if self.frontier == "prefix":
            self._arrays.cumsum(self.flag, dtype=np.int32, out=self.sums)
            marks = (self.unsettled, self.settled, self.queue, self.tail)
            self.run("update_prefix", self.n, n, self.flag, self.sums, round_number, *marks)

    def _hand_over(self, rows: Any, before: Any, dist: Any, pred: Any) -> None:
        """Apply the cutoff and the dtype, and copy the requested columns."""
        none = rows == unreachable(self.value)
        cutoff = self.problem.cutoff
        rows = np.where(none, 0, rows).astype(self.problem.dtype)
        beyond = none if cutoff is None else none | (rows > cutoff)
        if pred is not None:
            lost = beyond
            if cutoff is not None and self.problem.graph.has_negative_arc:
                lost = beyond & ~passed_through(before, ~beyond)
            before[lost] = NO_VERTEX
            pred[...] = module_of(pred).asarray(before) if is_on_gpu(pred) else before
        rows[beyond] = unreachable(self.problem.dtype)
        requested = rows if self.problem.targets is None else rows[:, self.problem.targets]
        dist[...] = module_of(dist).asarray(requested) if is_on_gpu(dist) else requested


def _count_in(state: Any) -> Any:
    """The length of the queue, (1,) int32, in the second 8 bytes."""
    return state[1:].view(np.int32)[:1]
