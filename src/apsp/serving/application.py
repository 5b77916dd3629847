"""The HTTP server: an application of Starlette, which any ASGI server runs; `apsp serve` runs it with Uvicorn.

The idea: requests are computed by a few threads, one piece after another in the order in which pieces come in, and a
table is cut into pieces of some rows. So a large table delays a route by a piece, not by a table.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from apsp.errors import ApspError
from apsp.graph.places import Places
from apsp.serving.legs import Leg
from apsp.serving.limits import Limits
from apsp.serving.metrics import Metrics
from apsp.serving.osrm import (
    PointsRequest,
    RefusedError,
    leg_reply,
    nearest_reply,
    parsed,
    route_of,
    route_reply,
    table_reply,
)
from apsp.serving.router import FarPointError, Router
from apsp.system.optional import needed

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["Service", "application"]

T = TypeVar("T")

_LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]


class Service:
    """A router that is replaced while requests are answered.

    Parameters
    ----------
    load : callable
        Makes the router, and makes it again from newer files.
    threads : int
        That compute.
    """

    def __init__(self, load: Callable[[], Router], limits: Limits, threads: int) -> None:
        self.load, self.limits = load, limits
        self.router = load()
        self.metrics = Metrics(lambda: self.router.graph.n)
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="apsp-serve")
        self._reloading = asyncio.Lock()
        self._running = 0

    async def reload(self) -> None:
        """Replace the router; requests that are being answered end with the old one, which stays after an error."""
        async with self._reloading:
            self.router = await asyncio.to_thread(self.load)
        self.metrics.reloads.inc()

    async def answer(self, service: str, coordinates: str, options: dict[str, str]) -> dict[str, Any]:
        """Answer a request.

        Raises
        ------
        RefusedError
        """
        if self._running >= self.limits.requests:
            raise RefusedError("Busy", f"{self._running:,} requests are waiting: try again later", 503)
        self._running += 1
        self.metrics.running.set(self._running)
        try:
            async with asyncio.timeout(self.limits.seconds):
                return await self._answer(self.router, service, coordinates, options)
        except TimeoutError:
            raise RefusedError("Timeout", f"no reply within {self.limits.seconds:g} s: ask for less", 503) from None
        except FarPointError as error:
            raise RefusedError("NoSegment", str(error)) from error
        except ApspError as error:
            raise RefusedError("InvalidValue", str(error)) from error
        finally:
            self._running -= 1
            self.metrics.running.set(self._running)

    async def _answer(self, router: Router, service: str, coordinates: str, options: dict[str, str]) -> dict[str, Any]:
        request = parsed(service, coordinates, options, router.measured)
        self._check(router, request)
        places = await self._computed(router.snapped, request.points, request.radiuses)
        if request.service == "nearest":
            return nearest_reply(router, places)
        if request.service == "table":
            return await self._table(router, request, places)
        return await self._route(router, request, places)

    def _check(self, router: Router, request: PointsRequest) -> None:
        limits, cells = self.limits, 0
        if request.service == "table":
            cells = len(request.sources) * len(request.targets) * len(request.annotations)
        if len(request.points) > limits.points or cells > limits.cells:
            what = f"{len(request.points):,} points" + (f" and {cells:,} numbers" if cells else "")
            most = f"{limits.points:,} points and {limits.cells:,} numbers of a table"
            raise RefusedError("TooBig", f"a request may have {most}; this one has {what}")
        if request.alternatives > limits.alternatives:
            what = f"a request may have {limits.alternatives:,} alternatives, not {request.alternatives:,}"
            raise RefusedError("TooBig", what)
        if request.alternatives and not router.has_alternatives:
            what = "a graph with turns or negative weights has no alternatives here"
            raise RefusedError("NotImplemented", f"alternatives={request.alternatives} is not supported: {what}")

    async def _table(self, router: Router, request: PointsRequest, places: Places) -> dict[str, Any]:
        sources, targets = (list(dict.fromkeys(some)) for some in (request.sources, request.targets))
        starts, ends = (_some(places, numbers) for numbers in (sources, targets))
        parts = router.parts(len(sources), len(targets))
        tables = {}
        for name in request.annotations:
            pieces = [
                await self._computed(router.table, starts if len(parts) == 1 else starts[part], ends, name)
                for part in parts
            ]
            table = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
            if (sources, targets) != (request.sources, request.targets):  # some are given twice
                row, column = ({number: i for i, number in enumerate(some)} for some in (sources, targets))
                table = table[
                    np.ix_([row[each] for each in request.sources], [column[each] for each in request.targets])
                ]
            tables[name] = table
        return table_reply(router, request, places, tables)

    async def _route(self, router: Router, request: PointsRequest, places: Places) -> dict[str, Any]:
        if request.alternatives:
            every = await self._computed(router.alternatives, places[0], places[1], request.alternatives)
            if not every:
                raise RefusedError("NoRoute", "there is no path from point 0 to point 1")
            routes = [[leg] for leg in every]
        else:
            routes = [[await self._leg(router, places, number) for number in range(len(places) - 1)]]
        return await self._described(router, request, places, routes)

    async def _leg(self, router: Router, places: Places, number: int) -> Leg:
        leg = await self._computed(router.leg, places[number], places[number + 1])
        if leg is None:
            raise RefusedError("NoRoute", f"there is no path from point {number} to point {number + 1}")
        return leg

    async def _described(
        self, router: Router, request: PointsRequest, places: Places, routes: list[list[Leg]]
    ) -> dict[str, Any]:
        corners = sum(len(leg.line) for legs in routes for leg in legs)
        is_long = request.has_steps or bool(request.annotations)
        if is_long and corners > self.limits.corners:
            what = f"with steps or annotations, routes may have {self.limits.corners:,} points on their lines"
            raise RefusedError("TooBig", f"{what}; these have {corners:,}")
        found = []
        for legs in routes:
            work = (router, request)
            replies = [
                await self._computed(leg_reply, *work, leg) if is_long else leg_reply(*work, leg) for leg in legs
            ]
            lines = [leg.line * router.scale for leg in legs]
            found.append(route_of(router, request, lines, replies))
        return route_reply(router, places, found)

    async def _computed(self, work: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)

    def close(self) -> None:
        """End the threads, after what they compute."""
        self._pool.shutdown(cancel_futures=True)


def _some(places: Places, numbers: list[int]) -> Places:
    return places if numbers == list(range(len(places))) else places[numbers]


def application(service: Service, *, token: str | None = None) -> Starlette:
    """Return the application.

    Parameters
    ----------
    token : str, optional
        What requests must have as `Authorization: Bearer TOKEN`. Without one, only requests to names of this machine
        are answered, so that no page of another site can ask through a browser.
    """
    purpose = "apsp serve"
    starlette, orjson = needed("starlette.applications", purpose), needed("orjson", purpose)
    routing, responses = needed("starlette.routing", purpose), needed("starlette.responses", purpose)
    middleware, hosts = needed("starlette.middleware", purpose), needed("starlette.middleware.trustedhost", purpose)

    def reply(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
        body = orjson.dumps(content, option=orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS, default=str)
        found: Response = responses.Response(body, status, headers, "application/json")
        return found

    def refused(code: str, message: str, status: int) -> Response:
        return reply({"code": code, "message": message}, status, {"Retry-After": "1"} if status == 503 else None)

    def guarded(handler: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def guard(request: Request) -> Response:
            given = request.headers.get("authorization", "")
            if token is None or hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
                return await handler(request)
            return refused("Unauthorized", "send the token of the server: Authorization: Bearer TOKEN", 401)

        return guard

    async def answered(request: Request) -> Response:
        name, started = request.path_params["service"], time.perf_counter()
        try:
            if request.path_params["version"] != "v1":
                raise RefusedError("InvalidVersion", "the version is v1: /table/v1/driving/x,y;x,y")
            options = _options(request)
            found, code = reply(await service.answer(name, request.path_params["coordinates"], options)), "Ok"
        except RefusedError as error:
            found, code = refused(error.code, str(error), error.status), error.code
        service.metrics.record(name, code, time.perf_counter() - started)
        return found

    async def reloaded(_: Request) -> Response:
        try:
            await service.reload()
        except (ApspError, OSError) as error:
            return refused("InvalidValue", f"the server goes on with the old oracle: {error}", 500)
        return reply({"code": "Ok", "vertices": service.router.graph.n})

    async def health(_: Request) -> Response:
        return reply({"code": "Ok", "vertices": service.router.graph.n})

    async def metrics(_: Request) -> Response:
        found: Response = responses.Response(service.metrics.text(), media_type="text/plain; version=0.0.4")
        return found

    async def missing(*_: Any) -> Response:
        return refused("InvalidUrl", "there are /nearest, /table and /route/v1/PROFILE/x,y;x,y", 400)

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield
        service.close()

    known = [] if token is not None else [
        middleware.Middleware(hosts.TrustedHostMiddleware, allowed_hosts=_LOOPBACK)
    ]  # fmt: skip
    made: Starlette = starlette.Starlette(
        routes=[
            routing.Route("/health", health), routing.Route("/metrics", guarded(metrics)),
            routing.Route("/reload", guarded(reloaded), methods=["POST"]),
            routing.Route("/{service}/{version}/{profile}/{coordinates:path}", guarded(answered)),
        ],
        middleware=known, lifespan=lifespan, exception_handlers={404: missing, 405: missing},
    )  # fmt: skip
    return made


def _options(request: Request) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name in found:
            raise RefusedError("InvalidQuery", f"{name} is given twice")
        found[name] = value
    return found
