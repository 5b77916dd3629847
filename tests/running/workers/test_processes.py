"""Processes that are replaced when they end, and whose tasks are tried again."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import apsp
from apsp.facts.request import Request
from apsp.running.run import compute_blocks
from apsp.running.workers.distribution import Distribution
from apsp.running.workers.row_job import RowJob
from apsp.system.engine.processes import LostProcessError, Processes

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed")


@pytest.fixture
def pool():
    with Processes(2) as found:
        yield found


@pytest.fixture
def graph():
    return apsp.generate("random", 300, m=900, weights=(1, 50), seed=5)


def square(number):
    """Square."""
    return number * number


def kill_until(path, times):
    """Kill this process so many times, then return the numbers of all processes."""
    with Path(path).open("a") as file:
        file.write(f"{os.getpid()}\n")
    pids = Path(path).read_text().split()
    if len(pids) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return pids


class UnpicklableError(Exception):
    """Cannot be sent."""

    def __init__(self, text):
        super().__init__(text)
        self.lock = threading.Lock()


def fail(kind):
    """Raise."""
    raise {"plain": ValueError, "odd": UnpicklableError, "exit": SystemExit}[kind]("words")


def test_results_and_errors(pool):
    assert list(pool.map(square, range(40))) == [number * number for number in range(40)]
    with pytest.raises(ValueError, match="words"):
        pool.submit(fail, "plain").result()
    for kind in ("odd", "exit"):
        with pytest.raises((RuntimeError, SystemExit), match="words"):
            pool.submit(fail, kind).result()
    for odd in (threading.Lock(), threading.Lock):  # neither can be sent: the function, and what it returns
        with pytest.raises((pickle.PicklingError, TypeError, AttributeError, RuntimeError)):
            pool.submit(odd).result()
    assert pool.submit(square, 3).result() == 9


@pytest.mark.slow
@pytest.mark.parametrize("times", [1, 2])
def test_a_task_that_kills_its_process_is_tried_again(pool, tmp_path, times):
    others = [pool.submit(square, number) for number in range(10)]
    pids = pool.submit(kill_until, tmp_path / "pids", times).result()
    assert len(set(pids)) == times + 1
    assert [other.result() for other in others] == [number * number for number in range(10)]


@pytest.mark.slow
def test_a_task_that_always_kills_its_process(pool, tmp_path):
    before = pool.submit(square, 2)
    bad = [pool.submit(kill_until, tmp_path / f"pids{k}", 99) for k in range(3)]
    others = [pool.submit(square, number) for number in range(10)]
    for each in bad:
        with pytest.raises(LostProcessError, match=r"3 processes ended .*\(SIGKILL, SIGKILL, SIGKILL\), the last one"):
            each.result(timeout=60)
    assert before.result() == 4
    assert [other.result() for other in others] == [number * number for number in range(10)]
    assert len((tmp_path / "pids0").read_text().split()) == 3


@pytest.mark.slow
def test_a_process_that_is_killed_while_it_starts(pool):
    found = pool.submit(square, 3)
    for child in multiprocessing.active_children():
        os.kill(child.pid, signal.SIGKILL)
    assert found.result() == 9


@pytest.mark.slow
def test_the_end():
    pool = Processes(1)
    first = pool.submit(time.sleep, 0.5)
    while not first.running():
        time.sleep(0.01)
    second = pool.submit(square, 2)
    children = {child.pid for child in multiprocessing.active_children()}
    pool.shutdown(cancel_futures=True)
    assert first.result() is None
    with pytest.raises(CancelledError):
        second.result()
    assert not children & {child.pid for child in multiprocessing.active_children()}
    with pytest.raises(RuntimeError, match="have ended"):
        pool.submit(square, 2)
    with Processes(2) as pool:
        others = [pool.submit(square, number) for number in range(5)]
    assert all(other.done() for other in others)  # without cancel_futures they are done


@dataclass(frozen=True)
class Dying:
    """Blocks, except that a task kills its process."""

    path: str
    times: int

    def __call__(self, rows, start, stop, progress):
        """Compute them, or die."""
        if start == 100:
            kill_until(self.path, self.times)
        return compute_blocks(rows, start, stop, progress)


def outcomes(graph, path, times):
    distribution = Distribution(RowJob(graph, None, None, Request(executor="processes", rows=50)))
    return list(distribution.outcomes(Dying(str(path), times)))


def test_a_worker_that_dies_once(graph, tmp_path):
    found = outcomes(graph, tmp_path / "pids", 1)
    assert [each[0] for each in found] == list(range(0, 300, 50))
    rows = np.concatenate([block.distances for _, _, blocks in found for block in blocks])
    assert np.array_equal(rows, apsp.solve(graph).distances)


@pytest.mark.slow
def test_a_worker_that_always_dies(graph, tmp_path):
    with pytest.raises(apsp.ExecutorError) as raised:
        outcomes(graph, tmp_path / "pids", 99)
    words = str(raised.value)
    assert "a worker of processes failed at the rows 100 to 149: 3 processes ended" in words
    assert "The usual cause is lack of memory" in words
    assert "threads=" in words


@pytest.mark.slow
def test_a_measure_with_a_killed_worker(graph):
    """From outside, by its number."""
    killed = []

    def kill(stage, done, total):
        if not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    found = apsp.summary(graph, executor="processes", progress=kill)
    assert killed
    assert np.array_equal(found.eccentricity, apsp.eccentricity(graph))
    assert found.farthest_pair == apsp.summary(graph).farthest_pair


@pytest.mark.slow
def test_a_store_with_a_killed_worker(tmp_path, monkeypatch):
    pytest.importorskip("zarr")
    from apsp.api.stored import solving

    monkeypatch.setattr(solving, "band_rows", lambda *_: 16)
    graph, killed = apsp.generate("city", 800, seed=1), []

    def kill(stage, done, total):
        if done > 100 and not killed:
            killed.append(multiprocessing.active_children()[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    place = tmp_path / "out.zarr"
    result = apsp.solve(graph, method="reference", store=place, executor="processes", progress=kill)
    assert killed
    assert np.array_equal(np.asarray(result.distances), apsp.solve(graph).distances)
    assert not list(place.rglob(".claims"))
    assert not list(place.rglob("*.part"))


SCRIPT = """
import apsp
apsp.summary(apsp.generate('city', 100), executor='processes')
"""


def test_a_script_without_a_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode != 0
    assert "In a script, the call must stand below if __name__ == '__main__':" in done.stderr.splitlines()[-1]
    assert "memory" not in done.stderr.splitlines()[-1]
