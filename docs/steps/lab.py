"""The course laboratory: a launch per pivot, in two kernels."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .example import example
from .launches import Launch, Watcher, host, solve
from .trace import NO_PATH, Trace, worded

__all__ = ["BLOCK", "traces"]

BLOCK = 4
_PAPER = "Belinguier, Grahn: All Pairs Shortest Path Problem in CUDA (course laboratory)"
_TITLES = {
    "lab-fw": "Course laboratory, basic kernel: a thread per entry",
    "lab-fw-shared": "Course laboratory, second kernel: shared memory",
}
_WHERE = {"lab-fw": "sections 3 and 5, appendix 7.2", "lab-fw-shared": "section 4, appendix 7.4"}


class _Pivots(Watcher):
    def __init__(self, name: str) -> None:
        self.name = name
        self.trace: Trace | None = None

    def before(self, launch: Launch) -> None:
        if self.trace is None:
            self.trace = Trace(
                self.name, _TITLES[self.name], _PAPER, example(), _lengths(launch), tile=BLOCK, none="-1"
            )

    def after(self, launch: Launch) -> None:
        trace, k, n = self.trace, int(launch.arguments[1]), int(launch.arguments[2])
        matrix = _lengths(launch)
        fewer = trace.changed(matrix)
        trace.stage(f"pivot {k}")
        trace.step(
            f"{_work(self.name, k, n)} {_outcome(k, fewer, matrix)}", _WHERE[self.name], launch.words, matrix,
            read=[(k, 0, 1, n), (0, k, n, 1)], active=[k], arcs="through",
        )  # fmt: skip


def traces() -> list[Trace]:
    """Both kernels."""
    return [_trace(name) for name in _TITLES]


def _trace(name: str) -> Trace:
    watcher = _Pivots(name)
    solve(name, example(), watcher, block=BLOCK)
    return watcher.trace


def _lengths(launch: Launch) -> npt.NDArray[np.int64]:
    matrix = host(launch.arguments[0]).astype(np.int64)
    matrix[matrix == -1] = NO_PATH
    return matrix


def _work(name: str, k: int, n: int) -> str:
    if name == "lab-fw":
        return (
            f"Launch k = {k}: the thread of entry (x, y) compares mat[x, y] with mat[x, {k}] + mat[{k}, y], the path "
            f"through vertex {k}."
        )
    blocks = -(-n // BLOCK)
    return (
        f"Launch k = {k}: each of the {blocks * blocks} blocks loads its {BLOCK} entries of column {k} and its {BLOCK} "
        f"entries of row {k} into shared memory once, and its {BLOCK * BLOCK} threads compare as in the basic kernel."
    )


def _outcome(k: int, fewer: int, matrix: npt.NDArray[np.int64]) -> str:
    others = np.arange(len(matrix)) != k
    if not (matrix[others, k] < NO_PATH).any():
        return f"Nothing changes: no vertex has a path to {k} yet, so no path leads through it."
    if not (matrix[k, others] < NO_PATH).any():
        return f"Nothing changes: no path leaves vertex {k}."
    if not fewer:
        return f"No path through vertex {k} is shorter than the one that is known."
    return (
        f"{fewer} {worded(fewer, 'entry becomes', 'entries become')} smaller; row {k} and column {k} do not change, "
        f"since mat[{k}, {k}] is 0, so all threads may run at once."
    )
