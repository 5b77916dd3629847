from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

# runtime
def best_isa() -> str: ...
def isa() -> str: ...
def set_isa(name: str) -> None: ...

# graph
def arcs_of_dictionaries(
    adjacency: object, positions: dict[Any, int], weight: str | None
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[Any] | None] | None: ...
def csr_from_arcs(
    n: int,
    tails: npt.NDArray[Any],
    heads: npt.NDArray[Any],
    weights: npt.NDArray[Any] | None,
    undirected: bool,
    parallel: str,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any] | None]: ...
def csr_from_rows(
    indptr: npt.NDArray[Any], indices: npt.NDArray[Any], weights: npt.NDArray[Any], undirected: bool
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any]] | None: ...
def arc_facts(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], weights: npt.NDArray[Any]
) -> tuple[int | float, int | float, float, bool]: ...
def reversed_arcs(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    values: npt.NDArray[Any] | None,
    into_indptr: npt.NDArray[np.int64],
    into_indices: npt.NDArray[np.int32],
    into_values: npt.NDArray[Any] | None,
) -> None: ...

# sparse
def dijkstra_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def bucket_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
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
) -> tuple[list[npt.NDArray[Any]], int, int, int, str, int, int]: ...
def scan_rows(text: bytes, comment: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], int, str, int]: ...

# reduce
UNSET_EXPONENT: int

def reduce_rows(
    dist: npt.NDArray[Any],
    reachable: npt.NDArray[np.int64],
    total: npt.NDArray[Any],
    reciprocals: npt.NDArray[np.float64] | None,
    largest: npt.NDArray[Any],
    farthest: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int64] | None,
    exponent: int,
    threads: int,
) -> int: ...
def reduce_columns(
    dist: npt.NDArray[Any],
    reachable: npt.NDArray[np.int64],
    total: npt.NDArray[Any],
    total_error: npt.NDArray[np.float64],
    reciprocals: npt.NDArray[np.float64],
    reciprocals_error: npt.NDArray[np.float64],
    threads: int,
) -> None: ...
def count_between(
    dist: npt.NDArray[Any], edges: npt.NDArray[np.float64], counts: npt.NDArray[np.int64], threads: int
) -> None: ...
def add_search(
    out: npt.NDArray[Any],
    into: npt.NDArray[Any] | None,
    part: npt.NDArray[np.int32] | None,
    vertex: int,
    lower: npt.NDArray[Any],
    upper: npt.NDArray[Any],
    total: npt.NDArray[np.float64],
) -> tuple[int, int, int, int, int]: ...

class PartsOfGraph:
    def __init__(
        self,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        part: npt.NDArray[np.int32],
        first: npt.NDArray[np.int64],
        vertices: npt.NDArray[np.int32],
        largest: int,
    ) -> None: ...

def bound_parts(
    parts: PartsOfGraph,
    by_leading: bool,
    lengths: npt.NDArray[Any] | None,
    inner: npt.NDArray[Any],
    upper: npt.NDArray[Any],
) -> None: ...
def bound_by_potential(
    parts: PartsOfGraph, out: npt.NDArray[Any], of_largest: int, lower: npt.NDArray[Any]
) -> None: ...
def bound_reach(
    parts: PartsOfGraph,
    before: npt.NDArray[np.bool_],
    after: npt.NDArray[np.bool_],
    reach: npt.NDArray[np.float64],
    known: npt.NDArray[np.bool_],
) -> None: ...
def twins(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.uint8] | None,
    into_indptr: npt.NDArray[np.int64] | None,
    into_indices: npt.NDArray[np.int32] | None,
    into_weights: npt.NDArray[np.uint8] | None,
) -> npt.NDArray[np.int32]: ...
def single_arcs(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], directed: bool
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def settle_single(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    lengths: npt.NDArray[Any] | None,
    anchor: int,
    out: npt.NDArray[Any],
    directed: bool,
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any], npt.NDArray[np.int64]] | None: ...
def chains(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], fewest: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32]]: ...
def settle_chain(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    lengths: npt.NDArray[Any] | None,
    inner: npt.NDArray[np.int32],
    first: int,
    last: int,
    from_first: npt.NDArray[Any],
    from_last: npt.NDArray[Any],
    eccentricities: npt.NDArray[Any],
) -> None: ...

LARGEST_SMALL_COMPONENT: int

def small_components(
    first: npt.NDArray[np.int64],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    cutoff: Any,
    reachable: npt.NDArray[np.int64],
    total: npt.NDArray[Any],
    reciprocals: npt.NDArray[np.float64],
    largest: npt.NDArray[Any],
    farthest: npt.NDArray[np.int32],
    threads: int,
) -> None: ...
def forest_sums(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    lengths: npt.NDArray[np.int64] | None,
    reachable: npt.NDArray[np.int64],
    total: npt.NDArray[np.int64],
    largest: npt.NDArray[np.int64],
    farthest: npt.NDArray[np.int32],
) -> bool: ...
def best_vertex(
    vertices: npt.NDArray[np.int64], bound: npt.NDArray[Any], total: npt.NDArray[np.float64], largest: bool
) -> int: ...
def may_be_farther(
    into: npt.NDArray[Any], out: npt.NDArray[Any], limit: int, may: npt.NDArray[np.bool_], threads: int
) -> None: ...
def nearest_columns(
    dist: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    columns: npt.NDArray[np.int32],
    distances: npt.NDArray[Any],
    threads: int,
) -> None: ...
def weigh_rows(
    dist: npt.NDArray[Any],
    amounts: npt.NDArray[np.float64],
    cutoffs: npt.NDArray[Any],
    decay: tuple[int, float, float],
    sums: npt.NDArray[np.float64],
    threads: int,
) -> None: ...
def reduce_groups(
    dist: npt.NDArray[Any],
    order: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    reached: npt.NDArray[np.int64],
    total: npt.NDArray[Any],
    least: npt.NDArray[Any],
    largest: npt.NDArray[Any],
    threads: int,
) -> None: ...
def count_groups_evenly(
    dist: npt.NDArray[Any],
    order: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    cells: npt.NDArray[np.int32],
    exponent: int,
    bins: int,
    counts: npt.NDArray[np.int64],
    threads: int,
) -> None: ...
def count_groups_between(
    dist: npt.NDArray[Any],
    order: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    cells: npt.NDArray[np.int32],
    edges: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
    threads: int,
) -> None: ...
def count_groups_in_windows(
    dist: npt.NDArray[Any],
    order: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    cells: npt.NDArray[np.int32],
    lows: npt.NDArray[np.int64],
    windows: int,
    shift: int,
    bins: int,
    counts: npt.NDArray[np.int64],
    threads: int,
) -> None: ...
def quantiles_of_groups(
    dist: npt.NDArray[Any],
    order: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int64],
    own: npt.NDArray[np.int64],
    shares: npt.NDArray[np.float64],
    quantiles: npt.NDArray[Any],
    threads: int,
) -> None: ...
def moments(
    dist: npt.NDArray[Any],
    factors: npt.NDArray[np.int64] | None,
    squares: npt.NDArray[Any] | None,
    weighted: npt.NDArray[Any] | None,
    threads: int,
) -> None: ...
def dijkstra_weigh(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    amounts: npt.NDArray[np.float64],
    cutoffs: npt.NDArray[Any],
    decay: tuple[int, float, float],
    sums: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def bucket_weigh(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    amounts: npt.NDArray[np.float64],
    cutoffs: npt.NDArray[Any],
    decay: tuple[int, float, float],
    sums: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def nearest_seeds(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    seeds: npt.NDArray[np.int32],
    nearest: npt.NDArray[np.int32],
    lengths: npt.NDArray[Any],
    before: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    cutoff: float | None = None,
) -> None: ...

class LabelSolver:
    def rows(
        self,
        *,
        sources: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        pred: npt.NDArray[np.int32] | None = None,
        targets: npt.NDArray[np.int32] | None = None,
        cutoff: float | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...
    def sums(
        self,
        *,
        sources: npt.NDArray[np.int32],
        cutoff: float | None,
        reached: npt.NDArray[np.int64],
        total: npt.NDArray[np.int64],
        reciprocals: npt.NDArray[np.float64],
        largest: npt.NDArray[np.int32],
        farthest: npt.NDArray[np.int32],
        threads: int,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...

def label_solver(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    zones: npt.NDArray[np.bool_] | None = None,
) -> LabelSolver: ...
def signed_label_solver_int32(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    reduced: npt.NDArray[np.int64],
    height: npt.NDArray[np.int64],
    zones: npt.NDArray[np.bool_] | None = None,
) -> LabelSolver: ...
def signed_label_solver_int64(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    reduced: npt.NDArray[np.int64],
    height: npt.NDArray[np.int64],
    zones: npt.NDArray[np.bool_] | None = None,
) -> LabelSolver: ...

class KeptLevels:
    def __init__(
        self,
        *,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        into_indptr: npt.NDArray[np.int64],
        into_indices: npt.NDArray[np.int32],
    ) -> None: ...
    def rows(self, *, sources: npt.NDArray[np.int32], dist: npt.NDArray[np.int32], threads: int = 1) -> None: ...
    def farthest(
        self, *, sources: npt.NDArray[np.int32], distances: npt.NDArray[np.int32], threads: int = 1
    ) -> None: ...

def cut_bounds(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    undirected: bool,
    fewest: npt.NDArray[np.int64],
    most: npt.NDArray[np.int64],
    harmonic: bool,
    improved: bool,
    bounds: npt.NDArray[np.float64],
    threads: int = 1,
) -> None: ...
def cut_searches(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    undirected: bool,
    fewest: npt.NDArray[np.int64],
    most: npt.NDArray[np.int64],
    harmonic: bool,
    improved: bool,
    sources: npt.NDArray[np.int32],
    bounds: npt.NDArray[np.float64],
    best: npt.NDArray[np.float64],
    k: int,
    arcs: int,
    reached: npt.NDArray[np.int64],
    total: npt.NDArray[np.int64],
    reciprocals: npt.NDArray[np.float64],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...

class KeptSearches:
    def rows(self, *, sources: npt.NDArray[np.int32], dist: npt.NDArray[Any], threads: int = 1) -> None: ...

def kept_searches(
    *, indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], weights: npt.NDArray[Any]
) -> KeptSearches: ...

class NearSearches:
    def find(
        self,
        *,
        sources: npt.NDArray[np.int32],
        cutoff: float | None = None,
        k: int | None = None,
        is_target: npt.NDArray[np.bool_] | None = None,
        own: bool = True,
        hops: bool = False,
        by_target: bool = False,
        most: int = ...,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any], npt.NDArray[np.int32] | None] | None: ...

def near_searches(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    zones: npt.NDArray[np.bool_] | None = None,
    many: bool = True,
) -> NearSearches: ...
def depth(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
) -> tuple[int, float]: ...
def bfs_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def bit_bfs_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def potentials(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    reduced: npt.NDArray[np.int64],
    height: npt.NDArray[np.int64],
) -> list[int]: ...

class SignedFloats:
    @property
    def cycle(self) -> list[int]: ...
    @property
    def forgiving(self) -> bool: ...
    def potentials(self, *, height: npt.NDArray[np.float64], reduced: npt.NDArray[np.float64]) -> None: ...
    def rows(
        self,
        *,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        sources: npt.NDArray[np.int32],
        dist: npt.NDArray[Any],
        pred: npt.NDArray[np.int32] | None = None,
        targets: npt.NDArray[np.int32] | None = None,
        cutoff: float | None = None,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
    ) -> None: ...

def signed_floats(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None = None,
    epsilon: float,
    searches: bool,
) -> SignedFloats: ...
def has_cancelling_cycle(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float64],
    epsilon: float,
) -> bool: ...
def longest_chain(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    labels: npt.NDArray[np.int32],
    inner: npt.NDArray[Any],
) -> int | float: ...
def through_root(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None = None,
    root: int,
    sweeps: int,
    enough: float,
) -> float | None: ...
def counts_by_hops(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32] | None = None,
    paths: npt.NDArray[np.float64],
    cutoff: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def counts_by_length(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    heights: npt.NDArray[np.int64] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32] | None = None,
    paths: npt.NDArray[np.float64] | npt.NDArray[np.uint64],
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def tied_predecessors(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    zones: npt.NDArray[np.bool_] | None = None,
    source: int,
    cutoff: float | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...

class CountedArcs:
    @property
    def largest(self) -> float: ...
    @property
    def up(self) -> tuple[npt.NDArray[Any], ...]: ...
    @property
    def down(self) -> tuple[npt.NDArray[Any], ...]: ...
    def sweep_order(self, targets: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[Any], ...]: ...
    def spread(
        self,
        *,
        tree: Any,
        up: npt.NDArray[np.float64],
        down: npt.NDArray[np.float64],
        through: npt.NDArray[np.float64],
        threads: int = 1,
    ) -> None: ...
    def write_along(
        self,
        *,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        weights: npt.NDArray[np.float64],
        up: npt.NDArray[np.float64],
        down: npt.NDArray[np.float64],
        along: npt.NDArray[np.float64],
    ) -> None: ...

def counted_arcs(
    *,
    tree: Any,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float64],
    threads: int = 1,
) -> CountedArcs: ...
def first_flows_by_elimination(
    *,
    tree: Any,
    factor: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    sources: npt.NDArray[np.int32],
    to: npt.NDArray[np.float64] | None = None,
    start: npt.NDArray[np.int64] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    values: npt.NDArray[np.float64] | None = None,
    through: npt.NDArray[np.float64],
    arrived: npt.NDArray[np.float64],
    served: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def flows_by_elimination(
    *,
    tree: Any,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
    weights: npt.NDArray[np.float64],
    sources: npt.NDArray[np.int32],
    to: npt.NDArray[np.float64] | None = None,
    start: npt.NDArray[np.int64] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    values: npt.NDArray[np.float64] | None = None,
    through: npt.NDArray[np.float64],
    arrived: npt.NDArray[np.float64],
    served: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64] | None = None,
    cutoff: float,
    counted: CountedArcs | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def flows_by_hops(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
    sources: npt.NDArray[np.int32],
    to: npt.NDArray[np.float64] | None = None,
    start: npt.NDArray[np.int64] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    values: npt.NDArray[np.float64] | None = None,
    through: npt.NDArray[np.float64],
    arrived: npt.NDArray[np.float64],
    served: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64] | None = None,
    cutoff: int,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def flows_by_length(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    heights: npt.NDArray[np.int64] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    sources: npt.NDArray[np.int32],
    to: npt.NDArray[np.float64] | None = None,
    start: npt.NDArray[np.int64] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    values: npt.NDArray[np.float64] | None = None,
    through: npt.NDArray[np.float64],
    arrived: npt.NDArray[np.float64],
    served: npt.NDArray[np.float64],
    along: npt.NDArray[np.float64] | None = None,
    cutoff: float | None = None,
    first: bool = False,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def johnson_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    reduced: npt.NDArray[Any],
    height: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    zones: npt.NDArray[np.bool_] | None = None,
    targets: npt.NDArray[np.int32] | None = None,
    cutoff: float | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...

# paths
def next_hops(
    *,
    pred: npt.NDArray[np.int32],
    out: npt.NDArray[np.int32],
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def tight_tree(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    source: int,
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
) -> int: ...
def float_tree(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[np.float64],
    source: int,
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None = None,
    per_arc: float,
    share: float,
    most: float,
) -> int: ...
def tree_rows(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32],
    threads: int = 1,
) -> None: ...
def verify_rows(
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any],
    zones: npt.NDArray[np.bool_] | None,
    sources: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None,
    cutoff: float | None,
    per_arc: float,
    share: float,
    most: float,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> tuple[int, int]: ...

# dense
def dense_fill(
    page: npt.NDArray[Any],
    row_from: int,
    column_from: int,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    semiring: str,
    closed: npt.NDArray[np.bool_] | None,
    threads: int,
) -> None: ...
def dense_close(
    page: npt.NDArray[Any],
    semiring: str,
    nonnegative: bool,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> int: ...
def dense_update(
    c: npt.NDArray[Any],
    a: npt.NDArray[Any],
    b: npt.NDArray[Any],
    semiring: str,
    nonnegative: bool,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def dense_finish(page: npt.NDArray[Any], semiring: str, nonnegative: bool, threads: int) -> bool: ...
def dense_extend(
    matrix: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    semiring: str,
    closed: npt.NDArray[np.bool_],
    threads: int,
) -> None: ...
def dense_predecessors(
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    semiring: str,
    nonnegative: bool,
    closed: npt.NDArray[np.bool_] | None,
    threads: int,
) -> None: ...
def dense_close_batch(
    from_: npt.NDArray[Any],
    to: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None,
    sizes: npt.NDArray[np.int32] | None,
    semiring: str,
    largest: float,
    status: npt.NDArray[np.int32],
    threads: int,
) -> None: ...
def dense_check_signed(
    from_: npt.NDArray[Any], sizes: npt.NDArray[np.int32] | None, status: npt.NDArray[np.int32], threads: int
) -> None: ...
def product(
    a: npt.NDArray[Any],
    b: npt.NDArray[Any],
    c: npt.NDArray[Any],
    via: npt.NDArray[np.int32] | None,
    semiring: str,
    nonnegative: bool,
    threads: int,
) -> None: ...
def product_entries(operand: npt.NDArray[Any], semiring: str, threads: int) -> tuple[float, float, bool]: ...
def published_close_sequential(page: npt.NDArray[Any], progress: Callable[[int], None] | None = None) -> int: ...
def published_close_blocked(
    page: npt.NDArray[Any], block: int, progress: Callable[[int], None] | None = None
) -> int: ...
def register_peak(
    dtype: str, semiring: str = "min_plus", nonnegative: bool = True, threads: int = 1, seconds: float = 0.2
) -> float: ...

# closure, components
def closure_graph(
    bits: npt.NDArray[np.uint64],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    method: str,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def close_bits(bits: npt.NDArray[np.uint64], threads: int, progress: Callable[[int], None] | None = None) -> None: ...
def update_bits(
    c: npt.NDArray[np.uint64], a: npt.NDArray[np.uint64], b: npt.NDArray[np.uint64], columns: int, threads: int
) -> None: ...
def count_bits(bits: npt.NDArray[np.uint64], threads: int = 1) -> int: ...
def weak_components(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32]
) -> tuple[int, npt.NDArray[np.int32]]: ...
def grouped(group: npt.NDArray[np.int32], groups: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def sorted_by(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], group: npt.NDArray[np.int32], groups: int
) -> tuple[
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.int32],
    npt.NDArray[np.int64],
    npt.NDArray[np.int32],
    npt.NDArray[np.int64],
]: ...
def strong_components(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32]
) -> tuple[int, npt.NDArray[np.int32]]: ...
def condensation(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], labels: npt.NDArray[np.int32], count: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def reached_from(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], vertex: int
) -> npt.NDArray[np.bool_]: ...
def count_in_forest(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], sizes: npt.NDArray[np.int64]
) -> int: ...
def join_heads(
    bits: npt.NDArray[np.uint64],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    first: int,
    last: int,
    threads: int,
) -> None: ...

# elimination
def elimination_tree(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    zones: npt.NDArray[np.bool_] | None,
    most: int,
    widest: int,
    best: bool,
    given: npt.NDArray[np.int32] | None,
    threads: int,
) -> (
    tuple[
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.int32],
        npt.NDArray[np.int64],
        npt.NDArray[np.int32],
        npt.NDArray[np.int64],
    ]
    | None
): ...
def elimination_check(tree: object) -> None: ...
def elimination_factor(
    *,
    tree: object,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    values: npt.NDArray[Any],
    threads: int,
) -> int: ...
def elimination_rows(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32] | None,
    cutoff: float | None,
    dist: npt.NDArray[Any],
    pred: npt.NDArray[np.int32] | None = None,
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def elimination_pairs(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_steps(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    steps: npt.NDArray[np.int32],
    arcs: npt.NDArray[np.int32],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_routes(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    arcs: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    dist: npt.NDArray[Any],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int64]]: ...
def elimination_unfold(
    *,
    steps: npt.NDArray[np.int32],
    arcs: npt.NDArray[np.int32],
    start: npt.NDArray[np.int64],
    entry: npt.NDArray[np.int32],
    length: npt.NDArray[np.int64],
    sources: npt.NDArray[np.int32],
    n: int,
    loops: bool,
    offsets: npt.NDArray[np.int64],
    vertices: npt.NDArray[np.int32],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_measures(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    sources: npt.NDArray[np.int32],
    cutoff: int | None,
    reached: npt.NDArray[np.int64],
    total: npt.NDArray[np.int64],
    reciprocals: npt.NDArray[np.float64],
    largest: npt.NDArray[np.int32],
    farthest: npt.NDArray[np.int32],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> bool: ...
def skims_factor(
    *,
    tree: object,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    costs: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None,
    first: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
    threads: int,
) -> None: ...
def skims_by_elimination(
    *,
    tree: object,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    costs: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None,
    first: npt.NDArray[np.float64],
    others: npt.NDArray[np.float64],
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    out: npt.NDArray[np.float64],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def skims_by_searches(
    *,
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    costs: npt.NDArray[np.float64],
    zones: npt.NDArray[np.bool_] | None,
    sources: npt.NDArray[np.int32],
    targets: npt.NDArray[np.int32],
    out: npt.NDArray[np.float64],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...
def elimination_weigh(
    *,
    tree: object,
    values: npt.NDArray[Any],
    indptr: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int32],
    weights: npt.NDArray[Any] | None,
    zones: npt.NDArray[np.bool_] | None,
    nonnegative: bool,
    sources: npt.NDArray[np.int32],
    amounts: npt.NDArray[np.float64],
    cutoffs: npt.NDArray[Any],
    decay: tuple[int, float, float],
    sums: npt.NDArray[np.float64],
    threads: int,
    progress: Callable[[int], None] | None = None,
) -> None: ...

class BidirectionalSearch:
    def __init__(
        self,
        *,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        weights: npt.NDArray[Any] | None,
        backward_indptr: npt.NDArray[np.int64],
        backward_indices: npt.NDArray[np.int32],
        backward_weights: npt.NDArray[Any] | None,
        zones: npt.NDArray[np.bool_] | None,
        largest: float,
    ) -> None: ...
    def path(self, source: int, target: int) -> tuple[int | float, npt.NDArray[np.int32]] | None: ...

class PairSearch:
    def __init__(
        self,
        *,
        tree: object,
        values: npt.NDArray[Any],
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        weights: npt.NDArray[Any] | None,
        zones: npt.NDArray[np.bool_] | None,
        nonnegative: bool,
    ) -> None: ...
    def distance(self, source: int, target: int) -> int | float | None: ...
