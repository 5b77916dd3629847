"""Labels of vertices: their kinds, what looks them up, and what files keep of them."""

from __future__ import annotations

import copy
import datetime
import decimal
import io
import itertools
import pickle
import tracemalloc
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import apsp
from apsp.errors import GraphError, RequestError
from apsp.graph.labels import Labels, RangeLabels, labels_of
from apsp.graph.labels.integers import IntegerLabels
from apsp.graph.labels.objects import ObjectLabels
from apsp.graph.labels.saved import arrays_of_labels, labels_of_arrays

MANY: list[Sequence[Hashable]] = [
    [],
    [0, 1, 2],
    range(1, 5),
    [7],
    [3, 1, 2, 0],
    [10**18, -5, 4],
    [2**63, -1],
    ["Rome", "Ostia", "", "\ud800", "x\0"],
    [(1, 2), (1, (2, "x")), ()],
    [1, "1", (None, 1), 1.5, (1,), b"1\0", float("inf"), 2**80, -(10**5000), 1j, frozenset({1, "a"})],
    [True, 2, "True"],
    [np.datetime64("2026-01-01T12:00"), np.datetime64("2026-01", "M"), np.timedelta64(5, "s")],
    [datetime.date(2026, 1, 1), datetime.datetime(2026, 1, 1, 5, 6, 7, 8)],
]


@pytest.mark.parametrize("values", MANY, ids=map(str, range(len(MANY))))
def test_a_sequence_that_finds_its_items(values: Sequence[Hashable]) -> None:
    labels = labels_of(values)
    assert len(labels) == len(values)
    assert isinstance(labels, Sequence)
    assert list(labels) == [labels[position] for position in range(len(values))] == list(values)
    for position, value in enumerate(values):
        assert labels.index(value) == position
        assert value in labels
    assert "no such label" not in labels
    places = np.array(range(len(values)), dtype=np.int32)[::-1]
    assert labels.positions(list(labels)).tolist() == list(range(len(values)))
    assert labels.positions(list(labels)).dtype == np.int32
    assert labels.take(places).tolist() == list(values)[::-1]
    assert labels.take(places.reshape(-1, 1)).shape == (len(values), 1)
    assert np.asarray(labels).tolist() == list(values)
    with pytest.raises(IndexError):
        labels[len(values)]


@pytest.mark.parametrize("values", MANY, ids=map(str, range(len(MANY))))
def test_copies_and_files_keep_them(values: Sequence[Hashable], tmp_path: Path) -> None:
    labels = labels_of(values)
    for again in (copy.copy(labels), copy.deepcopy(labels), pickle.loads(pickle.dumps(labels))):
        assert again == labels
        assert hash(again) == hash(labels)
    stream = io.BytesIO()
    np.savez(stream, **arrays_of_labels(labels))
    stream.seek(0)
    with np.load(stream, allow_pickle=False) as arrays:
        read = labels_of_arrays(dict(arrays))
    assert read is None if labels.are_positions else read == labels
    graph = apsp.from_edges([], [], n=len(values), labels=values)
    apsp.write(graph, tmp_path / "g.npz")
    apsp.solve(graph).save(tmp_path / "r.npz")
    apsp.prepare(graph).save(tmp_path / "o.npz")
    for kept in (
        apsp.read(tmp_path / "g.npz"), apsp.load(tmp_path / "r.npz").graph, apsp.Oracle.load(tmp_path / "o.npz").graph,
        copy.copy(graph), pickle.loads(pickle.dumps(graph)), graph.reversed(), graph.unweighted(),
    ):  # fmt: skip
        assert kept.labels == labels
        assert list(map(type, kept.labels)) == list(map(type, labels))


def test_kinds() -> None:
    assert isinstance(labels_of(range(5, 9)), RangeLabels)
    assert isinstance(labels_of([5, 6, 7]), RangeLabels)
    assert isinstance(labels_of(np.array([5, 6, 8], np.uint8)), IntegerLabels)
    assert isinstance(labels_of([np.int64(5), 8]), IntegerLabels)
    for values in (range(8, 5, -1), [2, 1, 0]):
        assert isinstance(labels_of(values), IntegerLabels)
    for values in (["a"], [1, "a"], [True], [2**63], np.array([2**63], np.uint64), range(2**63, 2**63 + 2)):
        assert isinstance(labels_of(values), ObjectLabels)
    assert labels_of(np.array(["a", "b"])) == labels_of(("a", "b")) != labels_of(["b", "a"])
    assert [type(label) for label in labels_of([np.str_("a"), np.float32(0.5), np.int8(3), np.True_])] == [
        str, float, int, bool,
    ]  # fmt: skip
    assert labels_of([1, 2]) != [1, 2]
    labels = labels_of([4, 9])
    assert labels_of(labels) is labels


@pytest.mark.parametrize("order", "=<>")
def test_integers_of_any_byte_order(order: str) -> None:
    labels = labels_of(np.array([4, 9, 30]).astype(np.dtype(np.int64).newbyteorder(order)))  # type: ignore[call-overload]
    assert [labels.index(label) for label in (30, 4, 9)] == [2, 0, 1]


def test_positions_need_no_labels() -> None:
    for labels in (None, range(3), [0, 1, 2], np.arange(3), (np.int64(0), 1, 2)):
        graph = apsp.from_edges([0, 1], [1, 2], labels=labels)
        assert not graph.has_labels
        assert graph.labels == labels_of(range(3))
    assert apsp.from_edges([0, 1], [1, 2], labels=[1, 0, 2]).has_labels
    assert apsp.from_edges([], [], n=0, labels=[]).n == 0
    assert apsp.Graph([0, 0], [], labels=["a"]).index("a") == 0


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["a", "b"], "2 labels for 3 vertices"),
        ([5, 9, 5], "the label 5 occurs twice"),
        ([1, True, 2], "the label 1 occurs twice"),
        (["a", "b", "a"], "the label 'a' occurs twice"),
        (["a", float("nan"), "b"], "the label nan of vertex 1 is not equal to itself"),
        (["a", np.datetime64("NaT", "s"), "b"], "not equal to itself"),
        (["a", None, "b"], "vertex 1 has the label None"),
        (["a", "b", ["c"]], r"the label \['c'\] of vertex 2 is not hashable"),
        ("abc", "not 'abc'"),
        (7, "not 7"),
        (np.eye(3), "is not hashable"),
        (np.eye(3, dtype=int), "is not hashable"),
    ],
)
def test_refused(labels: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        apsp.Graph([0, 0, 0, 0], [], labels=labels)


@pytest.mark.parametrize(
    ("labels", "wrong", "message"),
    [
        (range(3), 3, "no vertex 3; the graph has vertices 0 to 2$"),
        (range(3), "1", "no vertex '1'; the graph has vertices 0 to 2: did you mean 1\\?"),
        (range(1, 4), 0, "no vertex 0; the graph has labels 1 to 3$"),
        ([4, 2], 3, "no vertex 3; the labels are integers from 2 to 4$"),
        ([4, 2], "2", "did you mean 2\\?"),
        ([4, 2], 2.0, "no vertex 2.0.*did you mean 2\\?"),
        ([4, 2], True, "no vertex True"),
        ([4, 2], np.array([1, 2]), "no vertex array"),
        ([4, 2], 2**70, "no vertex 1180591620717411303424"),
        (range(9), None, "no vertex None"),
        (["Rome", "Siena"], "rome", "no vertex 'rome'; did you mean 'Rome'\\?"),
        (["1", "2"], 1, "no vertex 1; did you mean '1'\\?"),
        (["a", "b", "c", "d"], "x", "labels are for example 'a', 'b', 'c'$"),
        (["a", "b"], [], "\\[\\] is not a label: labels are hashable"),
        (["a", "b"], ("a", []), "is not a label"),
        (["a", "b"], 10**5000, "no vertex an integer of about 5001 digits"),
        ([1, "1", 10**5000], "x" * 10**6, "no vertex 'xxx"),
        ([], 0, "the graph has no vertices"),
    ],
    ids=str.split("a b c d e f g h i j k l m n o p q r"),
)
def test_unknown_labels(labels: Any, wrong: Any, message: str) -> None:
    for ask in (labels_of(labels).index, lambda label: labels_of(labels).positions([label])):
        with pytest.raises(GraphError, match=message) as caught:
            ask(wrong)
        assert len(str(caught.value)) < 500
    assert wrong not in labels_of(labels)


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 9), unique=True, max_size=12),
    st.lists(st.integers(-4, 10) | st.integers(-(2**64), 2**64)),
)
def test_integers_are_found_as_by_a_dictionary(values: list[int], asked: list[int]) -> None:
    labels = labels_of(values)
    known = {label: position for position, label in enumerate(values)}
    missing = [label for label in asked if label not in known]
    for given_as in (asked, tuple(asked), _array(asked)):
        if given_as is None:
            continue
        if missing:
            with pytest.raises(GraphError, match=f"no vertex -?{abs(missing[0])}|no vertex"):
                labels.positions(given_as)
        else:
            assert labels.positions(given_as).tolist() == [known[label] for label in asked]


def _array(values: list[int]) -> Any:
    for dtype in (np.int64, np.uint64):
        try:
            return np.array(values, dtype=dtype)
        except OverflowError:
            continue
    return None


@given(st.integers(-5, 5), st.integers(0, 6), st.integers(-7, 7), st.integers(-7, 7), st.sampled_from([-2, -1, 1, 3]))
def test_ranges(start: int, n: int, first: int, stop: int, step: int) -> None:
    labels, chosen = labels_of(range(start, start + n)), range(first, stop, step)
    if all(start <= label < start + n for label in chosen):
        assert labels.positions(chosen).tolist() == [label - start for label in chosen]
    else:
        with pytest.raises(GraphError, match="no vertex"):
            labels.positions(chosen)


@pytest.mark.parametrize("start", [-300, -100, 0, 1, 300])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int64, np.uint8, np.uint64])
def test_narrow_integers_do_not_wrap(start: int, dtype: Any) -> None:
    labels = labels_of(range(start, start + 600))
    chosen = np.array([100, 101, 127], dtype=dtype)
    if start <= 100:
        assert labels.positions(chosen).tolist() == [100 - start, 101 - start, 127 - start]
    else:
        with pytest.raises(GraphError, match="no vertex 100"):
            labels.positions(chosen)


def test_a_range_of_labels_allocates_nothing() -> None:
    graph = apsp.from_edges(np.arange(99_999), np.arange(1, 100_000))
    peaks = []
    for given_as in (None, range(1, 100_001)):
        tracemalloc.start()
        try:
            labelled = graph._with(labels=given_as)
            first = labelled.labels[5]
            result = apsp.solve(labelled, sources=[first], targets=[first], method="bfs")
            assert result.distance(first, first) == 0
            assert result.sources.tolist() == [first]
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    assert peaks[1] < peaks[0] + 50_000


@pytest.mark.parametrize("labels", [range(1, 4), [7, 5, 2**62], ["a", "b", "c"]])
def test_huge_ranges_are_not_made(labels: Any) -> None:
    for chosen in (range(1, 10**18), range(-(10**30), 10**30), range(2**62, 0, -1)):
        with pytest.raises(GraphError, match="no vertex"):
            apsp.solve(apsp.from_edges([0, 1], [1, 2], labels=labels), sources=chosen)


def test_no_vertex() -> None:
    places = np.array([[0, -1], [1, 2]], dtype=np.int32)
    assert labels_of(range(3)).take_or_none(places) is places
    for labels, expected in (
        (labels_of([5, 4, 8]), [[5, -1], [4, 8]]),
        (labels_of(range(1, 4)), [[1, -1], [2, 3]]),
        (labels_of([-1, 4, 8]), [[-1, None], [4, 8]]),
        (labels_of(range(-2, 1)), [[-2, None], [-1, 0]]),
        (labels_of(["a", "b", "c"]), [["a", None], ["b", "c"]]),
    ):
        found = labels.take_or_none(places)
        assert found.tolist() == expected
        assert found.dtype == (object if None in itertools.chain(*expected) else np.int64)
    assert labels_of([]).take_or_none(np.array([-1])).tolist() == [-1]


def test_range_labels_cost_no_memory() -> None:
    labels = labels_of(range(1, 10**12))
    assert labels[10**11] == 10**11 + 1
    assert labels.index(10**9) == 10**9 - 1
    assert labels == labels_of(range(1, 10**12)) != labels_of(range(2, 10**12))


class _Grumpy:
    def __repr__(self) -> str:
        raise RuntimeError("no")


@pytest.mark.parametrize("label", [_Grumpy(), object, decimal.Decimal(1), (1, (2, {3}.__class__))])
def test_what_cannot_be_saved_is_said_before_anything_is_written(label: Any, tmp_path: Path) -> None:
    graph = apsp.from_edges([0], [1], labels=[0, label])
    for save in (apsp.solve(graph).save, apsp.prepare(graph).save, lambda path: apsp.write(graph, path)):
        with pytest.raises(GraphError, match="cannot be saved"):
            save(tmp_path / "x.npz")
    assert not list(tmp_path.iterdir())
    assert apsp.solve(graph).path(0, label) == [0, label]


@pytest.mark.parametrize(
    "arrays",
    [
        {"label_range": np.array([1])},
        {"label_range": np.array([1, 2, 3])},
        {"label_range": np.array([1, -3])},
        {"label_range": np.array([2**63 - 1, 9])},
        {"label_range": np.array([1.0, 2.0])},
        {"label_integers": np.array([[1, 2]])},
        {"label_integers": np.array([1, 1])},
        {"label_integers": np.array(["a"])},
        {"label_text": np.frombuffer(b"ab", np.uint8)},
        {"label_text": np.frombuffer(b"ab", np.uint8), "label_ends": np.array([1, 3])},
        {"label_text": np.frombuffer(b"ab", np.uint8), "label_ends": np.array([2, 1])},
        {"label_text": np.frombuffer(b"ab", np.uint8), "label_ends": np.array([-1, 2])},
        {"label_text": np.frombuffer(b"a\xff", np.uint8), "label_ends": np.array([1, 2])},
        {"label_text": np.array(3, np.uint8), "label_ends": np.array([1, 2])},
        {"names": np.array("a")},
        {"names": np.array([1.5])},
        {"names": np.array("a"), "name_ends": np.array([1])},
        *(
            {"label_json": np.frombuffer(text.encode(), np.uint8)}
            for text in (
                "", "{}", "3", "[", "[[1]]", '[{"a": 1}]', '[{"tuple": 3}]', '[{"int": "z"}]', '[{"float": 5}]', "[{}]",
                '[{"int": "1", "float": "1"}]', '[{"datetime64": [1, ["x", 1]]}]', '[{"datetime64": [1, []]}]', "[NaN]",
                '[{"bytes": "xy"}]', '[{"date": 5}]', '[{"complex": []}]', '[{"datetime64": ["a", ["s", 1]]}]', "[1.5]",
                '[{"datetime64": [1e99, ["s", 1]]}]', "[1, 1]", "[" * 10**5, '[{"timedelta64": [1, ["s", 1e99]]}]',
                '[{"int": 5}]', '[{"tuple": {"a": 3}}]', '[{"datetime64": [1, ["s", 0]]}]',
            )
        ),
    ],
)  # fmt: skip
def test_damaged_labels(arrays: dict[str, Any]) -> None:
    with pytest.raises(GraphError):
        labels_of_arrays(arrays)


def test_labels_of_another_length_than_the_graph(tmp_path: Path) -> None:
    with np.errstate(all="ignore"), pytest.raises(GraphError, match="2 labels for 1 vertices"):
        apsp.Graph([0, 0], [], labels=labels_of_arrays({"label_range": np.array([1, 2])}))


# -- NetworkX ---------------------------------------------------------------------------------------------------------


def test_the_nodes_of_networkx_are_the_labels() -> None:
    source = nx.Graph()
    source.add_edge(1, 2, weight=5)
    source.add_edge(2, 3, weight=7)
    result = apsp.solve(source)
    assert (result.distance(1, 2), result.distance(1, 3), result.path(1, 3)) == (5, 12, [1, 2, 3])
    with pytest.raises(GraphError, match="no vertex 0"):
        result.distance(0, 1)
    source.add_edge("1", 1, weight=2)
    source.add_edge((1, 2), "1", weight=1)
    result = apsp.solve(source)
    assert result.distance("1", 1) == 2
    assert result.path((1, 2), 3) == [(1, 2), "1", 1, 2, 3]
    assert apsp.solve(source, sources=(1, 2)).sources.tolist() == [(1, 2)]
    assert apsp.solve(source, sources=[1, 2]).sources.tolist() == [1, 2]
    assert apsp.solve(source, sources=(1, 3)).sources.tolist() == [1, 3]
    assert apsp.solve(source, sources="1").sources.tolist() == ["1"]
    back = apsp.from_networkx(source).to_networkx()
    assert list(back.nodes) == list(source.nodes)
    assert nx.utils.edges_equal(back.edges(data=True), source.edges(data=True))


def _hidden(_u: Any, _v: Any, data: dict[str, Any]) -> Any:
    return None if data.get("closed") else data["weight"] * 2


WEIGHTS: list[Any] = ["weight", "toll", None, _hidden, lambda u, v, _: abs(u - v), lambda *_: 1.5]


@pytest.mark.parametrize("weight", WEIGHTS)
@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph])
def test_weights_as_networkx_has_them(kind: Any, weight: Any) -> None:
    source = nx.gnm_random_graph(30, 70, seed=4, directed=kind is nx.DiGraph)
    source = nx.relabel_nodes(source, {node: 100 - 3 * node for node in source})
    rng = np.random.default_rng(1)
    for number, (_, _, data) in enumerate(source.edges(data=True)):
        data["weight"] = int(rng.integers(1, 20))
        if number % 3:
            data["toll"] = None if number % 4 == 0 else float(rng.integers(1, 9))
        data["closed"] = number % 5 == 0
    result = apsp.solve(apsp.from_networkx(source, weight, missing=1))
    for node, distances in nx.all_pairs_dijkstra_path_length(source, weight=weight):
        ours = {target: result.distance(node, target) for target in source}
        assert {target: d for target, d in ours.items() if d < np.inf} == distances


def test_a_function_may_tell_directions_apart() -> None:
    source = nx.Graph([(0, 1), (1, 2)])
    uphill = apsp.from_networkx(source, lambda u, v, _: 10 if v > u else 1)
    assert uphill.directed
    assert (apsp.solve(uphill).distance(0, 2), apsp.solve(uphill).distance(2, 0)) == (20, 2)
    assert not apsp.from_networkx(source, lambda u, v, _: u + v).directed
    several = nx.MultiGraph([("a", "b", {"weight": 3}), ("a", "b", {"weight": 2}), ("b", "c", {"weight": 1})])
    assert apsp.solve(several).distance("a", "c") == 3
    several.add_edge("c", "a", weight=float("inf"))
    with pytest.raises(GraphError, match=r"from vertex '[ac]' to '[ac]', has weight inf"):
        apsp.from_networkx(several)
    several.remove_edge("c", "a")
    longest = apsp.from_networkx(several, lambda _u, _v, keys: max(data.get("weight", 1) for data in keys.values()))
    assert apsp.solve(longest).distance("a", "c") == 4
    for weight in (True, 3, ["weight"]):
        with pytest.raises(RequestError, match="weight must be the name of an edge attribute"):
            apsp.from_networkx(several, weight)
    with pytest.raises(GraphError, match="edge 'a' - 'b': the weight function returns 'far'"):
        apsp.from_networkx(several, lambda *_: "far")


# -- what sources and targets may be ----------------------------------------------------------------------------------

TREE = apsp.from_edges([0, 0, 1, 1], [1, 2, 3, 4], [1, 2, 3, 4], labels=[11, 7, -1, 30, 12])


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (30, [30]),
        (np.int32(30), [30]),
        (np.array(30), [30]),
        ([7, 7, -1], [7, 7, -1]),
        ((11, 12), [11, 12]),
        (range(11, 13), [11, 12]),
        (np.array([30, 7], np.uint64), [30, 7]),
        (np.array([30, 7], object), [30, 7]),
        ({30: "x", 7: "y"}, [30, 7]),
        (iter([30, 7]), [30, 7]),
        ({12}, [12]),
        ([], []),
        (np.array([]), []),
        (TREE.labels, [11, 7, -1, 30, 12]),
    ],
)
def test_ways_to_give_vertices(chosen: Any, expected: list[int]) -> None:
    assert apsp.solve(TREE, sources=chosen).sources.tolist() == expected


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (0, "no vertex 0"),
        ([0, 1], "no vertex 0"),
        (range(5), "no vertex 0"),
        ("30", "did you mean 30"),
        ([[30]], r"no vertex \[30\]"),
        (np.array([[30]]), r"not of shape \(1, 1\)"),
        (np.array([30.0]), "no vertex"),
        (np.ones(5, bool), r"not a mask: graph.labels\[mask\]"),
        (3.5, "no vertex 3.5"),
        (object(), "no vertex <object"),
    ],
)
def test_what_is_refused_as_vertices(chosen: Any, message: str) -> None:
    for ask in (apsp.solve, apsp.stream, apsp.plan, apsp.eccentricity):
        with pytest.raises((GraphError, RequestError), match=message):
            ask(TREE, sources=chosen)


def test_a_tuple_that_is_a_label_is_one_vertex() -> None:
    grid = apsp.from_networkx(nx.grid_2d_graph(3, 3))
    assert apsp.solve(grid, sources=(0, 1)).sources.tolist() == [(0, 1)]
    assert apsp.solve(grid, sources=[(0, 1), (2, 2)], targets=((1, 1), (0, 0))).to_numpy().tolist() == [[1, 1], [2, 4]]
    with pytest.raises(GraphError, match="no vertex 0"):
        apsp.solve(grid, sources=(0, 7))


def test_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"zone": [30, 7, -1], "name": ["a", "b", "c"]}, index=pandas.Index([5, 6, 9]))
    assert apsp.solve(TREE, sources=table["zone"]).sources.tolist() == [30, 7, -1]
    assert apsp.solve(TREE, sources=pandas.Index([30, 7])).sources.tolist() == [30, 7]
    assert apsp.solve(TREE, sources=pandas.array([30, 7], dtype="Int64")).sources.tolist() == [30, 7]
    named = apsp.from_edges([0, 1], [1, 2], labels=table["name"])
    assert apsp.solve(named, sources=table["name"][1:]).sources.tolist() == ["b", "c"]
    assert apsp.solve(named, sources=pandas.Categorical(["c", "a"])).sources.tolist() == ["c", "a"]
    assert list(apsp.from_edges([0, 1], [1, 2], labels=table.index).labels) == [5, 6, 9]
    days = pandas.date_range("2026-01-01", periods=3)
    dated = apsp.from_edges([0, 1], [1, 2], labels=days)
    assert apsp.solve(dated, sources=days[1:]).distance(days[1], days[2]) == 1
    assert apsp.solve(dated).distance(datetime.datetime(2026, 1, 1), days[1]) == 1
    frame = pandas.DataFrame(apsp.solve(named).to_long())
    assert frame.set_index(["source", "target"]).loc[("a", "c"), "distance"] == 2
    matrix = pandas.DataFrame(apsp.solve(named).distances, index=named.labels, columns=named.labels)
    assert matrix.loc["a", "b"] == 1


def test_labels_are_a_sequence_for_others() -> None:
    labels: Labels = labels_of(["a", "b"])
    assert repr(labels) == "ObjectLabels(['a', 'b'], n=2)"
    assert repr(labels_of(range(7, 20))) == "RangeLabels([7, 8, 9, 10, ...], n=13)"
    assert dict(zip(labels, [1, 2], strict=True)) == {"a": 1, "b": 2}
    with pytest.raises(GraphError, match="the labels 1 and '1' have the same text"):
        labels_of([1, "1"]).texts()
