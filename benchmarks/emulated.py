"""Times of the published methods on emulated GPUs: python -m benchmarks.emulated [--quick] [--write FILE].

Random graphs with four arcs per vertex. Every result is compared with Dijkstra's distances before it is timed. Counted:
the same run with counting, once.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import apsp

SIZES = {
    "okuyama": 1024, "okuyama-global": 1024, "harish-sssp": 1024, "katz-kider": 1024, "harish-fw": 1024,
    "lab-fw": 1024, "lab-fw-shared": 1024, "johnson-flag": 256, "johnson-queue": 256, "johnson-prefix": 256,
}  # fmt: skip
TARGETS = {"okuyama": 5.0, "harish-sssp": 15.0, "katz-kider": 10.0, "lab-fw": 10.0, "johnson-queue": 10.0}
"""Seconds to stay below, on two cores."""


def seconds(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def measured(method: str, n: int, rounds: int, counted: int) -> dict[str, Any]:
    """The median of some runs, and one counted run of a graph of `counted` vertices."""
    graph = apsp.generate("random", n, m=4 * n, seed=1)
    small = apsp.generate("random", counted, m=4 * counted, seed=1)

    def solve() -> apsp.Result:
        return apsp.solve(graph, method=method, device="emulated")

    np.testing.assert_array_equal(solve().distances, apsp.solve(graph, method="dijkstra", dtype="int64").distances)
    times = [seconds(solve) for _ in range(rounds)]
    plain = seconds(lambda: apsp.solve(small, method=method, device="emulated"))
    slow = seconds(lambda: apsp.profile(small, method=method))
    return {
        "method": method, "n": n, "m": 4 * n, "target": TARGETS.get(method),
        "seconds": statistics.median(times), "low": min(times), "high": max(times),
        "counted_n": counted, "counted_seconds": slow, "counted_over_plain": slow / plain,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small graphs, to see that everything runs")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the results as JSON")
    given = parser.parse_args()
    rows = []
    print(f"{'method':16} {'n':>6} {'median':>9} {'min - max':>17} {'target':>7}   counted")
    for method, size in SIZES.items():
        n = 128 if given.quick else size
        row = measured(method, n, given.rounds, min(n, 256))
        rows.append(row)
        target = "" if row["target"] is None else f"{row['target']:g} s"
        print(
            f"{method:16} {n:6,} {row['seconds']:7.2f} s {row['low']:7.2f} - {row['high']:5.2f} s {target:>7}   "
            f"n = {row['counted_n']}: {row['counted_seconds']:.2f} s, {row['counted_over_plain']:.0f} times as long",
            flush=True,
        )
    if given.write is not None:
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
        about = {
            "command": "python -m benchmarks.emulated", "commit": commit.stdout.strip(), "cores": os.cpu_count(),
            "processor": _processor(),
        }  # fmt: skip
        given.write.write_text(json.dumps({**about, "rows": rows}, indent=1) + "\n")


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


if __name__ == "__main__":
    main()
