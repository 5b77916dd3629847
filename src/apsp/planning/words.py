"""The sentences of a plan: the graph, the request, seconds and bytes."""

from __future__ import annotations

from apsp.errors import format_bytes
from apsp.facts.request import Request
from apsp.facts.result_bytes import Bytes
from apsp.facts.statistics import GraphStatistics
from apsp.system.durations import duration
from apsp.system.machine import Machine

__all__ = ["duration", "graph_words", "memory_words", "parts_words", "probe_words", "request_words"]


def graph_words(statistics: GraphStatistics) -> str:
    """Describe the graph in one sentence."""
    if statistics.m == 0:
        return f"The graph has {_count(statistics.n, 'vertex', 'vertices')} and no arcs."
    if statistics.is_weighted:
        kind = "integer" if statistics.has_integer_weights else statistics.weight_dtype
        weights = f"{kind} weights from {statistics.min_weight:,} to {statistics.max_weight:,}"
    else:
        weights = "no weights (every arc counts 1)"
    zones = "; some vertices may not be passed through" if statistics.has_zones else ""
    return (
        f"The graph has {_count(statistics.n, 'vertex', 'vertices')}, {_count(statistics.m, 'arc', 'arcs')} "
        f"({_percent(statistics.density)} of all pairs) and {weights}{zones}."
    )


def parts_words(statistics: GraphStatistics, components: int, largest: int) -> list[str]:
    """Describe in two sentences a graph whose rows are computed component by component."""
    return [
        graph_words(statistics),
        f"It has {components:,} components: rows have at most {largest:,} vertices, for which the method is chosen.",
    ]


def probe_words(statistics: GraphStatistics) -> list[str]:
    """Describe in one sentence the measurements of the graph on which the cost estimates are based."""
    if statistics.m == 0:
        return []
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
    return [f"Probe: {'; '.join(words)}."]


def request_words(statistics: GraphStatistics, request: Request, rows: int | None) -> list[str]:
    """Name the function that the plan is for, and describe the request if it is not for all distances."""
    words = [_purpose(request, rows)]
    if request.sources is not None or request.targets is not None:
        sources = "all" if request.sources is None else f"{request.sources:,}"
        targets = "all" if request.targets is None else f"{request.targets:,}"
        words.append(f"Requested: distances from {sources} to {targets} of {statistics.n:,} vertices.")
    if request.cutoff is not None:
        words.append(f"Distances above {request.cutoff:,} count as no path, which may shorten the run.")
    return words


def _purpose(request: Request, rows: int | None) -> str:
    """Name the function that the plan is for."""
    if rows is None:
        return "Planned for apsp.solve: all requested distances are stored."
    if request.mode == "summary":
        return (
            f"Planned for apsp.summary and other measures: rows are computed in blocks of {rows:,} and "
            "reduced; the whole matrix is never stored."
        )
    return (
        f"Planned for apsp.stream: rows are computed and returned in blocks of {rows:,}; the whole matrix is never "
        "stored."
    )


def memory_words(size: Bytes, machine: Machine | None = None) -> str:
    """Describe the bytes of result and work space; with a machine also the available memory, as a sentence."""
    words = f"{format_bytes(size.output)} for the result and {format_bytes(size.work)} during the run"
    if machine is None:
        return words
    return f"Memory: {words}; {format_bytes(machine.memory_available)} are available."


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def _percent(share: float) -> str:
    """Format a share: two digits of a small one, whole numbers of a large one."""
    percent = 100 * share
    return f"{percent:.2g}%" if percent < 10 else f"{percent:.0f}%"
