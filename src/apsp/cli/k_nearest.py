"""apsp k-nearest: the k nearest vertices of every vertex, as a list and a table."""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from apsp.cli.checked_input import read_for_files
from apsp.cli.files import INPUT, TABLE
from apsp.cli.inputs import arguments
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    effort_options,
    reading_options,
    sharing_options,
    show_options,
    snapping_options,
)
from apsp.cli.points import Points, ends_at_points
from apsp.cli.report import report
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.graph.model import Graph
from apsp.measures.neighbours import k_nearest
from apsp.reductions import Nearest
from apsp.semiring import NO_VERTEX

__all__ = ["command"]


@click.command("k-nearest", cls=Sections, short_help="The k nearest vertices of every vertex.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("-k", type=click.IntRange(1), required=True, metavar="N", help="Vertices per source, without itself.")
@click.option(
    "--first", type=click.IntRange(min=0), default=10, metavar="N", help="Print the first N rows. Default: 10."
)  # fmt: skip
@click.option(
    "-o", "--output", metavar="FILE", type=TABLE, help="Write a row per source and near vertex: .csv or .parquet."
)
@reading_options
@effort_options
@snapping_options("origins", "near")
@sharing_options
@show_options
def command(
    source: str,
    k: int,
    first: int,
    output: str | None,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    sharing: Sharing,
    show: Show,
) -> None:
    """Find the k nearest vertices of every vertex of the graph IN, of the --sources, or of the points --origins.

    \b
    apsp k-nearest city.gr -k 10 -o near.csv
    apsp k-nearest streets.csv -k 3 --sources 17,4031 --cutoff 900
    apsp k-nearest city.gr -k 50 --store near.zarr --executor processes

    Rows are in the order of the sources, nearest first; of equally near vertices the first in the graph counts. A
    source that reaches fewer than k vertices within the --cutoff has fewer rows. apsp nearest finds the nearest of some
    facilities.
    """  # noqa: D301 - click reads the character
    graph = read_for_files(source, reading, show, output, turns=True)
    request = ends_at_points(graph, arguments(graph, keywords), points)
    started = time.perf_counter()
    found = k_nearest(graph, k, progress=show.bar, **vars(sharing), **request)
    seconds = time.perf_counter() - started
    if output is not None:
        found.write(output)
    positions, distances = found.positions, found.distances
    facts, rows = _facts(positions, distances), _first(graph, found, positions, distances, first)
    files = {"output": output, "store": sharing.store}
    report(show, source, graph, facts, seconds, files, given={"k": k}, first=rows, sharing=sharing.words)


def _facts(positions: npt.NDArray[np.int32], distances: npt.NDArray[Any]) -> dict[str, Any]:
    """Counts of sources and pairs, and the mean and the maximum of the distances; None if there are none."""
    near = positions != NO_VERTEX
    lengths = distances[near]
    return {
        "sources": len(positions),
        "sources with k vertices": int(near[:, -1].sum()),
        "pairs": len(lengths),
        "mean distance": float(lengths.mean(dtype=np.float64)) if len(lengths) else None,
        "longest distance": lengths.max().item() if len(lengths) else None,
    }


def _first(
    graph: Graph, found: Nearest, positions: npt.NDArray[np.int32], distances: npt.NDArray[Any], count: int
) -> list[tuple[Any, Any, Any]]:
    """The first rows of the table: source, vertex and distance."""
    some = np.flatnonzero(positions[:, 0] != NO_VERTEX)[:count]
    row, place = (each[:count] for each in np.nonzero(positions[some, :count] != NO_VERTEX))
    row = some[row]
    starts, ends = found.sources[row], graph.labels.take(positions[row, place])
    return list(zip(starts.tolist(), ends.tolist(), distances[row, place].tolist(), strict=True))
