# Generated from the extension by scripts/stub.py --fix.
"""
The CPU kernels of apsp (C++20). Arrays come in validated: see the Python module that calls each function.
"""

from collections.abc import Callable
from typing import Annotated, overload

import numpy
from numpy.typing import NDArray

def best_isa() -> str:
    """The best instruction set of this machine."""

def isa() -> str:
    """The instruction set in force."""

def set_isa(name: str) -> None:
    """
    Use 'baseline', 'avx2' or 'avx512' kernels from now on; ValueError if this machine lacks it.
    """

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

def depth(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> tuple[int, float]: ...
def longest_chain(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    inner: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
) -> int | float: ...
def through_root(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    root: int,
    sweeps: int,
    enough: int | float,
) -> int | float | None: ...
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
def arc_facts(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
) -> tuple[int | float, int | float, float, bool]: ...
@overload
def reversed_arcs(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    into_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    into_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    into_values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None,
) -> None: ...
@overload
def reversed_arcs(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    into_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    into_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    into_values: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")] | None,
) -> None: ...
def weak_components(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
) -> tuple[int, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    group: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    groups: int,
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

def next_hops(
    *,
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def tree_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    threads: int = 1,
) -> None: ...
@overload
def tight_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> int: ...
@overload
def tight_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> int: ...
@overload
def tight_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> int: ...
@overload
def tight_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> int: ...
@overload
def tight_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> int: ...
@overload
def verify_rows(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: int | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
@overload
def verify_rows(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: int | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
@overload
def verify_rows(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: int | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
@overload
def verify_rows(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: float | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
@overload
def verify_rows(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)] | None,
    cutoff: float | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
@overload
def float_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    per_arc: float,
    share: float,
    most: float,
) -> int: ...
@overload
def float_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    source: int,
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    per_arc: float,
    share: float,
    most: float,
) -> int: ...
@overload
def dijkstra_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def dijkstra_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bucket_weigh(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def nearest_seeds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
) -> None: ...
@overload
def nearest_seeds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
) -> None: ...
@overload
def nearest_seeds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
) -> None: ...
@overload
def nearest_seeds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
) -> None: ...
@overload
def nearest_seeds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    seeds: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    nearest: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C")],
    lengths: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    before: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
) -> None: ...
@overload
def bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bit_bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bit_bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bit_bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bit_bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def bit_bfs_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class KeptSearches:
    def rows(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray, dict(shape=(None, None))],
        threads: int = 1,
    ) -> None: ...

def kept_searches(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
) -> KeptSearches: ...
def potentials(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
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
    @overload
    def rows(
        self,
        *,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None))],
        pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
        cutoff: float | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...
    @overload
    def rows(
        self,
        *,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
        pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
        cutoff: float | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...

def signed_floats(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    epsilon: float,
    searches: bool,
) -> SignedFloats: ...
def has_cancelling_cycle(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    epsilon: float,
) -> bool: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def johnson_rows(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class NearSearches:
    def find(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        cutoff: int | float | None = None,
        k: int | None = None,
        is_target: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
        own: bool = True,
        hops: bool = False,
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
        ]
        | None
    ): ...

def near_searches(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    many: bool = True,
) -> NearSearches: ...

class KeptLevels:
    def __init__(
        self,
        *,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        into_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        into_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    ) -> None: ...
    def rows(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None))],
        threads: int = 1,
    ) -> None: ...
    def farthest(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        distances: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        threads: int = 1,
    ) -> None: ...

class LabelSolver:
    def rows(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        dist: Annotated[NDArray, dict(shape=(None, None))],
        pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
        targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
        cutoff: int | float | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...
    def sums(
        self,
        *,
        sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        cutoff: int | float | None,
        reached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
        reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        largest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
        threads: int,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...

def label_solver(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> LabelSolver: ...
def signed_label_solver_int32(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> LabelSolver: ...
def signed_label_solver_int64(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    reduced: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    height: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
) -> LabelSolver: ...
def dense_fill(
    page: Annotated[NDArray, dict(shape=(None, None))],
    row_from: int,
    column_from: int,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    semiring: str,
    closed: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    threads: int,
) -> None:
    """Write the arcs into a page of the n x n matrix, in kernel values."""

def dense_close(
    page: Annotated[NDArray, dict(shape=(None, None))],
    semiring: str,
    nonnegative: bool,
    threads: int,
    progress: Callable[[int], None] | None = None,
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
) -> None:
    """c = choose(c, a join b)."""

def dense_finish(
    page: Annotated[NDArray, dict(shape=(None, None))], semiring: str, nonnegative: bool, threads: int
) -> bool:
    """
    Kernel values to public ones; False if the distances are out of the proven range.
    """

def dense_extend(
    matrix: Annotated[NDArray, dict(shape=(None, None))],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    semiring: str,
    closed: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    threads: int,
) -> None:
    """Add the paths that begin at closed vertices to a closed matrix."""

def dense_predecessors(
    dist: Annotated[NDArray, dict(shape=(None, None))],
    pred: Annotated[NDArray, dict(shape=(None, None))],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    semiring: str,
    nonnegative: bool,
    closed: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    threads: int,
) -> None:
    """Predecessors of final n x n distances (public values)."""

def register_peak(
    dtype: str, semiring: str = "min_plus", nonnegative: bool = True, threads: int = 1, seconds: float = 0.2
) -> float:
    """(add, min) pairs per second on values in registers."""

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
) -> None:
    """Products of matrices over a semiring, public values in and out."""

def product_entries(
    operand: Annotated[NDArray, dict(writable=False)], semiring: str, threads: int
) -> tuple[int | float, int | float, bool]:
    """
    The lowest and the highest entry that is a path, and whether all entries are numbers.
    """

LARGEST_SMALL_COMPONENT: int = 32

UNSET_EXPONENT: int = -5000

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
def weigh_rows(
    dist: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def weigh_rows(
    dist: Annotated[NDArray[numpy.int32], dict(shape=(None, None), writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def weigh_rows(
    dist: Annotated[NDArray[numpy.int64], dict(shape=(None, None), writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def weigh_rows(
    dist: Annotated[NDArray[numpy.float32], dict(shape=(None, None), writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
) -> None: ...
@overload
def weigh_rows(
    dist: Annotated[NDArray[numpy.float64], dict(shape=(None, None), writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
) -> None:
    """Sums of amounts over the distances of every row within cutoffs."""

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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    reachable: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> bool:
    """Whether the graph is a forest, and then the sums over all rows."""

class PartsOfGraph:
    def __init__(
        self,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
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

@overload
def settle_chain(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lengths: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    inner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    first: int,
    last: int,
    from_first: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    from_last: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    eccentricities: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
) -> None: ...
@overload
def settle_chain(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lengths: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    inner: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    first: int,
    last: int,
    from_first: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    from_last: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    eccentricities: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
) -> None:
    """Eccentricities of the vertices of a chain."""

def bound_reach(
    parts: PartsOfGraph,
    before: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)],
    after: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)],
    reach: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    known: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C")],
) -> None:
    """Bound the number of vertices that each part reaches."""

def twins(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)] | None,
    into_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None,
    into_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    into_weights: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order="C", writable=False)] | None,
) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
    """The first vertex of the class of twins of each vertex."""

def single_arcs(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    directed: bool,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """
    (arc, anchor, members): the single arc out of each vertex, and where the way leads.
    """

def settle_single(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    lengths: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    fewest: int,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
]:
    """(first, vertices, ends): paths of vertices with two neighbours."""

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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
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

def strong_components(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
) -> tuple[int, Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (count, labels): strongly connected components in reverse topological order, sinks first.
    """

def condensation(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    labels: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    count: int,
) -> tuple[Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]]:
    """
    (indptr, indices): the arcs between strongly connected components, each once.
    """

def reached_from(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    vertex: int,
) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
    """(n,) what a component reaches."""

def count_in_forest(
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sizes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
) -> int:
    """
    The number of pairs with a path, of a forest of components; -1 if it is none.
    """

def join_heads(
    bits: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    first: int,
    last: int,
    threads: int,
) -> None:
    """
    Add to the rows first .. last - 1, in this order, the rows of their heads.
    """

def elimination_tree(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    most: int,
    widest: int,
    threads: int,
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
def elimination_check(tree: object) -> None: ...
def elimination_factor(
    *,
    tree: object,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    threads: int,
) -> int: ...
def elimination_rows(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None,
    cutoff: int | float | None,
    dist: Annotated[NDArray, dict(shape=(None, None))],
    pred: Annotated[NDArray[numpy.int32], dict(shape=(None, None))] | None = None,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def elimination_measures(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    cutoff: int | None,
    reached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    largest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    farthest: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def elimination_weigh(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    amounts: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    cutoffs: Annotated[NDArray, dict(shape=(None,), order="C")],
    decay: tuple[int, float, float],
    sums: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_pairs(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_steps(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    steps: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order="C")],
    arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_routes(
    *,
    tree: object,
    values: Annotated[NDArray, dict(shape=(None,), order="C")],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    nonnegative: bool,
    arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    dist: Annotated[NDArray, dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
    Annotated[NDArray[numpy.int32], dict(shape=(None,))],
    Annotated[NDArray[numpy.int64], dict(shape=(None,))],
]: ...
def elimination_unfold(
    *,
    steps: Annotated[NDArray[numpy.int32], dict(shape=(None, 2), order="C")],
    arcs: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    entry: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    length: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    n: int,
    loops: bool,
    offsets: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    vertices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class PairSearch:
    def __init__(
        self,
        *,
        tree: object,
        values: Annotated[NDArray, dict(shape=(None,), order="C")],
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
        zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
        nonnegative: bool,
    ) -> None: ...
    def distance(self, source: int, target: int) -> int | float | None: ...

def counts_by_hops(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    cutoff: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.float64], dict(shape=(None, None))],
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def counts_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    paths: Annotated[NDArray[numpy.uint64], dict(shape=(None, None))],
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def tied_predecessors(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    source: int,
    cutoff: int | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]: ...
@overload
def tied_predecessors(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    source: int,
    cutoff: int | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]: ...
@overload
def tied_predecessors(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    source: int,
    cutoff: float | None = None,
) -> tuple[
    Annotated[NDArray[numpy.int64], dict(shape=(None,))], Annotated[NDArray[numpy.int32], dict(shape=(None,))]
]: ...
def flows_by_hops(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def flows_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: int | None = None,
    first: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def flows_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: int | None = None,
    first: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def flows_by_length(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    heights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: float | None = None,
    first: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def flows_by_elimination(
    *,
    tree: object,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None = None,
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: float,
    counted: CountedArcs | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
@overload
def first_flows_by_elimination(
    *,
    tree: object,
    factor: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
@overload
def first_flows_by_elimination(
    *,
    tree: object,
    factor: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    to: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    start: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)] | None = None,
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)] | None = None,
    values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)] | None = None,
    through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    arrived: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    served: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")] | None = None,
    cutoff: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...

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
        tree: object,
        up: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        down: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        through: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        threads: int = 1,
    ) -> None: ...
    def write_along(
        self,
        *,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
        up: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        down: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
        along: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    ) -> None: ...

def counted_arcs(
    *,
    tree: object,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    threads: int = 1,
) -> CountedArcs: ...

class BidirectionalSearch:
    def __init__(
        self,
        *,
        indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
        backward_indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
        backward_indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
        backward_weights: Annotated[NDArray, dict(shape=(None,), order="C", writable=False)] | None,
        zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
        largest: float,
    ) -> None: ...
    def path(
        self, source: int, target: int
    ) -> tuple[int | float, Annotated[NDArray[numpy.int32], dict(shape=(None,))]] | None: ...

def cut_bounds(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    undirected: bool,
    fewest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    most: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    harmonic: bool,
    improved: bool,
    bounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int = 1,
) -> None: ...
def cut_searches(
    *,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    undirected: bool,
    fewest: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    most: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    harmonic: bool,
    improved: bool,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    bounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    best: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", writable=False)],
    k: int,
    arcs: int,
    reached: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    total: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C")],
    reciprocals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...
def skims_factor(
    *,
    tree: object,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C")],
    others: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C")],
    threads: int,
) -> None: ...
def skims_by_elimination(
    *,
    tree: object,
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
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
    indptr: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", writable=False)],
    indices: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    costs: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order="C", writable=False)],
    zones: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", writable=False)] | None,
    sources: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    targets: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", writable=False)],
    out: Annotated[NDArray[numpy.float64], dict(shape=(None, None, None), order="C")],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def published_close_sequential(
    page: Annotated[NDArray, dict(shape=(None, None))], progress: Callable[[int], None] | None = None
) -> int:
    """Three plain loops; -1, or a vertex on a negative closed walk."""

def published_close_blocked(
    page: Annotated[NDArray, dict(shape=(None, None))], block: int, progress: Callable[[int], None] | None = None
) -> int:
    """The same in blocks, on one thread."""
