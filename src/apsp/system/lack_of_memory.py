"""Errors of NumPy, the kernels and the system for a lack of memory, converted to one exception."""

from __future__ import annotations

import errno
import functools
import inspect
import types
from collections.abc import Callable, Collection, Generator, Iterable, KeysView
from typing import Any, ParamSpec, TypeVar

import numpy as np

from apsp.errors import ApspError, MemoryLimitError, UnknownArgumentError
from apsp.system.limits import allowed_memory

__all__ = ["is_lack_of_memory", "limit_error", "memory_errors", "unknown_argument", "watched"]

P = ParamSpec("P")
T = TypeVar("T")

_REMEDIES = (
    "fewer threads", "fewer sources at a time (apsp.stream)", "a higher limit (ulimit -v, control groups)",
    "closing other programs",
)  # fmt: skip


def memory_errors(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a public function: raise MemoryLimitError instead of other errors for a lack of memory.

    If the function returns a generator, this includes its iterations. An unknown argument raises UnknownArgumentError.
    """

    @functools.wraps(function)
    def told(*args: P.args, **kwargs: P.kwargs) -> T:
        if kwargs and (known := _names(function)) and not kwargs.keys() <= known:
            raise unknown_argument(_name(function, args), kwargs, known)
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            if not is_lack_of_memory(error):
                raise
            raise limit_error(f"apsp.{_name(function, args)}", error) from error
        if isinstance(result, types.GeneratorType):
            return watched(result, f"apsp.{_name(function, args)}")  # type: ignore[return-value] # T is what the function gives: a generator
        return result

    return told


def _name(function: Callable[..., object], args: tuple[Any, ...]) -> str:
    """The name that a caller knows: of a method that a class inherits, with the name of that class."""
    owner, _, member = function.__qualname__.rpartition(".")
    kinds = type(args[0]).__mro__ if args else ()
    return f"{kinds[0].__name__}.{member}" if owner in {kind.__qualname__ for kind in kinds} else function.__qualname__


@functools.cache
def _names(function: Callable[..., object]) -> KeysView[str] | None:
    """The arguments of a function; None if it takes all."""
    parameters = inspect.signature(function).parameters
    takes_all = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    return None if takes_all else parameters.keys()


def unknown_argument(function: str, given: Iterable[str], known: Collection[str]) -> UnknownArgumentError:
    """Return the error for the first name that is given and not known; ``self`` is not one to give."""
    names = [name for name in known if name != "self"]
    return UnknownArgumentError(function, next(name for name in given if name not in names), names)


def watched(generator: Generator[Any, Any, Any], name: str) -> Generator[Any, Any, Any]:
    """Yield what the generator of a function yields; a lack of memory raises MemoryLimitError."""
    try:
        return (yield from generator)
    except Exception as error:
        if not is_lack_of_memory(error):
            raise
        raise limit_error(name, error) from error


def is_lack_of_memory(error: BaseException) -> bool:
    """Whether an exception of another package means that memory could not be allocated."""
    if isinstance(error, ApspError):
        return False
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    words = str(error) if isinstance(error, (ImportError, OSError, RuntimeError)) else ""
    if any(each in words for each in ("Cannot allocate memory", "failed to map segment", "can't start new thread")):
        return True
    return isinstance(error, ImportError) and error.__cause__ is not None and is_lack_of_memory(error.__cause__)


def limit_error(name: str, error: Exception) -> MemoryLimitError:
    """Return the error of a function (its name) for a lack of memory."""
    try:
        available = allowed_memory()[1]
    except (MemoryError, OSError):
        available = 0
    shape, dtype = getattr(error, "shape", None), getattr(error, "dtype", None)
    needed = 0
    if isinstance(shape, tuple) and isinstance(dtype, np.dtype):  # NumPy states the size that it tried to allocate
        needed = int(np.prod(shape, dtype=np.float64)) * dtype.itemsize
    words = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return MemoryLimitError(f"{name} (during the run: {words})", max(needed, available + 1), available, _REMEDIES)
