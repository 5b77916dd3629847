"""Threads that drive GPUs or files."""

from __future__ import annotations

import _thread
import threading

import pytest

from apsp.system.threads import Threads


def test_results_and_errors_arrive():
    with Threads(2, "test") as threads:
        assert list(threads.map(lambda x: x * x, range(20))) == [x * x for x in range(20)]
        failing = threads.submit(lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            failing.result()
        assert threads.submit(lambda: threading.current_thread().name).result().startswith("test_")
    with pytest.raises(RuntimeError, match="shut down"):
        threads.submit(int)
    threads.shutdown()


def test_leaving_waits_for_what_was_submitted():
    gate, done = threading.Event(), []
    with Threads(2, "test") as threads:
        threads.submit(lambda: (gate.wait(), done.append(1)))
        threads.submit(gate.set)
    assert done == [1]


def test_dropping_what_has_not_begun():
    gate, begun = threading.Event(), threading.Event()
    threads = Threads(1, "test")
    running = threads.submit(lambda: (begun.set(), gate.wait()))
    begun.wait()
    waiting = threads.submit(int)
    threads.shutdown(wait=False, cancel_futures=True)
    assert waiting.cancelled()
    gate.set()
    assert running.result()


@pytest.mark.parametrize("there", [0, 1])
def test_fewer_threads_do_the_work(monkeypatch, there):
    start, started = _thread.start_new_thread, []

    def refusing(*arguments):
        if len(started) == there:
            raise RuntimeError("can't start new thread")
        started.append(1)
        return start(*arguments)

    monkeypatch.setattr(_thread, "start_new_thread", refusing)
    with Threads(4, "test") as threads:
        assert list(threads.map(abs, range(-9, 0))) == list(range(9, 0, -1))
    assert len(started) == there


def test_a_thread_that_dies_while_it_starts_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(_thread, "start_new_thread", lambda *_: 1)
    with Threads(4, "test", seconds_to_start=0.01) as threads:
        assert threads.submit(abs, -3).result() == 3
