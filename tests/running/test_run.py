"""One reduction in every place has the same bits: here, in workers, in a store, by workers into a store."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.facts.request import Request
from apsp.graph.device import DeviceGraph
from apsp.graph.labels import RangeLabels
from apsp.measures.neighbours import NearestVertices
from apsp.measures.row_summary import RowSummary, Summarized, SummaryParts
from apsp.measures.set_arrays import SetArrays
from apsp.measures.set_statistics import SetsRequest, SetStatistics
from apsp.measures.straightness import Straightness
from apsp.measures.weighing import WeightedSums
from apsp.reductions.weighing import Weighing
from apsp.running import in_store
from apsp.running.reduction import Reduction
from apsp.running.run import run
from executors import AtOnce
from stopping import StopError, stop_after

FIXED = Request(threads=1, method="dijkstra")
"""Floats of another method may be rounded in another way."""

WHERE = ("workers", "store", "workers into a store", "an interrupted store")


@dataclass(frozen=True)
class FarVertices(Reduction[dict[int, int], dict[int, int]]):
    """A measure that only this test knows: how many vertices are farther than a limit."""

    limit: float

    def part(self, rows: Any, progress: Any) -> Any:
        """Count per row."""
        blocks = rows.blocks(reuse=True, progress=progress, where_computed=False)
        counts = [(block.source_positions, (block.distances > self.limit).sum(axis=1)) for block in blocks]
        return {int(source): int(count) for block in counts for source, count in zip(*block, strict=True)}

    def merge(self, found: dict[int, int], start: int, part: dict[int, int]) -> None:
        """Add rows."""
        found.update(part)

    def identity(self) -> dict[str, Any]:
        """Return the limit."""
        return {"name": "far_vertices", "limit": self.limit}

    def layout(self, graph: Any, plan: Any) -> Any:
        """Return a number per source."""
        return {"far": ("int64", "row", 1)}

    def of_store(self, facts: Any) -> FarVertices:
        """Return the same."""
        return self

    def encode(self, part: dict[int, int], facts: Any) -> dict[str, Any]:
        """Return the numbers in the order of the sources."""
        return {"far": np.array([[part[source]] for source in sorted(part)], dtype=np.int64)}

    def decode(self, found: dict[int, int], sources: Any, stored: Any) -> None:
        """Read all."""
        found.update(zip(sources.tolist(), stored.array("far")[:, 0].tolist(), strict=True))


def weighing(graph: apsp.Graph) -> Weighing:
    return Weighing(np.random.default_rng(2).random((graph.n, 2)), (50.0, np.inf))


def sets(graph: apsp.Graph, per: str) -> Any:
    return SetsRequest(graph, np.arange(graph.n) % 3, per, (), 8, None, None).reducer(1)


def of_sets(found: Any) -> list[Any]:
    edges, counts = found.counts.result()
    return [found.sums.pairs, found.sums.totals(), found.sums.least, found.sums.largest, edges, counts]


def of_summary(found: Summarized) -> list[Any]:
    summary = found.summary
    histogram, squares = summary["distance_histogram"], summary["hyper_wiener_index"]
    if isinstance(squares, float):  # a store keeps sums of squares per block, rounded
        squares = float(f"{squares:.13g}")
    values = [summary[name] for name in ("eccentricity", "farness", "harmonic_centrality")]
    return [*values, histogram.counts, histogram.edges, squares]


def summary(graph: apsp.Graph) -> tuple[Reduction[Any, Any], Any]:
    kept = SummaryParts(bins=16, squares=True)
    return RowSummary(kept), Summarized(kept.empty(graph, 1), None)


REDUCTIONS: dict[str, Any] = {
    "nearest": (
        lambda graph: (NearestVertices(4), apsp.Nearest(graph.n, 4)), lambda found: [found.positions, found.distances],
    ),
    "weighted sums": (
        lambda graph: (WeightedSums(weighing(graph)), weighing(graph).empty(graph.n)), lambda found: [found],
    ),
    "summary": (summary, of_summary),
    "statistics of groups": (
        lambda graph: (SetStatistics(SetArrays(sets(graph, "group").numbers)), sets(graph, "group")), of_sets,
    ),
    "statistics of sources": (
        lambda graph: (SetStatistics(SetArrays(sets(graph, "source").numbers)), sets(graph, "source")), of_sets,
    ),
    "straightness": (
        lambda graph: (Straightness(np.arange(2.0 * graph.n).reshape(2, -1) % 89, False), np.zeros(graph.n)),
        lambda found: [found],
    ),
    "of another module": (lambda graph: (FarVertices(40.0), {}), lambda found: [np.array(sorted(found.items()))]),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _short_bands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_store, "rows_of_band", lambda *_: 16)


@pytest.mark.few(9)
@pytest.mark.parametrize("where", WHERE)
@pytest.mark.parametrize("weights", ["int32", "float64", "components"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_every_place_has_the_same_bits(name: str, weights: str, where: str, tmp_path: Path) -> None:
    graph = apsp.generate("city", 150, seed=3, directed=False)
    if weights == "components":
        parts = [graph.tails(), graph.indices, graph.weights]
        tails, heads = (np.concatenate([ends, ends + graph.n]) for ends in parts[:2])
        graph = apsp.from_edges(tails, heads, np.tile(parts[2], 2), n=2 * graph.n + 7)
        graph = apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=False)
    elif weights != "int32":
        graph = graph.with_weights(graph.weights / 7)  # type: ignore[operator]
    make, values = REDUCTIONS[name]
    reduction, expected = make(graph)
    run(reduction, expected, graph, None, FIXED)
    options = replace(
        FIXED, executor=AtOnce() if "workers" in where else None,
        store=tmp_path / "reduced.zarr" if "store" in where else None,
    )  # fmt: skip
    if where == "an interrupted store":
        _, found = make(graph)
        with pytest.raises(StopError):
            run(reduction, found, graph, None, replace(options, progress=stop_after(3)))
    for _ in range(2 if options.store else 1):  # then from the store alone
        _, found = make(graph)
        run(reduction, found, graph, None, options)
        for mine, theirs in zip(values(found), values(expected), strict=True):
            np.testing.assert_array_equal(mine, theirs)


class OnGpu(DeviceGraph):
    """A directed graph on a GPU that is not there."""

    def __init__(self) -> None:
        self.directed, self.labels, self.zones, self.links = True, RangeLabels(0, 3), None, None
        self.matrix = np.zeros((3, 3), dtype=np.int32)


@pytest.mark.parametrize("direction", ["in", "out"])
def test_workers_are_refused_for_a_graph_on_a_device(direction: Any) -> None:
    with pytest.raises(apsp.RequestError, match="workers of an executor need a graph in host memory"):
        apsp.farness(OnGpu(), direction=direction, executor=AtOnce())
