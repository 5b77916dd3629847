"""The tuned blocked Floyd-Warshall over four GPUs, one process each: who owns which block, and what is broadcast."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.emulated.run import carried, entered
from apsp.methods.floyd_warshall.spmd import prepare
from apsp.methods.floyd_warshall.spmd.grid import Grid
from apsp.methods.problem import Problem
from apsp.system.threads import Threads

from .example import example
from .launches import host
from .trace import NO_PATH, Rectangle, Trace, lengths_in, listed

__all__ = ["BLOCK", "SHAPE", "traces"]

BLOCK, SHAPE = 4, (2, 2)
_SIZE = SHAPE[0] * SHAPE[1]
_FAR = np.iinfo(np.int32).max // 2
_SECONDS = 60  # after which another process must have failed
_PAPER = "Sao, Lu, Kannan, Thakkar, Vuduc, Potok 2021: block-cyclic in two dimensions, with look-ahead"

Array = npt.NDArray[Any]


class _Board:
    """Where the processes, here threads, leave what they send."""

    def __init__(self) -> None:
        self._left: dict[Any, Any] = {}
        self._changed = threading.Condition()

    def put(self, key: Any, value: Any) -> None:
        with self._changed:
            self._left[key] = value
            self._changed.notify_all()

    def get(self, key: Any) -> Any:
        with self._changed:
            assert self._changed.wait_for(lambda: key in self._left, timeout=_SECONDS), key
            return self._left[key]


class _Later:
    """What arrives when it is waited for."""

    def __init__(self, act: Callable[[], Any]) -> None:
        self._act = act

    def advance(self) -> None:
        """Nothing goes on by itself."""

    def wait(self) -> Any:
        return self._act()

    result = wait


class _Connection:
    """The connection of one process, and its page each time that it has begun to send."""

    shares_memory = False

    def __init__(self, board: _Board, rank: int) -> None:
        self.rank, self.size = rank, _SIZE
        self._board, self._place, self._sent = board, divmod(rank, SHAPE[1]), [0, 0, 0]
        self._in_advance = 0
        self.page: Any = None
        self.seen: list[Array] = []

    def form(self, shape: tuple[int, int]) -> None:
        assert shape == SHAPE

    def shared_along_row(self, *_: Any) -> None:
        return None

    shared_along_column = shared = shared_along_row

    def along_row(self, page: Any, source: int) -> _Later:
        return self._along(1, page, source)

    def along_column(self, page: Any, source: int) -> _Later:
        return self._along(0, page, source)

    def largest(self, number: int) -> _Later:
        """The end of the first part of a step: the block of the diagonal is on its way."""
        self._sent[2] += 1
        count = self._sent[2]
        self._board.put(("number", count, self.rank), number)
        self.seen.append(host(self.page))
        self._in_advance = 2
        return _Later(lambda: max(self._board.get(("number", count, rank)) for rank in range(_SIZE)))

    def release(self) -> None:
        """Nothing was made."""

    def _along(self, axis: int, page: Any, source: int) -> _Later:
        """Along axis 1, the row of the grid, or 0, its column: from the process at a place of that axis."""
        self._sent[axis] += 1
        key = ("page", axis, self._place[1 - axis], self._sent[axis])
        if self._place[axis] == source:
            self._board.put(key, host(page))
        if self._in_advance:  # two panels, after which the second part ends
            self._in_advance -= 1
            if not self._in_advance:
                self.seen.append(host(self.page))
        if self._place[axis] == source:
            return _Later(lambda: None)
        return _Later(lambda: page.set(self._board.get(key)))


def traces() -> list[Trace]:
    """One trace: two steps per block of pivots, and a last one."""
    graph, board = example(), _Board()
    connections = [_Connection(board, rank) for rank in range(_SIZE)]

    def program(rank: int) -> None:
        connection = connections[rank]
        problem = Problem(graph, np.dtype(np.int32), device="emulated", gpus=(rank,))
        matrix = prepare.prepare(problem, connection, BLOCK)
        connection.page = matrix.page
        matrix.close(None)
        connection.seen.append(host(matrix.page))

    with entered(_SIZE, None), Threads(_SIZE, "apsp-steps") as threads:
        list(threads.map(carried(program), range(_SIZE)))
    trace = Trace(
        "floyd-warshall", "Tuned Floyd-Warshall: blocks owned by four GPUs, panels broadcast", _PAPER, graph,
        lengths_in(graph), tile=BLOCK,
    )  # fmt: skip
    parts = 2 * -(-graph.n // BLOCK)  # what is sent later concerns the result
    seen = [[*one.seen[:parts], one.seen[-1]] for one in connections]
    for number, pages in enumerate(zip(*seen, strict=True)):
        _step(trace, number, _joined(graph.n, pages))
    return [trace]


def _joined(n: int, pages: tuple[Array, ...]) -> npt.NDArray[np.int64]:
    """The matrix from the pages of all processes."""
    matrix = np.empty((n, n), dtype=np.int64)
    for rank, page in enumerate(pages):
        grid = Grid.of(n, BLOCK, SHAPE, rank)
        rows, columns = (np.flatnonzero(axis.places() >= 0) for axis in (grid.rows, grid.columns))
        matrix[np.ix_(rows, columns)] = page
    matrix[matrix >= _FAR] = NO_PATH
    return matrix


def _step(trace: Trace, number: int, matrix: npt.NDArray[np.int64]) -> None:
    n = len(matrix)
    blocks, (k, part) = n // BLOCK, divmod(number, 2)
    every = [(i, j) for i in range(blocks) for j in range(blocks)]
    if k == blocks:
        say, sent, launch = _LAST, [], "no broadcast"
    elif part == 0:
        trace.stage(f"pivots {k * BLOCK} to {(k + 1) * BLOCK - 1}")
        say, sent, launch = _opened(k), [(k, k)], f"broadcast of block ({k}, {k})"
    else:
        sent = [(i, j) for i, j in every if k in (i, j)]
        say, launch = _advanced(k), f"broadcast of row {k} and column {k} of blocks"
    pivots = [] if k == blocks else list(range(k * BLOCK, (k + 1) * BLOCK))
    trace.step(
        say, "block-cyclic distribution (algorithm of Sao et al. 2021)", launch, matrix, active=pivots, arcs="through",
        gpus=[(_owner(i, j), _block(i, j)) for i, j in every], sent=[_block(i, j) for i, j in sent],
    )  # fmt: skip


_LAST = (
    "The last part: every GPU relaxes its other blocks through the panels of the last pivots, which it has received. "
    "Nothing more is sent; each GPU has the distances of its own blocks."
)


def _opened(k: int) -> str:
    owner, row, column = _owner(k, k), _owner(k, k + 1), _owner(k + 1, k)
    ahead = ", relaxes it ahead of all other blocks through the panels of the step before" if k else ""
    others = " Before that, every GPU has relaxed all its blocks through the older panels." if k > 1 else ""
    return (
        f"GPU {owner} owns block ({k}, {k}){ahead}, closes it, and sends it along its row of the 2 x 2 grid to GPU "
        f"{row} and along its column to GPU {column}, which own other blocks of row and column {k}.{others}"
    )


def _advanced(k: int) -> str:
    row, column = sorted({_owner(k, 0), _owner(k, 1)}), sorted({_owner(0, k), _owner(1, k)})
    return (
        f"GPUs {listed(row)} relax their blocks of row {k} through the closed block and send them along the columns of "
        f"the grid; GPUs {listed(column)} relax those of column {k} and send them along the rows. So every GPU has the "
        f"parts of row {k} and column {k} that its own blocks need, and no more."
    )


def _owner(i: int, j: int) -> int:
    return i % SHAPE[0] * SHAPE[1] + j % SHAPE[1]


def _block(i: int, j: int) -> Rectangle:
    return i * BLOCK, j * BLOCK, BLOCK, BLOCK
