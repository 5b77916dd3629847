"""apsp serve: tables, routes and nearest streets over HTTP, in the forms of OSRM, or as tools of language models."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import math
import os
import signal
import sys
from pathlib import Path
from typing import Any

import click

from apsp.api.oracle.oracle import Oracle
from apsp.api.oracle.preparing import prepare
from apsp.cli.files import INPUT
from apsp.cli.inputs import read_graph
from apsp.cli.options import Reading, reading_options, show_options
from apsp.cli.saved import kind_of, load_oracle
from apsp.cli.sections import Sections
from apsp.cli.terminal import Show
from apsp.errors import ApspError, RequestError
from apsp.serving.application import Service, application
from apsp.serving.limits import Limits
from apsp.serving.router import DISTANCES, DURATIONS, Router
from apsp.serving.tools import tools
from apsp.system.limits import allowed_cores
from apsp.system.optional import needed

__all__ = ["command", "prepared_oracle"]

_DEFAULT = Limits()

_LONGEST, _OF_A_POINT = 1 << 16, 64
"""Bytes of the head of a request, and of a point in it."""


@click.command("serve", cls=Sections, short_help="Answer requests of OSRM's clients: tables, routes, nearest streets.")
@click.argument("source", metavar="IN", type=INPUT)
@click.option(
    "--unit", type=click.Choice([*DURATIONS, *DISTANCES]), required=True,
    help="What a unit of the weights is: seconds, minutes or hours; metres or kilometres.",
)  # fmt: skip
@click.option(
    "--length", metavar="NAME",
    help="Cost of the graph that is the length of streets: tables then have distances, too, along the fastest paths.",
)  # fmt: skip
@click.option(
    "--length-unit", type=click.Choice([*DISTANCES]), default="m", show_default=True,
    help="What a unit of the --length is: metres or kilometres.",
)  # fmt: skip
@click.option("--crs", metavar="NAME", help="What coordinates are: degrees, microdegrees (DIMACS) or plane.")
@click.option(
    "--speed", type=click.FloatRange(min=0, min_open=True), default=math.inf, metavar="NUMBER",
    help="Length of the way between a point and its street per unit of the weights; by default it costs nothing.",
)  # fmt: skip
@click.option(
    "--limit", type=click.FloatRange(min=0), metavar="LENGTH",
    help="Refuse points farther from every street: metres, or the unit of plane coordinates.",
)  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; others need a token.")
@click.option("--port", type=click.IntRange(0, 65535), default=5000, show_default=True, help="0: any that is free.")
@click.option(
    "--token-file", metavar="FILE", type=INPUT,
    help="File with the token that requests must have (Authorization: Bearer TOKEN). APSP_TOKEN holds it, too.",
)  # fmt: skip
@click.option("--threads", type=click.IntRange(1), help="Requests that are computed at a time (default: all cores).")
@click.option("--points", type=click.IntRange(1), default=_DEFAULT.points, show_default=True, help="Most of a request.")
@click.option(
    "--cells", type=click.IntRange(1), default=_DEFAULT.cells, show_default=True, help="Most numbers of a table."
)
@click.option(
    "--alternatives", type=click.IntRange(0), default=_DEFAULT.alternatives, show_default=True,
    help="Most routes beside the first one.",
)  # fmt: skip
@click.option(
    "--corners", type=click.IntRange(1), default=_DEFAULT.corners, show_default=True,
    help="Most points on the lines of routes with steps or annotations.",
)  # fmt: skip
@click.option(
    "--requests", type=click.IntRange(1), default=_DEFAULT.requests, show_default=True,
    help="Most that wait; more are answered with 503.",
)  # fmt: skip
@click.option(
    "--seconds", type=click.FloatRange(min=0, min_open=True), default=_DEFAULT.seconds, show_default=True,
    help="Longest time of a request.",
)  # fmt: skip
@click.option("--mcp", is_flag=True, help="Talk the Model Context Protocol over standard input and output instead.")
@reading_options
@show_options
def command(
    source: str, unit: str, length: str | None, length_unit: str, crs: str | None, speed: float, limit: float | None,
    host: str, port: int, token_file: str | None, threads: int | None, points: int, cells: int, alternatives: int,
    corners: int, requests: int, seconds: float, mcp: bool, reading: Reading, show: Show,
) -> None:  # fmt: skip
    """Answer requests about the oracle or graph IN: /table, /route and /nearest as OSRM does, over HTTP.

    \b
    apsp serve city.oracle.npz --unit s
    apsp serve city.osm.pbf --unit s --length length --port 8080 --limit 500
    curl 'http://127.0.0.1:5000/table/v1/driving/9.19,45.46;9.21,45.48?sources=0'
    apsp serve city.oracle.npz --unit s --mcp

    An oracle is what Oracle.save writes; one with turns answers with them. SIGHUP, or POST /reload, reads IN again
    while the server goes on. /metrics has counters for Prometheus, /health says that the server runs.
    """  # noqa: D301 - click reads the character
    token = _token(token_file)
    if not mcp and not _is_loopback(host) and token is None:
        raise click.UsageError(f"other machines reach {host}: give a token, by --token-file FILE or in APSP_TOKEN")

    def load() -> Router:
        oracle = prepared_oracle(source, reading, show)
        return Router(oracle, unit, crs=crs, speed=speed, limit=limit, length=length, length_unit=length_unit)

    limits = Limits(points, cells, alternatives, corners, requests, seconds)
    if mcp:
        with contextlib.closing(Service(load, limits, threads or allowed_cores())) as service:
            tools(service).run("stdio")
        return
    asyncio.run(_serve(load, limits, threads or allowed_cores(), token, host, port, show))


def prepared_oracle(source: str, reading: Reading, show: Show) -> Oracle:
    """The oracle of a file, or of the graph in it; each request is computed by one thread."""
    if kind_of(source) == "oracle":
        return load_oracle(source, reading, {"threads": 1})
    prepared = prepare(read_graph(source, reading, show, turns=True), threads=1, progress=show.bar)
    assert isinstance(prepared, Oracle)  # files hold no periods
    return prepared


def _token(file: str | None) -> str | None:
    if file is None:
        return os.environ.get("APSP_TOKEN") or None
    found = Path(file).read_text(encoding="utf-8").strip()
    if not found:
        raise RequestError(f"{file} holds no token")
    return found


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def _serve(load: Any, limits: Limits, threads: int, token: str | None, host: str, port: int, show: Show) -> None:
    uvicorn = needed("uvicorn", "apsp serve")
    service = Service(load, limits, threads)
    config = uvicorn.Config(
        application(service, token=token), host=host, port=port, log_level="warning", access_log=False,
        server_header=False, http="h11", h11_max_incomplete_event_size=max(_LONGEST, _OF_A_POINT * limits.points),
    )  # fmt: skip
    server, running = uvicorn.Server(config), set[Any]()

    async def reload() -> None:
        try:
            await service.reload()
            show.say(f"read again: {service.router.graph.n:,} vertices")
        except (ApspError, OSError) as error:
            show.say(f"the server goes on with the old oracle: {error}")

    def on_hangup() -> None:
        task = asyncio.ensure_future(reload())
        running.add(task)
        task.add_done_callback(running.discard)

    if sys.platform != "win32":  # which has no such signal
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, on_hangup)
    serving = asyncio.ensure_future(server.serve())
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        at = server.servers[0].sockets[0].getsockname()
        show.say(f"http://{at[0]}:{at[1]} answers for {service.router.graph.n:,} vertices; Ctrl-C stops it")
    await serving
    if not server.started:
        raise RequestError(f"the server cannot listen at {host}:{port}: another program may use the port (--port)")
