"""What a run computes of a band: its distances and predecessors, or sums over its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import numpy as np

from apsp.api.blocks import going_on
from apsp.api.component_rows import RowsToReduce
from apsp.api.measures.kept import Kept, reduced
from apsp.api.measures.rows_of_sets import RowsOfSets
from apsp.api.storing.bins_told import bins_told
from apsp.api.storing.set_arrays import SetArrays
from apsp.api.streaming import PlannedRows
from apsp.api.summing import sums_of
from apsp.errors import DeviceError, MemoryLimitError, RequestError
from apsp.gpu.memory import free_on_failure, free_unused
from apsp.measures.blocks import RowBlock
from apsp.methods.problem import IntArray, Solver
from apsp.store.facts import Facts
from apsp.system.progress import Progress

__all__ = ["OF_SETS", "DistancesWork", "ReducedRows", "SumsWork", "Told", "Work", "progress_of"]

OF_SETS = "group_"
"""The names of the arrays of statistics of groups, beside those of sums over rows, begin with this."""

Told = Callable[[int], None]
"""Called with the number of rows of the band that are done."""


def progress_of(told: Told | None) -> Progress:
    """Return the progress of a pass over the rows of a band."""
    return False if told is None else lambda _stage, done, _total: told(done)


class Work(Protocol):
    """Computes bands."""

    @property
    def stage(self) -> str:
        """As progress shows it."""
        ...

    @property
    def threads(self) -> int | None:
        """As requested."""
        ...

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        ...

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Return the arrays of a band by name; they stay until the call after the next one."""
        ...

    def close(self) -> None:
        """Free what is no longer needed."""
        ...


class DistancesWork:
    """Distances, and predecessors if they are stored.

    Parameters
    ----------
    rows : PlannedRows
        All rows of the store.
    facts : Facts
    """

    def __init__(self, rows: PlannedRows, facts: Facts) -> None:
        self.rows = rows
        self.stage, self.threads = rows.decided.method, rows.request.threads
        self._solver: Solver = rows.solver
        self._instead = rows.instead
        height = min(facts.band_rows, facts.shape[0])
        widths = {"distances": facts.shape[1], "predecessors": rows.graph.n}
        self._arrays = [
            {name: np.empty((height, widths[name]), dtype=facts.dtype_of(name)) for name in facts.arrays}
            for _ in range(2)
        ]

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return sum(array.nbytes for array in self._arrays[0].values())

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Fill one of two sets of arrays: the other one is being written."""
        self._arrays.reverse()
        sources: IntArray = self.rows.sources[band]
        arrays = {name: array[: len(sources)] for name, array in self._arrays[0].items()}
        dist, pred = arrays["distances"], arrays.get("predecessors")
        try:
            with free_on_failure(self.rows.decided.gpus):
                self._solver.fill(sources, dist, pred, told)
        except (MemoryLimitError, DeviceError) as error:
            instead, self._instead = self._instead, None
            self._solver = going_on(error, None if instead is None else lambda: instead().solver)
            self._solver.fill(sources, dist, pred, told)
        return arrays

    def close(self) -> None:
        """Without a request for a GPU, its memory must not stay allocated."""
        if self.rows.instead is not None:
            free_unused(self.rows.decided.gpus)


class ReducedRows:
    """What bands of rows are reduced to, where they are computed: what works on a measure begins with this.

    Parameters
    ----------
    rows : PlannedRows or ComponentRows
        All rows of the store.
    facts : Facts
    """

    def __init__(self, rows: RowsToReduce, facts: Facts) -> None:
        self.rows, self._facts = rows, facts
        self.stage, self.threads = rows.decided.method, rows.request.threads

    @property
    def band_bytes(self) -> int:
        """Bytes of a band, without compression."""
        return self._facts.band_bytes

    def close(self) -> None:
        """The passes over the rows free what they need."""


class SumsWork(ReducedRows):
    """Sums over rows.

    Parameters
    ----------
    made : PlannedRows, ComponentRows or RowsOfSets
        All rows of the store.
    facts : Facts

    Raises
    ------
    RequestError
        If the store has statistics of groups, which only a call with these groups can complete.
    """

    def __init__(self, made: RowsToReduce | RowsOfSets, facts: Facts) -> None:
        super().__init__(made.rows if isinstance(made, RowsOfSets) else made, facts)
        self._sets = SetArrays.of_store(facts, made.numbers, OF_SETS) if isinstance(made, RowsOfSets) else None
        if self._sets is None and "groups" in facts.measure:
            raise RequestError(
                "blocks of sources are missing in the store, which has statistics of groups: complete it by the same "
                "call as before, apsp.summary with groups"
            )

    def compute(self, band: slice, told: Told | None) -> dict[str, Any]:
        """Sum up the rows where they are computed, in the order of the sources."""
        part = self.rows.part(band.start, band.stop)
        progress, threads = progress_of(told), part.decided.threads
        given = self._facts.measure
        bins, edges = bins_told(given)
        kept = Kept(
            bins=bins, edges=edges, reciprocals=self._facts.reciprocals,
            squares=given.get("squares", False), degrees=given.get("degrees", False),
        )  # fmt: skip
        sets = None if self._sets is None else self._sets.reducer(part.sources, part.graph.n, threads)

        def blocks() -> Iterator[RowBlock]:
            for block in part.blocks(reuse=True, progress=progress, where_computed=True):
                if sets is not None:
                    sets.add(block)
                yield block

        sums = None if sets is not None else lambda: sums_of(part, progress)
        found = reduced(part.graph, kept, blocks, sums, threads, labelled=False)
        numbers = vars(found._row_sums()) | {"histogram": found._totals.bins.to_row()[None]}
        numbers |= found._moments.to_rows()
        if self._sets is not None and sets is not None:
            numbers |= self._sets.rows(sets, self._facts)
        # A method may sum up in a wider dtype than that of the plan.
        return {name: np.ascontiguousarray(numbers[name], self._facts.dtype_of(name)) for name in self._facts.arrays}
