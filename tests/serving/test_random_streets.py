"""Tables, routes and alternatives between places on random streets: parallel, one-way, bent, closed by turns."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import apsp
from apsp.serving.osrm import leg_reply, parsed
from apsp.serving.router import Router

pytest.importorskip("prometheus_client")

REQUEST = parsed("route", "1,2;3,4", {"steps": "true", "annotations": "true"}, ("duration", "distance"))


def random_router(seed: int) -> tuple[apsp.Graph | apsp.TurnGraph, Router]:
    """Few vertices on a grid, so that paths are equally short, and vertices at one point."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(4, 9)), int(rng.integers(6, 20))
    tails, heads, corners = rng.integers(0, n, m), rng.integers(0, n, m), rng.integers(0, 4, (n, 2)) * 10.0
    bends = [rng.integers(0, 40, (int(rng.integers(0, 3)), 2)).astype(float) for _ in range(m)]
    graph = apsp.from_edges(
        tails, heads, rng.integers(0, 6, m), n=n, directed=bool(seed % 2), links=True, coordinates=corners,
        costs={"metres": rng.integers(0, 9, m)}, bends=bends,
    )  # fmt: skip
    movements = [(a, b) for a, b in itertools.product(range(m), repeat=2) if heads[a] == tails[b]]
    if seed % 3 and movements:
        before, after = zip(*rng.permutation(movements)[:6].tolist(), strict=True)
        penalties = rng.choice([math.inf, 3.0], len(before))
        table = {"from_link": before, "to_link": after, "via": heads[list(before)], "penalty": penalties}
        graph = apsp.with_turns(graph, table)
    oracle = apsp.prepare(graph, threads=1)
    return graph, Router(oracle, "s", crs="plane", length="metres", speed=[math.inf, 2.0][seed % 5 == 0])


@pytest.mark.parametrize("seed", range(12))
def test_random_streets(seed: int) -> None:
    graph, router = random_router(seed)
    corners = router.graph.coordinates
    assert corners is not None
    places = router.snapped(np.concatenate([np.random.default_rng(seed).uniform(0, 30, (4, 2)), corners[:2]]))
    durations, distances = (router.table(places, places, name) for name in ("duration", "distance"))
    skims = apsp.skim(graph, ["metres"], zones=places)
    np.testing.assert_allclose(durations, skims["cost"], rtol=1e-12, atol=1e-9)
    np.testing.assert_allclose(distances, skims["metres"], rtol=1e-12, atol=1e-9)
    for i, j in itertools.permutations(range(len(places)), 2):
        leg = router.leg(places[i], places[j])
        if leg is None:
            assert np.isinf(durations[i, j])
            continue
        assert leg.weight == router.oracle.distance(places[i], places[j])
        legs = [leg]
        if router.has_alternatives:
            legs += router.alternatives(places[i], places[j], 2)
            assert legs[1].weight == pytest.approx(leg.weight, abs=1e-9)
        for each in legs:
            reply = leg_reply(router, REQUEST, each)
            for name in ("duration", "distance"):
                of_steps = sum(step[name] for step in reply["steps"])
                assert of_steps == pytest.approx(reply[name], abs=1e-9)
                assert sum(reply["annotation"][name]) == pytest.approx(reply[name], abs=1e-9)
        assert leg_reply(router, REQUEST, leg)["distance"] >= distances[i, j] - 1e-9
