"""Queries of an oracle beside `update`: each has the old weights or the new ones, from its beginning to its end."""

from __future__ import annotations

import gc
import pickle
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp import MemoryLimitError, Oracle
from apsp.api.oracle import snapshot
from apsp.api.oracle.snapshot import Snapshot
from apsp.gpu.emulated.run import carried
from apsp.methods.elimination import oracle_on_gpu as on_gpu
from apsp.system.array_device import to_host
from emulation import emulated_gpus

N = 120


@pytest.fixture(params=["cpu", "emulated", pytest.param("cuda", marks=pytest.mark.gpu)])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The device of an oracle; GPUs compute few pairs, too."""
    monkeypatch.setattr(on_gpu, "_PAIRS_FROM", 1)
    if request.param == "cuda":
        request.getfixturevalue("cupy")
        yield "cuda"
    elif request.param == "emulated":
        with emulated_gpus(monkeypatch):
            yield "cuda"
    else:
        yield "cpu"


@pytest.fixture(scope="module")
def graphs() -> list[apsp.Graph]:
    """The same arcs with two kinds of weights, of different dtypes, whose distances and paths differ."""
    tails, heads, weights = apsp.generate("city", N, seed=3, weights=(1, 100)).to_edges()
    first = apsp.from_edges(tails, heads, weights, n=N)
    return [first, first.with_weights(np.random.default_rng(1).integers(1000, 100_000, first.m))]


SOURCES, TARGETS = [3, 50, 3, 119, 7], [100, 3, 9, 0, 7]
Query = Callable[[Oracle], Any]


def plain(array: Any) -> list[Any]:
    found: list[Any] = to_host(array).tolist()
    return found


def paths_of(found: apsp.result.many_paths.ManyPaths) -> list[Any]:
    return [list(found), found.distances.tolist()]


def statistics_of(oracle: Oracle) -> list[Any]:
    """Sums and quantiles, which need several passes."""
    groups = np.arange(N) % 3
    found = oracle.summary(rows=30, measures="distance_statistics", groups=groups, quantiles=[0.1, 0.5])
    statistics = found.distance_statistics()
    return [statistics.mean.tolist(), statistics.quantiles.tolist()]


def copied(oracle: Oracle) -> list[Any]:
    copy = pickle.loads(pickle.dumps(oracle))
    return [copy.rows([3]).tolist(), copy.graph.weights.tolist()]


def saved(oracle: Oracle, folder: Path) -> list[Any]:
    oracle.save(folder / "oracle.npz")
    copy = Oracle.load(folder / "oracle.npz")
    return [copy.rows([3]).tolist(), copy.graph.weights.tolist()]


QUERIES: dict[str, Query] = {
    "distance": lambda oracle: oracle.distance(3, 100),
    "distances": lambda oracle: oracle.distances(SOURCES, TARGETS).tolist(),
    "rows": lambda oracle: plain(oracle.rows([5, 9])),
    "matrix": lambda oracle: plain(oracle.matrix(SOURCES, TARGETS)),
    "path": lambda oracle: oracle.path(3, 100),
    "paths": lambda oracle: paths_of(oracle.paths(SOURCES, TARGETS)),
    "stream": lambda oracle: [plain(block.distances) for block in oracle.stream(rows=25)],
    "stream_paths": lambda oracle: [paths_of(block) for block in oracle.stream_paths(SOURCES, TARGETS, pairs=2)],
    "summary": lambda oracle: [found := oracle.summary(rows=30), found.eccentricity.tolist(), found.diameter][1:],
    "histogram": lambda oracle: oracle.summary(rows=30, bins=8).histogram().counts.tolist(),
    "statistics": statistics_of,
    "graph": lambda oracle: oracle.graph.weights.tolist(),
    "dtype": lambda oracle: oracle.dtype.name,
    "nbytes": lambda oracle: oracle.nbytes,
    "copied": copied,
    "repr": repr,
    "html": lambda oracle: oracle._repr_html_(),
}


class Unsteady(Oracle):
    """An oracle whose weights are replaced whenever a call has looked at them."""

    def __init__(self, first: Oracle, second: Oracle) -> None:
        self._all, self._requested = [first._now, second._now], "auto"

    @property  # type: ignore[override]
    def _now(self) -> Snapshot:
        self._all.reverse()
        return self._all[1]


def test_every_public_name_is_a_query_or_does_not_read_weights() -> None:
    public = {name for name in dir(Oracle) if not name.startswith("_")}
    assert public - set(QUERIES) == {"explore", "load", "order", "save", "turned", "update"}


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_looks_at_the_weights_once(graphs: list[apsp.Graph], device: str, query: str) -> None:
    oracles = [apsp.prepare(graph, device=device) for graph in graphs]
    expected = [QUERIES[query](oracle) for oracle in oracles]
    assert expected[0] != expected[1] or query == "html"
    unsteady = Unsteady(*oracles)
    assert [QUERIES[query](unsteady) for _ in range(4)] == expected * 2


def test_saving_looks_at_the_weights_once(graphs: list[apsp.Graph], tmp_path: Path) -> None:
    oracles = [apsp.prepare(graph) for graph in graphs]
    expected = [saved(oracle, tmp_path) for oracle in oracles]
    unsteady = Unsteady(*oracles)
    assert [saved(unsteady, tmp_path) for _ in range(4)] == expected * 2


def test_a_map_looks_at_the_weights_once(tmp_path: Path) -> None:
    city = apsp.generate("city", N, seed=3)
    oracles = [apsp.prepare(city), apsp.prepare(city.with_weights(np.arange(1, city.m + 1)))]

    def explored(oracle: Oracle) -> bytes:
        oracle.explore(tmp_path / "map.html")
        return (tmp_path / "map.html").read_bytes()

    expected = [explored(oracle) for oracle in oracles]
    assert expected[0] != expected[1]
    unsteady = Unsteady(*oracles)
    assert [explored(unsteady) for _ in range(4)] == expected * 2


ITERATORS: dict[str, Callable[[Oracle], Iterator[Any]]] = {
    "stream": lambda oracle: (plain(block.distances) for block in oracle.stream(rows=25)),
    "stream, one array": lambda oracle: (plain(block.distances) for block in oracle.stream(rows=25, reuse=True)),
    "stream_paths": lambda oracle: (paths_of(block) for block in oracle.stream_paths(SOURCES, TARGETS, pairs=1)),
}


@pytest.mark.parametrize("name", ITERATORS)
def test_an_iterator_ends_with_the_weights_that_it_began_with(graphs: list[apsp.Graph], device: str, name: str) -> None:
    expected = [list(ITERATORS[name](apsp.prepare(graph, device=device))) for graph in graphs]
    oracle = apsp.prepare(graphs[0], device=device)
    not_begun, begun = ITERATORS[name](oracle), ITERATORS[name](oracle)
    found = [next(begun)]
    for count in range(1, len(expected[0])):
        oracle.update(graphs[count % 2].weights)
        found.append(next(begun))
    assert found == expected[0]
    oracle.update(graphs[1].weights)
    assert list(not_begun) == expected[0]
    assert list(ITERATORS[name](oracle)) == expected[1]


@pytest.mark.parametrize("query", ["distances", "rows", "matrix", "paths", "summary"])
def test_an_update_in_the_progress_of_a_query(graphs: list[apsp.Graph], device: str, query: str) -> None:
    oracle, calls = apsp.prepare(graphs[0], device=device), []

    def update(*_: Any) -> None:
        calls.append(len(calls))
        oracle.update(graphs[len(calls) % 2].weights)

    ways: dict[str, Callable[[Oracle, Any], Any]] = {
        "distances": lambda oracle, told: oracle.distances(SOURCES, TARGETS, progress=told).tolist(),
        "rows": lambda oracle, told: plain(oracle.rows(range(N), progress=told)),
        "matrix": lambda oracle, told: plain(oracle.matrix(SOURCES, TARGETS, progress=told)),
        "paths": lambda oracle, told: paths_of(oracle.paths(SOURCES, TARGETS, progress=told)),
        "summary": lambda oracle, told: oracle.summary(rows=30, bins=4, progress=told).histogram().counts.tolist(),
    }
    expected = ways[query](apsp.prepare(graphs[0], device=device), False)
    assert ways[query](oracle, update) == expected
    assert calls


def test_an_update_that_fails_leaves_the_old_weights(
    graphs: list[apsp.Graph], device: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    oracle = apsp.prepare(graphs[0], device=device)
    names = [name for name in QUERIES if name not in ("copied", "html")]
    expected = [QUERIES[name](oracle) for name in names]
    with pytest.raises(apsp.GraphError):
        oracle.update(graphs[1].weights[:-1])
    if device != "cpu":

        def full(*_: Any) -> None:
            raise MemoryLimitError("the factor on GPU 0", 2, 1, ["less"])

        with monkeypatch.context() as patch:
            patch.setattr(snapshot, "_on_gpu", full)
            with pytest.raises(MemoryLimitError):
                oracle.update(graphs[1].weights)
    with monkeypatch.context() as patch:
        patch.setattr("apsp.system.machine.usable", lambda machine: 0)
        with pytest.raises(MemoryLimitError, match=r"other weights, beside the old one.*after `del oracle`"):
            oracle.update(graphs[1].weights)
    assert [QUERIES[name](oracle) for name in names] == expected


@pytest.mark.slow
def test_the_old_values_are_freed_with_the_last_iterator(graphs: list[apsp.Graph], device: str) -> None:
    oracle = apsp.prepare(graphs[0], device=device)
    oracle.paths(SOURCES, TARGETS)
    blocks, old = oracle.stream(rows=25), weakref.ref(oracle._now)
    next(blocks)
    oracle.update(graphs[1].weights)
    gc.collect()
    assert old() is not None
    del blocks
    gc.collect()
    assert old() is None


@pytest.mark.few(2)
@pytest.mark.parametrize("update_threads", [1, 2])
def test_threads_that_query_while_others_update(graphs: list[apsp.Graph], device: str, update_threads: int) -> None:
    rounds = 40 if device == "cpu" else 6
    names = [name for name in QUERIES if name not in ("html", "repr", "nbytes", "dtype", "graph")]
    if device != "cpu":  # kernels that are emulated take long
        names = ["distances", "rows", "path", "paths", "stream", "stream_paths"]
    allowed = {name: [QUERIES[name](apsp.prepare(graph, device=device)) for graph in graphs] for name in names}
    oracle, errors = apsp.prepare(graphs[0], device=device), []
    left, done = [len(names)], threading.Event()

    def query(name: str) -> None:
        try:
            for _ in range(rounds):
                found = QUERIES[name](oracle)
                if found not in allowed[name]:
                    errors.append(f"{name}: a mixture of weights")
        except Exception as error:
            errors.append(f"{name}: {error!r}")
        finally:
            left[0] -= 1
            if not left[0]:
                done.set()

    def update() -> None:
        number = 0
        while not done.is_set():
            number += 1
            oracle.update(graphs[number % 2].weights)

    threads = [threading.Thread(target=carried(query), args=(name,)) for name in names]
    threads += [threading.Thread(target=carried(update)) for _ in range(update_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
