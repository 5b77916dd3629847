"""Several costs along shortest paths, against Dijkstra's method on tuples of Python; the file of transport planners."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import DtypeRangeError, FileFormatError, Graph, GraphError, MissingFileError, RequestError
from apsp.result.skims.omx_writing import write_omx
from by_method import fill_skims
from examples import examples
from tuple_paths import least_tuples


@st.composite
def networks(draw: st.DrawFn) -> tuple[Graph, np.ndarray]:
    n = draw(st.integers(1, 14))
    ends = st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1), st.integers(0, 2)), max_size=40)
    arcs = draw(ends)
    zones = draw(st.one_of(st.none(), st.lists(st.booleans(), min_size=n, max_size=n)))
    tails, heads, weights = zip(*arcs, strict=True) if arcs else ((), (), ())
    graph = apsp.from_edges(tails, heads, np.array(weights, dtype=np.int64), n=n, zones=zones)
    kinds = draw(st.integers(0, 4))
    others = draw(st.lists(st.integers(0, 2), min_size=graph.m * kinds, max_size=graph.m * kinds))
    along = np.array(others, dtype=np.int64).reshape(graph.m, kinds)
    return graph, np.concatenate([graph.weights[:, None], along], axis=1)  # type: ignore[index]


@settings(max_examples=examples(150), deadline=None)
@given(networks(), st.sampled_from(["elimination", "searches"]), st.integers(1, 3))
def test_ties_are_broken_by_the_other_costs(case: tuple[Graph, np.ndarray], by: str, threads: int) -> None:
    graph, costs = case
    every = np.arange(graph.n, dtype=np.int32)
    out = np.full((costs.shape[1], graph.n, graph.n), np.nan)
    fill_skims(graph, costs.astype(np.float64), every, every[::-1].copy(), out, by=by, threads=threads)
    for source in range(graph.n):
        assert [tuple(row) for row in out[:, source, ::-1].T] == least_tuples(graph, costs, source)


@pytest.mark.few(3)
@pytest.mark.parametrize("kinds", [1, 2, 3, 7, 8, 15])
@pytest.mark.parametrize("by", ["elimination", "searches"])
def test_cities(kinds: int, by: str) -> None:
    # Panels of several columns, batches that are not full, and instruction sets.
    city = apsp.generate("city", 900, seed=2, weights=(1, 4))
    rng = np.random.default_rng(kinds)
    costs = np.concatenate([city.weights[:, None], rng.integers(0, 3, (city.m, kinds - 1))], axis=1)  # type: ignore[index]
    sources, targets = (rng.integers(0, city.n, count).astype(np.int32) for count in (21, 17))
    out = np.empty((kinds, 21, 17))
    seen: list[int] = []
    fill_skims(city, costs.astype(np.float64), sources, targets, out, by=by, threads=2, progress=seen.append)
    assert seen[-1] == 21
    for row, source in enumerate(sources[:5]):
        truth = least_tuples(city, costs, int(source))
        assert [tuple(each) for each in out[:, row].T] == [truth[target] for target in targets]


@pytest.mark.parametrize("zeros", [1, 3])
def test_costs_of_zero_take_no_exponential_time(zeros: int) -> None:
    # From i + 1 to i at a cost of 2^i, or over a vertex with a larger number at no cost.
    depth = 40
    below, over = np.arange(depth), np.arange(depth) + depth + 1
    tails, heads = np.concatenate([[below + 1, below], [below + 1, over], [over, below]], axis=1)
    graph = apsp.from_edges(tails, heads, np.zeros(3 * depth, dtype=int))
    last = np.where(np.isin(graph.indices, below) & (graph.tails() <= depth), 2.0**graph.indices, 0)
    costs = np.stack([np.zeros(graph.m)] * zeros + [last], axis=1)
    out = np.empty((zeros + 1, 1, 1))
    fill_skims(graph, costs, np.array([depth], dtype=np.int32), np.array([0], dtype=np.int32), out, by="searches")
    assert not out.any()


@pytest.mark.parametrize("threads", [1, 3])
def test_wide_fronts(threads: int) -> None:
    graph = apsp.generate("random", 200, m=1200, seed=3, weights=(0, 5))
    costs = np.concatenate([graph.weights[:, None], np.random.default_rng(1).integers(0, 3, (graph.m, 2))], axis=1)  # type: ignore[index]
    every = np.arange(graph.n, dtype=np.int32)
    found = np.empty((2, 3, graph.n, graph.n))
    for out, by in zip(found, ("elimination", "searches"), strict=True):
        fill_skims(graph, costs.astype(np.float64), every, every, out, by=by, threads=threads)
    np.testing.assert_array_equal(*found)


def diamond() -> Graph:
    """Two paths of length 9 from a to d, over b and over c; c is a zone in the variant."""
    return apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 4, 3], labels=["a", "b", "c", "d"])


def test_matrices_by_name() -> None:
    found = apsp.skim(diamond(), {"toll": [2, 0, 2, 1], "km": [1.5, 9, 1.5, 9]}, cost="minutes", zones=["a", "d"])
    assert list(found) == ["minutes", "toll", "km"]
    assert found["minutes"].tolist() == [[0, 9], [math.inf, 0]]
    assert found["toll"].tolist() == [[0, 1], [math.inf, 0]]
    assert found["km"].tolist() == [[0, 18], [math.inf, 0]]
    assert "fare" not in found
    assert dict(found).keys() == set(found.keys())
    with pytest.raises(RequestError, match=r"no cost 'fare'; there are 'minutes', 'toll', 'km'"):
        found["fare"]
    assert found.zones.tolist() == found.targets.tolist() == ["a", "d"]
    other = apsp.skim(diamond(), {"km": [1.5, 9, 1.5, 9], "toll": [2, 0, 2, 1]}, zones="a", targets=["d"])
    assert other["toll"].tolist() == [[4]]  # by the second cost, which is another one


def test_tables() -> None:
    columns = apsp.skim(diamond(), {"toll": [2, 0, 2, 1]}, zones=["a", "d"]).to_long()
    assert {name: values.tolist() for name, values in columns.items()} == {
        "origin": ["a", "a", "d"], "destination": ["a", "d", "d"], "cost": [0, 9, 0], "toll": [0, 1, 0],
    }  # fmt: skip
    assert len(apsp.skim(diamond(), zones=["a", "d"]).to_long(only_reachable=False)["cost"]) == 4


def test_tables_of_libraries() -> None:
    found = apsp.skim(diamond(), {"toll": [2, 0, 2, 1]}, zones=["d", "a"])
    rows = [("d", "d", 0, 0), ("a", "d", 9, 1), ("a", "a", 0, 0)]
    for package, convert in (
        ("pandas", lambda: list(found.to_pandas().itertuples(index=False, name=None))),
        ("polars", lambda: found.to_polars().rows()),
        ("pyarrow", lambda: [tuple(row.values()) for row in found.to_arrow().to_pylist()]),
    ):
        pytest.importorskip(package)
        assert convert() == rows
    named = apsp.skim(diamond(), cost="origin")
    with pytest.raises(RequestError, match="the table has a column 'origin' of labels"):
        named.to_long()


@pytest.mark.parametrize("labels", [None, ["a", "b", "c", "d"]])
def test_files_by_their_ending(labels: list[str] | None, tmp_path: Path) -> None:
    graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 4, 3], labels=labels)
    found = apsp.skim(graph, {"toll": [2, 0, 2, 1], "file": [1, 1, 1, 1]})
    found.write(tmp_path / "skims.npz")
    with np.load(tmp_path / "skims.npz") as file:
        saved = dict(file)
    assert all(np.array_equal(saved[name], found[name]) for name in found)
    assert saved["zones"].tolist() == found.zones.tolist() == saved["targets"].tolist()
    found.write(tmp_path / "skims.csv")
    rows = (tmp_path / "skims.csv").read_text().splitlines()
    assert rows[0] == "origin,destination,cost,toll,file"
    assert len(rows) == 1 + np.isfinite(found["cost"]).sum()
    assert rows[2] == ("0,1,5.0,2.0,1.0" if labels is None else "a,b,5.0,2.0,1.0")
    pytest.importorskip("h5py")
    found.write(tmp_path / "skims.omx")
    assert apsp.read_omx(tmp_path / "skims.omx") == found
    parquet = pytest.importorskip("pyarrow.parquet")
    found.write(tmp_path / "skims.parquet")
    assert parquet.read_table(tmp_path / "skims.parquet").to_pylist() == found.to_arrow().to_pylist()


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    found = apsp.skim(diamond(), cost="zones")
    with pytest.raises(RequestError, match=r"end the name of the file in \.omx, \.parquet, \.csv or \.npz"):
        found.write(tmp_path / "skims.xls")
    with pytest.raises(RequestError, match="has the labels as 'zones'"):
        found.write(tmp_path / "skims.npz")
    with pytest.raises(RequestError, match="integers or text"):
        apsp.skim(apsp.from_edges([0], [1], labels=[(0, 1), (1, 0)])).write(tmp_path / "skims.npz")
    assert not list(tmp_path.iterdir())


def test_zones_of_the_graph() -> None:
    graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 9, 3], zones=[True, False, True, True])
    found = apsp.skim(graph, {"arcs": np.ones(4, dtype=int)})
    assert found.zones.tolist() == [0, 2, 3]
    assert found["cost"].tolist() == [[0, 6, 14], [math.inf, 0, 3], [math.inf, math.inf, 0]]  # not through zone 2


def test_costs_of_another_graph() -> None:
    graph = diamond()
    tolls = graph.with_weights([2, 0, 2, 1])
    assert apsp.skim(graph, {"toll": tolls}) == apsp.skim(graph, {"toll": tolls.weights})
    assert apsp.skim(graph, {"arcs": graph.unweighted()})["arcs"][0].tolist() == [0, 1, 1, 2]
    with pytest.raises(GraphError, match=r"along\['toll'\] is a graph with other arcs"):
        apsp.skim(graph, {"toll": graph.reversed()})


def test_costs_within_zones() -> None:
    found = apsp.skim(diamond(), {"toll": [2, 0, 2, 1]}, zones=["a", "d"], intrazonal="half_nearest")
    assert found["cost"].tolist() == [[4.5, 9], [math.inf, 0]]
    assert found["toll"].tolist() == [[0.5, 1], [math.inf, 0]]


@settings(max_examples=examples(150), deadline=None)
@given(networks(), st.randoms(use_true_random=False))
def test_costs_within_a_zone_do_not_depend_on_the_order_of_the_destinations(
    case: tuple[Graph, np.ndarray], random: Random
) -> None:
    graph, costs = case
    along = {f"cost {k}": costs[:, k] for k in range(1, costs.shape[1])}
    targets = [*range(graph.n), *random.sample(range(graph.n), random.randint(0, graph.n))]
    random.shuffle(targets)
    found = apsp.skim(graph, along, zones=range(graph.n), targets=targets, intrazonal="half_nearest").matrices
    for origin in range(graph.n):
        tuples = least_tuples(graph, costs, origin)
        nearest = min((tuples[v] for v in range(graph.n) if v != origin), default=(math.inf,))
        if math.isfinite(nearest[0]):
            tuples[origin] = tuple(cost / 2 for cost in nearest)
        assert [tuple(row) for row in found[:, origin].T] == [tuples[target] for target in targets]


@pytest.mark.parametrize("count", [0, 1])
def test_small_graphs(count: int) -> None:
    graph = apsp.from_edges([], [], [], n=count)
    assert apsp.skim(graph, {"toll": []})["toll"].shape == (count, count)
    assert apsp.skim(apsp.generate("grid", 9), zones=[])["cost"].shape == (0, 0)


@pytest.mark.parametrize(
    ("along", "words"),
    [
        ([1, 2], "along names 1, but the graph has no costs"),
        (3, "along must be names of costs of the graph"),
        ({"toll": [1, 2]}, r"along\['toll'\]: weights must be a vector of 4 numbers"),
        ({"toll": [1, 2, 3, math.nan]}, r"along\['toll'\]: arc 3, from vertex 'c' to 'd'"),
        ({"cost": [1, 2, 3, 4]}, "has the name 'cost' of the cost that the paths minimise"),
        ({3: [1, 2, 3, 4]}, "the name of a cost must be text, not 3"),
        ({str(i): [1, 2, 3, 4] for i in range(16)}, "16 costs: at most 15"),
    ],
)
def test_errors(along: object, words: str) -> None:
    with pytest.raises((GraphError, RequestError), match=words):
        apsp.skim(diamond(), along)  # type: ignore[arg-type]


def test_refused_numbers() -> None:
    graph = diamond()
    with pytest.raises(GraphError, match="negative weights"):
        apsp.skim(graph.with_weights([1, -1, 2, 3]))
    with pytest.raises(GraphError, match="'toll' is negative on the arc from vertex 'a' to 'c', whose weight is 0"):
        apsp.skim(graph.with_weights([1, 0, 2, 3]), {"toll": [0, -1, 0, 0]})
    assert apsp.skim(graph, {"toll": [0, -1, 0, 0]})["toll"][0].tolist() == [0, 0, -1, -1]
    with pytest.raises(DtypeRangeError, match=r"'cost': sums of up to 3 arcs .* may exceed 2\^53"):
        apsp.skim(graph.with_weights([1, 2, 3, 2**52]))
    with pytest.raises(RequestError, match="intrazonal"):
        apsp.skim(graph, intrazonal="half")  # type: ignore[arg-type]


@pytest.mark.parametrize("labels", [None, ["a", "b", "c", "d"]])
@pytest.mark.parametrize("targets", [None, [1, 3]])
@pytest.mark.parametrize("compression", [None, 1])
def test_open_matrix_files(
    labels: Sequence[str] | None, targets: list[int] | None, compression: int | None, tmp_path: Path
) -> None:
    h5py = pytest.importorskip("h5py")
    graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 4, 3], labels=labels)
    ends = None if targets is None else graph.labels.take(np.array(targets))
    found = apsp.skim(graph, {"toll": [2, 0, 2, 1], "km": [1.5, 9, 1.5, 9]}, cost="time", targets=ends)  # not sorted
    found.to_omx(tmp_path / "skims.omx", compression=compression)
    again = apsp.read_omx(tmp_path / "skims.omx")
    assert again == found
    with h5py.File(tmp_path / "skims.omx") as file:
        assert file.attrs["OMX_VERSION"] == b"0.2"
        assert file.attrs["SHAPE"].tolist() == list(found["toll"].shape)
        assert list(file["lookup"]) == (["zone"] if targets is None else ["destination", "origin"])


def test_open_matrix_files_of_float32(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    matrices = np.random.default_rng(1).integers(0, 2**24, (2, 17, 50)).astype(np.float64)
    matrices[:, 3, 5:9] = np.inf
    found = apsp.Skims(("a", "b"), matrices, np.arange(17), np.arange(50))
    found.to_omx(tmp_path / "skims.omx", dtype="float32")
    parts = dict(zip(found.names, matrices, strict=True)), found.zones, found.targets
    write_omx(*parts, tmp_path / "skims.omx", dtype="float32", block_bytes=8 * 50 * 2)  # two rows at a time
    with h5py.File(tmp_path / "skims.omx") as file:
        assert file["data"]["a"].dtype == np.float32
        assert np.isnan(file["data"]["b"][3, 5:9]).all()
    assert apsp.read_omx(tmp_path / "skims.omx") == found
    with pytest.raises(RequestError, match="dtype"):
        found.to_omx(tmp_path / "skims.omx", dtype="int32")  # type: ignore[arg-type]


def test_files_that_are_no_matrices(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    (tmp_path / "text.omx").write_text("1 2 3")
    with pytest.raises(FileFormatError, match="not an OMX file"):
        apsp.read_omx(tmp_path / "text.omx")
    with pytest.raises(MissingFileError):
        apsp.read_omx(tmp_path / "none.omx")
    graph = apsp.from_edges([0], [1], [1], labels=[(1, 2), (3, 4)])
    with pytest.raises(RequestError, match="integers or text"):
        apsp.skim(graph).to_omx(tmp_path / "labels.omx")
    assert not (tmp_path / "labels.omx").exists()


def test_damaged_open_matrix_files(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "skims.omx"
    skims = apsp.skim(apsp.from_edges([0, 1], [1, 0], [1, 2], labels=["a", "b"]), {"toll": [3, 4]})

    def refused(change: Callable[[Any], None], words: str) -> None:
        skims.to_omx(path)
        with h5py.File(path, "r+") as file:
            change(file)
        with pytest.raises(FileFormatError, match=words):
            apsp.read_omx(path)

    def instead(group: str, name: str, values: Any) -> Callable[[Any], None]:
        def change(file: Any) -> None:
            file.require_group(group).pop(name, None)
            file[group][name] = values

        return change

    refused(lambda file: file.pop("data"), "not an OMX file")
    refused(lambda file: (file.pop("data"), file.create_group("data")), "it has no matrices")
    refused(instead("data", "toll", np.zeros(3)), "different shapes")
    refused(instead("data", "toll", np.zeros((3, 3))), "different shapes")
    refused(instead("data", "toll", h5py.SoftLink("/data/toll")), "not an OMX file")
    refused(instead("data", "toll", np.full((2, 2), b"x")), "the matrix 'toll' has entries of type")
    refused(lambda file: file.attrs.create("SHAPE", [2, 2, 2]), "different shapes")
    refused(lambda file: file.attrs.create("SHAPE", b"\xff"), "different shapes|not an OMX file")
    refused(instead("lookup", "zone", np.array([1, 1])), "the lookup 'zone': the label 1 occurs twice")
    refused(instead("lookup", "zone", np.array([b"\xff", b"a"])), "not an OMX file")
    refused(instead("lookup", "zone", np.array([np.nan, 1])), "the lookup 'zone': .*not equal to itself")
    refused(instead("lookup", "zone", np.zeros((2, 2))), "the lookup 'zone' is not a list")
    refused(instead("lookup", "zone", np.arange(3)), "a lookup has 3 labels, the matrices have 2 zones")
    data = path.read_bytes()
    for size in range(0, len(data), 97):
        path.write_bytes(data[:size])
        with pytest.raises(FileFormatError):
            apsp.read_omx(path)


def test_lookups_that_do_not_tell_zones_apart(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    apsp.skim(apsp.from_edges([0, 1], [1, 0], [1, 2])).to_omx(tmp_path / "skims.omx")
    for entries, zones in (([7, 7], [0, 1]), ([8, 7], [8, 7])):
        with h5py.File(tmp_path / "skims.omx", "r+") as file:
            del file["lookup"]
            file["lookup/district"] = entries
        assert apsp.read_omx(tmp_path / "skims.omx").zones.tolist() == zones


def test_matrices_larger_than_memory_are_refused_before_they_are_read(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "skims.omx", "w") as file:  # a few bytes: the chunks are not written
        file.create_dataset("data/time", (10**7, 10**7), "f8", chunks=(1000, 1000))
    with pytest.raises(apsp.MemoryLimitError, match=r"10,000,000 x 10,000,000"):
        apsp.read_omx(tmp_path / "skims.omx")


@pytest.mark.parametrize("device", ["cpu", "emulated"])
def test_info_says_how_skims_were_computed(device: str) -> None:
    graph = apsp.generate("grid", 10_000, weights=(1, 9), seed=1)
    found = apsp.skim(graph, zones=list(range(0, 10_000, 100)), device=device)
    assert (found.info["method"], found.info["device"]) == ("elimination", device)
    assert found.info["seconds"] > 0
    assert apsp.skim(graph, zones=[3]).info["method"] == "searches"


def test_several_lookups_are_listed(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "skims.omx"
    apsp.skim(apsp.from_edges([0, 1], [1, 0], [1, 2])).to_omx(path)
    with h5py.File(path, "r+") as file:
        del file["lookup"]
        file["lookup/taz"], file["lookup/node"], file["lookup/district"] = [101, 102], [7, 3], [1, 1]
    with pytest.raises(
        apsp.RequestError, match=r"has the lookups 'node', 'taz', each of which.*lookup='node' names one"
    ):
        apsp.read_omx(path)
    assert apsp.read_omx(path, lookup="taz").zones.tolist() == [101, 102]
    assert apsp.read_omx(path, lookup="node").targets.tolist() == [7, 3]
    assert apsp.read_omx(path, lookup=False).zones.tolist() == [0, 1]
    with pytest.raises(apsp.RequestError, match="lookup='zone': the file has 'district', 'node', 'taz'"):
        apsp.read_omx(path, lookup="zone")
    with pytest.raises(apsp.FileFormatError, match="the label 1 occurs twice"):
        apsp.read_omx(path, lookup="district")
    with h5py.File(path, "r+") as file:
        del file["lookup/node"]
    assert apsp.read_omx(path).zones.tolist() == [101, 102]  # the only one whose entries differ
    with pytest.raises(apsp.RequestError, match="lookup must be the name"):
        apsp.read_omx(path, lookup=3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("scale", "largest", "dtype"),
    [
        (100, 655.34, "uint16"),
        (100, 655.35, "int32"),
        (1, 2.0**31, "int64"),
        (1, 65_534, "uint16"),
        (10**9, 1, "int32"),
    ],
)
def test_matrices_of_scaled_integers(scale: int, largest: float, dtype: str, tmp_path: Path) -> None:
    h5py, xarray = pytest.importorskip("h5py"), pytest.importorskip("xarray")
    values = np.round(np.random.default_rng(1).uniform(0, largest, (17, 50)) * scale) / scale
    values[2, 3], values[3, 5:9] = largest, np.inf
    found = apsp.Skims(("minutes", "km"), np.stack([values, values]), np.arange(17), np.arange(50))
    path = tmp_path / "skims.omx"
    found.to_omx(path, scales={"minutes": scale}, compression=1)
    assert apsp.read_omx(path) == found  # multiples of the unit: the nearest floats to the decimal numbers
    with h5py.File(path) as file:
        stored = file["data/minutes"]
        assert (stored.dtype, file["data/km"].dtype) == (dtype, "float64")
        assert stored[2, 3] == round(largest * scale)
        assert (stored[3, 5:9] == np.iinfo(dtype).max).all()
        raw = xarray.Dataset({"minutes": (("origin", "destination"), stored[()], dict(stored.attrs))})
    decoded = xarray.decode_cf(raw)["minutes"].to_numpy()  # another reader of these attributes
    assert np.isnan(decoded[3, 5:9]).all()
    np.testing.assert_allclose(np.nan_to_num(decoded, nan=np.inf), values, rtol=1e-6)


def test_scaled_integers_are_rounded_and_refused_where_they_cannot_be(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    graph = apsp.from_edges([0, 1], [1, 2], [0.123, 2.5])
    found, path = apsp.skim(graph, {"toll": [-1, 3]}), tmp_path / "skims.omx"
    found.to_omx(path, scales={"cost": 10, "toll": 1})
    again = apsp.read_omx(path)
    assert again["cost"][0].tolist() == [0, 0.1, 2.6]
    assert again["toll"].tolist() == found["toll"].tolist()
    for scales, words in (
        ({"time": 10}, r"there is no cost 'time'; there are 'cost', 'toll'"), ({"cost": 0}, r"scales\['cost'\]"),
        ({"cost": 0.5}, r"scales\['cost'\]"), (["cost"], "scales must be a mapping"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            found.to_omx(path, scales=scales)  # type: ignore[arg-type]
    large = apsp.Skims(("cost",), np.full((1, 1, 1), 2.0**60), np.arange(1), np.arange(1))
    with pytest.raises(RequestError, match=r"scales\['cost'\]=100: the largest value, 1\.15292e\+18"):
        large.to_omx(path, scales={"cost": 100})
    assert apsp.read_omx(path) == again  # the old file stays


def test_numbers_that_stand_for_no_value_are_no_distances(tmp_path: Path) -> None:
    """The library for R writes -1 and an attribute NA; others write what the CF conventions say."""
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "skims.omx"

    def read(values: Any, **attributes: Any) -> list[list[float]]:
        with h5py.File(path, "w") as file:
            file["data/time"] = np.array(values)
            file["data/time"].attrs.update(attributes)
        return apsp.read_omx(path)["time"].tolist()

    inf = np.inf
    assert read([[0.0, -1.0]], NA=np.array([-1.0])) == [[0, inf]]
    assert read([[0, 9999]], NA=9999.0, Description="") == [[0, inf]]
    assert read([[0, -1]]) == [[0, -1]]  # nothing says that it is none
    assert read(np.array([[7, 255]], dtype=np.uint8), _FillValue=np.uint8(255), scale_factor=0.1) == [[0.7, inf]]
    assert read([[1.5, np.nan]], missing_value=-9.0, scale_factor=2.0, add_offset=1.0) == [[4, inf]]
    assert read([[3, 4]], scale_factor=2.5) == [[7.5, 10]]
    for name in ("NA", "_FillValue", "scale_factor", "add_offset"):
        with pytest.raises(FileFormatError, match=f"the matrix 'time': its attribute {name} is not a number"):
            read([[1]], **{name: "none"})


def test_lookups_of_one_side(tmp_path: Path) -> None:
    h5py = pytest.importorskip("h5py")
    path = tmp_path / "skims.omx"

    def read(*lookups: tuple[str, list[int], Any]) -> tuple[list[int], list[int]]:
        with h5py.File(path, "w") as file:
            file["data/time"] = np.zeros((2, 2))
            for name, entries, side in lookups:
                file[f"lookup/{name}"] = entries
                if side is not None:
                    file[f"lookup/{name}"].attrs["DIM"] = side
        found = apsp.read_omx(path)
        return found.zones.tolist(), found.targets.tolist()

    assert read(("from", [7, 8], "row"), ("to", [5, 6], "col")) == ([7, 8], [5, 6])
    assert read(("from", [7, 8], "row")) == ([7, 8], [0, 1])
    assert read(("all", [7, 8], None), ("to", [5, 6], np.array([b"col"]))) == ([7, 8], [5, 6])
    assert read(("all", [7, 8], "")) == ([7, 8], [7, 8])
    assert read(("from", [7, 8], 0), ("district", [1, 1], 0), ("to", [5, 6], 1)) == ([7, 8], [5, 6])
    with pytest.raises(RequestError, match=r"several lookups of its rows, 'a', 'b'"):
        read(("a", [7, 8], "row"), ("b", [5, 6], "row"))
    with pytest.raises(FileFormatError, match=r"the lookup 'a' is of 'depth', which is neither 'row' nor 'col'"):
        read(("a", [7, 8], "depth"))
