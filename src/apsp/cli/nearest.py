"""apsp nearest: the nearest facility of every vertex, as a table."""

from __future__ import annotations

import time

import click
import numpy as np

from apsp.cli.checked_input import read_for_files
from apsp.cli.files import INPUT, OUTPUT, TABLE, VERTICES
from apsp.cli.maps import draw_map
from apsp.cli.options import Reading, number_of, reading_options, show_options, snapping_options
from apsp.cli.points import Points, ends_at_points
from apsp.cli.report import report
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.cli.vertices import Typed
from apsp.graph.turns.entered import streets_of
from apsp.measures.facilities import nearest
from apsp.semiring import NO_VERTEX

__all__ = ["command"]


@click.command("nearest", cls=Sections, short_help="The nearest of some facilities, from every vertex.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option(
    "--facilities",
    metavar="LIST",
    type=VERTICES,
    help="Vertices: 3,8,10-17, or @FILE with one per line.",
)
@click.option("-k", type=click.IntRange(1), default=1, show_default=True, help="Facilities per vertex.")
@click.option(
    "--direction",
    type=click.Choice(["to", "from"]),
    default="to",
    help="Paths to (default) or from the facilities.",
)
@click.option("--cutoff", callback=number_of, metavar="NUMBER", help="Longest distance, itself included.")
@click.option(
    "-o", "--output", metavar="FILE", type=TABLE, help="Write a row per vertex and facility: .csv or .parquet."
)
@click.option("--plot", metavar="FILE", type=OUTPUT, help="Draw the distances on a map (.png, .svg, .pdf).")
@reading_options
@snapping_options("destinations")
@show_options
def command(
    source: str,
    facilities: str | None,
    k: int,
    direction: str,
    cutoff: float | None,
    output: str | None,
    plot: str | None,
    reading: Reading,
    points: Points,
    show: Show,
) -> None:
    """Find the nearest of some facilities, such as stations, for every vertex of the graph IN.

    \b
    apsp nearest city.gr --facilities @stations.txt -o nearest.csv
    apsp nearest city.gr --facilities 17,4031 --direction from --cutoff 900
    apsp nearest city.gr --facilities @stations.txt --plot stations.png
    apsp nearest city.osm.pbf --destinations shops.csv --crs degrees --speed 1.4

    Facilities are vertices (--facilities) or points (--destinations). Of equally near ones the first counts.
    """  # noqa: D301 - click reads the character
    if (facilities is None) == (points.destinations is None):
        raise click.UsageError("give the facilities: --facilities LIST, or --destinations FILE of points")
    graph = read_for_files(source, reading, show, output, plot, turns=True)
    chosen = None if facilities is None else Typed(graph).vertices(facilities, "--facilities")
    chosen = ends_at_points(graph, {"targets": chosen}, points)["targets"]
    started = time.perf_counter()
    found = nearest(graph, chosen, k, direction=direction, cutoff=cutoff)
    seconds = time.perf_counter() - started
    if output is not None:
        found.write(output)
    near = found.positions[:, 0] != NO_VERTEX
    lengths = found.distances[near, 0]
    if plot is not None:
        values = np.full(len(near), np.nan)
        values[near] = lengths
        way = "to" if direction == "to" else "from"
        draw_map(streets_of(graph), values, plot, source=source, label=f"distance {way} the nearest facility")
    cells = np.unique(found.positions[near, 0], return_counts=True)[1]
    facts = {
        "vertices with a facility": int(near.sum()),
        "mean distance": float(lengths.mean()) if len(lengths) else None,
        "longest distance": lengths.max().item() if len(lengths) else None,
        "most vertices of a facility": int(cells.max()) if len(cells) else 0,
    }
    report(show, source, graph, facts, seconds, {"output": output, "plot": plot})
