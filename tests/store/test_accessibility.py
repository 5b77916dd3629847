"""Accessibility whose sums lie in a store, and that goes on where it was."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from stopping import StopError, stop_after
from stored import bands_of_measures, shards

zarr = pytest.importorskip("zarr")

DECAYING = {"decay": "exponential", "beta": 0.01}


@pytest.fixture(autouse=True)
def small_bands() -> Iterator[None]:
    with bands_of_measures(seconds=0, least_rows=16):
        yield


@pytest.fixture
def jobs(city: apsp.Graph) -> Any:
    return np.random.default_rng(5).integers(0, 90, (city.n, 2))


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", [pytest.param("int32", marks=pytest.mark.slow), "float64"])
@pytest.mark.parametrize("method", ["auto", "dijkstra", "elimination"])
@pytest.mark.parametrize("options", [{"cutoffs": [40, 150]}, DECAYING, {**DECAYING, "cutoffs": 90}])
def test_a_stopped_call_goes_on(
    dtype: str, method: Any, options: Any, city: apsp.Graph, jobs: Any, place: Path
) -> None:
    graph = city.with_weights((city.weights * 0.25).astype(dtype) + 1)
    with pytest.raises(StopError):
        apsp.accessibility(graph, jobs, store=place, method=method, progress=stop_after(60), **options)
    before = shards(place, "sums/c/*/0")
    assert 0 < len(before) < 13
    found = apsp.accessibility(graph, jobs, store=place, method=method, **options)
    assert before.items() <= shards(place, "sums/c/*/0").items()
    assert len(shards(place, "sums/c/*/0")) == 13
    alone = apsp.accessibility(graph, jobs, method=method, **options)
    assert np.array_equal(found.values, alone.values)
    assert found.to_dict().keys() == alone.to_dict().keys()
    assert np.array_equal(apsp.accessibility(graph, jobs, store=place, method=method, **options).values, found.values)


@pytest.mark.parametrize("direction", ["in", "out"])
def test_some_sources_with_labels(city: apsp.Graph, jobs: Any, place: Path, direction: Any) -> None:
    graph = apsp.Graph(city.indptr, city.indices, city.weights, labels=[f"v{k}" for k in range(city.n)])
    some = ["v9", "v3", "v150", "v9"]
    options = {"cutoffs": 100, "sources": some, "direction": direction}
    found = apsp.accessibility(graph, jobs, store=place, **options)
    assert np.array_equal(found.values, apsp.accessibility(graph, jobs, **options).values)
    assert found.sources.tolist() == some
    assert zarr.open_group(place, mode="r")["sums"].shape == (3, 2)


def test_other_requests(city: apsp.Graph, jobs: Any, place: Path) -> None:
    apsp.accessibility(city, jobs, cutoffs=[50, 80], store=place)
    for difference, wrong in {
        "other weights": {"weights": jobs + 1},
        r"cutoffs=\['50.0', '80.0'\], this call cutoffs=\['50.0', '90.0'\]": {"cutoffs": [50, 90]},
        "decay='none', this call decay='exponential'": DECAYING,
        "other sources": {"sources": [1, 2]},
    }.items():
        with pytest.raises(apsp.RequestError, match=difference):
            apsp.accessibility(city, **{"weights": jobs, "cutoffs": [50, 80], **wrong}, store=place)
    with pytest.raises(apsp.RequestError, match="holds parts of accessibility"):
        apsp.closeness_centrality(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of accessibility, not of distances"):
        apsp.load(place)
    with pytest.raises(apsp.RequestError, match="leave out store, or competition"):
        apsp.accessibility(city, jobs, cutoffs=50, competition=jobs[:, 0], store=place.with_name("other"))
    with pytest.raises(apsp.RequestError, match="leave out pages_file, or store"):
        apsp.accessibility(city, jobs, cutoffs=50, store=place, pages_file="pages")


@pytest.mark.parametrize("n", [0, 1, 3])
def test_few_vertices(n: int, place: Path) -> None:
    graph = apsp.from_edges([], [], n=n)
    found = apsp.accessibility(graph, np.arange(n), cutoffs=2, store=place)
    assert found.values.tolist() == list(range(n))


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_workers_write_it_and_one_is_killed(city: apsp.Graph, jobs: Any, place: Path) -> None:
    killed: list[int] = []

    def kill(stage: str, done: int, total: int) -> None:
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    options: Any = {"cutoffs": [60, 120], "executor": "processes", "threads": 1}
    found = apsp.accessibility(city, jobs, store=place, progress=kill, **options)
    assert killed
    alone = apsp.accessibility(city, jobs, cutoffs=[60, 120])
    assert np.array_equal(found.values, alone.values)
    assert not list(place.rglob(".claims"))
    before = shards(place, "sums/c/*/0")
    assert len(before) > 4
    (place / next(iter(before))).unlink()
    again = apsp.accessibility(city, jobs, store=place, **options)
    assert np.array_equal(again.values, alone.values)
    assert len(shards(place, "sums/c/*/0").items() - before.items()) == 1


def test_the_amounts_travel_once(city: apsp.Graph) -> None:
    """With the graph, not with every task."""
    import pickle
    from concurrent.futures import Executor, Future

    class Weighing(Executor):
        """Runs tasks at once, and measures them."""

        num_workers, most = 2, 0

        def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
            """Run it."""
            self.most = max(self.most, len(pickle.dumps(arguments)))
            future: Future[Any] = Future()
            future.set_result(function(*arguments))
            return future

    executor = Weighing()
    amounts = np.random.default_rng(1).random((city.n, 20))
    found = apsp.accessibility(city, amounts, cutoffs=100, executor=executor)
    assert np.allclose(found.values, apsp.accessibility(city, amounts, cutoffs=100).values, rtol=1e-14)
    assert executor.most < 5000 < amounts.nbytes
