"""The traces of docs/steps: they are real runs, end with the distances, and have as many steps as the papers say."""

from __future__ import annotations

import importlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.methods.elimination.tree import elimination_tree

pytest.importorskip("apsp._emulated")

ROOT = Path(__file__).resolve().parents[1]
FILE = json.loads((ROOT / "docs/steps/traces.json").read_text(encoding="utf-8"))
TRACES = {trace["name"]: trace for trace in FILE["traces"]}
FAR = 10**9
JOHNSON = ("johnson-flag", "johnson-queue", "johnson-prefix")
N, TILE, GPUS = 12, 4, 2
NAMES = [
    "lab-fw", "lab-fw-shared", "katz-kider", "katz-kider-closure", "katz-kider-pages", "harish-sssp", "okuyama",
    *JOHNSON, "floyd-warshall", "elimination",
]  # fmt: skip


def graph_of(trace: dict[str, Any], lengths: Any = None) -> apsp.Graph:
    tails, heads, weights = (list(column) for column in zip(*trace["arcs"], strict=True))
    return apsp.from_edges(tails, heads, weights if lengths is None else lengths, n=N)


def matrices(trace: dict[str, Any]) -> list[np.ndarray]:
    """Before the first step, and after each."""
    matrix = np.array([[FAR if value is None else value for value in row] for row in trace["start"]])
    found = [matrix]
    for step in trace["steps"]:
        matrix = matrix.copy()
        cells = step.get("set", [])
        for cell, value in zip(cells[::2], cells[1::2], strict=True):
            matrix.flat[cell] = value
        found.append(matrix)
    return found


def covered(rectangles: list[list[int]]) -> np.ndarray:
    mask = np.zeros((N, N), dtype=bool)
    for row, column, height, width in rectangles:
        mask[row : row + height, column : column + width] = True
    return mask


def expected(trace: dict[str, Any]) -> np.ndarray:
    graph = graph_of(trace)
    if trace["name"] == "katz-kider-closure":
        return np.where(apsp.reachable(graph).to_numpy(), 1, FAR)
    dist = apsp.solve(graph, dtype="int64").distances
    return np.where(dist == np.iinfo(np.int64).max, FAR, dist)


def test_the_committed_file_is_what_the_script_writes():
    written = importlib.import_module("docs.steps.file").written()
    assert (ROOT / "docs/steps/traces.json").read_text(encoding="utf-8") == written, "run python -m docs.steps"


def test_every_method_has_a_trace():
    assert list(TRACES) == NAMES
    assert len(FILE["places"]) == N


@pytest.mark.parametrize("name", NAMES)
def test_a_trace_ends_with_the_distances(name):
    np.testing.assert_array_equal(matrices(TRACES[name])[-1], expected(TRACES[name]))


@pytest.mark.parametrize("name", NAMES)
def test_values_never_increase(name):
    every = matrices(TRACES[name])
    assert all((after <= before).all() for before, after in itertools.pairwise(every))
    assert (every[0] != every[-1]).any()
    for step, (before, after) in zip(TRACES[name]["steps"], itertools.pairwise(every), strict=True):
        cells = step.get("set", [])[::2]
        assert sorted(cells) == np.flatnonzero(before != after).tolist()  # what is marked as changed has changed


def hops(trace: dict[str, Any]) -> np.ndarray:
    """The fewest arcs of a shortest path of each pair; -1 without a path."""
    weights = np.array([arc[2] for arc in trace["arcs"]])
    both = apsp.solve(graph_of(trace, weights * 1000 + 1), dtype="int64").distances
    return np.where(both == np.iinfo(np.int64).max, -1, both % 1000)


def test_steps_are_as_many_as_the_papers_say():
    count = {name: len(trace["steps"]) for name, trace in TRACES.items()}
    assert count["lab-fw"] == count["lab-fw-shared"] == N  # a launch per pivot
    assert count["katz-kider"] == count["katz-kider-closure"] == 3 * N // TILE
    pages = N // TILE
    turns = 1 + -(-2 * (pages - 1) // GPUS) + -(-((pages - 1) ** 2) // GPUS)
    assert count["katz-kider-pages"] == pages * turns
    # A round reaches one arc farther, and the last one finds nothing new; two launches per round.
    rounds = hops(TRACES["harish-sssp"]).max(axis=1) + 1
    assert count["harish-sssp"] == 2 * rounds.sum()
    assert count["okuyama"] == 2 * rounds.max()
    text = (ROOT / "docs/step-by-step.md").read_text(encoding="utf-8")
    assert f"| n = {N} launches, " in text
    assert f"| 3 n / t = {3 * N // TILE} launches for tiles of t = {TILE} |" in text
    assert f"| {turns} turns for each of {pages} primary pages; " in text
    assert count["floyd-warshall"] == 2 * pages + 1  # two broadcasts per block of pivots, and the rest
    assert f"| 2 broadcasts for each of {pages} blocks of pivots, and the rest |" in text
    tree = elimination_tree(graph_of(TRACES["elimination"]))
    levels = 1 + int(tree.layout.depth.max())
    assert count["elimination"] == len(tree.parent) + 2 * levels


@pytest.mark.parametrize("name", ["katz-kider", "katz-kider-closure"])
def test_passes_change_what_they_own(name):
    trace = TRACES[name]
    for number, (step, (before, after)) in enumerate(
        zip(trace["steps"], itertools.pairwise(matrices(trace)), strict=True)
    ):
        owned, read = covered(step["write"]), covered(step.get("read", []))
        assert not (before != after)[~owned].any()
        assert not (owned & read).any()
        b, tiles = number // 3, N // TILE
        assert step["active"] == list(range(b * TILE, (b + 1) * TILE))
        assert owned.sum() == TILE**2 * (1, 2 * (tiles - 1), (tiles - 1) ** 2)[number % 3]


def test_a_pivot_keeps_its_row_and_column():
    for name in ("lab-fw", "lab-fw-shared"):
        for k, (before, after) in enumerate(itertools.pairwise(matrices(TRACES[name]))):
            through = np.minimum(before, before[:, k, None] + before[None, k])
            np.testing.assert_array_equal(after, np.where(through >= FAR, FAR, through))
            np.testing.assert_array_equal(after[k], before[k])
            np.testing.assert_array_equal(after[:, k], before[:, k])


def test_pages_are_dealt_out_in_turn():
    trace = TRACES["katz-kider-pages"]
    pages, per = N // TILE, len(trace["steps"]) // (N // TILE)
    for step, (before, after) in zip(trace["steps"], itertools.pairwise(matrices(trace)), strict=True):
        assert not (before != after)[~covered([page for _, page in step["gpus"]])].any()
        assert [gpu for gpu, _ in step["gpus"]] == list(range(GPUS))
    for p in range(pages):
        steps = trace["steps"][p * per : (p + 1) * per]
        primary = [p * TILE, p * TILE, TILE, TILE]
        assert [page for _, page in steps[0]["gpus"]] == [primary] * GPUS
        others = [tuple(page) for step in steps[1:] for _, page in step["gpus"]]
        assert len(set(others)) == len(others) == pages**2 - 1
        assert all(step["read"] == [primary] for step in steps[1:3])
        assert all(p * TILE in (i, j) for i, j, _, _ in others[:4])


def test_owners_send_what_others_need():
    trace = TRACES["floyd-warshall"]
    every, blocks = matrices(trace), range(N // TILE)
    for number, step in enumerate(trace["steps"]):
        k, part = divmod(number, 2)
        owners = {(page[0] // TILE, page[1] // TILE): gpu for gpu, page in step["gpus"]}
        assert owners == {(i, j): 2 * (i % 2) + j % 2 for i in blocks for j in blocks}  # none moves
        sent = {(page[0] // TILE, page[1] // TILE) for page in step["sent"]}
        if k == len(blocks):
            assert sent == set()
            continue
        assert sent == ({(i, j) for i in blocks for j in blocks if k in (i, j)} if part else {(k, k)})
        # What is sent is closed: its pivots improve nothing more there.
        pivots = slice(k * TILE, (k + 1) * TILE)
        panel = every[number + 1][covered(step["sent"])]
        through = (every[number + 1][:, pivots, None] + every[number + 1][None, pivots]).min(axis=1)
        assert (panel <= through[covered(step["sent"])]).all()


@pytest.mark.parametrize("name", ["harish-sssp", "okuyama"])
def test_checking_accepts_what_scattering_proposed(name):
    steps = TRACES[name]["steps"]
    for scattered, checked in zip(steps[::2], steps[1::2], strict=True):
        assert scattered["launch"].startswith(("harish_scatter", "okuyama_scatter"))
        assert checked["set"] == scattered["pending"]
        assert checked["marks"] == scattered["pending"][::2]
    last = [step for step in steps[1::2] if not step["marks"]]
    assert len(last) == (N if name == "harish-sssp" else 1)


def test_scattering_proposes_the_least_of_the_marked():
    trace = TRACES["okuyama"]
    every = matrices(trace)
    for number in range(0, len(trace["steps"]), 2):
        costs, step = every[number + 1], trace["steps"][number]
        proposed = costs.copy()
        for cell in step["marks"]:
            s, v = divmod(cell, N)
            for tail, head, length in trace["arcs"]:
                if tail == v:
                    proposed[s, head] = min(proposed[s, head], costs[s, v] + length)
        cells = np.flatnonzero(proposed != costs)
        assert step["pending"] == [each for cell in cells.tolist() for each in (cell, int(proposed.flat[cell]))]


@pytest.mark.parametrize("name", JOHNSON)
def test_frontiers_settle_up_to_the_threshold(name):
    """By an implementation that knows no kernels: the heights, the new lengths, and every round."""
    trace = TRACES[name]
    lengths = next(step["lengths"] for step in trace["steps"] if "lengths" in step)
    heights = np.minimum(apsp.solve(graph_of(trace), dtype="int64").distances.min(axis=0), 0)
    arcs = [(u, v, w) for (u, v, _), w in zip(trace["arcs"], lengths, strict=True)]
    assert lengths == [w + heights[u] - heights[v] for u, v, w in trace["arcs"]]
    assert min(lengths) == 0
    least = [min((w for u, _, w in arcs if u == v), default=FAR) for v in range(N)]
    first = [at for at, words in trace["stages"] if words.startswith("source")]
    assert len(first) == N
    for source, (begin, end) in enumerate(itertools.pairwise([*first, len(trace["steps"])])):
        rounds = trace["steps"][begin : end - 1]
        dist, left = np.full(N, FAR), set(range(N)) - {source}
        dist[source], frontier = 0, [source]
        for step in rounds:
            assert step["active"] == frontier
            for u, v, w in arcs:
                if u in frontier and v in left:
                    dist[v] = min(dist[v], dist[u] + w)
            threshold = min((dist[v] + least[v] for v in left if dist[v] < FAR), default=FAR)
            frontier = sorted(v for v in left if dist[v] < FAR and dist[v] <= threshold)
            left -= set(frontier)
            assert step["now"] == frontier
            assert step["table"][0][1] == [None if value == FAR else value for value in dist.tolist()]
        assert threshold >= FAR
        assert all(dist[v] >= FAR for v in left)


def test_frontiers_are_stored_in_three_ways():
    for flag, queue, prefix in zip(*(TRACES[name]["steps"] for name in JOHNSON), strict=True):
        if "now" not in flag:
            continue
        now = flag["now"]
        arrays = [dict(step["table"]) for step in (flag, queue, prefix)]
        assert arrays[0]["flag"] == arrays[2]["flag"] == [int(v in now) for v in range(N)]
        assert sorted(arrays[1]["queue"]) == arrays[2]["queue"] == now
        assert arrays[2]["sum"] == np.cumsum(arrays[2]["flag"]).tolist()


def test_elimination_fills_and_finishes_lines():
    trace = TRACES["elimination"]
    arcs = {(u, v) for u, v, _ in trace["arcs"]}
    for step in trace["steps"]:
        assert not arcs & {tuple(pair) for pair in step.get("fill", [])}
    panels = [step for step in trace["steps"] if "fill" in step]
    assert sorted(v for step in panels for v in step["active"]) == list(range(N))
    assert sum(len(step["fill"]) for step in panels) > 0
    final, done = expected(trace), []
    for step, matrix in zip(trace["steps"], matrices(trace)[1:], strict=True):
        if step["launch"].startswith("Descend"):
            assert {row for row, *_ in step["read"]} <= set(done)  # the lines of the rows come first
            done += step["active"]
            np.testing.assert_array_equal(matrix[done], final[done])
    assert sorted(done) == list(range(N))


@pytest.mark.parametrize("name", NAMES)
def test_steps_are_described(name):
    for step in TRACES[name]["steps"]:
        assert re.search(r"[Ss]ection|Sao et al. 2021|George 1973|PHAST", step["where"])
        assert step["say"].endswith(".")
        assert len(step["say"]) < 400
        assert step["say"].count(". ") <= 3
