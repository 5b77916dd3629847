"""Betweenness and flows of arcs by workers: the same bits for any number of them, also if one is lost."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import _cpu
from apsp.methods.flows import cost as costs
from apsp.methods.flows.cost import FlowWork
from apsp.methods.flows.flows import Demand
from apsp.planning.sources import cost_of
from apsp.running.workers.tasks import Tasks
from examples import examples

MEASURES = [apsp.betweenness_centrality, apsp.edge_betweenness_centrality]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 16 sources."""
    real = Tasks.plan

    def plan(tasks: Tasks, *arguments: Any, **options: Any) -> Any:
        return replace(real(tasks, *arguments, **options), block_rows=16)

    monkeypatch.setattr(Tasks, "plan", plan)


@pytest.fixture
def city() -> apsp.Graph:
    return apsp.generate("city", 300, seed=2)


def graph_of(city: apsp.Graph, kind: str) -> apsp.Graph:
    return city.unweighted() if kind == "hops" else city.with_weights((city.weights * 0.5).astype(kind) + 1)


class Counting(Executor):
    """Runs every task when it is submitted, in this thread, from pickled arguments, and measures these."""

    num_workers, most, tasks = 3, 0, 0

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        """Run it."""
        data = pickle.dumps(arguments)
        self.most, self.tasks = max(self.most, len(data)), self.tasks + 1
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(function(*pickle.loads(data)))))
        return future


@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("some", [False, True])
def test_betweenness(kind: str, measure: Any, some: bool, city: apsp.Graph) -> None:
    graph = graph_of(city, kind)
    options = {"sources": range(250, 0, -1), "targets": [3, 90, 17, 3], "cutoff": 100} if some else {}
    found = []
    for workers in (1, 2, 5):
        with ThreadPoolExecutor(workers) as engine:
            found.append(measure(graph, executor=engine, **options))
    assert all(np.array_equal(found[0], each) for each in found[1:])  # to the last bit
    np.testing.assert_allclose(found[0], measure(graph, **options), rtol=1e-12, atol=1e-15)


@given(
    n=st.integers(1, 60), degree=st.integers(0, 4), seed=st.integers(0, 99), ties=st.sampled_from(["split", "first"]),
    kind=st.sampled_from(["hops", "int64", "float64"]), dense=st.booleans(), directed=st.booleans(),
)  # fmt: skip
@settings(max_examples=examples(40), deadline=None)
def test_arc_flows(n: int, degree: int, seed: int, ties: Any, kind: str, dense: bool, directed: bool) -> None:
    rng = np.random.default_rng(seed)
    tails, heads = rng.integers(0, n, (2, n * degree))
    weights = None if kind == "hops" else rng.integers(1, 9, n * degree).astype(kind)
    graph = apsp.from_edges(tails, heads, weights, n=n, directed=directed)
    demand = rng.integers(0, 9, (n, n)).astype(float)
    if not dense:
        demand *= rng.random((n, n)) < 0.1
    alone = apsp.arc_flows(graph, demand, ties=ties)
    found = apsp.arc_flows(graph, demand, ties=ties, executor=Counting())
    if ties == "first":  # sums of whole numbers
        assert found == alone
    for name in ("arcs", "vertices", "served", "unserved"):
        np.testing.assert_allclose(getattr(found, name), getattr(alone, name), rtol=1e-12, atol=1e-12)


def test_whole_numbers_are_exact() -> None:
    """Of a tree: every pair has one path."""
    n = 400
    rng = np.random.default_rng(4)
    parents = [int(rng.integers(0, k)) for k in range(1, n)]
    for weights in (None, rng.integers(1, 50, n - 1)):
        tree = apsp.from_edges(parents, range(1, n), weights, directed=False)
        for measure in MEASURES:
            alone = measure(tree, normalized=False)
            assert np.array_equal(alone * 2, np.round(alone * 2))
            assert np.array_equal(measure(tree, normalized=False, executor=Counting()), alone)


def test_networkx(city: apsp.Graph) -> None:
    networkx = pytest.importorskip("networkx")
    found = apsp.betweenness_centrality(city, endpoints=True, executor=Counting())
    expected = networkx.betweenness_centrality(city.to_networkx(), weight="weight", endpoints=True)
    assert np.allclose(found, list(expected.values()), rtol=1e-12)


@pytest.mark.parametrize("dense", [False, True])
def test_the_demand_travels_once(dense: bool, city: apsp.Graph) -> None:
    rng = np.random.default_rng(1)
    demand = rng.random((city.n, city.n)) if dense else np.diag(rng.random(city.n))[::-1]
    engine = Counting()
    found = apsp.arc_flows(city, demand, executor=engine)
    assert engine.tasks == 1 + 19
    assert engine.most < 4000 < demand.nbytes
    alone = apsp.arc_flows(city, demand)
    np.testing.assert_allclose(found.arcs, alone.arcs, rtol=1e-12)
    np.testing.assert_allclose(found.unserved, alone.unserved, rtol=1e-12)
    assert found.info["method"] == alone.info["method"]
    assert found.info["threads"] == 1


@pytest.mark.parametrize("by", ["to", "rows", "common"])
def test_parts_of_a_demand(by: str) -> None:
    sources = np.array([3, 1, 4, 0], np.int32)
    starts = np.array([0, 2, 2, 5, 6], np.int64)
    whole = {
        "to": Demand(sources, np.arange(5.0)),
        "rows": Demand(sources, None, starts, np.array([0, 1, 0, 2, 3, 4], np.int32), np.arange(6.0)),
        "common": Demand(
            sources, None, np.arange(5, dtype=np.int64) * 2, None, np.arange(8.0), common=np.array([2, 3], np.int32)
        ),
    }[by]
    for cut in range(5):
        parts = [whole.part(0, cut), whole.part(cut, 4)]
        assert np.concatenate([part.sources for part in parts]).tolist() == sources.tolist()
        for part in parts:
            if by != "to":
                assert part.start is not None
                assert part.values is not None
                assert part.start[0] == 0
                assert part.start[-1] == len(part.values)
                assert (part.targets is None) == (by == "common")
        if by != "to":
            assert np.concatenate([part.values for part in parts]).tolist() == whole.values.tolist()
            filled = [part.with_targets().targets for part in parts if len(part.sources)]
            assert np.concatenate(filled).tolist() == whole.with_targets().targets.tolist()


def test_blocks_do_not_depend_on_threads() -> None:
    graph = apsp.generate("city", 3000, seed=1)
    work = FlowWork(graph, 10**6, None, split=True)
    plans = [cost_of("flows", work, device="cpu", threads=threads) for threads in (1, 2, 7)]
    assert len({(plan.method, plan.block_rows) for plan in plans}) == 1
    assert plans[0].method == "elimination"
    assert 10**6 / 256 <= plans[0].block_rows < 10**6
    assert plans[0].seconds > plans[2].seconds
    assert set(plans[0].preparation) == {"order", "first", "parent", "row_start", "rows", "panel_start"}
    hops = cost_of("flows", work._replace(graph=graph.unweighted()), device="cpu", threads=1)
    assert hops.method == "searches"
    assert not hops.preparation


def test_blocks_of_large_sums_are_longer() -> None:
    def block(graph: apsp.Graph, count: int) -> tuple[int, float]:
        cost = cost_of("flows", FlowWork(graph.unweighted(), count, None, split=True), device="cpu", threads=1)
        return cost.block_rows, cost.block_rows * cost.seconds_row

    small, large = apsp.generate("rmat", 4096, seed=1), apsp.generate("random", 20_000, m=4_000_000, seed=1)
    seconds = costs.bytes_of_sums(large) / 4e6
    assert seconds > 6
    assert block(small, 10**6)[1] == pytest.approx(2, rel=0.1)
    assert block(large, 10**5)[1] == pytest.approx(seconds, rel=0.5)  # whole batches of sources
    assert block(small, 10**9)[0] >= 10**9 / 256
    assert block(small, 100)[0] == 100


def test_the_order_is_computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = _cpu.elimination_tree, []

    def counted(*arcs: Any, **options: Any) -> Any:
        calls.append(1)
        return real(*arcs, **options)

    monkeypatch.setattr(_cpu, "elimination_tree", counted)
    graph = apsp.generate("city", 3000, seed=1)
    with ThreadPoolExecutor(3) as engine:
        found = apsp.betweenness_centrality(graph, sources=range(1600), executor=engine)
    assert len(calls) == 1
    assert np.allclose(found, apsp.betweenness_centrality(graph, sources=range(1600)), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kind", ["hops", "int32"])
def test_emulated_gpus(kind: str, city: apsp.Graph) -> None:
    graph = graph_of(city, kind)
    options: Any = {"sources": range(40), "device": "emulated"}
    found = apsp.betweenness_centrality(graph, executor=Counting(), **options)
    assert np.allclose(found, apsp.betweenness_centrality(graph, sources=range(40)), rtol=1e-10, atol=1e-15)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_few_vertices(n: int) -> None:
    graph = apsp.from_edges([], [], n=n)
    assert np.array_equal(apsp.betweenness_centrality(graph, executor=Counting()), np.zeros(n))
    assert np.array_equal(apsp.edge_betweenness_centrality(graph, executor=Counting()), np.zeros(0))
    assert apsp.arc_flows(graph, np.ones((n, n)), executor=Counting()) == apsp.arc_flows(graph, np.ones((n, n)))


def test_errors(city: apsp.Graph) -> None:
    with pytest.raises(apsp.NegativeCycleError):
        apsp.betweenness_centrality(apsp.from_edges([0, 1], [1, 0], [1, -2]), executor=Counting())
    with pytest.raises(apsp.RequestError, match="length zero"):
        apsp.betweenness_centrality(apsp.from_edges([0, 1, 2], [1, 2, 0], [0, 0, 0]), executor=Counting())
    with pytest.raises(apsp.RequestError, match="executor must be 'processes'"):
        apsp.betweenness_centrality(city, executor=3)
    with pytest.raises(apsp.RequestError, match="no such device"):
        apsp.betweenness_centrality(city, executor=Counting(), device="no such device")


def killing(after: int) -> tuple[list[int], Any]:
    killed: list[int] = []

    def kill(stage: str, done: int, total: int) -> None:
        if done >= after and not killed:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    return killed, kill


needs_kill = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")


@pytest.mark.slow
@needs_kill
def test_a_killed_worker(city: apsp.Graph) -> None:
    killed, kill = killing(32)
    found = apsp.betweenness_centrality(city, executor="processes", threads=1, progress=kill)
    assert killed
    assert np.array_equal(found, apsp.betweenness_centrality(city, executor=Counting()))  # to the last bit
    demand = np.random.default_rng(0).integers(0, 9, (city.n, city.n))
    killed, kill = killing(32)
    flows = apsp.arc_flows(city, demand, ties="first", executor="processes", threads=1, progress=kill)
    assert killed
    assert flows == apsp.arc_flows(city, demand, ties="first")


@pytest.mark.slow
@needs_kill
def test_a_store_with_a_killed_worker(city: apsp.Graph, tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    place = tmp_path / "sums.zarr"
    killed, kill = killing(32)
    options: Any = {"executor": "processes", "threads": 1, "store": place}
    found = apsp.edge_betweenness_centrality(city, progress=kill, **options)
    assert killed
    assert np.array_equal(found, apsp.edge_betweenness_centrality(city, executor=Counting()))
    shards = {path: path.stat().st_mtime_ns for path in place.glob("arrived/c/*/0")}
    assert len(shards) == 19
    (place / "arrived" / "c" / "4" / "0").unlink()
    assert np.array_equal(apsp.edge_betweenness_centrality(city, **options), found)
    (place / "arrived" / "c" / "7" / "0").unlink()
    assert np.array_equal(apsp.edge_betweenness_centrality(city, store=place), found)  # without workers
    assert sum(path.stat().st_mtime_ns == changed for path, changed in shards.items()) == 17
    assert not list(place.rglob(".claims"))


def test_dask(city: apsp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # as Dask does, which does not restore it
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
    ):
        found = apsp.betweenness_centrality(city, executor=client)
    assert np.array_equal(found, apsp.betweenness_centrality(city, executor=Counting()))
