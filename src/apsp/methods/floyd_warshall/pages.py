"""The driver of Floyd-Warshall over pages, for one page in memory and for many on a device.

Source: Venkataraman, Sahni, Mukhopadhyaya 2003, section 3; Katz, Kider 2008, section 3.2. Input: a square matrix cut
into pages by the same boundaries in rows and columns, in kernel values. Output: the closed matrix, in place.
Cost: n^3 (choose, join) pairs, no memory. For each page of the diagonal: close it, relax its row and its column of
pages through it, then all others through these two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apsp.gpu.page import Page
from apsp.methods.backend import Backend
from apsp.semiring import Algebra

__all__ = ["close_pages", "cut"]


def cut(n: int, page: int) -> list[tuple[int, int]]:
    """Boundaries (from, to) of pages of `page` vertices each; the last one may be smaller."""
    return [(start, min(start + page, n)) for start in range(0, n, page)]


def close_pages(
    backend: Backend,
    pages: Sequence[Sequence[Page]],
    bounds: Sequence[tuple[int, int]],
    algebra: Algebra,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Close the matrix whose page (i, j) holds rows bounds[i] and columns bounds[j].

    Parameters
    ----------
    progress : callable, optional
        Called with the number of pivots done, out of n.

    Returns
    -------
    int
        A row of the matrix on a negative closed walk, after which the matrix is incomplete; -1 if there is none.
    """
    for k, (start, end) in enumerate(bounds):
        bad_vertex = backend.close_tile(pages[k][k], algebra, None if progress is None else _after(start, progress))
        if bad_vertex >= 0:
            return start + bad_vertex
        others = [i for i in range(len(bounds)) if i != k]
        for j in others:
            backend.update(pages[k][j], pages[k][k], pages[k][j], algebra)
        for i in others:
            backend.update(pages[i][k], pages[i][k], pages[k][k], algebra)
        for i in others:
            for j in others:
                backend.update(pages[i][j], pages[i][k], pages[k][j], algebra)
        if progress is not None:
            progress(end)
    return -1


def _after(start: int, progress: Callable[[int], None]) -> Callable[[int], None]:
    return lambda done: progress(start + done)
