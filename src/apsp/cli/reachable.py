"""apsp reachable: the transitive closure of a graph file."""

from __future__ import annotations

import time
from pathlib import Path

import click
import numpy as np

from apsp import api
from apsp.cli.inputs import graph_facts, graph_words, read_graph
from apsp.cli.options import Reading, Wanted, closure_options, reading_options, show_options
from apsp.cli.terminal import Show, print_json, print_text
from apsp.errors import RequestError
from apsp.facts.emulated import CHOSEN
from apsp.methods.closure.choice import is_emulated_by_itself
from apsp.planning.words import duration
from apsp.system.place import to_host
from apsp.system.replacing import check_room, check_writable, replacing

__all__ = ["command"]


@click.command("reachable", short_help="Transitive closure: which vertices reach which.")
@click.argument("source", metavar="IN")
@click.option(
    "-o",
    "--output",
    metavar="FILE.npy",
    help="Write (n, n / 64) uint64 words; v is bit v % 64 of word v // 64 in row u.",
)
@reading_options
@closure_options
@show_options
def command(source: str, output: str | None, reading: Reading, wanted: Wanted, show: Show) -> None:
    """Count the pairs of vertices of the graph IN that have a path of any length. Every vertex reaches itself."""
    out = None if output is None else Path(output)
    if out is not None:
        if out.suffix != ".npy":
            raise RequestError(f"the bits are written as .npy, not {out.suffix or 'a file without a suffix'}")
        check_writable(out)
    graph = read_graph(source, reading, show)
    if is_emulated_by_itself(wanted.method, wanted.device):
        show.warn(CHOSEN)
    if out is not None:
        check_room(out, graph.n * -(-graph.n // 64) * 8, ["leave out -o, to count only"])
    started = time.perf_counter()
    found = api.reachable(
        graph, method=wanted.method, device=wanted.device, gpu_memory=wanted.gpu_memory, threads=wanted.threads,
        progress=show.bar,
    )  # fmt: skip
    seconds, pairs = time.perf_counter() - started, found.count()
    if out is not None:
        with replacing(out) as file:
            np.lib.format.write_array(file, to_host(found.bits))
    if show.json:
        facts = {"pairs": pairs, "method": wanted.method, "seconds": seconds, "output": output}
        print_json({"graph": graph_facts(graph), **facts})
        return
    share = pairs / graph.n**2 if graph.n else 1.0
    print_text(f"{source}: {graph_words(graph)}\n{pairs:,} of {graph.n**2:,} pairs have a path ({share:.3g} of all)")
    show.say(f"found in {duration(seconds)}" + ("" if out is None else f", written to {out}"))
