"""apsp convert: convert a graph to another format."""

from __future__ import annotations

from pathlib import Path

import click

from apsp.cli.inputs import graph_facts, graph_words, read_graph
from apsp.cli.options import Reading, reading_options, show_options
from apsp.cli.terminal import Show, print_json
from apsp.errors import format_bytes
from apsp.graph.files import losses, write
from apsp.system.replacing import check_writable

__all__ = ["command"]


@click.command("convert", short_help="Convert a graph to another format.")
@click.argument("source", metavar="IN")
@click.argument("output", metavar="OUT")
@click.option("--to", metavar="NAME", help="Format of OUT. Default: by its ending.")
@reading_options
@show_options
def command(source: str, output: str, to: str | None, reading: Reading, show: Show) -> None:
    """Read the graph IN (- for standard input) and write it to OUT, in the format given by the ending of OUT."""
    check_writable(output)
    graph = read_graph(source, reading, show, costs=True)
    write(graph, output, format=to)
    lost = losses(graph, output, format=to)
    if lost:
        show.warn(f"this format does not store {' or '.join(lost)}")
    size = Path(output).stat().st_size
    show.say(f"{graph_words(graph)}; wrote {output} ({format_bytes(size)})")
    if show.json:
        print_json({"graph": graph_facts(graph), "output": output, "bytes": size, "left_out": lost})
