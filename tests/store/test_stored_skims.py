"""Stores of skims as they are read: by other programs, in files, damaged, and larger than memory."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.methods.skims.arc_costs import costs_of
from apsp.running import measure_job
from skim_stores import network, same_bits

zarr = pytest.importorskip("zarr")

pytestmark = pytest.mark.usefixtures("small_skims")


@pytest.mark.few(1)
@pytest.mark.parametrize("labels", ["names", "numbers", "positions"])
def test_other_programs_read_it(labels: str, place: Path) -> None:
    graph, along = network("float64")
    if labels != "positions":
        names = [f"v{k}" for k in range(graph.n)] if labels == "names" else list(range(7, 1007, 5))
        graph = apsp.Graph(graph.indptr, graph.indices, graph.weights, zones=graph.zones, labels=names)
    expected = apsp.skim(graph, along, cost="minutes", store=place)
    group = zarr.open_group(str(place), mode="r")
    for name, matrix in expected.items():
        array = group[name]
        assert np.array_equal(array[...], matrix[:])
        assert array.dtype == np.float64
        assert array.fill_value == math.inf
        assert array.shards == (16, len(expected.targets))
        assert array.metadata.dimension_names == ("source", "target")
    assert group["source"][...].tolist() == expected.zones.tolist() == group["target"][...].tolist()
    told = group.attrs["apsp"]
    assert told["apsp"] == apsp.__version__
    assert told["method"] in ("elimination", "searches")
    assert (told["measure"]["cost"], told["measure"]["along"]) == ("minutes", [*along])
    back = apsp.load(place)
    assert isinstance(back, apsp.StoredSkims)
    assert back == expected
    assert back.graph == graph
    assert repr(back).startswith("StoredSkims(minutes, toll, stops, km; ")
    again = pickle.loads(pickle.dumps(back))
    assert again == back
    assert again["km"][3].tobytes() == expected["km"][3].tobytes()
    xarray = pytest.importorskip("xarray")
    with xarray.open_zarr(place, consolidated=True) as found:
        assert {"minutes", "toll", "stops", "km"} <= set(found.data_vars)
        zone = expected.zones[2]
        assert np.array_equal(found["km"].sel(source=zone).values, expected["km"][2])


def test_files_of_stored_skims(place: Path, tmp_path: Path) -> None:
    graph, along = network("int32")
    expected, found = apsp.skim(graph, along), apsp.skim(graph, along, store=place)
    for name in ("skims.npz", "skims.csv"):
        for which in (expected, found):
            which.write(tmp_path / f"{which.__class__.__name__}-{name}")
        assert (tmp_path / f"StoredSkims-{name}").read_bytes() == (tmp_path / f"Skims-{name}").read_bytes()
    assert {k: v.tolist() for k, v in found.to_long().items()} == {k: v.tolist() for k, v in expected.to_long().items()}
    pytest.importorskip("h5py")
    found.to_omx(tmp_path / "skims.omx")
    assert apsp.read_omx(tmp_path / "skims.omx") == expected


def test_a_damaged_shard(place: Path) -> None:
    graph, along = network("int32")
    found = apsp.skim(graph, along, store=place)
    damaged = place / "toll" / "c" / "2" / "0"
    data = bytearray(damaged.read_bytes())
    data[20] ^= 255
    damaged.write_bytes(data)
    words = r"a shard of toll, rows 32 to 47 .* is damaged .*toll/c/2/0, and call apsp.skim\(graph, store=...\) again"
    with pytest.raises(apsp.FileFormatError, match=words):
        np.asarray(found["toll"])
    with pytest.raises(apsp.FileFormatError, match=words):
        apsp.load(place, check=True)
    damaged.unlink()
    again = apsp.skim(graph, along, store=place)
    assert again.info["rows_computed"] == 16
    assert same_bits(again, apsp.skim(graph, along))


@pytest.mark.parametrize("change", ["extra", "measure", "shape"])
def test_damaged_facts(change: str, place: Path) -> None:

    graph, along = network("int32")
    apsp.skim(graph, along, store=place)
    text = json.loads((place / "zarr.json").read_text())
    told = text["attributes"]["apsp"]
    told[change] = {"extra": {}, "measure": "skim", "shape": [told["shape"][0], 7]}[change]
    (place / "zarr.json").write_text(json.dumps(text))
    with pytest.raises(apsp.FileFormatError, match="damaged"):
        apsp.load(place)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a/b"], "'a/b' cannot be an array of a store: it cannot be the name of a folder everywhere"),
        ([".."], "cannot be the name of a folder"),
        (["__a"], "cannot be the name of a folder"),
        (["a "], "cannot be the name of a folder"),
        (["Target"], "'Target' cannot be an array of a store: arrays of every store have this name"),
        (["zarr.json"], "arrays of every store have this name"),
        (["km", "KM"], "'KM' cannot be an array of a store: it differs from 'km' only by upper and lower case"),
    ],
)
def test_names_that_are_no_arrays(names: list[str], words: str, place: Path) -> None:
    graph = apsp.generate("ring", 6)
    along = {name: np.ones(graph.m) for name in names}
    with pytest.raises(apsp.RequestError, match=words):
        apsp.skim(graph, along, store=place)
    assert not place.exists()
    assert list(apsp.skim(graph, along)) == ["cost", *names]
    apsp.skim(graph, {"Länge (km)": np.ones(graph.m)}, store=place)
    assert zarr.open_group(place, mode="r")["Länge (km)"][0, 1] == 1


def test_memory_that_the_matrices_exceed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bands are as low as memory needs it; the whole is refused when it is read."""
    monkeypatch.undo()
    graph, along = network("int32", zones=False)
    expected = apsp.skim(graph, along)
    graph, costs = costs_of(graph, along, "cost")
    row = 8 * len(costs.names) * graph.n
    monkeypatch.setattr(measure_job, "usable", lambda _: 4 * 20 * row)
    found = apsp.skim(graph, along, store=place)
    assert found.info["band_rows"] == 20
    monkeypatch.setattr("apsp.store.matrix.usable", lambda _: graph.n * row // 4)
    monkeypatch.setattr("apsp.system.machine.usable", lambda _: graph.n * row // 4)
    with pytest.raises(apsp.MemoryLimitError, match=r"some of its rows \(matrix\[first:last\]\)"):
        np.asarray(found["toll"])
    with pytest.raises(apsp.MemoryLimitError, match=r"rows of one matrix \(skims\[name\]\[first:last\]\)"):
        found.matrices  # noqa: B018
    assert np.array_equal(found["toll"][7:9], expected["toll"][7:9])
