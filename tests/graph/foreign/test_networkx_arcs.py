"""The arcs of NetworkX graphs: compiled code and Python code read the same."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apsp import _cpu
from apsp.graph import networkx_arcs
from apsp.graph.networkx_arcs import MISSING, Arcs, arcs_of
from examples import examples


class Unhashable(str):
    """A string with a hash of its own, which compiled code must leave to Python."""

    __slots__ = ()

    def __hash__(self) -> int:
        raise AssertionError("its hash was taken")


def both(G: Any, weight: str | None, monkeypatch: pytest.MonkeyPatch) -> tuple[Arcs, Arcs, bool]:
    """What is read with and without compiled code, and whether compiled code read it."""
    positions = {node: position for position, node in enumerate(G)}
    read = arcs_of(G, weight, positions)
    compiled = _cpu.arcs_of_dictionaries(G._adj, positions, weight) is not None
    with monkeypatch.context() as patched:
        patched.setattr(networkx_arcs, "_cpu", type("Nothing", (), {"arcs_of_dictionaries": lambda *_: None}))
        return read, arcs_of(G, weight, positions), compiled


def assert_equal(one: Arcs, other: Arcs) -> None:
    np.testing.assert_array_equal(one.tails, other.tails)
    np.testing.assert_array_equal(one.heads, other.heads)
    assert one.tails.dtype == one.heads.dtype == other.tails.dtype == np.int32
    assert one.symmetric == other.symmetric
    assert (one.values is None or len(one.values) == 0) == (other.values is None or len(other.values) == 0)
    if one.values is not None and other.values is not None:
        assert list(one.values) == list(other.values)


NUMBERS = {
    "integers": st.integers(-(2**63), 2**63 - 1),
    "reals": st.floats(allow_nan=False, allow_infinity=False),
    "mixed": st.one_of(st.integers(0, 9), st.floats(0, 9), st.none(), st.booleans()),
}
NODES = {
    "integers": st.integers(0, 9),
    "large": st.one_of(st.integers(-3, 9), st.just(2**80)),
    "strings": st.text("abc", max_size=3),
    "others": st.one_of(st.integers(2, 5), st.booleans(), st.tuples(st.integers(0, 3)), st.floats(0, 9)),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("nodes", NODES)
@pytest.mark.parametrize("numbers", NUMBERS)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
@settings(max_examples=examples(25))
@given(data=st.data())
def test_equals_python_code(kind: Any, numbers: str, nodes: str, data: st.DataObject) -> None:
    G = kind()
    G.add_nodes_from(data.draw(st.lists(NODES[nodes], max_size=5)))
    for u, v in data.draw(st.lists(st.tuples(NODES[nodes], NODES[nodes]), max_size=12)):
        G.add_edge(u, v, w=data.draw(NUMBERS[numbers]))
    with pytest.MonkeyPatch.context() as monkeypatch:
        for weight in ("w", None, "absent"):
            one, other, compiled = both(G, weight, monkeypatch)
            assert_equal(one, other)
            if nodes in ("integers", "strings") and (weight is None or (weight == "w" and numbers != "mixed")):
                assert compiled


@pytest.mark.parametrize("value", [True, None, 2**63, -(2**63) - 1, float("inf"), float("nan"), np.int64(3), "7"])
def test_python_code_reads_other_numbers(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    G = nx.Graph()
    G.add_edge(0, 1, w=1)
    G.add_edge(1, 2, w=value)
    one, other, compiled = both(G, "w", monkeypatch)
    assert not compiled
    assert repr(one) == repr(other)


def test_missing_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    G = nx.path_graph(3)
    G[0][1]["w"] = 5
    one, other, compiled = both(G, "w", monkeypatch)
    assert not compiled
    assert one.values == other.values == [5, 5, MISSING, MISSING]


def test_nodes_in_another_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """Integers that are not their own positions."""
    G = nx.Graph()
    G.add_nodes_from([2, 0, 1])
    G.add_weighted_edges_from([(0, 1, 4), (1, 2, 7)])
    one, other, compiled = both(G, "weight", monkeypatch)
    assert compiled
    assert_equal(one, other)
    assert sorted(zip(one.tails.tolist(), one.heads.tolist(), strict=True)) == [(0, 2), (1, 2), (2, 0), (2, 1)]


def test_own_code_of_nodes_does_not_run() -> None:
    adjacency = {0: {}}
    dict.__setitem__(adjacency[0], "x", {})
    assert _cpu.arcs_of_dictionaries(adjacency, {0: 0}, None) is None  # a neighbor without a position
    assert _cpu.arcs_of_dictionaries([], {}, None) is None
    assert _cpu.arcs_of_dictionaries({}, {}, Unhashable("w")) is None
    assert _cpu.arcs_of_dictionaries({0: []}, {0: 0}, None) is None
    assert _cpu.arcs_of_dictionaries({0: {0: []}}, {0: 0}, "w") is None
    assert _cpu.arcs_of_dictionaries({0: {5: {}}}, {0: 0}, None) is None
