"""Stores in buckets: an S3 server on this machine, and a network that loses, delays and cuts requests."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.store import bucket as bucket_module
from apsp.store.bucket import Bucket
from apsp.store.header import header_at
from apsp.store.leases import Leases
from apsp.store.writer import BandWriter
from apsp.system.array_device import to_host
from s3 import Network, Server, at_random, server
from stopping import StopError, stop_after
from stored import small_chunks

for package in ("zarr", "obstore", "moto", "flask", "flask_cors"):
    pytest.importorskip(package)
pytestmark = pytest.mark.usefixtures("small_bands")

FAULTS = ("refused", "lost", "cut", "503", "slow", "late")


@pytest.fixture(scope="module")
def s3() -> Iterator[Server]:
    with server() as found:
        yield found


@pytest.fixture
def bucket(s3: Server, request: pytest.FixtureRequest) -> str:
    return s3.bucket(f"bucket-{abs(hash(request.node.name))}")


@pytest.fixture
def network(s3: Server) -> Iterator[Network]:
    with Network(s3) as found:
        yield found


def shards_in(folder: Path) -> dict[str, bytes]:
    """The bytes of a store in a folder, without its group, which has a number of its own."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    return {key: path.read_bytes() for key, path in files.items() if key != "zarr.json"}


def objects_of(objects: Any) -> dict[str, bytes]:
    """The bytes of a store in a bucket, without its group and claims."""
    keys = [each["path"] for part in objects.list() for each in part]
    return {key: bytes(objects.get(key).bytes()) for key in keys if key != "zarr.json" and ".claims" not in key}


def checksums_in(objects: Any) -> dict[str, str]:
    """The MD5 sums of the same objects, as the server lists them: one request."""
    listed = {each["path"]: each["e_tag"].strip('"') for part in objects.list() for each in part}
    return {key: tag for key, tag in listed.items() if key != "zarr.json" and ".claims" not in key}


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What a folder holds of the city, with predecessors."""
    from apsp.api.stored import solving

    place = tmp_path_factory.mktemp("expected") / "city.zarr"
    with pytest.MonkeyPatch.context() as patch, small_chunks():
        patch.setattr(solving, "band_rows", lambda *_: 16)
        apsp.solve(apsp.generate("city", 200, seed=1), store=place, paths=True)
    return shards_in(place)


def test_the_same_bytes_as_in_a_folder(city: apsp.Graph, s3: Server, bucket: str, expected: dict[str, bytes]) -> None:
    objects = s3.objects(bucket)
    result = apsp.solve(city, store=objects, paths=True)
    assert objects_of(objects) == expected
    assert not [each for part in objects.list() for each in part if ".claims" in each["path"]]
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)
    assert apsp.solve(city, store=objects, paths=True).info["rows_computed"] == 0
    apsp.load(objects).verify()


@pytest.mark.slow
@pytest.mark.usefixtures("small_skims")
def test_skims(city: apsp.Graph, s3: Server, bucket: str) -> None:
    objects = s3.objects(bucket)
    along = {"Länge (km)": np.arange(city.m) % 5, "a b+c&d=e": np.arange(city.m) % 3}
    expected = apsp.skim(city, along)
    with pytest.raises(StopError):
        apsp.skim(city, along, store=objects, progress=stop_after(40))
    found = apsp.skim(city, along, store=s3.objects(bucket))
    assert 0 < found.info["rows_computed"] < city.n
    assert found == expected
    assert apsp.load(objects) == expected
    assert not [each for part in objects.list() for each in part if ".claims" in each["path"]]


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (2, 3))])
def test_any_request_may_fail(
    seed: int, city: apsp.Graph, s3: Server, bucket: str, network: Network, expected: dict[str, bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Without retries of the client: each run ends with an error that names the bucket, and the next one goes on."""
    monkeypatch.setattr(bucket_module, "Leases", partial(Leases, beat=0.05, stale=0.3))
    network.faults = at_random(seed, 0.04, FAULTS)
    direct, failures, before = s3.objects(bucket), 0, dict[str, str]()
    checksums = {key: hashlib.md5(content).hexdigest() for key, content in expected.items()}
    for _ in range(60):
        try:
            apsp.solve(city, store=s3.objects(bucket, port=network.port), paths=True)
            break
        except (apsp.OutputError, apsp.StoreAccessError) as error:
            failures += 1
            assert bucket in str(error)  # noqa: PT017
            assert "ake the same call again" in str(error)  # noqa: PT017
        there = checksums_in(direct)
        if direct.list("zarr.json").collect():
            assert there.items() <= checksums.items()  # whatever is there is whole
            assert before.keys() <= there.keys()
            before = there
    assert failures
    assert objects_of(direct) == expected
    time.sleep(0.7)  # late requests arrive
    assert objects_of(direct) == expected
    assert np.array_equal(np.asarray(apsp.load(direct).distances), apsp.solve(city).distances)


def test_retries_of_the_client_are_enough(
    city: apsp.Graph, s3: Server, bucket: str, network: Network, expected: dict[str, bytes]
) -> None:
    """A claim whose answer was lost is known to be that of this run: the run does not wait for its end."""
    network.faults = at_random(4, 0.3, ("refused", "lost", "503"))
    apsp.solve(city, store=s3.objects(bucket, port=network.port, retries=12), paths=True)
    assert network.happened["lost", "PUT"] > 3
    assert objects_of(s3.objects(bucket)) == expected


def test_the_network_ends_in_the_middle(city: apsp.Graph, s3: Server, bucket: str, network: Network) -> None:
    puts = Counter[str]()

    def faults(method: str, path: str) -> str:
        if method == "PUT" and "/distances/c/" in path:
            puts[path] += 1
        return "refused" if len(puts) > 5 else ""

    network.faults = faults
    objects = s3.objects(bucket, port=network.port)
    with pytest.raises(apsp.ApspError, match=rf"{bucket}.*no answer from http://127\.0\.0\.1:{network.port}: .*again"):
        apsp.solve(city, store=objects)
    network.faults = lambda method, path: ""
    there = objects_of(objects)
    assert sum("distances/c/" in key for key in there) == 5
    network.faults = lambda method, path: faults(method, path) and ""
    puts.clear()
    with pytest.MonkeyPatch.context() as patch:
        # The claim of the run that was cut off ends soon.
        patch.setattr(bucket_module, "Leases", partial(Leases, beat=0.05, stale=0.2))
        result = apsp.solve(city, store=objects)
    assert not {key for key in there if any(path.endswith(f"/{key}") for path in puts)}  # none is written again
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)


def test_readers_tell_a_network_from_damage(city: apsp.Graph, s3: Server, bucket: str, network: Network) -> None:
    """No message may ask to remove what is whole."""
    objects = s3.objects(bucket, port=network.port)
    apsp.solve(city, store=objects)
    result = apsp.load(objects)
    row = result.row(100).copy()
    for fault in ("refused", "lost", "cut", "503", "403"):
        for part in ("", "/c/"):
            network.faults = lambda method, path, fault=fault, part=part: fault if part in path else ""
            for read in (lambda: result.row(100), lambda: apsp.load(objects), result.verify):
                with pytest.raises(apsp.StoreAccessError, match="ake the same call again") as raised:
                    read()
                assert "damaged" not in str(raised.value)
                assert "remove" not in str(raised.value)
    network.faults = lambda method, path: ""
    assert np.array_equal(result.row(100), row)


def test_a_bucket_that_cannot_be_written(city: apsp.Graph, s3: Server, bucket: str, network: Network) -> None:
    objects = s3.objects(bucket, port=network.port)
    network.faults = lambda method, path: "403" if method == "PUT" else ""
    with pytest.raises(apsp.OutputError, match=f"{bucket}.*403 Forbidden: Access Denied. Check the credentials"):
        apsp.solve(city, store=objects)
    assert not objects_of(objects)
    network.faults = lambda method, path: ""
    apsp.solve(city, store=objects)
    network.faults = lambda method, path: "" if method in ("GET", "HEAD") else "403"
    assert apsp.solve(city, store=objects).info["rows_computed"] == 0  # nothing has to be written
    apsp.load(objects).verify()


def test_a_bucket_that_does_not_exist(city: apsp.Graph, s3: Server) -> None:
    with pytest.raises(apsp.ApspError, match=r"nothing-here.*404 Not Found: .* Check the name of the bucket"):
        apsp.solve(city, store=s3.objects("nothing-here"))


def test_urls(city: apsp.Graph, s3: Server, bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Credentials and other settings come from the environment, also in the workers of an engine."""
    for name, value in {
        "ACCESS_KEY_ID": "name", "SECRET_ACCESS_KEY": "word", "REGION": "us-east-1", "ALLOW_HTTP": "true",
        "ENDPOINT_URL": f"http://127.0.0.1:{s3.port}",
    }.items():  # fmt: skip
        monkeypatch.setenv(f"AWS_{name}", value)
    url = f"s3://{bucket}/folder/city.zarr"
    result = apsp.solve(city, store=url, executor="processes")
    assert result.info["rows_computed"] == 200
    assert np.array_equal(np.asarray(result.distances), apsp.solve(city).distances)
    assert apsp.solve(city, store=url).info["rows_computed"] == 0
    loaded = apsp.load(url)
    assert apsp.result.paths.replay(city, loaded.path(3, 150)) == loaded.distance(3, 150) == result.distance(3, 150)


@pytest.mark.parametrize("fault", ["403", "refused"])
def test_without_credentials(fault: str, city: apsp.Graph, network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cloud gives them to its own machines only: the same call again does not help."""
    from obstore.store import S3Store

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    network.faults = lambda method, path: fault
    place = f"http://127.0.0.1:{network.port}"
    objects = S3Store(
        "bucket", metadata_endpoint=place, region="us-east-1", client_options={"allow_http": True},
        retry_config={"max_retries": 0},
    )  # fmt: skip
    for act in (lambda: apsp.load(objects), lambda: apsp.solve(city, store=objects)):
        with pytest.raises(apsp.ApspError, match=r"there are no credentials\. Set the credentials in the environment"):
            act()


def test_urls_that_cannot_be(city: apsp.Graph) -> None:
    for url, words in (
        ("hdfs://host/city.zarr", "Stores are folders, or URLs that begin with s3://"),
        ("az://container/city.zarr", "AZURE_STORAGE_ACCOUNT_NAME"),
    ):
        with pytest.raises(apsp.RequestError, match=words):
            apsp.solve(city, store=url)
    with pytest.raises(apsp.StoreAccessError, match=r"http://127\.0\.0\.1:9 is not encrypted\. Use https"):
        apsp.load("http://127.0.0.1:9/city.zarr")


def test_requests_that_take_too_long(city: apsp.Graph, s3: Server, bucket: str, network: Network) -> None:
    network.faults = lambda method, path: "slow"
    with pytest.raises(apsp.StoreAccessError, match=r"longer timeout \(client_options\)"):
        apsp.load(s3.objects(bucket, port=network.port, timeout=0.05))


def test_two_runs_share_a_bucket(city: apsp.Graph, s3: Server, bucket: str, network: Network) -> None:
    puts = Counter[str]()

    def faults(method: str, path: str) -> str:
        if method == "PUT" and "/c/" in path and ".claims" not in path:
            puts[path] += 1
            return "slow"
        return ""

    network.faults = faults
    found: list[Any] = []

    def run() -> None:
        found.append(apsp.solve(city, store=s3.objects(bucket, port=network.port), paths=True))

    runs = [threading.Thread(target=run) for _ in range(2)]
    for each in runs:
        each.start()
    for each in runs:
        each.join()
    assert sum(result.info["rows_computed"] for result in found) == 200
    assert all(result.info["rows_computed"] for result in found)
    assert set(puts.values()) == {1}
    assert np.array_equal(np.asarray(found[0].distances), apsp.solve(city).distances)


def test_a_suspended_run_replaces_nothing(city: apsp.Graph, s3: Server, bucket: str) -> None:
    """Its claims have ended, and others have computed its bands."""
    objects = s3.objects(bucket)
    result = apsp.solve(city, store=objects)
    header = header_at(Bucket(objects))
    assert header is not None
    before = objects.head("distances/c/2/0")
    time.sleep(1.1)  # the resolution of times in S3
    writer = BandWriter(Bucket(objects), header)
    claim = Bucket(objects).claim("2")
    assert claim is not None
    writer.write(2, {"distances": np.zeros((16, 200), dtype=result.distances.dtype)}, claim)
    assert writer.finish() > 0
    writer.close()
    assert objects.head("distances/c/2/0") == before


def test_services_without_conditional_writes(city: apsp.Graph, s3: Server, bucket: str) -> None:
    objects = s3.objects(bucket, conditional_put="disabled")
    assert np.array_equal(np.asarray(apsp.solve(city, store=objects).distances), apsp.solve(city).distances)


@pytest.mark.parametrize("hours", [-5, 5])
def test_clocks_of_runs_may_differ(
    hours: int, city: apsp.Graph, s3: Server, bucket: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim of a killed run ends a minute after another run has seen it, whatever its clock showed."""
    place, now, really = Bucket(s3.objects(bucket)), [0.0], time.time
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: really() + 3600 * hours)
        dead = Leases(place, "graph/indptr/claims", lambda: now[0]).take("7")
        assert dead is not None
        dead.leases._stop.set()
    other = Leases(place, "graph/indptr/claims", lambda: now[0] + 3600 * hours)
    for seconds, free in ((0.0, False), (59.0, False), (61.0, True)):
        now[0] = seconds
        assert (other.take("7") is not None) == free
    with monkeypatch.context() as patch:
        patch.setattr(time, "time", lambda: really() + 3600 * hours)
        assert apsp.solve(city, store=s3.objects(bucket)).is_complete


def test_the_claim_of_another_run_stays(s3: Server, bucket: str, network: Network) -> None:
    """A failed request to create a claim: it is this run's if its words are there, and only then."""
    place = Bucket(s3.objects(bucket, port=network.port))
    network.faults = lambda method, path: "lost" if method == "PUT" else ""
    mine = Leases(place, "claims").take("3")
    assert mine is not None
    other = Leases(place, "claims")
    assert other.take("3") is None
    network.faults = lambda method, path: "lost" if method != "GET" else ""
    mine.release()  # its removal arrives, the answer does not
    network.faults = lambda method, path: "refused" if method == "PUT" else ""
    with pytest.raises(apsp.OutputError, match=bucket):
        other.take("3")
    network.faults = lambda method, path: ""
    place.write("claims/3/words", [b"not of apsp"])
    assert other.take("3") is not None


@pytest.mark.parametrize("memory", [True, False])
def test_other_objects_are_not_touched(memory: bool, city: apsp.Graph, s3: Server, bucket: str) -> None:
    from obstore.store import MemoryStore

    objects = MemoryStore() if memory else s3.objects(bucket)
    others = {"notes.txt": b"mine", "distances/c/0/0": b"of another program", "graph/zarr.json": b"{}"}
    for key, text in others.items():
        objects.put(key, text)
    with pytest.raises(apsp.OutputError, match=r"has other objects \(distances, notes.txt\), and no store: name a pre"):
        apsp.solve(city, store=objects)
    assert objects_of(objects) == others
    for key in others:
        objects.delete(key)
    expected = to_host(apsp.solve(city, store=objects).distances)
    objects.delete("zarr.json")  # written last
    assert np.array_equal(to_host(apsp.solve(city, store=objects).distances), expected)
