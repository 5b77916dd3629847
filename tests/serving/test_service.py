"""What a service computes, how much it takes on, and in which order."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import RequestError
from apsp.serving.application import Service
from apsp.serving.limits import Limits
from apsp.serving.osrm import RefusedError
from apsp.serving.router import Router

pytest.importorskip("prometheus_client")

CITY = apsp.generate("city", 2500, seed=3)
ORACLE = apsp.prepare(CITY, threads=1)


def points(count: int, seed: int = 0) -> np.ndarray[Any, Any]:
    low, high = CITY.coordinates.min(axis=0), CITY.coordinates.max(axis=0)
    return np.random.default_rng(seed).uniform(low, high, (count, 2))


def text(some: Any) -> str:
    return ";".join(f"{x!r},{y!r}" for x, y in np.asarray(some).tolist())


def router(**how: Any) -> Router:
    return Router(ORACLE, **{"unit": "s", "crs": "plane"} | how)


def served(
    work: Callable[[Service], Coroutine[Any, Any, Any]], limits: Limits | None = None, threads: int = 1,
    load: Callable[[], Router] = router,
) -> Any:  # fmt: skip
    async def run() -> Any:
        service = Service(load, limits or Limits(), threads)
        try:
            return await work(service)
        finally:
            service.close()

    return asyncio.run(run())


def code_of(work: Callable[[Service], Coroutine[Any, Any, Any]], **how: Any) -> str:
    with pytest.raises(RefusedError) as refusal:
        served(work, **how)
    return refusal.value.code


@pytest.mark.parametrize(
    ("unit", "name", "factor"), [("s", "durations", 1), ("h", "durations", 3600), ("m", "distances", 1)]
)
def test_tables(unit: str, name: str, factor: float) -> None:
    some = points(150)  # three pieces
    reply = served(
        lambda service: service.answer("table", text(some), {"destinations": "5;5;9"}), load=lambda: router(unit=unit)
    )
    places = CITY.snap(some, crs="plane", speed=np.inf)
    np.testing.assert_array_equal(reply[name], ORACLE.matrix(places, places[[5, 9]])[:, [0, 0, 1]] * factor)
    assert [each["location"] for each in reply["destinations"]] == places.on_street[[5, 5, 9]].tolist()
    assert [each["distance"] for each in reply["sources"]] == places.legs.tolist()


def test_routes_pass_all_points() -> None:
    some = points(4)
    reply = served(lambda service: service.answer("route", text(some), {"geometries": "geojson"}))
    places = CITY.snap(some, crs="plane", speed=np.inf)
    (route,) = reply["routes"]
    lengths = [ORACLE.distance(places[i], places[i + 1]) for i in range(3)]
    assert [leg["duration"] for leg in route["legs"]] == lengths
    assert route["duration"] == sum(lengths)
    line = np.array(route["geometry"]["coordinates"])
    assert line[0].tolist() == places.on_street[0].tolist()
    assert line[-1].tolist() == places.on_street[-1].tolist()
    assert route["distance"] == pytest.approx(np.hypot(*np.diff(line, axis=0).T).sum())
    assert route["duration"] <= route["distance"]  # no street of the city is slower than a metre per second


def test_distances_of_routes_if_weights_are_lengths() -> None:
    reply = served(lambda service: service.answer("route", text(points(2)), {}), load=lambda: router(unit="km"))
    (route,) = reply["routes"]
    assert route["duration"] is None
    places = CITY.snap(points(2), crs="plane", speed=np.inf)
    assert route["distance"] == ORACLE.distance(places[0], places[1]) * 1000


def test_nearest_streets() -> None:
    reply = served(lambda service: service.answer("nearest", text(points(1)), {}))
    place, (waypoint,) = CITY.snap(points(1), crs="plane"), reply["waypoints"]
    assert (waypoint["location"], waypoint["distance"]) == (place.on_street[0].tolist(), place.legs[0])
    assert waypoint["nodes"] == [int(place.vertices[0]), int(CITY.indices[place.arcs[0]])]


def test_ways_to_streets_count_if_they_have_a_speed() -> None:
    some = points(6)
    reply = served(lambda service: service.answer("table", text(some), {}), load=lambda: router(speed=1.5))
    places = CITY.snap(some, crs="plane", speed=1.5)
    np.testing.assert_array_equal(reply["durations"], ORACLE.matrix(places, places))


def test_points_far_from_streets() -> None:
    far = np.array([[0.0, 0.0], [1e6, 1e6]])
    assert (
        code_of(lambda service: service.answer("table", text(far), {}), load=lambda: router(limit=500)) == "NoSegment"
    )
    assert code_of(lambda service: service.answer("table", text(far), {"radiuses": ";500"})) == "NoSegment"
    reply = served(lambda service: service.answer("table", text(far), {"radiuses": "500;unlimited"}))
    assert np.isfinite(reply["durations"]).all()


def test_points_without_a_path() -> None:
    islands = apsp.from_edges([0, 2], [1, 3], [5, 5], coordinates=[[0, 0], [9, 0], [0, 50], [9, 50]])

    def load() -> Router:
        return Router(apsp.prepare(islands), "s", crs="plane")

    assert code_of(lambda service: service.answer("route", "1,0;1,50", {}), load=load) == "NoRoute"
    reply = served(lambda service: service.answer("table", "1,0;2,0;1,50", {}), load=load)
    assert np.isinf(reply["durations"][0, 2])
    assert reply["durations"][0, 1] == pytest.approx(5 / 9)


def test_degrees_are_the_same_in_every_unit_of_the_graph() -> None:
    degrees = CITY.coordinates / 1e5

    def reply(scale: float, crs: str) -> Any:
        graph = apsp.Graph(
            CITY.indptr, CITY.indices, CITY.weights, directed=True, coordinates=degrees * scale, crs=crs
        )  # fmt: skip
        oracle = apsp.prepare(graph)
        where = text(points(3) / 1e5)
        request = {"geometries": "geojson"}
        return served(lambda service: service.answer("route", where, request), load=lambda: Router(oracle, "s"))

    one, other = reply(1, "degrees"), reply(1e6, "microdegrees")
    lines = (reply["routes"][0]["geometry"]["coordinates"] for reply in (one, other))
    np.testing.assert_allclose(*lines, rtol=0, atol=1e-9)
    assert one["routes"][0]["distance"] == pytest.approx(other["routes"][0]["distance"], rel=1e-9)
    assert one["routes"][0]["duration"] == pytest.approx(other["routes"][0]["duration"], rel=1e-9)


def test_large_requests() -> None:
    small = Limits(points=5, cells=8)
    assert code_of(lambda service: service.answer("route", text(points(6)), {}), limits=small) == "TooBig"
    assert code_of(lambda service: service.answer("table", text(points(3)), {}), limits=small) == "TooBig"
    served(lambda service: service.answer("table", text(points(5)), {"sources": "1"}), limits=small)


def test_small_requests_do_not_wait_for_a_large_one() -> None:
    ended: list[str] = []

    async def work(service: Service) -> None:
        async def one(name: str, service_name: str, where: str) -> None:
            await service.answer(service_name, where, {})
            ended.append(name)

        await asyncio.gather(
            one("large", "table", text(points(500))), *(one("small", "nearest", text(points(1, i))) for i in range(20))
        )

    served(work)
    assert ended[-1] == "large"


def test_a_thousand_requests_at_once() -> None:
    async def work(service: Service) -> list[Any]:
        where = [text(points(2, seed)) for seed in range(200)]
        others = (service.answer("nearest", text(points(1, seed)), {}) for seed in range(800))
        return (await asyncio.gather(*(service.answer("table", each, {}) for each in where), *others))[:200]

    replies = served(work, threads=2)
    places = CITY.snap(np.concatenate([points(2, seed) for seed in range(200)]), crs="plane", speed=np.inf)
    expected = ORACLE.distances(places[::2], places[1::2])
    np.testing.assert_allclose([reply["durations"][0, 1] for reply in replies], expected, rtol=1e-15)


class Blocked(Router):
    """A router that waits."""

    goes_on = threading.Event()

    def snapped(self, *arguments: Any) -> Any:
        self.goes_on.wait(30)
        return super().snapped(*arguments)


@pytest.fixture(name="blocked")
def blocked_fixture() -> Iterator[Callable[[], Router]]:
    Blocked.goes_on.clear()
    yield lambda: Blocked(ORACLE, "s", crs="plane")
    Blocked.goes_on.set()


def test_more_requests_than_may_wait(blocked: Callable[[], Router]) -> None:
    async def work(service: Service) -> list[Any]:
        asks = [asyncio.ensure_future(service.answer("nearest", "1,2", {})) for _ in range(5)]
        await asyncio.sleep(0)
        refused = [each for each in asks if each.done()]
        Blocked.goes_on.set()
        done = await asyncio.gather(*asks, return_exceptions=True)
        assert len(refused) == 2
        return done

    done = served(work, Limits(requests=3), load=blocked)
    assert [getattr(each, "code", "Ok") for each in done] == ["Ok"] * 3 + ["Busy"] * 2
    assert done[-1].status == 503


def test_a_request_that_takes_too_long(blocked: Callable[[], Router]) -> None:
    async def work(service: Service) -> Any:
        try:
            await service.answer("nearest", "1,2", {})
        finally:
            Blocked.goes_on.set()

    assert code_of(work, limits=Limits(seconds=0.01), load=blocked) == "Timeout"


def test_an_oracle_is_replaced_while_a_request_is_answered(blocked: Callable[[], Router]) -> None:
    other = apsp.generate("city", 900, seed=4)
    routers = iter([blocked(), Router(apsp.prepare(other), "s", crs="plane")])

    async def work(service: Service) -> Any:
        request = asyncio.ensure_future(service.answer("nearest", "1,2", {}))
        await asyncio.sleep(0)
        await service.reload()
        assert service.router.graph.n == 900
        Blocked.goes_on.set()
        return await request, await service.answer("nearest", "1,2", {})

    before, after = served(work, load=lambda: next(routers))
    assert before["waypoints"][0]["location"] == CITY.snap([[1, 2]], crs="plane").on_street[0].tolist()
    assert after["waypoints"][0]["location"] == other.snap([[1, 2]], crs="plane").on_street[0].tolist()


def test_what_a_router_does_not_take() -> None:
    with pytest.raises(RequestError, match="unit must be one of s, min, h, m, km"):
        router(unit="miles")
    with pytest.raises(RequestError, match="needs coordinates"):
        Router(apsp.prepare(apsp.from_edges([0], [1], [3])), "s")
    with pytest.raises(RequestError, match="crs= is missing"):
        router(crs=None)
    with pytest.raises(RequestError, match="one set of weights"):
        Router(CITY, "s")  # type: ignore[arg-type]
