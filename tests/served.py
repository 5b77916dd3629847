"""Replies of a service to single requests, and streets that it serves."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.serving.application import Service
from apsp.serving.limits import Limits
from apsp.serving.osrm import RefusedError
from apsp.serving.router import Router


def answered(
    oracle: apsp.Oracle, name: str, points: Any, *, unit: str = "s", limits: Limits | None = None, **options: Any
) -> dict[str, Any]:
    """The reply to one request; options that a router takes are given to it."""
    where = ";".join(f"{x!r},{y!r}" for x, y in np.asarray(points, dtype=float).tolist())
    of_router = {key: options.pop(key) for key in ("crs", "speed", "length", "length_unit") if key in options}

    async def ask() -> dict[str, Any]:
        service = Service(lambda: Router(oracle, unit, **{"crs": "plane"} | of_router), limits or Limits(), 1)
        try:
            return await service.answer(name, where, options)
        finally:
            service.close()

    return asyncio.run(ask())


def refused(*arguments: Any, **options: Any) -> tuple[str, str]:
    """The code and the message of a request that gets no answer."""
    try:
        answered(*arguments, **options)
    except RefusedError as error:
        return error.code, str(error)
    raise AssertionError("the request got an answer")


def timed_city(*, turns: bool = False) -> Any:
    """Streets, some of them one-way, whose seconds are random, so that one path per pair is the fastest."""
    made = apsp.generate("city", 500, seed=3, turns=turns)
    streets = made.graph if turns else made
    rng, ways = np.random.default_rng(1), streets.coordinates[streets.tails()] - streets.coordinates[streets.indices]
    metres = np.hypot(*ways.T)
    graph = apsp.Graph(
        streets.indptr, streets.indices, metres / rng.uniform(5, 20, streets.m), coordinates=streets.coordinates
    ).with_costs(metres=metres)
    return apsp.with_turns(graph, made.movements) if turns else graph


CITY = timed_city()
ORACLE = apsp.prepare(CITY, threads=1)
TURNED = apsp.prepare(timed_city(turns=True), threads=1)


def points(count: int, seed: int = 0) -> npt.NDArray[np.float64]:
    low, high = CITY.coordinates.min(axis=0), CITY.coordinates.max(axis=0)
    return np.random.default_rng(seed).uniform(low, high, (count, 2))


def on_streets(count: int, seed: int = 0) -> npt.NDArray[np.float64]:
    """Points between the ends of some streets."""
    rng = np.random.default_rng(seed)
    arcs, parts = rng.integers(0, CITY.m, count), rng.uniform(0.2, 0.8, (count, 1))
    begins, ends = CITY.coordinates[CITY.tails()[arcs]], CITY.coordinates[CITY.indices[arcs]]
    return begins + parts * (ends - begins)


def path_between(oracle: apsp.Oracle, some: Any) -> list[Any]:
    """The path between two points, whose ends are places."""
    places = CITY.snap(some, crs="plane", speed=math.inf)
    return oracle.path(places[0], places[1])


def length_of(line: Any) -> float:
    return float(np.hypot(*np.diff(np.array(line), axis=0).T).sum())
