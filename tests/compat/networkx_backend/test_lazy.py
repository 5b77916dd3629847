"""Dictionaries of all pairs whose rows are made at their first use: what a dictionary does, they do."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

from apsp.compat.networkx import backend
from apsp.compat.networkx.lazy import LazyRows
from compat.networkx_backend.calling import ours, same, theirs

WHOLE = {"b": {"x": 1}, "a": {"x": 2}}


def lazy(made: list[str] | None = None) -> LazyRows:
    def row_of(node: str) -> dict[str, int]:
        if made is not None:
            made.append(node)
        return dict(WHOLE[node])

    return LazyRows(WHOLE, row_of)


def test_rows_are_made_once_when_they_are_used() -> None:
    made: list[str] = []
    rows = lazy(made)
    assert list(rows) == list(rows.keys()) == ["b", "a"]
    assert (len(rows), "a" in rows, "c" in rows) == (2, True, False)
    assert list(reversed(rows)) == ["a", "b"]
    assert not made
    rows["a"]["x"] = 7
    assert rows["a"] == rows.get("a") == {"x": 7}
    assert (rows.get("c"), rows.get("c", 3)) == (None, 3)
    assert made == ["a"]
    with pytest.raises(KeyError):
        rows["c"]
    assert list(rows.items()) == [("b", {"x": 1}), ("a", {"x": 7})]
    assert made == ["a", "b"]


@pytest.mark.parametrize(
    "read",
    [
        dict,
        lambda rows: {**rows},
        lambda rows: dict(rows.items()),
        lambda rows: dict(zip(rows, rows.values(), strict=True)),
        lambda rows: {node: rows[node] for node in rows},
        lambda rows: rows.copy(),
        copy.copy,
        copy.deepcopy,
        lambda rows: pickle.loads(pickle.dumps(rows)),
        lambda rows: json.loads(json.dumps(rows)),
        lambda rows: eval(repr(rows)),
        lambda rows: rows | {},
        lambda rows: {} | rows,
        lambda rows: {node: rows.setdefault(node, 0) for node in list(rows)},
        lambda rows: dict([rows.popitem(), rows.popitem()][::-1]),
        lambda rows: {node: rows.pop(node) for node in list(rows)},
        lambda rows: (lambda **given: given)(**rows),
    ],
)
def test_every_way_to_read_gives_the_rows(read: Callable[[Any], Any]) -> None:
    assert isinstance(lazy(), dict)
    found = read(lazy())
    assert type(found) is dict
    assert found == WHOLE
    assert list(found) == list(WHOLE)


def test_updates_comparisons_and_changes() -> None:
    other: dict[str, Any] = {}
    other.update(lazy())
    assert other == WHOLE
    assert WHOLE == lazy() == lazy() == WHOLE
    assert lazy() != {"b": 1}
    assert (lazy() != WHOLE) is False
    rows = lazy()
    rows["c"] = 5
    del rows["b"]
    rows |= {"d": 6}
    assert rows == {"a": {"x": 2}, "c": 5, "d": 6}
    with pytest.raises(TypeError):
        hash(rows)


@pytest.mark.parametrize("view", [False, True])
def test_results_do_not_follow_the_graph(view: bool) -> None:
    G = nx.path_graph(4)
    converted = backend.convert_from_nx(G.subgraph([0, 1, 2, 3]) if view else G)
    expected = [dict(lazy) for lazy in dictionaries(converted)]
    late = dictionaries(converted)
    G.remove_node(0)
    if view:
        assert backend.diameter(converted) == 2  # the view was read again
    assert late == expected


def dictionaries(converted: Any) -> list[Any]:
    return [
        backend.floyd_warshall(converted),
        backend.johnson(converted),
        *backend.floyd_warshall_predecessor_and_distance(converted),
    ]


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiDiGraph])
@pytest.mark.parametrize("weights", [{}, {"w": 2}, {"w": 2.5}, {"w": 0}])
@pytest.mark.parametrize("weight", [None, "w", "toll"])
def test_floyd_warshall_has_the_types_of_networkx(kind: Any, weights: dict[str, Any], weight: str | None) -> None:
    """Floats for edges without the attribute, whose length is 1.0 there."""
    G = nx.path_graph(4, create_using=kind)
    for *_, data in G.edges(data=True):
        data |= weights
    G.add_edge(2, 2, w=3)
    mine, expected = (each("floyd_warshall", G, weight=weight) for each in (ours, theirs))
    same(mine, expected)
    assert {u: {v: type(d) for v, d in row.items()} for u, row in mine.items()} == {
        u: {v: type(d) for v, d in row.items()} for u, row in expected.items()
    }
    pairs = [each("floyd_warshall_predecessor_and_distance", G, weight=weight) for each in (ours, theirs)]
    same(*pairs)
