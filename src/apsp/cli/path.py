"""apsp path: print a shortest path between two vertices."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import click
import numpy as np

from apsp import api
from apsp.api import questions
from apsp.cli import summaries
from apsp.cli.files import INPUT, OUTPUT
from apsp.cli.inputs import read_graph
from apsp.cli.options import Drawing, Reading, drawing_options, reading_options, show_options, snapping_options
from apsp.cli.points import Points, pair_of, without_points
from apsp.cli.saved import kind_of, load_oracle, load_result
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text
from apsp.cli.vertices import Typed
from apsp.errors import GraphError, RequestError
from apsp.figures import files as figures
from apsp.graph.shapes.geo_files import check_geo_path
from apsp.graph.shapes.systems import system_known
from apsp.reductions import Summary
from apsp.result.result import Result
from apsp.system.replacing import check_writable

__all__ = ["command"]

MOST_PATHS = 1000


@click.command("path", short_help="Print a shortest path between two vertices.")
@click.argument("source", metavar="OUT", type=INPUT)
@click.argument("ends", metavar="[U V]", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Print all shortest paths.")
@click.option(
    "--most", type=click.IntRange(min=1), metavar="N", help="Maximum number of paths with --all. Default: 1000."
)
@click.option("--links", is_flag=True, help="Print the rows of the graph file along the path, too, counted from 0.")
@click.option(
    "--plot", metavar="FILE", type=OUTPUT, help="Draw distances from U and the path on a map (.png, .svg, .pdf)."
)
@click.option(
    "-o", "--output", metavar="FILE", type=OUTPUT,
    help="Write the path as a line along the streets: .geojson or .parquet (GeoParquet).",
)  # fmt: skip
@snapping_options("near")
@drawing_options
@reading_options
@show_options
def command(
    source: str,
    ends: tuple[str, ...],
    every: bool,
    most: int | None,
    links: bool,
    plot: str | None,
    output: str | None,
    points: Points,
    drawing: Drawing,
    reading: Reading,
    show: Show,
) -> None:
    """Print a shortest path from vertex U to vertex V. Default: between the two vertices that are farthest apart.

    OUT is a result of apsp solve, an oracle that Oracle.save wrote, or a graph file, which is solved from U only.

    Vertices are named as in the file: 17, Rome. near:X,Y is the vertex nearest to that place; corner:sw (se, nw, ne) is
    the vertex in that corner of the map.

    --near X,Y is a point, which is snapped to the nearest street: given twice, the path leads from the first to the
    second; given once, to the vertex V.
    """
    if points.near and (every or links or plot is not None):
        raise click.UsageError("--all, --links and --plot are about paths between vertices: leave out --near")
    if len(ends) + len(points.near) != 2 and (points.near or ends):
        raise click.UsageError("give two vertices, U and V, or none; or --near X,Y and a vertex V, or --near twice")
    if reading.turns and (every or output is not None or plot is not None):
        raise click.UsageError("--all, -o and --plot do not respect turns yet: leave out --turns, or them")
    if most is not None and not every:
        raise click.UsageError("--most limits the paths of --all: add --all")
    if plot is not None:
        figures.require()
        figures.check_ending(plot)
        check_writable(plot)
    if points.near:
        _between_points(source, ends, points, output, reading, show)
        return
    without_points(points if output is None else replace(points, crs=None))
    result, u, v = _solved(source, ends, reading, show, links)
    if output is not None:
        check_geo_path(output, system_known(points.crs, result.graph.crs))

    def paths(links: bool) -> tuple[list[list[Any]], bool]:
        if every:
            return _all_paths(result, u, v, most or MOST_PATHS, links)
        return [result.path(u, v, links=links)], False

    (found, more), rows = paths(False), paths(True)[0] if links else []
    distance = result.distance(u, v)
    if plot is not None:
        _draw(result, u, v, plot, drawing)
    if output is not None:
        result.graph.path_features(found, crs=points.crs).write(output)
    if show.json:
        facts = _facts(u, v, distance, found[0]) | ({"links": rows[0]} if links else {})
        several = {"paths": found, "complete": not more} | ({"links_of_paths": rows} if links else {})
        print_json(facts | (several if every else {}) | {"plot": plot, "output": output})
    else:
        print_text(_words(u, v, distance, found, rows))
    if more:
        show.warn(f"there are more than {len(found):,} shortest paths: --most N prints more")
    for file in (plot, output):
        if file is not None:
            show.say(f"\nwrote {file}")


def _between_points(
    source: str, ends: tuple[str, ...], points: Points, output: str | None, reading: Reading, show: Show
) -> None:
    """Print, and write, a path from a point, to another one or to a vertex."""
    kind = kind_of(source)
    oracle = load_oracle(source, reading) if kind == "oracle" else None
    if oracle is not None:
        graph = oracle.graph
    else:
        graph = load_result(source, reading).graph if kind == "result" else read_graph(source, reading, show)
    if output is not None:
        check_geo_path(output, system_known(points.crs, graph.crs))
    start, *others = (points.snapped(graph, [pair_of(text)], names=[text]) for text in points.near)
    end: Any = others[0] if others else Typed(graph).vertex(ends[0])
    if oracle is not None:
        distance, found = oracle.distance(start, end), oracle.path(start, end)
    else:
        distance, found = questions.distance(graph, start, end), questions.shortest_path(graph, start, end)
    if output is not None:
        targets = end if others else None
        graph.path_features([found], sources=start, targets=targets, crs=points.crs).write(output)
    u, v = points.near[0], points.near[1] if others else end
    if show.json:
        print_json(_facts(u, v, distance, found) | {"output": output})
    else:
        print_text(_words(u, v, distance, [found], []))
    if output is not None:
        show.say(f"\nwrote {output}")


def _all_paths(result: Result, u: Any, v: Any, most: int, links: bool) -> tuple[list[list[Any]], bool]:
    """Return so many shortest paths, and whether there are more."""
    found = list(itertools.islice(result.all_paths(u, v, links=links), most + 1))
    return found[:most], len(found) > most


def _solved(source: str, ends: tuple[str, ...], reading: Reading, show: Show, links: bool) -> tuple[Result, Any, Any]:
    """Return a result that contains the path, and its two ends."""
    kind = kind_of(source)
    if kind == "oracle":
        return _by_oracle(source, ends, reading, show)
    if kind == "result":
        result = load_result(source, reading)
        if ends:
            u, v = map(Typed(result.graph).vertex, ends)
            return result, u, v
        return result, *_farthest(summaries.of_result(result), source)
    graph = read_graph(source, reading, show, links=links, turns=True)
    if ends:
        u, v = map(Typed(graph).vertex, ends)
    else:
        u, v = _farthest(summaries.of_graph(graph, {}, show), source)
    return api.solve(graph, sources=[u], paths=True), u, v


def _by_oracle(source: str, ends: tuple[str, ...], reading: Reading, show: Show) -> tuple[Result, Any, Any]:
    """Return the row of distances from one end, and both ends."""
    oracle = load_oracle(source, reading)
    graph = oracle.graph
    if ends:
        u, v = map(Typed(graph).vertex, ends)
    else:
        u, v = _farthest(oracle.summary(progress=show.bar), source)
    row = np.array([graph.index(u)], dtype=np.int32)
    return Result(graph, oracle.rows([u]), source_positions=row), u, v


def _farthest(summary: Summary, source: str) -> tuple[Any, Any]:
    longest = summary.farthest_pair
    if longest is None:
        raise GraphError(f"{source}: the graph has no vertices")
    return longest.source, longest.target


def _facts(u: Any, v: Any, distance: float, vertices: list[Any]) -> dict[str, Any]:
    return {
        "source": u,
        "target": v,
        "distance": distance,
        "arcs": len(vertices) - 1,
        "vertices": vertices,
    }


def _words(u: Any, v: Any, distance: float, found: list[list[Any]], links: list[list[int]]) -> str:
    arcs = [len(vertices) - 1 for vertices in found]
    paths = [[("path", " -> ".join(map(str, vertices)))] for vertices in found]
    for path, rows in zip(paths, links, strict=bool(links)):
        path.append(("links", ", ".join(map(str, rows))))
    return facts_table(
        [
            ("from", str(u)),
            ("to", str(v)),
            ("distance", number(distance)),
            ("arcs", number(arcs[0]) if min(arcs) == max(arcs) else f"{min(arcs)} to {max(arcs)}"),
            *(row for path in paths for row in path),
        ]
    )


def _draw(result: Result, u: Any, v: Any, plot: str, drawing: Drawing) -> None:
    if len(result.target_positions) != result.graph.n:
        raise RequestError("a map needs the distances to all vertices: solve without --targets")
    scale: Any = drawing.scale  # checked when it is drawn
    figures.save(result.plot(u, v, label=drawing.label, unit=drawing.unit, levels=drawing.levels, scale=scale), plot)
