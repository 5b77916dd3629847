"""Statistics of the distances between groups, or per source, in a store: a call that goes on with the same bits."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp.store.folder import Folder
from apsp.store.header import header_at
from examples import examples
from stopping import StopError, stop_after
from stored import bands_of_measures, shards

zarr = pytest.importorskip("zarr")

LAST = "largest/c/*/0"
"""The array that completes a band."""

ARRAYS = ("pairs", "pairs_without_path", "total", "mean", "smallest", "largest", "quantiles", "edges", "counts")


@pytest.fixture(autouse=True)
def small_bands() -> Iterator[None]:
    with bands_of_measures(seconds=0, least_rows=16):
        yield


@pytest.fixture
def groups(city: apsp.Graph) -> list[Any]:
    """Of three groups, and some vertices of none."""
    chosen = np.random.default_rng(4).integers(0, 4, city.n)
    return [None if group == 3 else f"group {group}" for group in chosen]


def assert_same(found: apsp.DistanceStatistics, expected: apsp.DistanceStatistics) -> None:
    """To the last bit."""
    assert (found.names, found.per, found.shares) == (expected.names, expected.per, expected.shares)
    assert np.array_equal(found.source_positions, expected.source_positions)
    for name in ARRAYS:
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        if one is not None:
            assert (one.dtype, one.shape) == (other.dtype, other.shape), name
            assert one.tolist() == other.tolist() or one.tobytes() == other.tobytes(), name


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", ["int32", pytest.param("float64", marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", ["dijkstra", "elimination"])
@pytest.mark.parametrize("executor", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {}, {"bins": 8}, {"edges": [0, 10, 60.5, np.inf]}, {"cutoff": 60, "per": "source"},
        {"per": "source", "quantiles": [0.9, 0.5], "bins": 300},
    ],
)  # fmt: skip
def test_a_stopped_call_goes_on(
    dtype: str, method: Any, executor: bool, options: Any, city: apsp.Graph, groups: Any, place: Path
) -> None:
    graph = city.with_weights((city.weights * 0.37).astype(dtype) + 1)
    call: Any = {"method": method, "threads": 1, **options}
    with pytest.raises(StopError):
        apsp.distance_statistics(graph, groups, store=place, progress=stop_after(60), **call)
    before = shards(place)
    assert 0 < len(shards(place, LAST)) < 9
    with ThreadPoolExecutor(2) as workers:
        found = apsp.distance_statistics(graph, groups, store=place, executor=workers if executor else None, **call)
    assert before.items() <= shards(place).items()
    assert len(shards(place, LAST)) == (13 if "per" in options else 10)
    assert_same(found, apsp.distance_statistics(graph, groups, **call))
    after = shards(place)
    assert_same(apsp.distance_statistics(graph, groups, store=place, **call), found)
    assert shards(place) == after


@pytest.mark.parametrize("per", ["group", "source"])
def test_by_all_distances(per: Any, city: apsp.Graph, groups: Any, place: Path) -> None:
    """Sums of floats, each rounded once."""
    graph = city.with_weights(city.weights * 0.1 + np.pi)
    found = apsp.distance_statistics(graph, groups, per=per, store=place, method="dijkstra")
    far = apsp.solve(graph, method="dijkstra").distances
    of = np.array([-1 if group is None else found.names.index(group) for group in groups])
    for row in range(len(found.pairs)):
        sources = [row] if per == "source" else np.flatnonzero(of == row).tolist()
        for group in range(3):
            columns = np.flatnonzero(of == group)
            each = [far[source, columns[columns != source]] for source in sources]
            values = np.concatenate(each)
            assert np.isfinite(values).all()
            assert found.pairs[row, group] == len(values)
            assert (found.smallest[row, group], found.largest[row, group]) == (values.min(), values.max())
            total = sum(Fraction(value) for value in values.tolist())
            assert found.total[row, group] == pytest.approx(float(total), rel=1e-15)


@settings(max_examples=examples(25), deadline=None)
@given(
    seed=st.integers(0, 10**6), n=st.integers(0, 12), most=st.sampled_from([0, 1, 30, 150, 300]),
    negative=st.booleans(), dtype=st.sampled_from(["auto", "float32", "float64"]), has_bins=st.booleans(),
    per=st.sampled_from(["group", "source"]),
)  # fmt: skip
def test_floats_of_all_sizes(
    seed: int, n: int, most: int, negative: bool, dtype: Any, has_bins: bool, per: Any,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    m = 3 * n
    tails, heads = np.sort(rng.integers(0, max(n, 1), (2, m)), axis=0)  # acyclic: negative arcs make no cycle
    if dtype == "float32":
        most = min(most, 30)
    weights = 10.0 ** rng.uniform(-most, most, m) * (rng.choice([-1, 1], m) if negative else 1)
    weights[tails == heads] = 1
    weights[rng.random(m) < 0.1] = 0
    graph = apsp.from_edges(tails, heads, weights, n=n)
    place = tmp_path_factory.mktemp("stores") / "statistics.zarr"
    call: Any = {
        "per": per,
        "bins": 4 if has_bins else 0,
        "dtype": dtype,
        "method": "johnson" if negative else "dijkstra",
    }
    chosen = rng.integers(0, 3, n).tolist()
    with bands_of_measures(seconds=0, least_rows=3):
        found = apsp.distance_statistics(graph, chosen, store=place, **call)
    assert_same(found, apsp.distance_statistics(graph, chosen, **call))


def test_sums_beyond_int64(place: Path) -> None:
    lengths = 2**57 - np.arange(8)
    graph = apsp.from_edges(np.arange(8), np.arange(1, 9), lengths, n=9, directed=False)
    for number, groups in enumerate(([0] * 9, [0, 1, 0, 1, None] + [0] * 4)):
        found = apsp.distance_statistics(graph, groups, store=place.with_name(f"{number}.zarr"))
        assert_same(found, apsp.distance_statistics(graph, groups))
    at = np.cumsum([0, *lengths]).tolist()
    assert apsp.distance_statistics(graph, store=place).total[0, 0] == sum(abs(a - b) for a in at for b in at) > 2**63


@pytest.mark.parametrize("direction", ["out", "in"])
def test_some_sources_with_labels(direction: Any, city: apsp.Graph, groups: Any, place: Path) -> None:
    graph = apsp.Graph(city.indptr, city.indices, city.weights, labels=[f"v{k}" for k in range(city.n)])
    some = ["v9", "v3", "v150", "v9"]
    options: Any = {"per": "source", "sources": some, "direction": direction, "quantiles": 0.5}
    found = apsp.distance_statistics(graph, groups, store=place, **options)
    assert found.sources.tolist() == some
    assert_same(found, apsp.distance_statistics(graph, groups, **options))
    assert zarr.open_group(place, mode="r")["pairs"].shape == (3, 3)
    between = apsp.distance_statistics(graph, groups, sources=some, store=place.with_name("between.zarr"))
    assert_same(between, apsp.distance_statistics(graph, groups, sources=some))


@pytest.mark.few(2)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("per", ["group", "source"])
def test_few_vertices(n: int, per: Any, place: Path) -> None:
    graph = apsp.from_edges([0] * (n > 1), [1] * (n > 1), n=n)
    for groups in (None, [None] * n, [set()], list(range(n)), [[0]] if n else []):
        place = place.with_name(f"{place.name}_")
        found = apsp.distance_statistics(graph, groups, per=per, bins=3, store=place)
        assert_same(found, apsp.distance_statistics(graph, groups, per=per, bins=3))


def test_other_programs_read_it(city: apsp.Graph, groups: Any, place: Path) -> None:
    found = apsp.distance_statistics(city, groups, per="source", quantiles=[0.25, 0.5], store=place)
    group = zarr.open_group(place, mode="r")
    for name in ("pairs", "total", "smallest", "largest"):
        assert np.array_equal(group[name][...], getattr(found, name))
        assert group[name].metadata.dimension_names[0] == "source"
    assert np.array_equal(group["quantiles"][...].reshape(200, 3, 2), found.quantiles)
    between = place.with_name("between.zarr")
    found = apsp.distance_statistics(city, groups, store=between)
    group = zarr.open_group(between, mode="r")
    assert np.array_equal(group["pairs"][...].sum(axis=0).reshape(3, 3), found.pairs)
    low, high = group["words"][...].sum(axis=0).reshape(2, 3, 3)
    assert np.array_equal(low + (high << 32), found.total)


def test_sums_of_floats_take_few_bytes(city: apsp.Graph, groups: Any, place: Path) -> None:
    """By the sizes of the weights: of 68 words that hold every float64, few are kept."""
    apsp.distance_statistics(city.with_weights(city.weights * 0.1 + 0.1), groups, store=place)
    group = zarr.open_group(place, mode="r")
    assert group["words"].shape[1] in (9 * 3, 9 * 4)
    assert group["words"].attrs.asdict() == {}


@pytest.mark.slow
def test_integers_go_on_in_another_way(city: apsp.Graph, groups: Any, place: Path) -> None:
    """Their bits depend on neither method, nor device, nor threads."""
    options: Any = {"per": "source", "bins": 16}
    with pytest.raises(StopError):
        apsp.distance_statistics(
            city, groups, store=place, method="dijkstra", threads=2, progress=stop_after(60), **options
        )
    found = apsp.distance_statistics(city, groups, store=place, method="label-correcting", device="emulated", **options)
    assert_same(found, apsp.distance_statistics(city, groups, device="cpu", method="dijkstra", **options))


def test_floats_go_on_in_the_same_way(city: apsp.Graph, groups: Any, place: Path) -> None:
    graph = city.with_weights(city.weights * 0.1)
    with pytest.raises(StopError):
        apsp.distance_statistics(graph, groups, store=place, method="elimination", threads=2, progress=stop_after(60))
    with pytest.raises(apsp.RequestError, match="it has method='elimination', on which its bits depend, this call"):
        apsp.distance_statistics(graph, groups, store=place, method="dijkstra")
    found = apsp.distance_statistics(graph, groups, store=place)
    assert_same(found, apsp.distance_statistics(graph, groups, method="elimination", threads=2))


@pytest.mark.few(1)
@pytest.mark.parametrize("per", ["group", "source"])
def test_several_runs_and_executors_share_a_store(per: Any, city: apsp.Graph, groups: Any, place: Path) -> None:
    graph = city.with_weights(city.weights * 0.3)
    call: Any = {"per": per, "store": place, "method": "dijkstra", "threads": 1, "bins": 9}
    with pytest.raises(StopError):
        apsp.distance_statistics(graph, groups, progress=stop_after(40), **call)
    before = shards(place)
    with ThreadPoolExecutor(2) as workers, ThreadPoolExecutor(3) as runs:
        ways: list[Any] = [{"executor": workers}, {}, {"executor": workers}]
        begun = [runs.submit(apsp.distance_statistics, graph, groups, **way, **call) for way in ways]
        found = [run.result() for run in begun]
    assert before.items() <= shards(place).items()
    assert not list(place.rglob(".claims"))
    for each in found:
        assert_same(each, apsp.distance_statistics(graph, groups, **(call | {"store": None})))


@pytest.mark.slow
def test_a_store_with_more_numbers_answers_for_fewer(city: apsp.Graph, groups: Any, place: Path) -> None:
    """Also while bands are missing: they get all numbers of the store."""
    options: Any = {"per": "source", "bins": 8, "quantiles": 0.5}
    with pytest.raises(StopError):
        apsp.distance_statistics(city, groups, store=place, progress=stop_after(60), **options)
    found = apsp.distance_statistics(city, groups, per="source", store=place)
    assert_same(found, apsp.distance_statistics(city, groups, per="source"))
    before = shards(place)
    assert_same(
        apsp.distance_statistics(city, groups, store=place, **options),
        apsp.distance_statistics(city, groups, **options),
    )
    assert shards(place) == before


def test_other_requests(city: apsp.Graph, groups: Any, place: Path) -> None:
    call: Any = {"per": "source", "cutoff": 90, "bins": 8, "quantiles": 0.5}
    apsp.distance_statistics(city, groups, store=place, **call)
    before, other = shards(place), city.weights.copy()
    other[3] += 1
    for difference, wrong in {
        "it has bins=8, this call bins=9": {"bins": 9},
        "it has no edges": {"edges": [0, 5], "bins": 0},
        r"it has quantiles=\[0.5\], this call quantiles=\[0.25\]": {"quantiles": 0.25},
        "it has per='source', this call per='group'": {"per": "group", "quantiles": ()},
        "it has other groups": {"groups": None},
        "it has other sources": {"sources": [1, 2]},
        "it has cutoff=90, this call cutoff=None": {"cutoff": None},
        "it has dtype='uint16', this call dtype='int64'": {"dtype": "int64"},
        "its arc from .* has the weight": {"graph": city.with_weights(other)},
    }.items():
        with pytest.raises(apsp.RequestError, match=difference):
            apsp.distance_statistics(**{"graph": city, "groups": groups, **call, **wrong}, store=place)
    with pytest.raises(apsp.RequestError, match="holds parts of distance_statistics: name another store"):
        apsp.farness(city, store=place)
    with pytest.raises(apsp.FileFormatError, match="a store of distance_statistics, not of distances: it is read by"):
        apsp.load(place)
    assert shards(place) == before
    missing = place.with_name("missing.zarr")
    for words, wrong in {
        "leave out pages_file, or store": {"pages_file": "pages"},
        r"leave out quantiles, or store; or .*summary\(groups=\.\.\., quantiles": {"quantiles": 0.5},
    }.items():
        with pytest.raises(apsp.RequestError, match=words):
            apsp.distance_statistics(city, groups, store=missing, **wrong)
    assert not missing.exists()


def test_the_remedy_for_quantiles_between_groups(city: apsp.Graph, groups: Any, place: Path) -> None:
    found = apsp.solve(city, store=place).summary(groups=groups, quantiles=0.5).distance_statistics()
    assert_same(found, apsp.distance_statistics(city, groups, quantiles=0.5))


@pytest.mark.parametrize("array", ["words", "counts", "bin_exponent"])
def test_a_damaged_shard_is_named(array: str, city: apsp.Graph, groups: Any, place: Path) -> None:
    apsp.distance_statistics(city, groups, bins=8, store=place, method="dijkstra")
    shard = place / array / "c" / "3" / "0"
    data = bytearray(shard.read_bytes())
    data[20] ^= 255
    shard.write_bytes(data)
    with pytest.raises(
        apsp.FileFormatError,
        match=rf"{array}/c/3/0 is damaged \(a chunk differs .* remove this file, and make the same call",
    ):
        apsp.distance_statistics(city, groups, bins=8, store=place, method="dijkstra")


def test_bands_of_many_columns_have_fewer_rows(city: apsp.Graph, place: Path) -> None:
    groups = [vertex % 20 for vertex in range(city.n)]
    with bands_of_measures(seconds=0, least_rows=16, most_bytes=6400):
        found = apsp.distance_statistics(city, groups, per="source", store=place)
    header = header_at(Folder(place))
    assert header is not None
    assert header.band_rows == 10  # 4 numbers of 8 bytes per source and group
    assert header.band_bytes == 6400
    assert_same(found, apsp.distance_statistics(city, groups, per="source"))


def test_more_groups_than_fit(city: apsp.Graph, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a block of sources has between all groups must fit."""
    monkeypatch.setattr("apsp.system.machine.usable", lambda _machine: 3 * 8 * 5 * 200**2 - 1)  # sums are of two words
    with pytest.raises(apsp.MemoryLimitError, match=r"of a block of sources between 200 groups .*: fewer groups"):
        apsp.distance_statistics(city, range(city.n), store=place)
    assert not place.exists()
    monkeypatch.setattr("apsp.system.machine.usable", lambda _machine: 3 * 8 * 5 * 200**2)
    assert apsp.distance_statistics(city, range(city.n), store=place).pairs.sum() == 200 * 199
    each = apsp.distance_statistics(city, range(city.n), per="source", store=place.with_name("each.zarr"))
    assert each.pairs.shape == (200, 200)


@pytest.mark.few(1)
@pytest.mark.parametrize("dtype", [pytest.param("int32", marks=pytest.mark.slow), "float64"])
@pytest.mark.parametrize("executor", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"bins": 8}, {"edges": [0, 10, 60.5]}, {"measures": ["distance_statistics", "farness"]},
        {"sources": range(9, 190)},
    ],
)  # fmt: skip
def test_a_stopped_summary_goes_on(
    dtype: str, executor: bool, options: Any, city: apsp.Graph, groups: Any, place: Path
) -> None:
    graph = city.with_weights((city.weights * 0.37).astype(dtype) + 1)
    call: Any = {"method": "dijkstra", "threads": 1, "groups": groups, **options}
    with pytest.raises(StopError):
        apsp.summary(graph, store=place, progress=stop_after(60), **call)
    before = shards(place, "*/c/*")
    count = len(shards(place, "group_largest/c/*/0"))
    assert 0 < count < 12
    with ThreadPoolExecutor(2) as workers:
        with pytest.raises(apsp.RequestError, match="complete it by the same call as before"):
            apsp.farness(
                graph, vertices=options.get("sources"), store=place, executor=workers if executor else None,
                method="dijkstra", threads=1,
            )  # fmt: skip
        found = apsp.summary(graph, store=place, executor=workers if executor else None, **call)
    assert before.items() <= shards(place, "*/c/*").items()
    alone = apsp.summary(graph, **call)
    assert_same(found.distance_statistics(), alone.distance_statistics())
    assert np.array_equal(found.farness("out"), alone.farness("out"))
    assert found.farthest_pair == alone.farthest_pair
    if "bins" in options:
        assert found.histogram() == alone.histogram()
    # The store has the sums for other measures, too.
    after = shards(place, "*/c/*")
    assert np.array_equal(
        apsp.farness(graph, vertices=options.get("sources"), store=place, method="dijkstra", threads=1),
        alone.farness("out"),
    )
    with pytest.raises(apsp.RequestError, match="it has other groups"):
        apsp.summary(graph, store=place, **{**call, "groups": [0] * 200})
    assert shards(place, "*/c/*") == after


def test_a_summary_of_groups_without_vertices(city: apsp.Graph, place: Path) -> None:
    found = apsp.summary(city, groups=[None] * city.n, store=place)
    assert found.distance_statistics().pairs.shape == (0, 0)
    assert found.diameter == apsp.diameter(city)
    few = apsp.summary(city, groups=[0] * city.n, sources=[], store=place.with_name("few.zarr"))
    assert few.distance_statistics().pairs.tolist() == [[0]]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")
def test_workers_write_it_and_one_is_killed(city: apsp.Graph, groups: Any, place: Path) -> None:
    killed: list[int] = []

    def kill(stage: str, done: int, total: int) -> None:
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid or 0)
            os.kill(killed[0], signal.SIGKILL)

    options: Any = {"bins": 16, "executor": "processes", "threads": 1}
    found = apsp.distance_statistics(city, groups, store=place, progress=kill, **options)
    assert killed
    alone = apsp.distance_statistics(city, groups, bins=16)
    assert_same(found, alone)
    assert not list(place.rglob(".claims"))
    before = shards(place)
    assert len(shards(place, LAST)) > 4
    (place / next(iter(before))).unlink()
    assert_same(apsp.distance_statistics(city, groups, store=place, **options), alone)
    assert len(shards(place).items() - before.items()) == 1
