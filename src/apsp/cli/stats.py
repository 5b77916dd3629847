"""apsp stats: diameter, mean distance, histogram, ... of a graph or of a result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from apsp import plot as figures
from apsp.cli import histogram, summaries
from apsp.cli.inputs import arguments, graph_facts, graph_words, is_result, load_result, read_graph
from apsp.cli.options import Reading, Wanted, effort_options, reading_options, show_options
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text, width
from apsp.graph.model import Graph
from apsp.measures import Summary
from apsp.system.replacing import check_writable

__all__ = ["command"]


@click.command("stats", short_help="Diameter, mean distance, histogram, ... of a graph or of a result.")
@click.argument("source", metavar="IN")
@click.option("--plot", metavar="FILE", help="Draw the histogram (.png, .svg, .pdf).")
@reading_options
@effort_options
@show_options
def command(source: str, plot: str | None, reading: Reading, wanted: Wanted, show: Show) -> None:
    """Print what all distances say about the graph IN: a graph file, or a result of apsp solve.

    A graph is solved block by block, so that the distances need not fit in memory. Pairs without a path are left out
    of means and extremes. The radius is the smallest eccentricity of the vertices that reach the most others; they are
    the centre.
    """
    if plot is not None:
        figures.require()
        figures.check_ending(plot)
        check_writable(plot)
    graph, summary, cutoff = _summarized(source, reading, wanted, show)
    parts = components(graph)
    if plot is not None:
        _draw(summary, graph, source, plot)
    if show.json:
        print_json(_facts(graph, summary, parts) | {"cutoff": cutoff, "plot": plot})
    else:
        print_text(facts_table(_rows(graph, summary, parts, cutoff)))
        if summary.pairs:
            print_text("\n" + _bars(summary, graph))
    if plot is not None:
        show.say(f"\nwrote {plot}")


def _summarized(source: str, reading: Reading, wanted: Wanted, show: Show) -> tuple[Graph, Summary, float | None]:
    if is_result(source):
        result = load_result(source, reading, wanted)
        return result.graph, summaries.of_result(result, bins=summaries.BINS), result.cutoff
    graph = read_graph(source, reading, show)
    request = {name: value for name, value in arguments(graph, wanted).items() if name not in ("targets", "semiring")}
    return graph, summaries.of_graph(graph, request, show, bins=summaries.BINS), wanted.cutoff


def components(graph: Graph) -> tuple[int, int]:
    """How many (strongly) connected components there are, and the size of the largest."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if graph.n == 0:
        return 0, 0
    arcs = csr_array((np.ones(graph.m, dtype=np.int8), graph.indices, graph.indptr), shape=(graph.n, graph.n))
    count, labels = connected_components(arcs, directed=graph.directed, connection="strong")
    return int(count), int(np.bincount(labels).max())


def _facts(graph: Graph, summary: Summary, parts: tuple[int, int]) -> dict[str, Any]:
    diameter, bins = summary.diameter, summary.histogram()
    complete = len(summary.sources) == graph.n
    return {
        "graph": graph_facts(graph),
        "components": {"strong" if graph.directed else "connected": parts[0], "largest": parts[1]},
        "sources": len(summary.sources),
        "pairs": summary.pairs,
        "pairs_without_path": summary.unreachable_pairs,
        "diameter": None if diameter is None else vars(diameter),
        "radius": summary.radius,
        "centre": summary.centre,
        "mean_distance": summary.mean_distance,
        "total_distance": summary.total_distance,
        "wiener_index": summary.wiener_index() if complete else None,
        "global_efficiency": summary.global_efficiency() if complete else None,
        "histogram": dict(zip(("edges", "counts"), rebinned(summary, 64), strict=True)),
        "histogram_is_of": "ordered pairs of two vertices with a path; a bin holds its lower edge",
        "dtype": bins.edges.dtype.name,
    }


def _rows(graph: Graph, summary: Summary, parts: tuple[int, int], cutoff: float | None) -> list[tuple[str, str]]:
    pairs = summary.pairs + summary.unreachable_pairs
    kind = "strongly connected" if graph.directed else "connected"
    whole = f"1, {kind}" if parts[0] == 1 else f"{parts[0]:,} {kind}, the largest with {parts[1]:,} vertices"
    rows = [("graph", graph_words(graph)), ("components", whole)]
    if len(summary.sources) < graph.n:
        rows.append(("sources", f"{len(summary.sources):,} of {graph.n:,}: what follows is about paths from them"))
    if cutoff is not None:
        rows.append(("cutoff", f"{number(cutoff)}: longer paths count as none"))
    share = "all" if summary.pairs == pairs else f"{np.floor(1000 * summary.pairs / pairs) / 10:.1f}% of all"
    rows.append(("pairs with a path", f"{summary.pairs:,}, {share}"))
    if not summary.pairs:
        return rows
    diameter, centre = summary.diameter, summary.centre
    if diameter is not None:
        ends = f"{diameter.source} to {diameter.target}"
        rows.append(("diameter", f"{number(diameter.distance)}, from {ends}"))
    named = ", ".join(map(str, centre[:5]))
    more = f" and {len(centre) - 5:,} more" if len(centre) > 5 else ""
    rows += [
        ("radius", f"{number(summary.radius)}, from the centre: {named}{more}"),
        ("mean distance", number(summary.mean_distance)),
    ]
    if len(summary.sources) == graph.n:
        rows.append(("global efficiency", f"{number(summary.global_efficiency())} (mean of 1 / distance)"))
    return rows


def rebinned(summary: Summary, most: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The histogram in at most about `most` bins of a round width: edges and counts."""
    fine = summary.histogram()
    return histogram.merged(fine.edges, fine.counts, most)


def _bars(summary: Summary, graph: Graph) -> str:
    edges, counts = rebinned(summary, histogram.BINS)
    words = histogram.bin_words(edges)
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    head = "distance: pairs of vertices, share" if graph.is_weighted else "hops: pairs of vertices, share"
    return f"{head}\n{histogram.draw(words, counts.tolist(), width=width(), unicode=unicode)}"


def _draw(summary: Summary, graph: Graph, source: str, plot: str) -> None:
    edges, counts = rebinned(summary, 60)
    marks = [("mean", summary.mean_distance), ("radius", summary.radius)]
    if summary.diameter is not None:
        marks.append(("diameter", summary.diameter.distance))
    named = [(f"{name} {number(value)}", float(value)) for name, value in marks if value is not None]
    figure = figures.draw_histogram(
        edges,
        counts,
        title=f"Distances between all pairs: {Path(source).name}",
        label="distance" if graph.is_weighted else "hops",
        marks=named if summary.pairs else [],
    )
    figures.save(figure, plot)
