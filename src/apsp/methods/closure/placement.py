"""Where the bits of a closure are stored while it is computed, and how many bytes that takes."""

from __future__ import annotations

import sys

from apsp.methods.closure.kernels.bits import MOST_PIVOTS
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, Where, cpu_bytes, staging_bytes, strip_plan

__all__ = ["STRIP", "bytes_of_arcs", "bytes_on_gpu", "strips_in_file", "strips_on_gpus"]

STRIP = 16384
"""Columns that are expanded, and zones that are extended, at a time on a GPU."""

_FOR_STRIPS = 0.6
"""Share of a GPU's memory for strips and panels; the rest holds the packed copies that products make."""


def bytes_on_gpu(n: int) -> int:
    """Return the bytes on one GPU of the result, at worst the two matrices of the components, and a transposed panel or
    two strips.
    """
    rows = (n + 512) // 8
    return 3 * n * rows + 2 * rows * max(STRIP, MOST_PIVOTS)


def bytes_of_arcs(n: int, m: int) -> int:
    """Return the bytes of the graph on a GPU."""
    return 4 * m + 9 * n


def strips_on_gpus(n: int, m: int, gpus: int, memory: int, host: int, *, in_file: bool) -> StripPlan | str:
    """Return how the bits are cut for several GPUs, or for one whose memory does not suffice; or why they cannot be.

    Parameters
    ----------
    memory : int
        Bytes of each GPU that may be used.
    host : int
        Bytes of host memory that may be used, for copies to and from a file.
    """
    for_strips = int(max(memory - bytes_of_arcs(n, m), 0) * _FOR_STRIPS)
    return _cut(n, gpus, for_strips, host, in_file=in_file)


def strips_in_file(n: int, host: int) -> StripPlan | str:
    """Return how the bits in a file are cut for the CPU; or why they cannot be."""
    return _cut(n, 1, cpu_bytes(host), host, in_file=True)


def _cut(n: int, devices: int, memory: int, host: int, *, in_file: bool) -> StripPlan | str:
    where: tuple[Where, ...] = ("file",) if in_file else ("devices", "host")
    staging = staging_bytes(host) if in_file else sys.maxsize
    return strip_plan(n, 8, devices, memory, staging, where=where, columns=-(-n // 64), pivots_per_column=64)
