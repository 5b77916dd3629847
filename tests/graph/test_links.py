"""Parallel links: which of them counts is decided by the cost that is minimised, wherever a cost is chosen."""

from __future__ import annotations

import copy
import itertools
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import Graph, GraphError, RequestError
from apsp.graph.files import losses
from examples import examples

INF = float("inf")
ENDS = [0, 0, 1], [1, 1, 2]
MINUTES, KM = [10, 12, 5], [30, 9, 2]


def roads(**options: Any) -> Graph:
    return apsp.from_edges(*ENDS, MINUTES, costs={"km": KM}, **options)


# -- every door --------------------------------------------------------------------------------------------------------

TABLE = "from,to,minutes,km\n0,1,10,30\n0,1,12,9\n1,2,5,2\n"
TNTP = """<NUMBER OF ZONES> 3
<NUMBER OF NODES> 3
<FIRST THRU NODE> 1
<NUMBER OF LINKS> 3
<END OF METADATA>
~ init_node term_node capacity length free_flow_time b power speed toll link_type ;
1 2 100 30 10 0.15 4 0 0 1 ;
1 2 200 9 12 0.15 4 0 0 1 ;
2 3 300 2 5 0.15 4 0 0 1 ;
"""
GML = """graph [ directed 1 node [ id 0 ] node [ id 1 ] node [ id 2 ]
 edge [ source 0 target 1 minutes 10 km 30 ] edge [ source 0 target 1 minutes 12 km 9 ]
 edge [ source 1 target 2 minutes 5 km 2 ] ]"""
EDGES = "".join(
    f'<edge source="{u}" target="{v}"><data key="t">{t}</data><data key="l">{km}</data></edge>'
    for u, v, t, km in zip(*ENDS, MINUTES, KM, strict=True)
)
GRAPHML = f"""<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="t" for="edge" attr.name="minutes" attr.type="int"/><key id="l" for="edge" attr.name="km" attr.type="int"/>
<graph edgedefault="directed"><node id="0"/><node id="1"/><node id="2"/>{EDGES}</graph></graphml>"""


def by_file(folder: Path, name: str, text: str, **options: Any) -> Graph:
    (folder / name).write_text(text)
    return apsp.read(folder / name, **options)


def by_networkx() -> Graph:
    nx = pytest.importorskip("networkx")
    G = nx.MultiDiGraph()
    G.add_edges_from((u, v, {"minutes": t, "km": km}) for u, v, t, km in zip(*ENDS, MINUTES, KM, strict=True))
    return apsp.from_networkx(G, "minutes", costs=["km"])


def by_parquet(folder: Path) -> Graph:
    pytest.importorskip("pyarrow")
    apsp.write(roads(), folder / "x.parquet")
    return apsp.read(folder / "x.parquet")


COLUMNS = {"from": ENDS[0], "to": ENDS[1], "minutes": MINUTES, "km": KM}
DOORS: dict[str, Any] = {
    "arrays": lambda _: roads(),
    "hops": lambda _: apsp.from_edges(*ENDS, costs={"minutes": MINUTES, "km": KM}),
    "table": lambda _: apsp.from_edges(COLUMNS, weight="minutes", costs=["km"]),
    "networkx": lambda _: by_networkx(),
    "csv": lambda folder: by_file(folder, "x.csv", TABLE, cost="minutes"),
    "tntp": lambda folder: by_file(folder, "x_net.tntp", TNTP),
    "gml": lambda folder: by_file(folder, "x.gml", GML, cost="minutes"),
    "graphml": lambda folder: by_file(folder, "x.graphml", GRAPHML, cost="minutes"),
    "parquet": by_parquet,
    "npz": lambda folder: (apsp.write(roads(), folder / "x.npz"), apsp.read(folder / "x.npz"))[1],
    "networkx and back": lambda _: apsp.from_networkx(roads().to_networkx(), costs=["km"]),
}


@pytest.mark.parametrize("door", DOORS)
def test_the_best_link_is_that_of_the_chosen_cost(door: str, tmp_path: Path) -> None:
    graph = DOORS[door](tmp_path)
    name = "length" if door == "tntp" else "km"
    first, last = graph.labels[0], graph.labels[2]
    assert graph.links is not None
    assert graph.links.costs[name].tolist() == KM
    assert apsp.skim(graph, cost=name, zones=[first, last])[name][0].tolist() == [0, 11]
    chosen = apsp.solve(graph.with_weights(name))
    assert (chosen.distance(first, last), chosen.path(first, last, links=True)) == (11, [1, 2])
    assert apsp.solve(graph).distance(first, last) == (2 if door == "hops" else 15)
    wanted = 11 if door == "hops" else 32  # of links that are equally good, that with the least cost
    assert apsp.skim(graph, [name], zones=[first, last])[name][0].tolist() == [0, wanted]
    oracle = apsp.prepare(graph)
    oracle.update(name)
    assert oracle.distance(first, last) == 11
    assert oracle.path(first, last, links=True) == [1, 2]


def test_capacities_of_links_stay() -> None:
    pytest.importorskip("networkx")
    assert roads().links.costs["km"].tolist() == KM  # type: ignore[union-attr]
    assert roads().costs["km"].tolist() == [30, 2]
    assert roads().with_weights("km").costs["km"].tolist() == [9, 2]


def test_berlin_by_length(shared_data: Path) -> None:
    """On a network with parallel links, lengths of 24,000 cells are those of SciPy on the shortest link per pair."""
    sp, csgraph = pytest.importorskip("scipy.sparse"), pytest.importorskip("scipy.sparse.csgraph")
    graph = apsp.read(shared_data / "transport/Berlin-Center/berlin-center_net.tntp.gz")
    rows, n = graph.links, graph.n
    assert rows is not None
    assert graph.zones is not None
    zones = int(graph.zones.sum())
    sources, targets = np.arange(40), np.arange(600)
    names = [graph.labels[v] for v in sources], [graph.labels[v] for v in targets]
    found = apsp.skim(graph, ["free_flow_time"], cost="length", zones=names[0], targets=names[1])["length"]
    least: dict[tuple[int, int], float] = {}
    for u, v, length in zip(*(each.tolist() for each in (rows.tails, rows.heads, rows.costs["length"])), strict=True):
        ends = (u + n if u < zones else u), v  # paths leave a zone at a copy of it, so that none passes through
        least[ends] = min(length, least.get(ends, length))
    places = np.array(list(least)).T
    matrix = sp.csr_array((list(least.values()), tuple(places)), shape=(n + zones, n + zones))
    assert matrix.nnz == len(least)  # entries of 0 are arcs
    wanted = csgraph.dijkstra(matrix, indices=sources + n)[:, targets]
    wanted[sources[:, None] == targets] = 0
    assert found.shape == (40, 600)
    assert np.array_equal(found, wanted)
    # links that are best for the time are longer
    of_time = apsp.Graph(graph.indptr, graph.indices, graph.costs["length"], zones=graph.zones)
    assert np.count_nonzero(apsp.skim(of_time, zones=sources, targets=targets)["cost"] > wanted) == 82


# -- against plain code ------------------------------------------------------------------------------------------------

NAMES = ("a", "b", "c")


@st.composite
def multigraphs(draw: st.DrawFn) -> tuple[int, list[int], list[int], dict[str, list[int]], bool]:
    n, links = draw(st.integers(1, 5)), draw(st.integers(0, 16))
    ends = st.lists(st.integers(0, n - 1), min_size=links, max_size=links)
    numbers = st.lists(st.integers(0, 4), min_size=links, max_size=links)
    return n, draw(ends), draw(ends), {name: draw(numbers) for name in NAMES}, draw(st.booleans())


def best_sums(
    n: int, tails: list[int], heads: list[int], rows: list[tuple[int, ...]], directed: bool
) -> npt.NDArray[np.float64]:
    """Least sums of tuples between all vertices, compared in the order of their entries (Floyd's method)."""
    width = len(rows[0]) if rows else len(NAMES)
    none, zero = (INF,) * width, (0,) * width
    found: Any = [[zero if u == v else none for v in range(n)] for u in range(n)]
    for u, v, row in zip(tails, heads, rows, strict=True):
        for s, t in [(u, v)] if directed else [(u, v), (v, u)]:
            found[s][t] = min(found[s][t], row)
    for k, i, j in itertools.product(range(n), repeat=3):
        found[i][j] = min(found[i][j], tuple(x + y for x, y in zip(found[i][k], found[k][j], strict=True)))
    return np.array(found, dtype=float).reshape(n, n, width)


@settings(max_examples=examples(150), deadline=None)
@given(multigraphs(), st.permutations(NAMES), st.booleans())
def test_every_cost_agrees_with_plain_code(given: Any, order: list[str], hops: bool) -> None:
    nx = pytest.importorskip("networkx")
    n, tails, heads, costs, directed = given
    weights = None if hops else np.array(costs["a"], dtype=int)
    graph = apsp.from_edges(tails, heads, weights, n=n, directed=directed, costs=costs)
    G = (nx.MultiDiGraph if directed else nx.MultiGraph)()
    G.add_nodes_from(range(n))
    G.add_edges_from(
        (u, v, {name: costs[name][k] for name in NAMES}) for k, (u, v) in enumerate(zip(tails, heads, strict=True))
    )
    for name in NAMES:
        chosen = graph.with_weights(name)
        found = apsp.skim(graph, cost=name, zones=range(n))[name]
        distances = apsp.solve(chosen)
        for u, row in nx.all_pairs_dijkstra_path_length(G, weight=name):
            for v in range(n):
                assert found[u, v] == row.get(v, INF)
                if v in row:
                    assert distances.distance(u, v) == row[v]
    skims = apsp.skim(graph, order[1:], cost=order[0], zones=range(n))
    wanted = best_sums(n, tails, heads, list(zip(*(costs[name] for name in order), strict=True)), directed)
    for k, name in enumerate(order):
        assert np.array_equal(skims[name], wanted[:, :, k])
    # arcs: the least weight, then the costs in their order, then the first link
    if graph.links is not None:
        for tail, head, link in zip(graph.tails(), graph.indices, graph.links.chosen, strict=True):
            same = [k for k in range(len(tails)) if (tails[k], heads[k]) == (tail, head)]
            if not directed:
                same = [k for k in range(len(tails)) if {tails[k], heads[k]} == {tail, head}]
            assert link == min(same, key=lambda k: (0 if hops else costs["a"][k], *(costs[c][k] for c in NAMES), k))
        assert {name: array.tolist() for name, array in graph.links.costs.items()} == costs
    assert graph == apsp.from_edges(tails, heads, weights, n=n, directed=directed, costs=costs)
    assert graph.reversed().reversed().costs == graph.costs
    assert pickle.loads(pickle.dumps(graph)) == copy.deepcopy(graph) == graph


@settings(max_examples=examples(60), deadline=None)
@given(multigraphs())
def test_flows_and_paths_speak_of_links(given: Any) -> None:
    n, tails, heads, costs, directed = given
    lengths = np.array(costs["a"], dtype=int) + 1
    graph = apsp.from_edges(tails, heads, lengths, n=n, directed=directed, costs=costs, links=True)
    assert graph.links is not None
    flows = apsp.arc_flows(graph, np.ones((n, n)), ties="first")
    edges = apsp.edge_betweenness_centrality(graph, links=True, normalized=False)
    result = apsp.solve(graph, paths=True)
    wanted = np.zeros(len(tails))
    for u, v in itertools.permutations(range(n), 2):
        if apsp.skim(graph, zones=[u], targets=[v])["cost"][0, 0] == INF:
            continue
        links = result.path(u, v, links=True)
        vertices = result.path(u, v)
        for (tail, head), link in zip(itertools.pairwise(vertices), links, strict=True):
            ends = {(tails[link], heads[link])} | (set() if directed else {(heads[link], tails[link])})
            assert (tail, head) in ends
        assert sum(lengths[links]) == result.distance(u, v)
        wanted[links] += 1
    assert flows.links.sum() == flows.arcs.sum()
    assert flows.links @ lengths == wanted @ lengths  # the same lengths: paths of one length may have other arcs
    losers = np.setdiff1d(np.arange(len(tails)), graph.links.chosen)
    assert not flows.links[losers].any()
    assert not edges[losers].any()
    values = apsp.edge_betweenness_centrality(graph, normalized=False)
    assert np.allclose(edges[graph.links.chosen], values)


# -- the whole life of a graph -----------------------------------------------------------------------------------------


def test_links_of_an_edge_are_both_of_its_arcs() -> None:
    graph = roads(directed=False)
    assert graph.m == 4
    assert graph.links.chosen.tolist() == [0, 0, 2, 2]  # type: ignore[union-attr]
    assert graph.with_weights("km").weights.tolist() == [9, 9, 2, 2]  # type: ignore[union-attr]
    assert graph.reversed() == apsp.from_edges(ENDS[1], ENDS[0], MINUTES, costs={"km": KM}, directed=False)
    assert apsp.arc_flows(graph, [[0, 0, 3], [0, 0, 0], [1, 0, 0]]).links.tolist() == [4, 0, 4]
    assert apsp.solve(graph).path(2, 0, links=True) == [2, 0]


def test_links_without_costs_are_kept_when_asked_for() -> None:
    assert apsp.from_edges(*ENDS, MINUTES).links is None
    graph = apsp.from_edges(*ENDS, MINUTES, links=True)
    assert repr(graph.links) == "Links(3)"
    assert apsp.solve(graph).path(0, 2, links=True) == [0, 2]
    assert apsp.solve(graph).path(0, 0, links=True) == []
    backward = apsp.from_edges([1, 0], [2, 1], [5, 4], links=True)  # none are parallel
    assert apsp.solve(backward).path(0, 2, links=True) == [1, 0]
    assert backward.with_weights([7, 8]).links.weights.tolist() == [8, 7]  # type: ignore[union-attr]
    assert backward.with_costs(toll=[1, 2]).links.costs["toll"].tolist() == [2, 1]  # type: ignore[union-attr]
    assert backward.with_costs(links=True, toll=[1, 2]).costs["toll"].tolist() == [2, 1]
    with pytest.raises(GraphError, match="the two arcs of the edge between 0 and 1 have different numbers"):
        apsp.from_edges([1], [0], [5], directed=False, links=True).with_weights([1, 2])
    plain = apsp.from_edges(*ENDS, MINUTES)
    for call in (
        lambda: apsp.solve(plain).path(0, 2, links=True),
        lambda: apsp.prepare(plain).path(0, 2, links=True),
        lambda: apsp.arc_flows(plain, np.ones((3, 3))).links,
        lambda: apsp.edge_betweenness_centrality(plain, links=True),
        lambda: plain.with_weights([1, 2], links=True),
        lambda: plain.with_costs(links=True, toll=[1, 2]),
    ):
        with pytest.raises(RequestError, match=r"keeps no links: apsp\.from_edges\(\.\.\., links=True\)"):
            call()


def test_numbers_of_arcs_are_refused_where_they_do_not_say_which_link_is_meant() -> None:
    graph = roads(labels=["a", "b", "c"])
    words = r"which of the parallel links from 'a' to 'b' they are of: give one number per link.*links=True"
    for call in (
        lambda: graph.with_weights([1, 2]),
        lambda: graph.with_costs(toll=[1, 2]),
        lambda: apsp.prepare(graph).update([1, 2]),
    ):
        with pytest.raises(GraphError, match=words):
            call()
    assert apsp.skim(graph, {"km": graph.costs["km"]})["km"][0].tolist() == [0, 30, 32]
    with pytest.raises(RequestError, match="of parallel links 'km' takes others than the arcs"):
        apsp.skim(graph, {"toll": [1, 2]}, cost="km")
    with pytest.raises(GraphError, match="is a graph whose arcs are other links"):
        apsp.skim(graph, {"toll": graph.with_weights("km")})
    with pytest.raises(
        RequestError, match=r"graph\.with_costs\(links=True, minutes=graph\.links\.weights\) names them"
    ):
        apsp.skim(graph, cost="minutes")
    named = graph.with_costs(links=True, minutes=graph.links.weights)  # type: ignore[union-attr]
    assert apsp.skim(named, ["km"], cost="minutes")["km"][0].tolist() == [0, 30, 32]
    slower = graph.with_weights([20, 12, 5], links=True)
    assert slower.weights.tolist() == [12, 5]  # type: ignore[union-attr]
    assert slower.costs["km"].tolist() == [9, 2]
    oracle = apsp.prepare(graph)
    oracle.update([20, 12, 5], links=True)
    assert oracle.distance("a", "c") == 17
    with pytest.raises(GraphError, match="weights must be a vector of 3 numbers"):
        graph.with_weights([1, 2], links=True)


@pytest.mark.parametrize(("parallel", "minutes", "km"), [("first", 10, 30), ("last", 12, 9)])
def test_a_caller_who_says_which_link_counts_drops_the_others(parallel: str, minutes: int, km: int) -> None:
    graph = roads(parallel=parallel)
    assert graph.links is None
    assert (graph.weights[0], graph.costs["km"][0]) == (minutes, km)  # type: ignore[index]
    with pytest.raises(RequestError, match=f"parallel='{parallel}' drops links"):
        roads(parallel=parallel, links=True)


def test_graphs_with_other_links_differ() -> None:
    other = apsp.from_edges(*ENDS, MINUTES, costs={"km": [30, 8, 2]})
    assert other.costs == roads().costs
    assert roads() == roads() != other
    assert hash(roads()) == hash(roads())
    assert roads() != apsp.from_edges(*ENDS, MINUTES, costs={"km": KM}, parallel="first")
    part = apsp.components(apsp.from_edges([0, 3, 0, 1], [1, 4, 1, 0], [10, 1, 12, 5], costs={"km": [30, 0, 9, 2]}))
    assert part.subgraph().with_weights("km").weights.tolist() == [9, 2]  # type: ignore[union-attr]
    assert roads().unweighted().costs["km"].tolist() == [9, 2]
    with pytest.raises(ValueError, match="read-only"):
        roads().links.weights[0] = 1  # type: ignore[union-attr,index]
    given = np.array(MINUTES)
    graph = apsp.from_edges(*(np.array(each, dtype=np.int32) for each in ENDS), given, costs={"km": KM})
    given[:] = 99
    assert graph == roads()


def test_saved_graphs_keep_their_links(tmp_path: Path) -> None:
    for graph in (roads(directed=False, labels=["a", "b", "c"]), apsp.from_edges(*ENDS, MINUTES, links=True)):
        apsp.write(graph, tmp_path / "x.npz")
        assert apsp.read(tmp_path / "x.npz") == graph
        assert apsp.read(tmp_path / "x.npz", parallel="last").links is None
        apsp.solve(graph).save(tmp_path / "result.npz")
        assert apsp.load(tmp_path / "result.npz").graph == graph
        apsp.prepare(graph).save(tmp_path / "oracle.npz")
        again = apsp.Oracle.load(tmp_path / "oracle.npz")
        assert again.path(graph.labels[0], graph.labels[2], links=True) == [0, 2]
        assert pickle.loads(pickle.dumps(graph)) == graph


def test_stores_of_other_links_differ(tmp_path: Path) -> None:
    pytest.importorskip("zarr")
    apsp.skim(roads(), ["km"], store=tmp_path / "x.zarr")
    assert apsp.skim(roads(), ["km"], store=tmp_path / "x.zarr")["km"][0].tolist() == [0, 30, 32]
    with pytest.raises(RequestError, match="its graph has other links"):
        apsp.skim(apsp.from_edges(*ENDS, MINUTES, costs={"km": [30, 8, 2]}), ["km"], store=tmp_path / "x.zarr")
    found = apsp.solve(roads(), store=tmp_path / "y.zarr")
    assert found.graph == roads()
    with pytest.raises(RequestError, match="its graph has other links"):
        apsp.solve(apsp.from_edges(*ENDS, MINUTES, costs={"km": [30, 8, 2]}), store=tmp_path / "y.zarr")


def test_writers_keep_links_or_say_what_is_lost(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    for directed in (True, False):
        graph = apsp.from_edges(
            *ENDS, [10.0, 12.0, 5.0], directed=directed, costs={"free_flow_time": [10.0, 12.0, 5.0], "length": KM}
        )
        for name in ("x.npz", "x.parquet", "x_net.tntp"):
            assert "parallel links" not in losses(graph, name)
            apsp.write(graph, tmp_path / name)
            back = apsp.read(tmp_path / name)
            assert np.array_equal(back.with_weights("length").weights, graph.with_weights("length").weights)
            assert len(back.links.tails) == (6 if name == "x_net.tntp" and not directed else 3)  # type: ignore[union-attr]
        for name in ("x.csv", "x.gr", "x.mtx", "x.net", "x.gml", "x.graphml"):
            assert {"costs", "parallel links"} <= set(losses(graph, name))
            apsp.write(graph, tmp_path / name)
            back = apsp.read(tmp_path / name)
            assert np.array_equal(back.weights, graph.weights)
    assert "parallel links" not in losses(apsp.from_edges([0], [1], [2], links=True), "x.csv")


def test_rows_of_files_are_numbered_when_asked_for(tmp_path: Path) -> None:
    graph = by_file(tmp_path, "x.csv", "from,to,minutes\n1,2,5\n0,1,4\n0,1,3\n", links=True)
    assert apsp.solve(graph).path(0, 2, links=True) == [2, 0]
    np.save(tmp_path / "x.npy", np.ones((3, 3)))
    with pytest.raises(RequestError, match="links=True: the file holds a matrix"):
        apsp.read(tmp_path / "x.npy", links=True)


def test_networkx_edges_are_links_in_their_order() -> None:
    nx = pytest.importorskip("networkx")
    for kind in (nx.MultiGraph, nx.MultiDiGraph):
        G = kind()
        G.add_edges_from([("c", "a", {"weight": 1, "km": 7}), ("a", "b", {"weight": 2, "km": 9}),
                          ("b", "a", {"weight": 3, "km": 1}), ("a", "b", {"weight": 4, "km": 2}),
                          ("a", "a", {"weight": 5, "km": 3})])  # fmt: skip
        graph = apsp.from_networkx(G, costs=["km"])
        rows = list(zip(graph.links.tails, graph.links.heads, graph.links.costs["km"], strict=True))  # type: ignore[union-attr]
        assert [(graph.labels[u], graph.labels[v], km) for u, v, km in rows] == list(G.edges(data="km"))
        back = graph.to_networkx()
        assert (back.is_multigraph(), back.is_directed()) == (True, G.is_directed())
        assert apsp.from_networkx(back, costs=["km"]) == graph


def test_views_and_functions_of_networkx() -> None:
    nx = pytest.importorskip("networkx")
    G = nx.Graph([("c", "a"), ("a", "b"), ("b", "d")])
    graph = apsp.from_networkx(G, links=True)
    rows = zip(graph.links.tails, graph.links.heads, strict=True)  # type: ignore[union-attr]
    assert [(graph.labels[u], graph.labels[v]) for u, v in rows] == list(G.edges)
    assert apsp.solve(graph).path("d", "c", links=True) == [2, 1, 0]
    part = apsp.from_networkx(G.subgraph(["a", "b", "d"]), links=True)
    assert len(part.links) == 2  # type: ignore[arg-type]
    arcs = nx.DiGraph([("a", "b"), ("b", "a")])
    assert len(apsp.from_networkx(arcs, lambda u, v, data: 2, links=True).links) == 2  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="name an edge attribute as weight, not a function"):
        apsp.from_networkx(G, lambda u, v, data: 2, links=True)
    with pytest.raises(RequestError, match=r"links=True needs one length per edge: G\.to_undirected\(\) copies"):
        apsp.from_networkx(arcs.to_undirected(as_view=True), links=True)
    with pytest.raises(RequestError, match="links must be True or False"):
        apsp.from_networkx(G, links="yes")  # type: ignore[arg-type]


# -- many paths --------------------------------------------------------------------------------------------------------


@settings(max_examples=examples(60), deadline=None)
@given(multigraphs())
def test_many_paths_have_the_links_of_each(given: Any) -> None:
    n, tails, heads, costs, directed = given
    lengths = np.array(costs["a"], dtype=int) + 1
    graph = apsp.from_edges(tails, heads, lengths, n=n, directed=directed, costs=costs, links=True)
    pairs = list(itertools.product(range(n), repeat=2))
    sources, targets = ([pair[end] for pair in pairs] for end in (0, 1))
    result, oracle = apsp.solve(graph, paths=True), apsp.prepare(graph)

    def links(path: list[int]) -> list[int]:
        arc = dict(zip(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True),
                       graph.links.chosen.tolist(), strict=True))  # type: ignore[union-attr]  # fmt: skip
        return [arc[pair] for pair in itertools.pairwise(path)]

    assert result.paths(sources, targets, links=True) == list(map(links, result.paths(sources, targets)))
    wanted = list(map(links, oracle.paths(sources, targets)))
    found = oracle.paths(sources, targets, links=True)
    assert list(found) == wanted
    assert found.distances.tolist() == oracle.paths(sources, targets).distances.tolist()
    assert [path for block in oracle.stream_paths(sources, targets, links=True, pairs=3) for path in block] == wanted
    for u, v, path in zip(sources, targets, result.paths(sources, targets), strict=True):
        if path:
            assert list(result.all_paths(u, v, links=True)) == list(map(links, result.all_paths(u, v)))


def test_paths_of_links_are_columns_too() -> None:
    found = apsp.prepare(roads(labels=["a", "b", "c"])).paths(["a", "b"], ["c", "b"], links=True)
    assert repr(found) == "ManyPaths(2 paths, 2 links, uint16)"
    assert {name: column.tolist() for name, column in found.to_long().items()} == {"path": [0, 0], "link": [0, 2]}
    with pytest.raises(RequestError, match=r"\.positions has their numbers"):
        _ = found.vertices
    plain = apsp.from_edges(*ENDS, MINUTES)
    for call in (apsp.solve(plain).paths, apsp.prepare(plain).paths, apsp.prepare(plain).stream_paths):
        with pytest.raises(RequestError, match="keeps no links"):
            call([0], [2], links=True)
    with pytest.raises(RequestError, match="keeps no links"):
        apsp.solve(plain).all_paths(0, 2, links=True)


# -- one-way and two-way rows ------------------------------------------------------------------------------------------

MIXED = "from,to,oneway,minutes,capacity\n1,2,no,5,100\n2,3,yes,4,200\n3,1,no,9,300\n3,2,-1,3,400\n2,1,yes,2,500\n"


def mixed() -> Graph:
    """The rows of MIXED as arrays."""
    ways = [False, True, False, True, True]
    return apsp.from_edges([0, 1, 2, 1, 1], [1, 2, 0, 2, 0], [5, 4, 9, 3, 2], directed=ways, labels=[1, 2, 3],
                           costs={"capacity": [100, 200, 300, 400, 500]}, links=True)  # fmt: skip


def test_links_are_the_rows_of_a_table_in_which_some_are_one_way(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    graph = by_file(tmp_path, "x.csv", MIXED, cost="minutes", costs=["capacity"], links=True)
    assert graph == mixed()
    frame = pd.read_csv(tmp_path / "x.csv")
    assert apsp.from_edges(frame, weight="minutes", costs=["capacity"], links=True) == graph
    frame.to_parquet(tmp_path / "x.parquet")
    assert apsp.read(tmp_path / "x.parquet", cost="minutes", costs=["capacity"], links=True) == graph
    assert graph.links.one_way.tolist() == [False, True, False, True, True]  # type: ignore[union-attr]
    assert graph.links.are_parallel  # type: ignore[union-attr]
    loaded = graph.with_costs(links=True, load=frame["capacity"])
    assert loaded.links.costs["load"].tolist() == [100, 200, 300, 400, 500]  # type: ignore[union-attr]
    result = apsp.solve(graph, paths=True)
    assert result.path(1, 3, links=True) == [0, 3]  # 5 + 3
    assert result.path(3, 2, links=True) == [2, 0]  # 9 + 5, both against the row
    assert result.path(2, 1, links=True) == [4]
    flows = apsp.arc_flows(graph, [[0, 0, 1], [2, 0, 0], [0, 4, 0]])
    assert flows.links.tolist() == [5, 0, 4, 1, 2]
    with pytest.raises(GraphError, match="which of the parallel links from 1 to 2"):
        graph.with_weights(np.ones(graph.m))


def test_mixed_links_stay_what_they_are(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    nx = pytest.importorskip("networkx")
    graph = mixed()
    for name in ("x.npz", "x.parquet"):
        apsp.write(graph, tmp_path / name)
        assert apsp.read(tmp_path / name) == graph
    apsp.solve(graph).save(tmp_path / "result.npz")
    assert apsp.load(tmp_path / "result.npz").graph == graph
    assert pickle.loads(pickle.dumps(graph)) == copy.deepcopy(graph) == graph
    assert graph.reversed().reversed() == graph
    assert apsp.solve(graph.reversed()).path(3, 1, links=True) == [3, 0]
    assert graph != apsp.from_edges(*graph.to_edges(), labels=[1, 2, 3])
    back = graph.to_networkx()
    assert isinstance(back, nx.MultiDiGraph)
    assert back.number_of_edges() == 7
    assert np.array_equal(apsp.solve(apsp.from_networkx(back)).distances, apsp.solve(graph).distances)
    both = apsp.from_edges([0, 1, 3], [1, 0, 4], directed=[False, False, True], links=True)
    part = apsp.components(both).subgraph()
    assert (len(part.links), part.m, part.directed) == (2, 2, True)  # type: ignore[arg-type]
    apsp.write(part, tmp_path / "part.npz")
    assert apsp.read(tmp_path / "part.npz") == part


@settings(max_examples=examples(150), deadline=None)
@given(multigraphs(), st.data(), st.sampled_from(["min", "first", "last"]))
def test_mixed_links_agree_with_plain_code(given: Any, data: st.DataObject, parallel: Any) -> None:
    n, tails, heads, costs, _ = given
    one_way = data.draw(st.lists(st.booleans(), min_size=len(tails), max_size=len(tails)))
    options: Any = {"n": n, "directed": np.array(one_way, dtype=bool), "parallel": parallel}
    wanted: dict[tuple[int, int], tuple[int, ...]] = {}
    for link, (u, v) in enumerate(zip(tails, heads, strict=True)):
        key = (costs["a"][link], costs["b"][link], link) if parallel == "min" else (0, 0, link)
        for ends in {(u, v)} | (set() if one_way[link] else {(v, u)}):
            wanted[ends] = key if ends not in wanted else (max if parallel == "last" else min)(key, wanted[ends])
    plain = apsp.from_edges(tails, heads, np.array(costs["a"], dtype=int), **options)
    found = apsp.from_edges(
        tails, heads, np.array(costs["a"], dtype=int), costs={"b": costs["b"]}, links=parallel == "min", **options
    )
    assert (plain.indptr == found.indptr).all()
    assert plain.weights.tolist() == found.weights.tolist()  # type: ignore[union-attr]
    arcs = list(zip(found.tails().tolist(), found.indices.tolist(), strict=True))
    assert arcs == sorted(wanted)
    best = [wanted[arc][-1] for arc in arcs]
    assert found.weights.tolist() == [costs["a"][link] for link in best]  # type: ignore[union-attr]
    assert found.costs["b"].tolist() == [costs["b"][link] for link in best]
    if parallel == "min":
        assert found.links.chosen.tolist() == best  # type: ignore[union-attr]


def test_directions_of_arcs_are_one_boolean_each() -> None:
    pd = pytest.importorskip("pandas")
    for wrong in ([True], [1, 0, 1], [[True, True, False]]):
        with pytest.raises(RequestError, match="directed must be True, False or 3 booleans, one per arc"):
            apsp.from_edges(*ENDS, directed=wrong)
    columns = pd.DataFrame({"u": ENDS[0], "v": ENDS[1], "w": [False, True, True]}, index=[7, 8, 9])
    assert apsp.from_edges(columns.u, columns.v, directed=columns.w).m == 3
    with pytest.raises(GraphError, match="directed and tails have different labels"):
        apsp.from_edges(columns.u, columns.v, directed=columns.w[::-1])
