"""kill -9 in the middle of writing: the old file or the new one is there, whole; pages and stores are resumed."""

from __future__ import annotations

import functools
import importlib.util
import random
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture.children import ANSWERED, in_child
from torture.promise import WrongError

__all__ = ["run"]


@functools.cache
def _graph(n: int) -> apsp.Graph:
    rng = np.random.default_rng(n)
    return apsp.from_edges(rng.integers(0, n, 4 * n), rng.integers(0, n, 4 * n), rng.integers(1, 1000, 4 * n), n=n)


@functools.cache
def _distances(n: int) -> np.ndarray:
    result = apsp.solve(_graph(n), method="dijkstra", dtype="int32")
    result.verify()
    return np.asarray(result.distances)


def _pages(graph: apsp.Graph, place: Path) -> str:
    result = apsp.solve(graph, method="floyd-warshall", dtype="int32", pages_file=place, device="cpu")
    if not np.array_equal(result.distances, _distances(graph.n)):
        raise WrongError("the distances of a resumed run are wrong")
    return "done"


def _closure_pages(graph: apsp.Graph, place: Path) -> str:
    found = apsp.reachable(graph, pages_file=place, device="cpu").to_numpy()
    if not np.array_equal(found, _distances(graph.n) != apsp.unreachable("int32")):
        raise WrongError("what a resumed closure reaches is wrong")
    return "done"


def _store(graph: apsp.Graph, place: Path) -> str:
    """Go on in a store of many small bands, of which none that is there may be written again."""
    from apsp.api.storing import solving

    solving.band_rows = lambda *_: 16  # type: ignore[assignment]
    before = _shards(place)
    result = apsp.solve(graph, store=place, dtype="int32", paths=True)
    if not before.items() <= _shards(place).items():
        raise WrongError("a shard that was there has been written again")
    if not np.array_equal(result.to_numpy(), _distances(graph.n)):
        raise WrongError("the distances of a resumed store are wrong")
    result.verify()
    left = [path.name for path in place.rglob("*") if path.name.endswith(".part") or path.name == ".claims"]
    if left:
        raise WrongError(f"these were left in the store: {left}")
    return "done"


def _shards(place: Path) -> dict[str, tuple[int, int]]:
    """The shards that complete a band, with what changes if they are written again."""
    found = {path: path.stat() for path in place.glob("distances/c/*/0")}
    return {str(path): (state.st_ino, state.st_mtime_ns) for path, state in found.items()}


def _result(graph: apsp.Graph, place: Path) -> str:
    apsp.solve(graph, dtype="int32", paths=True).save(place)
    return "done"


def _oracle(graph: apsp.Graph, place: Path) -> str:
    apsp.prepare(graph, dtype="int32").save(place)
    return "done"


def _graph_file(graph: apsp.Graph, place: Path) -> str:
    apsp.write(graph, place)
    return "done"


def _command(name: str) -> Callable[[apsp.Graph, Path], str]:
    """`apsp solve -o`, in blocks."""

    def run_it(graph: apsp.Graph, place: Path) -> str:
        from apsp.cli.main import main

        source = place.with_name("graph.npz")
        if not source.exists():
            apsp.write(graph, source)
        code = main(["solve", str(source), "-o", str(place), "--dtype", "int32", "-q"])
        if code != 0:
            raise WrongError(f"apsp solve ended with {code}")
        return "done"

    run_it.__name__ = name
    return run_it


def _check_result(graph: apsp.Graph, place: Path) -> None:
    result = apsp.load(place)
    if not np.array_equal(result.distances, _distances(graph.n)):
        raise WrongError("a result holds other distances")
    result.verify()


def _check_oracle(graph: apsp.Graph, place: Path) -> None:
    if not np.array_equal(apsp.Oracle.load(place).rows(), _distances(graph.n)):
        raise WrongError("an oracle gives other distances")


def _check_graph(graph: apsp.Graph, place: Path) -> None:
    back = apsp.read(place)
    if not (np.array_equal(back.indices, graph.indices) and np.array_equal(back.weights, graph.weights)):
        raise WrongError("a graph came back otherwise")


def _check_matrix(graph: apsp.Graph, place: Path) -> None:
    if not np.array_equal(np.load(place), _distances(graph.n)):
        raise WrongError("a matrix holds other distances")


def _check_csv(graph: apsp.Graph, place: Path) -> None:
    rows = place.read_text().count("\n") - 1
    reached = int((_distances(graph.n) != apsp.unreachable("int32")).sum())
    if rows != reached:
        raise WrongError(f"{rows} pairs in the .csv, and {reached} have a path")


WORKS: dict[str, tuple[str, int, Callable[..., str], Callable[..., None]]] = {
    "pages": ("pages", 500, _pages, _pages),
    "closure pages": ("bits", 500, _closure_pages, _closure_pages),
    "result": ("out.npz", 400, _result, _check_result),
    "oracle": ("out.npz", 150, _oracle, _check_oracle),
    "graph": ("out.gr.gz", 500, _graph_file, _check_graph),
    "npz": ("out.npz", 300, _command("npz"), _check_result),
    "npy": ("out.npy", 400, _command("npy"), _check_matrix),
    "csv": ("out.csv", 200, _command("csv"), _check_csv),
}
if importlib.util.find_spec("zarr") is not None:
    WORKS["store"] = ("out.zarr", 400, _store, _store)

RESUMED = ("pages", "closure pages", "store")
"""Works that go on where they were; the others leave an old file unchanged until the new one is complete."""


@functools.cache
def _seconds(what: str) -> float:
    """How long a work takes when it is left alone."""
    name, n, work, _ = WORKS[what]
    _distances(n)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        in_child(lambda: work(_graph(n), Path(folder) / name))
        return time.perf_counter() - started


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Kill a work once or several times, then do it again and check what is there."""
    rng = random.Random(seed)
    what = rng.choice(list(WORKS))
    name, n, work, check = WORKS[what]
    graph, usual = _graph(n), _seconds(what)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / name
        old = b"precious" if rng.random() < 0.5 and what not in RESUMED else None
        if old is not None:
            place.write_bytes(old)
        try:
            for _ in range(rng.choice((1, 1, 2, 3))):
                ended = in_child(lambda: work(graph, place), kill_after=rng.uniform(0, 1.1 * usual))
                counts[f"killed {what}" if ended.killed else f"survived {what}"] += 1
                if not ended.killed and ended.code != ANSWERED:
                    raise WrongError(f"a run after a kill ended with {ended.code}: {ended.words[-1500:]}")
                if what not in RESUMED and place.exists() and (old is None or place.read_bytes() != old):
                    check(graph, place)
                elif old is not None and not place.exists():
                    raise WrongError("the old file is gone")
            ended = in_child(lambda: work(graph, place))
            if ended.code != ANSWERED:
                raise WrongError(f"the run after the kills ended with {ended.code}: {ended.words[-1500:]}")
            check(graph, place)
            left = {path.name for path in Path(folder).iterdir()} - {name, "graph.npz"}
            if left:
                raise WrongError(f"these were left behind: {sorted(left)}")
        except WrongError as error:
            return {"what": "wrong", "where": f"kill {what}", "words": str(error)}
        except Exception as error:
            words = f"{type(error).__name__}: {error}"
            return {"what": "foreign", "where": f"kill {what}", "words": words, "trace": traceback.format_exc()}
    return None
