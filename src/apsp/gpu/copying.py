"""Copies between pages on any devices, on the current stream of one of the GPUs involved."""

from __future__ import annotations

from apsp.gpu import jit
from apsp.gpu.page import Page, address

__all__ = ["queue_copy"]


def queue_copy(source: Page, target: Page) -> None:
    """Copy a page onto one of the same shape and dtype; entries of a row lie side by side in both."""
    rows, columns = source.shape
    if rows == 0 or columns == 0:
        return
    cuda, width = jit.cupy().cuda, columns * source.itemsize
    to_pitch, from_pitch = (
        width if rows == 1 else page.strides[0] for page in (target, source)
    )  # of a single row: not used
    cuda.runtime.memcpy2DAsync(
        address(target), to_pitch, address(source), from_pitch, width, rows,
        cuda.runtime.memcpyDefault, cuda.get_current_stream().ptr,
    )  # fmt: skip
