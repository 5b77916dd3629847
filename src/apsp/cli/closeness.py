"""apsp closeness: the vertices that are nearest to all others, as a list, a table and a map."""

from __future__ import annotations

import time

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
    centrality_options,
    reading_options,
    sharing_options,
    show_options,
)
from apsp.cli.report import report_values
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.graph.long_table import LongTable
from apsp.graph.table_file import write_table
from apsp.graph.turns.entered import streets_of
from apsp.measures.closeness import closeness_centrality, harmonic_centrality
from apsp.reductions.central import MostCentral, largest_first

__all__ = ["command"]


@click.command("closeness", cls=Sections, short_help="The vertices that are nearest to all others.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--harmonic", is_flag=True, help="The sum of 1 / distance instead.")
@click.option(
    "--direction", type=click.Choice(["in", "out"]), default="in", help="Paths to the vertices (default) or from them."
)
@click.option("--top", type=click.IntRange(min=1), default=10, metavar="N", help="Print the N highest. Default: 10.")
@click.option("-o", "--output", metavar="FILE", type=TABLE, help="Write all values: .csv or .parquet.")
@click.option("--plot", metavar="FILE", type=OUTPUT, help="Draw the vertices on a map (.png, .svg, .pdf).")
@reading_options
@centrality_options
@sharing_options
@show_options
def command(
    source: str,
    harmonic: bool,
    direction: str,
    top: int,
    output: str | None,
    plot: str | None,
    reading: Reading,
    keywords: Keywords,
    sharing: Sharing,
    show: Show,
) -> None:
    """Find the vertices of the graph IN that are nearest to all others: closeness centrality.

    \b
    apsp closeness facebook.txt --undirected --top 20
    apsp closeness city.gr -o closeness.csv --plot closeness.png
    apsp closeness city.gr --harmonic --cutoff 900 --plot near.png

    The value of a vertex is the number of vertices with a path to it over the sum of their distances, times their share
    of all vertices. Without -o, --plot, --cutoff, --turns, --executor and --store only the highest are computed,
    from few searches where that is possible.
    """  # noqa: D301 - click reads the character
    graph = read_for_files(source, reading, show, output, plot, turns=True)
    measure, name = (
        (harmonic_centrality, "harmonic centrality") if harmonic else (closeness_centrality, "closeness centrality")
    )
    files = output is not None or plot is not None
    needs_all = files or keywords["cutoff"] is not None or any(vars(sharing).values()) or graph._turned is not None
    request = arguments(graph, keywords) | {"direction": direction, "progress": show.bar, **vars(sharing)}
    started = time.perf_counter()
    if needs_all:
        values = measure(graph, **request)
        positions = np.arange(len(values), dtype=np.int32)
        first = largest_first(values, positions, top)
        found = MostCentral(graph.labels.take(positions[first]), values[first], len(values))
    else:
        found = measure(graph, top=top, **request)
    seconds = time.perf_counter() - started
    column = name.split()[0]
    if output is not None:
        columns = {"vertex": positions, column: values}
        write_table(lambda: LongTable(graph.labels, columns, numbers=(column,)), output)
    if plot is not None:
        draw_map(streets_of(graph), values, plot, source=source, label=name)
    highest = [list(row) for row in zip(found.vertices.tolist(), found.values.tolist(), strict=True)]
    given = {"direction": direction, "cutoff": keywords["cutoff"]}
    facts = {"of": name, **given, "top": highest, "searches": found.searches}
    named = [(str(vertex), value) for vertex, value in highest]
    report_values(show, source, graph, f"highest {name}", named, facts, seconds, sharing, output, plot)
