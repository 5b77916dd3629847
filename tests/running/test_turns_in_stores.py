"""Graphs with turns in stores and in workers: the same as without, against a search on links."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from turns_places_truth import check_saved_places
from turns_truth import check_path, infinite, random_case

pytest.importorskip("zarr")

STREETS = apsp.from_edges([0, 1, 2, 0], [1, 2, 3, 2], [4, 1, 2, 9], directed=False, links=True)
TURNED = apsp.with_turns(STREETS, [(0, 1, 2, 20), (1, 2, 3, 1)], u_turns=math.inf)


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6000, 6006))
def test_stores_agree_with_a_search_on_links(seed: int, tmp_path: Path) -> None:
    case = random_case(np.random.default_rng(seed))
    turned, names = case.turned(), [f"v{vertex}" for vertex in range(case.n)]
    wanted = np.array([case.distances(source) for source in range(case.n)], float)
    apsp.solve(turned, paths=True, store=tmp_path / "distances.zarr")
    again = apsp.solve(turned, paths=True, store=tmp_path / "distances.zarr")
    for stored in (apsp.load(tmp_path / "distances.zarr"), again):
        assert np.array_equal(infinite(np.asarray(stored.distances[:])), wanted)
    for source, target in np.argwhere(np.isfinite(wanted)).tolist():
        ends = names[source], names[target]
        check_path(case, stored.path(*ends), stored.path(*ends, links=True), wanted[source, target])
    apsp.within(turned, 15, sort="target", store=tmp_path / "near.zarr")
    near, pairs = apsp.load(tmp_path / "near.zarr"), apsp.within(turned, 15, sort="target")
    for name in names:
        assert near[name].targets.tolist() == pairs[name].targets.tolist()
        assert near[name].distances.tolist() == pairs[name].distances.tolist()
    apsp.skim(turned, zones=names, store=tmp_path / "skims.zarr")
    assert np.array_equal(np.asarray(apsp.load(tmp_path / "skims.zarr")["cost"]), wanted)


CALLS: dict[str, Any] = {
    "farness": lambda **options: apsp.farness(TURNED, **options),
    "harmonic_centrality": lambda **options: apsp.harmonic_centrality(TURNED, **options),
    "eccentricity": lambda **options: apsp.eccentricity(TURNED, sources=[0, 3], **options),
    "wiener_index": lambda **options: [apsp.wiener_index(TURNED, **options)],
    "k_nearest": lambda **options: apsp.k_nearest(TURNED, 2, **options).distances,
    "distance_histogram": lambda **options: apsp.distance_histogram(TURNED, **options).counts,
    "accessibility": lambda **options: apsp.accessibility(TURNED, {0: 2, 3: 1}, cutoffs=7, **options).values,
    "accessibility of all": lambda **options: apsp.accessibility(
        TURNED, [1, 2, 4, 8], cutoffs=[3, 30], direction="in", **options
    ).values,
}  # fmt: skip


@pytest.mark.few(2)
@pytest.mark.parametrize("name", CALLS)
def test_measures_are_the_same_in_a_store(name: str, tmp_path: Path) -> None:
    wanted = CALLS[name]()
    for _ in range(2):  # computed, and read
        assert np.array_equal(CALLS[name](store=tmp_path / "measure.zarr"), wanted)


@pytest.mark.slow
def test_workers_compute_the_same(tmp_path: Path) -> None:
    city = apsp.generate("city", 120, seed=4)
    slow = apsp.with_turns(city, u_turns=math.inf, left=15, right=5, crs="plane")
    wanted = apsp.solve(slow).to_numpy()
    with ProcessPoolExecutor(2) as pool:
        for name, call in CALLS.items():
            assert np.array_equal(call(executor=pool), call()), name
        assert np.array_equal(np.concatenate([block.distances for block in apsp.stream(slow, executor=pool)]), wanted)
        stored = apsp.solve(slow, store=tmp_path / "distances.zarr", executor=pool)
        assert np.array_equal(stored.distances[:], wanted)
        pairs = apsp.within(slow, 60, executor=pool)
        assert pairs.pairs == (wanted <= 60).sum()
        assert np.array_equal(apsp.skim(slow, executor=pool)["cost"], wanted)
        near, far = (apsp.isochrone(slow, [1, 2], 60, **options) for options in ({}, {"executor": pool}))
        assert near.positions.tolist() == far.positions.tolist()


def test_stores_of_other_turns_are_refused(tmp_path: Path) -> None:
    apsp.solve(TURNED, store=tmp_path / "distances.zarr")
    for other in (STREETS, apsp.with_turns(STREETS, [(0, 1, 2, 21), (1, 2, 3, 1)], u_turns=math.inf)):
        with pytest.raises(apsp.RequestError, match="is of another request: its "):
            apsp.solve(other, store=tmp_path / "distances.zarr")


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6100, 6108))
def test_stores_and_files_of_places_agree_with_a_search_on_links(seed: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(seed)
    case = random_case(rng)
    check_saved_places(case, case.turned(), rng, tmp_path)


def test_stores_of_places(tmp_path: Path) -> None:
    streets = apsp.from_edges([0, 1], [1, 2], [4, 1], coordinates=[[0, 0], [9, 0], [9, 9]])
    homes, turned = streets.snap([[4.5, 0]], crs="plane"), apsp.with_turns(streets, [(0, 1, 2, 5)])
    calls: dict[str, Any] = {
        "distances": lambda **options: apsp.solve(turned, sources=homes, **options).distances[:].tolist(),
        "skims": lambda **options: apsp.skim(turned, zones=homes, targets=[2], **options)["cost"][:].tolist(),
        "sums": lambda **options: apsp.accessibility(
            turned, {2: 7}, sources=homes, cutoffs=9, **options
        ).values.tolist(),
    }
    for name, call in calls.items():
        for _ in range(2):  # computed, and read
            assert call(store=tmp_path / name) == call()
    other = streets.snap([[6, 0]], crs="plane")
    with pytest.raises(apsp.RequestError, match="is of another request: its "):
        apsp.solve(turned, sources=other, store=tmp_path / "distances")
    with pytest.raises(apsp.RequestError, match="is of another request: its "):
        apsp.solve(apsp.with_turns(streets, [(0, 1, 2, 6)]), sources=homes, store=tmp_path / "distances")
