"""The runs that figures and tables of counts are made of: this package's kernels on the emulated GPU.

Each function runs one published method on a small graph and writes down what its driver launches and what the arrays of
the paper hold between two launches. Nothing here computes a distance by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.gpu.emulated.run import entered
from apsp.gpu.recorder import Recorder, recording
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.problem import Problem
from apsp.methods.registry import METHODS
from apsp.published import harish_sssp, katz_kider_pages, lab_fw, okuyama
from apsp.published.johnson import JohnsonOnGpu
from apsp.published.katz_kider import pack
from apsp.published.katz_kider_gpu import GpuWorker

__all__ = [
    "Frontier", "Heights", "Launch", "PageJob", "Pivot", "Round", "counted", "example", "example_with_negative_arc",
    "johnson_frontiers", "johnson_heights", "lab_pivots", "page_jobs", "passes", "random_graph", "rounds",
]  # fmt: skip

Array = npt.NDArray[Any]
SEED = 2008


def example() -> Graph:
    """The graph of six vertices that all pages use."""
    return apsp.from_edges([0, 0, 1, 2, 2, 3, 3, 3, 4], [1, 2, 3, 1, 4, 0, 4, 5, 5], [7, 2, 1, 3, 8, 4, 1, 9, 3])


def example_with_negative_arc() -> Graph:
    """The same with length -2 instead of 3 from vertex 2 to vertex 1."""
    return apsp.from_edges([0, 0, 1, 2, 2, 3, 3, 3, 4], [1, 2, 3, 1, 4, 0, 4, 5, 5], [7, 2, 1, -2, 8, 4, 1, 9, 3])


def random_graph(n: int = 256, *, negative: bool = False) -> Graph:
    """Vertices and 4 n arcs with lengths 1 to n; parallel arcs have merged."""
    return apsp.generate("negative" if negative else "random", n, m=4 * n, weights=(1, n), seed=SEED)


def _problem(graph: Graph, dtype: str = "int32", devices: int = 1) -> Problem:
    return Problem(graph, np.dtype(dtype), device="emulated", gpus=tuple(range(devices)))


def _host(array: Any) -> Array:
    """A copy on the host, whatever the array is."""
    return np.array(array.get() if hasattr(array, "get") else array)


def counted(method: str, graph: Graph, sources: Sequence[int], **options: int) -> Recorder:
    """What the kernels do, as `apsp.profile` counts it; options are those of the method's `prepare`."""
    rows, dist = np.array(sources, dtype=np.int32), np.empty((len(sources), graph.n), dtype=np.int32)
    with entered(1, None), recording() as recorder:
        registry.prepare(METHODS[method])(_problem(graph), **options).fill(rows, dist, None)
    _assert_right(graph, sources, dist)
    return recorder


# -- scatter and check: harish-sssp, okuyama, okuyama-global -----------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """Ma, Ca, Ua (n, N) before scattering, Ma and Ua after it, Ma and Ca after checking."""

    modified: Array
    costs: Array
    updates: Array
    modified_scattered: Array
    updates_scattered: Array
    modified_checked: Array
    costs_checked: Array


class _Watched:
    """The kernels of a solver, and copies of the arrays around every launch."""

    def __init__(self, kernels: Any, seen: list[Round]) -> None:
        self._kernels, self._seen = kernels, seen
        self._before: tuple[Array, ...] = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernels, name)

    def scatter(self, arcs: Any, modified: Any, costs: Any, updates: Any) -> None:
        before = (_host(modified), _host(costs), _host(updates))
        self._kernels.scatter(arcs, modified, costs, updates)
        self._before = (*before, _host(modified), _host(updates))

    def check(self, modified: Any, costs: Any, updates: Any, flag: Any) -> None:
        self._kernels.check(modified, costs, updates, flag)
        self._seen.append(Round(*self._before, _host(modified), _host(costs)))


def rounds(method: str, graph: Graph, sources: Sequence[int], tasks: int = 32) -> list[Round]:
    """All rounds of the searches from some sources, one group of sources after the other."""
    seen: list[Round] = []
    with entered(1, None):
        problem = _problem(graph)
        if method == "harish-sssp":
            solver = harish_sssp.harish_sssp(problem)
        else:
            solver = okuyama.okuyama(problem, tasks=tasks, shared=method == "okuyama")
        solver.kernels = _Watched(solver.kernels, seen)
        dist = np.empty((len(sources), graph.n), dtype=np.int32)
        solver.fill(np.array(sources, dtype=np.int32), dist, None)
    _assert_right(graph, sources, dist)
    return seen


def _assert_right(graph: Graph, sources: Sequence[int], dist: Array) -> None:
    """A figure of a wrong run is worth nothing."""
    expected = apsp.solve(graph, method="reference", dtype="int64").distances[list(sources)]
    far = expected == np.iinfo(np.int64).max
    assert (dist[~far] == expected[~far]).all()


# -- Katz and Kider ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Launch:
    """One launch: its pass (1 to 3), the number of the primary block, the grid, and the blocks (i, j) it changed."""

    number: int
    primary: int
    grid: tuple[int, ...]
    changed: frozenset[tuple[int, int]]


class _WatchedGpu(GpuWorker):
    """Writes down which blocks of the page a launch wrote, by comparing the page before and after it."""

    def __init__(self, block: int, seen: list[Launch]) -> None:
        super().__init__(0, "apsp::Paths<int>", block)
        self._seen = seen

    def _launch(self, kernel: Any, grid: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        before = _host(arguments[0])
        super()._launch(kernel, grid, arguments)
        after, size = _host(arguments[0]), self._block
        rows, columns = np.nonzero((before != after).any(axis=-1))
        number = [self._primary_pass, self._single_pass, self._double_pass].index(kernel) + 1
        primary = int(arguments[2 if number == 1 else 3 if number == 2 else 4])
        blocks = frozenset(zip((rows // size).tolist(), (columns // size).tolist(), strict=True))
        self._seen.append(Launch(number, primary, grid, blocks))


def passes(lengths: Array, block: int) -> list[Launch]:
    """All launches that close the matrix (n, n) int32 in one page; n is a multiple of the block."""
    seen: list[Launch] = []
    with entered(1, None):
        cells = pack(lengths, len(lengths))
        katz_kider_pages.close_cells(cells, len(cells), [_WatchedGpu(block, seen)])
    return seen


@dataclass(frozen=True)
class PageJob:
    """Which GPU took which page (i, j) in which major pass (1 to 3) for which primary page."""

    gpu: int
    number: int
    primary: int
    page: tuple[int, int]


class _WatchedWorker:
    """A worker that writes its jobs down."""

    def __init__(self, gpu: int, cells: Array, side: int, block: int, seen: list[PageJob]) -> None:
        self._worker = GpuWorker(gpu, "apsp::Paths<int>", block)
        self._gpu, self._cells, self._side, self._seen = gpu, cells, side, seen

    @property
    def seconds(self) -> float:
        return self._worker.seconds

    def close_primary(self, page: Array, first: int, *, send_back: bool) -> None:
        self._seen.append(PageJob(self._gpu, 1, first // self._side, (first // self._side,) * 2))
        self._worker.close_primary(page, first, send_back=send_back)

    def through_primary(self, page: Array, first: int, *, in_column: bool) -> None:
        self._seen.append(PageJob(self._gpu, 2, first // self._side, self._place(page)))
        self._worker.through_primary(page, first, in_column=in_column)

    def through_both(self, page: Array, column: Array, row: Array, first: int) -> None:
        self._seen.append(PageJob(self._gpu, 3, first // self._side, self._place(page)))
        self._worker.through_both(page, column, row, first)

    def _place(self, page: Array) -> tuple[int, int]:
        """Where a view lies among the cells."""
        offset = page.ctypes.data - self._cells.ctypes.data
        row, rest = divmod(offset, self._cells.strides[0])
        return row // self._side, rest // self._cells.strides[1] // self._side


def page_jobs(lengths: Array, side: int, block: int, gpus: int) -> list[PageJob]:
    """Who took which page while the matrix (n, n) int32 was closed; n is a multiple of the side."""
    seen: list[PageJob] = []
    with entered(gpus, None):
        cells = pack(lengths, len(lengths))
        workers = [_WatchedWorker(gpu, cells, side, block, seen) for gpu in range(gpus)]
        katz_kider_pages.close_cells(cells, side, workers)
    return sorted(seen, key=lambda job: (job.primary, job.number, job.page, job.gpu))


# -- the course laboratory ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pivot:
    """A launch of the laboratory: its grid, the matrix (n, n) before it and after it."""

    grid: tuple[int, ...]
    before: Array
    after: Array


def lab_pivots(graph: Graph, block: int) -> list[Pivot]:
    """All pivots of lab-fw-shared."""
    seen: list[Pivot] = []

    class Watched(lab_fw.LabFloydWarshall):
        def launch(self, matrix: Any, k: int) -> None:
            before, blocks = _host(matrix), -(-len(matrix) // self.block)
            super().launch(matrix, k)
            seen.append(Pivot((blocks, blocks), before, _host(matrix)))

    with entered(1, None):
        dist = np.empty((graph.n, graph.n), dtype=np.int32)
        Watched(_problem(graph), block=block, shared=True).fill(np.arange(graph.n, dtype=np.int32), dist, None)
    _assert_right(graph, range(graph.n), dist)
    return seen


# -- Johnson -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Frontier:
    """After a round of the search from one source: the threshold, and how many vertices it settled."""

    threshold: int
    size: int


@dataclass(frozen=True)
class Heights:
    """Before a round of Bellman-Ford: the queue; after it: the heights."""

    queue: list[int]
    height: Array


def johnson_heights(graph: Graph) -> list[Heights]:
    """The rounds of relax_queue, and last what relax_outgoing leaves (with an empty queue)."""
    seen: list[Heights] = []

    class Watched(JohnsonOnGpu):
        def run(self, name: str, threads: int, *arguments: Any) -> None:
            queue = sorted(_host(arguments[0])[:threads].tolist()) if name == "relax_queue" else []
            super().run(name, threads, *arguments)
            if name in ("relax_queue", "relax_outgoing"):
                seen.append(Heights(queue, _host(self.height)))

    with entered(1, None):
        dist = np.empty((1, graph.n), dtype=np.int32)
        Watched(_problem(graph), frontier="queue").fill(np.zeros(1, dtype=np.int32), dist, None)
    return seen


def johnson_frontiers(graph: Graph, source: int) -> list[Frontier]:
    """The frontiers of johnson-queue after that of the source.

    The last has no threshold ("no path"): what it settles, if anything, has no arcs out.
    """
    seen: list[Frontier] = []

    class Watched(JohnsonOnGpu):
        def run(self, name: str, threads: int, *arguments: Any) -> None:
            super().run(name, threads, *arguments)
            if name == "update_queue":
                seen.append(Frontier(int(_host(self.threshold)[0]), int(_host(self.tail)[0])))

    with entered(1, None):
        dist = np.empty((1, graph.n), dtype=np.int32)
        Watched(_problem(graph), frontier="queue").fill(np.array([source], dtype=np.int32), dist, None)
    _assert_right(graph, [source], dist)
    return seen
