"""`apsp serve` as a process: an OSRM client and plain HTTP, tokens, names of hosts, reloads and the end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp

for package in ("orjson", "prometheus_client", "starlette", "uvicorn"):
    pytest.importorskip(package)

CITY = apsp.generate("city", 900, seed=3)
GRAPH = apsp.Graph(
    CITY.indptr, CITY.indices, CITY.weights, coordinates=CITY.coordinates / 1e5, crs="degrees", directed=True
).with_costs(metres=np.hypot(*(CITY.coordinates[CITY.tails()] - CITY.coordinates[CITY.indices]).T))
POINTS = [[0.001, 0.002], [-0.004, 0.011], [0.009, -0.012], [0.0, 0.0]]
WHERE = ";".join(f"{x},{y}" for x, y in POINTS)


@contextmanager
def running(file: Path, *options: str, **environment: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server, and where it answers."""
    command = [sys.executable, "-m", "apsp", "serve", str(file), "--unit", "s", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | environment) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert " answers for " in line, line + process.stderr.read()
        try:
            yield line.split()[0], process
        finally:
            process.kill()


@pytest.fixture(name="file", scope="module")
def file_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("serve") / "city.oracle.npz"
    apsp.prepare(GRAPH).save(path)
    return path


@pytest.fixture(name="address", scope="module")
def address_fixture(file: Path) -> Iterator[str]:
    with running(file) as (address, _):
        yield address


def got(url: str, method: str = "GET", **headers: str) -> tuple[int, Any]:
    request = urllib.request.Request(url, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            status, body = reply.status, reply.read()
    except urllib.error.HTTPError as error:
        status, body = error.code, error.read()
    return status, json.loads(body) if body[:1] in (b"{", b"[") else body.decode()


def places() -> apsp.Places:
    return GRAPH.snap(POINTS, speed=np.inf)


def test_a_client_of_osrm(address: str) -> None:
    routingpy = pytest.importorskip("routingpy")
    client = routingpy.OSRM(base_url=address)
    table = client.matrix(POINTS, annotations=["duration"])
    np.testing.assert_array_equal(table.durations, apsp.matrix(GRAPH, places(), places()).distances)
    route = client.directions(POINTS, geometries="geojson")
    assert route.duration == int(sum(apsp.distance(GRAPH, places()[i], places()[i + 1]) for i in range(3)))
    assert route.geometry[0] == pytest.approx(places().on_street[0], rel=1e-12)
    encoded = client.directions(POINTS, overview="full")
    np.testing.assert_allclose(encoded.geometry, route.geometry, rtol=0, atol=1e-5)
    with pytest.raises(routingpy.exceptions.RouterApiError, match="--length NAME"):
        client.matrix(POINTS)


def test_a_client_of_osrm_asks_for_all_there_is(file: Path) -> None:
    routingpy = pytest.importorskip("routingpy")
    ends = GRAPH.snap(POINTS[:2], speed=np.inf)
    with running(file, "--length", "metres") as (address, _):
        client = routingpy.OSRM(base_url=address)
        table = client.matrix(POINTS)
        skims = apsp.skim(GRAPH, ["metres"], zones=places())
        np.testing.assert_allclose(table.durations, skims["cost"], rtol=1e-12)
        np.testing.assert_allclose(table.distances, skims["metres"], rtol=1e-12, atol=1e-9)
        route = client.directions(POINTS, steps=True, annotations=True, geometries="geojson")
        legs = route.raw["routes"][0]["legs"]
        assert [leg["steps"][0]["maneuver"]["type"] for leg in legs] == ["depart"] * 3
        for leg in legs:
            steps, found = leg["steps"], leg["annotation"]
            assert sum(step["distance"] for step in steps) == pytest.approx(leg["distance"])
            assert sum(found["duration"]) == pytest.approx(leg["duration"])
            for step in steps[:-1]:
                (x, y), (u, v) = step["geometry"]["coordinates"][:2]
                east, north = (u - x) * np.cos(np.radians(y)), v - y
                bearing = np.degrees(np.arctan2(east, north))
                assert abs((step["maneuver"]["bearing_after"] - bearing + 180) % 360 - 180) <= 0.51
        others = client.directions(POINTS[:2], alternatives=2)
        assert others[0].duration == int(apsp.distance(GRAPH, ends[0], ends[1]))
        assert len(others.raw["routes"]) == len(list(others)) > 1


def test_replies_have_all_digits(address: str) -> None:
    status, reply = got(f"{address}/table/v1/driving/{WHERE}")
    assert (status, reply["code"]) == (200, "Ok")
    assert reply["durations"] == apsp.matrix(GRAPH, places(), places()).distances.tolist()


def test_as_many_points_as_a_request_may_have(address: str) -> None:
    points = np.random.default_rng(0).uniform(-0.012, 0.012, (1000, 2))
    where = ";".join(f"{x!r},{y!r}" for x, y in points.tolist())
    status, reply = got(f"{address}/table/v1/driving/{where}?sources=0")
    assert (status, len(reply["durations"][0])) == (200, 1000)


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/table/v1/driving/1,2;x", 400, "InvalidUrl"),
        (f"/table/v2/driving/{WHERE}", 400, "InvalidVersion"),
        (f"/match/v1/driving/{WHERE}", 400, "InvalidService"),
        (f"/table/v1/driving/{WHERE}?sources=0&sources=1", 400, "InvalidQuery"),
        ("/", 400, "InvalidUrl"),
        ("/reload", 400, "InvalidUrl"),
    ],
)
def test_errors_have_a_code_and_words(address: str, path: str, status: int, code: str) -> None:
    found, reply = got(address + path)
    assert (found, reply["code"]) == (status, code)
    assert reply["message"]


def test_pages_of_other_sites_get_no_answer(address: str) -> None:
    assert got(f"{address}/health", Host="evil.example")[0] == 400
    assert got(f"{address}/health", Host="localhost")[0] == 200


def test_metrics(address: str) -> None:
    got(f"{address}/nearest/v1/driving/0,0")
    got(f"{address}/nearest/v1/driving/0,0;1,1")
    _, text = got(f"{address}/metrics")
    assert 'apsp_requests_total{code="Ok",service="nearest"}' in text
    assert 'apsp_requests_total{code="InvalidQuery",service="nearest"}' in text
    assert "apsp_vertices 900.0" in text
    assert 'apsp_request_seconds_bucket{le="0.001",service="nearest"}' in text


def test_a_token(file: Path) -> None:
    with running(file, APSP_TOKEN="secret") as (address, _):
        assert got(f"{address}/nearest/v1/driving/0,0")[0] == 401
        assert got(f"{address}/metrics")[0] == 401
        assert got(f"{address}/reload", "POST")[0] == 401
        assert got(f"{address}/route/v1/driving/{WHERE}?steps=true&annotations=true")[0] == 401
        assert got(f"{address}/nearest/v1/driving/0,0", Authorization="Bearer wrong")[0] == 401
        assert got(f"{address}/nearest/v1/driving/0,0", Authorization="Bearer secret")[0] == 200
        assert got(f"{address}/health", Host="name.example")[0] == 200


def test_reloads_and_the_end(file: Path, tmp_path: Path) -> None:
    path = tmp_path / "city.oracle.npz"
    path.write_bytes(file.read_bytes())
    with running(path) as (address, process):
        smaller = apsp.from_edges([0], [1], [5], coordinates=[[0, 0], [1, 1]], crs="degrees")
        apsp.prepare(smaller).save(path)
        assert got(f"{address}/reload", "POST") == (200, {"code": "Ok", "vertices": 2})
        path.write_bytes(b"no oracle")
        status, reply = got(f"{address}/reload", "POST")
        assert (status, reply["code"]) == (500, "InvalidValue")
        assert "goes on with the old oracle" in reply["message"]
        assert got(f"{address}/health") == (200, {"code": "Ok", "vertices": 2})
        path.write_bytes(file.read_bytes())
        process.send_signal(signal.SIGHUP)
        assert process.stderr is not None
        assert process.stderr.readline() == "read again: 900 vertices\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) in (143, -signal.SIGTERM)


def test_a_graph_is_prepared(tmp_path: Path) -> None:
    apsp.write(GRAPH, tmp_path / "city.npz")
    with running(tmp_path / "city.npz") as (address, _):
        assert got(f"{address}/table/v1/driving/{WHERE}")[1]["durations"][0][0] == 0
