"""Numbers of shortest paths for `solve(counts=True)`, besides distances that any method computes on any device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.facts.ties import check_comparable, comparable_cutoff
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.semiring import MIN_PLUS, is_unreachable
from apsp.system.array_device import to_host
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["Counting"]


@dataclass(frozen=True)
class Counting:
    """A request for numbers of paths, which is checked when it is made: before the distances are computed.

    Parameters
    ----------
    graph : Graph
    rows, columns : int32 arrays or None
        Positions of the sources and targets; None means all n.
    request : Request

    Raises
    ------
    RequestError
        If the request is not of shortest paths, or it is not known which paths of the graph are equally short.
    MemoryLimitError
        If the numbers do not fit.
    """

    graph: Graph
    rows: IntArray | None
    columns: IntArray | None
    request: Request

    def __post_init__(self) -> None:
        from apsp.methods.flows.counts import check_memory  # `import apsp` loads no solver

        if self.request.semiring is not MIN_PLUS:
            raise RequestError(f"counts=True counts shortest paths, not those of {self.request.semiring.name}")
        check_comparable(self.graph)
        n = self.graph.n
        shape = (n if chosen is None else len(chosen) for chosen in (self.rows, self.columns))
        check_memory(self.graph, *shape, threads=threads_from(self.request.threads), besides=2)

    def count(self, dist: Any, progress: Progress) -> Any:
        """Count the paths of the pairs whose distances these are, (S, T); 0 where there is no path."""
        from apsp.methods.flows.counts import count_paths

        sources = np.arange(self.graph.n, dtype=np.int32) if self.rows is None else self.rows
        cutoff = self.request.cutoff
        if cutoff is not None:
            cutoff = comparable_cutoff(self.graph, cutoff, dist.dtype)
        with reporting(progress) as report:
            kernel_progress = offset(report, "sources counted", 0, len(sources))
            found = count_paths(
                self.graph, sources, self.columns, cutoff=cutoff, threads=threads_from(self.request.threads),
                progress=kernel_progress,
            )  # fmt: skip
        if cutoff is not None and not self.graph.has_integer_weights:  # distances decide what is within it
            found[is_unreachable(to_host(dist))] = 0
        return found
