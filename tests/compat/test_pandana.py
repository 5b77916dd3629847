"""The interface of pandana beside plain loops over SciPy's distances, with the semantics that pandana documents."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import types
import urllib.parse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

from apsp.errors import ApspWarning, FileFormatError, GraphError, MissingFileError, RequestError, StoreAccessError

pd = pytest.importorskip("pandas")
from apsp import pandana  # noqa: E402

TYPES = ("sum", "mean", "min", "25pct", "median", "75pct", "max", "std", "count")


class City:
    """A random network with isolated nodes and parallel edges, and SciPy's distances of each impedance."""

    def __init__(self, seed: int, *, twoway: bool, whole: bool, n: int = 40, m: int = 70) -> None:
        rng = np.random.default_rng(seed)
        ids = rng.permutation(n) * 7 + 100
        self.ids, self.rng = ids, rng
        nodes = pd.DataFrame({"x": rng.random(n) * 10, "y": rng.random(n) * 10}, index=ids)
        tails, heads = rng.integers(0, n - 3, m), rng.integers(0, n - 3, m)
        weights = rng.integers(1, 20, (m, 2)) if whole else rng.random((m, 2)) * 10
        self.edges = pd.DataFrame(
            {"from": ids[tails], "to": ids[heads], "metres": weights[:, 0], "minutes": weights[:, 1]}
        )
        self.nodes, self.twoway = nodes, twoway
        self.net = pandana.Network(
            nodes.x, nodes.y, self.edges["from"], self.edges["to"], self.edges[["metres", "minutes"]], twoway=twoway
        )
        self.distances = {}
        for column, name in enumerate(("metres", "minutes")):
            matrix = np.full((n, n), np.inf)
            for tail, head, weight in zip(tails, heads, weights[:, column], strict=True):
                matrix[tail, head] = min(matrix[tail, head], weight)
                if twoway:
                    matrix[head, tail] = min(matrix[head, tail], weight)
            rows, columns = np.nonzero(np.isfinite(matrix))
            self.distances[name] = dijkstra(sp.csr_array((matrix[rows, columns], (rows, columns)), shape=(n, n)))


CITIES = [(seed, twoway, whole) for seed in range(3) for twoway in (True, False) for whole in (True, False)]


@pytest.fixture(
    params=CITIES, ids=lambda given: f"{given[0]}-{'two' if given[1] else 'one'}-{'int' if given[2] else 'float'}"
)
def city(request: pytest.FixtureRequest) -> City:
    seed, twoway, whole = request.param
    return City(seed, twoway=twoway, whole=whole)


def aggregated(values: list[float], distances: list[float], radius: float, kind: str, decay: str) -> float:
    """What pandana's documentation says of the values at some distances, all within the radius."""
    factor: dict[str, Callable[[float], float]] = {
        "flat": lambda _: 1.0,
        "linear": lambda d: 1 - d / radius,
        "exp": lambda d: float(np.exp(-d / radius)),
    }
    if kind == "count":
        return len(values)
    if kind in ("sum", "mean"):
        total = sum(value * factor[decay](d) for value, d in zip(values, distances, strict=True))
        return total / len(values) if kind == "mean" and values else total
    if kind == "std":
        return float(np.std(values)) if values else 0.0
    if not values:
        return -1.0
    part = {"min": 0.0, "25pct": 0.25, "median": 0.5, "75pct": 0.75, "max": 1.0}[kind]
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


@pytest.mark.few(6)
@pytest.mark.parametrize("decay", ["flat", "linear", "exp"])
def test_aggregate_of_every_type(city: City, decay: str) -> None:
    nodes, values = city.rng.integers(0, 40, 25), city.rng.normal(size=25) * 100
    city.net.set(pd.Series(city.ids[nodes]), variable=pd.Series(values), name="rent")
    for name, distances in city.distances.items():
        for radius in (4, 12.5):
            for kind in TYPES:
                found = city.net.aggregate(radius, type=kind, decay=decay, imp_name=name, name="rent")
                near = [[i for i, node in enumerate(nodes) if row[node] <= radius] for row in distances]
                wanted = [
                    aggregated(values[some].tolist(), row[nodes[some]].tolist(), radius, kind, decay)
                    for some, row in zip(near, distances, strict=True)
                ]
                assert found.index.equals(city.nodes.index)
                assert found.dtype == np.float64
                np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-6 if kind == "std" else 1e-9)


def test_other_names_of_types_and_decays() -> None:
    city = City(5, twoway=True, whole=True)
    city.net.set(pd.Series(city.ids[:9]), variable=pd.Series(np.arange(9)))
    aggregate = city.net.aggregate
    for name, others in {"mean": ("AVE", "avg", "Average"), "std": ("stddev",), "median": ("MED",)}.items():
        for other in others:
            assert aggregate(9, other, imp_name="metres").equals(aggregate(9, name, imp_name="metres"))
    assert aggregate(9, decay="exponential", imp_name="metres").equals(aggregate(9, decay="exp", imp_name="metres"))
    flat = aggregate(np.inf, decay="flat", imp_name="metres")
    assert aggregate(np.inf, imp_name="metres").equals(flat)  # d / infinity is 0
    assert [name.decode() for name in city.net.aggregations] == list(TYPES)


def test_the_deviation_of_large_values_does_not_cancel() -> None:
    city = City(1, twoway=True, whole=True)
    nodes = np.arange(30)
    values = 1e9 + city.rng.random(30)
    city.net.set(pd.Series(city.ids[nodes]), variable=pd.Series(values))
    found = city.net.aggregate(30, type="std", imp_name="metres")
    wanted = [np.std(values[row[nodes] <= 30]) if (row[nodes] <= 30).any() else 0 for row in city.distances["metres"]]
    np.testing.assert_allclose(found, wanted, atol=1e-6)


def test_values_are_aligned_and_rows_without_a_node_are_dropped() -> None:
    city = City(2, twoway=True, whole=True)
    a, b = city.ids[:2]
    nodes, values = pd.Series([a, b, -1, a], index=[1, 2, 3, 4]), pd.Series([5.0, np.nan, 7, 2], index=[4, 2, 3, 1])
    with pytest.warns(ApspWarning, match="2 of 4 rows are dropped"):
        city.net.set(nodes, variable=values)
    found = city.net.aggregate(0, decay="flat", imp_name="metres")
    assert found[a] == 7
    assert found.sum() == 7
    city.net.set(pd.Series([a, a, b]))
    assert city.net.aggregate(0, "count", imp_name="metres")[[a, b]].tolist() == [2, 1]


@pytest.mark.few(5)
def test_nearest_pois(city: City) -> None:
    at = city.rng.integers(0, 40, 9)
    at[4] = at[3]
    points = city.nodes.iloc[at].set_axis([f"shop {i}" for i in range(9)])
    city.net.set_pois("shops", 30, 12, points.x, points.y)
    for name, distances in city.distances.items():
        found = city.net.nearest_pois(14, "shops", num_pois=11, max_distance=99, imp_name=name, include_poi_ids=True)
        assert list(found.columns) == [*range(1, 12), *(f"poi{i}" for i in range(1, 12))]
        for row, (_, entry) in zip(distances, found.iterrows(), strict=True):
            near = sorted((row[node], node, i) for i, node in enumerate(at) if row[node] <= 14)
            np.testing.assert_allclose(entry.iloc[:11].astype(float), [d for d, _, _ in near] + [99] * (11 - len(near)))
            names = [f"shop {i}" for _, _, i in near]
            exact = len({d for d, _, _ in near}) == len({node for _, node, _ in near})  # no rounded ties
            if exact:
                assert entry.iloc[11 : 11 + len(near)].tolist() == names
            assert entry.iloc[11 + len(near) :].isna().all()
        short = city.net.nearest_pois(14, "shops", num_pois=2, imp_name=name)
        assert list(short.columns) == [1, 2]
        assert short.to_numpy().max() <= 14


def test_equally_near_points_come_in_the_order_of_nodes_and_rows() -> None:
    x = pd.Series([0.0, 1, 2], index=["a", "b", "c"])
    net = pandana.Network(x, x * 0, pd.Series(["a", "b"]), pd.Series(["b", "c"]), pd.DataFrame({"w": [2, 2]}))
    net.set_pois("c", 9, 9, pd.Series([2.0, 0, 2], index=[7, 8, 9]), pd.Series([0.0, 0, 0], index=[7, 8, 9]))
    found = net.nearest_pois(2, "c", num_pois=3, include_poi_ids=True)
    assert found.loc["b", ["poi1", "poi2", "poi3"]].tolist() == [8, 7, 9]
    assert found["poi1"].tolist() == [8, 8, 7]
    net.set_pois("none", 9, 9, pd.Series([50.0]), pd.Series([0.0]), mapping_distance=1)
    empty = net.nearest_pois(2, "none", include_poi_ids=True)
    assert empty[1].tolist() == [2, 2, 2]
    assert empty["poi1"].isna().all()


def test_lengths_and_paths(city: City) -> None:
    starts, ends = city.rng.integers(0, 40, (2, 60))
    names = dict(zip(city.ids.tolist(), range(40), strict=True))
    for name, distances in city.distances.items():
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            lengths = city.net.shortest_path_lengths(city.ids[starts], city.ids[ends], imp_name=name)
        wanted = distances[starts, ends]
        assert bool(caught) == bool(np.isinf(wanted).any())
        np.testing.assert_allclose(lengths, np.where(np.isinf(wanted), 4294967.295, wanted))
        steps = {}
        for tail, head, weight in zip(city.edges["from"], city.edges["to"], city.edges[name], strict=True):
            for pair in [(tail, head), (head, tail)] if city.twoway else [(tail, head)]:
                steps[pair] = min(weight, steps.get(pair, np.inf))
        paths = city.net.shortest_paths(city.ids[starts], city.ids[ends], imp_name=name)
        for start, end, length, path in zip(starts, ends, wanted, paths, strict=True):
            if np.isinf(length):
                assert len(path) == 0
                continue
            assert (names[path[0]], names[path[-1]]) == (start, end)
            total = sum(steps[pair] for pair in zip(path[:-1].tolist(), path[1:].tolist(), strict=True))
            np.testing.assert_allclose(total, length)
        again = city.net.shortest_path(city.ids[starts[0]], city.ids[ends[0]], imp_name=name)
        np.testing.assert_array_equal(again, paths[0])
    assert city.net.shortest_paths([], [], imp_name="metres") == []


def test_nodes_in_range_and_low_connectivity(city: City) -> None:
    city.net.precompute(20)
    some = [3, 8, 3]
    for name, distances in city.distances.items():
        found = city.net.nodes_in_range(city.ids[some], 11.5, imp_name=name)
        assert list(found.columns) == ["source", "destination", name]
        wanted = {
            (city.ids[s], city.ids[v]): distances[s, v] for s in (3, 8) for v in range(40) if distances[s, v] <= 11.5
        }
        pairs = list(zip(found["source"], found["destination"], strict=True))
        assert len(set(pairs)) == len(pairs)
        assert set(pairs) == set(wanted)
        np.testing.assert_allclose(found[name], [wanted[pair] for pair in pairs])
        assert found.groupby("source", sort=False)[name].is_monotonic_increasing.all()
        low = city.net.low_connectivity_nodes(11.5, 4, imp_name=name)
        assert low.tolist() == city.ids[(distances <= 11.5).sum(axis=1) < 4].tolist()


def test_node_ids_of_points() -> None:
    city = City(4, twoway=True, whole=True)
    points = pd.DataFrame(city.rng.random((30, 2)) * 12, columns=["x", "y"], index=[f"p{i}" for i in range(30)])
    found = city.net.get_node_ids(points.x, points.y)
    apart = np.hypot(*(points[c].to_numpy()[:, None] - city.nodes[c].to_numpy() for c in ("x", "y")))
    assert found.to_dict() == dict(zip(points.index, city.ids[apart.argmin(axis=1)], strict=True))
    assert found.name == "node_id"
    near = city.net.get_node_ids(points.x, points.y, mapping_distance=1)
    assert near.index.tolist() == points.index[apart.min(axis=1) <= 1].tolist()
    x, y = city.nodes.x, city.nodes.y
    assert city.net.bbox == [x.min(), y.min(), x.max(), y.max()]


def test_old_calls_with_init_pois() -> None:
    city = City(4, twoway=True, whole=True)
    with pytest.warns(DeprecationWarning, match="remove the call"):
        pandana.network.reserve_num_graphs(1)
    with pytest.raises(AssertionError, match="maxdist and maxitems"):
        city.net.set_pois("a", x_col=city.nodes.x, y_col=city.nodes.y)
    with pytest.warns(DeprecationWarning, match="set_pois"):
        city.net.init_pois(1, 20, 3)
    city.net.set_pois("a", city.nodes.x, city.nodes.y)
    city.net.set_pois(category="b", x_col=city.nodes.x, y_col=city.nodes.y)
    assert (city.net.nearest_pois(20, "a", imp_name="metres") == 0).to_numpy().all()
    assert (city.net.nearest_pois(20, "b", 3, imp_name="metres")[1] == 0).all()


WRONG: list[tuple[Callable[[City], Any], type[Exception], str]] = [
    (lambda c: c.net.aggregate(3), AssertionError, "there are 2 impedances, name one"),
    (
        lambda c: c.net.aggregate(3, imp_name="yards"),
        AssertionError,
        "no impedance 'yards'; there are: metres, minutes",
    ),
    (lambda c: c.net.aggregate(3, imp_name="metres", name="nothing"), AssertionError, "no values called 'nothing'"),
    (lambda c: c.net.aggregate(3, type="mode", imp_name="metres"), RequestError, "type must be one of sum"),
    (lambda c: c.net.aggregate(3, decay="steep", imp_name="metres"), RequestError, "decay must be one of exp"),
    (lambda c: c.net.aggregate(-1, imp_name="metres"), RequestError, "distance must be a number of at least 0"),
    (lambda c: c.net.aggregate(0, imp_name="metres"), RequestError, "greater than 0 with a decay"),
    (lambda c: c.net.precompute(-1), RequestError, "distance must be a number"),
    (lambda c: c.net.nearest_pois(3, "shops", imp_name="metres"), AssertionError, "call set_pois"),
    (lambda c: c.net.nearest_pois(3, "all", 4, imp_name="metres"), AssertionError, "more than the maxitems=3"),
    (lambda c: c.net.nearest_pois(21, "all", imp_name="metres"), AssertionError, "longer than the maxdist=20"),
    (lambda c: c.net.nearest_pois(3, "all", 0, imp_name="metres"), RequestError, "num_pois"),
    (lambda c: c.net.set_pois("a", 3, 3), AssertionError, "x_col and y_col"),
    (lambda c: c.net.get_node_ids([np.nan], [1.0]), RequestError, "point 0 has no finite coordinates"),
    (lambda c: c.net.shortest_path(-5, c.ids[0], "metres"), GraphError, "-5, row 0 of nodes_a, is not a node ID"),
    (lambda c: c.net.shortest_paths([1], [], "metres"), RequestError, "there must be as many"),
    (lambda c: c.net.nodes_in_range([-5], 3, "metres"), GraphError, "-5, row 0 of nodes, is not a node ID"),
    (lambda c: c.net.set(c.nodes.index.to_series(), c.nodes.x.astype(str) + "m"), RequestError, "must be numbers"),
    (lambda c: c.build(metres=-1), GraphError, "must be a number of at least 0"),
    (lambda c: c.build(metres=np.nan), GraphError, "must be a number of at least 0"),
    (lambda c: c.build(metres="far"), RequestError, "must be numbers"),
    (lambda c: c.build(to=-5), GraphError, "-5, row 0 of column 'to' of the edges, is not a node ID"),
    (lambda c: pandana.Network([0, 0], [0, 0], [], [], []), RequestError, "a pandas DataFrame"),
    (
        lambda _: pandana.Network(
            pd.Series([0, 1], index=[5, 5]), pd.Series([0, 1], index=[5, 5]), [], [], pd.DataFrame({"w": []})
        ),
        GraphError,
        "node 5 is there twice",
    ),
]


class Buildable(City):
    """A city that can be built again with a column changed."""

    def build(self, **changed: Any) -> Any:
        edges = self.edges.assign(**changed)
        return pandana.Network(self.nodes.x, self.nodes.y, edges["from"], edges["to"], edges[["metres", "minutes"]])


@pytest.mark.parametrize(("call", "kind", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_wrong_calls(call: Callable[[Any], Any], kind: type[Exception], message: str) -> None:
    city = Buildable(4, twoway=True, whole=True)
    city.net.set(pd.Series(city.ids))
    city.net.set_pois("all", 20, 3, city.nodes.x, city.nodes.y)
    with pytest.raises(kind, match=message) as caught:
        call(city)
    assert isinstance(caught.value, (RequestError, GraphError))


def test_edges_with_a_repeated_index_are_taken_by_position() -> None:
    nodes = pd.Series([0.0, 1, 2])
    index = [0, 0]
    tails, heads = pd.Series([0, 1], index=index), pd.Series([1, 2], index=index)
    net = pandana.Network(nodes, nodes, tails, heads, pd.DataFrame({"w": [2, 3]}, index=index))
    assert net.shortest_path_length(0, 2) == 5
    with pytest.raises(RequestError, match="without repetition"):
        pandana.Network(nodes, nodes, tails, heads, pd.DataFrame({"w": [2, 3]}))


def test_plot() -> None:
    pytest.importorskip("matplotlib").use("agg")
    import matplotlib.pyplot as plt

    city = City(4, twoway=True, whole=True)
    for kind in ("scatter", "hexbin"):
        figure, axes = city.net.plot(city.nodes.x, bbox=(1, 2, 5, 6), plot_type=kind)
        assert axes.get_xlim() == (2, 6)
        assert len(figure.axes) == 2
        plt.close(figure)


def test_hdf5(tmp_path: Path) -> None:
    pytest.importorskip("tables")
    city = City(6, twoway=False, whole=False)
    city.net.save_hdf5(tmp_path / "city.h5")
    again = pandana.Network.from_hdf5(tmp_path / "city.h5")
    pd.testing.assert_frame_equal(again.nodes_df, city.net.nodes_df)
    pd.testing.assert_frame_equal(again.edges_df, city.net.edges_df)
    assert (again.impedance_names, again._twoway) == (["metres", "minutes"], False)
    gone = city.ids[[3, 5]]
    city.net.save_hdf5(tmp_path / "city.h5", rm_nodes=gone)
    fewer = pandana.Network.from_hdf5(tmp_path / "city.h5")
    assert fewer.node_ids.tolist() == [node for node in city.ids if node not in gone]
    assert len(fewer.edges_df) == (~(city.edges["from"].isin(gone) | city.edges["to"].isin(gone))).sum()


def test_files_that_are_no_networks(tmp_path: Path) -> None:
    pytest.importorskip("tables")
    with pytest.raises(MissingFileError):
        pandana.Network.from_hdf5(tmp_path / "none.h5")
    (tmp_path / "text.h5").write_text("text")
    with pytest.raises(FileFormatError, match="migrate_legacy"):
        pandana.Network.from_hdf5(tmp_path / "text.h5")
    with pd.HDFStore(tmp_path / "other.h5", mode="w") as store:
        store.put("nodes", pd.Series([1.0]), track_times=False)
    with pytest.raises(FileFormatError, match="no table 'edges'"):
        pandana.Network.from_hdf5(tmp_path / "other.h5")


def test_files_of_an_old_pandas(tmp_path: Path) -> None:
    tables = pytest.importorskip("tables")
    path = tmp_path / "old.h5"
    city = City(6, twoway=True, whole=True)
    city.net.save_hdf5(path)
    with tables.open_file(path, mode="a") as file:
        for node in file.walk_nodes("/"):
            for name in node._v_attrs._v_attrnamesuser:
                value = getattr(node._v_attrs, name)
                if isinstance(value, str):
                    setattr(node._v_attrs, name, np.bytes_(value.encode()))
    before = path.read_bytes()
    assert pandana.Network.from_hdf5(path, migrate_legacy=True).edges_df.equals(city.net.edges_df)
    assert path.read_bytes() == before
    pandana.loaders.pandash5.migrate_legacy_hdf(path)
    assert pandana.Network.from_hdf5(path).edges_df.equals(city.net.edges_df)


def test_reindex_and_adjacency() -> None:
    found = pandana.utils.reindex(pd.Series([1.0, 2], index=["a", "b"]), pd.Series(["b", "z"], index=[4, 9]))
    assert found.index.tolist() == [4, 9]
    assert found[4] == 2
    assert np.isnan(found[9])
    matrix = pandana.utils.adjacency_matrix(pd.DataFrame({"from": [1, 1, 2], "to": [2, 2, 3]}))
    assert matrix.to_numpy().tolist() == [[0, 2, 0], [0, 0, 1], [0, 0, 0]]


def test_nodes_of_openstreetmap(monkeypatch: pytest.MonkeyPatch) -> None:
    osm, requests = pandana.loaders.osm, []

    def answer(request: Any, timeout: float) -> io.BytesIO:
        assert timeout > 0
        requests.append(urllib.parse.parse_qs(request.data.decode())["data"][0])
        found = {"id": 7, "lat": 1.5, "lon": 2.5, "tags": {"amenity": "cafe", "source": "survey"}}
        return io.BytesIO(json.dumps({"elements": [found] if len(requests) == 1 else []}).encode())

    monkeypatch.setattr("urllib.request.urlopen", answer)
    table = osm.node_query(1, 2, 3, 4, tags=['"amenity"="cafe"', '"name"'])
    assert table.to_dict("index") == {7: {"lat": 1.5, "lon": 2.5, "amenity": "cafe"}}
    assert requests[0].replace(" ", "") == '[out:json];(node["amenity"="cafe"]["name"](1,2,3,4););out;'
    for kind in (RuntimeError, RequestError):
        with pytest.raises(kind, match="no such nodes: take a larger box"):
            osm.node_query(1, 2, 3, 4)
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: io.BytesIO(b"<html>"))
    with pytest.raises(StoreAccessError, match="did not answer"):
        osm.make_osm_query("out;")


def test_streets_of_openstreetmap_come_from_osmnet(monkeypatch: pytest.MonkeyPatch) -> None:
    bbox = pandana.loaders.osm.pdna_network_from_bbox
    monkeypatch.setitem(sys.modules, "osmnet", None)
    monkeypatch.setitem(sys.modules, "osmnet.load", None)
    with pytest.raises(ImportError, match="pip install osmnet"):
        bbox(1, 2, 3, 4)
    osmnet = types.ModuleType("osmnet.load")
    nodes = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 0.0]}, index=[5, 6])
    edges = pd.DataFrame({"from": [5], "to": [6], "distance": [80.5]})
    osmnet.network_from_bbox = lambda **given: (nodes, edges) if given["network_type"] == "drive" else None  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "osmnet", types.ModuleType("osmnet"))
    monkeypatch.setitem(sys.modules, "osmnet.load", osmnet)
    assert bbox(1, 2, 3, 4, network_type="drive").shortest_path_length(6, 5) == 80.5


def test_the_computations_by_position() -> None:
    net = pandana.cyaccess.cyaccess(
        np.arange(3), np.zeros((3, 2)), np.array([[0, 1], [1, 2]]), np.array([[4.0, 3]]), True
    )
    net.initialize_access_var(b"jobs", np.array([2, 0]), np.array([5.0, 1]))
    assert net.get_all_aggregate_accessibility_variables(4, b"jobs", b"sum", b"flat").tolist() == [1, 6, 5]
    assert net.get_all_aggregate_accessibility_variables(4, b"jobs", b"mode", b"flat").tolist() == []
    assert net.shortest_path(0, 2).tolist() == [0, 1, 2]
    with pytest.raises(GraphError, match="node 3 does not exist"):
        net.shortest_path(0, 3)
    with pytest.raises(RequestError, match="integers"):
        net.shortest_path_distances([0.5], [1])


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import apsp, sys; print('pandas' in sys.modules)", "False"),
        (
            (
                "from apsp import pandana as ours; ours.install(); ours.install(); import pandana.network as n;"
                "from pandana.loaders import osm, pandash5; from pandana.utils import reindex; import pandana;"
                "print(pandana is ours, n.Network is ours.Network); ours.uninstall(); import sys;"
                "print([m for m in sys.modules if m.startswith('pandana')])"
            ),
            "True True\n[]",
        ),
        (
            (
                "import sys; sys.modules['pandana'] = sys; from apsp import pandana\n"
                "try: pandana.install()\nexcept ValueError as error: print(error)"
            ),
            "pandana is imported already: call apsp.pandana.install() before its first import",
        ),
        (
            (
                "import sys; sys.modules['pandas'] = None\ntry: from apsp import pandana\n"
                "except ImportError as error: print(error)"
            ),
            "apsp.pandana needs pandas: pip install 'apsp[pandana]'",
        ),
    ],
)
def test_imports(code: str, said: str) -> None:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == said
