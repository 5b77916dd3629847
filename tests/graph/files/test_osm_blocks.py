"""Extracts decoded block by block: the same graphs, notes and errors as from osmium, one way after the other."""

from __future__ import annotations

import gzip
import itertools
import random
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import apsp
from apsp.errors import ApspError, FileFormatError
from apsp.graph.files import osm
from apsp.graph.files.osm_blocks import UnusualError, extract_of
from apsp.graph.files.osm_streets import KEYS, MODES, speeds

osmium = pytest.importorskip("osmium")

CLASSES = ("residential", "motorway", "primary", "footway", "track", "construction", "steps", "service")
OTHERS = (
    ("oneway", "yes"), ("oneway", "-1"), ("maxspeed", "30"), ("maxspeed", "50 mph"), ("maxspeed:backward", "20"),
    ("access", "private"), ("bicycle", "yes"), ("foot", "no"), ("name", "Straße"), ("surface", "asphalt"),
    ("junction", "roundabout"), ("area", "yes"), ("cycleway", "opposite"), ("type", "x"),
)  # fmt: skip


def written(path: Path, *, count: int = 700, kind: str = "pbf", seed: int = 1, nodes: list[int] | None = None) -> Path:
    """Streets over random nodes, some of which are missing, occur twice in a row or lie nowhere; turn restrictions."""
    from osmium.osm.mutable import Node, Relation, Way

    rng = random.Random(seed)
    numbers = nodes if nodes is not None else sorted(rng.sample(range(5, 10**10), count))
    with osmium.SimpleWriter(osmium.io.File(str(path), kind)) as writer:
        for number in numbers:
            place = (200.0, 1.0) if rng.random() < 0.02 else (rng.uniform(5, 6), rng.uniform(50, 51))
            writer.add_node(Node(id=number, location=place, tags={"highway": "crossing"} if number % 9 == 0 else {}))
        for number in range(1, 2 * count):
            used = rng.choices(numbers, k=rng.randint(0, 7))
            used = [each for each in used for _ in range(rng.choice((1, 1, 1, 2)))]
            if rng.random() < 0.1:
                used.insert(rng.randint(0, len(used)), rng.choice((3, 10**11)))
            tags = dict(rng.sample(OTHERS, rng.randint(0, 4)))
            if rng.random() < 0.8:
                tags["highway"] = rng.choice(CLASSES)
            writer.add_way(Way(id=3 * number, nodes=used, tags=tags))
        for number in range(1, count):
            ways = [("w", 3 * rng.randint(1, 2 * count), role) for role in ("from", "to")]
            kinds = ("no_left_turn", "no_u_turn", "only_straight_on")
            tags = {"type": rng.choice(("restriction", "restriction:bicycle", "restriction:", "route"))}
            writer.add_relation(
                Relation(
                    id=number,
                    members=[*ways, ("n", rng.choice(numbers), "via")],
                    tags=tags | {"restriction": rng.choice(kinds)},
                )
            )
    return path


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Read as osmium does; what was read, or the words of the error."""

    def read(is_slow: bool, path: Path, **options: Any) -> Any:
        notes: list[str] = []
        with monkeypatch.context() as patch:
            if is_slow:
                patch.setattr(osm, "_extract", lambda *_: None)
            try:
                return apsp.read(path, notes=notes, **options), notes
            except ApspError as error:
                return type(error), str(error)

    return read


def is_decoded(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            extract_of(stream)
    except UnusualError:
        return False
    return True


def arrays(graph: apsp.Graph) -> tuple[Any, ...]:
    return graph.indptr, graph.indices, graph.weights, graph.coordinates, np.asarray(list(graph.labels))


def assert_same(one: Any, other: Any) -> None:
    assert one[1] == other[1]
    if isinstance(one[0], type):
        assert one == other
        return
    graphs = [getattr(each[0], "graph", each[0]) for each in (one, other)]
    assert graphs[0] == graphs[1]
    for mine, theirs in zip(*map(arrays, graphs), strict=True):
        assert np.array_equal(mine, theirs)
    assert graphs[0].links == graphs[1].links


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("turns", [False, True])
def test_the_same_graph(mode: str, turns: bool, tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    for seed in range(4):
        path = written(tmp_path / f"{seed}.osm.pbf", seed=seed)
        assert is_decoded(path)
        slow, fast = (one_by_one(is_slow, path, mode=mode, turns=turns) for is_slow in (True, False))
        assert not isinstance(fast[0], type), fast
        assert_same(fast, slow)


def test_many_blocks(tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    path = written(tmp_path / "map.osm.pbf", count=12_000)
    places: list[tuple[int, int]] = []
    apsp.read(path, progress=lambda _, done, total: places.append((done, total)))
    assert len(places) > 5
    assert max(places) == (path.stat().st_size,) * 2
    assert_same(one_by_one(False, path), one_by_one(True, path))
    packed = tmp_path / "map.osm.pbf.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert apsp.read(packed) == apsp.read(path)


def test_an_exception_of_progress(tmp_path: Path) -> None:
    path = written(tmp_path / "map.osm.pbf", count=9000)
    for error in (KeyError("stop"), OSError("stop")):

        def stop(_: str, done: int, __: int, error: Exception = error) -> None:
            if done > 300_000:
                raise error

        with pytest.raises(type(error), match="stop"):
            apsp.read(path, progress=stop)


UNUSUAL = {
    "no compression": "pbf,pbf_compression=none",
    "nodes one by one": "pbf,pbf_dense_nodes=false",
    "places in ways": "pbf,locations_on_ways=true",
}


@pytest.mark.parametrize("kind", UNUSUAL)
def test_unusual_files(kind: str, tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    path = written(tmp_path / "map.osm.pbf", kind=UNUSUAL[kind])
    assert not is_decoded(path)
    assert_same(one_by_one(False, path), one_by_one(True, path))


@pytest.mark.parametrize("nodes", [[9, 4, 7, 5], [4, 5, 5, 9], [-3, 4, 5, 9], [0, 4, 5, 9]])
def test_numbers_of_nodes_that_do_not_rise(nodes: list[int], tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    path = written(tmp_path / "map.osm.pbf", nodes=nodes)
    assert not is_decoded(path)
    assert_same(one_by_one(False, path), one_by_one(True, path))


def field(number: int, value: int | bytes) -> bytes:
    """A field of a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def rising(values: list[int]) -> bytes:
    """Signed differences of numbers."""
    steps = [b - a for a, b in itertools.pairwise([0, *values])]
    return b"".join(varint(2 * step if step >= 0 else -2 * step - 1) for step in steps)


TEXTS = ("", "highway", "primary", "type", "restriction", "no_left_turn", "from", "via", "to")
CROSSING = {1: (-1, 0), 2: (1, 0), 4: (0, 1), 5: (0, 0)}
STREETS = {10: [1, 5], 20: [5, 2], 40: [5, 4]}


def numbers(*texts: str) -> bytes:
    return bytes(TEXTS.index(text) for text in texts)


def nodes_of(named: list[int]) -> bytes:
    x, y = ([10_000 * CROSSING[each][axis] for each in named] for axis in (0, 1))
    return field(2, field(2, field(1, rising(named)) + field(8, rising(y)) + field(9, rising(x)))) if named else b""


def ways_of(named: list[int]) -> bytes:
    tags = field(2, numbers("highway")) + field(3, numbers("primary"))
    return field(2, b"".join(field(3, field(1, way) + tags + field(8, rising(STREETS[way]))) for way in named))


def restriction() -> bytes:
    """No left turn from 10 to 40."""
    tags = field(2, numbers("type", "restriction")) + field(3, numbers("restriction", "no_left_turn"))
    members = field(8, numbers("from", "via", "to")) + field(9, rising([10, 5, 40])) + field(10, bytes([1, 0, 1]))
    return field(2, field(4, field(1, 7) + tags + members))


def blob(kind: str, data: bytes) -> bytes:
    body = field(2, len(data)) + field(3, zlib.compress(data))
    head = field(1, kind.encode()) + field(3, len(body))
    return len(head).to_bytes(4, "big") + head + body


def pbf(path: Path, *blocks: bytes, texts: tuple[str, ...] = TEXTS) -> Path:
    """A file of blocks, each of which contains groups."""
    table = field(1, b"".join(field(1, text.encode()) for text in texts))
    header = blob("OSMHeader", field(4, b"OsmSchema-V0.6") + field(4, b"DenseNodes"))
    path.write_bytes(header + b"".join(blob("OSMData", table + each + field(17, 100)) for each in blocks))
    return path


NODES, WAYS, RULE = nodes_of([1, 2, 4, 5]), ways_of([10, 20, 40]), restriction()
ORDERS = {
    "usual": (NODES, WAYS, RULE),
    "one block": (NODES + WAYS + RULE,),
    "as Osmosis": (nodes_of([1, 2]), nodes_of([4, 5]) + ways_of([10]), ways_of([20, 40]) + RULE),
    "as osmconvert": (NODES, RULE, WAYS),
    "nodes last": (WAYS, RULE, NODES),
    "nodes in between": (nodes_of([1]), ways_of([10]) + nodes_of([2, 4]), RULE, ways_of([20, 40]), nodes_of([5])),
    "empty groups and blocks": (b"", NODES + field(2, b""), WAYS, RULE, b""),
}


@pytest.mark.parametrize("order", ORDERS)
def test_order_of_elements(order: str, tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    path = pbf(tmp_path / "map.osm.pbf", *ORDERS[order])
    assert is_decoded(path)
    for turns in (False, True):
        fast, slow = (one_by_one(is_slow, path, turns=turns, cost="length") for is_slow in (False, True))
        assert_same(fast, slow)
        graph = getattr(fast[0], "graph", fast[0])
        assert [int(each) for each in graph.labels] == [1, 2, 4, 5]
        assert graph.m == 6
    assert fast[1][1] == "1 turn restriction; movements forbidden: 1"


def test_a_null_character_in_a_text(tmp_path: Path) -> None:
    """Osmium would read beyond its memory."""
    path = pbf(tmp_path / "map.osm.pbf", NODES, WAYS, RULE, texts=(*TEXTS[:1], "high\0way", *TEXTS[2:]))
    for turns in (False, True):
        with pytest.raises(FileFormatError, match=r"damaged or cut short \(a text contains a null character\)"):
            apsp.read(path, turns=turns)


def test_damaged_files(tmp_path: Path, one_by_one: Callable[..., Any]) -> None:
    good = bytearray(written(tmp_path / "map.osm.pbf", count=40).read_bytes())
    rng, path, refused = random.Random(3), tmp_path / "damaged.osm.pbf", 0
    for _ in range(150):
        data = bytearray(good)
        for _ in range(rng.randint(1, 3)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data[: rng.choice((len(data), rng.randrange(len(data))))])
        refused += not is_decoded(path)
        assert_same(one_by_one(False, path), one_by_one(True, path))
    assert refused > 50


class Watched(dict[str, str]):
    """Tags that remember which keys were looked up."""

    seen: set[str]

    def __contains__(self, key: object) -> bool:
        self.seen.add(str(key))
        return super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.seen.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> str:
        self.seen.add(key)
        return super().__getitem__(key)


def test_the_keys_on_which_speeds_depend() -> None:
    rng, seen = random.Random(1), set[str]()
    for _ in range(3000):
        tags = Watched(rng.sample(OTHERS, rng.randint(0, 5)), highway=rng.choice((*CLASSES, "trunk")))
        tags.seen = seen
        for mode in MODES:
            speeds(tags, mode)
    assert seen == KEYS
