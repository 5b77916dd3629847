"""Accessibility on one GPU: python -m benchmarks.gpu_accessibility [--quick] [--write FILE].

A generated city, three kinds of amounts and four cutoffs: a whole call, with the tree and the factor, which the CPU
computes, and one with both there. The sums of some sources must be those of the CPU to the last bit.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import apsp
from apsp.facts.request import Request
from apsp.reductions.weighing import Weighing
from apsp.running.planned_rows import planned_rows
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 3, 1000
INPUTS = ((20_000, 300), (200_000, 900), (1_300_000, 1800))
"""Vertices, and the longest cutoff in seconds."""


def of_city(n: int, longest: int) -> Iterator[dict[str, Any]]:
    """A row for the whole call, and one for the sums alone."""
    city = apsp.generate("city", n, seed=1)
    amounts = np.random.default_rng(0).integers(0, 50, (n, 3)).astype(float)
    cutoffs = [longest // 4, longest // 2, 3 * longest // 4, longest]
    started = time.perf_counter()
    found = apsp.accessibility(city, amounts, cutoffs=cutoffs, device="cuda", method="elimination").values
    whole = time.perf_counter() - started
    sources = np.sort(np.random.default_rng(0).choice(n, SAMPLED, replace=False))
    expected = apsp.accessibility(city, amounts, cutoffs=cutoffs, sources=sources, device="cpu").values
    np.testing.assert_array_equal(found[sources], expected)
    common = {"what": "city", "n": n, "m": city.m, "cutoff": longest, "verified": True}
    yield {**common, "kind": "whole call", "milliseconds": whole * 1e3, "spread": []}
    planned = planned_rows(city, None, None, Request(mode="stream", device="cuda", method="elimination", share=0.05))
    weighing = Weighing(amounts, tuple(map(float, cutoffs)))
    times = host_seconds(partial(planned.solver.weigh, planned.sources, weighing), ROUNDS)
    spread = [min(times) * 1e3, max(times) * 1e3]
    yield {**common, "kind": "sums", "milliseconds": statistics.median(times) * 1e3, "spread": spread}


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_accessibility", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_accessibility", rows)
    for case in INPUTS[: 1 if options.quick else None]:
        for row in of_city(*case):
            rows.append(row)
            words = f"{row['what']:8} n = {row['n']:9,} cutoff {row['cutoff']:5} {row['kind']:10}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
