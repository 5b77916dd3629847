"""kill -9 in the middle of writing: the old file or the new one is there, whole; pages and stores are resumed."""

from __future__ import annotations

import functools
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
from torture import stores
from torture.children import ANSWERED, in_child
from torture.promise import WrongError
from torture.stores import graph_of, right_distances

__all__ = ["run"]


def _pages(graph: apsp.Graph, place: Path) -> str:
    result = apsp.solve(graph, method="floyd-warshall", dtype="int32", pages_file=place, device="cpu")
    if not np.array_equal(result.distances, right_distances(graph.n)):
        raise WrongError("the distances of a resumed run are wrong")
    return "done"


def _closure_pages(graph: apsp.Graph, place: Path) -> str:
    found = apsp.reachable(graph, pages_file=place, device="cpu").to_numpy()
    if not np.array_equal(found, right_distances(graph.n) != apsp.unreachable("int32")):
        raise WrongError("what a resumed closure reaches is wrong")
    return "done"


def _store(name: str) -> Callable[[apsp.Graph, Path], str]:
    """The values of a store that goes on, to the last bit those of one that nothing interrupts."""

    def run_it(graph: apsp.Graph, place: Path) -> str:
        expected, _ = stores.whole(name, graph.n)
        if stores.resumed(name)(graph, place) != expected:
            raise WrongError(f"the bits of a resumed {name} are others")
        return "done"

    return run_it


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
    if not np.array_equal(result.distances, right_distances(graph.n)):
        raise WrongError("a result holds other distances")
    result.verify()


def _check_oracle(graph: apsp.Graph, place: Path) -> None:
    if not np.array_equal(apsp.Oracle.load(place).rows(), right_distances(graph.n)):
        raise WrongError("an oracle gives other distances")


def _check_graph(graph: apsp.Graph, place: Path) -> None:
    back = apsp.read(place)
    if not (np.array_equal(back.indices, graph.indices) and np.array_equal(back.weights, graph.weights)):
        raise WrongError("a graph came back otherwise")


def _check_matrix(graph: apsp.Graph, place: Path) -> None:
    if not np.array_equal(np.load(place), right_distances(graph.n)):
        raise WrongError("a matrix holds other distances")


def _check_csv(graph: apsp.Graph, place: Path) -> None:
    rows = place.read_text().count("\n") - 1
    reached = int((right_distances(graph.n) != apsp.unreachable("int32")).sum())
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
for _name in stores.CALLS:
    WORKS[f"store of {_name}"] = ("out.zarr", 300, _store(_name), _store(_name))

RESUMED = ("pages", "closure pages", *(f"store of {name}" for name in stores.CALLS))
"""Works that go on where they were; the others leave an old file unchanged until the new one is complete."""


@functools.cache
def _seconds(what: str) -> float:
    """How long a work takes when it is left alone."""
    name, n, work, _ = WORKS[what]
    right_distances(n)
    if what.startswith("store of "):
        stores.whole(what.removeprefix("store of "), n)
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        in_child(lambda: work(graph_of(n), Path(folder) / name))
        return time.perf_counter() - started


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Kill a work once or several times, then do it again and check what is there."""
    rng = random.Random(seed)
    what = rng.choice(list(WORKS))
    name, n, work, check = WORKS[what]
    graph, usual = graph_of(n), _seconds(what)
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
