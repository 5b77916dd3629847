"""Tables of `apsp serve`, by clients that ask at the same time, beside the same tables from the oracle in this process.

Tables with distances have the lengths along the fastest paths beside their durations.

The roads are those of `elimination.py`, with numbers of arcs from two far vertices as coordinates, since the file has
none; a generated country of that size has its own. Server, clients and threads share the cores of the machine.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.serving.router import Router
from benchmarks.elimination import new_york
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

POINTS, TABLES, CLIENTS = 100, 200, 4
TARGET = (200, 50)
"""Tables per second, and milliseconds of 99 of 100."""


def with_coordinates(roads: apsp.Graph) -> apsp.Graph:
    """The roads in a plane: numbers of arcs from a vertex far out, and from the one farthest from there."""
    hops = roads.unweighted()
    far = [int(apsp.matrix(hops, 0).distances[0].argmax())]
    rows = []
    for _ in range(2):
        rows.append(apsp.matrix(hops, far[-1]).distances[0].astype(float))
        far.append(int(sum(rows).argmax()))
    shaken = np.stack(rows, axis=1) + np.random.default_rng(0).uniform(-0.4, 0.4, (roads.n, 2))
    return apsp.Graph(roads.indptr, roads.indices, roads.weights, coordinates=shaken, directed=False)


@contextmanager
def server(oracle: apsp.Oracle, crs: str, *options: str) -> Iterator[tuple[str, int]]:
    """A process that serves the oracle."""
    with tempfile.TemporaryDirectory(prefix="apsp-serve-") as folder:
        file = Path(folder) / "oracle.npz"
        oracle.save(file)
        command = [sys.executable, "-m", "apsp", "serve", str(file), "--unit", "s", "--crs", crs, "--port", "0"]
        command += options
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            address = process.stderr.readline().split()[0].removeprefix("http://")
            host, _, port = address.partition(":")
            try:
                yield host, int(port)
            finally:
                process.terminate()


class Clients:
    """Clients with one connection each, which ask for the next table as soon as they have one."""

    def __init__(self, address: tuple[str, int], tables: list[np.ndarray[Any, Any]], options: str = "") -> None:
        self.tables = [";".join(f"{x!r},{y!r}" for x, y in table.tolist()) + options for table in tables]
        self.address, self.latencies = address, list[float]()

    def ask(self) -> list[bytes]:
        """All replies, in the order of the tables."""
        self.latencies = []
        replies: list[bytes] = [b""] * len(self.tables)

        def client(first: int) -> None:
            connection = http.client.HTTPConnection(*self.address)
            for number in range(first, len(self.tables), CLIENTS):
                started = time.perf_counter()
                connection.request("GET", f"/table/v1/driving/{self.tables[number]}")
                replies[number] = connection.getresponse().read()
                self.latencies.append(time.perf_counter() - started)

        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(client, range(CLIENTS)))
        return replies

    def facts(self, seconds: float) -> dict[str, Any]:
        """Tables per second, and the time until a reply."""
        half, most = np.percentile(self.latencies, [50, 99]) * 1e3
        return {
            "tables per second": f"{len(self.tables) / seconds:.0f} (target {TARGET[0]})",
            "half of the replies": f"{half:.0f} ms",
            "99 of 100": f"{most:.0f} ms (target {TARGET[1]})",
        }


def alone(oracle: apsp.Oracle, crs: str, tables: list[np.ndarray[Any, Any]]) -> list[Any]:
    """The same tables by two threads of this process."""

    def one(table: np.ndarray[Any, Any]) -> Any:
        places = oracle.graph.snap(table, crs=crs, speed=np.inf)
        return oracle.matrix(places, places)

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, tables))


def alone_with_distances(router: Router, tables: list[np.ndarray[Any, Any]]) -> list[Any]:
    """Durations and distances by two threads of this process."""

    def one(table: np.ndarray[Any, Any]) -> Any:
        places = router.snapped(table)
        return [router.table(places, places, name) for name in ("duration", "distance")]

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, tables))


def same_tables(results: Mapping[str, Any]) -> None:
    """To the last bit."""
    served, expected = results.values()
    for reply, tables in zip(served, expected, strict=True):
        found = json.loads(reply)
        for name, table in zip(
            ("durations", "distances"), tables if isinstance(tables, list) else [tables], strict=False
        ):
            numbers = np.array(found[name], dtype=float)
            np.testing.assert_array_equal(np.where(np.isnan(numbers), np.inf, numbers), table)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """The roads, and a generated country."""
    count = 3_000 if quick else 264_346
    roads = None if quick else new_york()
    graphs = {"country": apsp.generate("country", count, seed=1)}
    if roads is not None:
        graphs = {"New York": with_coordinates(roads), **graphs}
    for name, graph in graphs.items():
        rng, crs, where = np.random.default_rng(3), "plane", np.asarray(graph.coordinates)
        oracle = apsp.prepare(graph, threads=1)
        tables = [where[rng.integers(0, graph.n, POINTS)] for _ in range(20 if quick else TABLES)]
        with server(oracle, crs) as address:
            clients = Clients(address, tables)
            yield Comparison(
                f"{len(tables)} tables of {POINTS} x {POINTS}, {name}, n = {graph.n:,}",
                {
                    f"apsp serve, {CLIENTS} clients": clients.ask,
                    "snap and Oracle.matrix, two threads": partial(alone, oracle, crs, tables),
                },
                same_tables,
                facts=clients.facts,
            )
        ways = where[graph.tails()] - where[graph.indices]
        oracle = apsp.prepare(graph.with_costs(metres=np.hypot(*ways.T)), threads=1)
        router = Router(oracle, "s", crs=crs, length="metres")
        with server(oracle, crs, "--length", "metres") as address:
            clients = Clients(address, tables, "?annotations=duration,distance")
            yield Comparison(
                f"{len(tables)} tables of {POINTS} x {POINTS} with distances, {name}, n = {graph.n:,}",
                {
                    f"apsp serve --length, {CLIENTS} clients": clients.ask,
                    "the same tables, two threads": partial(alone_with_distances, router, tables),
                },
                same_tables,
                facts=clients.facts,
            )
