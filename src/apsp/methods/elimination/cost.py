"""Cost of elimination: the order, the factor, and rows of distances from it.

Constants of the CPU are seconds on one core: call; tree (an arc, for the order); node (a supernode, per source);
entry (a value of the factor); pair.* (one (add, min) pair, by dtype); vertex (a value of a line, per source); arc (per
source, for predecessors). Of emulated GPUs: launch; pair; entry (of a row that is written).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apsp.facts.constants import sibling_of
from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates, pair_name
from apsp.facts.placement import Placement, on_each
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import Fill, GraphStatistics
from apsp.facts.work import Work
from apsp.gpu.staging import BLOCK_BYTES
from apsp.graph.model import Graph
from apsp.methods.cost import Accepts, SoFar, Values
from apsp.methods.elimination.kernels.room import LABEL_BYTES, LANES_LEAST, lines_bytes, most_lines_bytes
from apsp.methods.elimination.probe import LAYOUT, TREE_APART, with_fill, with_separators
from apsp.methods.experiment import Experiment
from apsp.methods.rows.cost import RowsCost, bytes_of_arcs, zero_bytes, zero_seconds
from apsp.semiring import ALL_DTYPES

__all__ = ["COSTS"]

_LANES = 16
"""Smallest number of sources that the CPU works on at once."""

_RAGGED = 1.9
"""Factor on the time of a pair around hubs, where supernodes are small."""

_TRIED = 6.0
"""Arcs into a vertex, the shortest first, that are tried until one is the last of a path from every source."""

_TREE_ARC, _TREE_NODE, _PEELED = 0.17, 22.0, 0.5
"""Factors on the constant per arc of a graph that has not been ordered: with few separators, and per supernode.

With hubs less, since most vertices are eliminated as vertices of small degree.
"""

_ALONE = 0.2
"""Share of the ordering that runs on one thread while the others wait, if a GPU does the rest."""

_PADDED = 7
"""Maximum number of words of the packed panels on a GPU per value of the factor: groups of few lines are padded."""

_PACKED_PAIRS = 1.5
"""Pairs that a GPU computes for every pair of the way down."""

_LINES = 3.0
"""Number of times that a line is written or read on a GPU."""

_UPLOAD = 3.0
"""Number of copies of the factor before a GPU uses it."""

_SWEEP = 0.0015
"""The part of these that is repeated for every block of sources."""

_PRUNED = 2.0
"""What is left of a row if only a small part of it is within a cutoff, as a multiple of that part."""

_SIGNED_PATHS = 9.0
"""Factor on the time per arc for predecessors if arcs are negative: a search of each row, without SIMD lanes."""

_PAIRS_OF_ROW = 0.4
"""Pairs per row and n^2, if the graph has not been ordered; as on random graphs."""


class _Elimination(RowsCost):
    probes = True

    # -- whether ------------------------------------------------------------------------------------------------------

    def unneeded(self, facts: Facts, device: str, accepts: Accepts) -> str | None:
        del device, accepts
        statistics = facts.statistics
        if statistics.fill is None:
            return (
                "no small separators were found"
                if statistics.separators_sought
                else "the run is too short to look for separators"
            )
        if facts.request.paths and statistics.has_negative_arc and facts.dtype.startswith("float"):
            return "with negative floats, johnson finds the paths"
        return None

    def probe(self, graph: Graph, facts: Facts, so_far: SoFar | None) -> GraphStatistics:
        return with_separators(graph, facts, so_far)

    def words(self, facts: Facts) -> list[str]:
        fill = facts.statistics.fill
        if fill is None:
            return []
        share = fill.entries / max(facts.statistics.n, 1)
        return [f"Separators are small: the factor has {fill.entries:,} values ({share:.3g} per vertex)."]

    # -- measuring ----------------------------------------------------------------------------------------------------

    stored_constant = "tree"

    def experiments(self) -> tuple[Experiment, ...]:
        """Return the experiments: on a grid rows take most of the time, on a random graph pairs."""
        return tuple(
            Experiment(self.name, ("vertex", f"pair.{dtype}"), dtype, ((4096, 0), (1500, 4)), whole=True, prepared=True)
            for dtype in reversed(ALL_DTYPES)
        )

    def looked_at(self, graph: Graph, statistics: GraphStatistics, threads: int) -> GraphStatistics:
        return with_fill(statistics, graph, Request(method=self.name), 1.0, threads)

    def look_again(self, graph: Graph, threads: int) -> None:
        from apsp.methods.elimination.tree import elimination_tree

        elimination_tree(graph, threads=threads)

    # -- on the CPU ---------------------------------------------------------------------------------------------------

    def seconds(self, values: Values, statistics: GraphStatistics, work: Work) -> float:
        """Return seconds of the tree, the factor, and rows: down the tree, up, and into the order of the vertices."""
        n, m = statistics.n, statistics.m
        fill = statistics.fill or Fill(60 * n, n // 4, 4e3 * n, 25.0 * n, 0.0)
        pair = values[f"pair.{work.dtype}"] * (_RAGGED if statistics.has_hubs else 1.0)
        out_of_cache = 1 + max(0.0, math.log2(max(n, 1) / 16384))
        line = values["vertex"] * n * int(np.dtype(work.dtype).itemsize) / 4 * out_of_cache
        row = pair * (fill.row_pairs + fill.climb_pairs) + line + values["node"] * fill.nodes
        row *= min(_PRUNED * work.share, 1.0)
        if work.paths:
            row += values["arc"] * (m * _SIGNED_PATHS if statistics.has_negative_arc else min(m, _TRIED * n))
            row += zero_seconds(values["arc"], statistics)
        rows = max(work.rows, _LANES * work.threads)  # half of a batch takes as long as a full one
        factor = pair * fill.factor_pairs + values["entry"] * fill.entries
        once = values["call"] + _tree_seconds(values, statistics) * work.partly(TREE_APART) + factor / work.cores
        return once + row * rows / work.cores

    def work_bytes(self, facts: Facts) -> int:
        """Return bytes of the factor, its update matrices, the tree, the neighbours twice, and the lines of a batch."""
        statistics, request, itemsize = facts.statistics, facts.request, np.dtype(facts.dtype).itemsize
        n, fill = statistics.n, statistics.fill
        entries = (n * n if statistics.separators_sought else 60 * n) if fill is None else fill.entries
        size = entries * itemsize * 3 // 2 + 60 * n + 40 * statistics.m + 256 * n * facts.threads
        if request.paths and not statistics.has_negative_arc:
            size += (64 * n + (256 * n if request.targets is not None else 0)) * facts.threads + 24 * statistics.m
            size += zero_bytes(statistics, request, facts.threads, _LANES)
        elif request.paths and request.targets is not None:
            rows = n if request.sources is None else request.sources
            size += (block_rows(statistics, facts.machine, request, facts.dtype, facts.threads) or rows) * n * itemsize
        return size

    # -- on GPUs ------------------------------------------------------------------------------------------------------

    def words_on(self, gpus: Sequence[int]) -> str | None:
        return on_each("the factor, which the CPU computes,") if len(gpus) > 1 else None

    def search_bytes(
        self, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool
    ) -> int:  # fmt: skip
        """Return the device memory without the result."""
        n, itemsize, fill = statistics.n, np.dtype(dtype).itemsize, _fill(statistics)
        factor = fill.entries * (itemsize + _PADDED * max(itemsize, 4)) + 128 * fill.nodes + 64 * n
        factor += bytes_of_arcs(n, statistics.m, itemsize) if request.paths else 0
        of_lane = 2 * min(n, int(5 * math.sqrt(fill.climb_pairs)) + 1) * itemsize
        if stays and _is_whole(statistics, request):
            return factor + min(n * of_lane, max(LABEL_BYTES, LANES_LEAST * of_lane))
        row = n * itemsize
        wanted = n if request.sources is None else request.sources
        lanes = min(max(lines_bytes(usable, row) // max(row, 1), 1), wanted) + 32
        return factor + lanes * (row + of_lane)

    def search_seconds(self, facts: Facts, work: Work, rates: GpuRates, *, to_host: bool) -> float:
        """Return the seconds of ordering and factorising on the CPU, and of sweeps, as pairs at a share of the dense
        rate and as bytes of lines that are written and read.
        """
        statistics, request = facts.statistics, facts.request
        leaves = to_host and not request.by_rows  # blocks of rows are usually summed up
        n, itemsize, fill = statistics.n, np.dtype(work.dtype).itemsize, _fill(statistics)
        row = max(n * itemsize, 1)
        block = BLOCK_BYTES if leaves else None if _is_whole(statistics, request) else most_lines_bytes(row)
        values = facts.constants.values[self.name]
        factor = values[f"pair.{work.dtype}"] * fill.factor_pairs + values["entry"] * fill.entries
        work = replace(work, sibling=sibling_of(self.name, facts.constants))
        once = _tree_seconds(values, statistics) * work.partly(1 - _ALONE) + factor / work.cores + LAYOUT
        once += _UPLOAD * fill.entries * itemsize / rates.from_host
        dense = rates.pairs[pair_name(work.dtype, statistics.has_negative_arc).removeprefix("pair.")]
        near = min(_PRUNED * work.share, 1.0)  # of the way down, and of its lines
        pairs = (_PACKED_PAIRS * fill.row_pairs * near + fill.climb_pairs) / (rates.swept * dense)
        lines = (_LINES if block is None else 2 * _LINES) * row * near / rates.lines
        sweeps = 0 if block is None else math.ceil(work.rows / max(block // row, 1))
        return once + _SWEEP * sweeps + work.rows * (pairs + lines)

    def emulated(self, values: Values, statistics: GraphStatistics, work: Work, placement: Placement | None) -> float:
        """Return seconds of the factor and the sweeps up and down its tree, in pairs, and of rows that are written."""
        del placement
        n, rows, fill = float(statistics.n), work.rows, statistics.fill
        pairs = _PAIRS_OF_ROW * n * n * rows
        if fill is not None:
            pairs = fill.factor_pairs + (fill.row_pairs + fill.climb_pairs) * rows
        return values["launch"] + (values["pair"] * pairs + values["entry"] * rows * n) / work.cores


COSTS = {"elimination": _Elimination("elimination")}


def _tree_seconds(values: Values, statistics: GraphStatistics) -> float:
    """Return seconds of ordering and symbolic elimination; vertices of small degree take little time."""
    fill, m = statistics.fill, statistics.m
    if fill is None:
        return values["tree"] * m
    dissected = min(1.0, fill.row_pairs / max(statistics.n, 1) / 8) * (_PEELED if statistics.has_hubs else 1.0)
    return values["tree"] * (_TREE_ARC * m + _TREE_NODE * dissected * fill.nodes)


def _is_whole(statistics: GraphStatistics, request: Request) -> bool:
    """Whether all n x n distances are requested at once, which are written directly."""
    everything = request.sources is None and request.targets is None and not request.by_rows
    return everything and not statistics.has_zones


def _fill(statistics: GraphStatistics) -> Fill:
    """Return the known fill, or that of road networks."""
    n = statistics.n
    if statistics.fill is not None:
        return statistics.fill
    if statistics.separators_sought:
        return Fill(n * n, n, float(n) ** 3 / 3, float(n) ** 2 / 2, float(n) ** 2 / 2)
    return Fill(60 * n, n // 4 + 1, 4e3 * n, 25.0 * n, 4.0 * n)
