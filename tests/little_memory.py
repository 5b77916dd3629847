"""Run by test_little_memory: each job under a row of limits on the address space, each in a forked process.

Prints one JSON object: job -> outcomes, 'done', 'refused' (MemoryLimitError) or what went wrong, by the megabytes that
the job had.

Usage: little_memory.py [--short] [BEGINNING_OF_NAME ...]
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import scipy.sparse  # noqa: F401 - what it loads waits for ever where there is no memory

import apsp
from apsp.system.array_device import to_host

MEGABYTES = (0, 0.25, 0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 256, 320, 384, 512, 768)
SHORT = (0, 0.5, 1.5, 3, 6, 12, 32, 96, 768)


def used() -> int:
    """Bytes of address space."""
    words = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmSize"))
    return int(words.split()[1]) * 1024


def outcome(job: Callable[[], Any], megabytes: float) -> str:
    """What becomes of a job that has so many megabytes."""
    said, says = os.pipe()
    child = os.fork()
    if not child:
        os.close(said)
        os.dup2(says, 2)  # of an abort, too
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        limit = used() + int(megabytes * 2**20)
        code = 0
        try:
            resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
            job()
        except apsp.MemoryLimitError:
            code = 4
        except BaseException:
            code = 9
            resource.setrlimit(resource.RLIMIT_AS, (resource.getrlimit(resource.RLIMIT_AS)[1],) * 2)
            traceback.print_exc()
        os._exit(code)
    os.close(says)
    with os.fdopen(said, errors="replace") as words:
        text = words.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {0: "done", 4: "refused"}.get(status, f"status {status}: {text[-1500:]}")


def jobs() -> dict[str, Callable[[], Any]]:
    """Methods, sizes and the rest of the public functions."""
    found: dict[str, Callable[[], Any]] = {}

    def solve(n: int, method: str, device: str = "cpu", **options: Any) -> None:
        graph = apsp.generate("random", n, m=4 * n, seed=1)
        if "bfs" in method:
            graph = graph.unweighted()
        name = " ".join(map(str, (method, n, device, *options)))
        found[name] = lambda: apsp.solve(graph, method=method, device=device, threads=3, **options)

    for n in (40, 700, 2000):
        for method in ("floyd-warshall", "dijkstra", "dijkstra-buckets", "label-correcting", "bfs", "bit-bfs",
                       "johnson", "elimination"):  # fmt: skip
            solve(n, method)
    solve(700, "floyd-warshall", paths=True)
    solve(700, "dijkstra", paths=True)
    for method in ("fw-sequential", "fw-blocked", "reference"):
        solve(150, method)
    for method in ("floyd-warshall", "label-correcting", "bit-bfs", "elimination", "harish-fw", "lab-fw-shared",
                   "katz-kider", "harish-sssp", "okuyama", "johnson-prefix"):  # fmt: skip
        for n in (40, 300):
            solve(n, method, "emulated")
    solve(300, "katz-kider", "emulated:0,1")

    graph = apsp.generate("grid", 900, seed=1)
    result = apsp.solve(graph, paths=True)
    oracle = apsp.prepare(graph)
    folder = Path(tempfile.mkdtemp())
    apsp.write(graph, folder / "graph.gr")
    result.save(folder / "result.npz")
    oracle.save(folder / "oracle.npz")
    found |= {
        "counts": lambda: apsp.profile(graph, method="harish-sssp", sources=range(32), threads=1),
        "stream": lambda: [block.distances.sum() for block in apsp.stream(graph, rows=64)],
        "reachable": lambda: apsp.reachable(graph, device="cpu"),
        "diameter": lambda: apsp.diameter(graph),
        "k_nearest": lambda: apsp.k_nearest(graph, 5),
        "prepare": lambda: apsp.prepare(graph),
        "oracle": lambda: oracle.matrix(),
        "explore": lambda: graph.explore(folder / f"{os.getpid()}.html"),
        "oracle.update": lambda: oracle.update([1] * graph.m),
        "verify": result.verify,
        "paths": lambda: result.paths([0, 1], [5, 6]),
        "next_hops": result.next_hops,
        "to_long": result.to_long,
        "save": lambda: result.save(folder / f"{os.getpid()}.npz"),
        "load": lambda: apsp.load(folder / "result.npz").check(),
        "Oracle.load": lambda: apsp.Oracle.load(folder / "oracle.npz"),
        "read": lambda: apsp.read(folder / "graph.gr"),
        "write": lambda: apsp.write(graph, folder / f"{os.getpid()}.gr"),
        "generate": lambda: apsp.generate("rmat", 3000, m=20000, seed=1),
        "city": lambda: apsp.generate("city", 3000, seed=1),
        "country": lambda: apsp.generate("country", 3000, seed=1),
        "from_edges": lambda: apsp.from_edges(list(range(100_000)), list(range(1, 100_001)), [1.0] * 100_000),
        "to_dense": graph.to_dense,
        "to_scipy": graph.to_scipy,
        "solve_batch": lambda: apsp.solve_batch(to_host(result.distances)[None, :200, :200].repeat(8, axis=0)),
    }
    return found


if __name__ == "__main__":
    is_short = "--short" in sys.argv
    wanted = [each for each in sys.argv[1:] if each != "--short"]
    chosen = {name: job for name, job in jobs().items() if not wanted or any(name.startswith(each) for each in wanted)}
    limits = SHORT if is_short else MEGABYTES
    print(json.dumps({name: {size: outcome(job, size) for size in limits} for name, job in chosen.items()}))
