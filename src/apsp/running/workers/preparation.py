"""What the worker that plans has computed of the graph, so that the others need not compute it again.

It travels in a file beside that of the job, which workers of the same machine map into memory; or through the caller.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy.typing as npt

from apsp.facts.statistics import GraphStatistics, keep_statistics, kept_statistics
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.running.workers.job_file import JobReference
from apsp.system.mapped import mapped, write_mapped

__all__ = ["Preparation", "Sharing", "preparation_of", "read_preparation", "written"]


@dataclass(frozen=True)
class Sharing:
    """How things reach the other workers.

    Attributes
    ----------
    rate : float
        Bytes per second.
    threads : int
        That prepare, while the other workers wait.
    """

    rate: float
    threads: int


@dataclass(frozen=True)
class Preparation:
    """What is known of a graph.

    Attributes
    ----------
    arrays : mapping
        `Solver.preparation`; empty for methods that share none.
    """

    statistics: GraphStatistics | None
    method: str
    arrays: Mapping[str, npt.NDArray[Any]]

    def keep_with(self, graph: Graph) -> None:
        """Store it with the same graph in another process."""
        if self.statistics is not None:
            keep_statistics(graph, self.statistics)
        if self.arrays:
            registry.load(registry.get(self.method)).keep(graph, self.arrays)


def preparation_of(graph: Graph, method: str, arrays: Mapping[str, npt.NDArray[Any]]) -> Preparation | None:
    """What is known of a graph, stored with it as in the other workers; None if nothing is."""
    statistics = kept_statistics(graph)
    if not arrays and statistics is None:
        return None
    found = Preparation(statistics, method, arrays)
    found.keep_with(graph)
    return found


def written(preparation: Preparation, reference: JobReference) -> bool:
    """Whether it could be written beside the file of the job."""
    try:
        write_mapped(reference.preparation, preparation)
    except OSError:
        return False
    if not reference.has_file:  # the caller has removed its files meanwhile
        with contextlib.suppress(OSError):
            reference.preparation.unlink()
            reference.preparation.parent.rmdir()
    return True


def read_preparation(path: Path) -> Preparation | None:
    """Map the file, if there is one."""
    try:
        found: Preparation = mapped(path)
    except OSError:
        return None
    return found
