"""Edge arrays, tables and SciPy -> Graph.

Everything passes through `from_edges`, which uses one C++ kernel (a counting sort by tail, then by head inside
each row), so parallel arcs, self-loops and directions mean the same for graphs of any origin.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import USUAL, ArrayLike, LabelsLike, SparseArray, TableLike, Usual
from apsp.errors import GraphError, RequestError, shown
from apsp.graph.aligned import is_matrix_frame, labels_of_axes, rows_alike
from apsp.graph.arrays import (
    arc_weight_array,
    check_ends,
    vertex_array,
    vertex_count,
)
from apsp.graph.bends import Bends, bends_of
from apsp.graph.checks import array_of
from apsp.graph.costs import NO_COSTS, Costs, cost_arrays
from apsp.graph.edge_tuples import ENDS, LENGTH, as_columns, is_edge_list
from apsp.graph.labels import labels_of
from apsp.graph.links import Rows
from apsp.graph.model import Graph, Parallel
from apsp.system.arguments import flag, one_of
from apsp.system.lack_of_memory import memory_errors

__all__ = [
    "from_edges",
    "from_rows",
    "from_scipy",
]


@memory_errors
def from_edges(
    tails: ArrayLike | TableLike,
    heads: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    *,
    source: Hashable | None = None,
    target: Hashable | None = None,
    weight: Hashable | Usual | None = USUAL,
    n: int | None = None,
    directed: bool | npt.ArrayLike | None = None,
    parallel: Parallel = "min",
    labels: LabelsLike | None = None,
    coordinates: npt.ArrayLike | None = None,
    zones: npt.ArrayLike | None = None,
    costs: Mapping[str, ArrayLike] | Sequence[str] | None = None,
    links: bool = False,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    bends: Bends | Sequence[npt.ArrayLike | None] | None = None,
) -> Graph:
    """Build a graph from its arcs, in any order: arrays of positions, or a table whose rows are arcs; O(n + m).

    Parameters
    ----------
    tails, heads : (m,) integers
        Positions of the vertices, 0 to n - 1, with `labels` too: lists, NumPy arrays, or anything that exports DLPack
        from the CPU. Or, without `heads`, a table: a data frame of pandas or polars, a table of PyArrow, a relation of
        DuckDB, a dictionary of columns, or anything that exports an Arrow stream; or a list of edges (u, v), (u, v,
        length) or (u, v, {"weight": length}). Several Series have the same index. The ends of edges in a list, and text
        as `tails` and `heads` (lists, arrays, Series), are labels, numbered like those of a table.
    weights : (m,) numbers, optional
        Lengths; without them the graph counts hops.
    source, target : hashable, optional
        Of a table: the columns with the ends of the arcs. Their entries, of any type, are the labels of the vertices:
        integers in ascending order, others in the order of their first row. By default two columns whose names are
        usual together, such as source and target, or from_node_id and to_node_id.
    weight : hashable or None
        Of a table: the column with the lengths; None counts hops. By default a column with a usual name, such as weight
        or length, or the only other column of numbers that may be one (not id or capacity).
    n : int, optional
        Number of vertices; by default that of `labels`, `coordinates` or `zones`, or the largest position plus one. Not
        for tables, of which `labels` may name all vertices.
    directed : bool or (m,) bool, optional
        False adds the reverse of every arc. An array says it of each one: the graph is directed, and arcs with False
        may be used both ways. By default True; of a table what a column called directed, oneway or type (with the words
        of Gephi) says of each row.
    parallel : 'min', 'first' or 'last'
        Which of several links between the same two vertices counts: the best for the weights (of equally long ones that
        with the least first cost, then the least second one, and so on, then the first), or the first or the last one
        given, whose costs are kept, while the others are dropped. An undirected edge written in both directions is two
        parallel links.
    labels, coordinates, zones : optional
        As in `Graph`: those of pandas or xarray are aligned by their labels. The `labels` of a table are all vertices,
        also those without arcs, in the order of the positions.
    costs : mapping of str to (m,) numbers, or sequence of str, optional
        Other costs of the arcs by name, in the order of `tails`; of a table the names of their columns. With costs,
        parallel links are all kept (`Graph.links`): which of them counts depends on the cost that is minimised.
    links : bool
        Keep the links, with their numbers, also if there are no costs or none are parallel.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        What the coordinates are, as in `Graph`.
    bends : sequence of m (k, 2) numbers or None, optional
        The points of each street between its ends, in the order from tail to head and in the units of the coordinates.
        The links that arcs take are kept then, with their bends (`Graph.links.bends`).

    Returns
    -------
    Graph
        The graph, its rows sorted by head, with one arc for parallel links.

    Raises
    ------
    GraphError
        If an end is not a vertex or a weight is not a finite number (the message names the arc), or arrays have
        different lengths; if bends are not finite points, or the vertices have no coordinates; if an entry of a table
        is missing (the message names the row).
    RequestError
        If `n`, `directed`, `parallel`, `links` or `crs` is invalid, or a column does not exist (the message lists the
        columns).
    MissingDependencyError
        If a table can only be read through Arrow, and pyarrow is not installed.

    Notes
    -----
    A self-loop is kept: it never shortens a path, but a negative one is a negative cycle.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    >>> graph
    Graph(n=3, m=3, directed, int64)
    >>> apsp.solve(graph).path("a", "c")
    ['a', 'b', 'c']

    From a table:

    >>> roads = {"from": ["Rome", "Florence"], "to": ["Florence", "Milan"], "minutes": [170, 180]}
    >>> graph = apsp.from_edges(roads, source="from", target="to", weight="minutes", directed=False)
    >>> apsp.solve(graph).distance("Milan", "Rome")
    350
    """
    if heads is None and is_edge_list(tails):
        if source is not None or target is not None:
            raise RequestError("source and target name the columns of a table: the ends of an edge (u, v) come first")
        tails = as_columns(tails, weight)  # type: ignore[arg-type]
        source, target, weight = *ENDS, LENGTH if LENGTH in tails else None
    elif heads is not None and (_are_names(tails) or _are_names(heads)):
        tails, heads, weights, costs, directed = _columns(tails, heads, weights, costs, directed)
        tails, heads, labels = _numbered(tails, heads, n, labels)
    if heads is None:
        return _from_table(
            tails, weights, source=source, target=target, weight=weight, n=n, directed=directed, parallel=parallel,
            labels=labels, coordinates=coordinates, zones=zones, costs=costs, links=links, crs=crs, bends=bends,
        )  # fmt: skip
    if source is not None or target is not None or weight is not USUAL:
        raise RequestError("source, target and weight name the columns of a table: arrays of arcs take weights=")
    one_of(parallel, "parallel", get_args(Parallel))
    links = flag(links, "links")
    if links and parallel != "min":
        raise RequestError(f"parallel={parallel!r} drops links, so links=True cannot keep them: leave out one of both")
    tails, heads, weights, costs, directed = _columns(tails, heads, weights, costs, directed)
    ends = [vertex_array(tails, "tails"), vertex_array(heads, "heads")]
    if len(ends[0]) != len(ends[1]):
        raise GraphError(f"{len(ends[0])} tails but {len(ends[1])} heads: an arc has one of each")
    one_way, both = _directions(directed, len(ends[0]))
    called = None if labels is None else labels_of(labels)
    lengths = None if weights is None else arc_weight_array(weights, ends[0], ends[1], called)
    count = vertex_count(n, called, coordinates, zones, ends)
    for which, array in zip(("tail", "head"), ends, strict=True):
        check_ends(array, count, which)
    costs_ = NO_COSTS if costs is None else Costs(cost_arrays(costs, ends[0], ends[1], called))
    vertices: dict[str, Any] = {"labels": called, "coordinates": coordinates, "zones": zones, "crs": crs}
    between = bends_of(bends, len(ends[0]))
    if between is not None and coordinates is None:
        raise GraphError("bends are points between vertices, which have no coordinates: coordinates=")
    if costs_ or links or one_way is not None or between is not None:
        return Graph._of_rows(
            count, Rows(ends[0], ends[1], lengths, costs_, one_way, between), directed=not both, parallel=parallel,
            links=links or (None if costs_ and parallel == "min" else False), **vertices,
        )  # fmt: skip
    index = np.int32 if all(array.dtype.itemsize <= 4 for array in ends) else np.int64
    tails_, heads_ = (np.ascontiguousarray(array, dtype=index) for array in ends)
    return Graph._made(
        *_cpu.csr_from_arcs(count, tails_, heads_, lengths, both, parallel), directed=not both, **vertices
    )


def _are_names(ends: Any) -> bool:
    """Whether the ends of arcs are text, which stands for labels, not positions."""
    kind = getattr(getattr(ends, "dtype", None), "kind", None)
    if not isinstance(ends, (list, tuple)):
        if kind is not None and kind not in "OUST":
            return False
        if kind is None and type(ends).__module__.partition(".")[0] not in ("polars", "pyarrow"):
            return False
        ends = np.asarray(ends)
        if ends.dtype.kind != "O":
            return ends.dtype.kind in "UST"
    return len(ends) > 0 and all(isinstance(end, str) for end in ends)


def _numbered(tails: Any, heads: Any, n: int | None, labels: Any) -> tuple[Any, Any, Any]:
    """Positions of the ends of arcs that are labels, and all labels."""
    if n is not None:
        raise RequestError("n is for arrays of positions, and tails and heads are text: labels= gives all vertices")
    from apsp.graph.tables.edges import read_table

    edges = read_table({"tails": tails, "heads": heads}, "tails", "heads", None, labels)
    return edges.tails, edges.heads, edges.labels


def _directions(directed: Any, count: int) -> tuple[npt.NDArray[np.bool_] | None, bool]:
    """Which links are one way (None: all or none), and whether the graph is undirected."""
    if isinstance(directed, str) or not hasattr(directed, "__len__") or getattr(directed, "ndim", 1) == 0:
        return None, directed is not None and not flag(directed, "directed")
    found = array_of(directed, "directed")
    if found.dtype != bool or found.shape != (count,):
        raise RequestError(
            f"directed must be True, False or {count} booleans, one per arc, not an array of {found.dtype} of shape "
            f"{found.shape}"
        )
    return found, False


def _columns(tails: Any, heads: Any, weights: Any, costs: Any, directed: Any) -> tuple[Any, Any, Any, Any, Any]:
    """Arrays of arcs; those that are columns of pandas have the same rows."""
    given = (tails, heads, weights, directed)
    if costs is None and not any(map(labels_of_axes, given)):
        return tails, heads, weights, None, directed
    further = {f"costs[{shown(name)}]": each for name, each in costs.items()} if isinstance(costs, Mapping) else {}
    found = rows_alike({"tails": tails, "heads": heads, "weights": weights, "directed": directed, **further})
    if further:
        costs = dict(zip(costs, list(found.values())[4:], strict=True))
    return found["tails"], found["heads"], found["weights"], costs, found["directed"]


def _from_table(
    table: Any,
    weights: Any,
    *,
    source: Any,
    target: Any,
    weight: Any,
    n: int | None,
    labels: Any,
    costs: Any,
    directed: Any,
    **options: Any,
) -> Graph:
    if weights is not None:
        raise RequestError("the weights of a table are one of its columns: weight= names it")
    if n is not None:
        raise RequestError("n is for arrays of positions: labels= gives all vertices of a table, as range(n) or a list")
    from apsp.graph.tables.edges import read_table

    if source is None and target is None and is_matrix_frame(table):
        raise RequestError(
            "the rows and the columns of the table have the same labels, as in a matrix of lengths: apsp.from_dense "
            "reads it, and source= and target= name the columns of a table of arcs"
        )
    edges = read_table(
        table, source, target, weight, labels, costs, None if directed is None else flag(directed, "directed")
    )
    return from_edges(
        edges.tails, edges.heads, edges.lengths, n=edges.n, labels=edges.labels, costs=edges.costs,
        directed=edges.directed, **options,
    )  # fmt: skip


@memory_errors
def from_scipy(sparse: SparseArray, directed: bool = True, *, labels: LabelsLike | None = None) -> Graph:
    """Build a graph from a SciPy sparse matrix or array of arc lengths, shape (n, n).

    Explicit zeros are arcs of length 0. Entries stored twice are parallel arcs: the smaller counts. (`sum_duplicates()`
    adds them; `apsp.csgraph` follows SciPy, which adds some of them.)

    Parameters
    ----------
    sparse : (n, n) SciPy sparse matrix or array
        Lengths of the arcs; booleans count hops.
    directed : bool
        False makes every entry an edge that may be used both ways, as in `scipy.sparse.csgraph`.
    labels : sequence of n different hashable values, optional
        Labels of the vertices; see `Graph`.

    Returns
    -------
    Graph
        The graph.

    Raises
    ------
    GraphError
        If it is not a square sparse matrix of finite numbers.

    Examples
    --------
    >>> import apsp, scipy.sparse
    >>> sparse = scipy.sparse.csr_array([[0, 2, 0], [0, 0, 3], [0, 0, 0]])
    >>> apsp.from_scipy(sparse)
    Graph(n=3, m=2, directed, int64)
    >>> apsp.solve(apsp.from_scipy(sparse, directed=False)).distance(2, 0)
    5
    """
    import scipy.sparse as sp

    given: Any = sparse
    is_sparse: bool = sp.issparse(given)  # narrowing the type would hide the attributes of sparse arrays
    if not is_sparse:
        raise GraphError(f"{type(given).__name__} is not a SciPy sparse array; apsp.from_dense takes dense matrices")
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise GraphError(f"the sparse array must have shape (n, n), not {given.shape}")
    if given.format == "csr":
        graph = None
        if given.shape[0] == len(given.indptr) - 1:
            graph = from_rows(given.indptr, given.indices, given.data, flag(directed, "directed"), labels=labels)
        if graph is not None:
            return graph
    if given.format in ("csr", "csc", "bsr"):
        try:
            given.check_format(full_check=True)
        except (ValueError, TypeError, IndexError) as error:
            raise GraphError(f"the sparse array is damaged: {error}") from error
    triples = given.tocoo()
    weights = None if triples.dtype.kind == "b" else triples.data
    tails, heads = triples.row, triples.col
    if weights is None:
        tails, heads = tails[triples.data], heads[triples.data]
    return from_edges(tails, heads, weights, n=given.shape[0], directed=directed, labels=labels)


def from_rows(
    indptr: npt.NDArray[Any],
    indices: npt.NDArray[Any],
    weights: npt.NDArray[Any],
    directed: bool = True,
    *,
    labels: LabelsLike | None = None,
) -> Graph | None:
    """The graph of CSR arrays, whose rows may be in any order and hold parallel arcs, of which the shortest counts.

    Parameters
    ----------
    indptr, indices : (n + 1,), (m,) int32 or int64, both of one dtype
    weights : (m,) int32, int64, float32 or float64
    directed : bool
        False adds the reverse of every arc.

    Returns
    -------
    Graph or None
        None if the arrays need conversion, or are invalid.
    """
    plain = type(indptr) is type(indices) is type(weights) is np.ndarray
    if not plain or len(indptr) == 0 or weights.dtype.char not in "ilqfd" or weights.ndim != 1:
        return None
    if indptr.dtype != indices.dtype or indptr.dtype.char not in "ilq":
        return None
    if not len(weights) == len(indices) == indptr[-1]:
        return None
    try:
        arrays = _cpu.csr_from_rows(indptr, indices, weights, not directed)
    except TypeError:  # not contiguous, or in the byte order of another machine
        return None
    return None if arrays is None else Graph._made(*arrays, directed=directed, labels=labels)
