"""Grids and roads on one GPU: python -m benchmarks.gpu_elimination [--quick] [--write FILE] [--roads FILE].

`elimination` is a whole call with device='cuda', from the graph in host memory to the result: including ordering and
factor, which are removed before every run (the statistics stay stored with the graph). `oracle` is queried after
`apsp.prepare`, so that only the sweeps are timed. The median of five after one that is not counted; distances stay on
the device. Before anything is timed, sampled rows are compared with Dijkstra's method on the CPU, to the last bit.

The roads are those of New York, as in benchmarks.elimination; a part of them are the first vertices in breadth-first
order.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

import apsp
from apsp.gpu import jit
from apsp.system.array_device import to_host
from benchmarks.elimination import forget_order, new_york
from benchmarks.gpu_run import arguments, document, host_seconds, write

ROUNDS, SAMPLED = 5, 6
PART = 126_146
COUNTRY, SHARE = 11_500_000, 40_000


class Case(NamedTuple):
    """A graph, the dtype of its distances, and whether all of them are kept or only summed up."""

    what: str
    graph: apsp.Graph
    dtype: str
    sums: bool = False


def grid(*sides: int) -> apsp.Graph:
    """Streets along every axis, of lengths 1 to 1,000."""
    at = np.arange(np.prod(sides)).reshape(sides)
    steps = [np.stack([np.moveaxis(at, k, 0)[:-1], np.moveaxis(at, k, 0)[1:]], -1) for k in range(len(sides))]
    ends = np.concatenate([step.reshape(-1, 2) for step in steps])
    lengths = np.random.default_rng(1).integers(1, 1001, len(ends)).astype(np.int32)
    return apsp.from_edges(ends[:, 0], ends[:, 1], lengths, n=at.size, directed=False)


def breadth_first(graph: apsp.Graph, count: int) -> apsp.Graph:
    """The graph of the first vertices, in that order."""
    from scipy.sparse.csgraph import breadth_first_order

    matrix = graph.to_scipy()
    order = breadth_first_order(matrix, 0, directed=False, return_predecessors=False)[:count]
    return apsp.from_scipy(matrix[order][:, order])


def cases(quick: bool, roads: Path | None) -> Iterator[Case]:
    """The inputs."""
    flat, cube, part = (60, 12, 5_000) if quick else (250, 40, PART)
    yield Case(f"grid {flat} x {flat}", grid(flat, flat), "int32")
    yield Case(f"grid {flat} x {flat}", grid(flat, flat), "float32")
    yield Case(f"grid {cube} x {cube} x {cube}", grid(cube, cube, cube), "int32")
    city = new_york(roads)
    if city is None:
        print("roads of New York: not run: the file is not there")
        return
    yield Case("New York, a part, all distances", breadth_first(city, part), "float32")
    if not quick:
        yield Case("New York, diameter and closeness", city, "int32", sums=True)


def whole_calls(case: Case) -> Callable[[], Any]:
    """From the graph to the result; its order is forgotten."""
    options: dict[str, Any] = {"method": "elimination", "device": "cuda", "dtype": case.dtype}

    def work() -> Any:
        forget_order(case.graph)
        if case.sums:
            return apsp.summary(case.graph, **options)
        return apsp.solve(case.graph, **options).distances

    return work


def run(case: Case) -> Iterator[dict[str, Any]]:
    """Rows: verified, timed."""
    sources = np.random.default_rng(0).integers(0, case.graph.n, SAMPLED)
    expected = apsp.solve(case.graph, sources=sources.tolist(), method="dijkstra-buckets", device="cpu").distances
    work = whole_calls(case)
    verify(case, work(), sources, expected)
    yield row_of(case.what, case, "elimination", host_seconds(work, ROUNDS))
    oracle = apsp.prepare(case.graph, dtype=case.dtype, device="cuda")
    ask = oracle.summary if case.sums else oracle.rows
    verify(case, ask(), sources, expected)
    yield row_of(case.what, case, "oracle", host_seconds(ask, ROUNDS))
    if case.sums:
        yield from small_questions(case, oracle)


def small_questions(case: Case, oracle: apsp.Oracle) -> Iterator[dict[str, Any]]:
    """Preparation, and blocks of distances."""

    def prepared() -> None:
        forget_order(case.graph)
        apsp.prepare(case.graph, dtype=case.dtype, device="cuda")

    yield row_of("New York, preparing an oracle", case, "oracle", host_seconds(prepared, ROUNDS))
    some = np.random.default_rng(4).integers(0, case.graph.n, (2, 1000)).tolist()
    small = apsp.prepare(case.graph, dtype=case.dtype).matrix(*some)
    np.testing.assert_array_equal(to_host(oracle.matrix(*some)), small)
    times = host_seconds(lambda: oracle.matrix(*some), ROUNDS)
    yield row_of("New York, 1,000 x 1,000 distances", case, "oracle", times)
    starts, ends = np.random.default_rng(5).integers(0, case.graph.n, (2, 1_000_000))
    pairs = apsp.prepare(case.graph, dtype=case.dtype).distances(starts, ends)
    np.testing.assert_array_equal(oracle.distances(starts, ends), pairs)
    times = host_seconds(lambda: oracle.distances(starts, ends), ROUNDS)
    yield row_of("New York, a million pairs", case, "oracle", times)
    yield from many_pairs(case, starts, ends, pairs)


def many_pairs(
    case: Case, starts: npt.NDArray[Any], ends: npt.NDArray[Any], expected: npt.NDArray[Any]
) -> Iterator[dict[str, Any]]:
    """With labels, in the order 'best': vertices of the host, and of the GPU, where the distances then are."""
    oracle = apsp.prepare(case.graph, dtype=case.dtype, device="cuda", order="best", labels=True)
    forget_order(case.graph)
    there = [jit.cupy().asarray(each.astype(np.int32)) for each in (starts, ends)]
    for words, sides in (("", (starts, ends)), (", on the GPU", there)):
        np.testing.assert_array_equal(to_host(oracle.distances(*sides)), expected)
        times = host_seconds(partial(oracle.distances, *sides), ROUNDS)
        yield row_of(f"New York, a million pairs with labels{words}", case, "oracle", times)


def country(quick: bool) -> Iterator[dict[str, Any]]:
    """A country whose n x n distances are summed up: a share of the sources is timed, `minutes` is for all of them."""
    n, share = (20_000, 2_000) if quick else (COUNTRY, SHARE)
    name, graph = f"country of {n / 1e6:g} M", apsp.generate("country", n)
    case = Case(name, graph, "int32", sums=True)
    began = time.perf_counter()
    oracle = apsp.prepare(graph, dtype="int32", device="cuda")
    prepared = time.perf_counter() - began
    sources = np.sort(np.random.default_rng(0).choice(n, share, replace=False))
    expected = apsp.solve(graph, sources=sources[:SAMPLED].tolist(), method="dijkstra-buckets", device="cpu").distances
    sums = np.where(expected < np.iinfo(np.int32).max, expected, 0).sum(axis=1, dtype=np.int64)

    def ask() -> apsp.Summary:
        return oracle.summary(sources=sources.tolist())

    np.testing.assert_array_equal(ask()["farness"][:SAMPLED], sums)
    yield row_of(f"{name}, preparing an oracle", case, "oracle", [prepared])
    times = host_seconds(ask, ROUNDS)
    row = row_of(f"{name}, closeness of {share:,} sources", case, "oracle", times)
    yield row | {"minutes": statistics.median(times) * n / share / 60}


def verify(case: Case, result: Any, sources: npt.NDArray[Any], expected: npt.NDArray[Any]) -> None:
    """Sampled rows, or what is summed over them."""
    if not case.sums:
        np.testing.assert_array_equal(result[sources].get(), expected)
        return
    sums = expected.sum(axis=1, dtype=np.int64)  # the roads are connected
    np.testing.assert_allclose(result.closeness_centrality("out")[sources], (case.graph.n - 1) / sums, rtol=1e-15)


def row_of(what: str, case: Case, method: str, times: list[float]) -> dict[str, Any]:
    """As it is written to the file."""
    return {
        "what": what, "n": case.graph.n, "m": case.graph.m, "method": method, "kind": case.dtype,
        "milliseconds": statistics.median(times) * 1e3, "spread": [min(times) * 1e3, max(times) * 1e3],
        "verified": True,
    }  # fmt: skip


def main() -> None:
    """Run everything, print a table, and write JSON if requested."""
    options = arguments("gpu_elimination", __doc__, roads="NY.topology.tw.gr.xz, where it lies elsewhere")
    rows: list[dict[str, Any]] = []
    results = document("gpu_elimination", rows)
    found = chain.from_iterable(run(case) for case in cases(options.quick, options.roads))
    for result in chain(found, country(options.quick)):
        rows.append(result)
        whole = f", all sources {result['minutes']:.1f} min" if "minutes" in result else ""
        print(
            f"{result['what']:36} n = {result['n']:7,} {result['method']:12} {result['kind']:8} "
            f"{result['milliseconds']:10.2f} ms{whole}",
            flush=True,
        )
        write(options.write, results)


if __name__ == "__main__":
    main()
