"""A case from a seed: shape, weights, zones, and the calls."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Any

from apsp.methods.registry import METHODS
from torture.case import Case
from torture.naming import KINDS
from torture.shapes import FEWEST_OF_MANY, SHAPES, many_components, vertices
from torture.weights import REGIMES, fitting

__all__ = ["DOORS", "Scope", "draw"]


@dataclass(frozen=True)
class Scope:
    """Which methods run where.

    Attributes
    ----------
    devices : tuple of str
        Of 'cpu', 'emulated' and 'cuda'.
    most : int
        Vertices at most.
    doors : tuple of str
        The doors of the calls, one call for each; by default a solve and others at random.
    weights : tuple of str
        The regimes of the weights; by default all.
    gpus : int
        Over how many GPUs most calls on 'cuda' are spread, of those that may be.
    """

    devices: tuple[str, ...] = ("cpu",)
    most: int = 300
    doors: tuple[str, ...] = ()
    weights: tuple[str, ...] = ()
    gpus: int = 1


def _named(scope: Scope) -> list[tuple[str, str]]:
    found = [(name, device) for name, row in METHODS.items() for device in scope.devices if device in row.devices]
    return [*found, ("auto", "cuda"), ("auto", "cuda")] if "cuda" in scope.devices else found


def draw(seed: int, scope: Scope = Scope()) -> Case:
    """The case of a seed."""
    rng = random.Random(seed)
    n = vertices(rng, scope.most)
    shape = _picked(rng, SHAPES)
    if shape is many_components and scope.most >= FEWEST_OF_MANY // 2:
        n = rng.randint(FEWEST_OF_MANY, FEWEST_OF_MANY + 80)
    pairs = shape(rng, n) if n else []
    if n and rng.random() < 0.2:
        pairs += [(v, v) for v in range(n) if rng.random() < 0.2]
    if pairs and rng.random() < 0.2:
        pairs += [pairs[rng.randrange(len(pairs))] for _ in range(3)]
    names = list(scope.weights or REGIMES)
    name = rng.choices(names, [REGIMES[each][0] for each in names])[0]
    weights, dtype = REGIMES[name][1](rng, n, pairs)
    weights = fitting(weights, dtype)
    if dtype == "int32":
        weights = [max(min(weight, 2**31 - 1), -(2**31)) for weight in weights]
    directed = rng.random() < 0.8
    zones: list[int] = []
    if n and rng.random() < 0.12:
        zones = list(range(rng.randint(1, n))) if rng.random() < 0.5 else [v for v in range(n) if rng.random() < 0.3]
    case = Case(
        n=n,
        arcs=[(u, v, w) for (u, v), w in zip(pairs, weights, strict=True)],
        dtype=dtype,
        directed=directed or any(weight < 0 for weight in weights),
        parallel=rng.choices(("min", "first", "last"), (8, 1, 1))[0],
        zones=zones,
        note=name,
        labels=rng.choice(KINDS) if rng.random() < 0.15 else None,
    )
    calls = _calls(rng, case, scope)
    if scope.gpus > 1:
        _spread(random.Random(f"GPUs of {seed}"), calls, scope.gpus)
    return case.changed(calls=calls)


def _picked(rng: random.Random, table: dict[str, tuple[float, Any]]) -> Any:
    return rng.choices([made for _, made in table.values()], [often for often, _ in table.values()])[0]


# -- calls ------------------------------------------------------------------------------------------------------------

_DOORS = {"solve": 0, "stream": 12, "batch": 8, "oracle": 10, "measures": 10, "nearest": 3, "near": 5, "access": 4,
          "kept": 2, "reach": 5, "given": 3, "skims": 4, "counts": 5, "betweenness": 4,
          "loads": 4, "decays": 4, "isochrones": 4, "local": 3, "single": 4, "products": 2, "csgraph": 4,
          "simple_paths": 4,
          "places": 3, "parts": 2, "stores": 3, "counted": 0.5,
          "command": 2, "together": 1, "forked": 0.3, "updates": 1.5, "periods": 2}  # fmt: skip


def _calls(rng: random.Random, case: Case, scope: Scope) -> list[dict[str, Any]]:
    """A solve by the planner or by a named method, and one or two more calls; or one of each door that was named."""
    if scope.doors:
        return [_MAKERS[door](rng, case, scope) | {"door": door} for door in scope.doors]
    calls = [_solve(rng, case, scope)]
    if rng.random() < 0.6:
        calls.append(_solve(rng, case, scope, named=True))
    if rng.random() < 0.45:
        door = rng.choices(list(_DOORS), list(_DOORS.values()))[0]
        calls.append(_MAKERS[door](rng, case, scope) | {"door": door})
    return calls


_ON_SEVERAL_GPUS = ("solve", "stream", "measures", "nearest", "access", "decays", "single", "reach")


def _spread(rng: random.Random, calls: list[dict[str, Any]], gpus: int) -> None:
    """Let most calls of methods that can use all GPUs."""
    for call in calls:
        if call["door"] in _ON_SEVERAL_GPUS and call.get("device") == "cuda" and rng.random() < 0.8:
            method = call.get("method", "auto")
            if method == "auto" or METHODS[method].several_gpus:
                call["device"] = "cuda:" + ",".join(map(str, range(gpus)))


def _method(rng: random.Random, case: Case, scope: Scope, *, named: bool, by_rows: bool = False) -> dict[str, Any]:
    """The planner's choice, or a method that does not refuse every such graph."""
    if not named and "cpu" in scope.devices and len(scope.devices) == 1 and rng.random() < 0.6:
        return {}
    possible = [
        (name, device)
        for name, device in _named(scope)
        if name == "auto"
        or (
            (METHODS[name].weighted or case.dtype is None)
            and (METHODS[name].negative or not any(arc[2] < 0 for arc in case.arcs))
            and (name != "reference" or case.n < 40)
            and (METHODS[name].by_rows or not by_rows)
        )
    ]
    if rng.random() < 0.02:
        possible = _named(scope)
    name, device = rng.choice(possible)
    return {"method": name, "device": device}


def _solve(
    rng: random.Random, case: Case, scope: Scope, *, named: bool = False, by_rows: bool = False
) -> dict[str, Any]:
    call: dict[str, Any] = {"door": "solve", "seed": rng.randrange(1 << 30)}
    call |= _method(rng, case, scope, named=named, by_rows=by_rows)
    if rng.random() < 0.3:
        call["dtype"] = _dtype(rng, case)
    if rng.random() < 0.08 and "method" not in call:
        call["semiring"] = rng.choice(("max_min", "min_max"))
    else:
        call |= _part(rng, case, targets=True)
        call["paths"] = rng.random() < (0.7 if _signed_floats(case) else 0.45)
    if rng.random() < 0.3:
        call["threads"] = rng.choice((1, 1, 2, 3))
    if "dtype" in call and rng.random() < 0.2:
        call["out"] = True
    return call


def _signed_floats(case: Case) -> bool:
    return not case.integer and any(arc[2] < 0 for arc in case.arcs)


def _dtype(rng: random.Random, case: Case) -> str:
    if case.integer:
        return rng.choice(("uint16", "int32", "int64", "float32", "float64"))
    return rng.choice(("float64", "float64", "float32", case.dtype, "int32"))


def _part(rng: random.Random, case: Case, *, targets: bool) -> dict[str, Any]:
    """Some sources, targets, or a cutoff."""
    part: dict[str, Any] = {}
    if rng.random() < 0.4:
        part["sources"] = _some(rng, case.n)
    if targets and rng.random() < 0.2:
        part["targets"] = _some(rng, case.n)
    if rng.random() < 0.2:
        part["cutoff"] = _cutoff(rng, case)
    return part


def _some(rng: random.Random, n: int) -> list[int]:
    if n == 0 or rng.random() < 0.05:
        return []
    count = rng.choice((1, 1, 2, 3, n))
    chosen = [rng.randrange(n) for _ in range(count)]
    return chosen * 2 if rng.random() < 0.1 else chosen


def _cutoff(rng: random.Random, case: Case) -> int | float:
    """Of the size of a few arcs."""
    if not case.arcs:
        return 3
    several = sum(abs(rng.choice(case.arcs)[2]) for _ in range(rng.randint(1, 4)))
    if case.dtype is None:
        several = rng.randint(0, 5)
    if rng.random() < 0.15 and several < math.inf:  # at a float, beside one, or beyond all distances
        near = math.floor(several)
        beside = (
            float(near),
            near + 1,
            max(near - 1, 0),
            math.nextafter(float(near), math.inf),
            math.inf,
            10**30,
            1e300,
        )
        return rng.choice(beside)
    return several + 0.5 if rng.random() < 0.1 and several < 2**40 else several


def _stream(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _solve(rng, case, scope, named=rng.random() < 0.5, by_rows=True)
    for name in ("semiring", "out"):
        call.pop(name, None)
    if rng.random() < 0.8:
        call["rows"] = rng.randint(1, case.n + 2)
    return call | {"reuse": rng.random() < 0.5}


def _batch(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call: dict[str, Any] = {"count": rng.choice((1, 2, 3, 7))}
    if rng.random() < 0.6:
        call["padding"] = rng.choice((0, 0, 1, 5))
    if rng.random() < 0.3:
        call["dtype"] = _dtype(rng, case)
    if rng.random() < 0.15:
        call["semiring"] = rng.choice(("max_min", "min_max"))
    if "cuda" in scope.devices:
        call["device"] = "cuda"
    if rng.random() < 0.5:
        call["paths"] = True
    return call


def _oracle(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call: dict[str, Any] = {"seed": rng.randrange(1 << 30), "updated": rng.random() < 0.5, "saved": rng.random() < 0.1}
    if rng.random() < 0.2:
        call["dtype"] = _dtype(rng, case)
    if "cuda" in scope.devices and rng.random() < 0.8:
        call["device"] = "cuda"
    if rng.random() < 0.4:
        call["labels"] = True
    return call


def _updates(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _oracle(rng, case, scope)
    on_gpu = "device" in call  # in whose process no child uses it
    return {name: call[name] for name in ("seed", "dtype", "device", "labels") if name in call} | {
        "forks": 0 if on_gpu or rng.random() < 0.6 else rng.randint(1, 3)
    }


def _periods(rng: random.Random, _case: Case, scope: Scope) -> dict[str, Any]:
    few = rng.random() < 0.6
    call = {
        "seed": rng.randrange(1 << 30), "threads": rng.randint(1, 2),
        "periods": rng.randint(0, 7) if few else rng.randint(8, 40),
    }  # fmt: skip
    if "cuda" in scope.devices and rng.random() < 0.6:
        return call | {"device": "cuda"}
    return call


def _measures(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _method(rng, case, scope, named=rng.random() < 0.4, by_rows=True) | _part(rng, case, targets=False)
    if rng.random() < 0.4:
        call["bins"] = rng.choice((1, 5, 64))
    if rng.random() < 0.4:
        call["rows"] = rng.randint(1, case.n + 2)
    return call


def _nearest(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    method = _method(rng, case, scope, named=False, by_rows=True)
    return method | _part(rng, case, targets=False) | {"k": rng.randint(1, 5)}


def _near(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _part(rng, case, targets=True) | {"seed": rng.randrange(1 << 30), "threads": rng.randint(1, 2)}
    call |= {"cutoff": _cutoff(rng, case), "sort": rng.choice(("distance", "target"))}
    if rng.random() < 0.3:
        call["dtype"] = _dtype(rng, case)
    if rng.random() < 0.3:
        call["k"] = rng.randint(1, 5)
    return call | {"next_hop": rng.random() < 0.5, "kinds": rng.choice((0, 0, 1, 2, 5)), "store": rng.random() < 0.2}


def _access(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _method(rng, case, scope, named=rng.random() < 0.6, by_rows=True) | _part(rng, case, targets=False)
    call.pop("cutoff", None)
    return call | {"seed": rng.randrange(1 << 30), "kinds": rng.randint(1, 4), "k": rng.randint(1, 4)}


def _kept(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _solve(rng, case, scope)
    call.pop("out", None)
    return call


def _given(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _kept(rng, case, scope)
    forms = ("scipy", "networkx", *(("dense",) if case.dtype is not None else ()))
    return call | {"form": rng.choice(forms)}


def _command(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _kept(rng, case, scope)
    for name in ("device", "sources", "targets"):
        if name == "device" or not call.get(name) or case.labels in ("tuples", "mixed"):
            call.pop(name, None)
    suffix = rng.choice((".npz", ".npy", ".csv") if "semiring" not in call else (".npz", ".npy"))
    if suffix != ".npz":
        call["paths"] = False
    return call | {"suffix": suffix}


def _skims(rng: random.Random, _case: Case, _scope: Scope) -> dict[str, Any]:
    return {"seed": rng.randrange(1 << 30), "kinds": rng.randint(0, 4), "threads": rng.randint(1, 2)}


def _counts(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _method(rng, case, scope, named=rng.random() < 0.2) | _part(rng, case, targets=True)
    return call | {"seed": rng.randrange(1 << 30), "threads": rng.randint(1, 2)}


def _betweenness(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _part(rng, case, targets=True) | {"seed": rng.randrange(1 << 30), "threads": rng.randint(1, 2)}
    return call | {"device": rng.choice(scope.devices)}


def _loads(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _betweenness(rng, case, scope) | {"ties": rng.choice(("split", "first"))}
    call.pop("cutoff", None)
    return call


def _decays(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    return _access(rng, case, scope) | {"direction": rng.choice(("out", "in"))}


def _isochrones(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    return _method(rng, case, scope, named=False) | {"seed": rng.randrange(1 << 30)}


def _single(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _measures(rng, case, scope) | {"seed": rng.randrange(1 << 30)}
    call.pop("bins", None)
    return call


def _seeded(rng: random.Random, _case: Case, scope: Scope) -> dict[str, Any]:
    device = rng.choice([name for name in scope.devices if name != "emulated"] or ["cpu"])
    return {"seed": rng.randrange(1 << 30), "threads": rng.randint(1, 2), "device": device}


def _products(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    return _seeded(rng, case, scope) | {"device": rng.choice(scope.devices)}


def _stores(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    call = _stream(rng, case, scope) | {"seed": rng.randrange(1 << 30), "pool": rng.random() < 0.5}
    for name in ("reuse", "rows"):
        call.pop(name, None)
    return call


def _counted(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    """On an emulated GPU, which runs threads one after another: small graphs only, unless GPUs are emulated anyway."""
    emulated = [name for name, row in METHODS.items() if "emulated" in row.devices]
    call = _solve(rng, case, scope)
    for name in ("semiring", "out", "device"):
        call.pop(name, None)
    order = rng.choice(("forward", "backward", "random"))
    return call | {"method": rng.choice(emulated), "order": order}


def _reach(rng: random.Random, case: Case, scope: Scope) -> dict[str, Any]:
    return {"device": "cuda"} if "cuda" in scope.devices and rng.random() < 0.8 else {}


_MAKERS = {"stream": _stream, "batch": _batch, "oracle": _oracle, "measures": _measures, "nearest": _nearest,
           "near": _near, "access": _access,
           "kept": _kept, "reach": _reach, "given": _given, "skims": _skims, "counts": _counts,
           "betweenness": _betweenness, "loads": _loads, "decays": _decays, "isochrones": _isochrones,
           "local": _seeded, "simple_paths": _seeded, "single": _single, "products": _products, "csgraph": _seeded,
           "places": _seeded, "parts": _seeded, "stores": _stores, "counted": _counted,
           "command": _command, "together": _kept,
           "forked": _kept, "updates": _updates, "periods": _periods, "solve": _solve}  # fmt: skip

DOORS = tuple(_MAKERS)
"""The names of all doors."""
