"""Pairs within a cutoff whose bands lie in a store: those in memory, after stops and kills, and by workers."""

from __future__ import annotations

import math
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import FileFormatError, MemoryLimitError, RequestError, RowsMissingError
from apsp.running import measure_job
from skim_stores import network
from stopping import StopError, stop_after
from stored import shards

zarr = pytest.importorskip("zarr")
parquet = pytest.importorskip("pyarrow.parquet")

LAST = "count/c/*/0"
"""What completes a band."""


@pytest.fixture(autouse=True)
def small_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands of 16 sources."""
    monkeypatch.setattr(measure_job, "band_rows", lambda *_: 16)


def same(found: apsp.NearPairs, expected: apsp.NearPairs) -> None:
    columns, wanted = found.to_long(), expected.to_long()
    assert list(columns) == list(wanted)
    for name, column in columns.items():
        assert column.dtype == wanted[name].dtype
        assert column.tolist() == wanted[name].tolist()
    assert found.indptr.tolist() == expected.indptr.tolist()
    assert (found.to_scipy() != expected.to_scipy()).nnz == 0


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"next_hop": True, "sources": [*range(149, 0, -1), 5], "targets": [3, 90, 17]},
        {"k": 7, "sort": "target", "along": True, "next_hop": True},
    ],
)
def test_a_stopped_call_goes_on(kind: str, options: dict[str, Any], place: Path) -> None:
    graph, along = network(kind)
    options = options | ({"along": along} if "along" in options else {})
    cutoff = 4
    expected = apsp.within(graph, cutoff, **options)
    count = len(expected)
    with pytest.raises(StopError):
        apsp.within(graph, cutoff, store=place, progress=stop_after(36), threads=1, **options)
    before = shards(place, LAST, "pairs/*.parquet")
    begun = apsp.load(place)
    assert isinstance(begun, apsp.StoredNearPairs)
    complete = len(shards(place, LAST))
    assert 0 < complete < -(-count // 16)
    assert not begun.is_complete
    assert f"{complete} of" in repr(begun)
    assert begun[expected.sources[0]].distances.tolist() == expected[expected.sources[0]].distances.tolist()
    with pytest.raises(RowsMissingError, match=r"apsp.within\(graph, store=...\) computes them"):
        _ = begun.pairs
    assert len(list(begun.blocks(skip_missing=True))) == complete
    found: Any = apsp.within(graph, cutoff, store=place, threads=3, **options)
    assert found.info["rows_computed"] == count - 16 * complete
    assert before.items() <= shards(place, LAST, "pairs/*.parquet").items()
    assert found.is_complete
    same(found, expected)
    assert sum(block.pairs for block in found.blocks()) == expected.pairs == found.pairs
    for source in expected:
        for mine, theirs in zip(found[source], expected[source], strict=True):
            assert repr(mine) == repr(theirs)
    assert apsp.within(graph, cutoff, store=place, **options).info["rows_computed"] == 0  # type: ignore[attr-defined]
    same(apsp.load(place, check=True), expected)
    with ThreadPoolExecutor(3) as engine:
        beside = place.with_name("workers.zarr")
        same(apsp.within(graph, cutoff, executor=engine, store=beside, **options), expected)
    assert not list(place.rglob(".claims"))


NAMES: dict[str, Any] = {
    "positions": lambda k: k,
    "integers": lambda k: 7 * k + 10**12,
    "text": lambda k: f"crossing {k}",
    "tuples": lambda k: (k, k % 3),
    "dates": lambda k: np.datetime64("2026-01-01") + np.timedelta64(k, "D"),
    "floats": lambda k: k / 4,
    "bytes": lambda k: b"%d" % k,
}


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", NAMES)
def test_labels_and_other_readers(kind: str, place: Path, tmp_path: Path) -> None:
    city = apsp.generate("city", 100, seed=3)
    names = [NAMES[kind](k) for k in range(city.n)]
    graph = apsp.Graph(city.indptr, city.indices, city.weights, labels=names)
    expected = apsp.within(graph, 90, next_hop=True, along={"half": graph.weights * 0.5})
    found = apsp.within(graph, 90, next_hop=True, along={"half": graph.weights * 0.5}, store=place)
    same(found, expected)
    assert found.write(tmp_path / "found.csv") is expected.write(tmp_path / "expected.csv")
    assert (tmp_path / "found.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    same(pickle.loads(pickle.dumps(found)), expected)
    table = parquet.read_table(place / "pairs")
    assert table.column_names == ["source", "target", "distance", "next_hop", "half"]
    assert table.column("distance").to_pylist() == expected.distances.tolist()
    assert table.to_pydict() == expected.to_arrow().to_pydict()
    group = zarr.open_group(str(place), mode="r")
    assert group["count"][:, 0].tolist() == np.diff(expected.indptr).tolist()
    polars = pytest.importorskip("polars")
    lazy = polars.scan_parquet(place / "pairs" / "*.parquet")
    assert lazy.select(polars.len()).collect().item() == expected.pairs


def test_labels_that_parquet_has_no_type_for(place: Path) -> None:
    for names in (["a", 3, (1, 2)], [Fraction(1, 3), Fraction(1, 2), Fraction(2)]):
        graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=names)
        with pytest.raises((RequestError, apsp.GraphError)):
            apsp.within(graph, 5, store=place)
        assert not place.exists()


def test_other_requests(place: Path) -> None:
    graph, along = network("int32")
    assert graph.weights is not None
    options: Any = {"cutoff": 5, "store": place, "along": along}
    apsp.within(graph, **options)
    heavier = graph.weights.copy()
    heavier[3] += 1
    for difference, call in {
        "it has other values of toll": options | {"along": along | {"toll": along["toll"] + 1}},
        r"it has along=\['toll', 'stops'\], this call along=\['stops'\]": options
        | {"along": {"stops": along["stops"]}},
        "it has next_hop=False, this call next_hop=True": options | {"next_hop": True},
        "it has k=None|it has no k": options | {"k": 3},
        "it has sort='distance', this call sort='target'": options | {"sort": "target"},
        "it has cutoff=5, this call cutoff=6": options | {"cutoff": 6},
        "it has dtype='uint16', this call dtype='int64'": options | {"dtype": "int64"},
        "it has other sources": options | {"sources": range(5)},
        "it has other targets": options | {"targets": range(5)},
        r"its arc from \d+ to \d+ has the weight": options | {"graph": graph.with_weights(heavier)},
        "its graph has other zones": options | {"graph": network("int32", zones=False)[0]},
    }.items():
        with pytest.raises(RequestError, match=f"is of another request: .*({difference}).*Name another store"):
            apsp.within(**{"graph": graph, **call})
    with pytest.raises(RequestError, match="holds parts of within: name another store"):
        apsp.skim(graph, store=place)
    rows = place.with_name("rows.zarr")
    apsp.solve(graph, store=rows)
    with pytest.raises(RequestError, match="holds distances: name another store"):
        apsp.within(graph, 5, store=rows)


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
apsp.within(graph, 4, along=along, next_hop=True, store=sys.argv[2], threads=int(sys.argv[3]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_kill_9(place: Path, tmp_path: Path) -> None:
    graph, along = network("float64", zones=False)
    (tmp_path / "call").write_bytes(pickle.dumps((graph, along)))
    command = [sys.executable, "-c", CHILD, str(tmp_path / "call"), str(place)]
    for threads, least in (("1", 2), ("2", 5)):
        process = subprocess.Popen([*command, threads])
        while process.poll() is None and len(shards(place, LAST)) < least:
            time.sleep(0.005)
        os.kill(process.pid, signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    before = shards(place, LAST)
    assert 5 <= len(before) < 13
    found: Any = apsp.within(graph, 4, along=along, next_hop=True, store=place)
    assert before.items() <= shards(place, LAST).items()
    assert found.info["rows_computed"] == graph.n - 16 * len(before)
    same(found, apsp.within(graph, 4, along=along, next_hop=True))
    assert not [path for path in place.rglob("*") if path.name == ".claims" or path.suffix == ".part"]


def test_several_calls_share_the_work(place: Path) -> None:
    graph, _ = network("int32")
    with ThreadPoolExecutor(3) as engine:
        found = list(engine.map(lambda _: apsp.within(graph, 5, store=place, threads=1), range(3)))
    assert sum(each.info["rows_computed"] for each in found) == graph.n  # type: ignore[attr-defined]
    same(found[0], apsp.within(graph, 5))


@pytest.mark.few(2)
@pytest.mark.parametrize("how", ["cut", "empty", "moved", "changed", "removed"])
def test_a_damaged_file(how: str, place: Path) -> None:
    graph, _ = network("int32")
    expected = apsp.within(graph, 5)
    apsp.within(graph, 5, store=place)
    damaged, other = place / "pairs" / "000002.parquet", place / "pairs" / "000003.parquet"
    data = damaged.read_bytes()
    if how == "cut":
        damaged.write_bytes(data[:100] + data[150:])
    elif how == "empty":
        damaged.write_bytes(b"")
    elif how == "moved":
        shutil.copy(other, damaged)
    elif how == "removed":
        damaged.unlink()
    else:
        changed = bytearray(data)
        changed[len(data) // 4] ^= 255
        damaged.write_bytes(changed)
    found = apsp.load(place)
    with pytest.raises((FileFormatError, RowsMissingError), match=r"pairs/000002.parquet"):
        _ = found.distances
    assert found[0].targets.tolist() == expected[0].targets.tolist()
    if how == "changed":  # its end is right: it is found when it is read
        damaged.unlink()
    else:
        assert not found.is_complete
    again: Any = apsp.within(graph, 5, store=place)
    assert again.info["rows_computed"] == 16
    same(again, expected)


def test_few_vertices_and_a_bucket(place: Path) -> None:
    obstore = pytest.importorskip("obstore.store")
    for n in (0, 1, 5):
        graph = apsp.from_edges([], [], n=n)
        for number, options in enumerate(({}, {"sources": []}, {"targets": []}, {"next_hop": True})):
            store = place.with_name(f"{n} {number}.zarr")
            same(apsp.within(graph, 3, store=store, **options), apsp.within(graph, 3, **options))  # type: ignore[arg-type]
    graph, along = network("int32")
    bucket = obstore.MemoryStore()
    expected = apsp.within(graph, math.inf, along=along)
    same(apsp.within(graph, math.inf, along=along, store=bucket), expected)
    same(apsp.load(bucket), expected)


def test_what_does_not_fit_is_read_by_blocks(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graph, _ = network("int32")
    found = apsp.within(graph, 5, store=place)
    monkeypatch.setattr("apsp.system.machine.usable", lambda _: found.pairs)
    with pytest.raises(MemoryLimitError, match=r"blocks \(pairs.blocks\(\)\)"):
        _ = found.distances
    assert sum(block.pairs for block in found.blocks()) == found.pairs  # type: ignore[attr-defined]


def test_errors_leave_no_store(place: Path) -> None:
    with pytest.raises(RequestError, match="smallest is -2"):
        apsp.within(apsp.from_edges([0, 1], [1, 0], [1, -2]), 3, store=place)
    with pytest.raises(RequestError, match="column 'target' of vertices"):
        apsp.within(apsp.generate("ring", 6), 3, along={"target": np.ones(12)}, store=place)
    assert not place.exists()
