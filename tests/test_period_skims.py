"""Skims of several periods: each has the bits of the skims of its graph alone; files and tables."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp import GraphError, MemoryLimitError, RequestError


@pytest.mark.parametrize("intrazonal", ["zero", "half_nearest"])
@pytest.mark.parametrize("kind", ["city", "random"])
def test_periods_have_the_bits_of_separate_runs(kind: str, intrazonal: str) -> None:
    graph = apsp.generate(kind, 400, seed=3)  # type: ignore[call-overload]
    rng = np.random.default_rng(1)
    ends = np.minimum(graph.tails(), graph.indices) * 1000 + np.maximum(graph.tails(), graph.indices)
    weights = [(ends * factor) % 41 + 1 for factor in (7, 11, 13, 17)]
    tolls = graph.with_periods([(ends * factor) % 3 for factor in (3, 5, 7, 9)])
    graph = graph.with_costs(metres=ends % 100 + 1)
    day = graph.with_periods(weights)
    zones, targets = rng.integers(0, graph.n, 9), rng.integers(0, graph.n, 5)
    along = {"toll": tolls, "metres": graph.costs["metres"]}
    between = {"zones": zones, "targets": targets, "intrazonal": intrazonal}
    found = apsp.skim(day, along, cost="SOV_TIME", **between)  # type: ignore[call-overload]
    assert found.matrices.shape == (4, 3, 9, 5)
    for name in day:
        alone = graph.unweighted().with_weights(weights[name])
        each = {"toll": tolls[name].weights, "metres": graph.costs["metres"]}
        expected = apsp.skim(alone, each, **between)  # type: ignore[call-overload]
        np.testing.assert_array_equal(found[name].matrices, expected.matrices)
        assert found[name].names == ("SOV_TIME", "toll", "metres")
        np.testing.assert_array_equal(found.by_cost("toll")[name], expected["toll"])
    by_name = apsp.skim(day, ["metres"], cost="time", zones=zones)
    assert by_name.names == ("time", "metres")
    np.testing.assert_array_equal(by_name[2].matrices, apsp.skim(day[2], ["metres"], zones=zones).matrices)


@pytest.fixture
def day() -> apsp.Periods:
    graph = apsp.from_edges([0, 1, 0, 2], [1, 2, 2, 3], [4, 5, 12, 1], costs={"km": [3, 4, 9, 2]})
    return graph.with_periods({"AM": [9, 12, 5, 1], "MD": [4, 12, 5, 2], 18: [4, 5, 12, 3]})


def test_it_is_a_mapping_of_the_periods(day: apsp.Periods) -> None:
    found = apsp.skim(day, ["km"], cost="TIME")
    assert (list(found), len(found), "AM" in found, "PM" in found) == (["AM", "MD", 18], 3, True, False)
    assert found == apsp.skim(day, ["km"], cost="TIME", threads=1)
    assert found != apsp.skim(day, cost="TIME")
    assert found != 3
    assert found.info["seconds"] > 0
    with pytest.raises(RequestError, match=r"there is no period 'PM'; there are 'AM', 'MD', 18"):
        found["PM"]
    with pytest.raises(RequestError, match="there is no cost 'toll'; there are 'TIME', 'km'"):
        found.by_cost("toll")


def test_omx_has_a_matrix_per_cost_and_period(day: apsp.Periods, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    found = apsp.skim(day, ["km"], cost="SOV_TIME")
    found.to_omx(tmp_path / "skims.omx", compression=1, dtype="float32")
    again = apsp.read_omx(tmp_path / "skims.omx")
    assert again.names == (
        "SOV_TIME__AM", "SOV_TIME__MD", "SOV_TIME__18", "km__AM", "km__MD", "km__18",
    )  # fmt: skip
    for name in found:
        np.testing.assert_array_equal(again[f"SOV_TIME__{name}"], found[name]["SOV_TIME"])
        np.testing.assert_array_equal(again[f"km__{name}"], found[name]["km"])
    found.to_omx(tmp_path / "scaled.omx", scales={"km": 10})
    assert apsp.read_omx(tmp_path / "scaled.omx") == again
    with pytest.raises(RequestError, match="there is no cost 'km__AM'; there are 'SOV_TIME', 'km'"):
        found.to_omx(tmp_path / "scaled.omx", scales={"km__AM": 10})
    graph = day.base
    twice = graph.with_periods({"b": day["AM"].weights, "a__b": day["MD"].weights})  # type: ignore[dict-item]
    with pytest.raises(RequestError, match="two matrices would have the name 'x__a__b'"):
        apsp.skim(twice, {"x__a": day["AM"]}, cost="x").to_omx(tmp_path / "twice.omx")
    assert not (tmp_path / "twice.omx").exists()


def test_xarray_has_an_axis_of_periods(day: apsp.Periods, tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    found = apsp.skim(day, ["km"], cost="TIME").to_xarray()
    assert found.TIME.dims == ("period", "origin", "destination")
    assert found.period.values.tolist() == ["AM", "MD", "18"]
    assert float(found.TIME.sel(period="18", origin=0, destination=3)) == 8
    assert math.isnan(float(found.km.sel(period="AM", origin=3, destination=0)))
    whole = day.base.with_periods({7: day["AM"].weights, 8: day["MD"].weights})
    assert apsp.skim(whole).to_xarray().period.values.tolist() == [7, 8]
    with pytest.raises(RequestError, match="the cost 'origin' has the name of an axis: rename it"):
        apsp.skim(whole, cost="origin").to_xarray()
    pytest.importorskip("zarr")
    scaled = {name: {"dtype": "uint16", "scale_factor": 0.5, "_FillValue": 65535} for name in ("TIME", "km")}
    found.to_zarr(tmp_path / "day.zarr", encoding=scaled, consolidated=False)
    xarray.testing.assert_equal(xarray.open_zarr(tmp_path / "day.zarr", consolidated=False).load(), found)


def test_places(day: apsp.Periods) -> None:
    ends = [[0, 0], [100, 0], [100, 100]]
    streets = apsp.from_edges([0, 1], [1, 2], [60, 80], directed=False, coordinates=ends)
    homes = streets.snap([[25, 0], [100, 50]], crs="plane", speed=math.inf)
    hours = streets.with_periods({"am": [60, 60, 80, 80], "noon": [40, 40, 20, 20]})
    found = apsp.skim(hours, zones=homes)
    for name in hours:
        np.testing.assert_array_equal(found[name].matrices, apsp.skim(hours[name], zones=homes).matrices)
    np.testing.assert_array_equal(apsp.skim(hours, zones=[0, 2], targets=homes)["noon"].matrices,
                                  apsp.skim(hours["noon"], zones=[0, 2], targets=homes).matrices)  # fmt: skip


def test_what_is_refused(day: apsp.Periods, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RequestError, match="the cost 'km' of the graph is the same in every period"):
        apsp.skim(day, cost="km")
    with pytest.raises(RequestError, match=r"along\['toll'\] has other periods"):
        apsp.skim(day, {"toll": day.base.with_periods([[1, 2, 3, 4]])})
    with pytest.raises(RequestError, match="along has the name 'toll' of the cost"):
        apsp.skim(day, {"toll": [1, 2, 3, 4]}, cost="toll")
    with pytest.raises(RequestError, match="along names 'toll', but the graph has 'km'"):
        apsp.skim(day, ["toll"])
    with pytest.raises(GraphError, match="period 1: the graph has negative weights"):
        apsp.skim(day.base.with_periods([[1, 1, 1, 1], [1, 1, 1, -1]]))
    monkeypatch.setattr("apsp.system.machine.usable", lambda _machine: 300)
    with pytest.raises(MemoryLimitError, match="3 matrices of 4 x 4 costs"):
        apsp.skim(day)
