"""apsp explore: a map in one file, with exact distances from any vertex."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from apsp.cli.files import INPUT, VERTICES, OutputFile
from apsp.cli.inputs import graph_facts, graph_words, read_graph, with_own_cost
from apsp.cli.options import Reading, reading_options, scale_option, show_options
from apsp.cli.saved import kind_of
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json
from apsp.cli.vertices import Typed
from apsp.errors import GraphError, RequestError, format_bytes, shown
from apsp.explore.writing import MOST_IN_MATRIX
from apsp.graph.model import Graph
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
@click.option(
    "--compare",
    metavar="NAMES",
    help="Other columns of weights, to compare with --cost: rush,night.",
)
@click.option("--periods", metavar="NAMES", help="Columns of weights of about periods, with a slider: t07,t08,t09.")
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
    compare: str | None,
    periods: str | None,
    scale: str | float | None,
    reading: Reading,
    show: Show,
) -> None:
    """Write a map of the graph IN to one file: a double click opens it in a browser.

    \b
    apsp explore city.gr -o city.html --unit s --scale metres
    apsp explore city.osm --speed 1.4 -o walks.html --label walk --unit s
    apsp explore roads.graphml --cost free --compare rush -o traffic.html --unit s
    apsp explore roads.graphml --periods t07,t08,t09 -o morning.html --unit s

    The page computes exact distances from any vertex that is clicked, and routes. It needs no server and no network,
    and may use none. With --compare or --periods it holds about sets of weights of the same streets, and shows the
    distances of one, or their differences to another. Without coordinates, up to 2,000 vertices are shown as a matrix.
    """  # noqa: D301 - click reads the character
    check_output(output, (".html", ".htm"))
    own = "hops" if reading.hops else reading.cost or "cost"
    names = _names(compare, periods, reading, own)
    sets = names if compare is None else [own, *names]
    if periods is not None and reading.cost is None and kind_of(source) is None:
        reading = replace(reading, cost=names[0])
    graph = _read(source, reading, show, names, "--compare" if periods is None else "--periods")
    if graph.coordinates is None and (names or graph.n > MOST_IN_MATRIX):
        few = f" (up to {MOST_IN_MATRIX:,} vertices without them are shown as a matrix)"
        raise GraphError(
            f"a map needs coordinates, which this graph does not have: --coordinates FILE{'' if names else few}"
        )
    typed = Typed(graph)
    options: dict[str, Any] = {
        "sources": None if sources is None else typed.vertices(sources, "--sources"),
        "target": None if route is None else typed.vertex(route),
        "title": title or Path(source).name, "label": label, "unit": unit, "scale": scale,
    }  # fmt: skip
    weights = {name: name for name in sets}
    if compare is not None:
        with_own_cost(graph, own).explore(output, weights=weights, compare=own, **options)
    elif periods is not None:
        graph = with_own_cost(graph, reading.cost) if reading.cost in names else graph
        graph.with_periods(weights).explore(output, **options)
    else:
        graph.explore(output, **options)
    size = Path(output).stat().st_size
    about = f", {len(sets):,} sets of weights" if names else ""
    about += ", without coordinates: a matrix" if graph.coordinates is None else ""
    show.say(f"{graph_words(graph)}{about}; wrote {output} ({format_bytes(size)})")
    if show.json:
        facts = {"sets": sets} if names else {}
        print_json({"graph": graph_facts(graph), "output": output, "bytes": size, **facts})


def _names(compare: str | None, periods: str | None, reading: Reading, own: str) -> list[str]:
    """The columns of --compare or --periods; `own` is the name of the weights.

    Raises
    ------
    UsageError, RequestError
    """
    if periods is not None and (compare is not None or reading.hops):
        other = "--hops" if compare is None else "--compare"
        raise click.UsageError(f"{other} and --periods contradict each other: leave one of them out")
    option, text = ("--compare", compare) if periods is None else ("--periods", periods)
    names = [] if text is None else [name.strip() for name in text.split(",")]
    if "" in names or len(set(names)) < len(names):
        raise RequestError(f"{option} {shown(text)}: name columns once each, with commas between")
    if compare is not None and own in names:
        remedy = "leave it out" if reading.cost or reading.hops else "name the column of the weights with --cost"
        raise RequestError(f"--compare names {shown(own)}, which is the name of the weights: {remedy}")
    return names


def _read(source: str, reading: Reading, show: Show, names: list[str], option: str) -> Graph:
    """The graph with the columns that an option names, as errors do."""
    others = tuple(name for name in names if name != reading.cost)
    try:
        return read_graph(source, reading, show, costs=others)
    except RequestError as error:
        own = r"\bcosts?=" if option == "--periods" and reading.cost in names else r"\bcosts="
        raise RequestError(re.sub(own, f"{option} ", str(error))) from None
