"""Properties of a dense matrix of lengths that planning needs, computed on its device.

Input: (n, n) lengths on a GPU. Output: a few numbers. Cost: one pass over the matrix; a bound of all distances
takes two more per round, a few rounds. Raises GraphError naming an entry that is not a length.

The idea: each row computes its arcs, its extremes and its first invalid entry. All distances are bounded through one
vertex: to it and from it, by paths with as many arcs as there are rounds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.errors import GraphError
from apsp.gpu import jit
from apsp.gpu.page import VALUES, Page, stride

__all__ = ["DenseFacts", "bound_through_root", "expressions", "facts_of"]

_THREADS = 256
_ROWS_OF_BLOCK = 1024
_ROUNDS = 8


class DenseFacts(NamedTuple):
    """Properties of a dense matrix of lengths.

    Attributes
    ----------
    m : int
        Arcs.
    zero_arcs : int
        Arcs of length zero that are not self-loops.
    min_weight, max_weight : int or float
        Over all arcs; 0 and 0 without arcs.
    longest_out : int or float
        The sum of the longest arc out of each vertex.
    max_out_degree : int
    root : int
        A vertex with that many arcs out.
    """

    m: int
    zero_arcs: int
    min_weight: int | float
    max_weight: int | float
    longest_out: int | float
    max_out_degree: int
    root: int


def expressions(dtype: str) -> tuple[str, ...]:
    """The kernels of dense_facts.cu for a dtype of lengths."""
    value = VALUES[dtype]
    sums = () if dtype.startswith("float") else (f"apsp::relax_from<{value}>", f"apsp::relax_into<{value}>")
    return (f"apsp::dense_facts<{value}>", *sums)


def facts_of(lengths: Page, absent: float, kind: int) -> DenseFacts:
    """One pass over the matrix; `absent` and `kind` as in `DenseArcs`.

    Raises
    ------
    GraphError
        If an entry is not a length; the message names the first, row by row.
    """
    cupy, n, dtype = jit.cupy(), len(lengths), lengths.dtype
    if n == 0:
        return DenseFacts(0, 0, 0, 0, 0, 0, 0)
    with lengths.device:
        both = cupy.empty(n * (24 + 2 * dtype.itemsize), dtype=np.int8)  # one copy to the host
        facts, extremes = both[: n * 24], both[n * 24 :]
        name = expressions(dtype.name)[0]
        jit.kernels("dense_facts.cu", (name,))[name](
            (n,), (_THREADS,),
            (lengths, stride(lengths), np.int32(n), dtype.type(absent), np.int32(kind), facts, extremes),
        )  # fmt: skip
        fetched = both.get()
    arcs, zeros, bad = fetched[: n * 24].view(np.int64).reshape(n, 3).T
    least, most = fetched[n * 24 :].view(dtype).reshape(n, 2).T
    wrong = np.flatnonzero(bad < n)
    if len(wrong):
        u, v = int(wrong[0]), int(bad[wrong[0]])
        raise GraphError(
            f"entry [{u}, {v}] is {lengths[u, v].item()}: lengths must be finite; absent= states which value "
            f"means that there is no arc"
        )
    some = arcs > 0
    if not some.any():
        return DenseFacts(0, 0, 0, 0, 0, 0, 0)
    wide: Any = np.float64 if dtype.kind == "f" else object  # Python's integers do not wrap
    return DenseFacts(
        m=int(arcs.sum()),
        zero_arcs=int(zeros.sum()),
        min_weight=least[some].min().item(),
        max_weight=most[some].max().item(),
        longest_out=_plain(most[some].astype(wide).sum()),
        max_out_degree=int(arcs.max()),
        root=int(arcs.argmax()),
    )


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def bound_through_root(lengths: Page, absent: float, kind: int, root: int, enough: int) -> int | None:
    """An upper bound on all distances: the longest path to the root plus the longest path from it.

    Parameters
    ----------
    lengths : (n, n) int32 or int64 on a GPU
    enough : int
        A bound below which smaller ones are not needed.

    Returns
    -------
    int or None
        None unless all vertices reach the root, and it reaches them, by few arcs. Lengths of walks are upper bounds of
        distances whatever their sign.
    """
    cupy, n = jit.cupy(), len(lengths)
    _, relax_from, relax_into = expressions(lengths.dtype.name)
    kernels = jit.kernels("dense_facts.cu", (relax_from, relax_into))
    unreached = int(np.iinfo(np.int64).max // 2)
    arguments = (lengths, stride(lengths), np.int32(n), lengths.dtype.type(absent), np.int32(kind))
    best: int | None = None
    start = np.full((2, n), unreached, dtype=np.int64)
    start[:, root] = 0
    with lengths.device:
        ways = cupy.asarray(start)
        out, into = ways
        for _ in range(_ROUNDS):
            kernels[relax_from]((-(-n // 32), -(-n // _ROWS_OF_BLOCK)), (_THREADS,), (*arguments, out))
            kernels[relax_into]((n,), (_THREADS,), (*arguments, into))
            longest = [int(way) for way in ways.get().max(axis=1)]
            bound = sum(longest) if max(longest) < unreached else None
            if bound is not None and (bound <= enough or bound == best):
                return bound
            best = bound
    return best
