"""Worker processes: seeds are dealt out to them, crashes and hangs are noticed, and they are started again."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Job", "run_jobs"]

TESTS = Path(__file__).resolve().parents[1]


@dataclass
class Job:
    """Seeds of one kind, from `first` to before `last`."""

    kind: str
    first: int
    last: int
    options: dict[str, Any] = field(default_factory=dict)


def run_jobs(
    jobs: Iterator[Job], workers: int, tell: Callable[[str, dict[str, Any]], None], stop: Callable[[], bool]
) -> None:
    """Run jobs in so many processes.

    Parameters
    ----------
    tell : callable
        Gets the kind and what a worker said: done, counts, failure.
    stop : callable
        Asked often; True ends the run before the next job.
    """
    with tempfile.TemporaryDirectory(prefix="torture-") as folder, selectors.DefaultSelector() as ready:
        busy: list[_Worker] = []
        try:
            for number in range(workers):
                worker = _Worker(Path(folder) / f"worker-{number}", ready)
                if worker.take(jobs, stop):
                    busy.append(worker)
            while busy:
                for key, _ in ready.select(timeout=1.0):
                    worker = key.data
                    if not worker.heard(tell) and not worker.take(jobs, stop):
                        busy.remove(worker)
                if stop():
                    for worker in busy:
                        worker.cut_short()
        finally:
            for worker in busy:
                worker.end()


class _Worker:
    """A process, and the job it is at."""

    def __init__(self, place: Path, ready: selectors.BaseSelector) -> None:
        self.place, self._ready = place, ready
        self.job: Job | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._errors = place.with_suffix(".err")
        self._buffer = b""
        self._cut = False
        self._told = 0  # seeds of the job that it has told of

    def take(self, jobs: Iterator[Job], stop: Callable[[], bool]) -> bool:
        """Begin the next job; False if there is none."""
        self.job = None if stop() else next(jobs, None)
        if self.job is None:
            self.end()
            return False
        self._begin()
        return True

    def _begin(self) -> None:
        assert self.job is not None
        self._told = 0
        if self._process is None:
            self.place.write_bytes(struct.pack("<qq", self.job.first, int(time.time())))
            with self._errors.open("wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "torture.worker", str(self.place)],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors,
                    env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])},
                    start_new_session=True,
                )  # fmt: skip
            assert self._process.stdout is not None
            self._ready.register(self._process.stdout, selectors.EVENT_READ, self)
        assert self._process.stdin is not None
        job = {"kind": self.job.kind, "first": self.job.first, "last": self.job.last, "options": self.job.options}
        self._process.stdin.write(json.dumps(job).encode() + b"\n")
        self._process.stdin.flush()

    def heard(self, tell: Callable[[str, dict[str, Any]], None]) -> bool:
        """Read what it says; False where the job is over."""
        assert self._process is not None
        assert self._process.stdout is not None
        assert self.job is not None
        data = os.read(self._process.stdout.fileno(), 1 << 20)
        if not data:
            return self._died(tell)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        goes_on = True
        for line in lines:
            said = json.loads(line)
            goes_on = goes_on and not said.pop("finished", False)
            self._told += said["done"]
            tell(self.job.kind, said)
        return goes_on

    def _died(self, tell: Callable[[str, dict[str, Any]], None]) -> bool:
        """The process ended in the middle of a seed: report it, and go on behind it."""
        job = self.job
        assert job is not None
        code = self._close()
        if self._cut:
            return False
        seed, _ = struct.unpack("<qq", self.place.read_bytes()[:16])
        errors = self._errors.read_text(errors="replace")[-3000:]
        what = "hang" if code == -signal.SIGALRM else "crash"
        words = f"the process ended with {signal.Signals(-code).name if code < 0 else code}"
        failure = {"kind": job.kind, "seed": seed, "what": what, "where": job.kind, "words": words, "trace": errors}
        tell(job.kind, {"done": seed + 1 - job.first - self._told, "counts": {}, "failure": failure})
        job.first = seed + 1
        if job.first >= job.last:
            return False
        self._begin()
        return True

    def cut_short(self) -> None:
        """Time is up: end it in the middle of its job."""
        if not self._cut and self._process is not None:
            self._cut = True
            os.killpg(self._process.pid, signal.SIGKILL)

    def _close(self) -> int:
        assert self._process is not None
        for stream in (self._process.stdout, self._process.stdin):
            assert stream is not None
        assert self._process.stdout is not None
        self._ready.unregister(self._process.stdout)
        self._process.stdout.close()
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        code = self._process.wait()
        self._process, self._buffer = None, b""
        return code

    def end(self) -> None:
        """No more jobs."""
        if self._process is not None:
            if self.job is not None and self._process.poll() is None:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._close()
