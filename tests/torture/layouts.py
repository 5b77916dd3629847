"""Array arguments of public functions, and the ways in which an array may lie in memory: the answers are the same.

Each entry of `ARGUMENTS` is a call with one array, as plain as NumPy makes it; `LAYOUTS` turn it into an equal array
that lies otherwise. `narrow` gives it other dtypes.
"""

from __future__ import annotations

import functools
import mmap
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp

import apsp
from apsp import csgraph

__all__ = ["ARGUMENTS", "LAYOUTS", "NARROW", "difference", "fault", "outcome", "run"]

Array = np.ndarray[Any, np.dtype[Any]]
INF = np.inf


class Own(np.ndarray[Any, np.dtype[Any]]):
    """A subclass whose slices and results keep their class."""


def _strided(array: Array) -> Array:
    """Every second entry along all axes of a larger array."""
    larger = np.full([2 * length + 1 for length in array.shape], _filler(array.dtype), dtype=array.dtype)
    view = larger[tuple(slice(1, 2 * length + 1, 2) for length in array.shape)]
    view[...] = array
    return view


def _reversed(array: Array) -> Array:
    """Negative strides along all axes."""
    back = tuple(slice(None, None, -1) for _ in array.shape)
    return array[back].copy()[back]


def _unaligned(array: Array) -> Array:
    raw = np.zeros(array.nbytes + 1, dtype=np.uint8)
    found = raw[1:].view(array.dtype).reshape(array.shape)
    found[...] = array
    return found


def _field(array: Array) -> Array:
    """A field of records, whose size is no multiple of that of an entry."""
    records = np.zeros(array.shape, dtype=[("before", "u1"), ("entry", array.dtype), ("after", "u1")])
    records["entry"] = array
    return records["entry"]


def _read_only(array: Array) -> Array:
    found = array.copy()
    found.flags.writeable = False
    return found


def _mapped(array: Array) -> Array:
    if not array.nbytes or array.dtype.hasobject:
        return array
    found = np.frombuffer(mmap.mmap(-1, array.nbytes), dtype=array.dtype).reshape(array.shape)
    found[...] = array
    return found


def _order_of_axes(array: Array) -> Array:
    """The last axis first in memory, the others as they are."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, -1, 0)), 0, -1) if array.ndim else array


def _repeated(array: Array) -> Array:
    """Stride 0 along the first axis, where all entries along it are equal."""
    if array.ndim and len(array) and (array == array[:1]).all():
        return np.broadcast_to(array[:1], array.shape)
    return array


def _filler(dtype: np.dtype[Any]) -> Any:
    return np.nan if dtype.kind == "f" else dtype.type(1) if dtype.kind in "iub" else np.zeros(1, dtype)[0]


LAYOUTS: dict[str, Callable[[Array], Any]] = {
    "by columns": np.asfortranarray,
    "last axis first": _order_of_axes,
    "strided": _strided,
    "reversed": _reversed,
    "unaligned": _unaligned,
    "field": _field,
    "read-only": _read_only,
    "mapped": _mapped,
    "stride 0": _repeated,
    "other byte order": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "other byte order, strided": lambda array: _strided(array.astype(array.dtype.newbyteorder(">"))),
    "subclass": lambda array: array.view(Own),
    "no mask": lambda array: np.ma.MaskedArray(array.copy()),
    "empty mask": lambda array: np.ma.MaskedArray(array.copy(), mask=np.zeros(array.shape, dtype=bool)),
    "nested lists": lambda array: array.tolist(),
    "objects": lambda array: array.astype(object),
}  # fmt: skip

NARROW = (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64",
    "longdouble",
)  # fmt: skip


@functools.cache
def _graph() -> apsp.Graph:
    return apsp.from_edges([0, 1, 2, 3, 0, 4], [1, 2, 3, 4, 4, 0], [3, 1, 4, 1, 5, 9],
                           coordinates=np.arange(10.0).reshape(5, 2) ** 1.5)  # fmt: skip


@functools.cache
def _result() -> apsp.Result:
    return apsp.solve(_graph(), paths=True)


def _of_graph(graph: apsp.Graph) -> tuple[Any, ...]:
    labels = list(graph.labels)
    arrays = (graph.indptr, graph.indices, graph.weights, graph.coordinates, graph.zones)
    return (*arrays, labels, {name: array.copy() for name, array in graph.costs.items()}, apsp.solve(graph).distances)


def _updated(weights: Any) -> Array:
    oracle = apsp.prepare(_graph())
    oracle.update(weights)
    return oracle.rows()


def _skims(found: apsp.Skims) -> tuple[Any, ...]:
    return found.matrices, found.zones, found.targets


def _sparse(data: Any, indices: Any, indptr: Any) -> Any:
    made = sp.csr_array((5, 5), dtype=np.float64)
    made.data, made.indices, made.indptr = data, indices, indptr
    return made


DENSE = np.array([[0, 3, INF, INF, 5], [INF, 0, 1, INF, INF], [INF, INF, 0, 4, INF], [INF, INF, INF, 0, 1],
                  [9, INF, INF, INF, 0]])  # fmt: skip
COMPLETE = np.where(np.isinf(DENSE), 60, DENSE)  # in arrays without a mask zeros are no arcs, in masked ones they are
BATCH = np.stack([DENSE, DENSE.T, DENSE + 1, DENSE[::-1, ::-1]])
WHOLE = np.array([[0, 1, 1, 0, 1], [1, 0, 1, 1, 0], [0, 1, 0, 1, 1], [1, 1, 0, 0, 1], [1, 0, 1, 1, 0]])
WEIGHTS = np.array([3, 1, 4, 1, 5, 9])
DEMAND = np.arange(25.0).reshape(5, 5)
VERTICES = np.array([3, 0, 1])

ARGUMENTS: dict[str, tuple[Callable[[Any], Any], Array]] = {
    "from_edges tails": (lambda a: _of_graph(apsp.from_edges(a, [1, 2, 3])), VERTICES),
    "from_edges heads": (lambda a: _of_graph(apsp.from_edges([1, 2, 3], a, directed=False)), VERTICES),
    "from_edges weights": (lambda a: _of_graph(apsp.from_edges([0, 1, 2], [1, 2, 3], a)), np.array([5, 7, 9])),
    "from_edges floats": (lambda a: _of_graph(apsp.from_edges([0, 1, 2], [1, 2, 3], a)), np.array([0.5, 7, 9])),
    "from_edges costs": (
        lambda a: _of_graph(apsp.from_edges([0, 1, 2], [1, 2, 3], costs={"toll": a})), np.array([5, 7, 9])
    ),
    "from_edges labels": (lambda a: _of_graph(apsp.from_edges([0, 1], [1, 2], labels=a)), np.array([7, 5, 9])),
    "from_edges large labels": (
        lambda a: _of_graph(apsp.from_edges([0, 1], [1, 2], labels=a)), np.array([2**63 + 5, 2**64 - 3, 7], np.uint64)
    ),
    "sources of large labels": (
        lambda a: apsp.solve(apsp.from_edges([0, 1], [1, 2], labels=[-3, 7, 9]), sources=a).distances,
        np.array([7, 2**64 - 3], np.uint64),
    ),
    "large columns": (
        lambda a: _of_graph(apsp.from_edges({"source": a, "target": [5, 2**64 - 1, 7]})),
        np.array([2**64 - 1, 2**63, 5], np.uint64),
    ),
    "from_edges names": (lambda a: _of_graph(apsp.from_edges([0, 1], [1, 2], labels=a)), np.array(["b", "a", "ccc"])),
    "from_edges zones": (
        lambda a: _of_graph(apsp.from_edges([0, 1], [1, 2], zones=a)), np.array([True, False, True])
    ),
    "from_edges coordinates": (
        lambda a: _of_graph(apsp.from_edges([0, 1], [1, 2], coordinates=a)), np.array([[0.5, 1], [2, 3], [4, 5]])
    ),
    "columns": (
        lambda a: _of_graph(apsp.from_edges({"u": a, "v": [1, 2, 3], "w": a}, source="u", target="v", weight="w")),
        VERTICES,
    ),
    "Graph indptr": (lambda a: _of_graph(apsp.Graph(a, [1, 2, 0])), np.array([0, 1, 2, 3])),
    "Graph indices": (lambda a: _of_graph(apsp.Graph([0, 1, 2, 3], a)), np.array([1, 2, 0])),
    "Graph weights": (lambda a: _of_graph(apsp.Graph([0, 1, 2, 3], [1, 2, 0], a)), np.array([4, 2, 7])),
    "with_weights": (lambda a: _of_graph(_graph().with_weights(a)), WEIGHTS),
    "with_costs": (lambda a: _of_graph(_graph().with_costs(toll=a)), WEIGHTS),
    "to_series": (lambda a: _graph().to_series(a).tolist(), np.array([1.5, 2, 3, 4, 5])),
    "from_dense": (lambda a: _of_graph(apsp.from_dense(a)), DENSE),
    "from_dense absent": (lambda a: _of_graph(apsp.from_dense(a, absent=0)), WHOLE),
    "from_dense undirected": (lambda a: _of_graph(apsp.from_dense(a, absent=0, directed=False)), WHOLE | WHOLE.T),
    "from_scipy data": (
        lambda a: _of_graph(apsp.from_scipy(_sparse(a, WEIGHTS[:3] % 5, np.array([0, 1, 2, 3, 3, 3])))),
        np.array([1.5, 2, 5]),
    ),
    "solve matrix": (lambda a: apsp.solve(a).distances, DENSE),
    "solve sources": (lambda a: apsp.solve(_graph(), sources=a).distances, VERTICES),
    "solve targets": (lambda a: apsp.solve(_graph(), targets=a, paths=True).distances, VERTICES),
    "stream sources": (lambda a: [block.distances.copy() for block in apsp.stream(_graph(), sources=a)], VERTICES),
    "solve_batch": (lambda a: apsp.solve_batch(a), BATCH),
    "solve_batch paths": (lambda a: tuple(apsp.solve_batch(a, paths=True)), BATCH),
    "solve_batch sizes": (lambda a: apsp.solve_batch(BATCH, sizes=a), np.array([3, 5, 0, 1])),
    "solve_batch whole": (lambda a: apsp.solve_batch(a), np.stack([WHOLE, WHOLE.T + 1])),
    "product a": (lambda a: apsp.product(a, DENSE), DENSE),
    "product b": (lambda a: apsp.product(DENSE, a, witness=True), DENSE),
    "accessibility weights": (
        lambda a: apsp.accessibility(_graph(), weights=a, cutoffs=[3, 9]).cube, np.array([1, 2, 3, 4, 5])
    ),
    "accessibility cutoffs": (
        lambda a: apsp.accessibility(_graph(), weights=np.ones(5), cutoffs=a).cube, np.array([1, 3, 7])
    ),
    "nearest facilities": (lambda a: apsp.nearest(_graph(), facilities=a).to_long(), VERTICES),
    "k_nearest sources": (lambda a: apsp.k_nearest(_graph(), 2, sources=a).to_long(), VERTICES),
    "isochrone sources": (lambda a: apsp.isochrone(_graph(), sources=a, cutoffs=5).to_long(), VERTICES),
    "isochrone cutoffs": (lambda a: apsp.isochrone(_graph(), sources=[0], cutoffs=a).to_long(), np.array([2, 5, 9])),
    "arc_flows demand": (lambda a: apsp.arc_flows(_graph(), a).arcs, DEMAND),
    "statistics quantiles": (
        lambda a: apsp.distance_statistics(_graph(), quantiles=a).quantiles, np.array([0.5, 0.25, 1])
    ),
    "histogram edges": (lambda a: apsp.distance_histogram(_graph(), edges=a).counts, np.array([0, 2, 5, 20])),
    "closeness vertices": (lambda a: apsp.closeness_centrality(_graph(), vertices=a), VERTICES),
    "eccentricity sources": (lambda a: apsp.eccentricity(_graph(), sources=a), VERTICES),
    "betweenness sources": (lambda a: apsp.betweenness_centrality(_graph(), sources=a), VERTICES),
    "skim along": (lambda a: _skims(apsp.skim(_graph(), {"toll": a})), WEIGHTS),
    "skim zones": (lambda a: _skims(apsp.skim(_graph(), {"toll": WEIGHTS}, zones=a)), VERTICES),
    "skim targets": (lambda a: _skims(apsp.skim(_graph(), {"toll": WEIGHTS}, targets=a)), VERTICES),
    "oracle distances": (lambda a: apsp.prepare(_graph()).distances(a, [1, 2, 4]), VERTICES),
    "oracle matrix": (lambda a: apsp.prepare(_graph()).matrix(a, a), VERTICES),
    "oracle paths": (lambda a: apsp.prepare(_graph()).paths(a, [1, 2, 4]).to_long(), VERTICES),
    "oracle update": (_updated, WEIGHTS),
    "result paths": (lambda a: [list(path) for path in _result().paths(a, [1, 2, 4])], VERTICES),
    "csgraph shortest_path": (lambda a: csgraph.shortest_path(a), COMPLETE),
    "csgraph floyd_warshall": (lambda a: csgraph.floyd_warshall(a), COMPLETE),
    "csgraph dijkstra indices": (lambda a: csgraph.dijkstra(_graph().to_scipy(), indices=a), VERTICES),
}  # fmt: skip


def outcome(function: Callable[[Any], Any], array: Any) -> Any:
    """What a call returns, or the class of the error of apsp that it raises."""
    try:
        return function(array)
    except apsp.ApspError as error:
        return type(error)


def difference(one: Any, other: Any) -> bool:
    """Whether two outcomes differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() != other.keys() or any(difference(one[key], other[key]) for key in one)
    if isinstance(one, tuple | list) and isinstance(other, tuple | list):
        return len(one) != len(other) or any(map(difference, one, other))
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        same_kind = one.shape == other.shape and one.dtype == other.dtype
        return not same_kind or not np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return type(one) is not type(other) or bool(one != other)


def cases(name: str, layout: str, dtype: Any) -> tuple[Callable[[Any], Any], Array, Any] | None:
    """The call, the plain array, and the one that lies otherwise; None where SciPy or a list is something else."""
    function, plain = ARGUMENTS[name]
    if plain.dtype.kind in "iuf":
        with np.errstate(all="ignore"):
            plain = plain.astype(dtype)
    if layout in ("nested lists", "objects"):
        other_dtype = plain.dtype != np.asarray(plain.tolist()).dtype
        if other_dtype or plain.dtype == bool or name.startswith(("from_scipy", "csgraph", "solve matrix")):
            return None
    if name.startswith("from_scipy") and plain.dtype == np.float16:
        return None
    return function, plain, LAYOUTS[layout](plain)


def fault(name: str, layout: str, dtype: Any) -> str | None:
    """The words for an outcome that depends on how the array lies; objects may be refused where numbers are due."""
    case = cases(name, layout, dtype)
    if case is None:
        return None
    function, plain, other = case
    expected, found = outcome(function, plain), outcome(function, other)
    if not difference(expected, found) or (layout == "objects" and isinstance(found, type)):
        return None
    return f"{name}, {np.dtype(dtype)}, {layout}: {found}, not {expected}"[:1500]


def run(rng: random.Random, counts: Counter[str]) -> str | None:
    """One argument in another layout and dtype; the words for a failure."""
    counts["layouts"] += 1
    return fault(rng.choice(list(ARGUMENTS)), rng.choice(list(LAYOUTS)), rng.choice(NARROW))
