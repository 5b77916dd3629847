"""Predecessors of reversed graphs -> the first edges of every path.

The idea: a pair (i, j) is a cell; the cell after it is (v, j), where v is the vertex after i on the path from i to j.
The cells (j, j) and those without a path follow themselves. A step along all paths at once is then one gather.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from apsp.compat.torch.packing import Packed, number_dtype
from apsp.system.threads import Threads

__all__ = ["codes", "in_pieces", "most_edges", "walk"]

_PIECE = (1 << 15) - 1
"""Pairs of a piece on the CPU: it stays in the second-level cache, and PyTorch starts no threads for so few (its own
wait for each other after every operation, which takes milliseconds on a busy machine)."""

_PIECE_ON_GPU = 1 << 26


def in_pieces(work: Callable[[slice], None], count: int, n: int, device: Any, threads: int) -> None:
    """Call `work` with ranges of the `count` graphs, on the CPU from several threads."""
    if n == 0:
        return
    on_cpu = device.type == "cpu"
    each = max((_PIECE if on_cpu else _PIECE_ON_GPU) // max(n * n, 1), 1)
    pieces = [slice(first, min(first + each, count)) for first in range(0, count, each)]
    if not on_cpu or threads == 1 or len(pieces) == 1:
        for piece in pieces:
            work(piece)
        return
    inference = torch.is_inference_mode_enabled()

    def every(start: int) -> None:
        with torch.inference_mode(inference):  # it is a setting per thread
            for piece in pieces[start::threads]:
                work(piece)

    with Threads(threads, "apsp-encoding") as pool:
        for done in [pool.submit(every, start) for start in range(min(threads, len(pieces)))]:
            done.result()


def codes(distances: Any, absent: Any, most: Any, unreachable: Any, out: Any) -> None:
    """Write the codes of reversed (c, n, n) distances into `out`."""
    forward = distances.transpose(1, 2)
    found = forward if most is None else forward.clamp(max=most)
    out.copy_(torch.where(forward == absent, unreachable, found))


def most_edges(predecessors: Any, packed: Packed, threads: int) -> int:
    """The largest number of edges of a path; arguments as for `walk`."""
    count, n, _ = predecessors.shape
    longest = [0] * count

    def measure(piece: slice) -> None:
        longest[piece.start] = _longest(*_cells(predecessors, packed.numbers, piece))

    in_pieces(measure, count, n, predecessors.device, threads)
    return max(longest, default=0)


def walk(predecessors: Any, packed: Packed, out: Any, piece: slice) -> None:
    """Write the first edges of every path of some graphs.

    Parameters
    ----------
    predecessors : (b, n, n) int32
        Of the reversed graphs: [g, j, i] is the vertex after i on the path from i to j.
    out : (b, n, n, k) int32 or int64
        [g, i, j, k] becomes edge k of the path from i to j, -1 beyond its end.
    """
    most = out.shape[-1]
    first, after = _cells(predecessors, packed.numbers, piece)
    found = out[piece].view(-1, most)
    at = after
    for step in range(most):
        found[:, step] = first if step == 0 else first.index_select(0, at)
        if 0 < step < most - 1:
            at = after.index_select(0, at)


def _cells(predecessors: Any, numbers: Any, piece: slice) -> tuple[Any, Any]:
    """The first edge of the path of each cell of a piece, -1 for none, and the cell after it."""
    count, n = piece.stop - piece.start, predecessors.shape[1]
    size = count * n * n
    dtype = number_dtype(size)
    device = predecessors.device
    nexts = predecessors[piece].transpose(1, 2).contiguous()
    own = torch.arange(n, dtype=dtype, device=device)
    rows = torch.where(nexts < 0, own[:, None], nexts)  # without a next vertex: itself
    rows += torch.arange(0, count * n, n, dtype=dtype, device=device)[:, None, None]
    rows *= n
    after = (rows + own).view(-1)
    rows += own[:, None]
    here = numbers[piece.start * n * n : piece.stop * n * n]
    return here.index_select(0, rows.view(-1)), after


def _longest(first: Any, after: Any) -> int:
    """The largest number of edges of a path, by doubling the steps."""
    lengths = (first >= 0).to(torch.int32)
    while True:
        further = lengths.index_select(0, after)
        if not bool(further.any()):
            return int(lengths.max()) if lengths.numel() else 0
        lengths += further
        after = after.index_select(0, after)
