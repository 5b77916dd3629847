"""Stores of distances and of measures in many small bands: the same bits from every run, and what is there between."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

import apsp
from torture.children import ANSWERED, in_child
from torture.promise import WrongError

__all__ = [
    "CALLS", "Arrays", "digest", "files", "graph_of", "is_shard", "keeping", "left_behind", "resumed",
    "right_distances", "shards", "small_bands", "whole",
]  # fmt: skip

Arrays = tuple[np.ndarray, ...]

_CUTOFFS = [500, 1500]
_K = 9


@functools.cache
def graph_of(n: int) -> apsp.Graph:
    """A random graph."""
    rng = np.random.default_rng(n)
    return apsp.from_edges(rng.integers(0, n, 4 * n), rng.integers(0, n, 4 * n), rng.integers(1, 1000, 4 * n), n=n)


@functools.cache
def right_distances(n: int) -> np.ndarray:
    """Its distances."""
    result = apsp.solve(graph_of(n), method="dijkstra", dtype="int32")
    result.verify()
    return np.asarray(result.distances)


def _solve(graph: apsp.Graph, place: Path | None) -> Arrays:
    result = apsp.solve(graph, store=place, dtype="int32", paths=True)
    result.verify()
    return np.asarray(result.distances), np.asarray(result.predecessors)


def _harmonic(graph: apsp.Graph, place: Path | None) -> Arrays:
    return (apsp.harmonic_centrality(graph, direction="out", store=place),)


def _accessibility(graph: apsp.Graph, place: Path | None) -> Arrays:
    return (apsp.accessibility(graph, np.arange(graph.n), cutoffs=_CUTOFFS, store=place).values,)


def _nearest(graph: apsp.Graph, place: Path | None) -> Arrays:
    found = apsp.k_nearest(graph, _K, dtype="int32", store=place)
    return found.positions, found.distances


def _betweenness(graph: apsp.Graph, place: Path | None) -> Arrays:
    return (apsp.edge_betweenness_centrality(graph, store=place),)


def _flows(graph: apsp.Graph, place: Path | None) -> Arrays:
    demand = np.random.default_rng(1).random((graph.n, graph.n))
    found = apsp.arc_flows(graph, demand, store=place)
    return found.arcs, found.vertices, found.served, found.unserved


def _skim(graph: apsp.Graph, place: Path | None) -> Arrays:
    along = {"toll": np.arange(graph.m) % 3}
    found = apsp.skim(graph, along, intrazonal="half_nearest", store=place)
    return tuple(np.asarray(matrix) for matrix in found.values())


def _histogram(graph: apsp.Graph, place: Path | None) -> Arrays:
    found = apsp.distance_histogram(graph, bins=16, store=place)
    return found.counts, found.edges


def _statistics(graph: apsp.Graph, place: Path | None) -> Arrays:
    found = apsp.distance_statistics(graph, np.arange(graph.n) % 4, store=place)
    return found.pairs, found.total, found.smallest, found.largest


def _hyper_wiener(graph: apsp.Graph, place: Path | None) -> Arrays:
    ends = graph.tails(), graph.indices, graph.weights
    return (np.array([apsp.hyper_wiener_index(apsp.from_edges(*ends, n=graph.n, directed=False), store=place)]),)


CALLS: dict[str, Callable[[apsp.Graph, Path | None], Arrays]] = {
    "solve": _solve, "harmonic_centrality": _harmonic, "accessibility": _accessibility,
    "distance_histogram": _histogram, "distance_statistics": _statistics, "hyper_wiener_index": _hyper_wiener,
    "k_nearest": _nearest, "edge_betweenness_centrality": _betweenness, "arc_flows": _flows, "skim": _skim,
} if importlib.util.find_spec("zarr") is not None else {}  # fmt: skip


def _expected(name: str, graph: apsp.Graph) -> Arrays:
    """The values in another way: from all distances, or in one block; without predecessors, which are verified."""
    if name == "solve":
        return (right_distances(graph.n),)
    if name == "k_nearest":
        others = right_distances(graph.n).astype(np.int64)
        np.fill_diagonal(others, np.iinfo(np.int64).max)
        order = np.argsort(others, axis=1, kind="stable")[:, :_K]
        near = np.take_along_axis(others, order, axis=1)
        none = near >= apsp.unreachable("int32")
        return np.where(none, -1, order), np.where(none, apsp.unreachable("int32"), near)
    far = right_distances(graph.n).astype(np.float64)
    far[far == apsp.unreachable("int32")] = np.inf
    if name == "harmonic_centrality":
        near = np.zeros_like(far)
        np.divide(1, far, out=near, where=far > 0)
        return (near.sum(axis=1),)
    if name == "accessibility":
        return (np.stack([(far <= cutoff) @ np.arange(graph.n) for cutoff in _CUTOFFS], axis=1),)
    return CALLS[name](graph, None)


@contextlib.contextmanager
def small_bands() -> Iterator[None]:
    """Stores have bands of 16 rows."""
    from apsp.api.stored import solving
    from apsp.methods.flows import cost
    from apsp.running import in_store, measure_job

    with contextlib.ExitStack() as changes:
        for module, name in ((solving, "band_rows"), (measure_job, "band_rows"), (in_store, "rows_of_band")):
            changes.enter_context(mock.patch.object(module, name, return_value=16))
        of_blocks = {
            "_SECONDS": 0.0, "_TIMES_FACTOR": 0.0, "_BYTES_PER_SECOND": np.inf, "_MOST_BLOCKS": 1000, "LANES": 16,
        }  # fmt: skip
        changes.enter_context(mock.patch.multiple(cost, **of_blocks))
        yield


def shards(place: Path) -> dict[str, Path]:
    """The shards that are there, by key."""
    return {key: path for key, path in files(place).items() if is_shard(key)}


def is_shard(key: str) -> bool:
    """Whether this is the key of a shard of a band."""
    return "/c/" in key and not key.startswith("graph/")


def files(place: Path) -> dict[str, Path]:
    """All files that are there, by key, but for those of runs."""
    found = (path for path in place.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(place).as_posix(): path for path in found}


def _states(place: Path) -> dict[str, tuple[int, int]]:
    """What changes if a shard is written again."""
    states = {key: path.stat() for key, path in shards(place).items()}
    return {key: (state.st_ino, state.st_mtime_ns) for key, state in states.items()}


def left_behind(place: Path) -> list[str]:
    """What only a run that was killed may leave: files that are not complete, and claims."""
    return [path.name for path in place.rglob("*") if path.name.endswith(".part") or path.parent.name == ".claims"]


def keeping(call: Callable[[apsp.Graph, Path], Arrays]) -> Callable[[apsp.Graph, Path], Arrays]:
    """A call that goes on in a store, of which nothing that is there may be written again."""

    def run_it(graph: apsp.Graph, place: Path) -> Arrays:
        before = _states(place)
        with small_bands():
            found = call(graph, place)
        if not before.items() <= _states(place).items():
            raise WrongError("a shard that was there has been written again")
        if left_behind(place) or list(place.rglob(".claims")):
            raise WrongError(f"these were left in the store: {left_behind(place)}, or the folder of claims")
        return found

    return run_it


def resumed(name: str) -> Callable[[apsp.Graph, Path], str]:
    """A call that goes on in a store, as `keeping`; it returns a digest."""

    def run_it(graph: apsp.Graph, place: Path) -> str:
        return digest(keeping(CALLS[name])(graph, place))

    return run_it


def digest(arrays: Arrays) -> str:
    """Tells whether arrays are the same to the last bit."""
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


@functools.cache
def whole(name: str, n: int) -> tuple[str, dict[str, bytes]]:
    """The digest and the files of a run that nothing interrupts, whose values are right."""
    graph = graph_of(n)

    def work(place: Path) -> str:
        bits = resumed(name)(graph, place)
        for found, expected in zip(CALLS[name](graph, place), _expected(name, graph), strict=name != "solve"):
            if not np.allclose(found, expected, rtol=1e-10, atol=1e-10):
                raise WrongError(f"{name} with a store is wrong")
        return bits

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "out.zarr"
        right_distances(n)
        ended = in_child(lambda: work(place))
        if ended.code != ANSWERED:
            raise WrongError(f"{name} with a store ended with {ended.code}: {ended.words[-1500:]}")
        found: dict[str, Any] = {key: path.read_bytes() for key, path in files(place).items()}
    return ended.words, found
