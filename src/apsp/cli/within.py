"""apsp within: all pairs of vertices within a cutoff, into a file."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import click
import numpy as np

from apsp.api.within.finding import within
from apsp.api.within.streaming import stream_within
from apsp.cli.checked_input import read_for_files
from apsp.cli.files import INPUT, TABLE
from apsp.cli.inputs import arguments
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    number_of,
    reading_options,
    sharing_options,
    show_options,
    snapping_options,
    within_options,
)
from apsp.cli.points import Points, ends_at_points
from apsp.cli.report import report
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.result.near_pairs import NearPairs

__all__ = ["command"]


@click.command("within", cls=Sections, short_help="All pairs of vertices within a cutoff.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option(
    "--cutoff", callback=number_of, required=True, metavar="LENGTH", help="Longest distance, itself included."
)
@click.option("-k", type=click.IntRange(1), metavar="N", help="At most N pairs per source, the nearest.")
@click.option(
    "--sort",
    type=click.Choice(["distance", "target"]),
    default="distance",
    help="Order of the pairs of a source: nearest first (default), or by target.",
)
@click.option("--along", metavar="NAMES", help="Other columns to add up along the shortest paths: length,toll.")
@click.option("--next-hop", is_flag=True, help="Add the vertex after the source on a shortest path.")
@click.option(
    "--first", type=click.IntRange(min=0), default=10, metavar="N", help="Print the first N pairs. Default: 10."
)  # fmt: skip
@click.option("-o", "--output", metavar="FILE", type=TABLE, help="Write a row per pair: .csv or .parquet.")
@reading_options
@within_options
@snapping_options("origins", "destinations", "near")
@sharing_options
@show_options
def command(
    source: str,
    cutoff: float,
    k: int | None,
    sort: str,
    along: str | None,
    next_hop: bool,
    first: int,
    output: str | None,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    sharing: Sharing,
    show: Show,
) -> None:
    """Find all pairs of vertices of the graph IN within a cutoff of each other.

    \b
    apsp within city.gr --cutoff 900 -o pairs.parquet
    apsp within streets.csv --cutoff 1200 --sources @homes.txt -o walks.csv
    apsp within city.gr --cutoff 900 -k 50 --next-hop -o near.parquet
    apsp within city.osm.pbf --cutoff 900 --near 2.3,48.9 --crs degrees --speed 1
    apsp within roads.csv --cutoff 30 --along km,toll --store near.zarr

    Rows are in the order of the sources; a source is one of its own targets, at distance 0. The pairs are written a
    block of sources at a time, so that they need not fit into memory. With --store, they are Parquet files in a
    folder, and the same command resumes after an interruption.
    """  # noqa: D301 - click reads the character
    names = [part.strip() for part in (along or "").split(",") if part.strip()]
    graph = read_for_files(source, reading, show, output, costs=tuple(names), turns=True)
    request = ends_at_points(graph, arguments(graph, keywords), points)
    started = time.perf_counter()
    some = request | {
        "cutoff": cutoff,
        "next_hop": next_hop,
        "along": names,
        "k": k,
        "sort": sort,
        "progress": show.bar,
    }
    counted = Counted(first)
    if sharing.store is not None:
        from apsp.api.stored.stored_near_pairs import StoredNearPairs  # with the first store

        stored = within(graph, **some, **vars(sharing))
        assert isinstance(stored, StoredNearPairs)
        for block in stored.blocks():
            counted.add(block)
        if output is not None:
            stored.write(output)
    else:
        blocks = stream_within(graph, **some, executor=sharing.executor)
        if output is not None:
            blocks.write(output, seen=counted.add)
        for block in blocks:
            counted.add(block)
    seconds = time.perf_counter() - started
    facts = counted.facts()
    files, given = {"output": output, "store": sharing.store}, {"cutoff": cutoff, "k": k}
    report(show, source, graph, facts, seconds, files, given=given, first=counted.rows, sharing=sharing.words)


class Counted:
    """Counts of blocks, and their first rows.

    Parameters
    ----------
    first : int
        How many rows are kept.
    """

    def __init__(self, first: int) -> None:
        self.rows: list[list[Any]] = []
        self._first = first
        self._sources = self._pairs = self._most = 0

    def add(self, block: NearPairs) -> None:
        """Count a block."""
        self._sources += len(block)
        self._pairs += block.pairs
        counts = block.indptr[1:] - block.indptr[:-1]
        self._most = max(self._most, int(counts.max(initial=0)))
        missing = self._first - len(self.rows)
        if missing > 0:
            columns = _some(block, missing).to_long().values()
            rows = [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]
            self.rows += rows[:missing]

    def facts(self) -> dict[str, Any]:
        """Return the counts by name."""
        mean = self._pairs / self._sources if self._sources else None
        return {
            "sources": self._sources, "pairs": self._pairs, "pairs per source": mean,
            "most pairs of a source": self._most,
        }  # fmt: skip


def _some(block: NearPairs, pairs: int) -> NearPairs:
    """The first sources of a block, which have so many pairs, if there are as many."""
    rows = min(int(np.searchsorted(block.indptr, pairs)), len(block))
    end = int(block.indptr[rows])
    return replace(
        block, source_positions=block.source_positions[:rows], indptr=block.indptr[: rows + 1],
        positions=block.positions[:end], distances=block.distances[:end],
        next_positions=None if block.next_positions is None else block.next_positions[:end],
        along={name: sums[:end] for name, sums in block.along.items()},
    )  # fmt: skip
