"""Little memory and full disks: an answer, or an error of apsp; what was on the disk before is still there."""

from __future__ import annotations

import random
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsp
from torture.children import FOREIGN, in_child
from torture.draw import Scope, draw
from torture.full_stores import full_disk_of_a_store
from torture.memory import limit_memory
from torture.stores import CALLS, graph_of

__all__ = ["run"]


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """A random limit on a random work, in a child."""
    rng = random.Random(seed)
    kinds = (_little_memory, _full_disk, *([full_disk_of_a_store] if CALLS else []))
    (chosen,) = rng.choices(kinds, (0.6, 0.25, 0.15)[: len(kinds)])
    return chosen(rng, seed, counts)


def _little_memory(rng: random.Random, seed: int, counts: Counter[str]) -> dict[str, Any] | None:
    """`ulimit -v`: a little more than the process has."""
    case = draw(seed, Scope(most=60))
    room = int(2 ** rng.uniform(12, 26))
    n = rng.choice((0, 0, 300, 1500))
    call = dict(case.calls[0])
    door = rng.choice(("solve", "solve", "prepare", "summary", "reachable", "stream"))
    method = call.get("method", "auto")
    graph = graph_of(n) if n else case.graph()
    method = method if not n or apsp.plan(graph).method != "reference" else "auto"

    def before() -> None:
        limit_memory(room)

    def work() -> str:
        threads = call.get("threads")
        if door == "solve":
            apsp.solve(graph, method=method if not n else "auto", paths=call.get("paths", False), threads=threads)
        elif door == "prepare":
            apsp.prepare(graph, threads=threads).rows()
        elif door == "summary":
            apsp.summary(graph, threads=threads, bins=16)
        elif door == "stream":
            for _ in apsp.stream(graph, threads=threads):
                pass
        else:
            apsp.reachable(graph, threads=threads)
        return "done"

    ended = in_child(work, before=before)
    counts[f"memory {_word(ended.code)}"] += 1
    return _judged(ended, f"{door} {method if door == 'solve' else ''} with {room} bytes more, n={graph.n}", "memory")


_WRITERS: dict[str, Callable[[apsp.Graph, Path], object]] = {
    "out.npz": lambda graph, place: apsp.solve(graph, paths=True).save(place),
    "oracle.npz": lambda graph, place: apsp.prepare(graph).save(place),
    "graph.gr": lambda graph, place: apsp.write(graph, place),
    "graph.npz": lambda graph, place: apsp.write(graph, place),
    "graph.graphml.gz": lambda graph, place: apsp.write(graph, place),
    "graph.csv": lambda graph, place: apsp.write(graph, place),
    "pages": lambda graph, place: apsp.solve(graph, method="floyd-warshall", pages_file=place, device="cpu"),
    "bits": lambda graph, place: apsp.reachable(graph, pages_file=place, device="cpu"),
}


def _full_disk(rng: random.Random, seed: int, counts: Counter[str]) -> dict[str, Any] | None:
    """Files that cannot become larger than a limit."""
    name = rng.choice(list(_WRITERS))
    graph = graph_of(rng.choice((20, 90, 300)))
    limit = int(2 ** rng.uniform(0, 20))

    def before() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / name
        precious = name not in ("pages", "bits") and rng.random() < 0.5
        if precious:
            place.write_bytes(b"precious")
        ended = in_child(lambda: str(_WRITERS[name](graph, place)), before=before)
        counts[f"disk {_word(ended.code)}"] += 1
        failure = _judged(ended, f"{name} with files of at most {limit} bytes, n={graph.n}", "disk")
        if failure is None and ended.code != 0:
            left = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
            if name in ("pages", "bits"):
                left.pop(name, None)
            if left != ({name: b"precious"} if precious else {}):
                sizes = {k: len(v) for k, v in left.items()}
                failure = {"what": "wrong", "where": f"disk {name}", "words": f"left behind, or changed: {sizes}"}
        return failure


def _word(code: int) -> str:
    return {0: "answered", 10: "refused"}.get(code, "failed")


def _judged(ended: Any, words: str, where: str) -> dict[str, Any] | None:
    if ended.code in (0, 10):
        return None
    what = "foreign" if ended.code == FOREIGN else "crash"
    last = ended.words.strip().splitlines()[-1] if ended.words.strip() else "no words"
    return {"what": what, "where": where, "words": f"{words}: ended with {ended.code}: {last}", "trace": ended.words}
