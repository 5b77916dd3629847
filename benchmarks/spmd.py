"""`apsp.spmd` by two ranks of MPI beside one, and two of torchrun, with one thread: distances and bits.

The ranks are started once and wait for requests: starting them is not timed, collecting the result in rank 0 is.
`python -m benchmarks.spmd FOLDER` is the program of a rank, which reads the requests in a folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Self

import numpy as np

import apsp
from benchmarks.harness import Comparison

__all__ = ["Ranks", "comparisons", "environment", "mpiexec", "requests"]

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
            ranks = {"two ranks": Ranks(mpiexec(2)), "one rank": Ranks(mpiexec(1))}
            if importlib.util.find_spec("torch") is not None:
                ranks["two ranks of torchrun"] = Ranks(torchrun(2))
            runs = {
                name: partial(kept, last, name, partial(stack.enter_context(each).run, kind, n))
                for name, each in ranks.items()
            }
            yield Comparison(
                f"{kind}, n = {n:,}, one thread per rank", runs, partial(agree, kind, n),
                {"one rank": 1.9} if kind == "distances" else {}, partial(spent, last),
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
    one = results["one rank"]
    assert all(found["digest"] == one["digest"] for found in results.values())
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


def mpiexec(ranks: int) -> list[str]:
    """The command that starts ranks of MPI."""
    found = shutil.which("mpiexec", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if found is None:
        raise SystemExit("this benchmark needs mpiexec")
    return [found, "-n", str(ranks), sys.executable]


def environment() -> dict[str, str]:
    """The environment of the ranks: Open MPI starts them as root, too, which containers need, and on all cores.

    By default it binds each of two to a core, on which a worker would prepare for its GPU alone.
    """
    as_root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    unbound = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none"}
    return {**os.environ, **as_root, **unbound, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def torchrun(ranks: int) -> list[str]:
    """The command that starts ranks of torch.distributed."""
    return [sys.executable, "-m", "torch.distributed.run", "--nproc-per-node", str(ranks)]


class Ranks:
    """Processes that a launcher starts, and that wait for requests.

    Parameters
    ----------
    launcher : list of str
    program : str
        Arguments of the interpreter, before the folder of the requests.
    """

    def __init__(self, launcher: list[str], program: Sequence[str] = ("-m", "benchmarks.spmd")) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="apsp-bench-"))
        self._requests = 0
        self._process = subprocess.Popen(
            [*launcher, *program, str(self._folder)],
            cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(self, kind: str, n: int) -> dict[str, Any]:
        """Compute once: a digest of the result, some rows, and seconds per rank."""
        assert self._process.stdout is not None
        self._request(f"{kind} {n}")
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("the ranks have ended")
        return {**json.loads(line)}

    def _request(self, words: str) -> None:
        part = self._folder / "part"
        part.write_text(words)
        part.rename(self._folder / str(self._requests))
        self._requests += 1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._request("")
        self._process.wait()
        shutil.rmtree(self._folder)


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
    from apsp.methods import mpi, torch_distributed
    from apsp.spmd.starting import joined

    clock = Clock()
    for waited in (mpi._Requests, torch_distributed._Works):
        waited.wait = clock.timed(waited.wait)  # type: ignore[method-assign]
    graphs: dict[str, apsp.Graph] = {}
    with joined() as comm:
        for request in requests(Path(sys.argv[1])):
            if comm.rank == 0 and request not in graphs:
                kind, n = request.split()
                graphs = {request: graph_of(kind, int(n))}
            clock.seconds, cpu = 0.0, time.process_time()
            found = answered(comm, request.split()[0], graphs.get(request))
            waiting, cpus = zip(*comm.allgather((clock.seconds, time.process_time() - cpu)), strict=True)
            if comm.rank == 0:
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


def requests(folder: Path) -> Iterator[str]:
    """Wait for requests without using the core, until one is empty."""
    for number in count():
        path = folder / str(number)
        while not path.exists():
            time.sleep(0.001)
        words = path.read_text()
        if not words:
            return
        yield words


if __name__ == "__main__":
    main()
