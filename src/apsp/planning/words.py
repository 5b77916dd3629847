"""The sentences of a plan: a function per kind of `Reason`, whose parameters are the values of the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from apsp.errors import format_bytes
from apsp.facts.dtypes import DtypeReason, bound_words
from apsp.facts.emulated import CHOSEN
from apsp.facts.placement import on_each
from apsp.facts.statistics import GraphStatistics
from apsp.planning.reason import Kind, Reason
from apsp.planning.shared import SharedWork
from apsp.system.durations import duration

__all__ = ["duration", "shared_words", "words_of"]


def words_of(reason: Reason) -> str:
    """Return the sentence of a reason."""
    return _WORDS[reason.kind](**reason.values)


# -- the graph and the request ----------------------------------------------------------------------------------------


def _graph(statistics: GraphStatistics) -> str:
    if statistics.m == 0:
        return f"The graph has {_count(statistics.n, 'vertex', 'vertices')} and no arcs."
    if statistics.is_weighted:
        kind = "integer" if statistics.has_integer_weights else statistics.weight_dtype
        weights = f"{kind} weights from {statistics.min_weight:,} to {statistics.max_weight:,}"
    else:
        weights = "no weights (every arc counts 1)"
    zones = "; some vertices may not be passed through" if statistics.has_zones else ""
    return (
        f"The graph has {_count(statistics.n, 'vertex', 'vertices')}, {_count(statistics.m, 'arc')} "
        f"({_percent(statistics.density)} of all pairs) and {weights}{zones}."
    )


def _components(components: int, largest: int) -> str:
    return f"It has {components:,} components: rows have at most {largest:,} vertices, for which the method is chosen."


def _probe(statistics: GraphStatistics) -> str:
    words = [f"the largest out-degree is {statistics.out_degree_skew:.3g} times the mean"]
    if statistics.is_weighted:
        words.append(f"arcs are {statistics.mean_weight:.3g} long on average")
    depth = f"{statistics.likely_depth:,.0f} arcs"
    found = "measured by two searches" if statistics.depth is not None else "estimated from the degrees"
    words.append(f"the longest path with fewest arcs has about {depth} ({found})")
    if statistics.reached < 1:
        words.append(f"a search reaches about {_percent(statistics.reached)} of the arcs")
    fill = statistics.fill
    if fill is not None:
        words.append(
            f"separators are small: a factor would have {fill.entries / max(statistics.n, 1):.3g} values per vertex"
        )
    else:
        words.append("no small separators" if statistics.separators_sought else "separators were not looked for")
    return f"Probe: {'; '.join(words)}."


def _purpose(purpose: str, rows: int = 0, by_workers: bool = False, sources: int = 0) -> str:
    """Name the function that the plan is for.

    Parameters
    ----------
    rows : int
        Of a block, in this process.
    sources : int
        Of flows.
    """
    if purpose == "flows":
        return f"Planned for betweenness and apsp.arc_flows: sums over {sources:,} sources."
    if purpose == "reachable":
        return "Planned for the bits of apsp.reachable: one per pair of vertices; weights are ignored."
    unstored = "the whole matrix is never stored"
    here, there = {
        "solve": (
            "apsp.solve: all requested distances are stored",
            "apsp.solve with a store: the workers write bands of rows into it",
        ),
        "stream": (
            f"apsp.stream: rows are computed and returned in blocks of {rows:,}; {unstored}",
            "apsp.stream: the workers return blocks of rows",
        ),
        "summary": (
            f"apsp.summary and other measures: rows are computed in blocks of {rows:,} and reduced; {unstored}",
            "apsp.summary and other measures: the workers reduce their rows",
        ),
    }[purpose]
    return f"Planned for {there if by_workers else here}."


def _requested(sources: int | None, targets: int | None, n: int) -> str:
    first, last = ("all" if each is None else f"{each:,}" for each in (sources, targets))
    return f"Requested: distances from {first} to {last} of {n:,} vertices."


def _cutoff(cutoff: float) -> str:
    return f"Distances above {cutoff:,} count as no path, which may shorten the run."


# -- the method and its place -----------------------------------------------------------------------------------------


def _method(name: str, summary: str, compared: int | None, is_named: bool) -> str:
    """Name the method.

    Parameters
    ----------
    compared : int or None
        Number of methods that fit into memory; None if the work is too small for a comparison.
    """
    if is_named:
        return f"Method: {name}, as requested ({summary})."
    if compared is None:
        return f"Method: {name} ({summary}); the work is so small that comparing methods would take longer."
    if compared == 1:
        return f"Method: {name} ({summary}), the only one that accepts this request and fits into memory."
    return f"Method: {name} ({summary}), the fastest of the {compared} that accept this request and fit into memory."


def _cpu(threads: int, most: int, isa: str | None) -> str:
    kernels = "" if isa is None else f" with {isa} kernels"
    why = f" (of {most}: more would not be faster)" if threads < most else ""
    return f"It runs on {_count(threads, 'thread')} of the CPU{kernels}{why}."


def _thread_limit(name: str, threads: int, cores: int) -> str:
    return f"{name} allows {threads} of {cores} threads; threads= sets another number."


def _pages_file(path: Path) -> str:
    return f"The matrix lies in the file {path}: the same call resumes a run that was stopped."


def _gpus(
    gpus: Sequence[int], names: Sequence[str] | None, where: str, words: str | None, pages_file: Path | None,
    stays: bool,
) -> str:  # fmt: skip
    """Describe the GPUs, and where the matrix is stored.

    Parameters
    ----------
    names : sequence of str or None
        None of emulated GPUs.
    words : str or None
        Of the method, on where it is stored.
    stays : bool
        The result stays on the GPU.
    """
    one = len(gpus) == 1
    if names is None:
        numbers = " and ".join(map(str, gpus))
        named = "an emulated GPU" if tuple(gpus) == (0,) else f"emulated GPU{'' if one else 's'} {numbers}"
    else:
        named = " and ".join(f"GPU {number}, {name}" for number, name in zip(gpus, names, strict=True))
    lies = (
        words
        or {
            "device": "the matrix lies in its memory",
            "devices": "the matrix lies in its memory" if one else "the matrix lies in their memories, a part in each",
            "host": f"the matrix lies in host memory and passes through {'it' if one else 'them'} in pages",
            "rows": "rows are computed in its memory and leave it block by block" if one else on_each("the graph"),
            "file": f"the matrix lies in the file {pages_file} and passes through {'it' if one else 'them'} in pages",
        }[where]
    )
    return f"It runs on {named}: {lies}; the result {'stays on the GPU' if stays else 'comes to host memory'}."


def _device_memory(size: int, free: int, gpus: int) -> str:
    each = "" if gpus == 1 else " on each GPU"
    return f"Device memory: {format_bytes(size)}{each}; {format_bytes(free)} are free."


# -- what it needs ----------------------------------------------------------------------------------------------------


def _dtype(dtype: str, why: DtypeReason, needed_by: str | None) -> str:
    name = dtype if needed_by is None else f"{dtype} (as {needed_by} needs)"
    if why.kind == "weights":
        return f"Distances are {name} because the weights are."
    bound = bound_words(why.bound, why.largest_weight)
    return f"Distances are {name}, {'as requested; ' if why.kind == 'request' else 'exactly: '}{bound}."


def _memory(
    output: int, work: int, available: int, by_rows: bool = False, on_gpus: bool = False, emulated: bool = False
) -> str:
    """Describe the host memory; emulated GPUs use it, too."""
    result = "two blocks of rows" if by_rows else "the result"
    return (
        f"{'Host memory' if on_gpus else 'Memory'}: {_bytes(output, work, result)}; "
        f"{format_bytes(available)} are available.{' The memory of emulated GPUs is a part of it.' if emulated else ''}"
    )


def _bytes(output: int, work: int, result: str = "the result") -> str:
    return f"{format_bytes(output)} for {result} and {format_bytes(work)} during the run"


def _group_memory(groups: int, size: int) -> str:
    return f"Statistics within and between {groups:,} groups: {format_bytes(size)} more for the result."


def _expected(seconds: float, origin: str | None, at_most: bool = False) -> str:
    """State the time.

    Parameters
    ----------
    origin : str or None
        Of the rates; None for those of the CPU.
    """
    end = " on the CPU" if origin is None else f" ({origin})"
    return f"Expected time: {'at most' if at_most else 'about'} {duration(seconds)}{end}."


# -- tasks of workers -------------------------------------------------------------------------------------------------


def shared_words(shared: SharedWork, device: str) -> tuple[str, ...]:
    """Return sentences about the workers of an engine and their tasks."""
    each = f", {_count(shared.threads, 'thread')} each" if device == "cpu" else ""
    who = "the first worker, for all" if shared.prepared_once else "each worker"
    once = f", after {duration(shared.seconds_once)} to prepare in {who}" if shared.seconds_once else ""
    all_graphs = format_bytes(shared.bytes_graph * shared.workers)
    how = f"up to {all_graphs} over the network" if shared.over_network else "from a file"
    stored = (
        f"The workers write {format_bytes(shared.bytes_stored)} into the store, less what compression saves: at 1 GB "
        f"per second {duration(shared.bytes_stored / 1e9)}, while they compute."
    )
    return (
        f"Executor: {shared.engine}, {_count(shared.workers, 'worker')}{each}.",
        *([_workers_on_gpus(shared)] if shared.gpus else []),
        f"Tasks: {shared.tasks:,} of at most {shared.rows:,} rows, about {duration(shared.seconds)} each{once}.",
        f"Each worker receives the graph once: {format_bytes(shared.bytes_graph)} ({how}).",
        f"The tasks return about {format_bytes(shared.bytes_back)} to this process.",
        *([stored] if shared.bytes_stored else []),
        f"Expected time: about {duration(shared.seconds_in_all)} of computation with all workers.",
    )  # fmt: skip


def _workers_on_gpus(shared: SharedWork) -> str:
    on, workers = _count(shared.gpus, "GPU"), _count(shared.workers, "worker")
    if shared.over_network:
        return f"Each worker claims a GPU of its host; this machine has {on}."
    if shared.workers > shared.gpus:
        return f"The workers share the GPUs: {workers} on {on}."
    return f"Each worker claims a GPU: {workers} on {on}."


# -- a matrix that is distributed over processes ----------------------------------------------------------------------


def _grid(processes: int, grid: tuple[int, int], dtype: str, block: int) -> str:
    rows, columns = grid
    return (
        f"{_count(processes, 'process', 'processes')} form a grid of {rows} x {columns} and share the matrix ({dtype}) "
        f"in blocks of {block} x {block}."
    )


def _strong_components(vertices: int, components: int, arcs: int) -> str:
    return (
        f"{_count(vertices, 'vertex', 'vertices')} form {_count(components, 'strongly connected component')}, with "
        f"{_count(arcs, 'arc')} between them."
    )


def _columns(processes: int, vertices: int, components: int, arcs: int, products: bool, block: int) -> str:
    how = f"products of {block:,} rows at a time" if products else "joining rows along these arcs"
    return (
        f"{_count(processes, 'process', 'processes')} close {components:,} x {vertices:,} bits by "
        f"{how if arcs else 'writing the members of each component'}: each its own columns, without messages."
    )


def _process_memory(
    closure: bool, matrix: int, panels: int, on_gpu: bool, output: int, output_to: str, graph: int, available: int
) -> str:
    parts, others, whole = (
        ("its columns", "arcs of a step", "the graph and its components") if closure
        else ("its blocks", "panels", "the graph")
    )  # fmt: skip
    result = {
        "store": f"{format_bytes(output)} for the bands that it writes into the store",
        "file": f"in process 0 {format_bytes(output)} for the rows that it writes into the file",
        "memory": f"in process 0 {format_bytes(output)} for the result",
    }[output_to]
    return (
        f"Memory of a process: {format_bytes(matrix)} for {parts}, {format_bytes(panels)} for {others}"
        f"{' on its GPU' if on_gpu else ''}, {result}, and {format_bytes(graph)} for {whole}; this machine has "
        f"{format_bytes(available)} available for all of its processes."
    )


def _panels_sent(size: int, steps: int) -> str:
    return f"Messages: a process receives or sends {format_bytes(size)} in {steps:,} steps."


def _rows_sent(size: int) -> str:
    return f"Messages: process 0 receives {format_bytes(size)} from the others."


def _kernels(seconds: float, steps: int | None, threads: int, origin: str | None) -> str:
    """State the time of the kernels.

    Parameters
    ----------
    steps : int or None
        None if no messages are sent between them.
    origin : str or None
        Of the rates of GPUs; None on the CPU.
    """
    each, end = "", ""
    if steps is not None:
        each, end = f", {duration(seconds / max(steps, 1))} per step", ", without waiting for messages"
    where = f"{_count(threads, 'thread')} per process at the rate of this machine"
    where = where if origin is None else f"one GPU per process ({origin})"
    return f"Expected time of the kernels: about {duration(seconds)}{each}, on {where}{end}."


def _connecting(gpus: int, by_peers: float, by_nccl: float) -> str:
    return (
        f"The {gpus:,} GPUs are connected by peer copies on one host, in about {duration(by_peers)}; by NCCL on "
        f"several hosts, in about {duration(by_nccl)} once per process, while the matrix is made."
    )


def _one_process(seconds: float | None) -> str:
    time = "is as fast" if seconds is None else f"would close them in about {duration(seconds)}"
    return f"One process alone {time}: several only divide the memory."


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def _percent(share: float) -> str:
    """Format a share: two digits of a small one, whole numbers of a large one."""
    percent = 100 * share
    return f"{percent:.2g}%" if percent < 10 else f"{percent:.0f}%"


_WORDS: dict[Kind, Callable[..., str]] = {
    "graph": _graph, "components": _components, "probe": _probe, "purpose": _purpose, "requested": _requested,
    "cutoff": _cutoff, "method": _method, "about_method": lambda words: words, "cpu": _cpu,
    "thread_limit": _thread_limit, "pages_file": _pages_file, "no_gpu": lambda why: f"No GPU: {why}.",
    "gpus_not_sought": lambda: "GPU detection skipped: the CPU run is short.", "emulated_instead": lambda: CHOSEN,
    "a_gpu": lambda device: f"It runs on a GPU ({device}).", "gpus": _gpus, "device_memory": _device_memory,
    "dtype": _dtype, "memory": _memory, "group_memory": _group_memory, "expected": _expected,
    "note": lambda words: f"Note: {words}.", "grid": _grid, "strong_components": _strong_components,
    "columns": _columns, "process_memory": _process_memory, "panels_sent": _panels_sent, "rows_sent": _rows_sent,
    "kernels": _kernels, "nothing_to_close": lambda: "No component reaches another: there is nothing to close.",
    "connecting": _connecting, "one_process": _one_process,
    "refused": lambda why: f"cannot be used: {why}", "unneeded": lambda why: f"not needed: {why}",
    "beyond_gpu_memory": lambda: "too large for the memory of the GPU",
    "too_large": lambda output, work: f"too large: it needs {_bytes(output, work)}",
    "slower": lambda seconds, times: f"slower: about {duration(seconds)}, {times:.1f} times as long",
}  # fmt: skip
