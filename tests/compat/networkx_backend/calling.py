"""Calls of a function of NetworkX and of its replacement, and what counts as the same answer."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import networkx as nx
import pytest

from apsp.compat.networkx import backend


class Left:
    """The call is left to NetworkX, for this reason."""

    def __init__(self, reason: Any) -> None:
        self.reason = reason


def ours(name: str, G: Any, *args: Any, **kwargs: Any) -> Any:
    """What the dispatcher of NetworkX gets from the backend: an answer, an error, or a call left to NetworkX."""
    able = backend.can_run(name, (G, *args), kwargs)
    if able is not True:
        return Left(able)
    try:
        return consumed(getattr(backend, name)(backend.convert_from_nx(G), *args, **kwargs))
    except NotImplementedError as error:
        return Left(str(error))
    except Exception as error:
        return error


def theirs(name: str, G: Any, *args: Any, **kwargs: Any) -> Any:
    """The answer of NetworkX, or its error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of what the next version returns
        try:
            return consumed(getattr(nx, name)(G, *args, backend="networkx", **kwargs))
        except Exception as error:
            return error


def consumed(answer: Any) -> Any:
    return dict(answer) if isinstance(answer, Iterator) else answer


def same(mine: Any, expected: Any, *, floats: bool = False) -> None:
    """Equal values, types, keys and errors; floats up to rounding.

    `floats`: among weights that are floats, a sum that NetworkX has as an integer (0, mostly) may be an equal float.
    """
    if isinstance(expected, Exception):
        assert type(mine) is type(expected), (mine, expected)
        assert str(mine) == str(expected)
    elif isinstance(expected, Mapping):
        assert isinstance(mine, dict), mine
        assert mine.keys() == expected.keys()
        for key, value in expected.items():
            same(mine[key], value, floats=floats)
    elif isinstance(expected, (list, tuple)):
        assert type(mine) is type(expected), mine
        assert len(mine) == len(expected)
        for one, other in zip(mine, expected, strict=True):
            same(one, other, floats=floats)
    elif isinstance(expected, float):
        assert type(mine) in (float, int), mine
        assert mine == pytest.approx(expected, rel=1e-12, nan_ok=True)
    else:
        assert type(mine) is type(expected) or (floats and type(mine) is float), (mine, expected)
        assert mine == expected


def unordered(answer: Any) -> Any:
    """Predecessors in an order of their own."""
    if isinstance(answer, tuple):
        return tuple(map(unordered, answer))
    if isinstance(answer, dict):
        return {key: sorted(value, key=repr) if isinstance(value, list) else value for key, value in answer.items()}
    return sorted(answer, key=repr) if isinstance(answer, list) else answer


def path_length(G: Any, path: list[Any], weight: str | None) -> Any:
    """The length of a path, whose edges must exist."""
    total = 0
    for u, v in pairwise(path):
        bundle = G[u][v].values() if G.is_multigraph() else [G[u][v]]
        total += 1 if weight is None else min(data.get(weight, 1) for data in bundle)
    return total


def equally_long(G: Any, mine: Any, expected: Any, weight: str | None, starts: Any = ()) -> None:
    """Paths with the same ends and lengths, in whatever they are kept in; or with others of these starts."""
    if isinstance(expected, Exception):
        same(mine, expected)
    elif isinstance(expected, dict):
        assert mine.keys() == expected.keys()
        for key, value in expected.items():
            equally_long(G, mine[key], value, weight, starts)
    else:
        assert type(mine) is list
        assert mine[0] == expected[0] or {mine[0], expected[0]} <= starts
        assert mine[-1] == expected[-1]
        assert len(set(mine)) == len(mine)
        assert path_length(G, mine, weight) == path_length(G, expected, weight)
