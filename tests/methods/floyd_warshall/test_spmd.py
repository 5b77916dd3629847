"""Floyd-Warshall distributed over processes, here threads that exchange arrays."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import DtypeRangeError, MethodRefusedError, NegativeCycleError
from apsp.methods.floyd_warshall.spmd import prepare
from apsp.methods.floyd_warshall.spmd.grid import Axis, Grid, shape_for
from apsp.methods.problem import Problem
from apsp.semiring import SEMIRINGS


class Board:
    """Where the threads leave what they send."""

    def __init__(self, size):
        self.size = size
        self.changed = threading.Condition()
        self.left = {}

    def put(self, key, value):
        with self.changed:
            self.left[key] = value
            self.changed.notify_all()

    def get(self, key):
        with self.changed:
            assert self.changed.wait_for(lambda: key in self.left, timeout=30), key
            return self.left[key]


class Waiting:
    def __init__(self, act):
        self.act = act

    def advance(self):
        """Nothing goes on by itself."""

    def wait(self):
        return self.act()

    result = wait


class Threads:
    """The connection of one thread."""

    def __init__(self, board, rank):
        self.board, self.rank, self.size = board, rank, board.size
        self.counts = {}

    def form(self, shape):
        self.row, self.column = divmod(self.rank, shape[1])

    def number(self, *key):
        self.counts[key] = self.counts.get(key, 0) + 1
        return (*key, self.counts[key])

    def broadcast(self, key, page, is_source):
        assert page.flags.c_contiguous
        if is_source:
            self.board.put(key, page.copy())
            return Waiting(lambda: None)
        return Waiting(lambda: page.__setitem__(slice(None), self.board.get(key)))

    def along_row(self, page, source):
        return self.broadcast(self.number("row", self.row), page, self.column == source)

    def along_column(self, page, source):
        return self.broadcast(self.number("column", self.column), page, self.row == source)

    def largest(self, number):
        key = self.number("largest")
        self.board.put((*key, self.rank), number)
        return Waiting(lambda: max(self.board.get((*key, rank)) for rank in range(self.size)))

    def exchange(self, sent, received):
        for array, rank in sent:
            self.board.put(self.number("from", self.rank, rank), array.copy())
        for array, rank in received:
            array[:] = self.board.get(("from", *self.number("to", rank, self.rank)[1:]))


def closed(graph, processes, dtype, semiring="min_plus", block=None):
    board = Board(processes)

    def program(rank):
        connection = Threads(board, rank)
        problem = Problem(graph, np.dtype(dtype), semiring=SEMIRINGS[semiring])
        matrix = prepare.prepare(problem, connection, block)
        connection.form(matrix.shape)
        matrix.close(None)
        return [matrix.rows(start, min(start + 5, graph.n), start % processes) for start in range(0, graph.n, 5)]

    with ThreadPoolExecutor(processes) as threads:
        parts = [future.result() for future in [threads.submit(program, rank) for rank in range(processes)]]
    bands = [next(band for band in bands if band is not None) for bands in zip(*parts, strict=True)]
    return np.vstack(bands)


@given(
    n=st.integers(1, 40), m=st.integers(0, 200), seed=st.integers(0, 999), processes=st.integers(1, 6),
    block=st.integers(1, 17), dtype=st.sampled_from(["uint16", "int32", "int64", "float32", "float64"]),
)  # fmt: skip
@settings(max_examples=60, deadline=None)
def test_distances(n, m, seed, processes, block, dtype):
    rng = np.random.default_rng(seed)
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(0, 50, m), n=n)
    found = closed(graph, processes, dtype, block=block)
    assert np.array_equal(found, apsp.solve(graph, method="reference", dtype=dtype).distances)


@pytest.mark.parametrize("semiring", ["max_min", "min_max"])
def test_other_semirings(semiring):
    graph = apsp.generate("random", 30, m=90, weights=(1, 50), seed=1)
    found = closed(graph, 4, "int32", semiring, block=4)
    assert np.array_equal(found, apsp.solve(graph, semiring=semiring, dtype="int32").distances)


def test_negative_arcs_and_cycles():
    graph = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [4, -3, 2, 2], n=9)
    assert np.array_equal(closed(graph, 4, "int32", block=2), apsp.solve(graph, dtype="int32").distances)
    cycle = apsp.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [4, -3, 2, 0], n=9)
    for processes in (1, 2, 4):
        with pytest.raises(NegativeCycleError, match="of length -1: 2 -> 3 -> 1 -> 2"):
            closed(cycle, processes, "int32", block=2)


def test_a_narrow_dtype():
    graph = apsp.from_edges([0, 1], [1, 2], [-(2**28), -(2**28)])
    with pytest.raises(DtypeRangeError, match="int32 is too narrow"):
        closed(graph, 2, "int32", block=1)


def test_what_is_refused():
    zones = apsp.from_edges([0, 1], [1, 2], [1, 1], zones=[True, False, True])
    with pytest.raises(MethodRefusedError, match="zones"):
        closed(zones, 2, "int32")


@given(n=st.integers(0, 60), block=st.integers(1, 20), processes=st.integers(1, 7))
def test_an_axis(n, block, processes):
    axes = [Axis(n, block, processes, place) for place in range(processes)]
    assert sum(axis.size for axis in axes) == n
    assert sorted(number for axis in axes for number in axis.owned) == list(range(axes[0].blocks))
    for axis in axes:
        pieces = [axis.here(number) for number in axis.owned]
        assert [piece.start for piece in pieces] == [0, *[piece.stop for piece in pieces[:-1]]][: len(pieces)]
        for gaps in ((), (0,), (1, 2), (3, 2)):
            left = [row for piece in axis.without(*gaps) for row in range(axis.size)[piece]]
            gone = [row for number in set(gaps) if axis.owns(number) for row in range(axis.size)[axis.here(number)]]
            assert sorted(left + gone) == list(range(axis.size))


def test_grids():
    assert [shape_for(processes) for processes in (1, 2, 4, 6, 7, 12, 64)] == [
        (1, 1), (1, 2), (2, 2), (2, 3), (1, 7), (3, 4), (8, 8),
    ]  # fmt: skip
    assert Grid.of(10, 2, (2, 3), 5) == Grid(Axis(10, 2, 2, 1), Axis(10, 2, 3, 2))
