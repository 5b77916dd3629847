"""Skims of periods in one store, with an axis of periods: the bits of separate calls per period."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.store.layout import Chunks
from skim_stores import network, same_bits
from stopping import StopError, stop_after
from stored import shards

zarr = pytest.importorskip("zarr")

pytestmark = pytest.mark.usefixtures("small_skims")

COST, SHARDS = "minutes", "*/c/*/0/0"


def day_of(kind: str, names: tuple[Any, ...] = ("AM", "MD", 20)) -> tuple[apsp.Periods, dict[str, Any]]:
    graph, along = network(kind)
    weights = np.ones(graph.m, int) if graph.weights is None else graph.weights
    factors = np.random.default_rng(4).integers(1, 5, (len(names), graph.m)).astype(weights.dtype)
    return graph.with_periods(dict(zip(names, weights * factors, strict=True))), along


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["hops", "int32", "float64"])
@pytest.mark.parametrize("some", [False, True])
def test_a_stopped_call_goes_on(kind: str, some: bool, place: Path) -> None:
    day, along = day_of(kind)
    options: dict[str, Any] = {"cost": COST}
    if some:
        options |= {"zones": [*range(149, 0, -1), 5], "targets": [3, 90, 17], "intrazonal": "half_nearest"}
    expected = apsp.skim(day, along, **options)
    with pytest.raises(StopError):
        apsp.skim(day, along, store=place, progress=stop_after(36), threads=1, **options)
    before = shards(place, SHARDS)
    assert before
    begun = apsp.load(place)
    assert not begun.is_complete
    with pytest.raises(apsp.RowsMissingError, match=r"apsp.skim\(graph, store=...\) computes them"):
        np.asarray(begun["AM"][COST])
    found = apsp.skim(day, along, store=place, threads=2, **options)
    assert 0 < found.info["rows_computed"] < len(expected.zones)
    assert before.items() <= shards(place, SHARDS).items()
    for period in day:
        alone = apsp.skim(day[period], along, **{**options, "cost": "cost"})
        assert same_bits(found[period], expected[period])
        for mine, theirs in zip(found[period].values(), alone.values(), strict=True):
            assert np.array_equal(np.asarray(mine), theirs)
    assert found == expected == apsp.load(place, check=True)
    assert np.array_equal(found.matrices, expected.matrices)
    assert apsp.skim(day, along, store=place, **options).info["rows_computed"] == 0
    with ThreadPoolExecutor(3) as engine:
        beside = place.with_name("workers.zarr")
        assert apsp.skim(day, along, executor=engine, store=beside, **options) == expected


def test_factors_that_do_not_fit_together(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    day, along = day_of("float64")
    expected = apsp.skim(day, along, cost=COST)
    monkeypatch.setattr("apsp.api.skims.period_job.usable", lambda _: 0)
    assert apsp.skim(day, along, cost=COST, store=place) == expected


def test_others_read_the_axis(place: Path) -> None:
    xarray = pytest.importorskip("xarray")
    day, along = day_of("int32", ("AM", "MD"))
    found = apsp.skim(day, along, cost=COST, store=place)
    group = zarr.open_group(place, mode="r")
    assert group[COST].metadata.dimension_names == ("source", "period", "target")
    assert group["period"][:].tolist() == ["AM", "MD"]
    table = xarray.open_zarr(place)
    assert np.array_equal(table[COST].sel(period="MD").values, found["MD"][COST][:])
    expected = np.where(np.isinf(found.by_cost(COST)), np.nan, found.by_cost(COST))
    assert np.array_equal(found.to_xarray()[COST].values, expected, equal_nan=True)


def test_pickles_and_files(place: Path, tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    day, along = day_of("float64")
    found, expected = apsp.skim(day, along, cost=COST, store=place), apsp.skim(day, along, cost=COST)
    assert pickle.loads(pickle.dumps(found)) == expected
    assert pickle.loads(pickle.dumps(found["MD"])) == expected["MD"]
    assert np.array_equal(pickle.loads(pickle.dumps(found[20][COST]))[3:9, [1, 0]], expected[20][COST][3:9, [1, 0]])
    assert found.graph == day.base
    assert sum(rows[COST].shape[1] for rows in found.blocks()) == len(found.zones)
    found.to_omx(tmp_path / "stored.omx")
    expected.to_omx(tmp_path / "plain.omx")
    matrices = apsp.read_omx(tmp_path / "stored.omx")
    for name, matrix in apsp.read_omx(tmp_path / "plain.omx").items():
        assert np.array_equal(matrix, matrices[name])
    with h5py.File(tmp_path / "stored.omx") as file:
        about = file["data"][f"{COST}__20"].attrs
        assert (about["cost"], about["period"]) == (COST, 20)
        assert file["data"][f"{COST}__AM"].attrs["period"] == "AM"


def test_many_periods_of_many_targets(place: Path) -> None:
    """A row of all periods is larger than a chunk: chunks hold whole rows of some periods."""
    city = apsp.generate("city", 700, seed=3, weights=(1, 99))
    day = city.with_periods([city.weights + hour for hour in range(230)])
    found = apsp.skim(day, zones=[5, 600], targets=range(700), store=place)
    array = zarr.open_group(place, mode="r")["cost"]
    assert array.shape == (2, 230, 700)
    assert 1 < array.chunks[1] < 230
    assert array.chunks[2] == 700
    expected = apsp.skim(day, zones=[5, 600], targets=range(700))
    assert found == expected
    assert np.array_equal(array[:].transpose(1, 0, 2), expected.by_cost("cost"))
    for period in (0, 115, 229):
        alone = apsp.skim(day[period], zones=[5, 600], targets=range(700))
        assert np.array_equal(found[period]["cost"][:], alone["cost"])


def test_chunks_of_units() -> None:
    for columns, unit in ((700 * 230, 700), (10, 10), (6 * 500_000, 500_000), (21, 7)):
        chunks = Chunks.of(64, columns, 8, unit=unit)
        assert chunks.chunk[1] % unit == chunks.shard[1] % chunks.chunk[1] == 0
        assert columns <= chunks.shard[1] < columns + chunks.chunk[1]


def test_a_damaged_shard_is_computed_again(place: Path) -> None:
    day, along = day_of("int32")
    expected = apsp.skim(day, along, cost=COST, store=place).matrices
    key = next(iter(shards(place, SHARDS)))
    assert key.endswith("/0/0")
    file = place / key
    file.write_bytes(file.read_bytes()[:-30])
    with pytest.raises(apsp.FileFormatError, match="damaged"):
        apsp.load(place, check=True)
    again = apsp.skim(day, along, cost=COST, store=place)
    assert 0 < again.info["rows_computed"] < len(again.zones)
    assert np.array_equal(again.matrices, expected)


def test_what_is_refused(place: Path) -> None:
    day, along = day_of("int32")
    apsp.skim(day, along, cost=COST, store=place)
    other = day.base.with_periods({name: graph.weights + (name == "MD") for name, graph in day.items()})
    with pytest.raises(apsp.RequestError, match="other values in MD"):
        apsp.skim(other, along, cost=COST, store=place)
    with pytest.raises(apsp.RequestError, match="it has periods="):
        apsp.skim(day.base.with_periods({"AM": day["AM"].weights}), along, cost=COST, store=place)
    with pytest.raises(apsp.RequestError, match="it has periods"):
        apsp.skim(day.base, along, cost="cost", store=place)
    with pytest.raises(apsp.RequestError, match="'period' cannot be an array of a store"):
        apsp.skim(day, {"period": np.ones(day.base.m)}, cost=COST, store=place.with_name("other.zarr"))
    single = place.with_name("single.zarr")
    apsp.skim(day["AM"], along, store=single)
    with pytest.raises(apsp.RequestError, match="of another request"):
        apsp.skim(day, along, cost="cost", store=single)


def test_places(place: Path) -> None:
    city = apsp.generate("city", 300, seed=2)
    points = city.coordinates[[3, 50, 120, 200]] + 5.0
    places = city.snap(points, crs="plane", speed=1.3)
    day = city.with_periods({"AM": city.weights * 3, "MD": city.weights})
    found = apsp.skim(day, {"metres": np.arange(city.m) % 17}, cost=COST, zones=places, store=place)
    expected = apsp.skim(day, {"metres": np.arange(city.m) % 17}, cost=COST, zones=places)
    assert found == expected
    oracle = apsp.prepare(day)
    for period in day:
        alone = apsp.skim(day[period], {"metres": np.arange(city.m) % 17}, zones=places)
        assert np.array_equal(found[period]["metres"][:], alone["metres"])
        one = apsp.prepare(day[period], order=oracle[period].order).matrix(places, places)
        assert np.array_equal(oracle.matrix(places, places, period=period), one)
        pairs = oracle.distances(places, places[[1, 0, 3, 2]], period=period)
        assert np.array_equal(pairs, one[range(4), [1, 0, 3, 2]])
    assert oracle.matrix(places, range(9)).shape == (2, 4, 9)
