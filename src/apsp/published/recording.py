"""Path recording: the vertex that determined each final cost.

Source: Okuyama, Ino, Hagihara, "A task parallel algorithm for finding all-pairs shortest paths using the GPU",
section 5.3. Input: the converged costs Ca (n, N) and the inverted graph G'. Output: parents Pa (n, N) int32, in the
memory of Ua, which is no longer needed. Cost: one access to every arc per problem; n + 2 m elements for G'.

Corrected: the paper's weights are positive; with arcs of length zero, equal costs could give parents in a cycle, so
such a parent must have a parent itself, and the kernel is launched until all vertices have one (once on positive
integers). Floats are compared exactly: rounding is monotonic, so at convergence each cost is the rounded sum of another
cost and an arc.

The idea: back-tracing needs one parent per vertex, found after convergence by the equality c(v) = c(u) + w(u, v). The
host follows the parents from the destination (`apsp.result.paths.walk`, the paper's back-tracing).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page

__all__ = ["inverted", "parents_in", "record_expression"]

Csr = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[Any]]


def record_expression(dtype: str) -> str:
    """The kernel of recording.cu."""
    from apsp.gpu.page import VALUES

    return f"apsp::record_parents<{VALUES[dtype]}>"


def inverted(start: npt.NDArray[np.int64], heads: npt.NDArray[np.int32], lengths: npt.NDArray[Any]) -> Csr:
    """G' = (V, E', W'): CSR arrays (n + 1,), (m,), (m,) by head of every arc, tails ascending."""
    n = len(start) - 1
    tails = np.repeat(np.arange(n, dtype=np.int32), np.diff(start))
    order = np.argsort(heads, kind="stable")
    into = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.bincount(heads, minlength=n), out=into[1:])
    return into, tails[order], lengths[order]


def parents_in(updates: Page) -> Page:
    """Pa in the memory of Ua: (n, N) int32 in that of (n, N) values of 4 or 8 bytes."""
    count = updates.shape[0] * updates.shape[1]
    return updates.reshape(-1).view(np.int32)[:count].reshape(updates.shape)
