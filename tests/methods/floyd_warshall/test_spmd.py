"""Floyd-Warshall distributed over processes, here threads that exchange arrays."""

import contextlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import apsp
from apsp import DtypeRangeError, FileFormatError, MethodRefusedError, NegativeCycleError, RequestError
from apsp.methods.backend import CpuBackend
from apsp.methods.floyd_warshall.spmd import prepare
from apsp.methods.floyd_warshall.spmd.grid import Axis, Grid, shape_for
from apsp.methods.floyd_warshall.spmd.panels import PanelSets
from apsp.methods.problem import Problem
from apsp.semiring import SEMIRINGS
from examples import examples
from spmd_threads import Saves, StoppedError, all_rows, in_all, joined, late


def prepared(graph, connection, dtype, semiring="min_plus", block=None):
    matrix = prepare.prepare(Problem(graph, np.dtype(dtype), semiring=SEMIRINGS[semiring]), connection, block)
    connection.form(matrix.shape)
    return matrix


def closed(graph, processes, dtype, semiring="min_plus", block=None, shares=()):
    def program(connection):
        matrix = prepared(graph, connection, dtype, semiring, block)
        matrix.close(None)
        return all_rows(matrix, graph.n)

    return joined(in_all(processes, program, shares))


@given(
    n=st.integers(1, 40), m=st.integers(0, 200), seed=st.integers(0, 999), processes=st.integers(1, 6),
    block=st.integers(1, 17), dtype=st.sampled_from(["uint16", "int32", "int64", "float32", "float64"]),
)  # fmt: skip
@settings(max_examples=examples(60), deadline=None)
def test_distances(n, m, seed, processes, block, dtype):
    rng = np.random.default_rng(seed)
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(0, 50, m), n=n)
    found = closed(graph, processes, dtype, block=block)
    assert np.array_equal(found, apsp.solve(graph, method="reference", dtype=dtype).distances)


SHARES = [("row", "column"), ("row",), ("column",)]


@pytest.mark.few(1)
@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize("processes", [2, 4, 6])
def test_shared_pages(processes, shares, monkeypatch):
    for name in ("update", "copy", "close_tile"):
        monkeypatch.setattr(CpuBackend, name, late(getattr(CpuBackend, name)))
    rng = np.random.default_rng(processes)
    weights = rng.random(700).astype("float32")
    for n, block in ((60, 4), (61, 7), (5, 8)):
        graph = apsp.from_edges(rng.integers(0, n, 700), rng.integers(0, n, 700), weights, n=n)
        found = closed(graph, processes, "float32", block=block, shares=shares)
        assert found.tobytes() == closed(graph, processes, "float32", block=block).tobytes()


def test_two_sets_of_shared_pages_are_too_few(monkeypatch):
    # the test above would find a page that is written while another process reads it
    def of(sets, step):
        sets._sets = sets._sets[:2]
        return whole(sets, step)

    whole = PanelSets.of
    monkeypatch.setattr(PanelSets, "of", of)
    monkeypatch.setattr(CpuBackend, "update", late(CpuBackend.update))
    graph = apsp.generate("random", 61, m=700, weights=(1, 50), seed=1)
    expected = apsp.solve(graph, dtype="int32").distances
    assert not np.array_equal(closed(graph, 4, "int32", block=4, shares=SHARES[0]), expected)


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


@given(n=st.integers(1, 40), m=st.integers(0, 200), seed=st.integers(0, 999), processes=st.integers(1, 6))
@settings(max_examples=20, deadline=None)
def test_tight_arcs(n, m, seed, processes):
    rng = np.random.default_rng(seed)
    graph = apsp.from_edges(rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(0, 50, m), n=n)
    dist = apsp.solve(graph, method="reference").distances
    tails, heads = graph.tails(), graph.indices
    expected = (dist[tails, heads] == graph.arc_weights(np.int64)) & (tails != heads)

    def program(connection):
        matrix = prepared(graph, connection, "int32", block=3)
        matrix.close(None)
        return matrix.tight_arcs()

    assert all(np.array_equal(found, expected) for found in in_all(processes, program))


@pytest.mark.parametrize("processes", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["float32", "int32"])
def test_checkpoints(tmp_path, processes, dtype):
    rng = np.random.default_rng(3)
    weights = rng.random(600) if dtype == "float32" else rng.integers(0, 99, 600)
    graph = apsp.from_edges(rng.integers(0, 50, 600), rng.integers(0, 50, 600), weights.astype(dtype), n=50)

    def run(last, first):
        def program(connection):
            matrix = prepared(graph, connection, dtype, block=6)
            files = matrix.checkpoints(tmp_path / "saved")
            try:
                if first:
                    assert first in files.steps
                    files.read(first)
                saving = Saves(files, last, before=connection.rank % 2 == 0)
                matrix.close(None, first=first, saving=saving)
                found = all_rows(matrix, graph.n)
                files.remove()
                return found
            except StoppedError:
                return files.steps
            finally:
                files.close()

        return in_all(processes, program)

    assert all(3 in steps for steps in run(4, 0))  # some have saved step 4, others have not
    common = set.intersection(*map(set, run(6, 3)))
    found = joined(run(None, max(common)))
    assert max(common) == (6 if processes == 1 and 6 in common else 5)
    assert found.tobytes() == closed(graph, processes, dtype, block=6).tobytes()
    assert not (tmp_path / "saved").exists()


def test_checkpoints_of_another_run(tmp_path):
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2], n=5)

    def saved(graph=graph, dtype="int32", block=2, semiring="min_plus"):
        def program(connection):
            return prepared(graph, connection, dtype, semiring, block).checkpoints(tmp_path / "saved")

        return in_all(1, program)[0]

    files = saved()
    with pytest.raises(RequestError, match="another run saves its checkpoints"):
        saved()
    files.write(1)
    files.close()
    other = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 3], n=5)
    for options, words in (
        ({"graph": other}, "its graph has other arcs or weights"), ({"dtype": "int64"}, "dtype=int32, not int64"),
        ({"block": 1}, "block=2, not 1"), ({"semiring": "max_min"}, "semiring=min_plus, not max_min"),
        ({"graph": apsp.from_edges([0], [1], [4])}, "its graph has 5 vertices, this one 2"),
    ):  # fmt: skip
        with pytest.raises(RequestError, match=words):
            saved(**options)

    def opened(connection):
        with contextlib.closing(prepared(graph, connection, "int32", block=2).checkpoints(tmp_path / "saved")):
            pass

    with pytest.raises(RequestError, match=r"form a grid of \[1, 1\], these of \[1, 2\]"):
        in_all(2, opened)
    path = tmp_path / "saved" / "process-00000-a.blocks"
    whole = path.read_bytes()
    for damaged, words in (
        (b"x" * 4300, "header"), (whole[:-1], "truncated"), (whole[:-1] + b"x", "checksum")
    ):  # fmt: skip
        path.write_bytes(damaged)
        with pytest.raises(FileFormatError, match=words), contextlib.closing(saved()) as files:
            files.read(1)
