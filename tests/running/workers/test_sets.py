"""Statistics of groups and per source with an executor: equal to those of NumPy on the whole matrix, and to those
without an executor to the last bit.
"""

from __future__ import annotations

import pickle
import random
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import MethodRefusedError, NegativeCycleError, RequestError
from apsp.measures import set_statistics
from examples import examples
from executors import AtOnce
from set_statistics import DTYPES, SHARES, check_statistics, random_graph, same_statistics


class InAnyOrder(AtOnce):
    """Tasks end in another order than that in which they were submitted."""

    def __init__(self, seed: int, workers: int) -> None:
        super().__init__()
        self.num_workers, self._random = workers, random.Random(seed)

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        done, later = super().submit(function, *arguments), Future()
        threading.Timer(self._random.random() / 200, lambda: later.set_result(done.result())).start()
        return later


class Counting(AtOnce):
    """Counts the bytes of what tasks return."""

    returned = 0

    def submit(self, function: Any, /, *arguments: Any) -> Future[Any]:
        found = super().submit(function, *arguments)
        self.returned += len(pickle.dumps(found.result()))
        return found


@settings(deadline=None, max_examples=examples(60))
@given(
    seed=st.integers(0, 10**6), dtype=st.sampled_from(DTYPES), directed=st.booleans(), per=st.booleans(),
    inwards=st.booleans(), some=st.booleans(), given_edges=st.booleans(), by_groups=st.booleans(),
)  # fmt: skip
def test_equals_numpy(seed, dtype, directed, per, inwards, some, given_edges, by_groups) -> None:
    graph = random_graph(seed, dtype, directed=directed)
    dist, n, rng = apsp.solve(graph, dtype=dtype).distances, graph.n, np.random.default_rng(seed + 1)
    of = rng.integers(-1, int(rng.integers(1, 5)), n)
    sources = rng.integers(0, n, 4) if some else None
    options: dict[str, Any] = {
        "groups": [None if group < 0 else int(group) for group in of], "per": "source" if per else "group",
        "quantiles": SHARES, "sources": sources, "direction": "in" if per and inwards else "out", "dtype": dtype,
        "edges": [0, 1, 8, 900, 1e5] if given_edges else None, "bins": 0 if given_edges else 8, "method": "dijkstra",
    }  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        if by_groups:
            patch.setattr(set_statistics, "_MOST_BYTES", 0)
        found = apsp.distance_statistics(graph, rows=3, executor=AtOnce(is_far=bool(seed % 2)), **options)
    check_statistics(found, dist.T if per and inwards else dist, of, sources, dtype)
    same_statistics(found, apsp.distance_statistics(graph, **options))


@pytest.mark.few(2)
@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("per", ["group", "source"])
def test_floats_have_the_same_bits_for_any_workers_and_order(workers: int, per: str) -> None:
    rng = np.random.default_rng(3)
    graph = apsp.from_edges(
        rng.integers(0, 70, 300), rng.integers(0, 70, 300), rng.random(300) * 10.0 ** rng.integers(-9, 9, 300)
    )
    groups = rng.integers(0, 3, graph.n).tolist()
    options: dict[str, Any] = {"per": per, "quantiles": SHARES, "bins": 32, "method": "dijkstra"}
    alone = apsp.distance_statistics(graph, groups, rows=11, **options)
    found = apsp.distance_statistics(graph, groups, executor=InAnyOrder(workers, workers), **options)
    same_statistics(found, alone)


def test_summary_with_groups() -> None:
    graph = apsp.generate("city", 300, seed=4)
    groups = [number % 4 if number % 5 else None for number in range(graph.n)]
    alone = apsp.summary(graph, groups=groups, quantiles=[0.5, 0.9], bins=64, columns=True)
    with ThreadPoolExecutor(3) as workers:
        found = apsp.summary(graph, groups=groups, quantiles=[0.5, 0.9], bins=64, columns=True, executor=workers)
    same_statistics(found.distance_statistics(), alone.distance_statistics())
    assert found.histogram() == alone.histogram()
    assert found.farthest_pair == alone.farthest_pair
    np.testing.assert_array_equal(found.farness("in"), alone.farness("in"))
    names = ["distance_statistics", "wiener_index"]
    found, alone = (apsp.summary(graph, measures=names, executor=each) for each in (AtOnce(), None))
    same_statistics(found["distance_statistics"], alone["distance_statistics"])
    assert found["wiener_index"] == alone["wiener_index"]


def test_a_second_pass_of_a_summary() -> None:
    """Distances of a wider range than the bins; the summary is merged once."""
    graph = apsp.generate("random", 120, m=500, weights=(1, 10**6), seed=2)
    groups, told = [number % 3 for number in range(graph.n)], []
    found = apsp.summary(
        graph, groups=groups, quantiles=0.5, executor=AtOnce(), progress=lambda *each: told.append(each[1:])
    )
    alone = apsp.summary(graph, groups=groups, quantiles=0.5)
    same_statistics(found.distance_statistics(), alone.distance_statistics())
    assert found.diameter == alone.diameter
    assert told.count((120, 120)) > 1


@pytest.mark.slow
def test_processes_and_labels() -> None:
    names = [f"v{number}" for number in range(80)]
    rng = np.random.default_rng(5)
    graph = apsp.from_edges(
        rng.integers(0, 80, 300), rng.integers(0, 80, 300), rng.integers(1, 9, 300), n=80, labels=names
    )
    groups = [lambda: None, lambda: 1]  # names that cannot be pickled
    of = {name: groups[number % 2] for number, name in enumerate(names[:70])}
    for options in ({"per": "source", "sources": ["v3", "v9", "v3"], "cutoff": 9}, {"per": "group", "cutoff": 12.5}):
        alone = apsp.distance_statistics(graph, of, quantiles=0.5, **options)
        found = apsp.distance_statistics(graph, of, quantiles=0.5, executor="processes", threads=1, **options)
        same_statistics(found, alone)


def test_sums_beyond_int64_of_several_tasks() -> None:
    n = 30
    graph = apsp.from_edges(range(n - 1), range(1, n), [2**53] * (n - 1), directed=False)
    found = apsp.distance_statistics(graph, rows=2, executor=AtOnce())
    assert found.total.item() == 2**53 * sum(abs(i - j) for i in range(n) for j in range(n)) > 2**63


@pytest.mark.slow
def test_tasks_of_few_groups_return_few_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = apsp.generate("random", 400, m=1600, weights=(1, 50), seed=3)
    groups = [number % 20 for number in range(graph.n)]
    bytes_of = {}
    for most in (1 << 40, 0):
        monkeypatch.setattr(set_statistics, "_MOST_BYTES", most)
        engine = Counting()
        found = apsp.distance_statistics(graph, groups, quantiles=0.5, executor=engine)
        same_statistics(found, apsp.distance_statistics(graph, groups, quantiles=0.5))
        bytes_of[most] = engine.returned
    assert bytes_of[0] < bytes_of[1 << 40] / 3


def test_without_sources() -> None:
    for graph in (apsp.from_edges([], [], n=0), apsp.from_edges([0], [1], [0.5])):
        for per in ("group", "source"):
            groups = [None] * graph.n
            found = apsp.distance_statistics(graph, groups, per=per, quantiles=0.5, bins=2, executor=AtOnce())
            same_statistics(found, apsp.distance_statistics(graph, groups, per=per, quantiles=0.5, bins=2))


def test_errors_of_workers() -> None:
    cycle = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, -5, 2], labels=["a", "b", "c"])
    with pytest.raises(NegativeCycleError) as caught:
        apsp.distance_statistics(cycle, per="source", direction="in", executor=AtOnce())
    start = caught.value.cycle.index("a")
    assert caught.value.cycle[start:] + caught.value.cycle[:start] == ["a", "b", "c"]
    graph = apsp.from_edges([0, 1], [1, 2], [4, 3])
    with pytest.raises(MethodRefusedError):
        apsp.distance_statistics(graph, method="bit-bfs", executor=AtOnce())
    with pytest.raises(RequestError, match="bins or edges"):
        apsp.distance_statistics(graph, bins=4, edges=[1, 2], executor=AtOnce())
    with pytest.raises(RequestError, match="executor must be 'processes'"):
        apsp.distance_statistics(graph, executor=3)
    with pytest.raises(RequestError, match="leave out pages_file"):
        apsp.distance_statistics(graph, pages_file="pages", executor=AtOnce())
