"""The signatures of everything public: type checkers, editors and `typing.get_type_hints` read them."""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Iterator

import pytest

import apsp

FREE = {"__reduce__", "__dlpack__", "__dlpack_device__", "__getitem__"}
"""Protocols of Python and of arrays, and what is one of several things: `Any` is right there."""

ONE_OF_SEVERAL = {"load"}
"""A `Result`, which most are, or what else a store holds: a union would refuse the attributes of all others."""


def public() -> Iterator[tuple[str, typing.Any]]:
    """Yield every public function, class and method with its name."""
    for name in apsp.__all__:
        value = getattr(apsp, name)
        if callable(value):
            yield name, value
        if inspect.isclass(value):
            for member in dir(value):
                found = inspect.getattr_static(value, member)
                if isinstance(found, property):
                    found = found.fget
                elif isinstance(found, functools.cached_property):
                    found = found.func
                elif isinstance(found, classmethod | staticmethod):
                    found = found.__func__
                is_ours = inspect.isfunction(found) and found.__module__.startswith("apsp.")
                if is_ours and (not member.startswith("_") or member.endswith("__")):
                    yield f"{name}.{member}", found


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_type_hints_are_found_at_run_time(name: str) -> None:
    assert typing.get_type_hints(PUBLIC[name]) is not None


@pytest.mark.parametrize(
    "name", [name for name in PUBLIC if name.rpartition(".")[2] not in FREE and name not in ONE_OF_SEVERAL]
)
def test_nothing_is_any(name: str) -> None:
    hints = getattr(inspect.unwrap(PUBLIC[name]), "__annotations__", {})
    assert {name: hint for name, hint in hints.items() if re.search(r"\bAny\b", str(hint))} == {}


def test_methods_and_properties_are_among_them() -> None:
    assert {"solve", "Graph.to_networkx", "Result.plot", "Oracle.load", "Profile.total", "Block"} <= set(PUBLIC)
