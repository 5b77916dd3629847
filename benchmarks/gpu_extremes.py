"""Diameter and radius from few searches on a GPU: python -m benchmarks.gpu_extremes [--quick] [--device DEVICE].

Whole calls on fresh graphs, the median of some after one that is not counted; diameter and radius must be those of the
CPU, and the rounds are counted. Then rows from 64 vertices that stay on the GPU, by each method, beside the seconds of
the cost model: those of a round. --device emulated shows without a GPU that everything runs.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.errors import MemoryLimitError, MethodRefusedError
from apsp.facts.request import Request
from apsp.gpu import jit
from apsp.gpu.page import allocate
from apsp.methods import emulated
from apsp.planning.planner import decision_for
from apsp.reductions.eccentricity_bounds import EccentricityBounds
from apsp.running.arguments import prepared
from benchmarks.elimination import fresh, new_york
from benchmarks.gpu_run import document, write

ROUNDS, AT_ONCE = 5, 64


def graphs(quick: bool, roads: Path | None) -> Iterator[tuple[str, apsp.Graph]]:
    """Names and graphs."""
    rmat = apsp.generate("rmat", 1 << (12 if quick else 20), seed=1)
    yield "R-MAT, hops", rmat.unweighted()
    yield "R-MAT, weighted", rmat
    side = 70 if quick else 500
    yield "grid", apsp.generate("grid", shape=(side, side), seed=1)
    yield "city", apsp.generate("city", 5000 if quick else 1_000_000, seed=1)
    city = None if quick else new_york(roads)
    if city is not None:
        yield "New York", city


def milliseconds(make: Callable[[], Any], work: Callable[[Any], object], rounds: int) -> list[float]:
    """Times of work on what is made before, after one that is not counted."""
    times = []
    for _ in range(rounds + 1):
        made = make()
        started = time.perf_counter()
        work(made)
        times.append((time.perf_counter() - started) * 1e3)
    return times[1:]


def rounds_of(graph: apsp.Graph, device: str) -> int:
    """The number of batches, or of times that bounds were merged."""
    merge, count = EccentricityBounds.merge, 0

    def counted(*arguments: Any) -> None:
        nonlocal count
        count += 1
        merge(*arguments)

    EccentricityBounds.merge = counted  # type: ignore[method-assign, assignment]
    try:
        apsp.extremes(graph, device=device)
    finally:
        EccentricityBounds.merge = merge  # type: ignore[method-assign]
    return count


def of_calls(name: str, graph: apsp.Graph, device: str) -> Iterator[dict[str, Any]]:
    """A row for the diameter, and one with the radius."""
    expected, found = apsp.extremes(graph), apsp.extremes(graph, device=device)
    assert (found.diameter, found.radius) == (expected.diameter, expected.radius), name
    works = {"diameter": apsp.diameter, "diameter and radius": apsp.extremes}
    for wanted, work in works.items():
        times = milliseconds(lambda: fresh(graph), lambda made, work=work: work(made, device=device), ROUNDS)  # type: ignore[misc]
        yield {
            "what": name, "n": graph.n, "m": graph.m, "method": wanted, "milliseconds": statistics.median(times),
            "spread": [min(times), max(times)], "searches": found.searches, "rounds": rounds_of(graph, device),
        }  # fmt: skip


def of_rounds(name: str, graph: apsp.Graph, device: str) -> Iterator[dict[str, Any]]:
    """A row for each method that takes the graph; the first call, which prepares it, apart."""
    sources = np.random.default_rng(0).choice(graph.n, AT_ONCE, replace=False).astype(np.int32)
    for method in ("label-correcting", "bit-bfs", "elimination"):
        request = Request(sources=AT_ONCE, dtype="int32", device=device, method=method, mode="stream", rows=AT_ONCE)
        try:
            decision = decision_for(graph, request)
        except (MethodRefusedError, MemoryLimitError):
            continue
        plan, made = decision.plan(), fresh(graph)
        started = time.perf_counter()
        solver = prepared(made, plan, None, request)
        with emulated.inside(plan):
            page, wait = allocate(plan.gpus[0], AT_ONCE, graph.n, plan.dtype), jit.cupy().cuda.Device().synchronize
            times = []
            for _ in range(ROUNDS + 1):
                solver.fill(sources, page, None)
                wait()
                times.append((time.perf_counter() - started) * 1e3)
                started = time.perf_counter()
        yield {
            "what": name, "n": graph.n, "m": graph.m, "method": f"{AT_ONCE} rows by {method}",
            "milliseconds": statistics.median(times[1:]), "spread": [min(times[1:]), max(times[1:])],
            "first": times[0], "model": decision.seconds_of(AT_ONCE) * 1e3,
        }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_extremes", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small graphs, to see that everything runs")
    parser.add_argument("--device", default="cuda", help="cuda, cuda:1 or emulated")
    parser.add_argument("--roads", type=Path, help="roads of New York (.gr.xz), if they are not in their usual place")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name, graph in graphs(options.quick, options.roads):
        for row in itertools.chain(of_calls(name, graph, options.device), of_rounds(name, graph, options.device)):
            rows.append(row)
            more = {key: row[key] for key in ("searches", "rounds", "first", "model") if row.get(key)}
            told = ", ".join(f"{key} {value:.4g}" for key, value in more.items())
            print(f"{name:16} n = {row['n']:9,} {row['method']:28} {row['milliseconds']:9.2f} ms  {told}", flush=True)
    if options.write is not None:
        write(options.write, document("gpu_extremes", rows))


if __name__ == "__main__":
    main()
