"""Standard streams that are closed or full: reported as an error of this package, without a traceback."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from apsp.errors import OutputError
from apsp.system.engine.launcher import started_rank

__all__ = ["checked_streams", "nowhere", "silence_stdout", "silenced", "wait_for_words_of_the_first"]

_STARTING = 5.0
"""Seconds by which the first of several processes may start later than others."""


@contextlib.contextmanager
def checked_streams() -> Iterator[None]:
    """Within the context, writing to a standard output that is closed or full raises OutputError.

    Text that cannot be written to standard error is dropped.
    """
    _take_closed_descriptors()
    before = sys.stdout, sys.stderr
    output, words = _Output(before[0]), _Words(before[1])
    sys.stdout, sys.stderr = output, words
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        if output.fault is not None:
            silence_stdout()
        if words.has_failed:
            _silence(2)


def silence_stdout() -> None:
    """Prevent a second error when the interpreter flushes standard output at exit."""
    _silence(1)


def _silence(descriptor: int) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


@contextlib.contextmanager
def silenced(arguments: Sequence[str]) -> Iterator[None]:
    """Within the context, nothing is printed if this is not the first of the processes that run a command together."""
    with nowhere() if _is_silent(arguments) else contextlib.nullcontext():
        yield


def wait_for_words_of_the_first(arguments: Sequence[str]) -> None:
    """Wait before an error ends a process that is silent: the first one has to say why.

    torchrun and Open MPI end all processes when one has failed, this one when the first has. Processes that MPI
    connects wait for each other when they end.
    """
    if _is_silent(arguments) and "mpi4py.MPI" not in sys.modules:
        with contextlib.suppress(KeyboardInterrupt):
            time.sleep(_STARTING)


def _is_silent(arguments: Sequence[str]) -> bool:
    return "--spmd" in arguments and started_rank() > 0


@contextlib.contextmanager
def nowhere() -> Iterator[None]:
    """Within the context, nothing is printed."""
    with (
        Path(os.devnull).open("w", encoding="utf-8") as null,
        contextlib.redirect_stdout(null),
        contextlib.redirect_stderr(null),
    ):
        yield


def _take_closed_descriptors() -> None:
    """Open the null device in place of closed standard streams: the next opened file would get their numbers."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


class _Stream(io.TextIOBase):
    """Forwards writes to another stream; None if the process has none."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        return getattr(self._stream, "errors", None) or "strict"

    def fileno(self) -> int:
        if self._stream is None:
            raise io.UnsupportedOperation("the stream is closed")
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()

    def writable(self) -> bool:
        return True


class _Output(_Stream):
    fault: str | None = None
    """Reason why nothing can be written any more."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream)
        if stream is None:
            self.fault = "it is closed"

    def write(self, text: str) -> int:
        if not isinstance(text, str):  # click writes bytes to find out the type of the stream
            raise TypeError("a text stream does not accept bytes")
        if not text:
            return 0
        return int(self._do(lambda stream: stream.write(_writable(text, self.encoding))))

    def flush(self) -> None:
        if self.fault is None:
            self._do(lambda stream: stream.flush())

    def _do(self, act: Callable[[TextIO], Any]) -> Any:
        if self._stream is not None and self.fault is None:
            try:
                return act(self._stream)
            except BrokenPipeError:
                raise
            except OSError as error:
                self.fault = error.strerror or str(error)
        raise OutputError(f"cannot write standard output: {self.fault}")


class _Words(_Stream):
    has_failed = False
    """Some text could not be written: what the interpreter has to say at exit could not be, either."""

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("a text stream does not accept bytes")
        try:
            if self._stream is not None:
                self._stream.write(_writable(text, self.encoding))
        except OSError:
            self.has_failed = True
        return len(text)

    def flush(self) -> None:
        # not a global variable: an object that lives until the interpreter ends is flushed after modules are cleared
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError:
            self.has_failed = True


def _writable(text: str, encoding: str) -> str:
    """Return the text with escapes for characters that the encoding lacks: file names may contain any bytes."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text
