"""apsp access: what every vertex reaches within cutoffs, as a table."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from apsp.cli.checked_input import read_for_files
from apsp.cli.files import INPUT, OUTPUT, TABLE
from apsp.cli.inputs import arguments
from apsp.cli.maps import draw_map
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    access_options,
    limits_of,
    reading_options,
    sharing_options,
    show_options,
    snapping_options,
)
from apsp.cli.points import Points, ends_at_points
from apsp.cli.report import report_values
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.cli.vertices import Typed
from apsp.errors import FileFormatError, RequestError, shown
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.measures.accessibility import accessibility
from apsp.reductions.weighing import DECAYS

__all__ = ["command"]


@click.command("access", cls=Sections, short_help="What every vertex reaches within cutoffs.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--cutoffs", metavar="LIST", help="Longest distances, themselves included: 900,1800.")
@click.option(
    "--weights",
    metavar="FILE.csv",
    type=INPUT,
    help="Amounts: a header, a column of vertices, and columns of numbers. Default: 1 per vertex.",
)
@click.option("--competition", metavar="NAME", help="Column of --weights with the people who compete.")
@click.option("--decay", type=click.Choice(DECAYS), help="Function of the distance. Default: none.")
@click.option("--beta", type=float, metavar="NUMBER", help="Parameter of the decay.")
@click.option("--midpoint", type=float, metavar="NUMBER", help="Parameter of --decay logistic.")
@click.option(
    "--direction", type=click.Choice(["out", "in"]), default="out", help="Paths from (out) or to the vertices."
)
@click.option("-o", "--output", metavar="FILE", type=TABLE, help="Write a row per vertex: .csv or .parquet.")
@click.option("--plot", metavar="FILE", type=OUTPUT, help="Draw the first column on a map (.png, .svg, .pdf).")
@reading_options
@access_options
@snapping_options("origins", "near")
@sharing_options
@show_options
def command(
    source: str,
    cutoffs: str | None,
    weights: str | None,
    competition: str | None,
    output: str | None,
    plot: str | None,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    sharing: Sharing,
    show: Show,
    **options: Any,
) -> None:
    """Add up the amounts, such as jobs, that every vertex of the graph IN reaches within the cutoffs.

    \b
    apsp access city.gr --cutoffs 900,1800 --weights jobs.csv -o access.csv
    apsp access city.gr --weights beds.csv --competition people --cutoffs 1800
    apsp access city.gr --decay exponential --beta 0.002 --plot access.png

    A vertex at a distance equal to a cutoff counts. The map shows the first kind of amounts within the first cutoff.
    """  # noqa: D301 - click reads the character
    if sharing.store is not None and competition is not None:
        raise RequestError("--competition takes several passes, and a store resumes one: leave out --store")
    limits = None if cutoffs is None else limits_of(cutoffs)
    graph = read_for_files(source, reading, show, output, plot, turns=True)
    amounts = {"vertices": np.ones(own_vertices(graph))} if weights is None else _read_amounts(weights, graph)
    if competition is not None:
        if competition not in amounts:
            raise RequestError(f"--competition {shown(competition)}: the columns are {', '.join(map(shown, amounts))}")
        options["competition"] = amounts.pop(competition)
    request = ends_at_points(graph, arguments(graph, keywords), points)
    if plot is not None and isinstance(request["sources"], Places):
        raise click.UsageError("--plot draws vertices, and the rows are points: leave it out")
    started = time.perf_counter()
    found = accessibility(graph, amounts, cutoffs=limits, progress=show.bar, **vars(sharing), **options, **request)
    seconds = time.perf_counter() - started
    columns = found.to_dict()
    if output is not None:
        found.write(output)
    if plot is not None:
        name = next(name for name in columns if name != "vertex")
        streets = streets_of(graph)
        values = np.full(streets.n, np.nan)
        values[found.source_positions] = columns[name]
        draw_map(streets, values, plot, source=source, label=name.replace("_", " within "))
    means = {name: float(column.mean()) if len(column) else 0.0 for name, column in columns.items() if name != "vertex"}
    facts = {"sources": len(found), "means": means}
    report_values(show, source, graph, "mean per vertex", [*means.items()], facts, seconds, sharing, output, plot)


def _read_amounts(path: str, graph: Graph) -> dict[str, Any]:
    """The columns of a CSV file: the first, or the one called 'vertex', holds vertices."""
    try:
        lines = list(csv.reader(io.StringIO(Path(path).read_text(encoding="utf-8-sig"))))
    except (OSError, UnicodeDecodeError, ValueError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or "it is not a CSV file in UTF-8"
        raise RequestError(f"--weights: cannot read {shown(path)}: {reason}") from error
    if not lines or len(lines[0]) < 2:
        raise FileFormatError(path, "a header with a column of vertices and columns of numbers is missing", line=1)
    header = [name.strip() for name in lines[0]]
    key = header.index("vertex") if "vertex" in header else 0
    typed = Typed(graph)
    columns: dict[str, dict[Any, float]] = {name: {} for place, name in enumerate(header) if place != key}
    if len(columns) < len(header) - 1:
        raise FileFormatError(path, "two columns have the same name", line=1)
    for row, fields in enumerate(lines[1:], 2):
        if not fields:
            continue
        if len(fields) != len(header):
            raise FileFormatError(path, f"{len(fields)} fields instead of {len(header)}", line=row)
        vertex = typed.vertex(fields[key].strip())
        for place, name in enumerate(header):
            if place == key:
                continue
            try:
                value = float(fields[place] or 0)
            except ValueError:
                raise FileFormatError(path, f"{shown(fields[place])} is not a number", line=row) from None
            if vertex in columns[name]:
                raise FileFormatError(path, f"vertex {shown(vertex)} has a row already", line=row)
            columns[name][vertex] = value
    return dict(columns)
