"""Changed weights and periods of an oracle on one GPU: python -m benchmarks.gpu_changes [--quick] [--write FILE]
[--roads FILE].

`Oracle.update` of the roads of New York (as in benchmarks.elimination) and of a city, with new weights of all arcs and
of 100, on the GPU and on all cores of the same machine; `apsp.prepare` of 96 periods, the order known. A call ends when
the next row of distances is there. The median of five after one that is not counted. Before anything is timed, rows of
both are compared.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.system.array_device import to_host
from benchmarks.elimination import few_others, new_york
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, PERIODS = 5, 96
WAYS = ("cuda", "cpu")


def updates(what: str, graph: apsp.Graph) -> Iterator[dict[str, Any]]:
    """Rows: verified, timed."""
    oracles = {way: apsp.prepare(graph, device=way, dtype="int32") for way in WAYS}
    assert graph.weights is not None
    longer = graph.weights * 2
    for name, weights in (
        ("new weights of all arcs", alternating(graph.weights, longer)),
        ("new weights of 100", few_others(graph)),
    ):
        row = {"what": what, "n": graph.n, "change": name}
        given = [next(weights) for _ in range(ROUNDS + 2)]
        for oracle in oracles.values():
            oracle.update(given[0])
        compare(*(oracle.rows([1, graph.n // 2]) for oracle in oracles.values()))
        for way, oracle in oracles.items():
            remaining = iter(given[1:])

            def work(oracle: apsp.Oracle = oracle, remaining: Iterator[npt.NDArray[Any]] = remaining) -> None:
                oracle.update(next(remaining))
                oracle.rows([1])

            row |= timed(way, work)
        yield row


def alternating(*weights: npt.NDArray[Any]) -> Iterator[npt.NDArray[Any]]:
    """The same sets of weights in turn, as other arrays."""
    while True:
        yield from (each.copy() for each in weights)


def periods(what: str, graph: apsp.Graph, count: int, largest: int) -> Iterator[dict[str, Any]]:
    """Rows: verified, timed. The smaller weights, the narrower the dtype."""
    rng = np.random.default_rng(2)
    shares = rng.uniform(0.5, 1.0, count)
    arcs = np.maximum(graph.arc_weights(np.int64) * largest // 1000, 1)
    day = graph.with_periods([np.maximum((arcs * share).astype(np.int64), 1) for share in shares])
    here = {way: apsp.prepare(day, device=way, dtype="uint16" if largest < 100 else "int32") for way in WAYS}
    compare(*(oracle.rows([1, 2]) for oracle in here.values()))
    row = {"what": what, "n": graph.n, "change": f"{count} periods in {here['cpu'].dtype}"}
    for way, oracle in here.items():

        def work(way: Any = way, dtype: str = oracle.dtype.name) -> None:
            apsp.prepare(day, device=way, dtype=dtype).rows([1], period=0)

        row |= timed(way, work)
    yield row


def compare(found: Any, expected: Any) -> None:
    """Both are the same, to the last bit."""
    np.testing.assert_array_equal(to_host(found), to_host(expected))


def timed(way: str, work: Callable[[], None]) -> dict[str, Any]:
    """Milliseconds, median and spread."""
    times = host_seconds(work, ROUNDS)
    name = "GPU" if way == "cuda" else "CPU"
    return {
        f"{name}, ms": round(statistics.median(times) * 1e3, 2),
        f"{name}, spread": [round(min(times) * 1e3, 2), round(max(times) * 1e3, 2)],
    }


def rows_of(quick: bool, roads: Path | None) -> Iterator[dict[str, Any]]:
    """All rows."""
    city = apsp.generate("city", 5_000 if quick else 1_000_000, seed=1)
    graph = new_york(roads)
    if graph is None:
        print("roads of New York: not run: the file is not there")
    else:
        yield from updates("New York", graph)
        yield from periods("New York", graph, 6 if quick else PERIODS, 60)
        yield from periods("New York", graph, 6 if quick else PERIODS, 1000)
    yield from updates("city", city)


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_changes", __doc__, roads="NY.topology.tw.gr.xz, where it lies elsewhere")
    rows: list[dict[str, Any]] = []
    results = document("gpu_changes", rows)
    for row in rows_of(options.quick, options.roads):
        rows.append(row)
        there, here = row["GPU, ms"], row["CPU, ms"]
        print(f"{row['what']:9} n = {row['n']:9,} {row['change']:24} {there:9.2f} ms, CPU {here:9.2f} ms", flush=True)
        write(options.write, results)


if __name__ == "__main__":
    main()
