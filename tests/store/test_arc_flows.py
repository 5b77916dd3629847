"""Flows of a demand whose blocks lie in a store: the same bits after kills, with other threads and by workers."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.api.flow_job import demand_digest
from apsp.methods.flows.flows import Demand
from examples import examples
from flow_stores import ARRIVED, SMALL, graph_of
from stopping import StopError, stop_after
from stored import shards

zarr = pytest.importorskip("zarr")
pytestmark = pytest.mark.usefixtures("small_blocks")


@pytest.fixture
def demand(city: apsp.Graph) -> Any:
    rng = np.random.default_rng(3)
    return rng.random((city.n, city.n)) * (rng.random((city.n, city.n)) < 0.2)


def expected_along(graph: apsp.Graph, demand: Any) -> dict[tuple[int, int], float]:
    """By NetworkX, pair by pair."""
    networkx = pytest.importorskip("networkx")
    G, weight = graph.to_networkx(), "weight" if graph.is_weighted else None
    along = dict.fromkeys(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True), 0.0)
    for s, t in zip(*np.nonzero(demand), strict=True):
        if s == t or not networkx.has_path(G, s, t):
            continue
        paths = list(networkx.all_shortest_paths(G, s, t, weight=weight))
        for path in paths:
            for arc in itertools.pairwise(path):
                along[arc] += demand[s, t] / len(paths)
    return along


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize("ties", ["split", "first"])
@pytest.mark.parametrize("some", [False, True])
def test_a_stopped_call_goes_on(kind: str, ties: Any, some: bool, city: apsp.Graph, demand: Any, place: Path) -> None:
    graph, options = graph_of(city, kind), {"ties": ties}
    if some:  # rows that repeat and columns that are not in order
        options |= {"sources": [*range(149, 0, -1), 5], "targets": [3, 90, 17]}
        demand = demand[:150, :3] + 0.1
    alone = apsp.arc_flows(graph, demand, store=place.with_name("alone.zarr"), threads=1, **options)
    assert alone.info["rows_computed"] == len(demand)
    with pytest.raises(StopError):
        apsp.arc_flows(graph, demand, store=place, progress=stop_after(60), threads=1, **options)
    before = shards(place, ARRIVED)
    assert 0 < len(before) < 10
    found = apsp.arc_flows(graph, demand, store=place, threads=3, **options)
    assert found.info["rows_computed"] == len(demand) - 16 * len(before)
    assert before.items() <= shards(place, ARRIVED).items()
    assert len(shards(place, ARRIVED)) == (10 if some else 13)
    assert found == alone  # to the last bit
    assert apsp.arc_flows(graph, demand, store=place, **options) == found
    plain = apsp.arc_flows(graph, demand, **options)
    for name in ("arcs", "vertices", "served", "unserved"):
        np.testing.assert_allclose(getattr(found, name), getattr(plain, name), rtol=1e-12, atol=1e-12)
    assert (found.info["method"], found.info["device"]) == (plain.info["method"], "cpu")
    with ThreadPoolExecutor(3) as engine:
        assert apsp.arc_flows(graph, demand, executor=engine, **options) == found
        assert apsp.arc_flows(graph, demand, executor=engine, store=place.with_name("w.zarr"), **options) == found
    assert not list(place.rglob(".claims"))


@pytest.mark.few(1)
@pytest.mark.parametrize("workers", [False, True])
def test_the_method_is_that_of_the_first_call(
    workers: bool, city: apsp.Graph, demand: Any, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if another version had other costs: the methods round otherwise."""
    alone = apsp.arc_flows(city, demand, store=place.with_name("alone.zarr"))
    with pytest.raises(StopError):
        apsp.arc_flows(city, demand, store=place, progress=stop_after(60))
    monkeypatch.setattr("apsp.methods.flows.cost._SWEEP_VERTEX", 1.0)
    other = apsp.arc_flows(city, demand, store=place.with_name("other.zarr"))
    assert (alone.info["method"], other.info["method"]) == ("elimination", "searches")
    assert other != alone
    with ThreadPoolExecutor(2) as engine:
        found = apsp.arc_flows(city, demand, store=place, executor=engine if workers else None)
    assert found.info["method"] == "elimination"
    assert found == alone


@pytest.mark.parametrize("kind", ["hops", "int32"])
def test_networkx(kind: str, place: Path) -> None:
    graph = graph_of(apsp.generate("city", 40, seed=1), kind)
    rng = np.random.default_rng(2)
    demand = rng.integers(0, 4, (40, 40)).astype(float)
    found = apsp.arc_flows(graph, demand, store=place)
    expected = expected_along(graph, demand)
    assert np.allclose(found.arcs, list(expected.values()), rtol=1e-12)
    assert len(shards(place, ARRIVED)) == 3
    group = zarr.open_group(place, mode="r")
    assert np.allclose(group["along"][...].sum(axis=0), found.arcs, rtol=1e-13)
    assert np.array_equal(group["served"][:, 0], found.served)


def test_the_form_of_the_demand_does_not_count(city: apsp.Graph, demand: Any, place: Path) -> None:
    found = apsp.arc_flows(city, demand, store=place)
    before = shards(place, ARRIVED)
    for form in (sp.coo_array(demand), sp.csr_matrix(demand), demand.tolist(), demand + np.diag(np.ones(city.n))):
        again = apsp.arc_flows(city, form, store=place)
        assert again.info["rows_computed"] == 0
        assert np.array_equal(again.arcs, found.arcs)
        assert np.allclose(again.unserved, found.unserved)
    assert shards(place, ARRIVED) == before


def test_other_requests(city: apsp.Graph, demand: Any, place: Path) -> None:
    apsp.arc_flows(city, demand, store=place)
    other = demand.copy()
    other[7, 9] += 1e-9
    heavier = city.weights.copy()
    heavier[3] += 1
    for difference, call in {
        "it has other demand": lambda: apsp.arc_flows(city, other, store=place),
        "it has ties='split', this call ties='first'": lambda: apsp.arc_flows(city, demand, store=place, ties="first"),
        "it has other sources": lambda: apsp.arc_flows(city, demand[:5], store=place, sources=range(5)),
        "it has other targets": lambda: apsp.arc_flows(city, demand[:, :5], store=place, targets=range(5)),
        r"its arc from \d+ to \d+ has the weight": lambda: apsp.arc_flows(
            city.with_weights(heavier), demand, store=place
        ),
        "its arcs have weights, these have none": lambda: apsp.arc_flows(city.unweighted(), demand, store=place),
    }.items():
        with pytest.raises(apsp.RequestError, match=f"is of another request: .*{difference}.*Name another store"):
            call()
    for call in (apsp.solve, apsp.betweenness_centrality, apsp.closeness_centrality):
        with pytest.raises(apsp.RequestError, match="holds parts of arc_flows: name another store"):
            call(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of arc_flows, not of distances"):
        apsp.load(place)
    rows = place.with_name("rows.zarr")
    apsp.solve(city, store=rows)
    with pytest.raises(apsp.RequestError, match="holds distances: name another store"):
        apsp.arc_flows(city, demand, store=rows)


def test_demand_of_other_rows_with_the_same_numbers(place: Path) -> None:
    """A digest of targets and values alone would be the same."""
    graph = apsp.generate("ring", 6)
    apsp.arc_flows(graph, [[0, 1], [1, 0]], sources=[1, 2], targets=[3, 4], store=place)
    with pytest.raises(apsp.RequestError, match="it has other demand"):
        apsp.arc_flows(graph, [[1, 0], [0, 1]], sources=[1, 2], targets=[3, 4], store=place)
    with pytest.raises(apsp.RequestError, match="it has other demand"):
        apsp.arc_flows(graph, [[1, 1], [0, 0]], sources=[1, 2], targets=[3, 4], store=place)
    apsp.arc_flows(graph, [[1, 0], [0, 1]], sources=[1, 2], targets=[4, 3], store=place)


@given(seed=st.integers(0, 10**6), rows=st.integers(0, 9), n=st.integers(1, 9), share=st.sampled_from([0.0, 0.4, 1.0]))
@settings(max_examples=examples(60), deadline=None)
def test_digests(seed: int, rows: int, n: int, share: float) -> None:
    """The same for every form, and another one if an entry that counts differs."""
    rng = np.random.default_rng(seed)
    sources = rng.integers(0, n, rows).astype(np.int32)
    matrix = rng.integers(1, 5, (rows, n)) * (rng.random((rows, n)) < share) * 1.0
    order = rng.permutation(n).astype(np.int32)
    dense = Demand(
        sources, None, np.arange(rows + 1, dtype=np.int64) * n, None, matrix[:, order].ravel(), common=order
    ).in_order()
    entries = [[(t, matrix[k, t]) for t in order if matrix[k, t] and t != sources[k]] for k in range(rows)]
    flat = [entry for row in entries for entry in row]
    sparse = Demand(
        sources, None, np.concatenate([[0], np.cumsum([len(row) for row in entries])]).astype(np.int64),
        np.array([t for t, _ in flat], np.int32), np.array([value for _, value in flat], np.float64),
    ).in_order()  # fmt: skip
    assert demand_digest(dense) == demand_digest(sparse)
    if flat:
        assert sparse.values is not None
        changed = sparse.values.copy()
        changed[rng.integers(len(changed))] *= 1 + 1e-15
        other = Demand(sources, None, sparse.start, sparse.targets, changed)
        assert demand_digest(other) != demand_digest(sparse)


CHILD = """
import sys, time
from pathlib import Path
import numpy as np
import apsp
from apsp.running.storing.bands import ReducedBands
from apsp.methods.flows import cost

compute = ReducedBands.compute
def slowly(self, *arguments):
    time.sleep(0.05)
    return compute(self, *arguments)
ReducedBands.compute = slowly
for name, value in {}.items():
    setattr(cost, name, value)
city = apsp.generate("city", 200, seed=1)
apsp.arc_flows(city, np.load(sys.argv[1]), store=sys.argv[2], threads=int(sys.argv[3]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_kill_9(city: apsp.Graph, demand: Any, place: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "demand.npy", demand)
    small = repr(SMALL).replace("inf", "float('inf')")
    command = [sys.executable, "-c", CHILD.replace("{}", small), str(tmp_path / "demand.npy"), str(place)]
    for threads, least in (("1", 2), ("2", 5)):
        process = subprocess.Popen([*command, threads])
        while process.poll() is None and len(shards(place, ARRIVED)) < least:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = shards(place, ARRIVED)
    assert 5 <= len(before) < 13
    with ThreadPoolExecutor(2) as engine:
        found = apsp.arc_flows(city, demand, store=place, executor=engine)
    assert before.items() <= shards(place, ARRIVED).items()
    assert found.info["rows_computed"] == city.n - 16 * len(before)
    assert found == apsp.arc_flows(city, demand, store=place.with_name("alone.zarr"))
    assert not [path for path in place.rglob("*") if path.name == ".claims" or path.suffix == ".part"]


@pytest.mark.slow
def test_processes_write_it(city: apsp.Graph, demand: Any, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # blocks as they are
    options: Any = {"executor": "processes", "threads": 1}
    found = apsp.arc_flows(city, demand, store=place, **options)
    assert found == apsp.arc_flows(city, demand, **options)
    assert found == apsp.arc_flows(city, demand, store=place.with_name("alone.zarr"), threads=2)
    assert found.info["rows_computed"] == city.n


def test_a_damaged_shard(city: apsp.Graph, demand: Any, place: Path) -> None:
    found = apsp.arc_flows(city, demand, store=place)
    damaged = place / "along" / "c" / "4" / "0"
    data = bytearray(damaged.read_bytes())
    data[20] ^= 255
    damaged.write_bytes(data)
    with pytest.raises(
        apsp.FileFormatError,
        match=r"along/c/\d+.* is damaged \(a chunk differs .* remove this file, and make the same call",
    ):
        apsp.arc_flows(city, demand, store=place)
    for name in ("along", "through", "served", "arrived"):
        (place / name / "c" / "4" / "0").unlink()
    again = apsp.arc_flows(city, demand, store=place)
    assert again == found
    assert again.info["rows_computed"] == 16


def test_a_shard_that_is_missing_is_computed_again(city: apsp.Graph, demand: Any, place: Path) -> None:
    found = apsp.arc_flows(city, demand, store=place)
    (place / "through" / "c" / "3" / "0").unlink()
    again = apsp.arc_flows(city, demand, store=place)
    assert again == found
    assert again.info["rows_computed"] == 16


@pytest.mark.parametrize("n", [0, 1, 5])
def test_few_vertices(n: int, place: Path) -> None:
    graph = apsp.from_edges([], [], n=n)
    assert apsp.arc_flows(graph, np.ones((n, n)), store=place) == apsp.arc_flows(graph, np.ones((n, n)))
    if n == 5:
        some: Any = {"sources": [], "targets": [1]}
        found = apsp.arc_flows(graph, np.ones((0, 1)), store=place.with_name("none.zarr"), **some)
        assert found == apsp.arc_flows(graph, np.ones((0, 1)), **some)


def test_errors_leave_no_blocks(place: Path) -> None:
    with pytest.raises(apsp.NegativeCycleError):
        apsp.arc_flows(apsp.from_edges([0, 1], [1, 0], [1, -2]), np.ones((2, 2)), store=place)
    assert not shards(place, ARRIVED)


@pytest.mark.parametrize("kind", ["hops", "int32"])
def test_emulated_gpus(kind: str, city: apsp.Graph, demand: Any, place: Path) -> None:
    graph = graph_of(city, kind)
    options: Any = {"sources": range(40), "device": "emulated"}
    found = apsp.arc_flows(graph, demand[:40], store=place, **options)
    assert found.info["device"] == "emulated"
    plain = apsp.arc_flows(graph, demand[:40], sources=range(40))
    assert np.allclose(found.arcs, plain.arcs, rtol=1e-10, atol=1e-12)
