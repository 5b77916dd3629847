"""Task size determination: the number of simultaneous single-source problems.

Source: Okuyama, Ino, Hagihara, section 5.2. N is a multiple of the warp size, so that accesses are coalesced and the
tasks of a warp share a vertex; it is at most the size of a block (512 then); and (3 N + 1) n + 2 m elements fit into
device memory. "Fewer for larger graphs, more for the benefit of shared memory."
"""

from __future__ import annotations

from apsp.errors import MemoryLimitError, RequestError

__all__ = ["MOST_TASKS", "TASKS", "WARP", "check_tasks", "determine_tasks", "device_bytes"]

WARP = 32

TASKS = WARP
"""N: single-source problems at once."""

MOST_TASKS = 512
_MOST_THREADS = 1024
_FLAG = _VERTEX = 4
_START = 8


def device_bytes(n: int, m: int, itemsize: int, tasks: int) -> int:
    """Return the bytes of Ma, Ca, Ua, Va, Ea, Wa: (3 N + 1) n + 2 m elements.

    Recording also needs G': n + 2 m more.
    """
    arcs = _START * (n + 1) + (_VERTEX + itemsize) * m
    return tasks * n * (_FLAG + 2 * itemsize) + 2 * arcs


def check_tasks(tasks: int | None, vertices: int) -> None:
    """Raise RequestError if N tasks of B vertices do not form a block."""
    if tasks is not None and (tasks < WARP or tasks > MOST_TASKS or tasks % WARP):
        raise RequestError(f"tasks must be a multiple of {WARP} up to {MOST_TASKS} (the paper's N), not {tasks}")
    if vertices < 1 or vertices * (tasks or WARP) > _MOST_THREADS:
        most = _MOST_THREADS // (tasks or WARP)
        raise RequestError(f"vertices must be from 1 to {most} (the paper's B; N B threads per block), not {vertices}")


def determine_tasks(
    n: int, m: int, itemsize: int, free: int, *, requested: int | None = WARP, vertices: int = 4
) -> int:
    """Return N: the requested number if it fits in device memory, otherwise the largest that fits.

    Parameters
    ----------
    n, m, itemsize : int
        Vertices, arcs, bytes of a distance.
    free : int
        Bytes of device memory.
    requested : int or None
        The requested number; None means the maximum for a block.
    vertices : int
        B, the vertices of a block.

    Raises
    ------
    MemoryLimitError
        If not even one warp of tasks fits.
    """
    most = min(MOST_TASKS, _MOST_THREADS // vertices // WARP * WARP) if requested is None else requested
    for tasks in range(most, 0, -WARP):
        if device_bytes(n, m, itemsize, tasks) <= free:
            return tasks
    needed = device_bytes(n, m, itemsize, WARP)
    remedies = ["method='harish-sssp', one source at a time", "a narrower dtype", "a GPU with more memory"]
    raise MemoryLimitError(f"{WARP} sources at once of {n:,} vertices and {m:,} arcs", needed, free, remedies)
