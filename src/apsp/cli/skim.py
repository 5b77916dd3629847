"""apsp skim: matrices of several costs along shortest paths between zones."""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np

from apsp._types import NumPyArray
from apsp.api.skims.skims import skim
from apsp.cli.files import INPUT, TABLE
from apsp.cli.inputs import arguments, graph_facts, graph_words, read_graph, with_own_cost
from apsp.cli.options import (
    Keywords,
    Reading,
    Sharing,
    pairs_options,
    reading_options,
    sharing_options,
    show_options,
    snapping_options,
)
from apsp.cli.points import Points, ends_at_points
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, facts_table, number, print_json, print_text
from apsp.errors import RequestError, shown
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.turns.entered import streets_of
from apsp.graph.turns.turn_graph import own_vertices
from apsp.planning.words import duration
from apsp.result.skims.files import check_skims, check_skims_path
from apsp.result.skims.matrices import Skims
from apsp.result.skims.scaled import checked_scales

__all__ = ["command"]

_WEIGHTS = "cost"

_AT_ONCE = 1 << 22
"""Entries of a matrix that are read at a time."""


@click.command("skim", cls=Sections, short_help="Costs along shortest paths between zones, as matrices.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option("--along", metavar="NAMES", help="Other columns to add up along the same paths: length,toll.")
@click.option(
    "--intrazonal",
    type=click.Choice(["zero", "half_nearest"]),
    default="zero",
    help="Costs within a zone: zero (default), or half of those to the nearest other zone.",
)
@click.option(
    "-o", "--output", metavar="FILE", type=TABLE,
    help="Write .omx (Open Matrix), .npz (a matrix per cost), or .parquet or .csv (a row per pair with a path).",
)  # fmt: skip
@click.option(
    "--scales", metavar="LIST",
    help="Keep matrices as integers, in the --store and in an .omx file: minutes=100,km=1000 keeps hundredths of "
    "minutes and thousandths of km.",
)  # fmt: skip
@reading_options
@pairs_options
@snapping_options("origins", "destinations")
@sharing_options
@show_options
def command(
    source: str,
    along: str | None,
    intrazonal: Any,
    output: str | None,
    scales: str | None,
    reading: Reading,
    keywords: Keywords,
    points: Points,
    sharing: Sharing,
    show: Show,
) -> None:
    """Add up costs along the shortest paths between the zones of the network IN.

    \b
    apsp skim city_net.tntp --cost free_flow_time --along length,toll -o skims.omx
    apsp skim roads.csv --cost minutes --along km --sources 1-30 -o skims.parquet
    apsp skim roads.csv --cost minutes --store skims.zarr --executor processes

    Paths are shortest by the column that --cost names (by default that of the format). Of equally short ones, that
    with the least sum of the first column of --along counts, then of the second, and so on. Rows are the --sources,
    columns the --targets; by default both are the zones of the network, or all vertices if it has none. If only
    --sources are given, they are the columns, too. With --store the matrices need not fit into memory.
    """  # noqa: D301 - click reads the character
    if output is not None:
        check_skims_path(output)
    in_omx = output is not None and output.lower().endswith(".omx")
    if scales is not None and not in_omx and sharing.store is None:
        raise click.UsageError("--scales is about a --store and .omx files: add --store FOLDER.zarr, or -o FILE.omx")
    names = _names(along)
    graph = read_graph(source, reading, show, costs=names, turns=True)
    name = reading.cost or _WEIGHTS
    if name in names:
        raise RequestError(f"--along names {shown(name)}, which the paths minimise: leave it out")
    if graph.costs and name != _WEIGHTS and name not in graph.costs:
        graph = with_own_cost(graph, name)
    ends = ends_at_points(graph, arguments(graph, keywords), points)
    packed = checked_scales(None if scales is None else _scales(scales), (name, *names)) or None
    if output is not None:
        check_skims(output, (name, *names), *_labels(graph, ends))
    started = time.perf_counter()
    found = skim(
        graph, names, cost=name, zones=ends["sources"], targets=ends["targets"], intrazonal=intrazonal,
        device=keywords["device"], threads=keywords["threads"], progress=show.bar,
        scales=None if sharing.store is None else packed, **vars(sharing),
    )  # fmt: skip
    seconds = time.perf_counter() - started
    if output is not None and in_omx:
        found.to_omx(output, scales=packed)
    elif output is not None:
        found.write(output)
    pairs, costs = _facts(found)
    if show.json:
        facts = {"zones": len(found.zones), "targets": len(found.targets), "pairs": pairs, "costs": costs}
        print_json({"graph": graph_facts(graph), **facts, "seconds": seconds, "output": output, "store": sharing.store})
        return
    words = f"{len(found.zones):,} x {len(found.targets):,} zones, {pairs:,} pairs with a path"
    print_text(f"{source}: {graph_words(graph)}\n{words}; mean and maximum of these")
    rows = [(each, f"{number(some['mean'])}, {number(some['largest'])}") for each, some in costs.items()]
    print_text(facts_table(rows))
    show.say(f"found in {duration(seconds)}{sharing.words}" + ("" if output is None else f", written to {output}"))


def _labels(graph: Graph, ends: dict[str, Any]) -> tuple[NumPyArray, NumPyArray]:
    """The labels of the rows and of the columns."""
    streets = streets_of(graph)
    every, of = own_vertices(graph), streets.zones
    zones = np.arange(every) if of is None or not streets.has_zones else np.flatnonzero(of)

    def labels(chosen: Any, usual: NumPyArray) -> NumPyArray:
        if isinstance(chosen, Places):
            return np.asarray(chosen.labels)
        return usual if chosen is None else graph.labels.take(graph.labels.positions(chosen))

    rows = labels(ends["sources"], graph.labels.take(zones.astype(np.int32)))
    return rows, labels(ends["targets"], rows)


def _scales(text: str) -> dict[str, int]:
    """The scales of minutes=100,km=1000."""
    pairs = [part.rpartition("=") for part in text.split(",")]
    if not all(name.strip() and scale.strip().isdecimal() for name, _, scale in pairs):
        raise RequestError(f"--scales {shown(text)}: give names and whole numbers, such as minutes=100,km=1000")
    return {name.strip(): int(scale) for name, _, scale in pairs}


def _names(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(part.strip() for part in text.split(",") if part.strip())


def _facts(found: Skims) -> tuple[int, dict[str, dict[str, float]]]:
    """The number of pairs of different zones that have a path, and per cost the mean and the maximum over these."""
    height, pairs = max(_AT_ONCE // max(len(found.targets), 1), 1), 0
    sums, largest = dict.fromkeys(found, 0.0), dict.fromkeys(found, -np.inf)
    for start in range(0, len(found.zones), height):
        rows = slice(start, start + height)
        kept = np.isfinite(found[found.names[0]][rows])
        kept &= found.zones[rows, None] != found.targets[None, :]
        pairs += int(kept.sum())
        for name, matrix in found.items():
            values = matrix[rows][kept]
            sums[name] += float(values.sum())
            largest[name] = max(largest[name], float(values.max(initial=-np.inf)))
    if pairs == 0:
        return 0, {name: {"mean": 0.0, "largest": 0.0} for name in found}
    return pairs, {name: {"mean": sums[name] / pairs, "largest": largest[name]} for name in found}
