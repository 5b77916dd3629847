"""Odd values for every parameter of every public function: an answer, or an error of apsp.

A third of the calls have an array that lies in memory in another way: the answer is that of the plain array.
"""

from __future__ import annotations

import datetime
import functools
import inspect
import random
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture import layouts
from torture.files import apsp_warnings
from torture.memory import with_memory_limit

__all__ = ["run"]

ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 2**31, 2**63, 2**64, -(2**64), 0.5, float("nan"), float("inf"), -float("inf"), 1j, "",
    "x", "auto",
    "cpu", "emulated", "x" * 100_000, b"", b"x", [], [0], [[0]], [None], (), {}, {0}, {"a": 1}, object(), object,
    int, len, ...,
    range(3), range(10**12), [2**70], np.int64(1), np.float32(1), np.nan, np.array(1), np.array([1, 0]),
    np.array([True, False]),
    np.array(["a"]), np.array([None]), np.zeros((2, 2)), np.zeros((0, 0)), np.zeros((2, 3)), np.ones((2, 2, 2)),
    np.array([1.5]),
    np.datetime64("2020-01-01"), "int8", "float16", "min_plus", "/", "/nowhere/x.npz", "\0", "\udcff", Path("/"), [1,
    "a"], "12", 10**400, -(10**400), Decimal(1), Fraction(1, 2), np.True_, np.float16(0.5), np.longdouble(2),
    np.array(True), np.timedelta64(3, "s"), np.timedelta64(3, "D"), np.timedelta64("NaT", "s"), datetime.timedelta(3),
    np.array([1, 2], "m8[s]"),
    np.arange(6)[::-2], np.array([1, 2, 3], ">i4"), np.array([2**64 - 1], np.uint64),
    np.asfortranarray(np.ones((2, 3))),
    np.ma.MaskedArray([1, 2], mask=[True, False]), np.zeros(2, [("x", "i4")]),
)  # fmt: skip
_PYTHONS_OWN = ("unexpected keyword argument", "required positional argument")
_SKIPPED = {"ApspError", "Graph", "Oracle", "Result", "Plan", "Block"}


@functools.cache
def _targets() -> dict[str, tuple[Callable[..., Any], dict[str, Any]]]:
    """Functions and methods by name, with arguments that make sense."""
    graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [1, 2, 3])
    result = apsp.solve(graph, paths=True, counts=True)
    oracle = apsp.prepare(graph)
    good: dict[str, Any] = {
        "graph": graph, "matrices": np.zeros((1, 2, 2)), "tails": [0, 1], "heads": [1, 0], "matrix": np.zeros((2, 2)),
        "k": 1, "dtype": "int32", "kind": "grid", "n": 4, "source": 0, "target": 1, "sources": [0], "targets": [1],
        "weights": [4, 5, 6], "vertex": 0, "key": 0, "label": 0,
    }  # fmt: skip
    found: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {}
    for name in apsp.__all__:
        value = getattr(apsp, name)
        if name in _SKIPPED or isinstance(value, type) or not callable(value) or name in ("load", "read", "write"):
            continue
        found[name] = (value, good)
    for thing, made in (("result", result), ("oracle", oracle), ("graph", graph)):
        for name in dir(made):
            value = getattr(made, name)
            if (
                not name.startswith("_")
                and callable(value)
                and not isinstance(value, type)
                and name not in ("save", "load")
            ):
                found[f"{thing}.{name}"] = (value, good)
    for name in ("load", "read"):
        found[name] = (getattr(apsp, name), {"path": "/nowhere"})
    found["Graph"] = (apsp.Graph, {"indptr": [0, 1, 2], "indices": [1, 0]})
    found["Oracle.load"] = (apsp.Oracle.load, {"path": "/nowhere"})
    return found


@with_memory_limit
def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """A call with one or two odd arguments."""
    rng = random.Random(seed)
    if rng.random() < 1 / 3:
        return _another_layout(rng, counts)
    targets = _targets()
    name = rng.choice(list(targets))
    function, good = targets[name]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    required = [p for p in parameters if p.default is p.empty and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    arguments = {p.name: good.get(p.name, rng.choice(ODD)) for p in required}
    usual = [p.name for p in parameters if p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)]
    extra = ["sources", "cutoff", "dtype", "method", "device", "threads", "rows", "progress"]
    choosable = usual + (extra if any(p.kind == p.VAR_KEYWORD for p in parameters) else [])
    for _ in range(rng.choice((1, 1, 2))):
        if choosable:
            parameter = rng.choice(choosable)
            odd = rng.choice(ODD)
            if not (parameter == "progress" and callable(odd)):  # what a callback raises comes out as it is
                arguments[parameter] = odd
    in_order = [p.name for p in required if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    positional = [arguments.pop(parameter) for parameter in in_order]
    named = arguments
    counts["calls"] += 1
    words = f"{name}({', '.join([*map(_short, positional), *(f'{k}={_short(v)}' for k, v in named.items())])})"
    with tempfile.TemporaryDirectory() as folder:
        import os

        before = Path.cwd()
        os.chdir(folder)  # for outputs whose odd names are names of files after all
        try:
            outcome = function(*positional, **named)
            if inspect.isgenerator(outcome):
                next(outcome, None)
            counts["answers"] += 1
        except apsp.ApspError as error:
            counts[f"refusals {type(error).__name__}"] += 1
            if len(str(error)) > 3000:
                return {
                    "what": "wrong",
                    "where": f"arguments {name}",
                    "words": f"{words}: a message of {len(str(error))} characters",
                }
        except apsp_warnings():
            counts["warnings"] += 1
        except FileNotFoundError as error:
            counts[f"refusals {type(error).__name__}"] += 1
        except Exception as error:
            if isinstance(error, TypeError) and any(words in str(error) for words in _PYTHONS_OWN):
                counts["no such parameter"] += 1
                return None
            return {
                "what": "foreign", "where": f"arguments {name} {type(error).__name__}",
                "words": f"{words}: {type(error).__name__}: {error}"[:1500], "trace": traceback.format_exc(),
            }  # fmt: skip
        finally:
            os.chdir(before)
    return None


def _another_layout(rng: random.Random, counts: Counter[str]) -> dict[str, Any] | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            words = layouts.run(rng, counts)
        except Exception as error:
            return {
                "what": "foreign", "where": f"layout {type(error).__name__}", "words": f"{error}"[:1500],
                "trace": traceback.format_exc(),
            }  # fmt: skip
    return None if words is None else {"what": "wrong", "where": f"layout {words.split(',')[0]}", "words": words}


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) < 60 else text[:50] + "..."
