"""`apsp.spmd` by two ranks of MPI beside one, each with one thread: distances and bits of dense graphs.

The ranks are started once and wait for requests: starting them is not timed, collecting the result in rank 0 is.
`python -m benchmarks.spmd` is the program of a rank.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, Self

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

ROOT = Path(__file__).resolve().parents[1]
ROWS = 8
"""Rows of the result that are compared with searches."""

KINDS = ("distances", "bits")


def graph_of(kind: str, n: int) -> apsp.Graph:
    """A random graph: connected, with lengths in [0, 1), or of many strong components."""
    rng = np.random.default_rng(7)
    tails, heads = rng.integers(0, n, (2, 4 * n if kind == "distances" else 2 * n))
    lengths = rng.random(len(tails)).astype(np.float32) if kind == "distances" else None
    return apsp.from_edges(tails, heads, lengths, n=n)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Distances in float32, and bits."""
    for kind, n in (("distances", 1024 if quick else 8192), ("bits", 2048 if quick else 24_576)):
        with ExitStack() as stack:
            last: dict[str, Any] = {}
            runs = {
                name: partial(kept, last, name, partial(stack.enter_context(Ranks(count)).run, kind, n))
                for name, count in (("two ranks", 2), ("one rank", 1))
            }
            yield Comparison(
                f"{kind}, n = {n:,}, one thread per rank", runs, partial(agree, kind, n), {"one rank": 1.9},
                partial(spent, last),
            )  # fmt: skip


def kept(last: dict[str, Any], name: str, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Run, and remember the seconds of every rank in the last round."""
    last[name] = run()
    return last[name]  # type: ignore[no-any-return]


def spent(last: Mapping[str, Any], _ours: float) -> dict[str, Any]:
    """Seconds of every rank: of the core, and of waiting for others."""
    return {f"{what}, {name}": found[what] for name, found in last.items() for what in ("cpu", "waiting")}


def agree(kind: str, n: int, results: Mapping[str, Any]) -> None:
    """All bits are the same, and some rows are those of searches."""
    two, one = results.values()
    assert two["digest"] == one["digest"]
    graph = graph_of(kind, n)
    found = apsp.solve(graph, sources=rows_of(n), method="dijkstra").distances
    if kind == "distances":
        np.testing.assert_allclose(one["rows"], found, rtol=1e-5)
    else:
        np.testing.assert_array_equal(one["rows"], found != apsp.unreachable(found.dtype))


def rows_of(n: int) -> list[int]:
    """The rows that are compared."""
    rows: list[int] = np.linspace(0, n - 1, ROWS, dtype=np.int64).tolist()
    return rows


class Ranks:
    """Processes that mpiexec starts, and that wait for requests.

    Parameters
    ----------
    count : int
    """

    def __init__(self, count: int) -> None:
        mpiexec = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
        if mpiexec is None:
            raise SystemExit("this benchmark needs mpiexec")
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._process = subprocess.Popen(
            [mpiexec, "-n", str(count), sys.executable, "-m", "benchmarks.spmd"],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, kind: str, n: int) -> dict[str, Any]:
        """Compute once: a digest of the result, some rows, and seconds per rank."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{kind} {n}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the ranks have ended")
        return {**json.loads(line)}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


# -- the program of a rank --------------------------------------------------------------------------------------------


class Clock:
    """Seconds within some functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def timed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, whose seconds are added up."""

        def called(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                self.seconds += time.perf_counter() - started

        return called


def main() -> None:
    """Answer requests until there are no more."""
    from mpi4py import MPI

    from apsp.methods import mpi

    comm, clock = MPI.COMM_WORLD, Clock()
    first = comm.Get_rank() == 0
    mpi._Requests.wait = clock.timed(mpi._Requests.wait)  # type: ignore[method-assign]
    graphs: dict[str, apsp.Graph] = {}
    while request := next_request(comm):
        if first and request not in graphs:
            kind, n = request.split()
            graphs = {request: graph_of(kind, int(n))}
        clock.seconds, cpu = 0.0, time.process_time()
        found = answered(comm, request.split()[0], graphs.get(request))
        seconds = comm.gather((clock.seconds, time.process_time() - cpu))
        if seconds is not None:
            waiting, cpus = zip(*seconds, strict=True)
            print(json.dumps(found | {"waiting": rounded(waiting), "cpu": rounded(cpus)}), flush=True)


def rounded(seconds: tuple[float, ...]) -> list[float]:
    """Milliseconds are enough."""
    return [round(each, 3) for each in seconds]


def answered(comm: Any, kind: str, graph: apsp.Graph | None) -> dict[str, Any]:
    """Solve; the first rank returns what is compared."""
    import apsp.spmd

    if kind == "bits":
        found = apsp.spmd.reachable(graph, comm=comm, block=1024)
        if found is None:
            return {}
        rows = [found.row(row) for row in rows_of(found.n)]
        return {"digest": digest(found.bits), "rows": np.array(rows).tolist()}
    result = apsp.spmd.solve(graph, comm=comm, dtype="float32", block=512)
    if result is None:
        return {}
    return {"digest": digest(result.distances), "rows": result.distances[rows_of(len(result.distances))].tolist()}


def digest(matrix: Any) -> str:
    """Of a part of every row, and of some rows: the digest of all bytes would take as long as small work."""
    sampled = np.ascontiguousarray(matrix[:, :: max(matrix.shape[1] // 16, 1)])
    return hashlib.sha256(sampled.tobytes() + matrix[::97].tobytes()).hexdigest()


def next_request(comm: Any) -> str:
    """Wait for a line without using the core: the other ranks, too."""
    words = np.zeros(64, dtype=np.uint8)
    if comm.Get_rank() == 0:
        line = sys.stdin.readline().strip().encode()
        words[: len(line)] = np.frombuffer(line, dtype=np.uint8)
    arrival = comm.Ibcast(words)
    while not arrival.Test():
        time.sleep(0.001)
    return words.tobytes().rstrip(b"\0").decode()


if __name__ == "__main__":
    main()
