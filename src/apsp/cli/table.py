"""apsp table: distances between two files of points, as a matrix or a table."""

from __future__ import annotations

import time

import click
import numpy as np

from apsp.api.places.tables import table
from apsp.cli.files import INPUT, TABLE
from apsp.cli.inputs import read_graph
from apsp.cli.options import Reading, reading_options, show_options, snapping_options
from apsp.cli.points import Points
from apsp.cli.report import report
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.result.place_matrix import check_matrix_path

__all__ = ["command"]


@click.command("table", cls=Sections, short_help="Distances between two files of points: from addresses to a matrix.")
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("origins", metavar="ORIGINS", type=INPUT)
@click.argument("destinations", metavar="[DESTINATIONS]", type=INPUT, required=False)
@click.option(
    "-o", "--output", metavar="FILE", type=TABLE,
    help="Write .csv or .parquet (a row per pair with a path, or with --matrix a row per origin), or .omx.",
)  # fmt: skip
@click.option("--matrix", is_flag=True, help="A row per origin, and a column per destination.")
@snapping_options()
@reading_options
@show_options
def command(
    source: str,
    origins: str,
    destinations: str | None,
    output: str | None,
    matrix: bool,
    points: Points,
    reading: Reading,
    show: Show,
) -> None:
    """Compute the distances from the points ORIGINS to the points DESTINATIONS along the streets of the graph IN.

    \b
    apsp table city.osm.pbf homes.csv shops.csv --crs degrees --speed 1.4 -o t.csv
    apsp table streets.npz homes.geojson --crs plane --speed 1 --matrix -o t.csv

    ORIGINS and DESTINATIONS are .csv, .geojson or .parquet files with the columns lon and lat, longitude and latitude,
    or x and y, or with points. Without DESTINATIONS they are the ORIGINS. Every point is snapped to the nearest street.
    """  # noqa: D301 - click reads the character
    if output is not None:
        check_matrix_path(output, matrix=matrix)
    elif matrix:
        raise click.UsageError("--matrix is about the file: add -o FILE")
    graph = read_graph(source, reading, show, turns=True)
    starts = points.snapped(graph, origins)
    ends = starts if destinations is None else points.snapped(graph, destinations)
    started = time.perf_counter()
    found = table(graph, starts, ends)
    seconds = time.perf_counter() - started
    if output is not None:
        found.write(output, matrix=matrix)
    lengths = found.distances[np.isfinite(found.distances)]
    facts = {
        "origins": len(starts),
        "destinations": len(ends),
        "origins beyond the limit": int((~starts.snapped).sum()),
        "destinations beyond the limit": int((~ends.snapped).sum()),
        "pairs with a path": len(lengths),
        "mean distance": float(lengths.mean()) if len(lengths) else None,
        "longest distance": float(lengths.max()) if len(lengths) else None,
    }
    report(show, source, graph, facts, seconds, {"output": output})
