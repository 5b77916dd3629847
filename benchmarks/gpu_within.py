"""Pairs within a cutoff on one GPU: python -m benchmarks.gpu_within [--quick] [--write FILE].

A generated city, and the cutoff with which a vertex has about a thousand others near it: sums of amounts over all of
them, and all pairs with their next hops, as blocks that come to the host. The rows of some sources must be those of the
CPU to the last bit.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 3, 1000
INPUTS = ((20_000, 120), (160_000, 120), (1_000_000, 253))
"""Vertices, and the cutoff in seconds."""


def all_blocks(graph: apsp.Graph, cutoff: float) -> int:
    """Compute all pairs with next hops; return their number."""
    return sum(block.pairs for block in apsp.stream_within(graph, cutoff, next_hop=True, device="cuda"))


def of_city(n: int, cutoff: int) -> Iterator[dict[str, Any]]:
    """A row for the sums, and one for the pairs."""
    city = apsp.generate("city", n, seed=1)
    amounts = np.random.default_rng(0).integers(0, 50, (n, 1)).astype(float)
    sources = np.sort(np.random.default_rng(0).choice(n, SAMPLED, replace=False))
    sums = partial(apsp.accessibility, city, amounts, cutoffs=[cutoff], device="cuda")
    expected = apsp.accessibility(city, amounts, cutoffs=[cutoff], sources=sources, device="cpu").values
    np.testing.assert_array_equal(sums().values[sources], expected)
    here, there = (apsp.within(city, cutoff, sources=sources, device=device) for device in ("cpu", "cuda"))
    for name in ("indptr", "positions", "distances"):
        np.testing.assert_array_equal(getattr(here, name), getattr(there, name))
    pairs = all_blocks(city, cutoff)
    for kind, work in (("sums", sums), ("pairs with next hops", partial(all_blocks, city, cutoff))):
        times = [1e3 * seconds for seconds in host_seconds(work, ROUNDS)]
        yield {
            "what": "city", "n": n, "m": city.m, "cutoff": cutoff, "pairs": pairs, "kind": kind,
            "milliseconds": statistics.median(times), "spread": [min(times), max(times)], "verified": True,
        }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_within", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_within", rows)
    for case in INPUTS[: 1 if options.quick else None]:
        for row in of_city(*case):
            rows.append(row)
            words = f"n = {row['n']:9,} cutoff {row['cutoff']:4} {row['pairs']:13,} pairs, {row['kind']:20}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
