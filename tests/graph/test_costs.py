"""Costs of the arcs by name: checked, kept of the arc that counts, read from files and saved."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import FileFormatError, Graph, GraphError, RequestError
from apsp.graph.files import losses
from examples import examples


def roads(directed: bool = True) -> Graph:
    return apsp.from_edges(
        [0, 0, 1, 2], [1, 2, 3, 3], [5, 6, 4, 3], labels=["a", "b", "c", "d"], directed=directed,
        costs={"toll": [2, 0, 2, 1], "km": [1.5, 9, 1.5, 9]},
    )  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(st.data())
def test_parallel_arcs_keep_the_costs_of_the_arc_that_counts(data: st.DataObject) -> None:
    n, m = data.draw(st.integers(1, 4)), data.draw(st.integers(0, 25))
    ends = st.lists(st.integers(0, n - 1), min_size=m, max_size=m)
    tails, heads = data.draw(ends), data.draw(ends)
    weights = data.draw(st.none() | st.lists(st.integers(-2, 2), min_size=m, max_size=m))
    parallel, directed = data.draw(st.sampled_from(["min", "first", "last"])), data.draw(st.booleans())
    graph = apsp.from_edges(
        tails, heads, None if weights is None else np.array(weights, dtype=int), n=n, directed=directed,
        parallel=parallel, costs={"which": list(range(m))},
    )  # fmt: skip
    lengths = [1] * m if weights is None else weights
    for tail, head, which in zip(graph.tails(), graph.indices, graph.costs["which"], strict=True):
        same = [k for k in range(m) if (tails[k], heads[k]) == (tail, head)]
        if not directed:
            same = [k for k in range(m) if {tails[k], heads[k]} == {tail, head}]
        best = {"first": same[0], "last": same[-1], "min": min(same, key=lambda k: (lengths[k], k))}
        assert which == best[parallel]


def test_they_follow_the_arcs() -> None:
    graph = roads()
    assert graph.reversed().reversed() == graph
    assert graph.reversed().costs["toll"].tolist() == [2, 0, 2, 1]
    assert graph.unweighted().costs == graph.costs
    assert graph.with_weights("km").weights.tolist() == [1.5, 9, 1.5, 9]  # type: ignore[union-attr]
    part = apsp.components(apsp.from_edges([0, 1, 2], [1, 0, 1], costs={"toll": [7, 8, 9]})).subgraph()
    assert part.costs["toll"].tolist() == [7, 8]
    assert graph == copy.deepcopy(graph) == pickle.loads(pickle.dumps(graph)) == roads()
    assert graph != graph.with_costs(toll=[2, 0, 2, 2])
    assert graph != apsp.Graph(graph.indptr, graph.indices, graph.weights, labels=graph.labels)
    assert repr(graph.with_costs(seconds=[1, 2, 3, 4]).costs) == "Costs(toll, km, seconds)"
    with pytest.raises(ValueError, match="read-only"):
        graph.costs["toll"][0] = 1


def test_arrays_of_the_caller_are_copied() -> None:
    tolls = np.array([2, 0, 2, 1])
    graph = roads().with_costs(toll=tolls)
    tolls[0] = 99
    assert graph.costs["toll"][0] == 2


@pytest.mark.parametrize(
    ("costs", "words"),
    [
        ({"toll": [1, 2]}, r"costs\['toll'\]: weights must be a vector of 4 numbers"),
        ({"toll": [1, 2, 3, np.nan]}, r"costs\['toll'\]: arc 3, from vertex 'c' to 'd'"),
        ({3: [1, 2, 3, 4]}, "the name of a cost must be text, not 3"),
        ([1, 2, 3, 4], "costs must map names to numbers"),
    ],
)
def test_bad_costs(costs: object, words: str) -> None:
    graph = roads()
    with pytest.raises(GraphError, match=words):
        apsp.Graph(graph.indptr, graph.indices, graph.weights, labels=graph.labels, costs=costs)  # type: ignore[arg-type]
    with pytest.raises(GraphError, match=words):
        apsp.from_edges(graph.tails(), graph.indices, labels=graph.labels, costs=costs)  # type: ignore[arg-type]


def test_an_edge_has_one_cost_in_both_directions() -> None:
    graph = roads(directed=False)
    assert graph.with_costs(toll=graph.costs["km"]).directed is False
    with pytest.raises(GraphError, match="two arcs of an undirected edge have equal costs"):
        graph.with_costs(toll=range(8))


def test_names_that_do_not_exist() -> None:
    with pytest.raises(RequestError, match=r"weights='fare': the graph has the costs toll, km; graph\.with_costs"):
        roads().with_weights("fare")
    with pytest.raises(RequestError, match="with_costs needs the costs by name"):
        roads().with_costs()


def test_columns_of_a_table() -> None:
    table = {"from": ["a", "b"], "to": ["b", "c"], "minutes": [5, 4], "toll": [1.5, 0], "name": ["x", "y"]}
    graph = apsp.from_edges(table, weight="minutes", costs=["toll", "minutes"])
    assert {name: array.tolist() for name, array in graph.costs.items()} == {"toll": [1.5, 0], "minutes": [5, 4]}
    for costs, words in (
        (["fare"], "costs='fare': the table has the columns"),
        (["name"], "lengths must be numbers"),
        ("toll", "a list of the names of its columns"),
        ([3], "must be text, not 3"),
    ):
        with pytest.raises(apsp.ApspError, match=words):
            apsp.from_edges(table, weight="minutes", costs=costs)


def test_skims_by_name() -> None:
    found = apsp.skim(roads(), ["toll", "km"], zones=["a", "d"])
    assert found == apsp.skim(roads(), dict(roads().costs), zones=["a", "d"])
    assert apsp.skim(roads(), "toll").keys() == ("cost", "toll")
    by_km = apsp.skim(roads(), ["toll"], cost="km", zones=["a", "d"])
    assert by_km["km"].tolist()[0], by_km["toll"].tolist()[0] == ([0, 3], [0, 4])
    for request, words in (
        ({"along": ["fare"]}, "along names 'fare', but the graph has 'toll', 'km'"),
        ({"along": ["toll", "toll"]}, "along names a cost twice"),
        ({"cost": "minutes"}, r"has 'toll', 'km', .*graph\.with_costs\(minutes=graph\.weights\)"),
        ({"along": ["toll"], "cost": "toll"}, "along has the name 'toll' of the cost that the paths minimise"),
        ({"cost": 3}, "the name of a cost must be text"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            apsp.skim(roads(), **request)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="along names 'toll', but the graph has no costs beside its weights"):
        apsp.skim(apsp.generate("grid", 9), ["toll"])


# -- files -------------------------------------------------------------------------------------------------------------

TNTP = """<NUMBER OF ZONES> 1
<NUMBER OF NODES> 3
<FIRST THRU NODE> 2
<NUMBER OF LINKS> 2
<END OF METADATA>
~ init_node term_node capacity length free_flow_time b power speed toll link_type ;
2 3 100 8 1.5 0.15 4 0 3 1 ;
1 2 200 7 2.5 0.15 4 0 0 2 ;
"""
GML = """graph [ directed 1 node [ id 1 ] node [ id 2 ]
 edge [ source 1 target 2 weight 3 toll "2.5" name "A1" lanes 2 ] ]"""


def read(folder: Path, name: str, text: str, **options: object) -> Graph:
    (folder / name).write_text(text)
    return apsp.read(folder / name, **options)  # type: ignore[arg-type]


def test_tntp(tmp_path: Path) -> None:
    graph = read(tmp_path, "x_net.tntp", TNTP)
    assert list(graph.costs) == ["capacity", "length", "free_flow_time", "b", "power", "speed", "toll", "link_type"]
    assert graph.costs["toll"].tolist() == [0, 3]
    assert graph.costs["free_flow_time"].tolist() == graph.weights.tolist() == [2.5, 1.5]  # type: ignore[union-attr]
    assert read(tmp_path, "x_net.tntp", TNTP, cost="length").with_weights("free_flow_time") == graph
    assert list(read(tmp_path, "x_net.tntp", TNTP, costs=["toll"]).costs) == ["toll"]
    assert not read(tmp_path, "x_net.tntp", TNTP, costs=False).costs
    apsp.write(graph, tmp_path / "again.tntp")
    assert apsp.read(tmp_path / "again.tntp") == graph
    assert losses(graph, tmp_path / "again.tntp") == []
    with pytest.raises(RequestError, match="costs='fare': a TNTP network has the columns"):
        read(tmp_path, "x_net.tntp", TNTP, costs=["fare"])
    notes: list[str] = []
    odd = TNTP.replace(" 1 ;", " local ;")
    assert not read(tmp_path, "x_net.tntp", odd, notes=notes).costs
    assert notes == ["some columns hold entries that are not numbers: costs beside the weights were not kept"]
    assert read(tmp_path, "x_net.tntp", odd, costs=["toll"]).costs["toll"].tolist() == [0, 3]
    with pytest.raises(FileFormatError, match="'local' is not a number"):
        read(tmp_path, "x_net.tntp", odd, costs=["link_type"])
    with pytest.raises(FileFormatError, match="line 7, column 11: 'soon' is not a number"):
        read(tmp_path, "x_net.tntp", TNTP.replace("1.5 ", "soon "), cost="free_flow_time")


@pytest.mark.parametrize("ends", [("1,2", "2,3"), ("Rome,Florence", "Florence,Milan")])
def test_csv(tmp_path: Path, ends: tuple[str, str]) -> None:
    text = f"from,to,name,Minutes,km\n{ends[0]},A1,170,273.5\n{ends[1]},A2,180,300\n"
    graph = read(tmp_path, "x.csv", text, cost="minutes")
    assert {name: array.tolist() for name, array in graph.costs.items()} == {
        "Minutes": [170, 180], "km": [273.5, 300],
    }  # fmt: skip
    assert list(read(tmp_path, "x.csv", text, cost="minutes", costs=["km"]).costs) == ["km"]
    assert not read(tmp_path, "x.csv", text.replace("Minutes", "other"), cost="other", costs=False).costs
    with pytest.raises(RequestError, match="costs='fare': the columns of numbers are Minutes, km"):
        read(tmp_path, "x.csv", text, cost="km", costs=["fare"])
    assert not read(tmp_path, "x.csv", "from,to,minutes\n1,2,3\n").costs  # the weights alone
    long = text + f"{ends[0]},A3,1,2\n" * 2500 + f"{ends[0]},A1,200,\n"  # beyond the sample
    notes: list[str] = []
    graph = read(tmp_path, "x.csv", long, cost="minutes", notes=notes)
    assert not graph.costs
    assert "costs beside the weights were not kept" in notes[-1]
    with pytest.raises(FileFormatError, match="line 2504"):
        read(tmp_path, "x.csv", long, cost="minutes", costs=["km"])


def test_attributes(tmp_path: Path) -> None:
    graph = read(tmp_path, "x.gml", GML)
    assert {name: array.tolist() for name, array in graph.costs.items()} == {"weight": [3], "toll": [2.5], "lanes": [2]}
    assert list(read(tmp_path, "x.gml", GML, costs=["lanes"]).costs) == ["lanes"]
    with pytest.raises(RequestError, match="costs='name': the file has no such column of numbers; it has"):
        read(tmp_path, "x.gml", GML, costs=["name"])


def test_graphml_of_streets(tmp_path: Path) -> None:
    keys = {"length": "double", "travel_time": "string", "lanes": "string", "osmid": "long"}
    head = "".join(
        f'<key id="{name}" for="edge" attr.name="{name}" attr.type="{kind}"/>' for name, kind in keys.items()
    )
    rows = [
        {"length": 12.5, "travel_time": "3.5", "osmid": 7, "lanes": "2"},
        {"length": 8, "travel_time": "1", "osmid": 9},
    ]
    edges = "".join(
        f'<edge source="{place}" target="{place + 1}">'
        + "".join(f'<data key="{name}">{value}</data>' for name, value in row.items())
        + "</edge>"
        for place, row in enumerate(rows)
    )
    nodes = "".join(f'<node id="{place}"/>' for place in range(3))
    text = f'<graphml>{head}<graph edgedefault="directed">{nodes}{edges}</graph></graphml>'
    graph = read(tmp_path, "x.graphml", text)
    assert {name: array.tolist() for name, array in graph.costs.items()} == {
        "length": [12.5, 8], "travel_time": [3.5, 1],
    }  # fmt: skip


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("suffix", [".npz", ".parquet", ".feather"])
def test_files_that_keep_them(tmp_path: Path, suffix: str, directed: bool) -> None:
    if suffix != ".npz":
        pytest.importorskip("pyarrow")
    graph = roads(directed)
    for each in (graph, graph.with_costs(**{"a name": graph.weights}), apsp.generate("ring", 4)):
        apsp.write(each, tmp_path / f"graph{suffix}")
        assert apsp.read(tmp_path / f"graph{suffix}") == each
        assert losses(each, tmp_path / f"graph{suffix}") == []
    assert losses(graph, tmp_path / "x.csv") == ["costs"]


def test_parquet_columns_that_are_no_costs(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "source": [1, 2], "target": [2, 3], "time": [5, 4], "km": [1.5, 2.5], "gap": [1.0, None], "odd": [1.0, np.inf],
        "hash": pa.array([2**64 - 1, 1], pa.uint64()), "name": ["x", "y"], "date": pa.array([1, 2], pa.date32()),
    }  # fmt: skip
    parquet.write_table(pa.table(columns), tmp_path / "x.parquet")
    graph = apsp.read(tmp_path / "x.parquet", cost="time")
    assert {name: array.tolist() for name, array in graph.costs.items()} == {"time": [5, 4], "km": [1.5, 2.5]}
    with pytest.raises(FileFormatError, match="column 'gap' has 1 missing entries"):
        apsp.read(tmp_path / "x.parquet", cost="time", costs=["gap"])


def test_results_keep_them(tmp_path: Path) -> None:
    apsp.solve(roads()).save(tmp_path / "result.npz")
    assert apsp.load(tmp_path / "result.npz").graph == roads()


@pytest.mark.parametrize("costs", [3, [3], {"toll": 1}])
def test_odd_requests(tmp_path: Path, costs: object) -> None:
    with pytest.raises(RequestError, match="costs must be True, False or names of columns"):
        read(tmp_path, "x.csv", "1 2 3\n", costs=costs)


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_edge_attributes_of_networkx_become_costs(kind: str) -> None:
    nx = pytest.importorskip("networkx")
    rng = np.random.default_rng(5)
    G = getattr(nx, kind)()
    for u, v in rng.integers(0, 12, (60, 2)).tolist():
        weight = int(rng.integers(1, 6))
        G.add_edge(f"n{u}", f"n{v}", weight=None if rng.random() < 0.2 else weight, toll=int(rng.integers(9)), km=0.5)
    graph = apsp.from_networkx(G, costs=["toll", "km"])
    assert list(graph.costs) == ["toll", "km"]
    labels = list(graph.labels)
    seen = set()
    for tail, head, weight, toll in zip(graph.tails(), graph.indices, graph.weights, graph.costs["toll"], strict=True):
        u, v = labels[tail], labels[head]
        bundle = G[u][v].values() if G.is_multigraph() else [G[u][v]]
        counts = min(
            (data for data in bundle if data["weight"] is not None), key=lambda data: (data["weight"], data["toll"])
        )
        assert (weight, toll) == (counts["weight"], counts["toll"])
        seen.add((u, v))
    assert seen == {(u, v) for u in G for v in G[u]
                    if any(data["weight"] is not None
                           for data in (G[u][v].values() if G.is_multigraph() else [G[u][v]]))}  # fmt: skip
    assert apsp.from_networkx(graph.to_networkx(), costs=["toll", "km"]) == graph


def test_a_cost_of_networkx_that_is_missing_names_the_edge() -> None:
    nx = pytest.importorskip("networkx")
    G = nx.Graph([("a", "b", {"toll": 1}), ("b", "c", {"toll": "much"})])
    with pytest.raises(GraphError, match=r"edge 'b' - 'c' has toll='much': a cost must be a number"):
        apsp.from_networkx(G, costs=["toll"])
    with pytest.raises(GraphError, match=r"edge 'a' - 'b' has no attribute 'km'.*set_edge_attributes"):
        apsp.from_networkx(G, costs=["km"])
    for odd in ("toll", {"toll": 1}, 5, [7], ["toll", "toll"]):
        with pytest.raises(RequestError):
            apsp.from_networkx(G, costs=odd)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="not a function"):
        apsp.from_networkx(nx.MultiGraph(G), weight=lambda *_: 1, costs=["toll"])
    with pytest.raises(GraphError, match="has the name 'weight'"):
        apsp.from_edges([0], [1], costs={"weight": [3]}).to_networkx()


def test_hops_of_networkx_keep_costs() -> None:
    nx = pytest.importorskip("networkx")
    graph = apsp.from_networkx(nx.path_graph(3), weight=None)
    assert dict(graph.costs) == {}
    G = nx.Graph([(0, 1, {"toll": 4}), (1, 2, {"toll": 5})])
    assert apsp.from_networkx(G, costs=["toll"]).weights is None
    assert apsp.from_networkx(G, costs=["toll"]).costs["toll"].tolist() == [4, 4, 5, 5]


@pytest.mark.parametrize("dtype", [None, np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("tolls", [False, True])
def test_reversed_arcs_are_those_of_their_ends(dtype: type | None, tolls: bool) -> None:
    rng = np.random.default_rng(3)
    weights = None if dtype is None else rng.integers(-9, 9, 400).astype(dtype)
    costs = {"toll": rng.random(400)} if tolls else None
    zones = rng.random(60) < 0.2
    graph = apsp.from_edges(rng.integers(0, 60, 400), rng.integers(0, 50, 400), weights, n=60, zones=zones, costs=costs)
    if graph.links is not None:  # without the parallel ones
        graph = apsp.Graph(graph.indptr, graph.indices, graph.weights, zones=zones, costs=graph.costs)
    turned = apsp.from_edges(graph.indices, graph.tails(), graph.weights, n=60, zones=zones, costs=graph.costs)
    assert graph.reversed() == turned
    assert not graph.reversed().indices.flags.writeable
    assert graph.reversed().weight_dtype == graph.weight_dtype


CASES = "from,to,Minutes,KM,km,x,x\n0,1,10,30,1,2,3\n1,2,5,2,3,4,5\n"


def test_names_of_costs_keep_their_case_and_are_found_without(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    table = "from,to,Minutes,KM\n0,1,10,30\n0,1,12,9\n1,2,5,2\n"
    graph = read(tmp_path, "x.csv", table, cost="minutes")
    pd.read_csv(tmp_path / "x.csv").to_parquet(tmp_path / "x.parquet")
    assert list(graph.costs) == list(graph.links.costs) == ["Minutes", "KM"]  # type: ignore[union-attr]
    assert apsp.read(tmp_path / "x.parquet", cost="MINUTES") == graph
    for name in ("x.csv", "x.parquet"):
        assert list(apsp.read(tmp_path / name, cost="minutes", costs=["km"]).costs) == ["KM"]
    assert graph.costs["km"].tolist() == [30, 2]
    assert "kM" in graph.costs
    assert graph.with_weights("km").weights.tolist() == [9, 2]  # type: ignore[union-attr]
    assert apsp.skim(graph, cost="km", zones=[0, 2])["km"][0].tolist() == [0, 11]
    renamed = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], costs={"minutes": [10, 12, 5], "KM": [30, 9, 2]})
    assert renamed.costs != graph.costs


def test_names_that_differ_in_their_case_only_are_not_guessed(tmp_path: Path) -> None:
    graph = read(tmp_path, "x.csv", CASES, cost="minutes")
    assert list(graph.costs) == ["Minutes", "KM", "km"]  # not x, which are two
    assert list(read(tmp_path, "x.csv", CASES, cost="minutes", costs=["km"]).costs) == ["km"]
    for name in ("Km", "x"):
        with pytest.raises(RequestError, match=f"costs='{name}': 2 of the columns of numbers have this name"):
            read(tmp_path, "x.csv", CASES, cost="minutes", costs=[name])
    with pytest.raises(RequestError, match="weights='Km': the graph has the costs Minutes, KM, km"):
        graph.with_weights("Km")
