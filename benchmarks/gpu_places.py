"""Distances between points of a map on one GPU: python -m benchmarks.gpu_places [--quick] [--write FILE].

Random points beside the streets of a generated city, and the table of all distances between them, in host memory: from
points, the first call with the order and the factor of the graph, and again; and from places that have been snapped.
The rows of some points must be those of the CPU.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.gpu_run import arguments, document, write
from benchmarks.places import SPEED, points_of, snapped

ROUNDS, SAMPLED = 3, 20
INPUTS = ((20_000, 2_000), (1_000_000, 35_000))
"""Vertices, and points on each side."""


def seconds(work: Callable[[], object]) -> float:
    """The time of a call, whose result is dropped within."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def of_city(n: int, count: int) -> Iterator[dict[str, Any]]:
    """A row for the first call, for further calls, and for places."""
    city = apsp.generate("city", n, seed=1)
    homes, shops = (points_of(city, count, seed) for seed in (2, 3))
    table = partial(apsp.table, city, homes, shops, crs="plane", speed=SPEED, device="cuda")
    started = time.perf_counter()
    found = table().distances
    first = time.perf_counter() - started
    starts, ends = snapped(city, homes), snapped(city, shops)
    expected = apsp.matrix(city, starts[:SAMPLED], ends, device="cpu").distances
    np.testing.assert_allclose(found[:SAMPLED], expected, rtol=1e-13)
    del found
    works = {
        "table, order known": table,
        "matrix of places, order known": partial(apsp.matrix, city, starts, ends, device="cuda"),
    }
    times = {"table, first call": [first]} | {
        kind: [seconds(work) for _ in range(ROUNDS)] for kind, work in works.items()
    }
    for kind, each in times.items():
        milliseconds = [1e3 * one for one in each]
        yield {
            "what": "city", "n": n, "m": city.m, "points": count, "kind": kind,
            "milliseconds": statistics.median(milliseconds), "spread": [min(milliseconds), max(milliseconds)],
            "verified": True,
        }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_places", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_places", rows)
    for case in INPUTS[: 1 if options.quick else None]:
        for row in of_city(*case):
            rows.append(row)
            words = f"n = {row['n']:9,} {row['points']:6,} x {row['points']:6,} {row['kind']:30}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
