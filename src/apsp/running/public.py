"""The decorator of the public functions that run work."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields
from types import GeneratorType
from typing import ParamSpec, TypeVar

from apsp.facts.request import Request
from apsp.running.docstrings import described
from apsp.system.lack_of_memory import is_lack_of_memory, limit_error, unknown_argument, watched

__all__ = ["public"]

P = ParamSpec("P")
T = TypeVar("T")

_DEFAULTS = {field.name: field.default for field in fields(Request)}


def public(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate a public function, whose last parameter may be ``**keywords: Unpack[...]``: see `apsp.facts.keywords`.

    Its signature and its docstring then show every keyword, with the default of `Request`. An unknown argument
    raises UnknownArgumentError, and a lack of memory MemoryLimitError.
    """
    signature = inspect.signature(function)
    own = list(signature.parameters.values())
    options: tuple[inspect.Parameter, ...] = ()
    if own[-1].kind is inspect.Parameter.VAR_KEYWORD:
        kind = own.pop().annotation.removeprefix("Unpack[").removesuffix("]")
        options = _parameters(function.__globals__[kind])
    known = {each.name: None for each in (*own, *options)}.keys()
    name, public_name = function.__qualname__, f"apsp.{function.__qualname__}"

    @functools.wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        if kwargs and not kwargs.keys() <= known:
            raise unknown_argument(name, kwargs, known)
        try:
            result = function(*args, **kwargs)
        except Exception as error:
            if not is_lack_of_memory(error):
                raise
            raise limit_error(public_name, error) from error
        return watched(result, public_name) if isinstance(result, GeneratorType) else result  # type: ignore[return-value]

    checked.__signature__ = signature.replace(parameters=(*own, *options))  # type: ignore[attr-defined]
    checked.__doc__ = described(function.__doc__, [each.name for each in options])
    return checked


@functools.cache
def _parameters(kind: type) -> tuple[inspect.Parameter, ...]:
    """The parameters of the keywords of a TypedDict."""
    return tuple(
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS[name], annotation=hint.__forward_arg__
        )
        for name, hint in kind.__annotations__.items()
    )
