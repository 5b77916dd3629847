"""Commands with --spmd, which a launcher starts in many processes: the first one prints; apsp solve IN --spmd."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from apsp.cli import exits, matrix_file, store_output
from apsp.cli.inputs import arguments, graph_facts, graph_words, read_graph
from apsp.cli.options import Keywords, Reading
from apsp.cli.store_names import names_a_store
from apsp.cli.streams import nowhere
from apsp.cli.terminal import Show, print_json
from apsp.errors import ApspError, format_bytes
from apsp.graph.model import Graph
from apsp.methods.communicator import Communicator
from apsp.result.result import Result
from apsp.system.replacing import check_writable

__all__ = ["CHECKPOINT", "FLAG", "check", "check_device", "device_of", "in_first", "solve", "working_together"]

FLAG, CHECKPOINT = "--spmd", "--checkpoint"


def check(keywords: Keywords, output: str | None, paths: bool | None, others: bool) -> None:
    """Raise an error for options that cannot be combined with --spmd."""
    partial = any(keywords[name] for name in ("sources", "targets", "pages_file", "gpu_memory"))
    if partial or keywords["cutoff"] is not None:
        raise click.UsageError(
            f"{FLAG} computes all distances: it cannot be combined with --sources, --targets, --cutoff, --gpu-memory "
            "or --pages-file"
        )
    if keywords["method"] not in ("auto", "floyd-warshall"):
        raise click.UsageError(f"{FLAG} runs floyd-warshall: it cannot be combined with --method")
    check_device(keywords)
    if others:
        raise click.UsageError(f"{FLAG} cannot be combined with --path-counts, --counts or --executor")
    if paths and not names_a_store(output):
        raise click.UsageError(f"with {FLAG}, paths need a store: -o OUT.zarr")


def check_device(keywords: Keywords) -> None:
    """Raise an error for devices that the processes cannot use."""
    if keywords["device"] not in ("auto", "cpu", "cuda"):
        raise click.UsageError(
            f"{FLAG} cannot be combined with --device {keywords['device']}: processes compute on the CPU, or with "
            "--device cuda on a GPU each"
        )


def device_of(keywords: Keywords) -> str:
    """Return the device of the processes."""
    return "cpu" if keywords["device"] == "auto" else keywords["device"]


def solve(
    source: str, out: str, paths: bool, checkpoint: str | None, verify: bool, reading: Reading, keywords: Keywords,
    show: Show,
) -> None:  # fmt: skip
    """Solve together with the other processes."""
    options = {"paths": paths, "checkpoint": checkpoint}
    with working_together() as comm:
        graph, result = _solved(comm, source, out, options, reading, keywords, show)
        if result is not None:
            _finish(graph, result, out, paths, verify, keywords, show)


@contextlib.contextmanager
def working_together() -> Iterator[Communicator]:
    """The processes. All end if one fails; the first one, or the one that fails, says why."""
    from apsp.spmd.starting import joined
    from apsp.spmd.together import say

    with joined() as comm, contextlib.nullcontext() if comm.rank == 0 else nowhere():
        try:
            yield comm
        except ApspError:
            raise  # in all processes, or in the first one when the others are done
        except Exception as error:  # a defect: the others may wait for this process forever
            say(f"apsp: error: process {comm.rank}: {exits.message(error)}\n")
            comm.abort(1)


def _solved(
    comm: Communicator,
    source: str,
    out: str,
    options: dict[str, Any],
    reading: Reading,
    keywords: Keywords,
    show: Show,
) -> tuple[Graph | None, Result | None]:
    from apsp import spmd

    def read() -> Graph:
        if not names_a_store(out):
            check_writable(out)
        started = time.perf_counter()
        graph = read_graph(source, reading, show)
        show.say(f"{source}: {graph_words(graph)}, read in {time.perf_counter() - started:.2f} s")
        return graph

    graph = in_first(comm, read)
    return graph, spmd.solve(
        graph, comm=comm, dtype=keywords["dtype"], semiring=keywords["semiring"], threads=keywords["threads"],
        device=device_of(keywords), store=out if names_a_store(out) else None, progress=show.bar, **options,
    )  # fmt: skip


def in_first(comm: Communicator, read: Callable[[], Graph]) -> Graph | None:
    """Read the graph in the first process; None in the others, which raise its error too."""
    from apsp.spmd.together import together

    return together(comm, lambda: read() if comm.rank == 0 else None)


def _finish(
    graph: Graph | None, result: Result, out: str, paths: bool, verify: bool, keywords: Keywords, show: Show
) -> None:
    """Write the result, unless it is in a store, and say what was done."""
    assert graph is not None
    processes = f"{result.info['processes']} processes"
    facts: dict[str, Any]
    if names_a_store(out):
        facts = store_output.facts_of(result, out, paths, verify, show)
        words = store_output.summary(facts)
    else:
        if Path(out).suffix == ".npz":
            if verify:
                result.verify(threads=result.info["threads"], progress=show.bar)
            result.save(out, progress=show.bar)
            facts = {**result.info, "rows": graph.n, "columns": graph.n, "paths": False, "verified": verify}
        else:
            facts = matrix_file.solve_into(graph, arguments(graph, keywords), Path(out), verify, show, result)
        facts |= {"output": out, "bytes": Path(out).stat().st_size}
        words = (
            f"{graph.n:,} x {graph.n:,} {facts['dtype']} distances by {facts['method']} in {facts['seconds']:.2f} s"
            f"{', verified' if verify else ''}; wrote {out} ({format_bytes(facts['bytes'])})"
        )
    show.say(f"{processes}: {words}")
    if show.json:
        print_json(facts | {"graph": graph_facts(graph)})
