"""Whether a store is of this graph and request; what differs, otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.equality import same_arcs
from apsp.graph.model import Graph
from apsp.store.header import StoreHeader, StoreInput

__all__ = ["refuse_other"]


def refuse_other(
    name: str, header: StoreHeader, stored: StoreInput, wanted: StoreInput, request: dict[str, Any]
) -> None:
    """Raise an error if a store is not of this graph and request.

    Parameters
    ----------
    name : str
        Of the store, for the message.
    request : dict
        kind, cutoff, dtype, paths, reciprocals, measure, method, device and threads of the call; 'auto' and None stand
        for those of the store.

    Raises
    ------
    RequestError
        With all that differs.
    """
    measure = request.get("measure", {})
    if header.kind != request["kind"] or header.measure.get("name") != measure.get("name"):
        holds = {"distances": "distances", "sums": "sums of distances, for measures"}
        holds["measure"] = f"parts of {header.measure.get('name')}"
        raise RequestError(f"the store {name} holds {holds[header.kind]}: name another store")
    found = [*_graphs(stored.graph, wanted.graph), *_vertices(stored, wanted), *_options(header, request)]
    if found:
        raise RequestError(
            f"the store {name} is of another request: {'; '.join(found)}. Name another store, or remove this one"
        )


def _graphs(stored: Graph, wanted: Graph) -> Iterator[str]:
    if (stored.n, stored.m) != (wanted.n, wanted.m):
        yield f"its graph has {_size(stored)}, this one {_size(wanted)}"
        return
    if stored.directed != wanted.directed:
        yield "its graph is directed, this one is not" if stored.directed else "its graph is undirected"
    if stored.is_weighted != wanted.is_weighted:
        yield "its arcs have weights, these have none" if stored.is_weighted else "its arcs have no weights"
    if not same_arcs(stored, wanted):
        yield "its graph has other arcs"
    elif stored.is_weighted and wanted.is_weighted:
        yield from _weights(stored, wanted)
    if not _equal_zones(stored, wanted):
        yield "its graph has other zones"
    if stored.labels != wanted.labels:
        yield "its vertices have other labels"
    if stored.links != wanted.links:
        yield "its graph has other links"
    if not _equal_turns(stored, wanted):
        yield "its graph has other turns"


def _equal_turns(stored: Graph, wanted: Graph) -> bool:
    """Whether the arcs are of the same links; whether they are equally long is known."""
    if stored._turned is None or wanted._turned is None:
        return stored._turned is wanted._turned
    return np.array_equal(stored._turned.links, wanted._turned.links)


def _equal_zones(stored: Graph, wanted: Graph) -> bool:
    if stored.zones is None or wanted.zones is None:
        return stored.has_zones == wanted.has_zones
    return np.array_equal(stored.zones, wanted.zones)


def _size(graph: Graph) -> str:
    return f"{graph.n:,} vertices and {graph.m:,} arcs"


def _weights(stored: Graph, wanted: Graph) -> Iterator[str]:
    if stored.weights is None or wanted.weights is None or np.array_equal(stored.weights, wanted.weights):
        return
    arc = int(np.flatnonzero(stored.weights != wanted.weights)[0])
    tail = int(np.searchsorted(stored.indptr, arc, side="right")) - 1
    place = f"from {wanted.word(tail)} to {wanted.word(int(wanted.indices[arc]))}"
    yield f"its arc {place} has the weight {stored.weights[arc]}, this one {wanted.weights[arc]}"


def _vertices(stored: StoreInput, wanted: StoreInput) -> Iterator[str]:
    for word in ("sources", "targets"):
        mine, theirs = getattr(stored, word), getattr(wanted, word)
        if not _equal(mine, theirs, stored.graph.n):
            yield f"it has other {word}"


def _equal(mine: npt.NDArray[np.int32] | None, theirs: npt.NDArray[np.int32] | None, n: int) -> bool:
    everything = np.arange(n, dtype=np.int32)
    return np.array_equal(everything if mine is None else mine, everything if theirs is None else theirs)


def _of_measure(name: str, mine: Any, given: Any) -> str:
    """What differs; long values are not shown."""
    if mine is None:
        return f"it has no {name}"
    texts = [repr(value) for value in (mine, given)]
    if max(map(len, texts)) > 60:
        return f"it has other {name}"
    return f"it has {name}={texts[0]}, this call {name}={texts[1]}"


def _options(header: StoreHeader, request: dict[str, Any]) -> Iterator[str]:
    stored: dict[str, Any] = {"paths": header.paths, "cutoff": header.cutoff, "dtype": header.dtype}
    if header.pinned:
        from apsp import __version__

        if header.apsp != __version__:
            yield f"it was begun by apsp {header.apsp}, on which its bits depend, and this is {__version__}"
        stored |= {"method": header.method, "device": header.device, "threads": header.threads}
    if request["reciprocals"] and not header.reciprocals:
        yield "it has no sums of 1 / distance"
    if "periods" in header.measure and "periods" not in request.get("measure", {}):
        yield "it has periods"
    if "scales" in header.measure and "scales" not in request.get("measure", {}):
        yield f"it has scales={header.measure['scales']}"
    for name, given in request.get("measure", {}).items():
        if header.measure.get(name) != given:
            yield _of_measure(name, header.measure.get(name), given)
    for name, mine in stored.items():
        given = request[name]
        if given != mine and not (given in ("auto", None) and name not in ("cutoff", "paths")):
            why = ", on which its bits depend" if name in ("method", "device", "threads") else ""
            yield f"it has {name}={mine!r}{why}, this call {name}={given!r}"
