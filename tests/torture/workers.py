"""kill -9 of workers of an engine, or of its caller: the same call gives the same bits, and nothing is left over."""

from __future__ import annotations

import functools
import importlib.util
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext, suppress
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture import stores
from torture.children import ANSWERED, REFUSED, Ended, in_child
from torture.promise import WrongError

__all__ = ["run"]

_N = 300
_SECONDS_TO_END = 20.0


def _solve(graph: apsp.Graph, place: Path, executor: Any) -> stores.Arrays:
    result = apsp.solve(graph, store=place, dtype="int32", paths=True, method="reference", threads=1, executor=executor)
    return np.asarray(result.distances), np.asarray(result.predecessors)


def _harmonic(graph: apsp.Graph, place: Path, executor: Any) -> stores.Arrays:
    return (apsp.harmonic_centrality(graph, direction="out", store=place, threads=1, executor=executor),)


def _sums(graph: apsp.Graph, place: Path, executor: Any) -> stores.Arrays:
    found = apsp.summary(graph, method="reference", columns=True, threads=1, executor=executor)
    return found.eccentricity, found.farness("out"), found.farness("in")


_Call = Callable[[apsp.Graph, Path, Any], stores.Arrays]
_CALLS: dict[str, _Call] = {"sums": _sums}
if stores.CALLS:
    _CALLS |= {"store of solve": _solve, "store of harmonic_centrality": _harmonic}


def _loky() -> Any:
    from loky import ProcessPoolExecutor as Loky

    return Loky(2)


_ENGINES: dict[str, Callable[[], Any]] = {
    "processes": lambda: nullcontext("processes"),
    "concurrent.futures": lambda: ProcessPoolExecutor(2, get_context("fork")),
}
if importlib.util.find_spec("loky") is not None:
    _ENGINES["loky"] = _loky


def _digest(call: _Call, engine: str | None, graph: apsp.Graph, place: Path) -> str:
    with nullcontext() if engine is None else _ENGINES[engine]() as executor:
        return stores.digest(stores.keeping(lambda graph, place: call(graph, place, executor))(graph, place))


@functools.cache
def _expected(what: str) -> str:
    """The digest of one process that nothing interrupts."""
    with tempfile.TemporaryDirectory() as folder:
        ended = in_child(lambda: _digest(_CALLS[what], None, stores.graph_of(_N), Path(folder) / "out.zarr"))
    if ended.code != ANSWERED:
        raise WrongError(f"one process ended with {ended.code}: {ended.words[-1500:]}")
    return ended.words


def _processes(group: int) -> list[int]:
    """The processes of a group that live, without its first one and those that only look after semaphores."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            state, _, of = (folder / "stat").read_text().rpartition(")")[2].split()[:3]
            mine = int(of) == group != int(folder.name) and state != "Z"
            if mine and b"resource_tracker" not in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found


class _Killer:
    """Kills processes of a caller at random moments, and sees what is left of them."""

    def __init__(self, rng: random.Random, engine: str, what: str, counts: Counter[str], *, kills: int) -> None:
        self._rng, self._engine, self._what, self._counts = rng, engine, what, counts
        self._left = kills
        self.has_killed = False

    def __call__(self, caller: int) -> None:
        writing, guard = _guard(caller)
        try:
            for _ in range(self._left):
                self._sleep(caller)
                self._kill(caller)
            os.waitid(os.P_PID, caller, os.WEXITED | os.WNOWAIT)
            if self._engine == "processes":  # other engines do not end where their caller is killed
                self._wait_for_end(caller)
        finally:
            os.close(writing)
            os.waitpid(guard, 0)

    def _sleep(self, caller: int) -> None:
        """Until there are workers, and then a moment."""
        while not _ended(caller) and not _processes(caller):
            time.sleep(0.005)
        moments = (0.01, 0.05, 0.2) if self._engine == "concurrent.futures" else (0.05, 0.5, 1.0)  # a fork is quick
        time.sleep(self._rng.choice(moments) * self._rng.random())

    def _kill(self, caller: int) -> None:
        is_caller = self._rng.random() < 0.25
        among = [caller] if is_caller else _processes(caller)
        if _ended(caller) or not among:
            self._counts[f"survived {self._engine}, {self._what}"] += 1
            return
        with suppress(ProcessLookupError):
            os.kill(self._rng.choice(among), signal.SIGKILL)
            self.has_killed = True
            self._counts[f"killed {'caller' if is_caller else 'worker'} of {self._engine}, {self._what}"] += 1

    def _wait_for_end(self, caller: int) -> None:
        end = time.monotonic() + _SECONDS_TO_END
        while _processes(caller):
            if time.monotonic() > end:
                raise WrongError(f"{len(_processes(caller))} processes live longer than their caller")
            time.sleep(0.02)


def _guard(group: int) -> tuple[int, int]:
    """Start a process that kills a group when a pipe is closed, also by the end of this process."""
    reading, writing = os.pipe()
    guard = os.fork()
    if guard == 0:
        os.setsid()
        os.close(writing)
        os.read(reading, 1)
        with suppress(ProcessLookupError):
            os.killpg(group, signal.SIGKILL)
        os._exit(0)
    os.close(reading)
    return writing, guard


def _ended(child: int) -> bool:
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Kill workers or the caller of a call several times, then make the same call and check what is there."""
    rng = random.Random(seed)
    engine, what = rng.choice(list(_ENGINES)), rng.choice(list(_CALLS))
    graph = stores.graph_of(_N)
    try:
        expected = _expected(what)
        with tempfile.TemporaryDirectory() as folder:
            place, temporary = Path(folder) / "out.zarr", Path(folder) / "temporary"
            temporary.mkdir()

            def begin() -> None:
                os.setpgid(0, 0)
                os.environ["TMPDIR"] = tempfile.tempdir = str(temporary)

            def called(kills: int) -> tuple[Ended, bool]:
                killer = _Killer(rng, engine, what, counts, kills=kills)
                ended = in_child(
                    lambda: _digest(_CALLS[what], engine, graph, place), before=begin, meanwhile=killer
                )  # fmt: skip
                if ended.code == ANSWERED and ended.words != expected:
                    raise WrongError("the bits are others")
                return ended, killer.has_killed

            for kills in rng.choice(((1,), (1, 2), (3,), (2, 1))):
                ended, has_killed = called(kills)
                lost = ended.killed or (ended.code == REFUSED and ended.words.startswith("ExecutorError: "))
                if ended.code != ANSWERED and not (has_killed and lost):
                    raise WrongError(f"a call with kills ended with {ended.code}: {ended.words[-1500:]}")
            ended, _ = called(0)
            if ended.code != ANSWERED:
                raise WrongError(f"the call after the kills ended with {ended.code}: {ended.words[-1500:]}")
            left = [path.name for path in temporary.glob("apsp-*")]
            if left:
                raise WrongError(f"these were left behind: {left}")
    except WrongError as error:
        return {"what": "wrong", "where": f"kill {engine}, {what}", "words": str(error)}
    return None
