"""Which calls the backend takes: reasons against, errors of NetworkX, and what is kept between calls."""

from __future__ import annotations

import copy
import inspect
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import networkx as nx
import numpy as np
import pytest

from apsp.compat.networkx import backend
from apsp.compat.networkx.function import FUNCTIONS
from apsp.compat.networkx.version import networkx_version
from apsp.errors import MemoryLimitError
from compat.networkx_backend.calling import Left, consumed, ours, same, theirs

NODES = {
    "source": "a", "target": "c", "u": "a", "v": "c", "sources": {"a"}, "targets": {"c"}, "S": {"a"}
}  # fmt: skip


SETS = {"sources", "targets", "S"}


def roads(kind: Any = nx.DiGraph, length: Any = 2) -> Any:
    G = kind()
    G.add_edge("a", "b", w=length)
    G.add_edge("b", "c", w=3)
    G.add_edge("c", "a", w=1)
    G.add_edge("d", "a", w=1)
    return G


def arguments(name: str) -> dict[str, Any]:
    """What a call of a function needs besides the graph."""
    needed = {parameter for parameter, default in FUNCTIONS[name].parameters.items() if default is NEEDED}
    return {parameter: NODES[parameter] for parameter in needed}


NEEDED = FUNCTIONS["has_path"].parameters["source"]


@pytest.mark.parametrize("length", [Fraction(1, 3), Decimal(2), np.int64(2), np.float32(2), True, 10**19, "far"])
def test_other_numbers_are_left(length: Any) -> None:
    """Sums of them are of their own types, so that NetworkX adds them."""
    G = roads(nx.Graph, length)
    for name, function in FUNCTIONS.items():
        if function.weight and function.callables:
            answer = ours(name, G, **arguments(name), **{function.weight: "w"})
            assert isinstance(answer, Left), name


@pytest.mark.parametrize("length", [float("inf"), float("nan"), 2**60 + 0.5])
def test_floats_that_are_not_finite_are_left(length: float) -> None:
    G = roads(nx.Graph, length)
    G.add_edge("a", "z", w=2**60)
    assert isinstance(ours("eccentricity", G, weight="w"), Left)


def test_integers_stay_exact() -> None:
    G = roads(length=2**40 + 1)
    assert ours("single_source_dijkstra_path_length", G, "a", weight="w") == {"a": 0, "b": 2**40 + 1, "c": 2**40 + 4}
    G["b"]["c"]["w"] = 2**62
    assert isinstance(ours("closeness_centrality", G, distance="w"), Left)  # sums would not fit 64 bits


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(nx, name)])
def test_errors_are_those_of_networkx(name: str, kind: Any) -> None:
    """Nodes that do not exist, nodes without a path, graphs that are not connected."""
    G = roads(kind)
    G.add_node("island")
    needed = arguments(name)
    calls = [needed, *({**needed, each: {"x"} if each in SETS else "x"} for each in needed)]
    calls += [{**needed, each: "island"} for each in needed if each not in SETS]
    for given in calls:
        weight = FUNCTIONS[name].weight
        weight = weight if weight in inspect.signature(getattr(nx, name)).parameters else None
        for options in ({}, {weight: "w"}) if weight else ({},):
            expected = theirs(name, G, **given, **options)
            if isinstance(expected, Exception) and "not implemented for" not in str(expected):
                mine = ours(name, G, **given, **options)
                if not isinstance(mine, Left):
                    same(mine, expected)


@pytest.mark.parametrize(
    ("name", "given", "reason"),
    [
        ("diameter", {"e": {"a": 1}}, "are given"),
        ("eccentricity", {"sp": {}}, "are given"),
        ("barycenter", {"attr": "sum"}, "written into the graph"),
        ("floyd_warshall", {"weight": len}, "name of an attribute"),
        ("shortest_path", {"source": "a", "target": "b", "weight": "w"}, "both ends"),
        ("single_source_dijkstra", {"source": "a", "cutoff": Fraction(1, 2)}, "cutoff"),
        ("single_source_dijkstra", {"source": "a", "weight": lambda u, v, data: data["toll"]}, "KeyError"),
        ("global_reaching_centrality", {"weight": "w"}, "choice among shortest paths"),
        ("nonsense", {}, "not a function"),
    ],
)
def test_reasons_against(name: str, given: dict[str, Any], reason: str) -> None:
    answer = ours(name, roads(), **given)
    assert isinstance(answer, Left)
    assert reason in answer.reason


def test_null_graphs_and_trees_are_left() -> None:
    assert "null graph" in ours("diameter", nx.Graph()).reason
    if networkx_version() >= (3, 5):
        assert "trees" in ours("center", nx.path_graph(4)).reason
    assert ours("center", nx.path_graph(4), weight="w") == [1, 2]


def test_small_graphs_and_single_searches_stay() -> None:
    small, large = nx.cycle_graph(10), nx.cycle_graph(500)
    for name in ("closeness_centrality", "diameter", "all_pairs_shortest_path_length"):
        assert "faster below" in str(backend.should_run(name, (small,), {}))
        assert backend.should_run(name, (large,), {}) is True
    assert backend.should_run("diameter", (nx.cycle_graph(20),), {"weight": "w"}) is True
    assert backend.should_run("transitive_closure", (large,), {}) is True
    assert "faster below" in str(backend.should_run("transitive_closure", (nx.path_graph(500),), {}))
    assert "first pair" in str(backend.should_run("intersection_array", (large,), {}))
    assert "making lists" in str(backend.should_run("all_pairs_shortest_path", (large,), {}))
    assert "dispatched themselves" in str(backend.should_run("shortest_path", (large, 0), {}))
    assert "both ends" in str(backend.should_run("dijkstra_path", (large, 0, 1), {}))
    for name in FUNCTIONS:
        found = backend.should_run(name, (large, 0, 1), {})
        assert found is True or isinstance(found, str)


def test_a_search_runs_where_the_graph_is_converted() -> None:
    G = nx.cycle_graph(500)
    call = ("single_source_dijkstra_path_length", (G, 0), {"weight": "weight"})
    assert "faster below 2,000" in str(backend.should_run(*call))
    converted = backend.convert_from_nx(G)
    converted.graph("weight")
    G.__networkx_cache__["backends"] = {"apsp": {"any key": converted}}
    assert backend.should_run(*call) is True
    assert backend.should_run(call[0], (G, 0), {"weight": "toll"}) is not True
    assert "every edge" in str(backend.should_run(call[0], (G, 0), {"weight": lambda *edge: 1}))


def test_measures_of_few_nodes_are_searches() -> None:
    G = nx.cycle_graph(500)
    for name, given in (
        ("eccentricity", {"v": 3}),
        ("closeness_centrality", {"u": 3}),
        ("harmonic_centrality", {"nbunch": [1, 2]}),
        ("harmonic_centrality", {"sources": [1]}),
    ):
        assert "few searches" in str(backend.should_run(name, (G,), given))
    assert backend.should_run("eccentricity", (G, list(range(100))), {}) is True


def test_a_lack_of_memory_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """NetworkX, which would need far more, does not run."""

    def solve(*_: Any, **__: Any) -> Any:
        raise MemoryLimitError("all distances", 10**15, 10**9, ["fewer sources"])

    monkeypatch.setattr("apsp.compat.networkx.shortest_paths.dense.solve", solve)
    with pytest.raises(MemoryLimitError):
        backend.floyd_warshall(backend.convert_from_nx(roads()))


def test_sums_are_kept() -> None:
    converted = backend.convert_from_nx(nx.cycle_graph(30))
    assert converted.sums(None) is converted.sums(None)
    assert converted.graph("w") is converted.graph("w")
    assert (backend.diameter(converted), backend.radius(converted)) == (15, 15)
    same(backend.harmonic_centrality(converted), theirs("harmonic_centrality", converted.origin))
    assert converted.sums(None) is converted.harmonic_sums(None)
    function = lambda u, v, data: 2  # noqa: E731
    assert converted.graph(function) is not converted.graph(function)


def test_copies_convert_again() -> None:
    G = nx.cycle_graph(5)
    converted = backend.convert_from_nx(G)
    converted.sums(None)
    for other in (copy.deepcopy(converted), pickle.loads(pickle.dumps(converted))):
        assert list(other) == list(converted)
        assert not other.keeps(None)
        assert backend.diameter(other) == 2
    assert backend.convert_to_nx(converted) is G
    assert backend.convert_to_nx([1]) == [1]


def test_views_and_reversed_graphs() -> None:
    G = roads()
    for view in (G.subgraph(["a", "b", "c"]), G.reverse(copy=False), nx.to_undirected(G), G.copy(as_view=True)):
        for name in ("closeness_centrality", "all_pairs_dijkstra_path_length", "harmonic_centrality"):
            weight = FUNCTIONS[name].weight
            same(ours(name, view, **{weight: "w"}), theirs(name, view, **{weight: "w"}))


def test_a_view_is_read_again() -> None:
    """NetworkX keeps the conversion of a view when the graph behind it changes."""
    G = nx.cycle_graph(6)
    view = G.subgraph([0, 1, 2, 3])
    converted = backend.convert_from_nx(view)
    assert backend.diameter(converted) == 3
    assert backend.shortest_path_length(converted, 0, 3) == 3
    G.add_edge(0, 3)
    assert backend.diameter(converted) == 2
    assert backend.single_source_dijkstra_path_length(converted, 0)[3] == 1
    assert not converted.keeps(None)
    directed = nx.DiGraph([(0, 1), (1, 2)])
    turned = backend.convert_from_nx(directed.reverse(copy=False))
    assert backend.closeness_centrality(turned)[2] == 0
    directed.add_edge(2, 3)
    same(backend.closeness_centrality(turned), nx.closeness_centrality(directed.reverse(), backend="networkx"))


def test_a_hidden_edge_is_hidden_only_where_networkx_hides_it() -> None:
    G = roads(length=None)
    same(ours("single_source_dijkstra_path_length", G, "a", weight="w"), {"a": 0})
    assert isinstance(ours("single_source_bellman_ford_path_length", G, "a", weight="w"), Left)
    assert isinstance(ours("single_source_dijkstra_path_length", roads(nx.MultiDiGraph, None), "a", weight="w"), Left)


def test_generators_start_with_the_conversion() -> None:
    """A generator that fails later could not be replaced by that of NetworkX."""
    G = backend.convert_from_nx(roads(length=Fraction(1, 3)))
    for name in ("all_pairs_dijkstra_path_length", "all_pairs_all_shortest_paths", "all_pairs_bellman_ford_path"):
        with pytest.raises(NotImplementedError):
            getattr(backend, name)(G, weight="w")
    assert consumed(backend.all_pairs_dijkstra_path_length(G)) == theirs("all_pairs_dijkstra_path_length", roads())


def test_a_loop_of_length_zero_beyond_the_cutoff() -> None:
    """A negative cutoff leaves the source alone, without an arc to itself."""
    G = nx.DiGraph()
    G.add_edge("a", "a", weight=0)
    G.add_edge("a", "b", weight=0)
    for cutoff in (-1, -0.5, 0, 1):
        name = "dijkstra_predecessor_and_distance"
        same(ours(name, G, "a", cutoff=cutoff), theirs(name, G, "a", cutoff=cutoff))


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if hasattr(nx, name)])
@pytest.mark.parametrize("node", [["a"], {"a": 1}])
def test_nodes_that_cannot_be_hashed(name: str, node: Any) -> None:
    """TypeError or NodeNotFound, as the function of NetworkX."""
    G, needed = roads(nx.Graph), arguments(name)
    for each in needed.keys() & {"source", "target", "u", "v"}:
        given = {**needed, each: node}
        same(ours(name, G, **given), theirs(name, G, **given))
