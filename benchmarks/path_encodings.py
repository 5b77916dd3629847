"""Encodings for graph transformers: python -m benchmarks.path_encodings [--device cuda] [--graphs N] [--write FILE].

Molecule-like graphs of 9 to 50 vertices, random trees with rings, about 1.1 n edges: hops and the first 5 edges of
every path, by `apsp.torch.encodings_by_size`. The time is that from the edge lists on the device to the encodings on
the device, in groups of graphs of similar size; the graphs are made before, PIECE at a time. Before they are timed,
some encodings are checked: distances are those of the peer, and the edges of every path are contiguous.

The collate function makes padded batches of BATCH graphs in this process, as a worker of a DataLoader does.

The peer is Graphormer's algorithm as a numba function: Floyd-Warshall with the vertex between, then the path of each
pair by recursion (a stack here), one graph after the other on each core; Graphormer's own is one thread of Cython.

--graphs 1000000 is the full run; the default, 20,000, is scaled up to a million in "s per million".
"""

from __future__ import annotations

import argparse
import importlib.util
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from benchmarks.harness import Comparison, Row, compare, print_table, write_json

__all__ = ["comparisons"]

GRAPHS, QUICK_GRAPHS, PIECE = 20_000, 500, 100_000
BATCH = 256
EDGES = 5
"""Edges kept per path, as in Graphormer."""

NO_PATH = 510
TARGETS = {"cpu": 60.0, "cuda": 10.0}
"""Seconds for a million graphs."""


class Molecules(NamedTuple):
    """Graphs as in a batch of PyG: both arcs of every edge, vertices counted through all graphs; NumPy arrays."""

    sizes: Any
    first: Any
    edge_index: Any
    starts: Any
    """First arc of each graph, and the number of all arcs."""


def molecules(count: int, seed: int) -> Molecules:
    """Trees in which each vertex hangs on one of the three before it, and rings of 5 or 6 vertices that join some."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(9, 51, count)
    first = np.cumsum(sizes) - sizes
    graph = np.repeat(np.arange(count), sizes)
    own = np.arange(len(graph)) - first[graph]
    back = 1 + np.minimum(rng.integers(0, 3, len(graph)), np.maximum(own - 1, 0))
    closing = (own >= 6) & (rng.random(len(graph)) < 0.17)
    vertex = np.arange(len(graph))
    tails = np.concatenate((vertex[own > 0], vertex[closing]))
    heads = np.concatenate(((vertex - back)[own > 0], (vertex - rng.integers(4, 6, len(graph)))[closing]))
    order = np.argsort(graph[tails], kind="stable")
    tails, heads = tails[order], heads[order]
    edge_index = np.stack((np.stack((tails, heads), 1).ravel(), np.stack((heads, tails), 1).ravel()))
    starts = np.concatenate(([0], np.cumsum(np.bincount(graph[edge_index[0]], minlength=count))))
    return Molecules(sizes, first, edge_index, starts)


class Tensors(NamedTuple):
    """The same on a device."""

    edge_index: Any
    batch: Any
    graphs: int


def on_device(given: Molecules, device: str) -> Tensors:
    import torch

    batch = np.repeat(np.arange(len(given.sizes)), given.sizes)
    return Tensors(torch.tensor(given.edge_index, device=device), torch.tensor(batch, device=device), len(given.sizes))


def by_apsp(given: Tensors, *, keep: bool = True) -> list[Any]:
    """Groups of graphs and their encodings; without `keep` they are dropped, as by a program that uses them."""
    import torch

    import apsp.torch

    cuda = given.batch.device.type == "cuda"
    groups = apsp.torch.encodings_by_size(given.edge_index, given.batch, num_graphs=given.graphs, max_path_edges=EDGES)
    kept = [group for group in groups if keep]
    if cuda:
        torch.cuda.synchronize()
    return kept


def by_numba() -> Any:
    """Graphormer's two functions per graph: distances and edges of all pairs, graph after graph in flat arrays."""
    import numba

    @numba.njit(parallel=True)  # type: ignore[untyped-decorator]
    def encode(sizes: Any, first: Any, edge_index: Any, starts: Any, places: Any, distances: Any, edges: Any) -> None:
        for graph in numba.prange(len(sizes)):
            n = sizes[graph]
            dist, between = np.full((n, n), NO_PATH, np.int64), np.full((n, n), -1, np.int64)
            number = np.full((n, n), -1, np.int64)
            for arc in range(starts[graph + 1] - 1, starts[graph] - 1, -1):
                tail, head = edge_index[0, arc] - first[graph], edge_index[1, arc] - first[graph]
                dist[tail, head] = 1
                number[tail, head] = arc
            for i in range(n):
                dist[i, i] = 0
            for k in range(n):
                for i in range(n):
                    through = dist[i, k]
                    for j in range(n):
                        if through + dist[k, j] < dist[i, j]:
                            dist[i, j] = through + dist[k, j]
                            between[i, j] = k
            stack = np.empty((n + 1, 2), np.int64)
            for i in range(n):
                for j in range(n):
                    place = places[graph] + i * n + j
                    distances[place] = dist[i, j]
                    edges[place] = -1
                    if i == j or dist[i, j] >= NO_PATH:
                        continue
                    stack[0] = i, j
                    depth, step = 1, 0
                    while depth > 0 and step < EDGES:
                        depth -= 1
                        a, b = stack[depth]
                        k = between[a, b]
                        if k < 0:
                            edges[place, step] = number[a, b]
                            step += 1
                        else:
                            stack[depth] = k, b
                            stack[depth + 1] = a, k
                            depth += 2

    def run(given: Molecules) -> Any:
        pairs = given.sizes**2
        places = np.cumsum(pairs) - pairs
        distances, edges = np.empty(pairs.sum(), np.int32), np.empty((pairs.sum(), EDGES), np.int32)
        encode(given.sizes, given.first, given.edge_index, given.starts, places, distances, edges)
        return places, distances, edges

    return run


def same(given: Molecules, results: Mapping[str, Any]) -> None:
    """Distances are those of the peer; the edges of both are contiguous, and as many as the distance."""
    ours, *peers = results.values()
    first, edge_index = given.first, given.edge_index
    for graphs, found in ours:
        numbers = graphs.cpu().numpy()
        distances, edges = found.distances.cpu().numpy(), found.edges.cpu().numpy()
        for position in range(0, len(numbers), max(len(numbers) // 50, 1)):
            graph, n = numbers[position], given.sizes[numbers[position]]
            encoded = [(distances[position, :n, :n], edges[position, :n, :n])]
            for places, theirs, along in peers:
                part = slice(places[graph], places[graph] + n * n)
                encoded.append((theirs[part].reshape(n, n), along[part].reshape(n, n, EDGES)))
            for dist, path in encoded:
                np.testing.assert_array_equal(dist, encoded[-1][0])
                assert np.array_equal((path >= 0).sum(2), np.where(dist == NO_PATH, 0, np.minimum(dist, EDGES)))
                at, targets = np.indices((n, n))
                for step in range(EDGES):
                    goes = path[:, :, step] >= 0
                    tails, heads = edge_index[:, path[:, :, step]] - first[graph]
                    assert np.array_equal(tails[goes], at[goes])
                    at = np.where(goes, heads, at)
                ended = dist <= EDGES
                assert np.array_equal(at[ended], targets[ended])


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Some graphs on the CPU, if PyTorch is installed."""
    if importlib.util.find_spec("torch") is None:
        print("path_encodings: not run: PyTorch is not installed")
        return
    yield _comparison(QUICK_GRAPHS if quick else GRAPHS, "cpu")
    yield collating(QUICK_GRAPHS if quick else GRAPHS // 4)


def by_collater(graphs: list[Any]) -> list[Any]:
    """Padded batches, with one thread."""
    import torch

    import apsp.torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as PyTorch does in a worker
    try:
        collate = apsp.torch.ShortestPathCollater(apsp.torch.ShortestPathEncoding(max_path_edges=EDGES, threads=1))
        return [collate(graphs[first : first + BATCH]) for first in range(0, len(graphs), BATCH)]
    finally:
        torch.set_num_threads(threads)


def collating(count: int) -> Comparison:
    """The collate function alone: distances beside those of `by_apsp`."""
    import torch

    given = molecules(count, seed=1)
    graphs = []
    for graph, (n, first) in enumerate(zip(given.sizes.tolist(), given.first.tolist(), strict=True)):
        edges = given.edge_index[:, given.starts[graph] : given.starts[graph + 1]] - first
        graphs.append(SimpleNamespace(edge_index=torch.tensor(edges), num_nodes=n))
    groups = by_apsp(on_device(given, "cpu"))

    def agree(results: Mapping[str, Any]) -> None:
        batches = results["ShortestPathCollater"]
        for numbers, found in groups:
            for position, number in enumerate(numbers.tolist()):
                n = given.sizes[number]
                one = batches[number // BATCH]["distances"][number % BATCH, :n, :n]
                assert torch.equal(one, found.distances[position, :n, :n])

    name = f"{count:,} molecules in batches of {BATCH}, one thread"
    contestants = {"ShortestPathCollater": partial(by_collater, graphs)}
    return Comparison(name, contestants, agree, facts=partial(_rate, count, None))


def _comparison(count: int, device: str) -> Comparison:
    given = molecules(count, seed=1)
    contestants: dict[str, Callable[[], Any]] = {"apsp.torch": partial(by_apsp, on_device(given, device))}
    if importlib.util.find_spec("numba") is not None:
        contestants["numba, Graphormer's loops"] = partial(by_numba(), given)
    name = f"{count:,} molecules, distances and path edges, {device}"
    return Comparison(name, contestants, partial(same, given), facts=partial(_rate, count, device))


def _rate(count: int, device: str | None, seconds: float) -> dict[str, Any]:
    target = "" if device is None else f" (target {TARGETS[device]:g})"
    return {"graphs/s": f"{count / seconds:,.0f}", "s per million": f"{seconds / count * 1e6:.1f}{target}"}


def whole(count: int, device: str) -> Row:
    """All graphs in pieces, which are made between the timed calls; a thousand untimed ones first."""
    by_apsp(on_device(molecules(1000, seed=0), device), keep=False)
    seconds = 0.0
    for seed, start in enumerate(range(0, count, PIECE), 1):
        given = on_device(molecules(min(PIECE, count - start), seed), device)
        began = time.perf_counter()
        by_apsp(given, keep=False)
        seconds += time.perf_counter() - began
    name = f"{count:,} molecules, all of them, {device}"
    return Row(name, {"apsp.torch": seconds}, {"apsp.torch": (seconds, seconds)}, 1, {}, _rate(count, device, seconds))


def main() -> None:
    """Compare and check on some graphs, then run all of them if more are requested."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.path_encodings", description=__doc__)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--graphs", type=int, default=GRAPHS, help=f"graphs to encode (default {GRAPHS:,})")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of the comparison (default 5)")
    parser.add_argument("--quick", action="store_true", help="few graphs, to see that everything runs")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    options = parser.parse_args()
    compared = QUICK_GRAPHS if options.quick else min(options.graphs, GRAPHS)
    rows = [compare(_comparison(compared, options.device), options.rounds)]
    if options.device == "cpu":
        rows.append(compare(collating(compared // 4 or 1), options.rounds))
    if options.graphs > compared and not options.quick:
        rows.append(whole(options.graphs, options.device))
    print_table(rows)
    if options.write is not None:
        write_json(options.write, shlex.join(["python", "-m", "benchmarks.path_encodings", *sys.argv[1:]]), rows)


if __name__ == "__main__":
    main()
