"""apsp path: print a shortest path between two vertices."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from apsp.cli.files import INPUT, OUTPUT
from apsp.cli.options import Drawing, Reading, drawing_options, reading_options, show_options, snapping_options
from apsp.cli.path_ends import PointEnds, VertexEnds, between_points, between_vertices
from apsp.cli.points import Points, without_points
from apsp.cli.saved import kind_of
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text
from apsp.figures import files as figures
from apsp.graph.components import components
from apsp.graph.places.path_steps import are_told_apart
from apsp.graph.shapes.geo_files import check_geo_path
from apsp.graph.shapes.systems import system_known
from apsp.graph.turns.entered import streets_of
from apsp.result.many_paths import ManyPaths
from apsp.system.replacing import check_writable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["command"]

MOST_PATHS = 1000


@click.command("path", cls=Sections, short_help="Print a shortest path between two vertices.")
@click.argument("source", metavar="OUT", type=INPUT)
@click.argument("ends", metavar="[U V]", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Print all shortest paths.")
@click.option(
    "--most", type=click.IntRange(min=1), metavar="N", help="Maximum number of paths with --all. Default: 1000."
)
@click.option(
    "-k", type=click.IntRange(min=1), metavar="N", help="Print the N shortest paths that visit no vertex twice."
)
@click.option("--loops", is_flag=True, help="With -k: paths may visit vertices several times.")
@click.option(
    "--alternatives",
    "differing",
    type=click.IntRange(min=1),
    metavar="N",
    help="Print a shortest path and alternatives that differ much, N paths or fewer.",
)
@click.option(
    "--pareto", metavar="COST", help="Print all compromises with another cost: the paths that no other beats in both."
)
@click.option("--links", is_flag=True, help="Print the rows of the graph file along the path, too, counted from 0.")
@click.option(
    "--plot",
    metavar="FILE",
    type=OUTPUT,
    help="Draw distances from the first end and the path on a map (.png, .svg, .pdf); with -k and --alternatives the "
    "paths in colours.",
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
    k: int | None,
    loops: bool,
    differing: int | None,
    pareto: str | None,
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
    second; given once, to the vertex V. Its street counts as one of the --links.

    \b
    apsp path city.osm --near 9.2,45.46 --near 9.2,45.48 --speed 1.4 -o a.geojson
    """  # noqa: D301 - click reads the character
    if len(ends) + len(points.near) != 2 and (points.near or ends):
        raise click.UsageError("give two vertices, U and V, or none; or --near X,Y and a vertex V, or --near twice")
    if reading.turns and every:
        raise click.UsageError("--all does not respect turns yet: leave out one of them; -k N with --loops does")
    if sum((every, k is not None, differing is not None, pareto is not None)) > 1:
        raise click.UsageError("--all, -k, --alternatives and --pareto exclude each other")
    many = k is not None or differing is not None or pareto is not None
    if loops and k is None:
        raise click.UsageError("--loops is of the paths of -k: add -k N")
    if (differing is not None or pareto is not None) and (points.near or reading.turns):
        raise click.UsageError("--alternatives and --pareto take neither --turns nor --near yet: give two vertices")
    if k is not None and reading.turns and not loops:
        raise click.UsageError("-k does not respect turns yet: -k N with --loops does")
    if drawing.levels is not None and many:
        raise click.UsageError("--levels are of distances from the first end, which maps of several paths do not have")
    if most is not None and not every:
        raise click.UsageError("--most limits the paths of --all: add --all")
    if plot is not None:
        figures.require()
        figures.check_ending(plot)
        check_writable(plot)
    if points.near:
        between: PointEnds | VertexEnds = between_points(source, ends, points, reading, show, links=links)
    else:
        without_points(points if output is None else replace(points, crs=None))
        costs = False if pareto is None else (pareto,)
        between = between_vertices(source, ends, reading, show, costs=costs, links=links)
    graph, u, v = between.graph, between.source, between.target
    if output is not None:
        check_geo_path(output, system_known(points.crs, graph.crs))
    distance = between.distance()
    if math.isinf(distance) and not reading.turns and kind_of(source) is None:
        _note_directions(between, show)
    lengths: list[Any] = []
    of_cost: dict[str, list[Any]] = {}
    several: ManyPaths | None = None
    streets = streets_of(graph)
    traced = links or (output is not None and are_told_apart(streets))
    if many:
        if pareto is None:
            several = between.several(k, differing, loops=loops)
            rows = list(between.several(k, differing, loops=loops, links=True)) if traced else []
        else:
            both = between.compromises(pareto)
            several, rows, of_cost = both.paths, list(both.links) if traced else [], {pareto: both.costs.tolist()}
        found, lengths, more = list(several) or [between.path(links=False)], several.distances.tolist(), False
    else:
        found, more = _listed(between, most or MOST_PATHS if every else None, links=False)
        rows = _listed(between, len(found) if every else None, links=True)[0] if traced else []
    if plot is not None:
        figures.save(between.figure(drawing) if several is None else _map_of(several, drawing), plot)
    if output is not None:
        drawn = rows if are_told_apart(streets) else None
        streets.path_features(found, links=drawn, sources=between.start, targets=between.end, crs=points.crs).write(
            output
        )
    if show.json:
        facts = _facts(u, v, distance, found[0]) | ({"links": rows[0]} if links else {})
        every_path: dict[str, Any] = {"paths": found} | ({"distances": lengths} if lengths else {"complete": not more})
        every_path |= {"costs": of_cost} if of_cost else {}
        every_path |= {"links_of_paths": rows} if links else {}
        print_json(facts | (every_path if every or lengths else {}) | {"plot": plot, "output": output})
    else:
        print_text(
            _words(u, v, distance, found, rows if links else [], {"length": lengths} | of_cost if lengths else {})
        )
    if more:
        show.warn(f"there are more than {len(found):,} shortest paths: --most N prints more")
    for file in (plot, output):
        if file is not None:
            show.say(f"\nwrote {file}")


def _map_of(several: ManyPaths, drawing: Drawing) -> Figure:
    scale: Any = drawing.scale  # checked when it is drawn
    return several.plot(label=drawing.label, unit=drawing.unit, scale=scale)


def _note_directions(ends: PointEnds | VertexEnds, show: Show) -> None:
    """If there is a path only against the direction of some arcs, name the option."""
    if isinstance(ends, VertexEnds) and ends.graph.directed:
        parts = components(ends.graph, connection="weak")
        if parts.of(ends.source) == parts.of(ends.target):
            show.warn("paths follow the direction of arcs; with --undirected they use arcs both ways")


def _listed(ends: PointEnds | VertexEnds, most: int | None, *, links: bool) -> tuple[list[list[Any]], bool]:
    """Return one path, or at most so many, and whether there are more; or their links."""
    if most is None:
        return [ends.path(links=links)], False
    found = list(itertools.islice(ends.paths(links=links), most + 1))
    return found[:most], len(found) > most


def _facts(u: Any, v: Any, distance: float, vertices: list[Any]) -> dict[str, Any]:
    return {
        "source": u,
        "target": v,
        "distance": distance,
        "arcs": len(vertices) - 1,
        "vertices": vertices,
    }


def _words(
    u: Any, v: Any, distance: float, found: list[list[Any]], links: list[list[int]], sums: dict[str, list[Any]]
) -> str:
    arcs = [len(vertices) - 1 for vertices in found]
    paths = [[("path", " -> ".join(map(str, vertices)))] for vertices in found]
    for name, of_paths in sums.items():
        for path, total in zip(paths, of_paths, strict=True):
            path.append((name, number(total)))
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
