"""What is kept of rows of distances. A reduction does not know where the rows are computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from apsp._types import JsonObject
from apsp.facts.request import Request
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.planning.plan import Plan
from apsp.running.component_rows import RowsToReduce, reduced_by
from apsp.store.header import Arrays, StoreHeader
from apsp.system.progress import Progress, ProgressReport

if TYPE_CHECKING:
    from apsp.store.reading import StoredArrays

__all__ = ["Fold", "PlannedReduction", "Reduction", "reduce_part"]

Found = TypeVar("Found")
Part = TypeVar("Part")

Fold = Callable[["PlannedReduction[Any, Any]", int, int, ProgressReport], Any]
"""Computes the part of a task from its first source and the one after its last; it travels with the task."""


class Reduction(Generic[Found, Part]):
    """What is kept of rows of distances.

    It travels to workers once, with the graph, and contains neither the graph nor its labels. The result to which parts
    are added stays with the caller.

    Attributes
    ----------
    kind : 'measure' or 'sums'
        Of its stores, as of `StoreHeader`.
    """

    kind: ClassVar[str] = "measure"
    copies: ClassVar[bool] = False
    """Whether rows of an expanded graph (`apsp.with_turns`) have columns for copies of vertices, too."""

    @property
    def reciprocals(self) -> bool:
        """Whether a store of sums has those of 1 / distance."""
        return False

    def part(self, rows: RowsToReduce, progress: Progress) -> Part:
        """Compute some rows, and reduce them."""
        raise NotImplementedError

    def merge(self, found: Found, start: int, part: Part) -> None:
        """Add a part whose first source is number `start` of all; parts come in any order."""
        raise NotImplementedError

    def fill(self, found: Found, graph: Graph, sources: IntArray | None, options: Request) -> None:
        """Compute all rows in this process, and add them."""
        rows = reduced_by(graph, sources, options.of_rows(sources), copies=self.copies)
        self.merge(found, 0, self.part(rows, options.progress))

    # -- in a store --------------------------------------------------------------------------------------------------

    def check_storable(self) -> None:
        """Raise RequestError if a store cannot keep what is requested."""

    def identity(self) -> JsonObject:
        """Return what distinguishes two requests, beside the graph, the sources and the options of rows."""
        raise NotImplementedError

    def layout(self, graph: Graph, plan: Plan) -> Arrays:
        """Return the arrays of a store, as `StoreHeader.extra`."""
        raise NotImplementedError

    def of_store(self, header: StoreHeader) -> Reduction[Found, Part]:  # noqa: ARG002
        """Return the reduction of an existing store, which may keep more than this one.

        Raises RequestError if bands of the store need more than this reduction knows.
        """
        return self

    def encode(self, part: Part, header: StoreHeader) -> dict[str, Any]:
        """Return a part as the arrays of a store."""
        raise NotImplementedError

    def decode(self, found: Found, sources: IntArray, stored: StoredArrays) -> None:
        """Add all rows of a store, at least one.

        Parameters
        ----------
        sources : (S,) int32
            Positions of the sources of the rows.
        """
        raise NotImplementedError

    # -- in several passes, by workers -------------------------------------------------------------------------------

    def order(self, found: Found, sources: IntArray) -> IntArray:  # noqa: ARG002
        """Return the sources in the order in which they are divided into tasks."""
        return sources

    def task(self, found: Found, sources: IntArray) -> Fold:  # noqa: ARG002
        """Return what computes the part of some sources: `reduce_part`, with what the passes before have found."""
        return reduce_part

    def end_pass(self, found: Found) -> bool:  # noqa: ARG002
        """After the parts of all rows: whether all of them are needed once more."""
        return False


@dataclass(frozen=True)
class PlannedReduction(Generic[Found, Part]):
    """Rows that are planned, and what is kept of them."""

    rows: RowsToReduce
    reduction: Reduction[Found, Part]

    @property
    def stage(self) -> str:
        """The method, as progress shows it."""
        return self.rows.plan.method

    @property
    def threads(self) -> int | None:
        """As requested."""
        return self.rows.request.threads

    def of_store(self, header: StoreHeader) -> PlannedReduction[Found, Part]:
        """Return the same rows with the reduction of the store."""
        return replace(self, reduction=self.reduction.of_store(header))

    def part(self, start: int, stop: int, progress: KernelProgress | None) -> Part:
        """Compute some rows, and reduce them."""
        report: Progress = False if progress is None else lambda _stage, done, _total: progress(done)
        return self.reduction.part(self.rows.part(start, stop), report)

    def encode(self, part: Part, header: StoreHeader) -> dict[str, Any]:
        """Return a part as the arrays of a store."""
        return self.reduction.encode(part, header)


def reduce_part(
    planned: PlannedReduction[Any, Any], start: int, stop: int, progress: ProgressReport, **known: Any
) -> Any:
    """Reduce the rows from start to stop; `known` are further arguments of the reduction's `part`."""
    return planned.reduction.part(planned.rows.part(start, stop), progress, **known)
