"""Values that are computed once hold no lock meanwhile."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest

import apsp
from apsp.system.cached import cached_property

SOURCE = Path(apsp.__file__).parent


class Slow:
    """An object whose value takes until `go` is set."""

    def __init__(self, go: threading.Event) -> None:
        self.go, self.begun, self.count = go, threading.Event(), 0

    @cached_property
    def value(self) -> object:
        self.begun.set()
        self.go.wait()
        self.count += 1
        return object()


def test_objects_do_not_wait_for_each_other() -> None:
    now, later = threading.Event(), threading.Event()
    now.set()
    waiting, quick = Slow(later), Slow(now)
    thread = threading.Thread(target=lambda: waiting.value)
    thread.start()
    waiting.begun.wait()
    other = threading.Thread(target=lambda: quick.value, daemon=True)
    other.start()
    other.join(30)
    is_held = other.is_alive()
    later.set()
    thread.join()
    assert not is_held
    assert waiting.value is waiting.value
    assert (waiting.count, quick.count) == (1, 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
@pytest.mark.filterwarnings("ignore:This process.*is multi-threaded:DeprecationWarning")
def test_a_child_that_is_forked_meanwhile() -> None:
    now, later = threading.Event(), threading.Event()
    now.set()
    waiting = Slow(later)
    thread = threading.Thread(target=lambda: waiting.value)
    thread.start()
    waiting.begun.wait()
    child = os.fork()
    if child == 0:  # pragma: no cover
        signal.alarm(30)
        os._exit(0 if Slow(now).value is not None else 1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    later.set()
    thread.join()
    assert code == 0


def test_all_threads_get_the_first_value() -> None:
    go = threading.Event()
    slow, found = Slow(go), []
    threads = [threading.Thread(target=lambda: found.append(slow.value)) for _ in range(4)]
    for thread in threads:
        thread.start()
    slow.begun.wait()
    go.set()
    for thread in threads:
        thread.join()
    if sys.version_info < (3, 12):
        assert len(set(map(id, found))) == 1
    assert slow.value in found


def test_the_package_uses_no_other() -> None:
    for path in SOURCE.rglob("*.py"):
        if path != SOURCE / "system" / "cached.py":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"functools\.cached_property|from functools import .*cached_property", text), path
