"""apsp explore: a map in one file, with exact distances from any vertex."""

from __future__ import annotations

from pathlib import Path

import click

from apsp.cli.files import INPUT, VERTICES, OutputFile
from apsp.cli.inputs import graph_facts, graph_words, read_graph
from apsp.cli.options import Reading, reading_options, scale_option, show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json
from apsp.cli.vertices import Typed
from apsp.errors import GraphError, format_bytes
from apsp.system.replacing import check_output

__all__ = ["command"]


@click.command("explore", cls=Sections, short_help="A map in one file of HTML: distances from any vertex.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("-o", "--output", metavar="FILE.html", type=OutputFile(".html"), required=True, help="The map.")
@click.option("--sources", metavar="LIST", type=VERTICES, help="Start with these vertices: 3,8,10-17 or @FILE.")
@click.option("--route", metavar="V", help="Start with the route to this vertex.")
@click.option("--title", default="", metavar="WORDS", help="Title of the page. Default: the name of IN.")
@click.option("--label", default="distance", metavar="WORDS", help="Name of distances in the map.")
@click.option("--unit", default="", metavar="UNIT", help="Of distances in the map: s, km.")
@scale_option
@reading_options
@show_options
def command(
    source: str,
    output: str,
    sources: str | None,
    route: str | None,
    title: str,
    label: str,
    unit: str,
    scale: str | float | None,
    reading: Reading,
    show: Show,
) -> None:
    """Write a map of the graph IN, which needs coordinates, to one file: a double click opens it in a browser.

    \b
    apsp explore city.gr -o city.html --unit s --scale metres
    apsp explore city.osm --speed 1.4 -o walks.html --label walk --unit s

    The page computes exact distances from any vertex that is clicked, and routes. It needs no server and no network,
    and may use none.
    """  # noqa: D301 - click reads the character
    check_output(output, (".html", ".htm"))
    graph = read_graph(source, reading, show)
    if graph.coordinates is None:
        raise GraphError("a map needs coordinates, which this graph does not have: --coordinates FILE")
    typed = Typed(graph)
    named = None if sources is None else typed.vertices(sources, "--sources")
    graph.explore(
        output, sources=named, target=None if route is None else typed.vertex(route),
        title=title or Path(source).name, label=label, unit=unit, scale=scale,  # type: ignore[arg-type]
    )  # fmt: skip
    size = Path(output).stat().st_size
    show.say(f"{graph_words(graph)}; wrote {output} ({format_bytes(size)})")
    if show.json:
        print_json({"graph": graph_facts(graph), "output": output, "bytes": size})
