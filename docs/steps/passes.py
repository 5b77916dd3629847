"""Katz and Kider on one page: three passes per primary block, for shortest paths and for the transitive closure."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.published import katz_kider_closure

from .example import example
from .launches import Launch, Watcher, host, solve, watched
from .trace import NO_PATH, Rectangle, Trace, worded

__all__ = ["BLOCK", "PAPER", "lengths_of", "traces"]

BLOCK = 4
PAPER = "Katz, Kider 2008: All-Pairs Shortest-Paths for Large Graphs on the GPU"
_FAR = np.iinfo(np.int32).max // 2
_PASSES = ("primary", "singly_dependent", "doubly_dependent")
_WHERE = ("section 4.1 (pass 1)", "sections 4.1 and 4.2 (pass 2), equations 5 to 7", "sections 4.1 and 4.2 (pass 3)")


class _Launches(Watcher):
    def __init__(self, name: str, title: str, none: str, algorithm: str) -> None:
        self._head, self._none, self._algorithm = (name, title, PAPER), none, algorithm
        self.trace: Trace | None = None

    def before(self, launch: Launch) -> None:
        if self.trace is None:
            self.trace = Trace(*self._head, example(), lengths_of(launch.arguments[0]), tile=BLOCK, none=self._none)

    def after(self, launch: Launch) -> None:
        trace, number = self.trace, _PASSES.index(launch.kernel) + 1
        matrix = lengths_of(launch.arguments[0])
        side, b = (int(value) for value in launch.arguments[number : number + 2])
        pivots = list(range(b * BLOCK, (b + 1) * BLOCK))
        fewer = trace.changed(matrix)
        if number == 1:
            trace.stage(f"pivots {pivots[0]} to {pivots[-1]}")
        trace.step(
            f"{_say(number, pivots)} {_count(fewer, bits=self._none == '0')}",
            f"{_WHERE[number - 1]}; {self._algorithm}", launch.words, matrix, active=pivots, arcs="through",
            **_blocks(number, b, side // BLOCK),
        )  # fmt: skip


def traces() -> list[Trace]:
    """Shortest paths, and the closure."""
    graph = example()
    paths = _Launches("katz-kider", "Katz and Kider: three passes per tile", "\N{INFINITY}", "algorithm 3")
    solve("katz-kider", graph, paths, block=BLOCK)
    title = "Katz and Kider: transitive closure"
    bits = _Launches("katz-kider-closure", title, "0", "section 3.2, algorithm 1")
    with watched(bits):
        katz_kider_closure.closure(graph, block=BLOCK)
    return [paths.trace, bits.trace]


def lengths_of(page: object) -> npt.NDArray[np.int64]:
    """The lengths of cells (s, s, 2); of a closure (s, s), 1 where there is a path."""
    cells = host(page)
    if cells.ndim == 2:
        return np.where(cells > 0, 1, NO_PATH)
    lengths = cells[:, :, 1].astype(np.int64)
    lengths[lengths >= _FAR] = NO_PATH
    return lengths


def _say(number: int, pivots: list[int]) -> str:
    first, last = pivots[0], pivots[-1]
    if number == 1:
        return (
            f"Pass 1: one block of threads loads the primary tile, rows and columns {first} to {last}, into shared "
            f"memory and relaxes it through its own pivots, one after the other. It depends on no other tile."
        )
    if number == 2:
        return (
            f"Pass 2: the tiles in the row and in the column of the primary tile are relaxed through pivots {first} to "
            f"{last}. Each depends on the primary tile and on itself only, so a block of threads loads these two."
        )
    return (
        f"Pass 3: every other tile is relaxed through pivots {first} to {last}. It needs the tile of its row in the "
        f"pivots' columns and the tile of its column in the pivots' rows, which pass 2 has finished."
    )


def _count(fewer: int, *, bits: bool) -> str:
    if not fewer:
        return "No entry changes."
    if bits:
        return f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} 1; an entry that is 1 stays 1."
    return f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} smaller."


def _blocks(number: int, b: int, blocks: int) -> dict[str, list[Rectangle]]:
    """What the blocks of threads of a pass read and write."""

    def tile(i: int, j: int) -> Rectangle:
        return i * BLOCK, j * BLOCK, BLOCK, BLOCK

    others = [other for other in range(blocks) if other != b]
    cross = [tile(b, j) for j in others] + [tile(i, b) for i in others]
    if number == 1:
        return {"write": [tile(b, b)]}
    if number == 2:
        return {"read": [tile(b, b)], "write": cross}
    return {"read": cross, "write": [tile(i, j) for i in others for j in others]}
