"""Writing: reading it again gives the same graph, and a failure leaves the old file."""

from __future__ import annotations

import errno
import os

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apsp.errors import GraphError, OutputError, RequestError
from apsp.graph.convert import from_edges
from apsp.graph.files import losses, read, write
from apsp.graph.files.formats import modules
from apsp.graph.generate import generate
from apsp.graph.labels import labels_of
from examples import examples

EXACT = [
    ".gr",
    ".mtx",
    ".csv",
    ".tsv",
    ".npz",
    ".gml",
    ".graphml",
    ".net",
    ".parquet",
    ".feather",
    ".gr.gz",
    ".mtx.xz",
    ".npz.bz2",
]
NAMED = [".npz", ".gml", ".graphml", ".net"]
SETTINGS = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(40)
)


def fields(graph):
    return [
        None if array is None else (array.dtype.kind, array.tolist())
        for array in (graph.indptr, graph.indices, graph.weights, graph.zones)
    ]


@st.composite
def graphs(draw):
    n = draw(st.integers(1, 9))
    m = draw(st.integers(0, 30))
    ends = st.lists(st.integers(0, n - 1), min_size=m, max_size=m)
    number = draw(
        st.sampled_from(
            [
                st.none(),
                st.integers(-(2**60), 2**60),
                st.integers(-9, 9),
                st.floats(-1e300, 1e300, allow_subnormal=True),
            ]
        )
    )
    weights = draw(st.lists(number, min_size=m, max_size=m)) if m else []
    lengths = None if not weights or weights[0] is None else weights
    if lengths is not None and all(-(2**31) <= w < 2**31 for w in lengths) and all(isinstance(w, int) for w in lengths):
        lengths = np.array(lengths, np.int32)
    return from_edges(draw(ends), draw(ends), lengths, n=n, directed=draw(st.booleans()))


FROM_ONE = (".gr", ".mtx", ".gr.gz", ".mtx.xz")


@SETTINGS
@given(graph=graphs(), suffix=st.sampled_from(EXACT))
def test_round_trip(tmp_path, graph, suffix):
    path = tmp_path / f"graph{suffix}"
    write(graph, path)
    again = read(path)
    assert fields(again) == fields(graph)
    assert again.directed == graph.directed
    assert again.labels == labels_of(range(1, graph.n + 1) if suffix in FROM_ONE else range(graph.n))
    assert losses(graph, path) == []


LABELS = [
    lambda n: range(1, n + 1),
    lambda n: range(-3, n - 3),
    lambda n: [7 * k % 23 - 5 for k in range(n)],
    lambda n: [10**17 + k * k for k in range(n)],
    lambda n: [f"v{n - k}" for k in range(n)],
]


def labelled_arcs(graph):
    tails, heads = graph.labels.take(graph.tails()).tolist(), graph.labels.take(graph.indices).tolist()
    weights = [None] * graph.m if graph.weights is None else graph.weights.tolist()
    return sorted(zip(tails, heads, weights, strict=True), key=repr)


@SETTINGS
@given(graph=graphs(), suffix=st.sampled_from(EXACT), labels=st.sampled_from(LABELS))
def test_labels_survive_or_are_told_lost(tmp_path, graph, suffix, labels):
    graph = graph._with(labels=labels(graph.n))
    path = tmp_path / f"graph{suffix}"
    try:
        write(graph, path)
    except GraphError:  # an isolated vertex
        assert suffix in (".csv", ".tsv", ".parquet", ".feather")
        assert len({*graph.tails().tolist(), *graph.indices.tolist()}) < graph.n
        return
    again = read(path)
    if losses(graph, path):
        assert again.labels == labels_of(range(1, graph.n + 1))
        assert suffix in FROM_ONE
        assert fields(again) == fields(graph)
    else:
        assert set(again.labels) == set(graph.labels)
        assert labelled_arcs(again) == labelled_arcs(graph)


def test_labels_that_change_their_type_are_told(tmp_path):
    for labels, back in (([(0, 1), (1, 2)], ["(0, 1)", "(1, 2)"]), (["7", "8"], [7, 8]), ([1, "b"], ["1", "b"])):
        graph = from_edges([0], [1], [5], labels=labels)
        for name in ("a.gml", "a.graphml", "a.net"):
            write(graph, tmp_path / name)
            assert read(tmp_path / name).labels == labels_of(back)
            assert losses(graph, tmp_path / name) == ["label types"]
        assert losses(graph, "a.npz") == []
        assert losses(graph, "a.gr") == ["labels"]
    with pytest.raises(GraphError, match="1 and '1' have the same text"):
        write(from_edges([0], [1], labels=[1, "1"]), tmp_path / "b.gml")


@SETTINGS
@given(names=st.sets(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1), min_size=2, max_size=6),
       suffix=st.sampled_from(NAMED))  # fmt: skip
def test_names_and_coordinates_survive(tmp_path, names, suffix):
    n = len(names)
    points = np.arange(2 * n).reshape(n, 2) / 7
    graph = from_edges(range(n - 1), range(1, n), [0.1] * (n - 1), labels=sorted(names), coordinates=points)
    path = tmp_path / f"graph{suffix}"
    try:
        write(graph, path)
    except GraphError:
        return  # a character that XML cannot hold
    again = read(path)
    assert list(map(str, again.labels)) == list(graph.labels)
    assert (again.labels == graph.labels) == (losses(graph, path) == [])
    assert again.coordinates.tolist() == points.tolist()
    assert again.weights.tolist() == graph.weights.tolist()


def test_other_formats(tmp_path):
    graph = generate("ring", 6, weights=(1, 9))
    for name in ("a.graph", "a.pmed"):
        write(graph, tmp_path / name)
        assert fields(read(tmp_path / name)) == fields(graph)
    city = generate("city", 50, seed=1)
    write(city, tmp_path / "city.gr.gz")
    assert np.allclose(read(tmp_path / "city.gr.gz").coordinates, city.coordinates)
    zones = from_edges([0, 1], [1, 2], [1.5, 2.0], zones=[True, False, False])
    for name in ("z.tntp", "z.npz"):
        write(zones, tmp_path / name)
        assert fields(read(tmp_path / name)) == fields(zones)
    write(graph, tmp_path / "dense.npy")
    dense = read(tmp_path / "dense.npy", directed=False)
    assert dense.weights.tolist() == graph.weights.tolist()
    named = from_edges([0], [1], [2], labels=["Rome", "Ostia"])
    write(named, tmp_path / "named.csv")
    assert read(tmp_path / "named.csv").labels == named.labels


def test_losses(tmp_path):
    graph = from_edges([0], [1], labels=["a", "b"], coordinates=np.zeros((2, 2)))
    assert losses(graph, "x.gr") == ["labels"]
    assert losses(graph, "x.mtx") == ["labels", "coordinates"]
    assert losses(graph, "x.npz") == []
    assert losses(graph, "x", "graphml") == []


def test_refusals(tmp_path):
    directed = from_edges([0], [1], [1])
    zones = from_edges([0], [1], zones=[True, False])
    cases = [
        (GraphError, directed, "a.graph", "undirected"),
        (GraphError, directed, "a.pmed", "undirected"),
        (GraphError, zones, "a.gr", "may not pass through zones; write .npz"),
        (GraphError, from_edges([0], [1], labels=["a", "b,c"]), "a.csv", "cannot stand in an edge list"),
        (GraphError, from_edges([0], [1], labels=["a", "b", "c"]), "a.csv", "vertex 'c' has no arc"),
        (RequestError, directed, "a.what", "end the name in one of .parquet"),
        (RequestError, directed, "a.as-rel", "no format to write"),
        (OutputError, directed, "no/such/folder/a.gr", "cannot write .* does not exist"),
    ]
    for kind, graph, name, message in cases:
        with pytest.raises(kind, match=message):
            write(graph, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_full_disk_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "graph.gr"
    write(from_edges([0], [1], [7]), path)
    before = path.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match=r"No space left on device; .* is as it was before"):
        write(generate("ring", 1000), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["graph.gr"]


def test_every_format_tells_what_it_is():
    for module in modules():
        assert module.__doc__
        assert module.NAMES
        assert module.SUFFIXES
        assert isinstance(module.KEEPS if hasattr(module, "write") else frozenset(), frozenset)


def test_archives_in_all_compressions(tmp_path):
    graph = generate("city", 60, seed=1)
    for ending in ("", ".gz", ".bz2", ".xz"):
        write(graph, tmp_path / f"city.npz{ending}")
        assert read(tmp_path / f"city.npz{ending}") == graph
