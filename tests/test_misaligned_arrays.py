"""Arrays whose numbers lie at odd addresses, as in records of a file: every function gives the same results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import csgraph

pytestmark = pytest.mark.contract

N = 40
RNG = np.random.default_rng(5)
TAILS, HEADS = RNG.integers(0, N, (2, 4 * N))
LENGTHS = RNG.integers(1, 90, 4 * N).astype(float)
DENSE = np.where(RNG.random((N, N)) < 0.3, RNG.integers(1, 90, (N, N)), np.inf)
SQUARES = RNG.integers(1, 90, (5, 7, 7)).astype(float)
PLACES = RNG.random((N, 2))
Array = np.ndarray[Any, Any]


def misaligned(array: Array) -> Array:
    """Return an equal array that begins one byte after a multiple of 64."""
    array = np.ascontiguousarray(array)
    room = np.empty(array.nbytes + 128, np.uint8)
    first = -room.ctypes.data % 64 + 1
    odd = room[first : first + array.nbytes].view(array.dtype).reshape(array.shape)
    odd[...] = array
    assert not odd.flags.aligned
    return odd


def graph() -> apsp.Graph:
    return apsp.from_edges(TAILS, HEADS, LENGTHS, n=N, coordinates=PLACES)


def csr(change: Callable[[Array], Array]) -> apsp.Graph:
    known = graph()
    return apsp.Graph(*(change(array) for array in (known.indptr, known.indices, known.weights)))


def updated(change: Callable[[Array], Array]) -> Array:
    oracle = apsp.prepare(graph())
    oracle.update(change(graph().weights * 3))
    return oracle.distances(np.arange(20), np.arange(20, 40))


CALLS: dict[str, Callable[[Callable[[Array], Array]], Any]] = {
    "from_edges": lambda f: apsp.solve(apsp.from_edges(f(TAILS), f(HEADS), f(LENGTHS), n=N)).distances,
    "from_edges, integers": lambda f: (
        apsp.solve(apsp.from_edges(f(TAILS.astype("i4")), f(HEADS), f(LENGTHS.astype("i4")), n=N)).distances
    ),
    "from_dense": lambda f: apsp.solve(apsp.from_dense(f(DENSE)), paths=True).distances,
    "from_dense, float32": lambda f: apsp.solve(apsp.from_dense(f(DENSE.astype("f4")))).distances,
    "Graph": lambda f: apsp.solve(csr(f)).distances,
    "costs": lambda f: (
        apsp.solve(apsp.from_edges(f(TAILS), f(HEADS), n=N, costs={"km": f(LENGTHS)}).with_weights("km")).distances
    ),
    "sources, targets": lambda f: apsp.solve(graph(), sources=f(np.arange(9)), targets=f(np.arange(7))).distances,
    "with_weights": lambda f: apsp.solve(graph().with_weights(f(graph().weights * 2))).distances,
    "pairs": lambda f: apsp.prepare(graph()).distances(f(np.arange(20)), f(np.arange(20, 40))),
    "update": updated,
    "product": lambda f: apsp.product(f(DENSE), f(DENSE)),
    "products": lambda f: apsp.product(f(SQUARES), f(SQUARES)),
    "solve_batch": lambda f: apsp.solve_batch(f(SQUARES)),
    "arc_flows": lambda f: apsp.arc_flows(graph(), f(np.ones((N, N)))).arcs,
    "accessibility": lambda f: (
        apsp.accessibility(graph(), weights=f(LENGTHS[:N]), cutoffs=f(np.array([50.0, 99.0]))).values
    ),
    "nearest": lambda f: apsp.nearest(graph(), f(np.arange(5))).distances,
    "csgraph": lambda f: csgraph.shortest_path(f(np.where(np.isinf(DENSE), 0, DENSE))),
    "csgraph, one source": lambda f: csgraph.dijkstra(f(np.where(np.isinf(DENSE), 0, DENSE)), indices=f(np.arange(3))),
    "reachable": lambda f: apsp.reachable(csr(f)).bits,
}


@pytest.mark.parametrize("call", CALLS)
def test_as_aligned(call: str) -> None:
    np.testing.assert_array_equal(CALLS[call](misaligned), CALLS[call](np.ascontiguousarray))


def test_out_is_refused() -> None:
    with pytest.raises(apsp.RequestError, match="aligned"):
        apsp.solve(graph(), out=misaligned(np.zeros((N, N))))
