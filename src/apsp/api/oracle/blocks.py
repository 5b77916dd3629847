"""Blocks of rows of distances from the factor of an oracle."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from apsp.api import Block
from apsp.api.oracle.snapshot import Snapshot
from apsp.facts.request import Request
from apsp.facts.result_bytes import block_rows
from apsp.facts.statistics import statistics_of
from apsp.methods.problem import IntArray
from apsp.system.machine import Machine
from apsp.system.progress import Progress, offset, reporting

__all__ = ["blocks_of"]


def blocks_of(
    now: Snapshot, chosen: IntArray | None, rows: int | None, reuse: bool, progress: Progress
) -> Iterator[Block]:
    """The rows of some vertices or all, a block at a time, as `Oracle.stream` gives them."""
    sources = np.arange(now.graph.n, dtype=np.int32) if chosen is None else chosen
    request = Request(mode="stream", sources=len(sources), rows=rows)
    height = block_rows(statistics_of(now.graph), Machine.detect(), request, now.dtype.name, now.threads)
    if now.on_gpu is not None and rows is None:
        height = now.on_gpu.block_rows()
    return _blocks(now, sources, height or 1, reuse, progress)


def _blocks(now: Snapshot, sources: IntArray, height: int, reuse: bool, progress: Progress) -> Iterator[Block]:
    dist: Any = None
    with reporting(progress) as report:
        for start in range(0, len(sources), height):
            part = sources[start : start + height]
            if dist is None or not reuse:
                dist = None  # before others are made
                dist = now.empty((len(part), now.graph.n))
            now.fill(part, None, dist[: len(part)], offset(report, "oracle", start, len(sources)))
            yield Block(part, dist[: len(part)], labels=now.graph.labels)
