"""All exceptions and warnings of apsp. Each message names the place and the remedy."""

from __future__ import annotations

import contextlib
import contextvars
import copy
import difflib
import errno
import os
import reprlib
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

__all__ = [
    "ApspError",
    "ApspWarning",
    "DeviceError",
    "DtypeRangeError",
    "ExecutorError",
    "FileFormatError",
    "GraphError",
    "MemoryLimitError",
    "MethodRefusedError",
    "MissingDependencyError",
    "MissingFileError",
    "NegativeCycleError",
    "NoArcError",
    "NoPathError",
    "OutputError",
    "PathsNotKeptError",
    "RequestError",
    "RowsMissingError",
    "StoreAccessError",
    "UnknownArgumentError",
    "UnknownMethodError",
    "VerificationError",
    "format_bytes",
    "shown",
    "warn",
    "warn_once",
]


class VertexNames(Protocol):
    """What names the vertices of a graph in messages: its labels."""

    def __getitem__(self, position: int, /) -> object:
        """The label of a vertex."""
        ...

    def word(self, position: int, /) -> str:
        """The label as it stands in messages."""
        ...


class ApspError(Exception):
    """Base class of all errors of this package. They can be pickled, to be raised in other processes."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the arguments of the constructor, which are not stored."""
        return _rebuilt, (type(self), self.args), self.__dict__

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the lines of the caller and the message; causes in a line each.

        The frames of this package are left out, except with ``%xmode Verbose``.
        """
        tables = sys.modules["IPython"].get_ipython().InteractiveTB
        if tables.mode == "Verbose":
            shown_whole: list[str] = tables.structured_traceback(type(self), self, self.__traceback__)
            return shown_whole
        lines: list[str] = tables.structured_traceback(type(self), copy.copy(self), _of_callers(self.__traceback__))
        error: BaseException = self
        while (before := _before(error)) is not None:
            word = "Cause" if before is error.__cause__ else "Raised while handling"
            lines.append(f"{word}: {type(before).__name__}: {before}")
            error = before
        return lines


def _before(error: BaseException) -> BaseException | None:
    """What a traceback shows above an error."""
    return error.__cause__ or (None if error.__suppress_context__ else error.__context__)


_PACKAGE, _LIBRARY = (str(Path(module).parent) + os.sep for module in (__file__, os.__file__))


def _of_callers(traceback: TracebackType | None, left_out: tuple[str, ...] = (_PACKAGE,)) -> TracebackType | None:
    """The frames of callers, and of functions of theirs that this package calls: they may raise its errors, too."""
    if traceback is None:
        return None
    if traceback.tb_frame.f_code.co_filename.startswith(left_out):  # from here on also what other packages call
        return _of_callers(traceback.tb_next, (_PACKAGE, _LIBRARY))
    inner = _of_callers(traceback.tb_next, left_out)
    return TracebackType(inner, traceback.tb_frame, traceback.tb_lasti, traceback.tb_lineno)


def _rebuilt(kind: type[ApspError], args: tuple[Any, ...]) -> ApspError:
    error: ApspError = (OSError if issubclass(kind, OSError) else Exception).__new__(kind, *args)
    error.args = args
    return error


class GraphError(ApspError, ValueError):
    """The arrays do not describe a graph: wrong shape, index out of range, not-a-number, ..."""


class FileFormatError(ApspError, ValueError):
    """A file does not conform to its format. Attributes: `path`, `line` and `column` (1-based; None if unknown).

    Parameters
    ----------
    path : str or Path
        The file; the attribute is a Path.
    problem : str
        Description of the problem, without the position.
    line, column : int, optional
        Position of the problem, counted from 1; None if unknown.
    """

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None, column: int | None = None) -> None:
        self.path = Path(path)
        self.problem = problem
        self.line = line
        self.column = column
        place = str(path)
        if line is not None:
            place += f", line {line}"
        if column is not None:
            place += f", column {column}"
        super().__init__(f"{place}: {problem}")


class MissingFileError(FileFormatError, FileNotFoundError):
    """A file does not exist.

    Parameters
    ----------
    path : str or Path
        The file.
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(path, "the file does not exist")
        self.errno = errno.ENOENT


class RequestError(ApspError, ValueError):
    """An argument of a call is invalid: a source out of range, a negative cutoff, `out` of the wrong shape, ..."""


class DtypeRangeError(RequestError):
    """The requested dtype cannot be proven to hold every distance."""


class NegativeCycleError(ApspError, ValueError):
    """The graph has a cycle of negative length, so shortest distances do not exist.

    Parameters
    ----------
    cycle : sequence of int
        Vertices of one such cycle in order, by their positions in the graph.
    length : int or float, optional
        Length of the cycle (negative), if known.
    labels : Labels, optional
        Labels of the vertices of the graph; None means their positions.
    graph : int, optional
        Number of the graph in a batch.

    Attributes
    ----------
    cycle : list
        The vertices of the cycle in order, as the graph labels them; the first is not repeated at the end.
    positions : list of int
        Their positions in the graph.
    length : int, float or None
        Length of the cycle (negative), if known.
    graph : int or None
        Number of the graph in a batch, counted from 0.
    """

    def __init__(
        self,
        cycle: Sequence[int],
        length: float | None = None,
        labels: VertexNames | None = None,
        graph: int | None = None,
    ) -> None:
        self.positions = [int(v) for v in cycle]
        self.cycle = self.positions if labels is None else [labels[v] for v in self.positions]
        self.length = length
        self.graph = graph
        words = [str(v) if labels is None else labels.word(v) for v in self.positions]
        if len(words) > 12:
            words = [*words[:6], f"... {len(words) - 9} more ...", *words[-3:]]
        shown = " -> ".join([*words, words[0]]) if words else "(not located)"
        size = "" if length is None else f" of length {length:g}"
        place = "" if graph is None else f"graph {graph} of the batch: "
        super().__init__(
            f"{place}negative cycle{size}: {shown}; shortest distances do not exist. "
            "Remove or correct one of these arcs (apsp.reachable still works: it ignores weights)"
        )


class NoArcError(GraphError, KeyError):
    """There is no arc between two vertices. A KeyError, as of other mappings, and a GraphError.

    Parameters
    ----------
    tail, head : object
        The vertices, as the message shows them.
    """

    __str__ = Exception.__str__  # that of KeyError puts the message in quotation marks

    def __init__(self, tail: object, head: object) -> None:
        super().__init__(f"there is no arc from {tail} to {head}")


class NoPathError(ApspError, LookupError):
    """There is no path between the two vertices.

    Parameters
    ----------
    source, target : object
        The vertices, as the message shows them.
    """

    def __init__(self, source: object, target: object) -> None:
        super().__init__(f"there is no path from {source} to {target}")


class PathsNotKeptError(ApspError):
    """The result has no predecessors, and paths cannot be found from its distances alone."""


class RowsMissingError(ApspError, LookupError):
    """Rows of a store have not been computed yet. The message names them."""


class StoreAccessError(ApspError, OSError):
    """A store cannot be read now: a disk, a network, a service or a permission failed. What it holds may be whole."""


class MemoryLimitError(ApspError, MemoryError):
    """The computation needs more memory than is available. Raised before it starts.

    Parameters
    ----------
    what : str
        Description of what needs the memory.
    needed, available : int
        Bytes, which are attributes too.
    remedies : sequence of str
        Changes of the request that would fit.
    """

    def __init__(self, what: str, needed: int, available: int, remedies: Sequence[str]) -> None:
        self.needed = int(needed)
        self.available = int(available)
        fits = "; ".join(remedies)
        super().__init__(
            f"{what} needs {format_bytes(needed)}, but {format_bytes(available)} are available. What would fit: {fits}"
        )


class UnknownMethodError(RequestError):
    """There is no method with this name; the message lists similar names.

    Parameters
    ----------
    name : str
        The name that was given.
    known : iterable of str
        The names that exist.
    """

    def __init__(self, name: str, known: Iterable[str]) -> None:
        super().__init__(f"unknown method {shown(name)}; {_similar(name, sorted(known), 0.5)}")


class UnknownArgumentError(RequestError, TypeError):
    """A function has no argument of this name; the message lists similar names.

    Parameters
    ----------
    function : str
        Name of the function.
    name : str
        The name that was given.
    known : iterable of str
        The names of its arguments.
    """

    def __init__(self, function: str, name: str, known: Iterable[str]) -> None:
        names = list(known)
        other = _ARGUMENTS_ELSEWHERE.get(name)
        if name == "sparse" and "cutoff" in names:
            remedy = "apsp.within(graph, cutoff) returns the pairs within a cutoff as sparse rows"
        else:
            remedy = f"did you mean {other!r}?" if other in names else _similar(name, names, 0.7)
        super().__init__(f"{function}() has no argument {shown(name)}; {remedy}")


_ARGUMENTS_ELSEWHERE = {
    "destinations": "targets",
    "indices": "sources",
    "limit": "cutoff",
    "max_distance": "cutoff",
    "n_jobs": "threads",
    "origins": "sources",
    "return_predecessors": "paths",
}
"""Arguments of other libraries with the same meaning."""


def _similar(name: object, known: list[str], least: float) -> str:
    """Return which of the known names are similar, or all of them."""
    near = difflib.get_close_matches(name[:80] if isinstance(name, str) else "", known, n=3, cutoff=least)
    return f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are: {', '.join(known)}"


class MethodRefusedError(RequestError):
    """The named method cannot be used for this graph or request.

    Parameters
    ----------
    name : str
        Name of the method; the attribute is `method`.
    reason : str
        Why it cannot be used.
    accepting : sequence of str
        Names of methods that can be used.
    """

    def __init__(self, name: str, reason: str, accepting: Sequence[str]) -> None:
        self.method = name
        self.reason = reason
        self.accepting = list(accepting)
        instead = f"methods that accept it: {', '.join(accepting)}" if accepting else "no method accepts this request"
        super().__init__(f"method {name!r} cannot be used: {reason}; {instead}")


class DeviceError(ApspError):
    """The requested device does not exist or cannot be used."""


class ExecutorError(ApspError, RuntimeError):
    """An engine (`executor=`) or one of its workers failed; the message names the cause."""


class MissingDependencyError(ApspError, ImportError):
    """An optional package is not installed.

    Parameters
    ----------
    package : str
        Name of the package.
    purpose : str
        What needs it.
    extra : str, optional
        The extra of apsp that installs it.
    """

    def __init__(self, package: str, purpose: str, extra: str | None = None) -> None:
        install = f"pip install 'apsp[{extra}]'" if extra else f"pip install {package}"
        super().__init__(f"{purpose} needs {package}: {install}")


class OutputError(ApspError, OSError):
    """A result cannot be written. A file that existed before is unchanged."""


class VerificationError(ApspError, AssertionError):
    """A result contradicts its graph. The message names the first vertex pair where it does."""


def format_bytes(count: float) -> str:
    """Format a number of bytes with binary units: 1536 -> '1.5 KiB'."""
    value = float(count)
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if value < 1024 or unit == "TiB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1024
    raise AssertionError("unreachable")


class _Short(reprlib.Repr):
    """A `repr` of bounded length and cost for any value."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel, self.maxlist, self.maxtuple, self.maxset, self.maxdict = 3, 4, 4, 4, 3
        self.maxstring, self.maxother = 80, 80

    def repr_int(self, x: int, level: int) -> str:  # noqa: ARG002
        return repr(x) if x.bit_length() <= 256 else f"an integer of about {int(x.bit_length() * 0.30103) + 1} digits"


def shown(value: object) -> str:
    """Format `value` for a message: its `repr`, cut to a readable length, or its type if `repr` fails."""
    try:
        text = " ".join(_Short().repr(value).split())
    except Exception:
        text = ""
    if not text or len(text) > 200:
        return f"{text[:160]}..." if text else f"a value of type {type(value).__name__}"
    return text


class ApspWarning(UserWarning):
    """An input is ambiguous, or part of it was ignored. The message states what was done and the remedy."""


_issued: contextvars.ContextVar[set[str] | None] = contextvars.ContextVar("issued", default=None)


@contextlib.contextmanager
def warn_once() -> Iterator[None]:
    """Issue a warning of one topic only once per call, for any number of graphs."""
    token = _issued.set(set())
    try:
        yield
    finally:
        _issued.reset(token)


def warn(message: str, topic: str | None = None) -> None:
    """Issue an `ApspWarning` that points at the line outside this package that caused it."""
    issued = _issued.get()
    if issued is not None and topic is not None:
        if topic in issued:
            return
        issued.add(topic)
    level, frame = 1, sys._getframe(0)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "apsp":
        frame, level = frame.f_back, level + 1
    warnings.warn(message, ApspWarning, stacklevel=level)
