"""Forbidden and penalised movements, against a plain search on links, and what is refused."""

from __future__ import annotations

import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import apsp
from turns_truth import Case, check, infinite, random_case

CORNER = apsp.from_edges(
    [("a", "x", 60), ("x", "b", 60), ("x", "c", 60), ("c", "b", 60)], directed=False, links=True
)  # fmt: skip
PARALLEL = apsp.from_edges(
    [0, 0, 1, 2],
    [1, 1, 2, 3],
    [3, 5, 7, 9],
    links=True,
    labels=["a", "b", "c", "d"],
    directed=[True, True, True, False],
)


@pytest.mark.few(2)
@pytest.mark.parametrize("block", range(6))
def test_random_graphs_agree_with_a_search_on_links(block: int) -> None:
    split = 0
    for seed in range(50 * block, 50 * block + 50):
        case = random_case(np.random.default_rng(seed))
        turned = case.turned()
        split += turned.expanded.n > case.n
        check(case, turned, seed)
    assert split > 30


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(0, 60, 2))
def test_every_function_that_takes_turns_agrees(seed: int) -> None:
    case = random_case(np.random.default_rng(seed))
    turned, n = case.turned(), case.n
    wanted = np.array([case.distances(source) for source in range(n)], float)
    names = [f"v{vertex}" for vertex in range(n)]
    sources, targets = (np.array(names, object)[each.ravel()].tolist() for each in np.indices((n, n)))
    assert np.array_equal(apsp.matrix(turned).to_numpy(), wanted)
    assert np.array_equal(infinite(apsp.distances(turned, sources, targets)).reshape(n, n), wanted)
    assert np.array_equal(infinite(apsp.prepare(turned).distances(sources, targets)).reshape(n, n), wanted)
    assert np.array_equal(infinite(apsp.prepare(turned).rows(names[-1:])), wanted[-1:])
    few = apsp.matrix(turned, names[:2], names[1:])
    assert np.array_equal(few.to_numpy(), wanted[:2, 1:])
    near = apsp.within(turned, math.inf)
    found = np.full((n, n), np.inf)
    found[np.repeat(near.source_positions, np.diff(near.indptr)), near.positions] = near.distances
    assert np.array_equal(found, wanted)
    assert sum(block.pairs for block in apsp.stream_within(turned, math.inf)) == np.isfinite(wanted).sum()
    for direction, lengths in (("to", wanted[:, ::2]), ("from", wanted[::2].T)):
        facilities = apsp.nearest(turned, names[::2], k=2, direction=direction)
        padded = np.pad(lengths, ((0, 0), (0, 1)), constant_values=np.inf)
        assert np.array_equal(infinite(facilities.distances), np.sort(padded, axis=1)[:, :2])
        assert set(facilities.facilities.ravel()) <= {*names[::2], None}
    reached = np.isfinite(wanted[0])
    for target in np.flatnonzero(reached):
        path = apsp.shortest_path(turned, "v0", names[target])
        assert [path[0], path[-1]] == ["v0", names[target]]


def test_many_pairs_of_graphs_without_separators() -> None:
    """Rows of distances answer them, not an oracle."""
    graph = apsp.generate("random", 300, m=3000, seed=2)
    turned = apsp.with_turns(graph, u_turns=5)
    sources, targets = np.repeat([3, 4, 200], 100), np.tile(np.arange(100), 3)
    found = apsp.distances(turned, sources, targets)
    wanted = apsp.solve(turned.expanded, sources=[3, 4, 200], targets=range(100)).distances
    assert found.tolist() == wanted.ravel().tolist()


def test_near_pairs_of_some_kinds(tmp_path: Path) -> None:
    city = apsp.generate("city", 200, seed=1)
    turned = apsp.with_turns(city, u_turns=math.inf, left=9, right=4, crs="plane")
    wanted = apsp.solve(turned).to_numpy()
    near = apsp.within(turned, 90)
    assert near.to_scipy().shape == (200, 200)
    assert near.pairs == (wanted <= 90).sum()
    three = apsp.within(turned, 90, k=3, sources=[7, 9])
    assert three.distances.tolist() == [*np.sort(wanted[7])[:3], *np.sort(wanted[9])[:3]]
    apsp.stream_within(turned, 90).write(tmp_path / "near.csv")
    table = pd.read_csv(tmp_path / "near.csv")
    assert len(table) == near.pairs
    assert (wanted[table["source"], table["target"]] == table["distance"]).all()
    facilities = apsp.nearest(turned, [3, 50]).to_long()
    assert facilities["distance"].tolist() == wanted[:, [3, 50]].min(axis=1).tolist()
    for shown in (apsp.solve(turned), apsp.prepare(turned)):
        assert "200" in repr(shown) or "200" in shown._repr_html_()


def test_a_path_may_pass_a_vertex_twice() -> None:
    """Around the block, to turn left; and without a loop in the graph there is no other way."""
    block = apsp.from_edges([0, 1, 3, 4, 1], [1, 3, 4, 1, 2], [1, 1, 1, 1, 1], links=True)
    turned = apsp.with_turns(block, [(0, 1, 2)])
    assert apsp.shortest_path(turned, 0, 2) == [0, 1, 3, 4, 1, 2]
    result = apsp.solve(turned, paths=True)
    assert result.path(0, 2) == [0, 1, 3, 4, 1, 2]
    assert result.path(0, 2, links=True) == [0, 1, 2, 3, 4]
    assert result.paths([0, 2], [1, 2], links=True) == [[0], []]
    assert result.next_hop(0, 2) == 1


def test_the_worse_of_parallel_links_may_lead_on() -> None:
    turned = apsp.with_turns(PARALLEL, {"from_link": [0], "to_link": [2]})
    assert apsp.distance(turned, "a", "b") == 3
    assert apsp.distance(turned, "a", "c") == 12
    assert apsp.prepare(turned).path("a", "c", links=True) == [1, 2]


def test_sequences_forbid_only_the_whole() -> None:
    line = apsp.from_edges([0, 1, 2, 4], [1, 2, 3, 1], [1, 1, 1, 1], links=True)
    turned = apsp.with_turns(line, forbidden=[[0, 1, 2]])
    assert apsp.distance(turned, 0, 2) == 2
    assert apsp.distance(turned, 0, 3) == math.inf
    assert apsp.distance(turned, 1, 3) == 2
    assert apsp.distance(turned, 4, 3) == 3


def test_dead_ends_are_a_choice() -> None:
    street = apsp.from_edges([("a", "b", 1), ("b", "c", 1)], directed=False, links=True)
    back = {"from_link": [1], "to_link": [1], "via": ["c"]}
    assert apsp.solve(apsp.with_turns(street, back)).distance("c", "a") == 2
    cross = apsp.from_edges([("a", "b", 1), ("b", "c", 1), ("b", "d", 1)], directed=False, links=True)
    only = {"from_link": [0], "to_link": [2]}
    assert apsp.distance(apsp.with_turns(cross, only), "a", "d") == 4
    assert apsp.distance(apsp.with_turns(cross, only, u_turns=math.inf), "a", "d") == math.inf
    assert apsp.distance(apsp.with_turns(cross, only, u_turns=math.inf, dead_ends=5), "a", "d") == 9


def test_angles_follow_bends_and_directions() -> None:
    """A street that leaves straight on, and bends to the left behind the crossing."""
    points = [[0, 0], [100, 0], [100, 100], [100, -100]]
    bent = apsp.from_edges(
        [0, 1, 1], [1, 2, 3], [10, 10, 10], coordinates=points, bends=[None, [[200, 0]], None], links=True
    )
    slow = apsp.with_turns(bent, left=1, right=2, straight=4, crs="plane")
    assert (apsp.distance(slow, 0, 2), apsp.distance(slow, 0, 3)) == (24, 22)
    degrees = apsp.from_edges(
        [0, 1, 1], [1, 2, 3], [10, 10, 10], coordinates=[[10, 60], [10, 60.001], [9.998, 60.001], [10, 60.002]],
        crs="degrees",
    )  # fmt: skip
    assert apsp.distance(apsp.with_turns(degrees, left=1, right=2, straight=4), 0, 2) == 21
    assert apsp.distance(apsp.with_turns(degrees, left=1, right=2, straight=4), 0, 3) == 24


def test_penalties_decide_the_numbers() -> None:
    assert apsp.distance(apsp.with_turns(CORNER, [("a", "x", "b", 2)]), "a", "b") == 122
    half = apsp.distance(apsp.with_turns(CORNER, [("a", "x", "b", 0.5)]), "a", "b")
    assert half == 120.5
    hops = apsp.with_turns(CORNER.unweighted(), [("a", "x", "b", 0.0)])
    assert apsp.distance(hops, "a", "b") == 2
    floats = apsp.with_turns(CORNER.with_weights([1.5, 1.5, 1.5, 1.5], links=True), [("a", "x", "b", 9)])
    assert apsp.distance(floats, "a", "b") == 4.5


def test_tables_of_all_kinds() -> None:
    for table in (
        pd.DataFrame({"from": ["a"], "via": ["x"], "to": ["b"], "note": ["no left turn"]}),
        {"from_link": np.array([0]), "to_link": np.array([1]), "penalty": [math.inf]},
        [("a", "x", "b"), ("a", "x", "c", 3)],
        [("a", "x", "b"), ("a", "x", "b")],
    ):
        assert apsp.distance(apsp.with_turns(CORNER, table), "a", "b") > 120
    assert apsp.with_turns(CORNER, []).expanded.n == CORNER.n
    assert apsp.with_turns(CORNER, {"from": [], "via": [], "to": []}).expanded.n == CORNER.n


@pytest.mark.parametrize(
    ("movements", "options", "words"),
    [
        ([("a", "b", "c")], {}, "row 0 of the movements: the links 0, 1 all lead from 'a' to 'b': name links by"),
        ([("c", "b", "c")], {}, "row 0 of the movements: no link leads from 'c' to 'b'"),
        ([("q", "b", "c")], {}, "row 0 of column from of the movements: .*'q'"),
        ({"from_link": [0], "to_link": [3]}, {}, "link 3 does not follow link 0"),
        ({"from_link": [3], "to_link": [3]}, {}, "link 3 follows link 3 at 'd' and 'c': a column via says where"),
        ({"from_link": [3], "to_link": [3], "via": ["b"]}, {}, "link 3 does not follow link 3 at 'b'"),
        ({"from_link": [9], "to_link": [3]}, {}, "9 is not one of the 4 links"),
        ({"from_link": ["0"], "to_link": [3]}, {}, "'0' is not one of the 4 links"),
        ({"from_link": [0, 1], "to_link": [2]}, {}, "to_link of the movements has 1 rows, others have 2"),
        ({"from_link": [0, None], "to_link": [2, 2]}, {}, "row 1 of column from_link of the movements is missing"),
        ({"from_link": [0], "to": [2]}, {}, "movements are a table .*; the table has 'from_link', 'to'"),
        ({"from_link": [0], "to_link": [2], "penalty": [-1]}, {}, "row 0 of column penalty .* is -1: penalties are at"),
        ({"from_link": [0], "to_link": [2], "penalty": ["x"]}, {}, "penalty of the movements must hold numbers"),
        ({"from_link": [0], "to_link": [2], "penalty": [1e300]}, {}, r"more than 2\^53"),
        (
            {"from_link": [1, 0, 0], "to_link": [2, 2, 2], "penalty": [1, 1, 2]}, {},
            "rows 1 and 2 of the movements are the same one, via 'b', with penalties 1 and 2",
        ),
        ("odd", {}, "movements are a table"),
        (None, {"forbidden": [[0, 3]]}, r"forbidden\[0\]: no path uses the links \[0, 3\] one after the other"),
        (None, {"forbidden": [[3, 3]]}, "follow each other in several ways, via 'd' or 'c'"),
        (None, {"forbidden": [[0]]}, "has 1 links: a movement has at least two"),
        (None, {"forbidden": [[0, 9]]}, "9 is not one of the 4 links"),
        (None, {"forbidden": "odd"}, "forbidden must be a sequence"),
        (None, {"u_turns": -1}, "u_turns must be"),
        (None, {"straight_within": 200}, "straight_within must be at most 180"),
        (None, {"left": 1}, "angles of movements need the coordinates"),
    ],
)  # fmt: skip
def test_what_is_not_clear_is_refused(movements: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises((apsp.GraphError, apsp.RequestError), match=words):
        apsp.with_turns(PARALLEL, movements, **options)


def test_negative_weights_are_refused() -> None:
    with pytest.raises(apsp.RequestError, match="turns need weights of at least 0, and the smallest is -1"):
        apsp.with_turns(apsp.from_edges([0, 1], [1, 2], [3, -1]))


def test_it_is_not_guessed_what_coordinates_are() -> None:
    city = apsp.generate("city", 40)
    with pytest.raises(apsp.RequestError, match="crs= is missing"):
        apsp.with_turns(city, left=3)


def test_zones_stay_what_they_are() -> None:
    """No path passes through a zone; movements there are moot."""
    graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [1, 1, 1], zones=[False, True, False, False])
    turned = apsp.with_turns(graph, [(0, 1, 2, 5), (1, 2, 3, 7)], forbidden=[[0, 1]])
    assert apsp.solve(turned).to_numpy().tolist() == [
        [0, 1, math.inf, math.inf], [math.inf, 0, 1, 9], [math.inf, math.inf, 0, 1], [math.inf] * 3 + [0],
    ]  # fmt: skip


def test_only_restricted_vertices_are_split() -> None:
    city = apsp.generate("city", 400, seed=1)
    turned = apsp.with_turns(city, u_turns=math.inf)
    one = apsp.with_turns(city, [(int(city.tails()[0]), int(city.indices[0]), int(city.tails()[0]))])
    assert one.expanded.n == city.n + 2
    assert turned.expanded.n <= city.n + city.m
    assert pickle.loads(pickle.dumps(turned)).expanded == turned.expanded
    assert (len(turned), turned.n, turned.m) == (city.n, city.n, city.m)
    back = apsp.from_edges([("a", "b", 1), ("b", "c", 1)], directed=False)
    assert repr(apsp.with_turns(back, u_turns=math.inf)) == "TurnGraph(n=3, m=4, 4 copies of 3 vertices)"


def test_exact_penalties_beside_large_weights() -> None:
    big = 2**40
    graph = apsp.from_edges([0, 1], [1, 2], [big, big])
    assert apsp.distance(apsp.with_turns(graph, [(0, 1, 2, 2**40 + 1)]), 0, 2) == 3 * big + 1


@pytest.mark.parametrize(
    ("weights", "penalty"),
    [
        (np.array([1, 1], np.float32), 1e300),
        (np.array([1e308, 1e308]), 1e308),
        (np.array([1, 2**63 - 5]), 9),
    ],
)
def test_sums_beyond_the_dtype_are_refused(weights: Any, penalty: float) -> None:
    with pytest.raises(apsp.GraphError, match="together beyond"):
        apsp.with_turns(apsp.from_edges([0, 1], [1, 2], weights), [(0, 1, 2, penalty)])


def test_the_reference_sees_a_difference() -> None:
    case = Case(3, [(0, 1, 1, True), (1, 2, 1, True)], True, [False] * 3, [(0, 0), (1, 0), (2, 0)])
    case.movements = [((0, False), (1, False), math.inf)]
    check(case, case.turned(), 0)
    wrong = apsp.with_turns(case.graph())
    with pytest.raises(AssertionError, match="solve"):
        check(case, wrong, 0)


GMNS_LINKS = """link_id,from_node_id,to_node_id,directed,length
11,1,2,1,100
12,2,3,1,50
13,2,4,0,70
14,3,4,1,10
"""


def gmns(tmp_path):
    (tmp_path / "link.csv").write_text(GMNS_LINKS)
    return apsp.read(tmp_path / "link.csv", cost="length")


def test_movements_of_gmns(tmp_path):
    """The node says in which direction a two-way link is used; movements without a penalty have none."""
    graph = gmns(tmp_path)
    table = {
        "mvmt_id": [1, 2, 3], "node_id": [2, 2, 2], "ib_link_id": [11, 11, 13], "ob_link_id": [12, 13, 12],
        "type": ["thru", "left", "right"], "penalty": [math.nan, 30, math.nan],
    }  # fmt: skip
    turned = apsp.with_turns(graph, table, unlisted="allowed")
    assert [apsp.distance(turned, 1, other) for other in (2, 3, 4)] == [100, 150, 160]
    assert apsp.distance(turned, 4, 3) == 120
    assert apsp.distance(apsp.with_turns(graph, {**table, "penalty": [0, 0, 500]}, unlisted="allowed"), 4, 3) == 620
    closed = apsp.with_turns(graph, {name: values[1:] for name, values in table.items()}, unlisted="forbidden")
    assert apsp.distance(closed, 1, 4) == 200
    assert apsp.distance(closed, 1, 3) == 100 + 30 + 70 + 70 + 50
    with pytest.raises(apsp.RequestError, match="unlisted='forbidden' forbids the others"):
        apsp.with_turns(graph, table)
    with pytest.raises(apsp.RequestError, match="give movements"):
        apsp.with_turns(graph, unlisted="allowed")
    with pytest.raises(apsp.RequestError, match="unlisted"):
        apsp.with_turns(graph, table, unlisted="closed")
    with pytest.raises(
        apsp.GraphError, match=r"row 1 of column ob_link_id .*: no link with the link_id 14 begins at 2"
    ):
        apsp.with_turns(graph, {**table, "ob_link_id": [12, 14, 12]}, unlisted="allowed")
    with pytest.raises(apsp.GraphError, match="which is not one of the costs of the graph"):
        apsp.with_turns(apsp.from_edges([1, 2], [2, 3]), table, unlisted="allowed")


def test_unlisted_movements_are_forbidden_where_others_are_listed():
    star = apsp.from_edges([0, 1, 1, 2], [1, 2, 3, 4], [1, 1, 1, 1])
    turned = apsp.with_turns(star, [(0, 1, 2, 5)], unlisted="forbidden")
    assert [apsp.distance(turned, 0, other) for other in (1, 2, 3, 4)] == [1, 7, math.inf, 8]
