"""Standard streams that may be closed or full: an error of this package, and no trace of Python's own."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any, TextIO

from apsp.errors import OutputError

__all__ = ["checked_streams", "silence_stdout"]


@contextlib.contextmanager
def checked_streams() -> Iterator[None]:
    """For the duration of a command: writing to a standard output that is closed or full raises OutputError.

    What cannot be written to standard error is dropped: there is no one to tell.
    """
    _take_closed_descriptors()
    before = sys.stdout, sys.stderr
    output = _Output(before[0])
    sys.stdout, sys.stderr = output, _Words(before[1])
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        if output.fault is not None:
            silence_stdout()


def silence_stdout() -> None:
    """Let the interpreter, which flushes standard output once more at exit, find no fault then."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _take_closed_descriptors() -> None:
    """Give the numbers of closed standard streams to the null device: the next file that is opened would get them."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


class _Stream(io.TextIOBase):
    """What is written goes to another stream; None where the process has none."""

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
    """Why nothing can be written any more."""

    def __init__(self, stream: TextIO | None) -> None:
        super().__init__(stream)
        if stream is None:
            self.fault = "it is closed"

    def write(self, text: str) -> int:
        if not isinstance(text, str):  # click tries, to see what the stream takes
            raise TypeError("a stream of text takes no bytes")
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
    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError("a stream of text takes no bytes")
        with contextlib.suppress(OSError):
            if self._stream is not None:
                self._stream.write(_writable(text, self.encoding))
        return len(text)

    def flush(self) -> None:
        try:  # no name of a module: one that lives as long as the interpreter is flushed after modules are emptied
            if self._stream is not None:
                self._stream.flush()
        except OSError:
            pass


def _writable(text: str, encoding: str) -> str:
    """The text, with escapes for what the encoding does not have: names of files may hold any bytes."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text
