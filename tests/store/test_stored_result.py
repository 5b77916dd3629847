"""A result in a store answers as one in memory."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import MemoryLimitError
from apsp.store import matrix
from stored import Entries

pytest.importorskip("zarr")


@pytest.fixture(params=["all", "some rows", "some columns", "names", "numbers"])
def pair(request: pytest.FixtureRequest, city: apsp.Graph, place: Path, small_bands: int) -> tuple[Any, apsp.Result]:
    """A result in a store, and the same in memory."""
    chosen: dict[str, Any] = {"paths": request.param != "all"}
    graph = city
    if request.param == "some rows":
        chosen["sources"] = [7, 3, 199, *range(20, 90), 0]
    if request.param == "some columns":
        chosen["targets"] = [5, 0, 198]
    if request.param in ("names", "numbers"):
        labels = [f"v{number}" for number in range(200)] if request.param == "names" else list(range(7, 1007, 5))
        graph = apsp.Graph(city.indptr, city.indices, city.weights, directed=city.directed, labels=labels)
    stored = apsp.solve(graph, store=place, **chosen)
    return apsp.load(place), apsp.solve(graph, **chosen, method=stored.info["method"])


@pytest.mark.few(2)
def test_arrays_name_no_byte_order(pair: tuple[Any, apsp.Result]) -> None:
    # Zarr's arrays do: memoryview and Cython refuse to read them.
    stored, memory = pair
    arrays = [stored.row(memory.sources[0]), stored.distances[1:3], stored.distances[[2, 0]], stored.graph.weights]
    arrays += [stored.predecessors[:2]] if memory.has_predecessors else []
    for array in arrays:
        assert memoryview(np.ascontiguousarray(array).reshape(-1))[0] == array.flat[0]


@pytest.mark.few(2)
def test_answers_are_equal(pair: tuple[Any, apsp.Result]) -> None:
    stored, memory = pair
    a, b = memory.sources[2], memory.targets[1]
    some, others = memory.sources[[5, 1, 2]].tolist(), memory.targets[[2, 0]].tolist()
    assert stored.distance(a, b) == memory.distance(a, b) == stored[a, b]
    assert stored.path(a, b) == memory.path(a, b)
    assert stored.next_hop(a, b) == memory.next_hop(a, b)
    assert np.array_equal(stored.row(a), memory[a, :])
    assert np.array_equal(stored.rows(some), memory[some, :])
    for index in ((a, slice(None)), (slice(None), b), (some, others), (some, b), (a, others), (slice(None), others)):
        assert np.array_equal(stored[index], memory[index])
        assert stored[index].shape == memory[index].shape
    assert np.array_equal(np.asarray(stored.distances), memory.distances)
    assert np.array_equal(np.concatenate([block.distances for block in stored.blocks(rows=7)]), memory.distances)
    assert list(stored.sources) == list(memory.sources)
    assert list(stored.targets) == list(memory.targets)
    assert stored.paths(some, others[:1] * 3) == memory.paths(some, others[:1] * 3)


@pytest.mark.few(2)
def test_indices_that_a_matrix_does_not_have(pair: tuple[Any, apsp.Result]) -> None:
    stored, result = pair
    assert np.array_equal(stored.distances[(1,)], result.distances[1])
    assert np.array_equal(stored.distances[()], result.distances)
    for index in (None, 1.5, "x", [[1, 2]], [0.5], {}, (1, 2, 3), len(result.distances), [10**6]):
        with pytest.raises(IndexError):
            stored.distances[index]


@pytest.mark.few(2)
def test_whole_matrices(pair: tuple[Any, apsp.Result], tmp_path: Path) -> None:
    stored, memory = pair
    for name, column in memory.to_long().items():
        assert np.array_equal(stored.to_long()[name], column)
    assert stored.to_dict() == memory.to_dict()
    if memory.has_predecessors:
        assert np.array_equal(stored.next_hops(), memory.next_hops())
    stored.save(tmp_path / "whole.npz")
    again = apsp.load(tmp_path / "whole.npz")
    assert np.array_equal(again.distances, memory.distances)
    assert again.has_predecessors == memory.has_predecessors
    assert np.array_equal(np.from_dlpack(stored), memory.distances)


@pytest.mark.few(2)
def test_copies_open_the_store_again(pair: tuple[Any, apsp.Result]) -> None:
    stored, memory = pair
    for again in (pickle.loads(pickle.dumps(stored)), copy.copy(stored)):
        assert np.array_equal(np.asarray(again.distances), memory.distances)
    assert np.array_equal(np.asarray(pickle.loads(pickle.dumps(stored.distances))), memory.distances)


def test_summaries_and_verification(city: apsp.Graph, place: Path, small_bands: int) -> None:
    stored = apsp.solve(city, store=place)
    expected = apsp.summary(city, bins=64)
    found = stored.summary(bins=64)
    assert found.diameter == expected.diameter
    assert np.array_equal(found.farness("out"), expected.farness("out"))
    assert np.array_equal(found.histogram().counts, expected.histogram().counts)
    reports: list[tuple[str, int, int]] = []
    stored.verify(progress=lambda *told: reports.append(told))
    assert reports[-1] == ("rows checked", 200, 200)
    stored.verify(sample=20)
    for wrong in ({"sample": 0}, {"sample": 9, "seed": -1}, {"seed": "x"}):
        with pytest.raises(apsp.RequestError, match=f"{list(wrong)[-1]} must be a whole number"):
            stored.verify(**wrong)  # type: ignore[arg-type]
    part = apsp.solve(city, store=place.with_name("part.zarr"), targets=[3])
    for act in (part.verify, part.summary):
        with pytest.raises(apsp.RequestError, match="the columns of all vertices"):
            act()


def test_wrong_distances_are_found(city: apsp.Graph, place: Path) -> None:
    pytest.importorskip("zarr")
    result = apsp.solve(city, store=place)
    Entries(place, "distances")[17, 42] = result.distance(17, 42) + 1
    with pytest.raises(apsp.VerificationError, match="from 17 to 42"):
        apsp.load(place).verify()


def test_a_matrix_that_does_not_fit(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored = apsp.solve(city, store=place)
    monkeypatch.setattr(matrix, "usable", lambda machine: 1000)
    with pytest.raises(MemoryLimitError, match=r"the whole matrix of the store .*result.blocks\(\)"):
        np.asarray(stored.distances)
    assert stored.row(3).shape == (200,)


def test_lazy_arrays(city: apsp.Graph, place: Path, small_bands: int) -> None:
    pytest.importorskip("dask.array")
    arcs = apsp.from_edges(city.tails()[:300], city.indices[:300], city.weights[:300], n=200)
    stored = apsp.solve(arcs, store=place)
    expected = apsp.solve(arcs)
    lazy = stored.to_dask()
    assert lazy.chunks[0][0] == small_bands
    assert np.array_equal(lazy.compute(scheduler="synchronous"), expected.distances)
    xarray = pytest.importorskip("xarray")
    found = stored.to_xarray()
    assert isinstance(found, xarray.DataArray)
    rows = found.isel(source=slice(10, 40)).compute(scheduler="synchronous")
    assert np.array_equal(rows, expected.to_xarray()[10:40])


def test_without_zarr_the_extra_is_named(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "zarr", None)
    with pytest.raises(apsp.MissingDependencyError, match=r"pip install 'apsp\[store\]'"):
        apsp.solve(city, store=place)
    assert not place.exists()
