"""apsp reachable: the transitive closure of a graph file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import click
import numpy as np

from apsp import api
from apsp.cli import spmd
from apsp.cli.files import INPUT, OUTPUT, OutputFile
from apsp.cli.inputs import graph_facts, graph_words, read_graph
from apsp.cli.options import Keywords, Reading, closure_options, reading_options, show_options
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show, print_json, print_text
from apsp.errors import RequestError
from apsp.facts.emulated import CHOSEN
from apsp.graph.model import Graph
from apsp.methods.closure.closure import Reachability
from apsp.planning.words import duration
from apsp.system.array_device import to_host
from apsp.system.replacing import check_free, check_writable, replacing

__all__ = ["command"]

BITS = OutputFile(".npy")


@click.command("reachable", cls=Sections, short_help="Transitive closure: which vertices reach which.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option(
    "-o",
    "--output",
    metavar="FILE.npy",
    type=BITS,
    help="Write (n, n / 64) uint64 words; v is bit v % 64 of word v // 64 in row u.",
)
@click.option(
    spmd.FLAG, "together", is_flag=True, help="Work with all processes that mpirun, srun or torchrun has started."
)
@click.option(
    spmd.CHECKPOINT,
    metavar="FOLDER",
    type=OUTPUT,
    help="With --spmd: where every process saves its part from time to time. Default: FILE.npy.checkpoint.",
)
@reading_options
@closure_options
@show_options
def command(
    source: str,
    output: str | None,
    together: bool,
    checkpoint: str | None,
    reading: Reading,
    keywords: Keywords,
    show: Show,
) -> None:
    """Count the pairs of vertices of the graph IN that have a path of any length. Every vertex reaches itself.

    mpirun -n 16 apsp reachable IN --spmd -o FILE.npy, or torchrun --nproc-per-node 16 -m apsp reachable ...,
    distributes the bits over 16 processes, if one machine cannot hold them. The first one prints; if one fails, all
    end. After an interruption the same command continues.
    """
    if checkpoint is not None and not together:
        raise click.UsageError(f"{spmd.CHECKPOINT} needs {spmd.FLAG}")
    out = None if output is None else Path(output)
    if out is not None and out.suffix != ".npy":
        raise RequestError(f"the bits are written as .npy, not {out.suffix or 'a file without a suffix'}")
    if together:
        _by_all(source, out, checkpoint, reading, keywords, show)
        return
    if out is not None:
        check_writable(out)
    graph = read_graph(source, reading, show)
    if keywords["method"] != "auto":
        plan = api.plan(graph, for_="reachable", **keywords)
        if plan.device == "emulated" and keywords["device"] == "auto":
            show.warn(CHOSEN)
    if out is not None:
        check_free(out, graph.n * -(-graph.n // 64) * 8, ["leave out -o, to count only"])
    started = time.perf_counter()
    found = api.reachable(graph, **keywords, progress=show.bar)
    seconds = time.perf_counter() - started
    if out is not None:
        with replacing(out) as file:
            np.lib.format.write_array(file, to_host(found.bits))
    _print(source, graph, found, {"method": keywords["method"], "seconds": seconds, "output": output}, show)


def _by_all(
    source: str, out: Path | None, checkpoint: str | None, reading: Reading, keywords: Keywords, show: Show
) -> None:
    """Compute the bits together with the other processes; the first one prints."""
    from apsp.spmd import reachable

    if keywords["method"] != "auto" or keywords["gpu_memory"]:
        raise click.UsageError(f"{spmd.FLAG} cannot be combined with --method or --gpu-memory")
    spmd.check_device(keywords)
    with spmd.working_together() as comm:
        graph = spmd.in_first(comm, lambda: read_graph(source, reading, show))
        started = time.perf_counter()
        found = reachable(
            graph, comm=comm, threads=keywords["threads"], device=spmd.device_of(keywords), file=out,
            checkpoint=checkpoint, progress=show.bar,
        )  # fmt: skip
        if found is None or graph is None:
            return
        facts = {"processes": comm.size, "seconds": time.perf_counter() - started}
        _print(source, graph, found, facts | {"output": None if out is None else str(out)}, show)


def _print(source: str, graph: Graph, found: Reachability, facts: dict[str, Any], show: Show) -> None:
    pairs = found.count()
    if show.json:
        print_json({"graph": graph_facts(graph), "pairs": pairs, **facts})
        return
    share = pairs / graph.n**2 if graph.n else 1.0
    print_text(f"{source}: {graph_words(graph)}\n{pairs:,} of {graph.n**2:,} pairs have a path ({share:.3g} of all)")
    output, processes = facts["output"], f"{facts['processes']} processes: " if "processes" in facts else ""
    show.say(f"{processes}found in {duration(facts['seconds'])}" + ("" if output is None else f", written to {output}"))
