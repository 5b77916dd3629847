"""A pytest plugin for NetworkX's own tests: what ran in the backend, what was left to NetworkX, and why.

It writes a JSON file, whose name is in the variable APSP_COUNTS: `ran` and `left`, calls by function and by reason.
"""

from __future__ import annotations

import collections
import functools
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ran: collections.Counter[str] = collections.Counter()
left: collections.Counter[str] = collections.Counter()


TIED = {"test_shortest_simple_paths", "test_shortest_simple_paths_directed_with_weight_function"}
"""Tests that name the first of several equally short paths, in whose order the backend differs."""


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            answer = function(*args, **kwargs)
        except NotImplementedError as error:
            left[f"{name}: {error}"] += 1
            raise
        except Exception:
            ran[name] += 1
            raise
        ran[name] += 1
        return answer

    return call


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if item.name not in TIED]
    from apsp.compat.networkx import backend
    from apsp.compat.networkx.function import FUNCTIONS

    for name in FUNCTIONS:
        setattr(backend, name, counted(name, getattr(backend, name)))
    able = backend.can_run

    def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
        found = able(name, args, kwargs)
        if found is not True:
            left[f"{name}: {found}"] += 1
        return found

    backend.can_run = can_run  # type: ignore[assignment]


def pytest_sessionfinish() -> None:
    Path(os.environ["APSP_COUNTS"]).write_text(json.dumps({"ran": ran, "left": left}, indent=1))
