"""What all functions of the backend have in common: which kind they are, and how errors leave them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, ParamSpec, TypeVar

from apsp.errors import ApspError, MemoryLimitError
from apsp.system.lack_of_memory import memory_errors

__all__ = ["FUNCTIONS", "Function", "Kind", "of_networkx"]

P = ParamSpec("P")
T = TypeVar("T")

Kind = Literal["measure", "local", "lengths", "paths", "source", "pair", "ranked", "closure", "regular", "composed"]
"""What a function computes and returns: numbers from all distances, or from those among the neighbours of each node;
all distances, all paths, those of one source (or of a set of them), those of one pair; all
paths of one pair; a graph with an edge for every
pair that has a path; numbers that few graphs have; or what other functions of NetworkX return, which it calls."""


@dataclass(frozen=True)
class Function:
    """What `can_run` and `should_run` know of a function.

    Attributes
    ----------
    kind : Kind
    parameters : dict
        Names and defaults, in their order, without the graph.
    weight : str or None
        The parameter that names the lengths of edges.
    callables : bool
        The lengths may be those of a function.
    """

    kind: Kind
    parameters: dict[str, Any]
    weight: str | None
    callables: bool

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Names and values of all arguments but the graph, those that were not given included."""
        return self.parameters | dict(zip(self.parameters, args[1:], strict=False)) | kwargs


FUNCTIONS: dict[str, Function] = {}
"""Every function of the backend, by the name under which NetworkX dispatches it."""


def of_networkx(kind: Kind, *, callables: bool = True) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Decorate the replacement of the function of NetworkX that has the same name.

    Errors of this package become NotImplementedError, on which NetworkX runs its own function. A lack of memory remains
    what it is.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        _, *parameters = inspect.signature(function).parameters.values()
        defaults = {parameter.name: parameter.default for parameter in parameters}
        weight = next((name for name in ("weight", "distance") if name in defaults), None)
        FUNCTIONS[function.__name__] = Function(kind, defaults, weight, callables)

        careful = memory_errors(function)

        @functools.wraps(function)
        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            G: Any = args[0] if args else kwargs["G"]
            G.begin()
            try:
                return careful(*args, **kwargs)
            except MemoryLimitError:
                raise  # NetworkX would need far more
            except ApspError as error:
                raise NotImplementedError(str(error)) from error

        return run

    return decorate
