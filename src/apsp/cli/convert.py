"""apsp convert: convert a graph to another format."""

from __future__ import annotations

from pathlib import Path

import click

from apsp.cli.files import INPUT, OutputFile, goes_to_stdout
from apsp.cli.inputs import graph_facts, graph_words, read_graph
from apsp.cli.options import Reading, reading_options, show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json
from apsp.errors import format_bytes
from apsp.graph.files import first_number, losses, write
from apsp.system.replacing import check_writable

__all__ = ["command"]

_OUT = OutputFile("")


@click.command("convert", cls=Sections, short_help="Convert a graph to another format.")
@click.argument("source", metavar="IN", type=INPUT)
@click.argument("output", metavar="OUT", type=_OUT)
@click.option("--to", metavar="NAME", help="Format of OUT. Default: by its ending.")
@reading_options
@show_options
def command(source: str, output: str, to: str | None, reading: Reading, show: Show) -> None:
    """Read the graph IN (- for standard input) and write it to OUT, in the format given by the ending of OUT.

    OUT may be - for standard output, with --to.
    """
    if goes_to_stdout() and to is None:
        raise click.UsageError("standard output has no ending: --to NAME selects the format")
    check_writable(output)
    graph = read_graph(source, reading, show, costs=True, turns=True)
    write(graph, output, format=to)
    lost = losses(graph, output, format=to, beside=not goes_to_stdout())
    if lost:
        show.warn(f"this format does not store {' or '.join(lost)}")
    first = first_number(graph, output, format=to)
    if first and graph.n:
        show.warn(f"this format counts vertices from {first}: vertex 0 is {first} there")
    size = Path(output).stat().st_size
    show.say(f"{graph_words(graph)}; wrote {output} ({format_bytes(size)})")
    if show.json:
        print_json({"graph": graph_facts(graph), "output": output, "bytes": size, "left_out": lost})
