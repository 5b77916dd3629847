"""apsp isochrone: what is within cutoffs of some vertices, as polygons or as a table of vertices."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import Any

import click
import numpy as np

from apsp.cli.files import INPUT, OUTPUT, TABLE
from apsp.cli.inputs import arguments, read_graph
from apsp.cli.maps import check_figure, check_places, draw_map
from apsp.cli.options import (
    Keywords,
    Reading,
    executor_option,
    limits_of,
    number_of,
    reading_options,
    show_options,
    snapping_options,
    within_options,
)
from apsp.cli.points import Points, ends_at_points
from apsp.cli.report import report
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.graph.shapes.geo_files import check_geo_path
from apsp.graph.shapes.systems import system_known
from apsp.graph.table_file import check_table_labels, check_table_path
from apsp.graph.turns.entered import streets_of
from apsp.measures.isochrones import Isochrones, isochrone
from apsp.measures.stream_isochrones import stream_isochrones

__all__ = ["command"]


@click.command("isochrone", cls=Sections, short_help="What is within cutoffs of some vertices, as polygons.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--cutoffs", required=True, metavar="LIST", help="Longest distances, themselves included: 300,600,900.")
@click.option(
    "--width", callback=number_of, metavar="LENGTH",
    help="Polygons of what is within so much of a reached street: in metres, or in units of --crs plane.",
)  # fmt: skip
@click.option("--holes/--no-holes", default=True, help="Leave out areas between streets that are farther than --width.")
@click.option(
    "-o", "--output", metavar="FILE", type=TABLE,
    help="With --width: polygons, .parquet (GeoParquet) or .geojson. Otherwise a row per vertex: .csv or .parquet.",
)  # fmt: skip
@click.option(
    "--plot", metavar="FILE", type=OUTPUT, help="Draw what is within each cutoff on a map (.png, .svg, .pdf)."
)
@reading_options
@within_options
@snapping_options("origins", "near")
@executor_option
@show_options
def command(
    source: str,
    cutoffs: str,
    width: float | None,
    holes: bool,
    output: str | None,
    plot: str | None,
    executor: Any,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    show: Show,
) -> None:
    """Find what is within cutoffs of the --sources of the graph IN, or of the points --origins: polygons, or vertices.

    \b
    apsp isochrone city.gr --sources @homes.txt --cutoffs 300,600 -o near.parquet
    apsp isochrone city.gr --sources 17 --cutoffs 600 --width 50 --crs plane
    apsp isochrone streets.csv --sources 17 --cutoffs 300,600 -o reached.csv
    apsp isochrone city.gr --sources 17 --cutoffs 300,600,900 --plot reached.png
    apsp isochrone city.osm --origins at.csv --cutoffs 600 --width 25 -o a.geojson

    Parts of streets count as far as they are within the cutoff. Polygons are written a block of sources at a time, so
    that they need not fit into memory.
    """  # noqa: D301 - click reads the character
    limits = limits_of(cutoffs)
    if keywords["targets"] is not None:
        raise RequestError("isochrones end where the cutoffs are reached, not at --targets: leave it out")
    crs, has_points = points.crs, points.are_given
    if width is None and ((crs is not None and not has_points) or not holes):
        raise RequestError("polygons need --width; without it a table of vertices is written")
    if output is not None and width is None:
        if output.lower().endswith(".geojson"):
            raise RequestError(f"{output}: polygons need --width; without it, give the name of a .csv or .parquet file")
        check_table_path(output)
    if plot is not None:
        check_figure(plot)
    graph = read_graph(source, reading, show, turns=True)
    if width is not None and crs is None and graph.crs is None:
        raise RequestError("polygons need --crs: the file does not say what its coordinates are")
    if plot is not None:
        check_places(graph)
    if output is not None:
        if width is None:
            check_table_labels(output, graph.labels)
        else:
            check_geo_path(output, system_known(crs, graph.crs))
    request = ends_at_points(graph, arguments(graph, keywords), points if has_points else replace(points, crs=None))
    if request["sources"] is None:
        raise RequestError("isochrones start at some vertices: --sources LIST, or --sources @FILE, or --origins FILE")
    some = {name: request[name] for name in ("sources", "dtype", "device", "threads")}
    options = {**some, "cutoffs": limits, "executor": executor, "progress": show.bar}
    started = time.perf_counter()
    facts: dict[str, Any] = {"sources": len(request["sources"]), "cutoffs": len(limits)}
    if width is None or plot is not None:
        found = isochrone(graph, **options)
        if plot is not None:
            _draw(streets_of(graph), found, plot, source)
    if width is None:
        if output is not None:
            found.write(output)
        facts["vertices within the longest"] = len(found.positions)
    else:
        blocks = stream_isochrones(graph, width=width, crs=crs, holes=holes, **options)
        if output is not None:
            blocks.write(output)
        facts["polygons"] = len(request["sources"]) * len(limits)
    seconds = time.perf_counter() - started
    report(show, source, graph, facts, seconds, {"output": output, "plot": plot})


def _draw(graph: Graph, found: Isochrones, plot: str, source: str) -> None:
    """Draw the distances from the nearest source, in bands up to the cutoffs."""
    values = np.full(graph.n, np.inf)
    own = found.positions < graph.n
    np.minimum.at(values, found.positions[own], found.distances[own])
    values[np.isinf(values)] = np.nan
    starts = np.unique(found.source_positions)
    marked = starts.tolist() if len(starts) <= 2 and (starts < graph.n).all() else []
    label = "distance from the source" if len(starts) == 1 else "distance from the nearest source"
    levels = [float(limit) for limit in found.cutoffs if limit < sys.float_info.max] or None
    draw_map(graph, values, plot, source=source, label=label, levels=levels, marked=marked)
