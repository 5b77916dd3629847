"""Launches `update`: C = choose(C, A join B) on pages of one GPU.

Source: Katz, Kider 2008, section 3 (the third phase). Input: C (rows, columns), A (rows, depth), B (depth, columns) in
kernel values, any strides and alignment; C overlaps neither A nor B. Output: C. Cost: rows x columns x depth (choose,
join) pairs. The tile follows policy.py.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from apsp.gpu import jit
from apsp.gpu.emulated.run import emulation
from apsp.gpu.page import Page, algebra_of, is_aligned, stride, tiles
from apsp.methods.floyd_warshall.kernels.policy import EMULATED, Policy, Shape, policy_for
from apsp.methods.floyd_warshall.kernels.remembered import gpu_name, remembered
from apsp.semiring import Algebra

__all__ = ["expressions", "kernel_of", "launch", "policy_of", "update"]


def expressions(algebra: str, itemsize: int, policy: Policy) -> list[str]:
    """The kernels of update.cu for an algebra: one per shape."""
    return [shape.expression(algebra, itemsize) for shape, _ in policy.shapes]


def update(
    c: Page,
    a: Page,
    b: Page,
    algebra: Algebra,
    *,
    skip_rows: tuple[int, int] = (0, 0),
    skip_columns: tuple[int, int] = (0, 0),
) -> None:
    """Launch on all of c except the rows and columns to be skipped, on the current stream of the current GPU.

    Parameters
    ----------
    c, a, b : Page
        C, A and B.
    algebra : Algebra
        Semiring, and whether no value is below zero.
    skip_rows, skip_columns : (int, int)
        [from, to) of c that is not changed.
    """
    name, itemsize = algebra_of(c, algebra), c.dtype.itemsize
    rows, columns = (size - (skip[1] - skip[0]) for size, skip in zip(c.shape, (skip_rows, skip_columns), strict=True))
    policy = EMULATED if emulation() is not None else policy_of(jit.current_device(), name, itemsize)
    shape = policy.choose(rows, columns, itemsize, jit.multiprocessors())
    launch(shape, c, a, b, algebra, skip_rows, skip_columns)


def launch(
    shape: Shape,
    c: Page,
    a: Page,
    b: Page,
    algebra: Algebra,
    skip_rows: tuple[int, int] = (0, 0),
    skip_columns: tuple[int, int] = (0, 0),
) -> None:
    """Launch `update` in a given shape."""
    (rows, columns), depth, itemsize = c.shape, a.shape[1], c.dtype.itemsize
    grid = (tiles(columns, shape.columns(itemsize), skip_columns), tiles(rows, shape.rows, skip_rows))
    if 0 in grid or depth == 0:
        return
    expression, shared_bytes = shape.expression(algebra_of(c, algebra), itemsize), shape.shared_bytes(itemsize)
    kernel = jit.kernels("update.cu", (expression,), shared_bytes=shared_bytes)[expression]
    aligned = all(is_aligned(page) for page in (c, a, b)) and skip_columns[1] * itemsize % 16 == 0
    numbers = (rows, columns, depth, *skip_rows, *skip_columns, aligned, 1)
    arguments = (c, stride(c), a, stride(a), b, stride(b), *(np.int32(number) for number in numbers))
    kernel(grid, (shape.threads,), arguments, shared_mem=shared_bytes)


def kernel_of(shape: Shape, algebra: str, itemsize: int) -> Any:
    """Return the compiled kernel; None if the shape does not compile or launch, for which CuPy has many exceptions."""
    expression, shared_bytes = shape.expression(algebra, itemsize), shape.shared_bytes(itemsize)
    try:
        return jit.kernels("update.cu", (expression,), shared_bytes=shared_bytes)[expression]
    except Exception:
        return None


@functools.cache
def policy_of(device: int, algebra: str, itemsize: int) -> Policy:
    """Return the policy measured on this GPU, if it works, else the shipped one."""
    measured = remembered(gpu_name(device)).get(algebra)
    if measured is not None and all(kernel_of(shape, algebra, itemsize) is not None for shape, _ in measured.shapes):
        return measured
    return policy_for(jit.capability(), algebra)
