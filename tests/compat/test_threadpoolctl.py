"""Limits of threadpoolctl apply to the threads of this package."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

pytest.importorskip("threadpoolctl", "3.2")

import threadpoolctl

import apsp
import apsp.threadpoolctl
from apsp.system.machine import threads_from

GRAPH = apsp.generate("random", 3000, m=12_000, seed=1)


@pytest.fixture(autouse=True)
def four_cores(monkeypatch):
    for variable in ("APSP_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("apsp.system.machine.allowed_cores", lambda *_: 4)
    monkeypatch.setattr("apsp.compat.threadpoolctl.allowed_cores", lambda *_: 4)
    apsp.threadpoolctl.register()
    apsp.threadpoolctl.register()


def ours():
    return [library for library in threadpoolctl.threadpool_info() if library["user_api"] == "apsp"]


def test_it_is_listed_once():
    (library,) = ours()
    assert (library["num_threads"], library["version"]) == (4, apsp.__version__)


@pytest.mark.parametrize("options", [{}, {"user_api": "apsp"}])
def test_limits_are_obeyed_and_removed(options):
    with threadpoolctl.threadpool_limits(2, **options):
        assert threads_from(None) == 2
        assert apsp.plan(GRAPH, method="dijkstra").threads <= 2
        assert threads_from(3) == 3
        with threadpoolctl.threadpool_limits(1, **options):
            assert apsp.plan(GRAPH).threads == 1
            assert "threadpoolctl allows 1 of 4 threads" in apsp.plan(GRAPH).explain()
        assert threads_from(None) == 2
    assert threads_from(None) == 4


def test_limits_of_other_libraries_are_not_ours():
    with threadpoolctl.threadpool_limits(1, user_api="blas"):
        assert threads_from(None) == 4


def test_a_limit_applies_to_the_variable_too(monkeypatch):
    monkeypatch.setenv("APSP_NUM_THREADS", "3")
    assert ours()[0]["num_threads"] == 3
    with threadpoolctl.threadpool_limits(2):
        assert threads_from(None) == 2
    assert threads_from(None) == 3
    monkeypatch.setenv("APSP_NUM_THREADS", "many")
    assert ours()[0]["num_threads"] == 4


def test_a_limit_of_one_thread_is_not_that_of_others():
    seen = []
    with threadpoolctl.threadpool_limits(1):
        thread = threading.Thread(target=lambda: seen.append(threads_from(None)))
        thread.start()
        thread.join()
        assert threads_from(None) == 1
    assert seen in ([4], [1])  # 1 where threads inherit the context: free-threaded Python 3.14


def test_import_without_threadpoolctl_names_it():
    code = "import sys; sys.modules['threadpoolctl'] = None; import apsp.threadpoolctl"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "MissingDependencyError: apsp.threadpoolctl needs threadpoolctl: pip install threadpoolctl" in done.stderr


@pytest.mark.parametrize("number", [0, -1])
def test_the_lowest_limit_is_one_thread(number):
    with threadpoolctl.threadpool_limits({"apsp": number}):
        assert threads_from(None) == 1
        assert apsp.plan(GRAPH).threads == 1
    assert threads_from(None) == 4
