"""apsp generate: generate a graph."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from apsp.cli.files import OUTPUT
from apsp.cli.inputs import graph_facts, graph_words
from apsp.cli.options import show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json
from apsp.errors import RequestError, format_bytes
from apsp.graph.files import check_kept, losses, write
from apsp.graph.generate import generate as make
from apsp.graph.model import Graph
from apsp.graph.periods import Periods
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.replacing import check_writable

__all__ = ["command"]


@click.command("generate", cls=Sections, short_help="Generate a graph: city, grid, random, ...")
@click.argument("kind", metavar="KIND")
@click.option("-n", "size", type=click.IntRange(min=0), metavar="N", help="Number of vertices.")
@click.option(
    "-m", "arcs", type=click.IntRange(min=0), metavar="M", help="Number of arcs of random, negative, dag and rmat."
)
@click.option(
    "-o", "--output", metavar="OUT", type=OUTPUT, required=True, help="Output file; its ending selects the format."
)
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of the random number generator. Default: 0.")
@click.option(
    "--weights",
    metavar="LOW,HIGH",
    help="Range of uniform random lengths. Default: 1,1000, or travel times; 'none' counts hops.",
)
@click.option("--shape", metavar="AxB", help="Rows and columns (and layers) of a grid, instead of -n.")
@click.option("--directed/--undirected", default=None, help="Default: as usual for the kind.")
@click.option("--turns", is_flag=True, help="Of a city or a country: forbid some turns. OUT is an .npz file.")
@click.option(
    "--periods",
    metavar="HOURS",
    help="Of a city or a country: the travel times of hours from 0 to 23, such as 3,8,17, as costs hour_3, hour_8 and "
    "hour_17. OUT is an .npz or Parquet file.",
)
@show_options
def command(
    kind: str,
    size: int | None,
    arcs: int | None,
    output: str,
    seed: int,
    weights: str | None,
    shape: str | None,
    directed: bool | None,
    turns: bool,
    periods: str | None,
    show: Show,
) -> None:
    """Generate a graph of KIND. The same seed gives the same graph.

    \b
    city      planar streets: coordinates in metres, travel times in seconds
    country   towns, country roads and motorways, with separators as of real roads
    grid      rows x columns (x layers), with coordinates; undirected
    random    a cycle through all vertices and random arcs (DIMACS)
    rmat      a power law, as in social networks (Graph500)
    negative  random with negative arcs, but no negative cycle
    ring, complete, dag

    \b
    apsp generate country -n 50000 --turns -o country.npz
    apsp solve country.npz --turns -o distances.npy
    apsp generate city -n 2000 --periods 3,8 -o city.npz
    apsp isochrone city.npz --cost hour_8 --sources 17 --cutoffs 600

    Commands respect the turns with --turns, and take the travel times of an hour with --cost.
    """  # noqa: D301 - click reads the character
    if (size is None) == (shape is None):
        raise click.UsageError("give the number of vertices, -n (or --shape of a grid)")
    hours = None if periods is None else _numbers(periods, ",", "--periods 3,8,17")
    for needed in ("turns",) * turns + ("costs",) * (hours is not None):
        check_kept(output, needed)
    check_writable(output)
    options: dict[str, Any] = {"seed": seed, "m": arcs, "directed": directed, "turns": turns, "periods": hours}
    if size is not None:
        options["n"] = size
    if shape is not None:
        options["shape"] = _numbers(shape, "x", "--shape 100x200")
    if weights is not None:
        options["weights"] = None if weights == "none" else _numbers(weights, ",", "--weights 1,1000")
    made = make(kind, **options)  # type: ignore[call-overload]  # the error for an unknown kind lists the known ones
    graph, costs = _with_hours(made) if isinstance(made, Periods) else (made, [])
    write(graph, output)
    graph = graph._searched if isinstance(graph, TurnGraph) else graph
    lost = losses(graph, output)
    bytes_ = Path(output).stat().st_size
    show.say(f"{graph_words(graph)}; wrote {output} ({format_bytes(bytes_)})")
    if lost:
        show.warn(f"this format does not store {' or '.join(lost)}")
    if costs:
        show.say(
            f"the travel times of the hours are the costs {', '.join(costs)}: apsp solve {output} --cost {costs[0]}"
        )
    if show.json:
        facts = {"kind": kind, "seed": seed, "graph": graph_facts(graph), "output": output, "bytes": bytes_}
        print_json(facts | {"left_out": lost, "costs": costs})


def _with_hours(periods: Periods) -> tuple[Graph, list[str]]:
    """The graph with the weights of each hour as a cost, and the names of these."""
    weights = {f"hour_{hour}": graph.weights for hour, graph in periods.items()}
    found = periods.base.with_costs(**weights)  # type: ignore[arg-type]  # travel times are weights
    return found, list(weights)


def _numbers(text: str, separator: str, example: str) -> tuple[Any, ...]:
    """Return integers if all parts are integers, else floats."""
    parts = [part.strip() for part in text.split(separator)]
    if all(re.fullmatch(r"[+-]?\d{1,400}", part) for part in parts):
        return tuple(int(part) for part in parts)
    try:
        return tuple(float(part) for part in parts)
    except ValueError:
        raise RequestError(f"{text!r} cannot be read; write it as in {example}") from None
