"""apsp stats: diameter, average distance, histogram, ... of a graph, a result or an oracle."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click
import numpy as np

from apsp.cli import cheap_stats, histogram, summaries
from apsp.cli.files import INPUT, OUTPUT
from apsp.cli.inputs import arguments, read_graph
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    effort_options,
    reading_options,
    sharing_options,
    show_options,
)
from apsp.cli.saved import kind_of, load_oracle, load_result
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text, width
from apsp.errors import RequestError
from apsp.figures import files as figures
from apsp.figures.histogram import draw_histogram
from apsp.graph.components import Components, components
from apsp.graph.model import Graph
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.reductions import Summary
from apsp.system.replacing import check_writable

__all__ = ["command"]


@click.command(
    "stats", cls=Sections, short_help="Diameter, average distance, histogram, ... of a graph, a result or an oracle."
)
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--all", "everything", is_flag=True, help="Compute all distances, however long it takes.")
@click.option("--plot", metavar="FILE", type=OUTPUT, help="Draw the histogram (.png, .svg, .pdf).")
@click.option("--unit", default="", metavar="UNIT", help="Of distances in the figure: s, km.")
@reading_options
@effort_options
@sharing_options
@show_options
def command(
    source: str,
    everything: bool,
    plot: str | None,
    unit: str,
    reading: Reading,
    keywords: Keywords,
    sharing: Sharing,
    show: Show,
) -> None:
    """Print statistics of IN: a graph file, a result of apsp solve, or an oracle of Oracle.save.

    Components, degrees and weights of a graph, diameter and radius as far as a few searches prove them, and what
    all distances would take. If that is estimated to be short (2 seconds), or with --all, --plot, --executor or
    --store, statistics of all distances are printed: average, global efficiency, center, histogram. The graph is solved
    block by block, so that the distances need not fit in memory. Pairs without a path are left out of means and
    extremes. The radius is the smallest eccentricity of the vertices that reach the most others; the vertices that have
    it are the center.
    """
    if plot is not None:
        figures.require()
        figures.check_ending(plot)
        check_writable(plot)
    everything = everything or plot is not None or sharing != Sharing()
    found = _summarized(source, reading, keywords, sharing, show, everything)
    if found is None:
        return
    graph, summary, cutoff = found
    parts = components(streets_of(graph))
    if plot is not None:
        _draw(summary, graph, source, plot, unit)
    if show.json:
        print_json(_facts(graph, summary, parts) | {"cutoff": cutoff, "plot": plot, "store": sharing.store})
    else:
        print_text(facts_table(_rows(graph, summary, parts, cutoff)))
        if summary.pairs:
            print_text("\n" + _bars(summary, graph))
    if plot is not None:
        show.say(f"\nwrote {plot}")


def _summarized(
    source: str, reading: Reading, keywords: Keywords, sharing: Sharing, show: Show, everything: bool
) -> tuple[Graph, Summary, float | None] | None:
    """The statistics of all distances; None if they are not cheap, and the cheap ones were printed."""
    kind = kind_of(source)
    if kind is not None and sharing != Sharing():
        raise RequestError(f"{source} has its distances: leave out --executor and --store, which are for a graph")
    if kind == "oracle":
        oracle = load_oracle(source, reading, keywords)
        sources = arguments(oracle.graph, keywords)["sources"]
        return oracle.graph, oracle.summary(bins=summaries.BINS, sources=sources, progress=show.bar), None
    if kind == "result":
        result = load_result(source, reading, keywords)
        return result.graph, summaries.of_result(result, bins=summaries.BINS), result.cutoff
    graph = read_graph(source, reading, show, turns=True)
    request = arguments(graph, keywords)
    estimate = cheap_stats.estimate_for(graph, request)
    if not everything and estimate.seconds > cheap_stats.CHEAP:
        _print_cheap(graph, request, estimate, show)
        return None
    return graph, summaries.of_graph(graph, request | vars(sharing), show, bins=summaries.BINS), keywords["cutoff"]


def _print_cheap(graph: Graph, request: dict[str, Any], estimate: cheap_stats.Estimate, show: Show) -> None:
    parts, found = components(streets_of(graph)), cheap_stats.extremes_of(graph, request, show)
    if show.json:
        facts = cheap_stats.facts_of_graph(graph, parts) | cheap_stats.extreme_facts(found)
        print_json(facts | {"not_computed": cheap_stats.more_facts(estimate, found)})
        return
    rows = cheap_stats.rows_of_graph(graph, parts) + cheap_stats.extreme_rows(found)
    print_text(facts_table([*rows, ("not computed", cheap_stats.more_words(estimate, found))]))


def _facts(graph: Graph, summary: Summary, parts: Components) -> dict[str, Any]:
    farthest, bins = summary.farthest_pair, summary.histogram()
    complete = len(summary.sources) == own_vertices(graph)
    return {
        **cheap_stats.facts_of_graph(graph, parts),
        "not_computed": None,
        "sources": len(summary.sources),
        "pairs": summary.pairs,
        "pairs_without_path": summary.unreachable_pairs,
        "diameter": summary.diameter,
        "farthest_pair": None if farthest is None else vars(farthest),
        "radius": summary.radius,
        "center": summary.center,
        "average_shortest_path_length": summary.average_shortest_path_length,
        "total_distance": summary.total_distance,
        "wiener_index": summary.wiener_index() if complete else None,
        "global_efficiency": summary.global_efficiency() if complete else None,
        "histogram": dict(zip(("edges", "counts"), rebinned(summary, 64), strict=True)),
        "histogram_is_of": "ordered pairs of two vertices with a path; a bin holds its lower edge",
        "dtype": bins.edges.dtype.name,
    }


def _rows(graph: Graph, summary: Summary, parts: Components, cutoff: float | None) -> list[tuple[str, str]]:
    pairs = summary.pairs + summary.unreachable_pairs
    rows = cheap_stats.rows_of_graph(graph, parts)
    if len(summary.sources) < own_vertices(graph):
        rows.append(
            ("sources", f"{len(summary.sources):,} of {own_vertices(graph):,}: what follows is about paths from them")
        )
    if cutoff is not None:
        rows.append(("cutoff", f"{number(cutoff)}: longer paths are ignored"))
    share = "all" if summary.pairs == pairs else f"{np.floor(1000 * summary.pairs / pairs) / 10:.1f}% of all"
    rows.append(("pairs with a path", f"{summary.pairs:,}, {share}"))
    if not summary.pairs:
        return rows
    farthest, center = summary.farthest_pair, summary.center
    if farthest is not None:
        rows.append(("diameter", f"{number(farthest.distance)}, from {farthest.source} to {farthest.target}"))
    named = ", ".join(map(str, center[:5]))
    more = f" and {len(center) - 5:,} more" if len(center) > 5 else ""
    rows += [
        ("radius", f"{number(summary.radius)}, from the center: {named}{more}"),
        ("average distance", number(summary.average_shortest_path_length)),
    ]
    if len(summary.sources) == own_vertices(graph):
        rows.append(("global efficiency", f"{number(summary.global_efficiency())} (mean of 1 / distance)"))
    return rows


def rebinned(summary: Summary, most: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Merge the histogram into about `most` bins of a round width; return edges and counts."""
    fine = summary.histogram()
    return histogram.merged(fine.edges, fine.counts, most)


def _bars(summary: Summary, graph: Graph) -> str:
    edges, counts = rebinned(summary, histogram.BINS)
    words = histogram.bin_words(edges)
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    head = "distance: pairs of vertices, share" if graph.is_weighted else "hops: pairs of vertices, share"
    return f"{head}\n{histogram.draw(words, counts.tolist(), width=width(), unicode=unicode)}"


def _draw(summary: Summary, graph: Graph, source: str, plot: str, unit: str) -> None:
    edges, counts = rebinned(summary, 60)
    marks = [
        ("average", summary.average_shortest_path_length), ("radius", summary.radius), ("diameter", summary.diameter),
    ]  # fmt: skip
    named = [(f"{name} {number(value)} {unit}".rstrip(), float(value)) for name, value in marks if value is not None]
    label = "distance" if graph.is_weighted else "hops"
    figure = draw_histogram(
        edges,
        counts,
        title=f"Distances between all pairs: {Path(source).name}",
        label=f"{label} ({unit})" if unit else label,
        marks=named if summary.pairs else [],
    )
    figures.save(figure, plot)
