"""Every public function that takes vertices takes places, or refuses them and says which functions take them.

Weights, coordinates and the speed are such that all numbers are sums of eighths: distances are those of exact fractions
to the last bit.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import pytest

import apsp
from apsp.graph.labels.saved import arrays_of_labels, labels_of_arrays
from apsp.running.arguments import TAKING_PLACES
from places_truth import at_vertices, ends_of, reference
from test_odd_arguments import cases

SIDE, LENGTH = 3, 8
TAKING = set(re.findall(r"\w+", TAKING_PLACES)) - {"and"}
REFUSAL = r"apsp\.matrix\(graph, places\) has their distances; solve, .* take places"

Table = dict[tuple[Any, Any], float]


class Town:
    """A grid of streets, some of them one-way, with homes and shops beside them, and exact distances."""

    def __init__(self, seed: int, directed: bool) -> None:
        rng = np.random.default_rng(seed)
        places = [(x * LENGTH, y * LENGTH) for y in range(SIDE) for x in range(SIDE)]
        streets = [(v, v + 1) for v in range(SIDE * SIDE) if (v + 1) % SIDE]
        streets += [(v, v + SIDE) for v in range(SIDE * SIDE - SIDE)]
        arcs = [(a, b, int(rng.integers(1, 9))) for a, b in streets]
        if directed:
            back = [(b, a, int(rng.integers(1, 9))) for a, b in streets if rng.random() < 0.6]
            arcs = [(b, a, w) if rng.random() < 0.2 else (a, b, w) for a, b, w in arcs] + back
        self.graph = apsp.from_edges(*map(list, zip(*arcs, strict=True)), directed=directed, coordinates=places)
        both = arcs if directed else [*arcs, *((b, a, w) for a, b, w in arcs)]
        self.best: dict[tuple[int, int], int] = {}
        for a, b, w in both:
            self.best[a, b] = min(w, self.best.get((a, b), w))
        self.points = {
            end: rng.integers(-1, SIDE * LENGTH - LENGTH + 2, (7, 2)).astype(float) for end in ("home", "shop")
        }
        self.points["shop"][0] = self.points["home"][0]
        self.homes, self.shops = (
            self.graph.snap(points, crs="plane", speed=2, labels=[f"{end} {k}" for k in range(len(points))])
            for end, points in self.points.items()
        )
        rest: Any = (set(), self.graph.indices, self.graph.tails())
        every = at_vertices(self.graph)
        self.labels = {"homes": list(self.homes.labels), "shops": list(self.shops.labels), "vertices": list(self.graph)}
        ends = {"homes": self.homes, "shops": self.shops, "vertices": every}
        self.truth = {
            (a, b): self._table(a, b, reference(both, ends[a], ends[b], *rest))
            for a, b in itertools.product(ends, repeat=2)
        }

    def _table(self, rows: str, columns: str, found: np.ndarray) -> Table:
        pairs = itertools.product(self.labels[rows], self.labels[columns])
        return {pair: far for pair, far in zip(pairs, found.ravel().tolist(), strict=True) if far < np.inf}

    def tables(self) -> list[dict[str, Any]]:
        """The homes and the shops as points."""
        return [dict(zip(self.labels[f"{end}s"], points, strict=True)) for end, points in self.points.items()]

    def length(self, path: list[Any], home: str, shop: str) -> Fraction:
        """The length of a path between a home and a shop."""
        assert (path[0], path[-1]) == (home, shop)
        one, other = self.homes.at(home), self.shops.at(shop)
        between = path[1:-1]
        if not between:
            return Fraction(self.truth["homes", "shops"][home, shop])  # along one street: of the reference
        found = dict(ends_of(self.graph, self.best, one, leaving=True))[between[0]]
        found += dict(ends_of(self.graph, self.best, other, leaving=False))[between[-1]]
        return found + sum(self.best[pair] for pair in itertools.pairwise(between))


def pairs_of(found: Any, rows: list[Any], columns: list[Any]) -> Table:
    """The finite entries of a matrix."""
    pairs = itertools.product(rows, columns)
    return {pair: far for pair, far in zip(pairs, np.asarray(found).ravel().tolist(), strict=True) if far < np.inf}


def long(found: Any, value: str = "distance") -> Table:
    columns = [column.tolist() for column in found.to_long().values()]
    names = dict(zip(found.to_long(), columns, strict=True))
    first, second = list(names)[:2]
    return {(a, b): far for a, b, far in zip(names[first], names[second], names[value], strict=True) if far < np.inf}


def each(town: Town, function: Callable[[Any, Any], float]) -> Table:
    labels = itertools.product(town.labels["homes"], town.labels["shops"])
    found = {(a, b): function(town.homes.at(a), town.shops.at(b)) for a, b in labels}
    return {pair: far for pair, far in found.items() if far < np.inf}


def by_pairs(town: Town, function: Callable[[Any, Any], Any]) -> Table:
    """Distances of pairs: one home with all shops."""
    rows = {a: function(town.homes.at(a), town.shops).tolist() for a in town.labels["homes"]}
    return {(a, b): far for a, row in rows.items() for b, far in zip(town.labels["shops"], row, strict=True)
            if far < np.inf}  # fmt: skip


def along_paths(town: Town, function: Callable[[Any, Any], list[Any]]) -> Table:
    reached = town.truth["homes", "shops"]
    found = {pair: function(town.homes.at(pair[0]), town.shops.at(pair[1])) for pair in reached}
    return {pair: float(town.length(path, *pair)) for pair, path in found.items()}


def along_many_paths(town: Town, oracle: apsp.Oracle) -> Table:
    """The lengths of the paths from each home to all shops, which are those of the paths."""
    found = {}
    for home in town.labels["homes"]:
        paths = oracle.paths(town.homes.at(home), town.shops)
        for shop, path, far in zip(town.labels["shops"], paths, paths.distances.tolist(), strict=True):
            assert far == (float(town.length(path, home, shop)) if path else np.inf)
            found[home, shop] = far
        lines = list(paths.features().geometries)
        assert [line is None or line.is_empty for line in lines] == [far == np.inf for far in paths.distances]
    return {pair: far for pair, far in found.items() if far < np.inf}


def isochrones(town: Town) -> Table:
    found = apsp.isochrone(town.graph, town.homes, 1e6)
    table = long(found)
    return {pair: far for pair, far in table.items() if pair[1] in town.graph}


def polygons(town: Town) -> dict[tuple[Any, Any], bool]:
    shapely = pytest.importorskip("shapely")
    (block,) = apsp.stream_isochrones(town.graph, town.homes, [7], width=0.25, crs="plane")
    points = shapely.points(town.graph.coordinates)
    return {
        (home, vertex): bool(shapely.covers(area, points[vertex]))
        for home, (area,) in zip(block.sources, block.polygons, strict=True)
        for vertex in town.graph
    }


def jobs(town: Town, cutoff: float, *, at: bool) -> list[float]:
    """The number of vertices, or of shops, that each home reaches."""
    count = len(town.shops) if at else town.graph.n
    more: dict[str, Any] = {"at": town.shops} if at else {}
    found = apsp.accessibility(town.graph, np.ones(count), cutoffs=cutoff, sources=town.homes, **more)
    assert found.sources.tolist() == town.labels["homes"]
    return found.values.tolist()


def joined(town: Town, found: Any) -> Table:
    pairs: list[Any] = [long(block) for block in found]
    return {pair: far for part in pairs for pair, far in part.items()}


def by_paths(town: Town) -> Table:
    """Distances of a result with paths, which are the lengths of these."""
    found = apsp.solve(town.graph, sources=town.homes, targets=town.shops, paths=True)
    table = along_paths(town, lambda home, shop: found.path(home.labels[0], shop.labels[0]))
    assert table == {pair: found.distance(*pair) for pair in table}
    return table


def streamed(town: Town, **options: Any) -> Table:
    blocks = apsp.stream(town.graph, sources=town.homes, targets=town.shops, rows=3, **options)
    parts = [pairs_of(block.distances, block.sources.tolist(), block.targets.tolist()) for block in blocks]
    return {pair: far for part in parts for pair, far in part.items()}


def shortest_of_several(town: Town, home: Any, shop: Any, find: Any = apsp.shortest_simple_paths) -> list[Any]:
    """The first of some paths, all of which are paths of their lengths, in ascending order."""
    found = find(town.graph, home, shop, 4)
    assert len({tuple(path) for path in found}) == len(found)
    assert found.distances.tolist() == sorted(found.distances.tolist())
    for path, far in zip(found, found.distances.tolist(), strict=True):
        assert len(path) == 2 or town.length(path, home.labels[0], shop.labels[0]) == far
    return list(found[0])


Door = tuple[str, str, Callable[[Town], Any]]

DOORS: dict[str, list[Door]] = {
    "solve": [
        ("homes", "shops", lambda town: long(apsp.solve(town.graph, sources=town.homes, targets=town.shops))),
        ("homes", "vertices", lambda town: long(apsp.solve(town.graph, sources=town.homes))),
        ("vertices", "shops", lambda town: long(apsp.solve(town.graph, targets=town.shops))),
        ("homes", "homes", lambda town: long(apsp.solve(town.graph, sources=town.homes, targets=town.homes))),
        ("homes", "shops", by_paths),
    ],
    "stream": [
        ("homes", "shops", streamed),
        ("homes", "shops", lambda town: streamed(town, method="dijkstra", reuse=True)),
    ],
    "profile": [
        ("homes", "shops", lambda town: long(apsp.profile(
            town.graph, sources=town.homes, targets=town.shops, method="label-correcting").result)),
    ],
    "shortest_simple_paths": [
        ("homes", "shops", lambda town: along_paths(town, lambda *ends: shortest_of_several(town, *ends))),
    ],
    "shortest_walks": [
        ("homes", "shops", lambda town: along_paths(
            town, lambda *ends: shortest_of_several(town, *ends, apsp.shortest_walks))),
    ],
    "distance": [("homes", "shops", lambda town: each(town, lambda *ends: apsp.distance(town.graph, *ends)))],
    "distances": [("homes", "shops", lambda town: by_pairs(town, lambda *ends: apsp.distances(town.graph, *ends)))],
    "shortest_path": [
        ("homes", "shops", lambda town: along_paths(town, lambda *ends: apsp.shortest_path(town.graph, *ends))),
    ],
    "matrix": [
        ("homes", "shops", lambda town: long(apsp.matrix(town.graph, town.homes, town.shops))),
        ("homes", "vertices", lambda town: long(apsp.matrix(town.graph, town.homes))),
        ("vertices", "shops", lambda town: long(apsp.matrix(town.graph, targets=town.shops))),
    ],
    "table": [
        ("homes", "shops", lambda town: long(apsp.table(town.graph, *town.tables(), crs="plane", speed=2))),
        ("homes", "homes", lambda town: long(apsp.table(town.graph, town.homes))),
    ],
    "within": [
        ("homes", "shops", lambda town: long(apsp.within(town.graph, 1e6, sources=town.homes, targets=town.shops))),
        ("homes", "vertices", lambda town: long(apsp.within(town.graph, 1e6, sources=town.homes))),
        ("vertices", "shops", lambda town: long(apsp.within(town.graph, 1e6, targets=town.shops))),
        ("homes", "homes", lambda town: long(apsp.within(town.graph, 1e6, sources=town.homes, targets=town.homes))),
    ],
    "stream_within": [
        ("homes", "shops", lambda town: joined(
            town, apsp.stream_within(town.graph, 1e6, sources=town.homes, targets=town.shops, rows=3))),
    ],
    "k_nearest": [
        ("homes", "vertices", lambda town: long(apsp.k_nearest(town.graph, town.graph.n, sources=town.homes))),
    ],
    "nearest": [("vertices", "shops", lambda town: long(apsp.nearest(town.graph, town.shops, len(town.shops))))],
    "isochrone": [("homes", "vertices", isochrones)],
    "skim": [
        ("homes", "shops", lambda town: pairs_of(
            apsp.skim(town.graph, zones=town.homes, targets=town.shops)["cost"],
            town.labels["homes"], town.labels["shops"])),
    ],
}  # fmt: skip

OTHERS = {"stream_isochrones", "accessibility", "plan"}
"""Those with tests of their own."""

ORACLE: dict[str, Callable[[Town, apsp.Oracle], Any]] = {
    "distance": lambda town, oracle: each(town, oracle.distance),
    "distances": lambda town, oracle: by_pairs(town, oracle.distances),
    "path": lambda town, oracle: along_paths(town, oracle.path),
    "paths": along_many_paths,
    "matrix": lambda town, oracle: pairs_of(
        oracle.matrix(town.homes, town.shops), town.labels["homes"], town.labels["shops"]),
    "rows": lambda town, oracle: pairs_of(oracle.rows(town.homes), town.labels["homes"], town.labels["vertices"]),
}  # fmt: skip


@pytest.fixture(name="town", params=itertools.product(range(3), [False, True]), ids=str)
def town_fixture(request: pytest.FixtureRequest) -> Town:
    return Town(*request.param)


def taking_graphs() -> dict[str, dict[str, str]]:
    """The hints of the public functions whose first parameter is a graph, or an oracle's methods."""
    functions = {name: getattr(apsp, name) for name in apsp.__all__ if inspect.isfunction(getattr(apsp, name))}
    return {
        name: {each: str(hint) for each, hint in get_type_hints(function).items()}
        for name, function in functions.items()
        if [*inspect.signature(function).parameters][:1] == ["graph"]
    }


def taking_vertices(hints: dict[str, str]) -> list[str]:
    return [name for name in hints if name in ("source", "sources", "target", "targets", "vertices")]


def test_functions_say_by_their_hints_which_take_places() -> None:
    given = {
        name: {each for each, hint in hints.items() if each != "return"} for name, hints in taking_graphs().items()
    }
    found = {name for name, hints in taking_graphs().items() if any("Places" in hints[each] for each in given[name])}
    assert found == TAKING
    assert {*DOORS, *OTHERS} == TAKING
    oracle = {
        name for name, function in inspect.getmembers(apsp.Oracle, inspect.isfunction)
        if not name.startswith("_")
        and any("Places" in str(hint) for each, hint in get_type_hints(function).items() if each != "return")
    }  # fmt: skip
    assert ORACLE.keys() == oracle


@pytest.mark.few(33)
@pytest.mark.parametrize("name", DOORS)
def test_what_takes_places_has_exact_distances(name: str, town: Town) -> None:
    for rows, columns, function in DOORS[name]:
        assert function(town) == town.truth[rows, columns]


@pytest.mark.parametrize("method", ["floyd-warshall", "dijkstra", "label-correcting", "elimination"])
def test_methods_have_exact_distances_of_places(method: Any, town: Town) -> None:
    found = apsp.solve(town.graph, sources=town.homes, targets=town.shops, method=method)
    assert found.info["method"] == method
    assert long(found) == town.truth["homes", "shops"]


def test_plans_are_those_of_places(town: Town) -> None:
    ends: dict[str, Any] = {"sources": town.homes, "targets": town.shops}
    planned, found = apsp.plan(town.graph, **ends), apsp.solve(town.graph, **ends)
    assert (planned.method, planned.dtype) == (found.info["method"], found.distances.dtype)
    assert apsp.plan(town.graph, sources=town.homes, for_="stream", rows=2).block_rows == 2
    for purpose in ("summary", "flows"):
        with pytest.raises(apsp.RequestError, match=REFUSAL):
            apsp.plan(town.graph, sources=town.homes, for_=purpose)  # type: ignore[arg-type]


def test_labels_of_places_may_be_those_of_vertices() -> None:
    """A row has the label of a place, a column that of a vertex or of another place."""
    town = Town(1, True)
    homes, shops = (town.graph.snap(town.points[end], crs="plane", speed=2) for end in ("home", "shop"))
    for targets, ends in ((shops, "shops"), (None, "vertices")):
        found = apsp.solve(town.graph, sources=homes, targets=targets, paths=True)
        table = {
            (row, column): town.truth["homes", ends].get((home, end), np.inf)
            for row, home in enumerate(town.labels["homes"])
            for column, end in enumerate(town.labels[ends])
        }
        assert {pair: found.distance(*pair) for pair in table} == table
        assert {pair: found[pair] for pair in table} == table
        assert found[:, [2, 1]].tolist() == [[table[row, 2], table[row, 1]] for row in range(len(homes))]
        assert found.to_dict(only_reachable=False) == {
            row: {column: far for (other, column), far in table.items() if other == row} for row in range(len(homes))
        }
        reached = [pair for pair, far in table.items() if far < np.inf]
        assert found.paths(*zip(*reached, strict=True)) == [found.path(*pair) for pair in reached]
        ends = [(path[0], path[-1]) for path in found.paths(*zip(*reached, strict=True))]
        assert ends == reached
        assert all(found.next_hop(*pair) == found.path(*pair)[1] for pair in reached)
        assert all(found.path(*pair) in list(found.all_paths(*pair)) for pair in reached)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"semiring": "max_min"}, "compares whole arcs, and places have parts of them: leave it out, or give vertices"),
        ({"dtype": "int32"}, "use float32 or float64"),
    ],
)
def test_solve_refuses_what_places_have_not(
    options: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    town = Town(0, False)
    with pytest.raises((apsp.RequestError, apsp.DtypeRangeError), match=message):
        apsp.solve(town.graph, sources=town.homes, **options)
    assert not list(tmp_path.iterdir())


def test_results_of_places_refuse_what_needs_all_columns(tmp_path: Path) -> None:
    town = Town(0, False)
    found = apsp.solve(town.graph, sources=town.homes, paths=True)
    for call in (found.verify, found.plot):
        with pytest.raises(apsp.RequestError, match="solve without targets and places"):
            call()
    with pytest.raises(apsp.RequestError, match=r"keeps vertices, not places: .*stream_within\(.*\)\.write"):
        apsp.within(town.graph, 5, sources=town.homes, store=tmp_path / "near.zarr")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("rows", "columns"), [("homes", "shops"), ("homes", None), (None, "shops"), ("homes", "homes")]
)
def test_files_and_stores_keep_results_of_places(
    rows: str | None, columns: str | None, town: Town, tmp_path: Path
) -> None:
    if not rows and not columns:
        return
    chosen = {"sources": rows and getattr(town, rows), "targets": columns and getattr(town, columns)}
    found = apsp.solve(town.graph, **chosen, paths=True)
    found.save(tmp_path / "found.npz")
    stored = apsp.solve(town.graph, **chosen, paths=True, store=tmp_path / "found.zarr")
    again = apsp.solve(town.graph, **chosen, paths=True, store=tmp_path / "found.zarr")
    assert again.info["rows_computed"] == 0
    read = [apsp.load(tmp_path / f"found.{ending}", check=True) for ending in ("npz", "zarr")]
    for other in (stored, again, *read):
        assert long(other) == long(found) == town.truth[rows or "vertices", columns or "vertices"]
        for pair in itertools.islice(long(found), 0, None, 5):
            assert other.distance(*pair) == found.distance(*pair)
            assert other.path(*pair) == found.path(*pair)
    with pytest.raises(apsp.RequestError, match="is of another request"):
        apsp.solve(town.graph, sources=town.shops, paths=True, store=tmp_path / "found.zarr")


@pytest.mark.parametrize(("name", "changed"), [("counts", [9, 6, 7]), ("counts", []), ("rows", [2]), ("again", [99])])
def test_damaged_labels_of_places_are_an_error(name: str, changed: list[int]) -> None:
    town = Town(0, False)
    labels = apsp.solve(town.graph, sources=town.homes, targets=town.shops).graph.labels
    arrays = arrays_of_labels(labels)
    assert labels_of_arrays(arrays) == labels
    with pytest.raises(apsp.GraphError, match="damaged"):
        labels_of_arrays(arrays | {f"place_{name}": np.array(changed, dtype=np.int64)})


@pytest.mark.parametrize("name", ["skim", "k_nearest", "accessibility"])
def test_stores_of_measures_keep_places(name: str, tmp_path: Path) -> None:
    town = Town(1, True)
    calls: dict[str, Callable[..., Any]] = {
        "skim": lambda **options: apsp.skim(town.graph, zones=town.homes, targets=town.shops, **options)["cost"][:],
        "k_nearest": lambda **options: long(apsp.k_nearest(town.graph, 4, sources=town.homes, **options)),
        "accessibility": lambda **options: apsp.accessibility(
            town.graph, np.arange(9), cutoffs=[5, 9], sources=town.homes, **options
        ).values.tolist(),
    }
    expected = calls[name]()
    for _ in range(2):
        found = calls[name](store=tmp_path / "found.zarr")
        assert np.array_equal(found, expected) if name == "skim" else found == expected


def test_what_adds_up_within_a_cutoff(town: Town) -> None:
    for cutoff in (0, 4.5, 7, 1e6):
        for at, ends in ((False, "vertices"), (True, "shops")):
            near = [pair[0] for pair, far in town.truth["homes", ends].items() if far <= cutoff]
            assert jobs(town, cutoff, at=at) == [near.count(home) for home in town.labels["homes"]]


def test_polygons_reach_the_vertices_within_the_cutoff(town: Town) -> None:
    """A polygon is wider than the reached part of a street by a quarter, which is a distance of at most a quarter."""
    truth = town.truth["homes", "vertices"]
    for pair, is_covered in polygons(town).items():
        far = truth.get(pair, np.inf)
        if not 7 < far <= 7.25:
            assert is_covered == (far <= 7)


@pytest.mark.parametrize("name", ORACLE)
def test_oracles_have_exact_distances_of_places(name: str, town: Town) -> None:
    columns = "vertices" if name == "rows" else "shops"
    assert ORACLE[name](town, apsp.prepare(town.graph, threads=1)) == town.truth["homes", columns]


@pytest.mark.parametrize("name", sorted(name for name in taking_graphs().keys() - TAKING))
def test_all_others_refuse_places(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    town = Town(0, False)
    function, arguments = cases(tmp_path)[name]
    for chosen in taking_vertices(taking_graphs()[name]):
        with pytest.raises(apsp.RequestError, match=REFUSAL):
            function(**arguments | {"graph": town.graph, chosen: town.homes})


def test_results_take_labels() -> None:
    """A place is no label; the error says what is."""
    town = Town(0, False)
    home, result = town.homes[0], apsp.solve(town.graph, paths=True)
    near, oracle = apsp.within(town.graph, 5, sources=town.homes), apsp.prepare(town.graph)
    for call in (
        lambda: result.distance(home, 2),
        lambda: result.path(2, home),
        lambda: result[home, 2],
        lambda: town.graph.index(home),
        lambda: near[home],
        lambda: apsp.matrix(town.graph, town.homes).distance(home, 2),
    ):
        with pytest.raises(apsp.GraphError, match=r"such as places.labels\[0\]; apsp.matrix takes places"):
            call()
    for call in (
        lambda: next(oracle.stream_paths(town.homes, [0] * 7)),
        lambda: oracle.summary(sources=town.homes),
        lambda: next(oracle.stream(sources=town.homes)),
    ):
        with pytest.raises(apsp.RequestError, match=REFUSAL):
            call()
    with pytest.raises(apsp.RequestError, match="there are 7 sources and 2 targets"):
        oracle.paths(town.homes, [0, 1])
    with pytest.raises(apsp.RequestError, match=r"numbers, at=places\) has one per place"):
        apsp.accessibility(town.graph, town.homes, cutoffs=3)  # type: ignore[arg-type]
