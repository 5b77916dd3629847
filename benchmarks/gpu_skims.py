"""Skims on one GPU: python -m benchmarks.gpu_skims [--quick] [--write FILE].

Zones of a generated city: a whole call, with the tree and the factor, which the CPU computes; the matrices alone, with
both there; and a whole call whose matrices are written to an OMX file in float32. The matrices must be those of the CPU
to the last bit.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.methods.elimination.tree import elimination_tree
from apsp.methods.skims.on_gpu import fill_on_gpu
from apsp.methods.skims.skims import factorise
from apsp.system.machine import threads_from
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS = 3
INPUTS = ((20_000, 1000, 2), (250_000, 5000, 10))
"""Vertices, zones, costs besides the time."""


def of_city(n: int, count: int, kinds: int) -> Iterator[dict[str, Any]]:
    """A row per part."""
    rng = np.random.default_rng(2)

    def fresh() -> apsp.Graph:
        """The city without a tree from an earlier call."""
        return apsp.generate("city", n, seed=1, weights=(1, 1000))

    city = fresh()
    zones = np.sort(rng.choice(city.n, count, replace=False)).astype(np.int32)
    columns = {f"cost {k + 1}": rng.integers(1, 100, city.m) for k in range(kinds)}
    expected = apsp.skim(city, columns, zones=zones, device="cpu")

    def skimmed(graph: apsp.Graph) -> apsp.Skims:
        return apsp.skim(graph, columns, zones=zones, device="cuda")

    def filed(graph: apsp.Graph) -> apsp.Skims:
        found = skimmed(graph)
        with tempfile.TemporaryDirectory() as folder:
            found.to_omx(Path(folder) / "skims.omx", dtype="float32")
        return found

    assert skimmed(city) == expected
    common = {"what": "city", "n": n, "m": city.m, "zones": count, "costs": kinds, "verified": True}
    for kind, call in (("whole call", skimmed), ("whole call and OMX, float32", filed)):
        yield {**common, "kind": kind, **_times(_seconds_of(call, fresh))}
    tree, threads = elimination_tree(city), threads_from(None)
    assert tree is not None
    costs = np.stack([city.weights, *columns.values()], axis=1).astype(np.float64)  # type: ignore[list-item]
    factor, out = factorise(city, costs, tree, threads=threads), np.empty_like(expected.matrices)
    fill = partial(
        fill_on_gpu,
        city,
        costs,
        tree,
        factor,
        zones,
        zones,
        out,
        gpu=0,
        gpu_memory=None,
        threads=threads,
        progress=None,
    )
    yield {**common, "kind": "matrices", **_times(host_seconds(fill, ROUNDS))}
    np.testing.assert_array_equal(out, expected.matrices)


def _seconds_of(call: Callable[[apsp.Graph], object], fresh: Callable[[], apsp.Graph]) -> list[float]:
    """Times of a call, each with a graph that has no tree yet."""
    times = []
    for graph in [fresh() for _ in range(ROUNDS)]:
        started = time.perf_counter()
        call(graph)
        times.append(time.perf_counter() - started)
    return times


def _times(seconds: list[float]) -> dict[str, Any]:
    return {"milliseconds": statistics.median(seconds) * 1e3, "spread": [min(seconds) * 1e3, max(seconds) * 1e3]}


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_skims", __doc__)
    rows: list[dict[str, Any]] = []
    results = document("gpu_skims", rows)
    for case in INPUTS[: 1 if options.quick else None]:
        for row in of_city(*case):
            rows.append(row)
            words = f"{row['what']:6} n = {row['n']:9,} zones {row['zones']:5} costs {row['costs']:2} {row['kind']:18}"
            print(f"{words} {row['milliseconds']:9.1f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
