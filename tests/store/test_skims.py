"""Skims whose bands lie in a store: the bits of those in memory, after stops and kills, and by workers."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.methods.skims.cost import SkimWork
from apsp.planning.sources import cost_of
from apsp.running import measure_job
from examples import examples
from skim_stores import network, same_bits
from stopping import StopError, stop_after
from stored import shards
from tuple_paths import least_tuples

zarr = pytest.importorskip("zarr")

pytestmark = pytest.mark.usefixtures("small_skims")


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize("intrazonal", ["zero", "half_nearest"])
@pytest.mark.parametrize("some", [False, True])
def test_a_stopped_call_goes_on(kind: str, intrazonal: Any, some: bool, place: Path) -> None:
    graph, along = network(kind)
    options: dict[str, Any] = {"cost": "minutes", "intrazonal": intrazonal}
    if some:  # origins that repeat, and destinations that are not in order
        options |= {"zones": [*range(149, 0, -1), 5], "targets": [3, 90, 17]}
    expected = apsp.skim(graph, along, **options)
    count = len(expected.zones)
    with pytest.raises(StopError):
        apsp.skim(graph, along, store=place, progress=stop_after(36), threads=1, **options)
    before = shards(place)
    begun = apsp.load(place)
    assert 0 < len(before) < len(expected) * -(-count // 16)
    assert not begun.is_complete
    with pytest.raises(apsp.RowsMissingError, match=r"apsp.skim\(graph, store=...\) computes them"):
        np.asarray(begun["minutes"])
    complete = min(len([key for key in before if key.startswith(f"{name}/")]) for name in expected)
    assert len(list(begun.blocks(skip_missing=True))) == complete
    found = apsp.skim(graph, along, store=place, threads=3, **options)
    assert found.info["rows_computed"] == count - 16 * complete
    assert before.items() <= shards(place).items()
    assert found.is_complete
    assert same_bits(found, expected)
    assert found.info["method"] == expected.info["method"]
    assert apsp.skim(graph, along, store=place, **options).info["rows_computed"] == 0
    assert same_bits(apsp.load(place, check=True), expected)
    with ThreadPoolExecutor(3) as engine:
        assert same_bits(apsp.skim(graph, along, executor=engine, **options), expected)
        beside = place.with_name("workers.zarr")
        assert same_bits(apsp.skim(graph, along, executor=engine, store=beside, **options), expected)
    assert not list(place.rglob(".claims"))


@pytest.mark.slow
@settings(max_examples=examples(25), deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(1, 12), degree=st.integers(0, 4), kinds=st.integers(0, 3))
def test_dijkstra_on_tuples(tmp_path_factory: Any, seed: int, n: int, degree: int, kinds: int) -> None:
    """Against another implementation; read by zarr-python alone."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n, (2, n * degree))
    graph = apsp.from_edges(*ends, rng.integers(0, 3, n * degree), n=n, zones=rng.random(n) < 0.3)
    along = {f"cost {k}": rng.integers(0, 3, graph.m) for k in range(kinds)}
    sources = rng.integers(0, n, 20).tolist()
    place = tmp_path_factory.mktemp("store") / "skims.zarr"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(measure_job, "band_rows", lambda *_: 3)
        apsp.skim(graph, along, zones=sources, targets=range(n), store=place)
    group = zarr.open_group(place, mode="r")
    costs = np.stack([graph.arc_weights("int64"), *along.values()], axis=1)
    for row, source in enumerate(sources):
        found = zip(*(group[name][row].tolist() for name in ("cost", *along)), strict=True)
        assert list(found) == [tuple(map(float, each)) for each in least_tuples(graph, costs, source)]


def test_other_requests(place: Path) -> None:
    graph, along = network("int32")
    options: Any = {"cost": "minutes", "store": place}
    apsp.skim(graph, along, **options)
    heavier, other = graph.weights.copy(), along | {"toll": along["toll"] + 1}
    heavier[3] += 1
    lighter = {name: along[name] for name in ("stops", "toll")}
    assert graph.zones is not None
    for difference, call in {
        "it has other values of toll": lambda: apsp.skim(graph, other, **options),
        r"it has along=\['toll', 'stops'\], this call along=\['stops', 'toll'\]": lambda: apsp.skim(
            graph, lighter, **options
        ),
        "it has cost='minutes', this call cost='hours'": lambda: apsp.skim(graph, along, store=place, cost="hours"),
        "it has intrazonal='zero', this call intrazonal='half_nearest'": lambda: apsp.skim(
            graph, along, intrazonal="half_nearest", **options
        ),
        "it has other sources": lambda: apsp.skim(
            graph, along, zones=range(5), targets=graph.zones.nonzero()[0], **options
        ),
        "it has other targets": lambda: apsp.skim(graph, along, targets=range(5), **options),
        r"its arc from \d+ to \d+ has the weight": lambda: apsp.skim(graph.with_weights(heavier), along, **options),
        "its graph has other zones": lambda: apsp.skim(
            network("int32", zones=False)[0], along, zones=graph.zones.nonzero()[0], **options
        ),
    }.items():
        with pytest.raises(apsp.RequestError, match=f"is of another request: .*{difference}.*Name another store"):
            call()
    for function in (apsp.solve, apsp.betweenness_centrality, apsp.closeness_centrality):
        with pytest.raises(apsp.RequestError, match="holds parts of skim: name another store"):
            function(graph, store=place)
    rows = place.with_name("rows.zarr")
    apsp.solve(graph, store=rows)
    with pytest.raises(apsp.RequestError, match="holds distances: name another store"):
        apsp.skim(graph, along, store=rows)
    assert apsp.skim(graph, along, device="emulated", **options).info["rows_computed"] == 0  # integers: any device


def test_floats_keep_the_device_and_the_version(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, along = network("float64")
    with pytest.raises(StopError):
        apsp.skim(graph, along, store=place, device="emulated", progress=stop_after(20))
    assert apsp.load(place).info["device"] == "emulated"
    with pytest.raises(apsp.RequestError, match="it has device='emulated', on which its bits depend"):
        apsp.skim(graph, along, store=place, device="cpu")
    found = apsp.skim(graph, along, store=place)
    assert same_bits(found, apsp.skim(graph, along, device="emulated"))
    monkeypatch.setattr(apsp, "__version__", "9.9")
    with pytest.raises(apsp.RequestError, match="it was begun by apsp"):
        apsp.skim(graph, along, store=place)


@pytest.mark.few(1)
@pytest.mark.parametrize("workers", [False, True])
def test_the_method_is_that_of_the_first_call(workers: bool, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if another version had other costs: the methods round otherwise."""
    graph, along = network("float64", zones=False)
    alone = apsp.skim(graph, along)
    with pytest.raises(StopError):
        apsp.skim(graph, along, store=place, progress=stop_after(60))
    monkeypatch.setattr("apsp.methods.skims.cost._ROW_PAIR", 1.0)
    other = apsp.skim(graph, along)
    assert (alone.info["method"], other.info["method"]) == ("elimination", "searches")
    assert other != alone
    with ThreadPoolExecutor(2) as engine:
        found = apsp.skim(graph, along, store=place, executor=engine if workers else None)
    assert same_bits(found, alone)


def test_the_choice_does_not_depend_on_threads() -> None:
    """Else floats would be rounded otherwise by workers of one thread each."""
    graph = apsp.generate("city", 3000, seed=1)
    for zones in (1, 5, 10, 20, 40, 80, 3000):
        work = SkimWork(graph, (3, zones, zones))
        plans = [cost_of("skims", work, device="cpu", threads=threads) for threads in (1, 4, 64)]
        assert len({plan.method for plan in plans}) == 1
    assert plans[0].seconds > plans[2].seconds
    assert plans[0].method == "elimination"


CHILD = """
import pickle, sys, time
import apsp
from apsp.running import measure_job
from apsp.running.storing.bands import ReducedBands

compute = ReducedBands.compute
def slowly(self, *arguments):
    time.sleep(0.05)
    return compute(self, *arguments)
ReducedBands.compute = slowly
measure_job.band_rows = lambda *_: 16
graph, along = pickle.load(open(sys.argv[1], "rb"))
apsp.skim(graph, along, store=sys.argv[2], threads=int(sys.argv[3]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_kill_9(place: Path, tmp_path: Path) -> None:
    graph, along = network("float64", zones=False)
    (tmp_path / "call").write_bytes(pickle.dumps((graph, along)))
    command = [sys.executable, "-c", CHILD, str(tmp_path / "call"), str(place)]
    last = "km/c/*/0"  # what completes a band
    for threads, least in (("1", 2), ("2", 5)):
        process = subprocess.Popen([*command, threads])
        while process.poll() is None and len(shards(place, last)) < least:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = shards(place, last)
    assert 5 <= len(before) < 13
    with ThreadPoolExecutor(2) as engine:
        found = apsp.skim(graph, along, store=place, executor=engine)
    assert before.items() <= shards(place, last).items()
    assert found.info["rows_computed"] == graph.n - 16 * len(before)
    assert same_bits(found, apsp.skim(graph, along))
    assert not [path for path in place.rglob("*") if path.name == ".claims" or path.suffix == ".part"]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_a_killed_worker(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, along = network("float64", zones=False)

    def kill(_stage: str, done: int, _total: int) -> None:
        if done > 30:
            os.kill(next(iter(engine._processes)), signal.SIGKILL)

    call: Any = {"along": along, "store": place, "intrazonal": "half_nearest"}
    words = "The same call computes only the rows that are missing in"
    with ProcessPoolExecutor(2, get_context("spawn")) as engine, pytest.raises(apsp.ExecutorError, match=words):
        apsp.skim(graph, executor=engine, progress=kill, **call)
    before = shards(place, "km/c/*/0")
    assert 0 < len(before) < 13
    with ProcessPoolExecutor(2, get_context("spawn")) as engine:
        found = apsp.skim(graph, executor=engine, **call)
    assert before.items() <= shards(place, "km/c/*/0").items()
    assert found.info["rows_computed"] == graph.n - 16 * len(before)
    assert same_bits(found, apsp.skim(graph, along, intrazonal="half_nearest"))


@pytest.mark.slow
def test_processes_write_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # bands as they are
    graph, along = network("float64")
    expected = apsp.skim(graph, along)
    options: Any = {"executor": "processes", "threads": 1}
    assert same_bits(apsp.skim(graph, along, store=place, **options), expected)
    assert same_bits(apsp.skim(graph, along, **options), expected)


@pytest.mark.parametrize("n", [0, 1, 5])
def test_few_vertices(n: int, place: Path) -> None:
    graph = apsp.from_edges([], [], n=n)
    assert apsp.skim(graph, store=place) == apsp.skim(graph)
    if n == 5:
        for number, options in enumerate(({"zones": []}, {"targets": []}, {"zones": 3, "targets": [2, 3]})):
            found = apsp.skim(graph, store=place.with_name(f"{number}.zarr"), intrazonal="half_nearest", **options)
            assert found == apsp.skim(graph, intrazonal="half_nearest", **options)
            with ThreadPoolExecutor(1) as engine:
                assert apsp.skim(graph, executor=engine, intrazonal="half_nearest", **options) == found


def test_errors_leave_no_store(place: Path) -> None:
    with pytest.raises(apsp.GraphError, match="negative"):
        apsp.skim(apsp.from_edges([0, 1], [1, 0], [1, -2]), store=place)
    with pytest.raises(apsp.RequestError, match="on one GPU"):
        apsp.skim(apsp.generate("ring", 6), store=place, device="emulated:0,1")
    assert not place.exists()


def test_a_bucket_in_memory() -> None:
    obstore = pytest.importorskip("obstore.store")
    graph, along = network("int32")
    bucket = obstore.MemoryStore()
    expected = apsp.skim(graph, along)
    assert same_bits(apsp.skim(graph, along, store=bucket), expected)
    assert apsp.skim(graph, along, store=bucket).info["rows_computed"] == 0
    assert same_bits(apsp.load(bucket), expected)
