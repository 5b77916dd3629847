"""apsp generate: make a graph."""

from __future__ import annotations

from pathlib import Path

import click

from apsp.cli.inputs import graph_facts, graph_words
from apsp.cli.options import show_options
from apsp.cli.terminal import Show, print_json
from apsp.errors import format_bytes
from apsp.graph.files import write
from apsp.graph.generate import generate as make
from apsp.store import check_writable

__all__ = ["command"]


@click.command("generate", short_help="Make a graph: city, grid, random, ...")
@click.argument("kind", metavar="KIND")
@click.option("-n", "size", type=click.IntRange(min=0), required=True, help="Number of vertices.")
@click.option("-o", "--output", metavar="OUT", required=True, help="The ending says the format.")
@click.option("--seed", type=int, default=0, help="Another seed, another graph. Default 0.")
@show_options
def command(kind: str, size: int, output: str, seed: int, show: Show) -> None:
    """Make a graph of KIND with N vertices, the same one for the same seed."""
    check_writable(output)
    graph = make(kind, size, seed=seed)
    write(graph, output)
    size_on_disk = Path(output).stat().st_size
    show.say(f"{graph_words(graph)}; wrote {output} ({format_bytes(size_on_disk)})")
    if show.json:
        print_json({"kind": kind, "seed": seed, "graph": graph_facts(graph), "output": output, "bytes": size_on_disk})
