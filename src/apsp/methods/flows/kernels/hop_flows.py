"""Launches flows in hops from many sources at once.

Input: arcs, uploaded once, and batches of sources, equal ones adjacent. Output: sums over all batches, on the host.
Cost: per source, level and vertex of the level two passes over its arcs, and one over their bits; `batch_bytes` of
device memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu import jit
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.system.array_device import to_host

__all__ = ["EXPRESSIONS", "HopArcs", "HopFlows", "batch_bytes", "hop_arcs"]

IntArray = npt.NDArray[np.int32]
FloatArray = npt.NDArray[np.float64]

EXPRESSIONS = (
    "apsp::hop_forward", "apsp::hop_backward<false>", "apsp::hop_backward<true>", "apsp::hop_add_vertices",
    "apsp::hop_add_arcs", "apsp::hop_leave", "apsp::hop_served", "apsp::hop_demand", "apsp::hop_reached",
)  # fmt: skip
"""The kernels of hop_flows.cu."""

_PART, _THREADS, _CHUNK = 128, 256, 2048  # arcs of a part, as in hop_flows.cuh; vertices whose demand a block adds up
_NOWHERE = 2**31 - 1


@dataclass(frozen=True)
class HopArcs:
    """The arcs that paths follow after their first: no self-loops, none that leave zones. Host arrays.

    Attributes
    ----------
    numbers : (k,) int64
        Numbers of these arcs in the graph.
    start, heads : (n + 1,) int64, (k,) int32
        By tail.
    into, tails : (n + 1,) int64, (k,) int32
        By head, tails ascending.
    """

    numbers: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    heads: IntArray
    into: npt.NDArray[np.int64]
    tails: IntArray

    @property
    def parts(self) -> int:
        """Return the larger number of parts of hubs, by tail or by head."""
        return max(int(_parts(starts).sum()) for starts in (self.start, self.into))


def hop_arcs(graph: Graph) -> HopArcs:
    """Return the arcs of a graph that paths follow."""
    tails, heads = graph.tails(), graph.indices
    kept = tails != heads
    if graph.zones is not None:
        kept &= ~graph.zones[tails]
    numbers = np.flatnonzero(kept)
    if len(numbers) < graph.m:
        tails, heads = tails[numbers], heads[numbers]
    start = _starts(tails, graph.n)
    if not graph.directed and graph.zones is None:
        return HopArcs(numbers, start, heads, start, heads)
    order = np.argsort(heads, kind="stable")
    return HopArcs(numbers, start, heads, _starts(heads, graph.n), tails[order].astype(np.int32))


def _starts(ends: npt.NDArray[Any], n: int) -> npt.NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(np.bincount(ends, minlength=n))]).astype(np.int64)


def _parts(starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The number of parts of each vertex: 0 if it is no hub."""
    degrees = np.diff(starts)
    return np.where(degrees > _PART, -(-degrees // _PART), 0)


def batch_bytes(n: int, arcs: HopArcs, words: int, levels: int, *, rows: bool, along: bool) -> int:
    """Device memory of a batch of 32 * words sources; `rows`: their demand differs."""
    lines = 256 * (3 if rows else 2)
    item = lines + 16 + 4 + 8 + 8 * min(levels, 32)
    return words * (n * item + arcs.parts * 260 + (8 * len(arcs.heads) if along else 0))


class HopFlows:
    """A graph on the current GPU, prepared for batches of sources.

    Parameters
    ----------
    graph : Graph
    arcs : HopArcs
    words : int
        A batch has up to 32 times as many sources; a power of two.
    most_levels : int
        Pairs at a longer distance have no flow; at least 1.
    to : (n,) float64 or None
        The demand to every vertex; None: rows.
    along : bool
        Add up the flows along arcs, too.
    """

    def __init__(
        self, graph: Graph, arcs: HopArcs, words: int, most_levels: int, to: FloatArray | None, *, along: bool
    ) -> None:
        cupy = jit.cupy()
        n, size, self.along = graph.n, graph.n * words, along
        self.n, self.words, self.arcs = n, words, arcs
        self.kernels = jit.kernels("hop_flows.cu", EXPRESSIONS)
        self.cooperative = jit.kernels("hop_flows.cu", EXPRESSIONS, cooperative=True)
        hubs = max(int((_parts(starts) > 0).sum()) for starts in (arcs.start, arcs.into))
        self._out, self._into = _on_device(arcs.start, arcs.heads), _on_device(arcs.into, arcs.tails)
        self._first = {"first_start": cupy.asarray(graph.indptr), "first_heads": cupy.asarray(graph.indices)}
        self._state: dict[str, Page | None] = {
            "front": cupy.empty(4 * size, dtype=np.uint32),
            "reached": cupy.empty(size, dtype=np.uint32),
            "masks": cupy.empty(min(most_levels, 32) * size, dtype=np.uint32),
            "arrivals": cupy.zeros(hubs * words, dtype=np.uint32),
            "arrived": cupy.zeros(1, dtype=np.uint32),
            "items": cupy.empty(min(most_levels, 32) * size, dtype=np.int32),
            "ends": cupy.empty(min(most_levels, n) + 2, dtype=np.int32),
            "found": cupy.empty(1, dtype=np.int32),
            "levels": cupy.empty(1, dtype=np.int32),
            "beyond": cupy.full(1, _NOWHERE, dtype=np.int32),
            "paths": cupy.empty(32 * size, dtype=np.float64),
            "shares": cupy.empty(32 * size, dtype=np.float64),
            "partial": cupy.empty(32 * arcs.parts * words, dtype=np.float64),
            "through": cupy.zeros(size, dtype=np.float64),
            "along": cupy.zeros(len(arcs.heads) * words, dtype=np.float64) if along else None,
            "to": None if to is None else cupy.asarray(to),
            "demand": cupy.zeros(32 * size, dtype=np.float64) if to is None else None,
        }
        self._numbers = cupy.asarray(arcs.numbers) if along else None
        self._of_vertices = [cupy.zeros(n, dtype=np.float64) for _ in range(2)]
        self._of_arcs = [cupy.zeros(graph.m, dtype=np.float64) for _ in range(2)] if along else []
        self._counts = cupy.zeros(n, dtype=np.int64)
        self._struct = self._make_struct(most_levels)

    def run(self, sources: IntArray) -> FloatArray:
        """Add the flows of a batch with the demand `to`, and return what begins at each source.

        Raises
        ------
        OverflowError
            If a number of paths is beyond float64: the message is the number of its source in the batch.
        """
        there = self._flow(sources)
        chunks = -(-self.n // _CHUNK)
        served = jit.cupy().empty((chunks, 32 * self.words), dtype=np.float64)
        self.kernels["apsp::hop_served"](
            (self.words, chunks), (_THREADS,),
            (self._struct, there, np.int32(len(sources)), np.int32(_CHUNK), served),
        )  # fmt: skip
        return np.asarray(to_host(served).sum(axis=0)[: len(sources)], dtype=np.float64)

    def run_rows(
        self, sources: IntArray, rows: IntArray, targets: IntArray, values: FloatArray
    ) -> npt.NDArray[np.bool_]:
        """Add the flows of a batch: entry k goes from sources[rows[k]] to targets[k]. Return which have a path.

        Raises
        ------
        OverflowError
            As `run`.
        """
        cupy, count = jit.cupy(), len(rows)
        if count == 0:
            return np.zeros(0, dtype=bool)
        on_device = [cupy.asarray(array) for array in (rows, targets, values)]
        grid = (-(-count // _THREADS),)
        write = self.kernels["apsp::hop_demand"]
        demand = self._state["demand"]
        write(grid, (_THREADS,), (self._struct, *on_device, np.int64(count), np.int32(1), demand))
        there = self._flow(sources)
        write(grid, (_THREADS,), (self._struct, *on_device, np.int64(count), np.int32(0), demand))
        reached = cupy.empty(count, dtype=bool)
        self.kernels["apsp::hop_reached"](
            grid, (_THREADS,), (self._struct, there, *on_device[:2], np.int64(count), reached)
        )
        return np.asarray(to_host(reached))

    def _flow(self, sources: IntArray) -> Page:
        state, there = self._state, jit.cupy().asarray(sources)
        count = np.int32(len(sources))
        forward = self.cooperative["apsp::hop_forward"]
        backward = self.cooperative[f"apsp::hop_backward<{_word(self.along)}>"]
        for kernel, arguments in ((forward, (self._struct, there, count)), (backward, (self._struct,))):
            state["arrived"].fill(0)  # type: ignore[union-attr]
            kernel((jit.resident_blocks(kernel, _THREADS),), (_THREADS,), arguments)
        self.kernels["apsp::hop_add_vertices"](
            (-(-self.n // _THREADS),), (_THREADS,), (self._struct, *self._of_vertices, self._counts)
        )
        if self.along:
            self._add_arcs(there, count)
        beyond = int(to_host(state["beyond"])[0])
        if beyond != _NOWHERE:
            raise OverflowError(str(beyond))
        return there

    def _add_arcs(self, there: Page, count: np.int32) -> None:
        arcs = len(self.arcs.heads)
        if arcs:
            self.kernels["apsp::hop_add_arcs"](
                (-(-arcs // _THREADS),), (_THREADS,), (self._struct, self._numbers, np.int64(arcs), *self._of_arcs)
            )
        self.kernels["apsp::hop_leave"](
            (-(-32 * int(count) // _THREADS),), (_THREADS,), (self._struct, there, count, *self._of_arcs)
        )

    def through(self) -> FloatArray:
        """What passes each vertex, of all batches."""
        return _sum(self._of_vertices)

    def flow_along(self) -> FloatArray:
        """What each arc of the graph carries, of all batches."""
        return _sum(self._of_arcs)

    def counts(self) -> npt.NDArray[np.int64]:
        """(n,) sources that have reached each vertex, of all batches; those that begin there are included."""
        return np.asarray(to_host(self._counts))

    def _make_struct(self, most_levels: int) -> Any:
        """The struct HopFlows of hop_flows.cuh."""
        of_arcs = np.dtype(
            [*((name, "u8") for name in self._out), ("part_count", "i4"), ("unused", "i4")], align=True
        )  # fmt: skip
        arrays = self._first | self._state
        numbers = {"n": self.n, "shift": self.words.bit_length() - 1, "most_levels": most_levels, "unused": 0}
        ordered = [
            "first_start", "first_heads", "front", "reached", "masks", "arrivals", "arrived", "items", "ends", "found",
            "levels", "beyond", "paths", "shares", "partial", "through", "along", "to", "demand",
        ]  # fmt: skip
        fields: list[Any] = [("out", of_arcs), ("into", of_arcs), *((name, "u8") for name in ordered)]
        fields += [(name, "i4") for name in numbers]
        made = np.zeros((), dtype=np.dtype(fields, align=True))
        for name, own in (("out", self._out), ("into", self._into)):
            for array in own:
                made[name][array] = own[array].data.ptr
            made[name]["part_count"] = len(own["parts"])
        for name in ordered:
            array = arrays[name]
            made[name] = 0 if array is None else array.data.ptr
        for name, number in numbers.items():
            made[name] = number
        return made


def _on_device(starts: npt.NDArray[np.int64], ends: IntArray) -> dict[str, Page]:
    """The struct HopArcs of hop_flows.cuh: its arrays, in its order."""
    parts = _parts(starts)
    hubs = np.flatnonzero(parts)
    arrays = {
        "start": starts, "ends": ends, "hubs": hubs.astype(np.int32),
        "part_ends": np.cumsum(parts[hubs]).astype(np.int32),
        "parts": np.repeat(np.arange(len(hubs), dtype=np.int32), parts[hubs]),
    }  # fmt: skip
    return {name: jit.cupy().asarray(array) for name, array in arrays.items()}


def _word(value: bool) -> str:
    return "true" if value else "false"


def _sum(parts: list[Page]) -> FloatArray:
    total, error = map(to_host, parts)
    return np.asarray(total + error, dtype=np.float64)
