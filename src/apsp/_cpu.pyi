# Generated from the extension by scripts/stub.py --fix.
"""
The CPU kernels of apsp (C++20). Arrays come in validated: see the Python module that calls each function.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

import apsp.methods.elimination.tree

def best_isa() -> str:
    """The best instruction set of this machine."""

def isa() -> str:
    """The instruction set in force."""

def set_isa(name: str) -> None:
    """
    Use 'baseline', 'avx2' or 'avx512' kernels from now on; ValueError if this machine lacks it.
    """

class ArcArrays:
    """The arcs of a graph, as kernels read them; the arrays must not change."""

    def __init__(
        self,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None = None,
        zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    ) -> None: ...

class RowArrays:
    """A request for rows, and the arrays that are written."""

    def __init__(
        self,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray, dict(shape=(None, None))],
        pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
        cutoff: int | float | None = None,
    ) -> None: ...

class SumArrays:
    """What is summed up of the rows of some sources."""

    def __init__(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        reached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        largest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    ) -> None: ...

class WeighingArrays:
    """Sums of amounts over distances, and what is summed up."""

    def __init__(
        self,
        *,
        amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
        cutoffs: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
        decay: tuple[int, float, float],
        sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    ) -> None: ...

def arcs_of_dictionaries(
    adjacency: object, positions: object, weight: object | None
) -> (
    tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))]
        | Annotated[NDArray[numpy.float64], dict(shape=(None,))]
        | None,
    ]
    | None
):
    """
    Tails, heads and lengths (None: hops, or no arcs); None for a graph that Python code must read.
    """

class TreeRows:
    """Shortest path trees, a row each: distances, and the next vertices."""

    def __init__(
        self,
        dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
        next: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", writable=False)],
    ) -> None: ...

def via_paths(
    arcs: ArcArrays,
    *,
    forward: TreeRows,
    backward: TreeRows,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    forward_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    backward_rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    k: int,
    stretch: float,
    sharing: float,
    local_optimality: float,
    rounding: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """Alternatives of pairs: (counts (pairs,), offsets, vertices)."""

def depth(arcs: ArcArrays) -> tuple[int, float]: ...
def longest_chain(
    arcs: ArcArrays,
    *,
    labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    inner: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
) -> int | float: ...
def through_root(arcs: ArcArrays, *, root: int, sweeps: int, enough: int | float) -> int | float | None: ...
def scan_columns(
    text: bytes,
    start: int,
    limit: int,
    columns: str,
    tag: str,
    comments: str,
    blanks: str,
    delimiter: str,
    more: bool,
    lowest: int,
    highest: int,
) -> tuple[
    list[Annotated[NDArray[numpy.int64], dict(shape=(None,))] | Annotated[NDArray[numpy.float64], dict(shape=(None,))]],
    int,
    int,
    int,
    str,
    int,
    int,
]: ...
def scan_rows(
    text: bytes, comment: str
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    int,
    str,
    int,
]: ...
def csr_from_arcs(
    n: int,
    tails: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    heads: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    undirected: bool,
    parallel: str,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray, dict(shape=(None,))] | None,
]: ...
def csr_from_rows(
    indptr: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    undirected: bool,
) -> (
    tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray, dict(shape=(None,))],
    ]
    | None
): ...
def arc_facts(arcs: ArcArrays) -> tuple[int | float, int | float, float, bool]: ...
def reversed_arcs(
    arcs: ArcArrays,
    values: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    into_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    into_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    into_values: Annotated[NDArray, dict(shape=(None,), order="C")] | None,
) -> None: ...
def weak_components(arcs: ArcArrays) -> tuple[int, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (count, labels): weakly connected components, in the order of their first vertices.
    """

def grouped(
    group: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)], groups: int
) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (first, vertices): the vertices in the order of groups, and where each group begins.
    """

def sorted_by(
    arcs: ArcArrays, group: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)], groups: int
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
]:
    """
    (first, vertices, places, indptr, indices, arcs): the graph with its vertices in the order of groups.
    """

def pareto_paths(
    arcs: ArcArrays,
    *,
    costs: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    most_labels: int,
    most_bytes: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray, dict(shape=(None,))],
    Annotated[NDArray, dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
]:
    """
    Paths of pairs that no path beats in weights and costs: (counts (pairs,), weights, costs, offsets, vertices, arcs).

    OverflowError with the number of a pair that has too many labels.
    """

def next_hops(
    *,
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def tree_rows(
    arcs: ArcArrays,
    *,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    threads: int = 1,
) -> None: ...
def tight_tree(
    arcs: ArcArrays,
    *,
    source: int,
    dist: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> int: ...
def float_tree(
    arcs: ArcArrays,
    *,
    source: int,
    dist: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    per_arc: float,
    share: float,
    most: float,
) -> int: ...
def verify_rows(
    arcs: ArcArrays,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: int | float | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...

class LineTree:
    def __init__(
        self,
        begins: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
        ends: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    ) -> None: ...
    def nearest(
        self,
        points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
        limit: float,
        *,
        lines: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        fractions: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        places: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    ) -> None: ...
    @property
    def nbytes(self) -> int: ...

def dijkstra_rows(
    arcs: ArcArrays, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None
) -> None: ...
def bucket_rows(
    arcs: ArcArrays, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None
) -> None: ...
def bfs_rows(
    arcs: ArcArrays, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None
) -> None: ...
def bit_bfs_rows(
    arcs: ArcArrays, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None
) -> None: ...
def johnson_rows(
    arcs: ArcArrays,
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    rows: RowArrays,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def dijkstra_weigh(
    arcs: ArcArrays,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weighing: WeighingArrays,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def bucket_weigh(
    arcs: ArcArrays,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weighing: WeighingArrays,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def nearest_seeds(
    arcs: ArcArrays,
    *,
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray, dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    cutoff: int | float | None = None,
) -> None: ...

class KeptSearches:
    def rows(self, rows: RowArrays, threads: int = 1) -> None: ...

def kept_searches(arcs: ArcArrays) -> KeptSearches: ...
def potentials(
    arcs: ArcArrays,
    *,
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> list[int]: ...

class SignedFloats:
    @property
    def cycle(self) -> list[int]: ...
    @property
    def forgiving(self) -> bool: ...
    def potentials(
        self,
        *,
        height: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        reduced: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ) -> None: ...
    def rows(
        self, arcs: ArcArrays, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None
    ) -> None: ...

def signed_floats(arcs: ArcArrays, *, epsilon: float, searches: bool) -> SignedFloats: ...
def has_cancelling_cycle(arcs: ArcArrays, epsilon: float) -> bool: ...

class NearFinder:
    def find(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        cutoff: int | float | None = None,
        k: int | None = None,
        is_target: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
        own: bool = True,
        hops: bool = False,
        sums: bool = False,
        by_target: bool = False,
        most: int = 9223372036854775807,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> (
        tuple[
            Annotated[NDArray[numpy.int64], dict(shape=(None,))],
            Annotated[NDArray[numpy.int32], dict(shape=(None,))],
            Annotated[NDArray, dict(shape=(None,))],
            Annotated[NDArray[numpy.int32], dict(shape=(None,))] | None,
            Annotated[NDArray[numpy.float64], dict(shape=(None,))] | None,
        ]
        | None
    ): ...

def near_searches(
    arcs: ArcArrays,
    *,
    many: bool = True,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    | None = None,
) -> NearFinder: ...
def near_lanes(
    arcs: ArcArrays,
    *,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    | None = None,
) -> NearFinder: ...
def near_sweeps(
    factor: FactorArrays,
    arcs: ArcArrays,
    *,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", device="cpu", writable=False)]
    | None = None,
) -> NearFinder: ...
def write_near(
    arcs: ArcArrays,
    rows: RowArrays,
    *,
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    distances: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    threads: int = 1,
) -> None:
    """
    Writes rows whose near pairs are given, and their predecessors: all other entries are "no path".
    """

class KeptLevels:
    def __init__(self, arcs: ArcArrays, reversed: ArcArrays) -> None: ...
    def rows(self, rows: RowArrays, threads: int = 1) -> None: ...
    def farthest(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        distances: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        threads: int = 1,
    ) -> None: ...

class LabelSolver:
    def rows(self, rows: RowArrays, threads: int = 1, progress: Callable[[int], None] | None = None) -> None: ...
    def sums(
        self, sums: SumArrays, cutoff: int | float | None, threads: int, progress: Callable[[int], None] | None = None
    ) -> None: ...

def label_solver(arcs: ArcArrays) -> LabelSolver: ...
def signed_label_solver_int32(
    arcs: ArcArrays, height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)]
) -> LabelSolver: ...
def signed_label_solver_int64(
    arcs: ArcArrays, height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)]
) -> LabelSolver: ...
def dense_fill(
    page: Annotated[NDArray, dict(shape=(None, None))],
    row_from: int,
    column_from: int,
    arcs: ArcArrays,
    semiring: str,
    threads: int,
) -> None:
    """Write the arcs into a page of the n x n matrix, in kernel values."""

def dense_close(
    page: Annotated[NDArray, dict(shape=(None, None))],
    semiring: str,
    nonnegative: bool,
    threads: int,
    progress: Callable[[int], None] | None = None,
    half_range: bool = False,
    variant: str | None = None,
) -> int:
    """Close a square page; -1, or a vertex on a negative closed walk."""

def dense_update(
    c: Annotated[NDArray, dict(shape=(None, None))],
    a: Annotated[NDArray, dict(shape=(None, None))],
    b: Annotated[NDArray, dict(shape=(None, None))],
    semiring: str,
    nonnegative: bool,
    threads: int,
    progress: Callable[[int], None] | None = None,
    half_range: bool = False,
    variant: str | None = None,
) -> None:
    """c = choose(c, a join b)."""

def dense_finish(
    page: Annotated[NDArray, dict(shape=(None, None))], semiring: str, nonnegative: bool, threads: int
) -> bool:
    """
    Kernel values to public ones; False if the distances are out of the proven range.
    """

def dense_extend(
    matrix: Annotated[NDArray, dict(shape=(None, None))], arcs: ArcArrays, semiring: str, threads: int
) -> None:
    """Add the paths that begin at zones to a closed matrix."""

def dense_predecessors(
    dist: Annotated[NDArray, dict(shape=(None, None))],
    pred: Annotated[NDArray, dict(shape=(None, None))],
    arcs: ArcArrays,
    semiring: str,
    nonnegative: bool,
    threads: int,
) -> None:
    """Predecessors of final n x n distances (public values)."""

def register_peak(
    dtype: str,
    semiring: str = "min_plus",
    nonnegative: bool = True,
    threads: int = 1,
    seconds: float = 0.2,
    half_range: bool = False,
    variant: str | None = None,
) -> float:
    """(add, min) pairs per second on values in registers."""

def dense_variants(dtype: str, nonnegative: bool, half_range: bool) -> list[str]:
    """
    Names of the kernels of (min,+) that this machine has for such values; all compute the same.
    """

def dense_rate(dtype: str, nonnegative: bool, half_range: bool, variant: str, seconds: float) -> float:
    """
    (add, min) pairs per second of one core with these kernels, measured within about `seconds`.
    """

def dense_preferred(dtype: str, nonnegative: bool, half_range: bool) -> str:
    """
    The name of the kernels that calls of this process for such values use.
    """

def dense_prefer(dtype: str, nonnegative: bool, half_range: bool, variant: str) -> None:
    """Let the calls of this process for such values use these kernels."""

def dense_close_batch(
    from_: Annotated[NDArray, dict(shape=(None, None, None), writable=False)],
    to: Annotated[NDArray, dict(shape=(None, None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None))] | None,
    sizes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    semiring: str,
    largest: int | float,
    status: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """
    All distances of many graphs, public values in and out; and predecessors, unless None.
    """

def dense_check_signed(
    from_: Annotated[NDArray, dict(shape=(None, None, None), writable=False)],
    sizes: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    status: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """Whether sums of floats of both signs may cancel in a graph."""

def product(
    a: Annotated[NDArray, dict(writable=False)],
    b: Annotated[NDArray, dict(writable=False)],
    c: NDArray,
    via: NDArray | None,
    semiring: str,
    nonnegative: bool,
    threads: int,
    half_range: bool = False,
    variant: str | None = None,
) -> None:
    """Products of matrices over a semiring, public values in and out."""

def product_proven(
    a: Annotated[NDArray, dict(writable=False)],
    b: Annotated[NDArray, dict(writable=False)],
    c: NDArray,
    via: NDArray | None,
    semiring: str,
    most: int | float,
    threads: int,
) -> bool:
    """
    The same if all entries are numbers and no sum can exceed `most`; False, and nothing, otherwise.
    """

def product_entries(
    operand: Annotated[NDArray, dict(writable=False)], semiring: str, threads: int
) -> tuple[int | float, int | float, bool]:
    """
    The lowest and the highest entry that is a path, and whether all entries are numbers.
    """

LARGEST_SMALL_COMPONENT: int = 32

UNSET_EXPONENT: int = -5000

def weigh_rows(
    dist: Annotated[NDArray, dict(shape=(None, None), writable=False)], weighing: WeighingArrays, threads: int
) -> None:
    """Sums of amounts over the distances of every row within cutoffs."""

@overload
def reduce_rows(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None,
    largest: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
    exponent: int,
    threads: int,
) -> int: ...
@overload
def reduce_rows(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None,
    largest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
    exponent: int,
    threads: int,
) -> int: ...
@overload
def reduce_rows(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None,
    largest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
    exponent: int,
    threads: int,
) -> int: ...
@overload
def reduce_rows(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None,
    largest: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
    exponent: int,
    threads: int,
) -> int: ...
@overload
def reduce_rows(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None,
    largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
    exponent: int,
    threads: int,
) -> int:
    """
    Numbers of every row (None: no reciprocals), and counts of a histogram; returns the exponent of its bin width.
    """

@overload
def reduce_columns(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_columns(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_columns(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_columns(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    total_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_columns(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    total_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals_error: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """Adds the rows to running sums of the columns."""

@overload
def count_between(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def count_between(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def count_between(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def count_between(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def count_between(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """Adds the rows to the counts of a histogram with given edges."""

@overload
def nearest_columns(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    distances: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def nearest_columns(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    distances: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def nearest_columns(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    distances: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def nearest_columns(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    distances: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def nearest_columns(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    columns: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    distances: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    threads: int,
) -> None:
    """The nearest columns of every row but the source itself, nearest first."""

@overload
def may_be_farther(
    into: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", writable=False)],
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", writable=False)],
    limit: int,
    may: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def may_be_farther(
    into: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", writable=False)],
    out: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", writable=False)],
    limit: int,
    may: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """
    Which rows of `into` may be farther than the limit from one of `out`, over all hubs.
    """

@overload
def add_search(
    out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    into: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    part: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    vertex: int,
    lower: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    upper: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> tuple[int, int, int, int, int]: ...
@overload
def add_search(
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    into: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    part: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    vertex: int,
    lower: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    upper: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
) -> tuple[int, int, int, int, int]:
    """Add what a search proves to bounds on eccentricities."""

@overload
def best_vertex(
    vertices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    bound: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    largest: bool,
) -> int: ...
@overload
def best_vertex(
    vertices: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    bound: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    largest: bool,
) -> int:
    """The vertex with the best bound."""

@overload
def small_components(
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    cutoff: int,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def small_components(
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    cutoff: int,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def small_components(
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    cutoff: int,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def small_components(
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    cutoff: float,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None: ...
@overload
def small_components(
    first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    cutoff: float,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
) -> None:
    """Numbers of the rows of many small components."""

def forest_sums(
    arcs: ArcArrays,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> bool:
    """Whether the graph is a forest, and then the sums over all rows."""

class PartsOfGraph:
    def __init__(
        self,
        arcs: ArcArrays,
        part: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        vertices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        largest: int,
    ) -> None: ...

@overload
def bound_parts(
    parts: PartsOfGraph,
    by_leading: bool,
    lengths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    inner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    upper: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> None: ...
@overload
def bound_parts(
    parts: PartsOfGraph,
    by_leading: bool,
    lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    inner: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    upper: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> None:
    """Lower upper bounds on eccentricities by the order of components."""

@overload
def bound_by_potential(
    parts: PartsOfGraph,
    out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    of_largest: int,
    lower: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> None: ...
@overload
def bound_by_potential(
    parts: PartsOfGraph,
    out: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    of_largest: int,
    lower: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> None:
    """
    Raise lower bounds on eccentricities by a search and the order of components.
    """

def bound_reach(
    parts: PartsOfGraph,
    before: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)],
    after: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)],
    reach: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    known: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C")],
) -> None:
    """Bound the number of vertices that each part reaches."""

def twins(arcs: ArcArrays, into: ArcArrays | None) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The first vertex of the class of twins of each vertex."""

def single_arcs(
    arcs: ArcArrays, directed: bool
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """
    (arc, anchor, members): the single arc out of each vertex, and where the way leads.
    """

def settle_single(
    arcs: ArcArrays,
    anchor: int,
    out: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    directed: bool,
) -> (
    tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray, dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]
    | None
):
    """
    (vertices, eccentricities, reached) of those whose ways lead to an anchor; None if that takes long.
    """

def chains(
    arcs: ArcArrays, fewest: int
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """(first, vertices, ends): paths of vertices with two neighbours."""

def settle_chain(
    arcs: ArcArrays,
    inner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    first: int,
    last: int,
    from_first: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    from_last: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    eccentricities: Annotated[NDArray, dict(shape=(None,), order="C")],
) -> None:
    """Eccentricities of the vertices of a chain."""

@overload
def reduce_groups(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    reached: Annotated[NDArray[numpy.int64], dict(order="C")],
    total: Annotated[NDArray[numpy.int64], dict(order="C")],
    least: Annotated[NDArray[numpy.uint16], dict(order="C")],
    largest: Annotated[NDArray[numpy.uint16], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_groups(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    reached: Annotated[NDArray[numpy.int64], dict(order="C")],
    total: Annotated[NDArray[numpy.int64], dict(order="C")],
    least: Annotated[NDArray[numpy.int32], dict(order="C")],
    largest: Annotated[NDArray[numpy.int32], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_groups(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    reached: Annotated[NDArray[numpy.int64], dict(order="C")],
    total: Annotated[NDArray[numpy.int64], dict(order="C")],
    least: Annotated[NDArray[numpy.int64], dict(order="C")],
    largest: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_groups(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    reached: Annotated[NDArray[numpy.int64], dict(order="C")],
    total: Annotated[NDArray[numpy.float64], dict(order="C")],
    least: Annotated[NDArray[numpy.float32], dict(order="C")],
    largest: Annotated[NDArray[numpy.float32], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def reduce_groups(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    reached: Annotated[NDArray[numpy.int64], dict(order="C")],
    total: Annotated[NDArray[numpy.float64], dict(order="C")],
    least: Annotated[NDArray[numpy.float64], dict(order="C")],
    largest: Annotated[NDArray[numpy.float64], dict(order="C")],
    threads: int,
) -> None:
    """Sums and extremes of every row over every group of columns."""

@overload
def count_groups_evenly(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    exponent: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_evenly(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    exponent: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_evenly(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    exponent: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_evenly(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    exponent: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_evenly(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    exponent: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None:
    """Adds the rows to counts per cell, group and bin of width 2^exponent."""

@overload
def count_groups_between(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_between(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_between(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_between(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_between(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    edges: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None:
    """Adds the rows to counts per cell, group and bin between edges."""

@overload
def count_groups_in_windows(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lows: Annotated[NDArray[numpy.int64], dict(order="C", writable=False)],
    windows: int,
    shift: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_in_windows(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lows: Annotated[NDArray[numpy.int64], dict(order="C", writable=False)],
    windows: int,
    shift: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_in_windows(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lows: Annotated[NDArray[numpy.int64], dict(order="C", writable=False)],
    windows: int,
    shift: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_in_windows(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lows: Annotated[NDArray[numpy.int64], dict(order="C", writable=False)],
    windows: int,
    shift: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def count_groups_in_windows(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    cells: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lows: Annotated[NDArray[numpy.int64], dict(order="C", writable=False)],
    windows: int,
    shift: int,
    bins: int,
    counts: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None:
    """
    Adds the rows to counts per cell, group, window of keys and bin of 2^shift keys.
    """

@overload
def quantiles_of_groups(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    quantiles: Annotated[NDArray[numpy.uint16], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def quantiles_of_groups(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    quantiles: Annotated[NDArray[numpy.int32], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def quantiles_of_groups(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    quantiles: Annotated[NDArray[numpy.int64], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def quantiles_of_groups(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    quantiles: Annotated[NDArray[numpy.float32], dict(order="C")],
    threads: int,
) -> None: ...
@overload
def quantiles_of_groups(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    order: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    own: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    quantiles: Annotated[NDArray[numpy.float64], dict(order="C")],
    threads: int,
) -> None:
    """Quantiles of the distances of every row to every group of columns."""

@overload
def moments(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    factors: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    squares: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    weighted: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    threads: int,
) -> None: ...
@overload
def moments(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    factors: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    squares: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    weighted: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    threads: int,
) -> None: ...
@overload
def moments(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    factors: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    squares: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    weighted: Annotated[NDArray[numpy.int64], dict(order="C")] | None,
    threads: int,
) -> None: ...
@overload
def moments(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    factors: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    squares: Annotated[NDArray[numpy.float64], dict(order="C")] | None,
    weighted: Annotated[NDArray[numpy.float64], dict(order="C")] | None,
    threads: int,
) -> None: ...
@overload
def moments(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    factors: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    squares: Annotated[NDArray[numpy.float64], dict(order="C")] | None,
    weighted: Annotated[NDArray[numpy.float64], dict(order="C")] | None,
    threads: int,
) -> None:
    """
    Sums over every row of squared distances, and of distances times factors.
    """

def closure_graph(
    bits: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    arcs: ArcArrays,
    method: str,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the transitive closure of a graph into (n, words) uint64."""

def close_bits(
    bits: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Close a bit-packed square matrix under (or,and)."""

def update_bits(
    c: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    a: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), writable=False)],
    b: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), writable=False)],
    columns: int,
    threads: int,
) -> None:
    """c |= a and b over (or,and); `columns` bits in c and b."""

def count_bits(
    bits: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), writable=False)], threads: int = 1
) -> int:
    """How many bits are set."""

def strong_components(arcs: ArcArrays) -> tuple[int, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (count, labels): strongly connected components in reverse topological order, sinks first.
    """

def condensation(
    arcs: ArcArrays, labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)], count: int
) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (indptr, indices): the arcs between strongly connected components, each once.
    """

def reached_from(arcs: ArcArrays, vertex: int) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """(n,) what a component reaches."""

def count_in_forest(
    arcs: ArcArrays, sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)]
) -> int:
    """
    The number of pairs with a path, of a forest of components; -1 if it is none.
    """

def join_heads(
    bits: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    arcs: ArcArrays,
    first: int,
    last: int,
    threads: int,
) -> None:
    """
    Add to the rows first .. last - 1, in this order, the rows of their heads.
    """

class FactorArrays:
    """A factor, as kernels read it; the arrays must not change."""

    def __init__(
        self,
        tree: apsp.methods.elimination.tree.EliminationTree,
        values: Annotated[NDArray, dict(shape=(None,), order="C")],
        arcs: ArcArrays,
        weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
        nonnegative: bool,
    ) -> None: ...

def elimination_tree(
    arcs: ArcArrays,
    *,
    most: int,
    widest: int,
    effort: int,
    given: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> (
    tuple[
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]
    | None
): ...
def elimination_check(tree: apsp.methods.elimination.tree.EliminationTree) -> None: ...
def elimination_factor(
    *,
    tree: apsp.methods.elimination.tree.EliminationTree,
    arcs: ArcArrays,
    nonnegative: bool,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> int: ...
def elimination_factors(
    *,
    tree: apsp.methods.elimination.tree.EliminationTree,
    periods: Sequence[ArcArrays],
    values: Annotated[NDArray, dict(shape=(None, None))],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_rows(
    factor: FactorArrays, rows: RowArrays, threads: int, progress: Callable[[int], None] | None = None
) -> bool: ...
def elimination_between(
    factor: FactorArrays,
    *,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", writable=False)],
    source_lengths: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", writable=False)],
    target_lengths: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None, None))],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_measures(
    factor: FactorArrays,
    sums: SumArrays,
    cutoff: int | None,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def elimination_weigh(
    factor: FactorArrays,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weighing: WeighingArrays,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class FactorAssembly:
    """Where the arcs of a graph belong in its factor."""

    def __init__(self, tree: apsp.methods.elimination.tree.EliminationTree, arcs: ArcArrays) -> None: ...

class FactorChanges:
    """Computes a factor again where weights have changed."""

    def __init__(
        self, assembly: FactorAssembly, values: Annotated[NDArray, dict(shape=(None,), order="C")]
    ) -> None: ...
    def take(self, arcs: ArcArrays, most: int) -> int: ...
    def take_some(
        self,
        numbers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
        closed: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    ) -> int: ...
    def all(self, values: Annotated[NDArray, dict(shape=(None,), order="C")], threads: int) -> None: ...
    def some(
        self,
        *,
        before: Annotated[NDArray, dict(shape=(None,), order="C")],
        stale: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        values: Annotated[NDArray, dict(shape=(None,), order="C")],
        most: float,
        threads: int,
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))] | None: ...

def elimination_pairs(
    factor: FactorArrays,
    *,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_steps(
    factor: FactorArrays,
    *,
    steps: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order="C")],
    arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_unfold(
    *,
    steps: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order="C")],
    arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    entry: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    loops: bool,
    offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    vertices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class PairSearch:
    @overload
    def __init__(self, factor: FactorArrays) -> None: ...
    @overload
    def __init__(
        self,
        factor: FactorArrays,
        before: PairSearch,
        renewed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    ) -> None: ...
    def distance(self, source: int, target: int) -> int | float | None: ...
    def path(
        self, source: int, target: int, *, loops: bool
    ) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))] | None: ...
    def routes(
        self,
        *,
        arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray, dict(shape=(None,), order="C")],
        has_dist: bool,
        most: int,
        threads: int,
        progress: Callable[[int], None] | None = None,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]: ...
    @property
    def nbytes(self) -> int: ...

def elimination_label_bytes(
    tree: apsp.methods.elimination.tree.EliminationTree, arcs: ArcArrays, itemsize: int
) -> int: ...
def elimination_is_mirrored(factor: FactorArrays) -> bool: ...

class PairLabels:
    @overload
    def __init__(
        self, factor: FactorArrays, *, mirrored: bool, threads: int, progress: Callable[[int], None] | None = None
    ) -> None: ...
    @overload
    def __init__(
        self,
        factor: FactorArrays,
        before: PairLabels,
        *,
        renewed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
        keep: bool,
        threads: int,
    ) -> None: ...
    def fits(
        self,
        factor: FactorArrays,
        renewed: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    ) -> bool: ...
    @property
    def mirrored(self) -> bool: ...
    @property
    def has_spare(self) -> bool: ...
    def distance(self, source: object | None, target: object | None) -> int | float | None: ...
    def pairs(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray, dict(shape=(None,), order="C")],
        threads: int,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...
    @property
    def nbytes(self) -> int: ...

def counts_by_hops(
    arcs: ArcArrays,
    *,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray, dict(shape=(None, None))],
    cutoff: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def counts_by_length(
    arcs: ArcArrays,
    *,
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray, dict(shape=(None, None))],
    cutoff: int | float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def tied_predecessors(
    arcs: ArcArrays, *, source: int, cutoff: int | float | None = None
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]: ...

class CountedArcs:
    @property
    def largest(self) -> float: ...
    @property
    def up(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)],
    ]: ...
    @property
    def down(
        self,
    ) -> tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)],
        Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)],
    ]: ...
    def sweep_order(
        self, targets: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)]
    ) -> tuple[
        Annotated[NDArray[numpy.uint8], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
        Annotated[NDArray[numpy.int32], dict(shape=(None,))],
        Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    ]: ...
    def spread(
        self,
        *,
        tree: apsp.methods.elimination.tree.EliminationTree,
        up: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        down: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        threads: int = 1,
    ) -> None: ...
    def write_along(
        self,
        arcs: ArcArrays,
        *,
        up: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        down: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ) -> None: ...

def counted_arcs(
    tree: apsp.methods.elimination.tree.EliminationTree, arcs: ArcArrays, threads: int = 1
) -> CountedArcs: ...

class FlowArrays:
    """A demand (`to`, or start, targets and values), and its flows."""

    def __init__(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
        to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
        start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
        values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    ) -> None: ...

def flows_by_hops(
    arcs: ArcArrays, flows: FlowArrays, *, cutoff: int, threads: int = 1, progress: Callable[[int], None] | None = None
) -> None: ...
def flows_by_length(
    arcs: ArcArrays,
    flows: FlowArrays,
    *,
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | float | None = None,
    first: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def flows_by_elimination(
    tree: apsp.methods.elimination.tree.EliminationTree,
    arcs: ArcArrays,
    flows: FlowArrays,
    *,
    cutoff: float,
    counted: CountedArcs | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def first_flows_by_elimination(
    tree: apsp.methods.elimination.tree.EliminationTree,
    factor: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    arcs: ArcArrays,
    flows: FlowArrays,
    *,
    cutoff: int | float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class BidirectionalSearch:
    def __init__(self, forward: ArcArrays, backward: ArcArrays, largest: float) -> None: ...
    def path(
        self, source: int, target: int
    ) -> tuple[int | float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]] | None: ...

def cut_bounds(
    arcs: ArcArrays,
    *,
    undirected: bool,
    fewest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    most: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    harmonic: bool,
    improved: bool,
    bounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int = 1,
) -> None: ...
def cut_searches(
    arcs: ArcArrays,
    *,
    undirected: bool,
    fewest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    most: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    harmonic: bool,
    improved: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    bounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    best: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    k: int,
    most_arcs: int,
    reached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
def shortest_simple_paths(
    arcs: ArcArrays,
    *,
    dist: Annotated[NDArray, dict(shape=(None, None))],
    rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    k: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray, dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """
    The k shortest simple paths of pairs: (counts (pairs,), lengths, offsets, vertices).

    dist[rows[i]] are the distances from all vertices to targets[i].
    """

def shortest_walks(
    arcs: ArcArrays,
    *,
    dist: Annotated[NDArray, dict(shape=(None, None))],
    rows: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    k: int,
    most_bytes: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray, dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """
    The k shortest walks of pairs, as shortest_simple_paths; OverflowError if one may be longer than 2^61.
    """

def earliest_arrivals(
    arcs: ArcArrays,
    rows: RowArrays,
    *,
    departures: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None, None), order="C", writable=False)],
    times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    cycle: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None:
    """
    Write when the targets are reached: weights (m, times), cycle 0 for none.
    """

def arrival_profiles(
    arcs: ArcArrays,
    *,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    first: float,
    last: float,
    weights: Annotated[NDArray, dict(shape=(None, None), order="C", writable=False)],
    times: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    cycle: float,
    most_bytes: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
    Annotated[NDArray[numpy.float64], dict(shape=(None,))],
]:
    """
    The points between which arrivals lie on straight lines: (offsets (sources * targets + 1,), departures, arrivals).

    MemoryError if they need more bytes.
    """

def skims_factor(
    *,
    tree: apsp.methods.elimination.tree.EliminationTree,
    arcs: ArcArrays,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    others: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
def skims_by_elimination(
    *,
    tree: apsp.methods.elimination.tree.EliminationTree,
    arcs: ArcArrays,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    others: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def skims_by_searches(
    *,
    arcs: ArcArrays,
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def reduce_stress(
    points: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    *,
    pivots: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    distances: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", writable=False)],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    neighbours: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lengths: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sweeps: int,
    tolerance: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> int:
    """
    Move points (n, 2) until sparse stress falls no more; the number of sweeps.
    """

def published_close_sequential(
    page: Annotated[NDArray, dict(shape=(None, None))], progress: Callable[[int], None] | None = None
) -> int:
    """Three plain loops; -1, or a vertex on a negative closed walk."""

def published_close_blocked(
    page: Annotated[NDArray, dict(shape=(None, None))], block: int, progress: Callable[[int], None] | None = None
) -> int:
    """The same in blocks, on one thread."""
