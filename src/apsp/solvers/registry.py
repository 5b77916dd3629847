"""One row a method: what it is called, where it lives, what it takes and where it comes from.

The rows are plain data: planning and listing never import a solver. `load` does.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, Protocol

import numpy as np

from apsp.errors import UnknownMethodError
from apsp.semiring import MIN_PLUS, Semiring

__all__ = ["METHODS", "GraphClaims", "Method", "get", "load", "methods", "refusal"]

FLOATS = ("float32", "float64")
INTEGERS = ("uint16", "int32", "int64")
ALL_DTYPES = (*INTEGERS, *FLOATS)
GPU_DTYPES = ("int32", "int64", *FLOATS)
"""Of the published methods on GPUs."""


@dataclass(frozen=True)
class Method:
    """A row of the registry.

    Attributes
    ----------
    name, module : str
        What the user types; the module that holds `prepare(problem) -> Solver`.
    family : 'dense', 'sparse', 'published' or 'reference'
    summary : str
        One line in plain words.
    source : str
        The paper with its section, or the textbook name.
    by_rows : bool
        Any rows can be computed alone, so that the method can stream; otherwise always all n x n.
    negative : bool
        Takes negative arcs and reports negative cycles.
    weighted : bool
        False for a method that counts hops and nothing else.
    dtypes, devices, semirings : tuple of str
    files : tuple of str
        Devices on which the matrix may be kept in a file while it is computed (`Problem.pages_file`).
    automatic : bool
        The planner may pick it; False for references and baselines, which run by name.
    improves_on : str or None
        The method or baseline that this one was built to beat; the benchmarks print the ratio.
    time, memory : str
        Operations and bytes beyond the output, in n, m, threads p and tile t.
    """

    name: str
    module: str
    family: Literal["dense", "sparse", "published", "reference"]
    summary: str
    source: str
    by_rows: bool
    negative: bool
    time: str
    memory: str
    weighted: bool = True
    dtypes: tuple[str, ...] = ALL_DTYPES
    devices: tuple[str, ...] = ("cpu",)
    semirings: tuple[str, ...] = ("min_plus",)
    files: tuple[str, ...] = ()
    automatic: bool = True
    improves_on: str | None = None


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            name="floyd-warshall",
            module="apsp.solvers.dense.floyd_warshall",
            family="dense",
            summary="Blocked Floyd-Warshall on packed tiles, in SIMD registers",
            source="Venkataraman, Sahni, Mukhopadhyaya 2003, section 3; Katz, Kider 2008, section 3",
            by_rows=False,
            negative=True,
            time="n^3 (add, min) pairs",
            memory="t n for packed panels",
            devices=("cpu", "cuda"),
            files=("cpu", "cuda"),
            semirings=("min_plus", "max_min", "min_max"),
            improves_on="scipy floyd_warshall",
        ),
        Method(
            name="dijkstra",
            module="apsp.solvers.sparse.dijkstra",
            family="sparse",
            summary="Dijkstra from every source over all cores, 4-ary heap",
            source="Dijkstra 1959; Johnson 1975 (d-ary heaps)",
            by_rows=True,
            negative=False,
            time="n (m + n log n)",
            memory="12 n bytes a thread",
            improves_on="scipy dijkstra",
        ),
        Method(
            name="dijkstra-buckets",
            module="apsp.solvers.sparse.dijkstra_buckets",
            family="sparse",
            summary="Dijkstra with a ring of buckets and a heap in the open one",
            source="Dial 1969; Cherkassky, Goldberg, Silverstein 1999, section 4 (hot queues)",
            by_rows=True,
            negative=False,
            time="n (m + n), at worst n m log n",
            memory="20 KB and 16 n bytes a thread",
            improves_on="dijkstra",
        ),
        Method(
            name="bfs",
            module="apsp.solvers.sparse.bfs",
            family="sparse",
            summary="Breadth-first search from 64 sources at once, for graphs that count hops",
            source="Moore 1959; Then et al. 2014, section 3",
            by_rows=True,
            negative=False,
            weighted=False,
            time="n m (worst), n m / 64 where frontiers are shared",
            memory="32 n bytes a thread",
            improves_on="scipy shortest_path(unweighted=True)",
        ),
        Method(
            name="johnson",
            module="apsp.solvers.sparse.johnson",
            family="sparse",
            summary="Bellman-Ford potentials, then Dijkstra on exact reduced weights",
            source="Johnson 1977, section 4",
            by_rows=True,
            negative=True,
            time="n m (worst, potentials) + n (m + n log n)",
            memory="40 n + 24 m bytes, and 30 n a thread",
            improves_on="scipy johnson",
        ),
        Method(
            name="fw-sequential",
            module="apsp.solvers.published.fw_sequential",
            family="published",
            summary="Floyd-Warshall in three plain loops on one thread",
            source="Belinguier, Grahn (course laboratory), section 1; Floyd 1962",
            by_rows=False,
            negative=True,
            time="n^3 pairs, one thread",
            memory="nothing",
            automatic=False,
        ),
        Method(
            name="fw-blocked",
            module="apsp.solvers.published.fw_blocked",
            family="published",
            summary="Floyd-Warshall in blocks that fit the cache, on one thread",
            source="Venkataraman, Sahni, Mukhopadhyaya 2000 and 2003, section 3",
            by_rows=False,
            negative=True,
            time="n^3 pairs, one thread",
            memory="nothing",
            automatic=False,
            improves_on="fw-sequential",
        ),
        Method(
            name="harish-fw",
            module="apsp.solvers.published.harish_fw",
            family="published",
            summary="Floyd-Warshall on a GPU, a thread a pair, a launch a pivot",
            source="Harish, Narayanan 2007; Okuyama, Ino, Hagihara, section 2",
            by_rows=False,
            negative=False,
            time="n^3 pairs in n launches",
            memory="the matrix in device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="fw-sequential",
        ),
        Method(
            name="lab-fw",
            module="apsp.solvers.published.lab_fw",
            family="published",
            summary="Floyd-Warshall on a GPU, square blocks of threads, a launch a pivot, -1 for no edge",
            source="Belinguier, Grahn (course laboratory), sections 3 and 5, appendix 7.1 and 7.2",
            by_rows=False,
            negative=False,
            time="n^3 pairs in n launches",
            memory="the matrix in device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="fw-sequential",
        ),
        Method(
            name="lab-fw-shared",
            module="apsp.solvers.published.lab_fw_shared",
            family="published",
            summary="The same with the pieces of the pivot's row and column in shared memory",
            source="Belinguier, Grahn (course laboratory), section 4, appendix 7.3 and 7.4",
            by_rows=False,
            negative=False,
            time="n^3 pairs in n launches",
            memory="the matrix in device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="lab-fw",
        ),
        Method(
            name="katz-kider",
            module="apsp.solvers.published.katz_kider",
            family="published",
            summary="Blocked Floyd-Warshall in shared memory, three passes a block; cells keep a vertex between",
            source="Katz, Kider 2008, section 4",
            by_rows=False,
            negative=False,
            time="n^3 pairs in 3 n / t launches; t = 18",
            memory="cells of two values a pair on the host and, by pages, in device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="harish-fw",
        ),
        Method(
            name="harish-sssp",
            module="apsp.solvers.published.harish_sssp",
            family="published",
            summary="Iterative single-source problems on a GPU, one after another, a thread a vertex",
            source="Harish, Narayanan 2007; Okuyama, Ino, Hagihara, section 4",
            by_rows=True,
            negative=False,
            time="n (n + m) a round, at most n rounds",
            memory="4 n + 2 m elements of device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="harish-fw",
        ),
        Method(
            name="okuyama-global",
            module="apsp.solvers.published.okuyama_global",
            family="published",
            summary="The task-parallel method without shared memory",
            source="Okuyama, Ino, Hagihara, section 6.1",
            by_rows=True,
            negative=False,
            time="n (n + m) a round, at most n rounds; N = 32 sources at once",
            memory="(3 N + 1) n + 2 m elements of device memory",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="harish-sssp",
        ),
        Method(
            name="okuyama",
            module="apsp.solvers.published.okuyama",
            family="published",
            summary="Task-parallel single-source problems on a GPU: N sources share the arcs in shared memory",
            source="Okuyama, Ino, Hagihara, sections 5.1 to 5.3",
            by_rows=True,
            negative=False,
            time="n (n + m) a round, at most n rounds; N = 32 sources at once",
            memory="(3 N + 1) n + 2 m elements of device memory, with paths n + 2 m more",
            dtypes=GPU_DTYPES,
            devices=("cuda",),
            automatic=False,
            improves_on="okuyama-global",
        ),
        Method(
            name="johnson-flag",
            module="apsp.solvers.published.johnson_flag",
            family="published",
            summary="Johnson's algorithm a source after the other, frontiers kept as flags",
            source="Batool, Mehdi, section 7.3",
            by_rows=True,
            negative=True,
            time="n m (worst, heights) + n f (n + m) for f frontiers a source",
            memory="16 m + 60 n bytes, and 64 rows, of the GPU",
            devices=("cuda",),
            automatic=False,
            improves_on="scipy johnson",
        ),
        Method(
            name="johnson-queue",
            module="apsp.solvers.published.johnson_queue",
            family="published",
            summary="Johnson's algorithm a source after the other, frontiers kept as a queue that atomics fill",
            source="Batool, Mehdi, section 7.3, figures 5 and 6",
            by_rows=True,
            negative=True,
            time="n m (worst, heights) + n f (n + m) for f frontiers a source",
            memory="16 m + 60 n bytes, and 64 rows, of the GPU",
            devices=("cuda",),
            automatic=False,
            improves_on="johnson-flag",
        ),
        Method(
            name="johnson-prefix",
            module="apsp.solvers.published.johnson_prefix",
            family="published",
            summary="Johnson's algorithm a source after the other, frontiers kept as a queue that prefix sums fill",
            source="Batool, Mehdi, section 7.4, figure 7",
            by_rows=True,
            negative=True,
            time="n m (worst, heights) + n f (n + m) for f frontiers a source",
            memory="16 m + 60 n bytes, and 64 rows, of the GPU",
            devices=("cuda",),
            automatic=False,
            improves_on="johnson-queue",
        ),
        Method(
            name="reference",
            module="apsp.solvers.reference",
            family="reference",
            summary="Bellman-Ford from every source in plain NumPy: slow, short, the oracle of the tests",
            source="Bellman 1958; Ford 1956",
            by_rows=True,
            negative=True,
            time="n^2 m (worst)",
            memory="8 n + 8 m bytes",
            automatic=False,
        ),
    )
}


def methods() -> tuple[Method, ...]:
    """Every method that `solve(method=...)` takes, as rows of plain data."""
    return tuple(METHODS.values())


def get(name: str) -> Method:
    """The row of a method; UnknownMethodError with the nearest names if there is none."""
    try:
        return METHODS[name]
    except KeyError:
        raise UnknownMethodError(name, METHODS) from None


def load(method: Method) -> ModuleType:
    """Import the module of a method."""
    return importlib.import_module(method.module)


class GraphClaims(Protocol):
    """What a method must know of a graph to accept it: a `Graph`, or the statistics that the planner works with."""

    @property
    def is_weighted(self) -> bool: ...  # noqa: D102
    @property
    def has_negative_arc(self) -> bool: ...  # noqa: D102


def refusal(
    method: Method,
    graph: GraphClaims,
    dtype: np.dtype[Any],
    *,
    semiring: Semiring = MIN_PLUS,
    device: str = "cpu",
    by_rows: bool = False,
    in_file: bool = False,
) -> str | None:
    """Why `method` cannot do this, in words that follow "method 'x' refuses:"; None if it can.

    Parameters
    ----------
    by_rows : bool
        The request needs some rows without the others (streaming, reducers).
    in_file : bool
        The matrix is to be kept in a file while it is computed.
    """
    if device not in method.devices:
        return f"it runs on {' or '.join(method.devices)}, not on {device}"
    if semiring.name not in method.semirings:
        return f"it computes in {', '.join(method.semirings)}, not in {semiring.name}"
    if not method.weighted and graph.is_weighted:
        return "it counts hops, and this graph has weights (graph.unweighted() drops them)"
    if not method.negative and graph.has_negative_arc:
        return "the graph has negative arcs"
    if dtype.name not in method.dtypes:
        return f"it computes in {', '.join(method.dtypes)}, not in {dtype.name}"
    if by_rows and not method.by_rows:
        return "it computes all n x n distances at once and cannot give some rows without the others"
    if in_file and device not in method.files:
        where = f"; it can on {' or '.join(method.files)}" if method.files else ""
        return f"on {device} it cannot keep its matrix in a file while it computes (pages_file){where}"
    return None
