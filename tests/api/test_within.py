"""Pairs within a cutoff, beside SciPy's Dijkstra with a limit, and beside whole rows."""

from __future__ import annotations

import copy
import csv
import math
import pickle
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import apsp
from apsp.api.within import job as within_jobs
from apsp.errors import (
    DeviceError,
    DtypeRangeError,
    GraphError,
    MemoryLimitError,
    OutputError,
    PathsNotKeptError,
    RequestError,
)
from apsp.facts.request import Request
from apsp.gpu import jit
from apsp.methods import registry
from apsp.semiring import ALL_DTYPES, is_unreachable
from examples import examples
from executors import AtOnce
from skim_stores import network
from stopping import StopError, stop_after
from tuple_paths import least_tuples

Row = list[tuple[int, Any]]


def rows_of_solve(graph: apsp.Graph, cutoff: float, **options: Any) -> list[Row]:
    """(target, distance) of every source, nearest first, from whole rows."""
    result = apsp.solve(graph, cutoff=cutoff, **options)
    found = []
    for row in result.distances:
        near = np.flatnonzero(~is_unreachable(row))
        near = near[np.argsort(row[near], kind="stable")]
        found.append(list(zip(near.tolist(), row[near].tolist(), strict=True)))
    return found


def rows_of(found: apsp.NearPairs) -> list[Row]:
    return [
        list(zip(found.positions[a:b].tolist(), found.distances[a:b].tolist(), strict=True))
        for a, b in zip(found.indptr, found.indptr[1:], strict=False)
    ]


def random_graph(n: int, m: int, seed: int, weights: str = "int", **options: Any) -> apsp.Graph:
    """With parallel arcs, self-loops, and zeros."""
    rng = np.random.default_rng(seed)
    lengths: Any = rng.integers(0, 12, m)
    if weights == "float":
        lengths = lengths * rng.random(m)
    return apsp.from_edges(
        rng.integers(0, n, m), rng.integers(0, n, m), None if weights == "hops" else lengths, n=n, **options
    )


@st.composite
def graphs(draw: st.DrawFn) -> apsp.Graph:
    n = draw(st.integers(1, 24))
    m = draw(st.integers(0, 4 * n))
    weights = draw(st.sampled_from(["int", "float", "hops"]))
    zones = draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n))
    return random_graph(n, m, draw(st.integers(0, 2**20)), weights, directed=draw(st.booleans()), zones=zones)


@settings(max_examples=examples(150), deadline=None)
@given(graphs(), st.data())
def test_equals_whole_rows(graph: apsp.Graph, data: st.DataObject) -> None:
    cutoff = data.draw(st.integers(0, 30) | st.floats(0, 30) | st.just(math.inf))
    vertices = st.lists(st.integers(0, graph.n - 1), max_size=30)
    sources, targets = data.draw(st.none() | vertices), data.draw(st.none() | vertices)
    k, by_target = data.draw(st.none() | st.integers(1, 5)), data.draw(st.booleans())
    method = {} if not graph.is_weighted or graph.weights.dtype.kind != "f" else {"method": "dijkstra"}  # type: ignore[union-attr]
    expected = rows_of_solve(graph, cutoff, **method)
    expected = expected if sources is None else [expected[source] for source in sources]
    if targets is not None:
        expected = [[pair for pair in row if pair[0] in set(targets)] for row in expected]
    expected = [row[:k] for row in expected]
    if by_target:
        expected = [sorted(row) for row in expected]
    options: dict[str, Any] = {
        "sources": sources, "targets": targets, "k": k, "sort": "target" if by_target else "distance",
    }  # fmt: skip
    found = apsp.within(graph, cutoff, **options)
    assert rows_of(found) == expected
    assert len(found) == len(expected)
    blocks = list(apsp.stream_within(graph, cutoff, rows=data.draw(st.integers(1, 9)), **options))
    assert [row for block in blocks for row in rows_of(block)] == expected
    shape = (len(expected), graph.n if targets is None else len(set(targets)))
    sparse = found.to_scipy()
    assert sparse.shape == shape
    assert sparse.nnz == found.pairs
    columns = list(range(graph.n)) if targets is None else list(dict.fromkeys(targets))
    for i, row in enumerate(expected):
        some = slice(sparse.indptr[i], sparse.indptr[i + 1])
        pairs = zip(sparse.indices[some].tolist(), sparse.data[some].tolist(), strict=True)
        assert [(columns[j], value) for j, value in pairs] == row


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("limit", [0.0, 0.7, 2.5, 1e9])
def test_equals_scipy(directed: bool, limit: float) -> None:
    rng = np.random.default_rng(3)
    tails, heads = rng.integers(0, 300, (2, 900))
    matrix = csr_array((rng.random(900) + 0.01, (tails, heads)), shape=(300, 300))
    matrix = matrix if directed else matrix.maximum(matrix.T)
    graph = apsp.from_scipy(matrix.tocsr(), directed=directed)
    expected = dijkstra(matrix, directed=directed, limit=limit)
    near = apsp.within(graph, limit).to_scipy().toarray()
    np.testing.assert_allclose(np.where(np.isinf(expected), 0, expected), near, rtol=1e-12)
    assert apsp.within(graph, limit).pairs == np.isfinite(expected).sum()


@settings(max_examples=examples(60), deadline=None)
@given(graphs(), st.floats(0, 40))
def test_next_hops_are_on_shortest_paths(graph: apsp.Graph, cutoff: float) -> None:
    distances = apsp.solve(graph, dtype="float64").to_numpy()
    lengths = {}
    weights = np.ones(graph.m) if graph.weights is None else graph.weights
    for tail, head, length in zip(graph.tails().tolist(), graph.indices.tolist(), weights.tolist(), strict=True):
        lengths[tail, head] = min(length, lengths.get((tail, head), math.inf))
    found = apsp.within(graph, cutoff, next_hop=True)
    table = found.to_long()
    for source, target, distance, hop in zip(*(column.tolist() for column in table.values()), strict=True):
        if source == target:
            assert hop == -1
        else:
            assert hop == target or graph.zones is None or not graph.zones[hop]
            assert lengths[source, hop] + distances[hop, target] == pytest.approx(distance, rel=1e-12, abs=1e-12)


@settings(max_examples=examples(150), deadline=None)
@given(graphs(), st.data())
def test_other_costs_are_those_of_one_least_path(graph: apsp.Graph, data: st.DataObject) -> None:
    """Against Dijkstra on tuples of Python, and a walk along next hops."""
    costs: dict[str, Any] = {}
    lengths = graph.arc_weights("float64")
    rng = np.random.default_rng(data.draw(st.integers(0, 2**20)))
    for name in data.draw(st.sampled_from([["toll"], ["toll", "km"], ["a", "b", "c", "d", "e"]])):
        costs[name] = rng.integers(0, 4, graph.m)
        if data.draw(st.booleans()):  # below zero, where the length is not
            costs[name] = np.where(lengths > 0, costs[name] - 2, costs[name])
    columns = np.stack([lengths, *costs.values()], axis=1)
    cutoff, by_target = data.draw(st.integers(0, 30) | st.floats(0, 30)), data.draw(st.booleans())
    k = data.draw(st.none() | st.integers(1, 9))
    sources = data.draw(st.none() | st.lists(st.integers(0, graph.n - 1), max_size=30))
    sort = "target" if by_target else "distance"
    found = apsp.within(graph, cutoff, along=costs, next_hop=True, sources=sources, k=k, sort=sort)
    plain = apsp.within(graph, cutoff, sources=sources, k=k, sort=sort)
    assert rows_of(found) == rows_of(plain)
    assert list(found.along) == list(costs)
    assert all(sums.dtype == np.int64 for sums in found.along.values())
    assert found.next_positions is not None
    exact = graph.weights is None or graph.weights.dtype.kind != "f"
    for row, source in enumerate(found.source_positions.tolist()):
        least = least_tuples(graph, columns, source)
        for pair in range(found.indptr[row], found.indptr[row + 1]):
            target, hop = int(found.positions[pair]), int(found.next_positions[pair])
            sums = tuple(int(column[pair]) for column in found.along.values())
            if exact:
                assert (found.distances[pair], *sums) == least[target]
            if source == target:
                assert (hop, *sums) == (-1, *(0 for _ in costs))
            elif exact:  # the first arc, and the least path from there, which may be a zone only if it is the target
                (arc,) = [a for a in range(*graph.indptr[source : source + 2]) if graph.indices[a] == hop]
                rest = least_tuples(graph, columns, hop)[target] if hop != target else (0,) * columns.shape[1]
                assert tuple(columns[arc] + rest) == least[target]
                assert hop == target or graph.zones is None or not graph.zones[hop]


@pytest.mark.parametrize("zones", [False, True])
def test_other_costs_are_those_of_skim(zones: bool) -> None:
    graph, along = network("int32", zones=zones)
    skims = apsp.skim(graph, along, zones=range(graph.n))
    found = apsp.within(graph, math.inf, along=along, sort="target")
    assert found.pairs == np.isfinite(skims["cost"][:]).sum()
    for name in along:
        matrix = found.to_scipy().copy()
        matrix.data = found.along[name].astype(float)
        matrix = matrix.toarray()
        np.testing.assert_array_equal(matrix, np.where(np.isfinite(skims["cost"][:]), skims[name][:], 0))


def test_floats_along_paths_are_sums_of_one_path() -> None:
    """Also where rounding hides an arc, and costs are below zero there."""
    graph = apsp.from_edges([0, 1, 1, 2, 3], [1, 2, 3, 1, 4], [1.0, 1e-30, 1e-30, 1e-30, 2.0], n=5)
    sums = {"a": np.array([0.5, -1.0, 2.0, -1.0, 0.25])}
    found = apsp.within(graph, 9, sources=[0], along=sums)
    assert found.distances.tolist() == [0.0, 1.0, 1.0, 1.0, 3.0]
    assert found.along["a"].tolist() == [0.0, 0.5, -0.5, 2.5, 2.75]


def test_names_of_costs_and_tables(tmp_path: Path) -> None:
    links = {"toll": [2, 9, 0], "km": [3.5, 9.0, 1.0]}
    roads = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"]).with_costs(**links)
    found = apsp.within(roads, 5, along=["km", "toll"], next_hop=True)
    head = ["source", "target", "distance", "next_hop", "km", "toll"]
    rows = list(zip(*found.to_long().values(), strict=True))
    assert list(found.to_long()) == found.to_pandas().columns.tolist() == head
    assert rows[2] == ("a", "c", 5, "b", 4.5, 2)
    found.write(tmp_path / "near.csv")
    assert (tmp_path / "near.csv").read_text().splitlines()[3] == "a,c,5,b,4.5,2"
    assert found["a"].along["toll"].tolist() == [0, 2, 2]
    blocks = list(apsp.stream_within(roads, 5, along="toll", rows=2))
    assert [block.along["toll"].tolist() for block in blocks] == [[0, 2, 2, 0, 0], [0]]
    assert dict(apsp.within(roads, 5, along=[]).along) == {}
    for along, words in (
        (["speed"], "along names 'speed'"),
        (["toll", "toll"], "twice"),
        ({"distance": [1, 1, 1]}, "'distance'"),
        ({"next_hop": [1, 1, 1]}, "column 'next_hop' of vertices"),
        ({f"c{k}": [1, 1, 1] for k in range(16)}, "at most 15"),
        (7, "along must be names"),
    ):
        with pytest.raises(RequestError, match=words):
            apsp.within(roads, 5, along=along)  # type: ignore[arg-type]
    with pytest.raises(GraphError, match="one per arc"):
        apsp.within(roads, 5, along={"x": [1, 2]})
    with pytest.raises(GraphError, match="negative on the arc"):
        apsp.within(apsp.from_edges([0], [1], [0]), 5, along={"x": [-1]})
    with pytest.raises(DtypeRangeError, match="2\\^53"):
        apsp.within(roads, 5, along={"x": [2**53, 1, 1]})


def test_parallel_links_take_the_costs_of_the_link_that_is_used() -> None:
    roads = apsp.from_edges([0, 0, 0], [1, 1, 1], [3, 3, 2], links=True).with_costs(links=True, toll=[5, 1, 9])
    assert apsp.within(roads, 9, sources=[0], along="toll").along["toll"].tolist() == [0, 9]


def test_many_sources_are_the_same_for_any_number_of_threads_and_workers() -> None:
    city = apsp.generate("city", 3000, seed=2)
    along = {"turns": np.arange(city.m) % 3, "km": np.arange(city.m) / 7}
    one = apsp.within(city, 150, threads=1, next_hop=True, along=along)
    for options in ({"threads": 3}, {"executor": AtOnce(), "threads": 1}):
        other = apsp.within(city, 150, next_hop=True, along=along, **options)  # type: ignore[arg-type]
        for name in along:
            assert one.along[name].tobytes() == other.along[name].tobytes()
        for name in ("indptr", "positions", "distances", "next_positions"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    blocks = list(apsp.stream_within(city, 150, executor=AtOnce(), threads=1, rows=700))
    assert [len(block) for block in blocks] == [700] * (city.n // 700) + [city.n % 700]
    np.testing.assert_array_equal(np.concatenate([block.positions for block in blocks]), one.positions)
    assert rows_of(one)[:50] == rows_of_solve(city, 150, sources=range(50))


@pytest.mark.parametrize(
    ("sort", "cutoff"),
    [
        ("distance", 300),
        ("target", 1900),
        *(
            pytest.param(*case, marks=pytest.mark.slow)
            for case in (("target", 300), ("distance", 1900), ("distance", 3000), ("target", 3000))
        ),
    ],
)
def test_large_blocks_in_memory_that_is_used_again(sort: str, cutoff: int) -> None:
    city = apsp.generate("city", 3000, seed=3)
    whole = apsp.solve(city, dtype="int64").distances
    lengths = city.to_scipy().tocsr()
    options = Request(method="label-correcting", threads=2)
    job = within_jobs.within_job(city, cutoff, None, None, next_hop=True, sort=sort, options=options)
    for first in (0, 1500, 0):
        block = job.pairs_of(job.part(first, first + 1500, None), job.sources[first : first + 1500])
        sources, targets = np.repeat(block.source_positions, np.diff(block.indptr)), block.positions
        near = whole[first : first + 1500] <= cutoff
        assert np.array_equal(np.diff(block.indptr), near.sum(axis=1))
        assert np.array_equal(block.distances, whole[sources, targets])
        keys = (targets, block.distances, sources) if sort == "distance" else (targets, sources)
        assert np.array_equal(np.lexsort(keys), np.arange(block.pairs))
        hops = block.next_hops
        own = sources == targets
        assert np.array_equal(hops == -1, own)
        steps = lengths[sources[~own], hops[~own]]
        assert (steps > 0).all()
        assert np.array_equal(steps + whole[hops[~own], targets[~own]], block.distances[~own])


def test_labels_of_networkx() -> None:
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 4), ("b", "c", 3), ("c", "d", 2), ("d", ("e", 1), 9)])
    found = apsp.within(graph, 5, next_hop=True)
    expected = dict(nx.all_pairs_dijkstra_path_length(graph, cutoff=5))
    assert {s: dict(zip(found[s].targets, found[s].distances.tolist(), strict=True)) for s in found} == expected
    assert found["d"].next_hops is not None
    assert found["d"].next_hops.tolist() == [None, "c", "c"]
    assert "a" in found
    assert "z" not in found
    with pytest.raises(GraphError):
        found["z"]
    some = apsp.within(graph, 5, sources=["d", "a", "d"], targets="c")
    assert list(some) == ["d", "a", "d"]
    assert some["d"].targets.tolist() == ["c"]
    assert some["a"].targets.tolist() == []
    with pytest.raises(RequestError, match="'b' is not one of the sources"):
        some["b"]
    with pytest.raises(PathsNotKeptError, match="next_hop=True"):
        _ = some.next_hops


@pytest.mark.parametrize("sort", ["distance", "target"])
@pytest.mark.parametrize("shift", [None, 0, 10**10])
def test_every_reader_of_parquet_reads_the_pairs(sort: str, shift: int | None, tmp_path: Path) -> None:
    """Several row groups, positions and integer labels of 32 and 64 bits, and nulls."""
    pytest.importorskip("pyarrow")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    duckdb = pytest.importorskip("duckdb")
    city = apsp.generate("city", 900, seed=3)
    labels = None if shift is None else np.random.default_rng(0).permutation(city.n) * 7 + shift
    city = city if labels is None else apsp.Graph(city.indptr, city.indices, city.weights, labels=labels)
    place = tmp_path / "pairs.parquet"
    apsp.stream_within(city, 60, next_hop=True, rows=400, sort=sort).write(place)
    columns = apsp.within(city, 60, next_hop=True, sort=sort).to_long()
    names = list(columns)
    columns["next_hop"] = np.where(columns["target"] == columns["source"], -1, columns["next_hop"])
    expected = [column.astype(np.int64).tolist() for column in columns.values()]
    frame = pandas.read_parquet(place)
    assert [frame[name].fillna(-1).astype(np.int64).tolist() for name in names] == expected
    assert [polars.read_parquet(place)[name].fill_null(-1).to_list() for name in names] == expected
    with duckdb.connect() as connection:
        rows = connection.sql(f"select * from '{place}'").fetchall()
    assert [[-1 if value is None else value for value in column] for column in zip(*rows, strict=True)] == expected


def test_tables_and_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("polars")
    pytest.importorskip("pandas")
    import pyarrow.parquet as pq

    streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
    found = apsp.within(streets, 4, next_hop=True)
    rows = [
        ("a", "a", 0, None), ("a", "b", 4, "b"), ("b", "b", 0, None), ("b", "c", 3, "c"), ("b", "a", 4, "a"),
        ("c", "c", 0, None), ("c", "d", 2, "d"), ("c", "b", 3, "b"), ("d", "d", 0, None), ("d", "c", 2, "c"),
    ]  # fmt: skip
    assert found.to_polars().rows() == rows
    assert [tuple(row.values()) for row in found.to_arrow().to_pylist()] == rows
    frame = found.to_pandas()
    assert list(frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)) == rows
    for block_rows in (1, 3, None):
        stream = apsp.stream_within(streets, 4, next_hop=True, rows=block_rows)
        stream.write(tmp_path / "pairs.parquet")
        assert [tuple(row.values()) for row in pq.read_table(tmp_path / "pairs.parquet").to_pylist()] == rows
        assert list(stream) == []
        apsp.stream_within(streets, 4, next_hop=True, rows=block_rows).write(tmp_path / "pairs.csv")
        found.write(tmp_path / "whole.csv")
        assert (tmp_path / "pairs.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    with (tmp_path / "whole.csv").open() as file:
        assert next(csv.reader(file)) == ["source", "target", "distance", "next_hop"]
    apsp.stream_within(streets, 4, sources=[]).write(tmp_path / "none.parquet")
    assert pq.read_table(tmp_path / "none.parquet").column_names == ["source", "target", "distance"]
    with pytest.raises(RequestError, match=r"\.csv or \.parquet"):
        apsp.stream_within(streets, 4).write(tmp_path / "pairs.txt")
    with pytest.raises(OutputError):
        apsp.stream_within(streets, 4).write(tmp_path / "nowhere" / "pairs.csv")


def test_a_copy_of_a_stream_continues_where_it_is() -> None:
    city = apsp.generate("city", 500, seed=2)
    stream = apsp.stream_within(city, 100, rows=200)
    next(stream)
    other = pickle.loads(pickle.dumps(stream))
    assert [block.sources.tolist() for block in other] == [block.sources.tolist() for block in stream]
    assert next(copy.copy(apsp.stream_within(city, 100, rows=200))).sources.tolist() == list(range(200))


def test_a_failed_stream_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    city = apsp.generate("city", 2000, seed=2)
    place = tmp_path / "pairs.csv"
    place.write_text("before")
    with pytest.raises(StopError):
        apsp.stream_within(city, 100, rows=100, progress=stop_after(500)).write(place)
    assert place.read_text() == "before"
    assert list(tmp_path.iterdir()) == [place]


def test_narrow_dtypes_are_proven_by_the_cutoff() -> None:
    long = apsp.from_edges([0, 1, 2], [1, 2, 3], [40_000, 30_000, 2**40])
    assert apsp.within(long, 65_534).distances.dtype == np.uint16
    assert apsp.within(long, 65_535).distances.dtype == np.int32
    assert rows_of(apsp.within(long, 70_000))[0] == [(0, 0), (1, 40_000), (2, 70_000)]
    assert apsp.within(long, math.inf).distances.tolist()[:4] == [0, 40_000, 70_000, 70_000 + 2**40]
    assert apsp.within(long, 10, dtype="int64").distances.dtype == np.int64
    with pytest.raises(DtypeRangeError):
        apsp.within(long, 10, dtype="uint16")
    huge = apsp.from_edges([0, 1], [1, 2], [2**61, 2**61])
    assert rows_of(apsp.within(huge, 7)) == [[(0, 0)], [(1, 0)], [(2, 0)]]
    with pytest.raises(RequestError, match="does not hold"):
        apsp.within(apsp.from_edges([0], [1], [300]), 300).to_scipy("int8")


@pytest.mark.parametrize("n", [0, 1, 3])
def test_graphs_without_arcs(n: int) -> None:
    found = apsp.within(apsp.from_edges([], [], n=n), 5, next_hop=True)
    assert rows_of(found) == [[(v, 0)] for v in range(n)]
    assert found.to_scipy().shape == (n, n)
    assert found.to_long()["next_hop"].tolist() == [-1] * n
    assert len(list(apsp.stream_within(apsp.from_edges([], [], n=n), 5))) == min(n, 1)
    assert "NearPairs(" in repr(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cutoff": -1}, "cutoff must be"),
        ({"cutoff": math.nan}, "cutoff must be"),
        ({"cutoff": None}, "cutoff must be"),
        ({"k": 0}, "k must be"),
        ({"sort": "near"}, "sort must be"),
        ({"device": "emulated", "along": {"stairs": [1, 2]}}, "computed on the CPU"),
        ({"device": "emulated:0,1"}, "one GPU"),
        ({"device": "tpu"}, "unknown device"),
        ({"next_hop": "yes"}, "next_hop must be"),
        ({"sources": [9]}, "9"),
        ({"targets": [9]}, "9"),
        ({"threads": 0}, "threads must be"),
        ({"dtype": "int8"}, "unknown dtype"),
    ],
)
@pytest.mark.parametrize("function", [apsp.within, apsp.stream_within])
def test_invalid_requests(function: Any, options: dict[str, Any], words: str) -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, 1])
    with pytest.raises((RequestError, GraphError), match=words):
        function(graph, **{"cutoff": 3, **options})


@pytest.mark.parametrize("device", ["emulated", pytest.param("cuda", marks=pytest.mark.gpu)])
@pytest.mark.parametrize("options", [{}, {"k": 4, "targets": range(0, 500, 3)}, {"sort": "target", "next_hop": True}])
def test_pairs_on_a_gpu(device: str, options: dict[str, Any]) -> None:
    city = apsp.generate("city", 500, seed=3)
    expected = apsp.within(city, 60, device="cpu", sources=range(0, 500, 7), **options)
    found = apsp.within(city, 60, device=device, sources=range(0, 500, 7), **options)
    for name in ("indptr", "positions", "distances"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))
    blocks = list(apsp.stream_within(city, 60, device=device, rows=100, **options))
    assert sum(block.pairs for block in blocks) == apsp.within(city, 60, **options).pairs


def test_a_gpu_that_is_not_there() -> None:
    if jit.why_no_gpu() is None:
        pytest.skip("there is a GPU")
    with pytest.raises(DeviceError, match=r"device='cuda'"):
        apsp.within(apsp.from_edges([0], [1]), 5, device="cuda")


def test_negative_arcs_are_refused_with_a_remedy() -> None:
    graph = apsp.from_edges([0, 1], [1, 2], [4, -1])
    with pytest.raises(RequestError, match=r"the smallest is -1: apsp\.stream\(graph, cutoff="):
        apsp.within(graph, 5)


def test_what_does_not_fit_names_remedies(monkeypatch: pytest.MonkeyPatch) -> None:
    city = apsp.generate("city", 1000, seed=2)
    pairs = apsp.within(city, 200).pairs
    monkeypatch.setattr(within_jobs, "usable", lambda _: pairs * 6)  # half of what it takes
    with pytest.raises(MemoryLimitError, match=r"about [\d,]+ pairs within 200 needs .*stream_within.*k=.*smaller"):
        apsp.within(city, 200)
    assert sum(block.pairs for block in apsp.stream_within(city, 200, rows=100)) == pairs
    assert apsp.within(city, 200, k=3).pairs == 3 * city.n
    monkeypatch.setattr(within_jobs.WithinJob, "check_memory", lambda _: None)  # an estimate that was too small
    with pytest.raises(MemoryLimitError, match=r"more than [\d,]+ pairs within 200 needs .*stream_within"):
        apsp.within(city, 200)


def test_progress_and_stop() -> None:
    city = apsp.generate("city", 3000, seed=2)
    calls: list[tuple[str, int, int]] = []
    apsp.within(city, 100, progress=lambda *call: calls.append(call))
    assert calls[-1] == ("pairs", city.n, city.n)
    with pytest.raises(StopError):
        apsp.within(city, math.inf, progress=stop_after(0))


@settings(max_examples=examples(200), deadline=None)
@given(graphs(), st.data())
def test_all_methods_find_the_same_pairs(graph: apsp.Graph, data: st.DataObject) -> None:
    """To the last bit; next hops begin shortest paths, and with other costs they are of the same path."""
    cutoff = data.draw(st.integers(0, 30) | st.floats(0, 30) | st.just(math.inf))
    vertices = st.lists(st.integers(0, graph.n - 1), max_size=40)
    request: dict[str, Any] = {
        "sources": data.draw(st.none() | vertices), "targets": data.draw(st.none() | vertices),
        "k": data.draw(st.none() | st.integers(1, 5)), "sort": data.draw(st.sampled_from(["distance", "target"])),
        "along": data.draw(st.sampled_from([None, {"toll": np.arange(graph.m) % 3}])),
    }  # fmt: skip
    threads = data.draw(st.sampled_from([1, 3]))
    found = {}
    for method in registry.source_methods("within"):
        options = Request(method=method.name, threads=threads)
        job = within_jobs.within_job(graph, cutoff, next_hop=True, options=options, **request)
        whole = graph.weights is None or graph.weights.dtype.kind != "f"
        if method.dtypes == ALL_DTYPES or (whole and job.dtype.name in method.dtypes):
            part = job.part(0, len(job.sources), None)
            assert [key for key in job.cache if key != "estimate"] == [method.name] or not len(job.sources)
            found[method.name] = job.pairs_of(part, job.sources)
    first, *others = found.values()
    lengths = apsp.solve(graph, method="dijkstra").distances if graph.n else None
    for other in others:
        for name in ("indptr", "positions", "distances"):
            np.testing.assert_array_equal(getattr(first, name), getattr(other, name))
        for name, sums in first.along.items():
            np.testing.assert_array_equal(sums, other.along[name])
        hops = other.next_positions
        assert hops is not None
        rows = np.repeat(other.source_positions, np.diff(other.indptr))
        np.testing.assert_array_equal(hops == -1, rows == other.positions)
        for source, target, hop in zip(rows.tolist(), other.positions.tolist(), hops.tolist(), strict=True):
            if hop < 0:
                continue
            arcs = [a for a in range(*graph.indptr[source : source + 2]) if graph.indices[a] == hop]
            weights = [1 if graph.weights is None else graph.weights[a].item() for a in arcs]
            assert hop == target or graph.zones is None or not graph.zones[hop]
            assert lengths is not None
            assert min(weights) + lengths[hop, target] == pytest.approx(lengths[source, target], rel=1e-12, abs=0)


@settings(max_examples=examples(100), deadline=None)
@given(graphs(), st.data())
def test_next_hops_depend_on_no_other_source(graph: apsp.Graph, data: st.DataObject) -> None:
    """Of equally short paths, those to a target that are kept are the same for one source alone and among others."""
    cutoff = data.draw(st.integers(0, 30) | st.sampled_from([9000, 2**31, math.inf]))
    sources = data.draw(st.none() | st.lists(st.integers(0, graph.n - 1), max_size=70))
    for method in registry.source_methods("within"):
        job = within_jobs.within_job(
            graph, cutoff, sources, None, next_hop=True, along=None, k=None, sort="distance",
            options=Request(method=method.name, threads=2),
        )  # fmt: skip
        if graph.weights is not None and graph.weights.dtype.kind == "f" and job.dtype.name not in method.dtypes:
            continue
        together = job.part(0, len(job.sources), None).next_hops
        alone = [job.part(i, i + 1, None).next_hops for i in range(len(job.sources))]
        np.testing.assert_array_equal(together, np.concatenate([np.zeros(0, np.int32), *alone]), str(method.name))


@pytest.mark.parametrize(("sources", "cutoff"), [(4000, 20), (4000, 150), (4000, 600), (3, 600)])
def test_the_method_depends_on_what_is_near(sources: int, cutoff: int) -> None:
    city = apsp.generate("city", 4000, seed=2)
    job = within_jobs.within_job(
        city, cutoff, range(sources), None, next_hop=False, along=None, k=None, sort="target",
        options=Request(threads=1),
    )  # fmt: skip
    names = [method.name for method in registry.source_methods("within")]
    few = sources < 10 or cutoff == 20
    assert (job.plan(1).method == names[0]) == few
    assert job.plan(1).method == job.plan(8).method
