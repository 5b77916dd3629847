"""apsp betweenness: the vertices or arcs that most shortest paths pass, as a list, a table and a map."""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
import numpy.typing as npt

from apsp.cli.checked_input import read_for_files
from apsp.cli.files import INPUT, OUTPUT, TABLE
from apsp.cli.inputs import arguments
from apsp.cli.maps import draw_map
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    flow_options,
    reading_options,
    sharing_options,
    show_options,
)
from apsp.cli.report import report_values
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.errors import RequestError
from apsp.graph.long_table import LongTable
from apsp.graph.model import Graph
from apsp.graph.table_file import write_table
from apsp.measures.betweenness import (
    approximate_betweenness_centrality,
    betweenness_centrality,
    edge_betweenness_centrality,
)

__all__ = ["command"]

_ENDS = ("sources", "targets", "cutoff")
_VALUE = "betweenness"


@click.command("betweenness", cls=Sections, short_help="The vertices or arcs that most shortest paths pass.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--edges", is_flag=True, help="Of arcs (of edges, if the graph is undirected) instead of vertices.")
@click.option(
    "--approximate", type=click.IntRange(min=1), metavar="K", help="Estimate from K random sources, with a bound."
)  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), metavar="N", help="Of --approximate, for the same sources again.")
@click.option(
    "--confidence", type=float, default=0.99, metavar="SHARE",
    help="Of --approximate: probability that the bound holds for all vertices. Default: 0.99.",
)  # fmt: skip
@click.option("--normalized/--sums", default=True, help="Shares of all pairs (default), or sums over the pairs.")
@click.option("--endpoints", is_flag=True, help="A path passes its ends, too.")
@click.option("--top", type=click.IntRange(min=0), default=10, metavar="N", help="Print the N highest. Default: 10.")
@click.option("-o", "--output", metavar="FILE", type=TABLE, help="Write all values: .csv or .parquet.")
@click.option("--plot", metavar="FILE", type=OUTPUT, help="Draw the vertices on a map (.png, .svg, .pdf).")
@reading_options
@flow_options
@sharing_options
@show_options
def command(
    source: str,
    edges: bool,
    approximate: int | None,
    seed: int | None,
    confidence: float,
    top: int,
    output: str | None,
    plot: str | None,
    reading: Reading,
    keywords: Keywords,
    sharing: Sharing,
    show: Show,
    **options: bool,
) -> None:
    """Find the vertices of the graph IN that most shortest paths pass.

    \b
    apsp betweenness facebook.txt --undirected --top 20
    apsp betweenness streets.gr --edges -o streets.csv
    apsp betweenness web.txt.gz --approximate 1000 --seed 1

    The value of a vertex is the share of the shortest paths between all pairs of other vertices (or from --sources to
    --targets, no longer than --cutoff) that pass it. Of several shortest paths of a pair each counts as a fraction.

    With --executor or --store the sums are added up in another order, so that values may differ in the last bits.
    """  # noqa: D301 - click reads the character
    _check(edges, approximate, seed, keywords, sharing, options, plot)
    graph = read_for_files(source, reading, show, output, plot)
    ends = {name: value for name, value in arguments(graph, keywords).items() if name in _ENDS}
    request = {name: keywords[name] for name in ("device", "threads")} | vars(sharing) | {"progress": show.bar}
    error = None
    started = time.perf_counter()
    if approximate is not None:
        found = approximate_betweenness_centrality(graph, approximate, seed=seed, confidence=confidence, **request)
        values, error = found.values, found.error
    else:
        request |= ends | {"normalized": options["normalized"]}
        if edges:
            values = edge_betweenness_centrality(graph, **request)
        else:
            values = betweenness_centrality(graph, endpoints=options["endpoints"], **request)
    seconds = time.perf_counter() - started
    table = _table(graph, values, edges)
    if output is not None:
        write_table(lambda: table, output)
    if plot is not None:
        draw_map(graph, values, plot, source=source, label=_label(approximate is None and not options["normalized"]))
    highest = _highest(table, top)
    given = {"of": "arcs" if edges else "vertices", "cutoff": keywords["cutoff"]}
    facts = {**given, "top": highest, "error": error, "sources": approximate}
    arrow = " -> " if graph.directed else " - "
    named = [(arrow.join(map(str, row[:-1])), row[-1]) for row in highest]
    heading = _words(edges, error, confidence)
    report_values(show, source, graph, heading, named, facts, seconds, sharing, output, plot)


def _check(
    edges: bool,
    approximate: int | None,
    seed: int | None,
    keywords: Keywords,
    sharing: Sharing,
    options: dict[str, bool],
    plot: str | None,
) -> None:
    """Raise RequestError for options that exclude each other, before any work."""
    exact = {"--edges": edges, "--endpoints": options["endpoints"], "--sums": not options["normalized"]}
    exact |= {f"--{name}": keywords[name] is not None for name in _ENDS}
    chosen = [name for name, given in exact.items() if given]
    if approximate is not None and chosen:
        raise RequestError(f"--approximate estimates shares of all vertices: leave out {' and '.join(chosen)}")
    if approximate is not None and sharing.store is not None and seed is None:
        raise RequestError("--approximate with --store needs --seed: the same sources are chosen again")
    if edges and options["endpoints"]:
        raise RequestError("--endpoints is for vertices: leave it out, or --edges")
    if plot is not None and edges:
        raise RequestError("--plot draws vertices: leave it out, or --edges")


def _label(sums: bool) -> str:
    return f"{_VALUE} ({'shortest paths' if sums else 'share of all pairs'})"


def _table(graph: Graph, values: npt.NDArray[np.float64], edges: bool) -> LongTable:
    """A row per vertex or arc; an undirected edge has one row."""
    if not edges:
        columns: dict[str, npt.NDArray[Any]] = {"vertex": np.arange(graph.n, dtype=np.int32), _VALUE: values}
    else:
        tails, heads = graph.tails(), graph.indices
        kept = np.ones(graph.m, bool) if graph.directed else tails <= heads
        columns = {"source": tails[kept], "target": heads[kept], _VALUE: values[kept]}
    return LongTable(graph.labels, columns, numbers=(_VALUE,))


def _highest(table: LongTable, count: int) -> list[list[Any]]:
    """The rows with the highest values: labels of vertices, and the value; of equal ones the first."""
    values = table.columns[_VALUE]
    rows = np.argsort(-values, kind="stable")[:count]
    some = LongTable(table.labels, {name: column[rows] for name, column in table.columns.items()}, numbers=(_VALUE,))
    return [list(row) for row in zip(*(column.tolist() for column in some.to_dict().values()), strict=True)]


def _words(edges: bool, error: float | None, confidence: float) -> str:
    what = "highest betweenness of arcs" if edges else "highest betweenness"
    if error is None:
        return what
    return f"{what}, each within {error:.3g} with probability {confidence:g}"
