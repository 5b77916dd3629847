"""What the workers receive once: the graph and the request; and what they make of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from apsp._types import DType
from apsp.api.planned_rows import RowOptions
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray

if TYPE_CHECKING:
    from apsp.api.spread.preparation import Preparation, Sharing

__all__ = ["Decided", "Fixed", "Job", "fixed_options"]


class Decided(Protocol):
    """What all plans have: of rows, of flows, of skims."""

    @property
    def method(self) -> str:
        """Its name."""
        ...

    @property
    def device(self) -> str:
        """'cpu', 'cuda' or 'emulated'."""
        ...

    @property
    def dtype(self) -> DType:
        """Of the result."""
        ...

    @property
    def threads(self) -> int:
        """Of the CPU."""
        ...

    @property
    def seconds(self) -> float:
        """Estimated time."""
        ...


PlanT = TypeVar("PlanT", bound=Decided, covariant=True)


@dataclass(frozen=True)
class Fixed:
    """What the plan has fixed, so that all workers compute in the same way.

    Attributes
    ----------
    options : RowOptions
        They replace those of the request.
    block : int or None
        Most rows that a worker holds at a time; None means that of the job.
    """

    options: RowOptions = field(default_factory=RowOptions)
    block: int | None = None


def fixed_options(decided: Decided, threads: int | None, options: RowOptions) -> RowOptions:
    """The options of a plan that all workers use, with this number of threads, beside those of the request."""
    fixed = RowOptions(method=decided.method, dtype=decided.dtype.name, threads=threads)
    if options.get("device", "auto") == "auto":
        fixed["device"] = decided.device
    return fixed


class Job(Protocol[PlanT]):
    """A request, with the graph."""

    @property
    def graph(self) -> Graph:
        """The graph."""
        ...

    @property
    def sources(self) -> IntArray | None:
        """Positions; None means all vertices."""
        ...

    @property
    def options(self) -> RowOptions:
        """Those of the request; in a worker with those of the plan."""
        ...

    def planned(self, threads: int, sharing: Sharing | None, *, checked: bool) -> tuple[PlanT, Preparation | None]:
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

    def made(self, fixed: Fixed) -> Any:
        """Prepare what the tasks work on."""
        ...
