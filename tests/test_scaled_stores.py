"""Skims that a store keeps as whole multiples of a unit, and what reads them."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import RequestError

pytest.importorskip("zarr")

CITY = apsp.generate("city", 200, seed=1)
RNG = np.random.default_rng(1)
GRAPH = CITY.with_weights(np.round(CITY.weights / 60, 2) + 0.01)
KM = np.round(RNG.random(CITY.m), 3)
TOLL = RNG.integers(0, 9, CITY.m)
ALONG = {"km": KM, "toll": TOLL}
SCALES = {"minutes": 100, "km": 1000}
ZONES = range(0, 200, 3)


def skim(store: Any, **options: Any) -> Any:
    chosen = {"scales": SCALES, "zones": ZONES} | options
    return apsp.skim(GRAPH, ALONG, cost="minutes", store=store, **chosen)


@pytest.fixture(name="plain", scope="module")
def plain_fixture() -> apsp.Skims:
    return apsp.skim(GRAPH, ALONG, cost="minutes", zones=ZONES)


def test_values_are_the_nearest_decimal_numbers(plain: apsp.Skims, tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    found = skim(tmp_path / "s.zarr")
    for name, scale in SCALES.items():
        decimal = np.rint(plain[name] * scale) / scale
        np.testing.assert_array_equal(found[name][:], decimal)
        assert (decimal != plain[name]).any()  # sums of floats are not the nearest ones
        assert np.abs(decimal - plain[name]).max() < 1e-9
    np.testing.assert_array_equal(found["toll"][:], plain["toll"])
    group = zarr.open_group(tmp_path / "s.zarr", mode="r")
    assert [group[name].dtype for name in found] == ["uint16", "int32", "float64"]
    assert group["minutes"][1, 2] == round(plain["minutes"][1, 2] * 100)
    again = apsp.load(tmp_path / "s.zarr")
    assert again == found == pickle.loads(pickle.dumps(again))
    assert (again["minutes"].dtype, again["minutes"].nbytes) == ("float64", 8 * len(ZONES) ** 2)
    assert again["minutes"][3, 4] == found.matrices[0, 3, 4]
    assert again["minutes"][[5, 1], 2].tolist() == found.matrices[0, [5, 1], 2].tolist()
    assert np.asarray(again["km"][:, 2:4]).tolist() == found.matrices[1, :, 2:4].tolist()


def test_xarray_reads_them(plain: apsp.Skims, tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    skim(tmp_path / "s.zarr")
    opened = xarray.open_zarr(tmp_path / "s.zarr").load()
    for name, scale in SCALES.items():
        assert opened[name].dims == ("source", "target")
        np.testing.assert_allclose(opened[name].to_numpy(), plain[name], rtol=1e-6, atol=1e-9)
        assert opened[name].encoding["scale_factor"] == 1 / scale
    assert float(opened.minutes.sel(source=3, target=9)) == pytest.approx(plain["minutes"][1, 3])


def test_pairs_without_a_path(tmp_path: Path) -> None:
    """They are infinite here, and not-a-number for xarray; also rows without any path but that to themselves."""
    graph = apsp.from_edges([0, 1], [1, 2], [0.25, 1.5], n=4)
    found = apsp.skim(graph, cost="minutes", store=tmp_path / "s.zarr", scales={"minutes": 100})
    inf = np.inf
    assert found["minutes"][:].tolist() == [
        [0, 0.25, 1.75, inf],
        [inf, 0, 1.5, inf],
        [inf, inf, 0, inf],
        [inf] * 3 + [0],
    ]
    alone = apsp.skim(graph, zones=[3], targets=[0, 1], store=tmp_path / "t.zarr", scales={"cost": 1})
    assert alone["cost"][0].tolist() == [inf, inf]
    xarray = pytest.importorskip("xarray")
    raw = xarray.open_zarr(tmp_path / "s.zarr", mask_and_scale=False).minutes
    assert (raw.dtype, raw.attrs["_FillValue"], int(raw[0, 3])) == ("uint16", 65535, 65535)
    assert np.isnan(xarray.open_zarr(tmp_path / "s.zarr").minutes[0, 3])


def test_the_scale_of_the_caller_rounds(tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [0.123, 2.5])
    found = apsp.skim(graph, {"toll": [-1, 3]}, store=tmp_path / "s.zarr", scales={"cost": 10, "toll": 1})
    assert found["cost"][0].tolist() == [0, 0.1, 2.6]
    assert found["toll"][0].tolist() == [0, -1, 2]
    assert apsp.skim(graph, store=tmp_path / "plain.zarr")["cost"][0].tolist() == [0, 0.123, 2.623]


def test_the_same_call_goes_on_and_others_are_refused(plain: apsp.Skims, tmp_path: Path) -> None:
    found = skim(tmp_path / "s.zarr")
    assert skim(tmp_path / "s.zarr").info["rows_computed"] == 0
    (tmp_path / "s.zarr" / "minutes" / "c" / "0" / "0").unlink()
    assert skim(tmp_path / "s.zarr", threads=1).info["rows_computed"] == len(ZONES)
    assert apsp.load(tmp_path / "s.zarr") == found
    for scales, words in (
        (None, r"it has scales=\{'minutes': 100, 'km': 1000\}"), ({"minutes": 10, "km": 1000}, "it has scales="),
        ({"minutes": 100}, "it has scales="),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            skim(tmp_path / "s.zarr", scales=scales)
    skim(tmp_path / "plain.zarr", scales=None)
    with pytest.raises(RequestError, match="it has no scales"):
        skim(tmp_path / "plain.zarr")
    assert skim(tmp_path / "p.zarr", executor="processes") == found


def test_periods(tmp_path: Path) -> None:
    weights = {"AM": np.round(GRAPH.weights * 1.5, 2), "MD": GRAPH.weights}
    day = GRAPH.with_periods(weights)
    plain = apsp.skim(day, {"km": KM}, cost="TIME", zones=ZONES)
    scales = {"TIME": 100, "km": 1000}
    found = apsp.skim(day, {"km": KM}, cost="TIME", zones=ZONES, store=tmp_path / "day.zarr", scales=scales)
    for name, scale in scales.items():
        np.testing.assert_array_equal(found.by_cost(name), np.rint(plain.by_cost(name) * scale) / scale)
        assert found["AM"][name][2].tolist() == found.by_cost(name)[0, 2].tolist()
    assert apsp.load(tmp_path / "day.zarr") == found
    blocks = np.concatenate([rows["TIME"] for rows in found.blocks()], axis=1)
    np.testing.assert_array_equal(blocks, found.by_cost("TIME"))
    xarray = pytest.importorskip("xarray")
    opened = xarray.open_zarr(tmp_path / "day.zarr").load()
    assert opened.TIME.dims == ("source", "period", "target")
    np.testing.assert_allclose(
        opened.TIME.transpose("period", "source", "target").to_numpy(), plain.by_cost("TIME"), rtol=1e-6
    )


def test_turns_and_places(tmp_path: Path) -> None:
    turned = apsp.with_turns(CITY, u_turns=7, left=3, crs="plane")
    homes = CITY.snap([[100, 200], [400, 300], [700, 800]], crs="plane", speed=1.4)
    for graph, zones in ((turned, [0, 50, 100]), (CITY, homes), (turned, homes)):
        plain = apsp.skim(graph, zones=zones)["cost"]
        with_scale = apsp.skim(
            graph,
            zones=zones,
            store=tmp_path / f"{type(graph).__name__}-{type(zones).__name__}.zarr",
            scales={"cost": 10},
        )
        np.testing.assert_array_equal(with_scale["cost"][:], np.rint(plain * 10) / 10)


@pytest.mark.parametrize(
    ("largest", "scale", "dtype"),
    [(10.0, 100, "uint16"), (655.36, 100, "int32"), (1e6, 100, "int32"), (1e9, 100, "int64"), (30, 10**9, "int64")],
)
def test_the_dtype_is_proven_before_the_first_row(largest: float, scale: int, dtype: str, tmp_path: Path) -> None:
    zarr = pytest.importorskip("zarr")
    graph = apsp.from_edges([0, 1], [1, 2], [largest, 0.5])
    found = apsp.skim(graph, store=tmp_path / "s.zarr", scales={"cost": scale})
    assert zarr.open_group(tmp_path / "s.zarr", mode="r")["cost"].dtype == dtype
    assert found["cost"][0].tolist() == [0, largest, largest + 0.5]


def test_what_is_refused(tmp_path: Path) -> None:
    for scales, words in (
        ({"time": 10}, r"there is no cost 'time'; there are 'minutes', 'km', 'toll'"),
        ({"km": 0}, r"scales\['km'\]"), ({"km": 0.5}, r"scales\['km'\]"), (["km"], "scales must be a mapping"),
        ({"km": 10**9, "toll": 10**9}, "choose a smaller scale"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            apsp.skim(GRAPH, {"km": KM * 1e6, "toll": TOLL}, cost="minutes", store=tmp_path / "s.zarr", scales=scales)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match=r"scales\['cost'\]=100: sums of up to 1 arcs of 1e\+15 may have no exact"):
        apsp.skim(apsp.from_edges([0], [1], [1e15]), store=tmp_path / "s.zarr", scales={"cost": 100})
    with pytest.raises(RequestError, match=r"scales= is how a store keeps matrices: give store=, or to_omx"):
        skim(None)
    with pytest.raises(RequestError, match=r"scales= is how a store keeps matrices"):
        apsp.skim(GRAPH.with_periods({"AM": GRAPH.weights}), cost="TIME", scales={"TIME": 100})
    assert list(tmp_path.iterdir()) == []


def test_files_take_much_less_space(tmp_path: Path) -> None:
    """Hundredths as integers compress, and the last bits of floats do not."""
    sizes = []
    for name, scales in (("scaled", SCALES), ("plain", None)):
        skim(tmp_path / f"{name}.zarr", scales=scales, zones=None)
        sizes.append(sum(each.stat().st_size for each in (tmp_path / f"{name}.zarr" / "minutes").rglob("*")))
    assert sizes[0] < 0.4 * sizes[1]
