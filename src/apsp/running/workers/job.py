"""What the workers receive once: the graph and the request; and what they make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.planning.plan import Plan

if TYPE_CHECKING:
    from apsp.running.workers.preparation import Preparation, Sharing

__all__ = ["Job", "LocalJob", "planned_options"]


def planned_options(plan: Plan, threads: int | None, options: Request) -> Request:
    """The options of a request with those of its plan, so that all workers compute in the same way."""
    device = plan.device if options.device == "auto" else options.device
    return replace(options, method=plan.method, dtype=plan.dtype.name, device=device, threads=threads)


class LocalJob(Protocol):
    """A request that this process can plan and prepare."""

    @property
    def options(self) -> Request:
        """Those of the request; in a worker with those of the plan."""
        ...

    @property
    def any_threads(self) -> bool:
        """Whether bits depend on the plan, but not on its number of threads."""
        ...

    def begin(self) -> tuple[Plan, Any]:
        """Plan in this process; and what was prepared for that, if anything was."""
        ...

    def prepare(self, options: Request, prepared: Any = None) -> Any:
        """Prepare what the tasks work on, with the options of the plan; `prepared` is what `begin` has returned."""
        ...


class Job(LocalJob, Protocol):
    """A request, with the graph, that workers can plan and prepare, too."""

    @property
    def graph(self) -> Graph:
        """The graph."""
        ...

    @property
    def sources(self) -> IntArray | None:
        """Positions; None means all vertices."""
        ...

    @property
    def stage(self) -> str | None:
        """As progress shows it; None means the method."""
        ...

    def parts(self, plan: Any, workers: int) -> list[tuple[int, int]]:
        """Return the sources of each task (start, stop), in their order, for so many tasks at a time."""
        ...

    def planned(self, threads: int, sharing: Sharing | None, *, checked: bool) -> tuple[Plan, Preparation | None]:
        """Plan, and prepare what other workers can use.

        Parameters
        ----------
        threads : int
            Of each worker, on the CPU.
        sharing : Sharing or None
            None if there are no other workers.
        checked : bool
            Look for negative cycles.
        """
        ...
