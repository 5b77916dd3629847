"""The nodes and streets of a `.osm.pbf` file as arrays, decoded by NumPy block by block, on several threads.

Only plain files are decoded: compressed by zlib, whose checksum finds damage, with dense nodes whose numbers rise. A
block may contain nodes, ways and relations, as in files of Osmosis and Geofabrik, and ways may follow relations, as in
files of osmconvert. Whatever else may be in a file, damage included, raises UnusualError: such a file is read by
osmium, one way after the other.
Source: https://wiki.openstreetmap.org/wiki/PBF_Format
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import IO, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.graph.files.osm_streets import KEYS
from apsp.system.machine import threads_from
from apsp.system.threads import Threads

__all__ = ["DamagedError", "Extract", "UnusualError", "extract_of"]

Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

_LARGEST = 32 << 20
"""Bytes of a block, by definition of the format."""

_LONGEST = 1000
"""Bytes of a text; osmium refuses longer ones than 1,024."""

_FEATURES = {b"OsmSchema-V0.6", b"DenseNodes"}
_DENSE, _WAY, _RELATION = 2, 3, 4
_KEYS = frozenset(key.encode() for key in KEYS)
_AHEAD = 4
"""Blocks per thread that are read ahead."""


class UnusualError(Exception):
    """Something that is not decoded here."""


class DamagedError(Exception):
    """Something that osmium must not read."""


class Streets(NamedTuple):
    """The ways with a key `highway` of a block: numbers, their relevant tags, and the nodes of all of them."""

    numbers: Ints
    tags: list[tuple[tuple[str, str], ...]]
    kinds: Ints
    counts: Ints
    nodes: Ints


class _Block(NamedTuple):
    """What a block contains."""

    nodes: list[tuple[Ints, Ints, Ints]]
    streets: list[Streets]
    has_relations: bool


class Extract(NamedTuple):
    """What a file contains.

    Attributes
    ----------
    numbers, x, y : (k,) arrays
        The nodes, ascending, and their places in degrees times 10^7.
    streets : list of Streets
        In the order of the file.
    relations : bytes
        A file of its header and its blocks in which there are relations; empty if there are none.
    """

    numbers: Ints
    x: Ints
    y: Ints
    streets: list[Streets]
    relations: bytes


def extract_of(stream: IO[bytes], report: Callable[[int], None] | None = None) -> Extract:
    """Decode a file.

    Parameters
    ----------
    stream : binary file
        At its beginning.
    report : callable, optional
        Is called with the position in the file.

    Raises
    ------
    UnusualError
        If something in the file is not decoded here.
    DamagedError
        If a text contains a null character.
    """
    nodes: list[tuple[Ints, Ints, Ints]] = []
    streets: list[Streets] = []
    blobs = _blobs(stream, report)
    kind, header, framed = next(blobs, (b"", b"", b""))
    if kind != b"OSMHeader":
        raise UnusualError("header")
    _check_header(_unpacked(header))
    relations = [framed]
    for found, whole in _in_order(blobs):
        nodes += found.nodes
        streets += found.streets
        if found.has_relations:
            relations.append(whole)
    numbers, x, y = (
        (np.concatenate(each) for each in zip(*nodes, strict=True)) if nodes else (np.empty(0, np.int64),) * 3
    )
    if len(numbers) and (numbers[0] <= 0 or (np.diff(numbers) <= 0).any()):
        raise UnusualError("numbers of nodes")
    return Extract(numbers, x, y, streets, b"".join(relations) if len(relations) > 1 else b"")


def _in_order(blobs: Iterator[tuple[bytes, bytes, bytes]]) -> Iterator[tuple[_Block, bytes]]:
    """Decode blocks on several threads; yield them in the order of the file."""
    threads = threads_from(None)
    waiting: deque[tuple[Future[_Block], bytes]] = deque()
    pool = Threads(threads, "apsp-osm")
    try:
        for kind, blob, framed in blobs:
            if kind != b"OSMData":
                raise UnusualError("kind of block")
            waiting.append((pool.submit(_decoded, blob), framed))
            if len(waiting) > _AHEAD * threads:
                future, whole = waiting.popleft()
                yield future.result(), whole
        while waiting:
            future, whole = waiting.popleft()
            yield future.result(), whole
    finally:
        pool.shutdown(cancel_futures=True)


def _blobs(stream: IO[bytes], report: Callable[[int], None] | None) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield the kind of each blob, the blob, and the bytes of both with their lengths."""
    place = 0
    while length := _read(stream, 4, end=b""):
        if (size := int.from_bytes(length, "big")) > 64 << 10:
            raise UnusualError("header of a block")
        head = _read(stream, size)
        fields = dict(_fields(head))
        kind, count = fields.get(1), fields.get(3)
        if not isinstance(kind, bytes) or not isinstance(count, int) or count > _LARGEST:
            raise UnusualError("header of a block")
        blob = _read(stream, count)
        framed = b"".join((length, head, blob))
        place += len(framed)
        if report is not None:
            report(place)
        yield kind, blob, framed


def _read(stream: IO[bytes], size: int, *, end: bytes | None = None) -> bytes:
    """Read so many bytes, or none if that is what may be there at the end of the file."""
    try:
        found = stream.read(size)
    except OSError as error:
        raise UnusualError("file") from error
    if len(found) < size and found != end:
        raise UnusualError("end of the file")
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise UnusualError("number")
        byte = data[at]
        value |= (byte & 127) << shift
        at += 1
        if byte < 128:
            return value, at
        shift += 7


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a small message."""
    for field, start, stop, number in _spans(data, 0, len(data)):
        yield field, data[start:stop] if number is None else number


def _spans(data: bytes, at: int, stop: int) -> Iterator[tuple[int, int, int, int | None]]:
    """Yield the fields of a message: where their bytes start and stop, or the number."""
    while at < stop:
        key, at = _varint(data, at)
        if key & 7 == 0:
            number, at = _varint(data, at)
            yield key >> 3, at, at, number
        elif key & 7 == 2:
            size, at = _varint(data, at)
            if at + size > stop:
                raise UnusualError("size of a field")
            yield key >> 3, at, at + size, None
            at += size
        else:
            raise UnusualError("type of a field")
    if at != stop:
        raise UnusualError("end of a message")


def _repeated(data: bytes, at: int, stop: int) -> tuple[int, list[tuple[int, int]]]:
    """The number of the only field of a message, which repeats, and where the bytes of each start and stop."""
    key, found = data[at] if at < stop else 2, []
    if key & 7 != 2 or key > 127:
        raise UnusualError("groups")
    while at < stop:
        size = data[at + 1] if at + 1 < stop else 128
        start = at + 2
        if size > 127:
            size, start = _varint(data, at + 1)
        if data[at] != key:
            raise UnusualError("groups")
        at = start + size
        found.append((start, at))
    if at != stop:
        raise UnusualError("size of a field")
    return key >> 3, found


def _unpacked(blob: bytes) -> bytes:
    fields = dict(_fields(blob))
    size, packed = fields.get(2), fields.get(3)
    if not isinstance(size, int) or size > _LARGEST or not isinstance(packed, bytes):
        raise UnusualError("compression")
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise UnusualError("compression") from error
    if len(data) != size or not unpacker.eof:
        raise UnusualError("size of a block")
    return data


def _check_header(data: bytes) -> None:
    if any(field == 4 and value not in _FEATURES for field, value in _fields(data)):
        raise UnusualError("features")


def _decoded(blob: bytes) -> _Block:
    data = _unpacked(blob)
    texts: list[bytes] = []
    groups: list[tuple[int, int]] = []
    scale = {17: 100, 19: 0, 20: 0}
    for field, start, stop, number in _spans(data, 0, len(data)):
        if field == 1 and number is None:
            kind, parts = _repeated(data, start, stop)
            if kind != 1 and parts:
                raise UnusualError("texts")
            texts += [data[first:last] for first, last in parts]
        elif field == 2 and number is None:
            groups.append((start, stop))
        elif field in scale and number is not None:
            scale[field] = number
    if scale != {17: 100, 19: 0, 20: 0} or max(map(len, texts), default=0) > _LONGEST:
        raise UnusualError("scale or texts")
    all_texts = b"\n".join(texts)
    if b"\0" in all_texts:  # osmium ends texts there, and may read beyond its memory
        raise DamagedError("a text contains a null character")
    try:
        all_texts.decode()
    except UnicodeDecodeError as error:
        raise UnusualError("texts") from error
    found = _Block([], [], False)
    array = np.frombuffer(data, np.uint8)
    for first, last in groups:
        kind, parts = _repeated(data, first, last)
        if kind == _DENSE:
            found.nodes.extend(_nodes(data, array, start, stop) for start, stop in parts)
        elif kind == _WAY:
            found.streets.append(_streets(array, texts, np.array(parts)))
        elif kind == _RELATION:
            found = found._replace(has_relations=True)
        elif parts:
            raise UnusualError("groups")
    return found


def _numbers(data: Bytes) -> tuple[Ints, Ints]:
    """The numbers that fill bytes, and where each ends."""
    ends = np.flatnonzero(data < 128)
    if (len(ends) and ends[-1] != len(data) - 1) or (len(data) and not len(ends)):
        raise UnusualError("number")
    starts = np.append(0, ends[:-1] + 1)[: len(ends)]
    sizes = ends - starts + 1
    if sizes.max(initial=0) > 9:
        raise UnusualError("number")
    values = (data[starts] & 127).astype(np.int64)
    for place in range(1, int(sizes.max(initial=0))):
        more = np.flatnonzero(sizes > place)
        values[more] |= (data[starts[more] + place] & 127).astype(np.int64) << (7 * place)
    return values, ends


def _signed(values: Ints) -> Ints:
    signed: Ints = (values >> 1) ^ -(values & 1)
    return signed


def _nodes(data: bytes, array: Bytes, first: int, last: int) -> tuple[Ints, Ints, Ints]:
    parts: dict[int, Ints] = {}
    for field, start, stop, number in _spans(data, first, last):
        if field in (1, 8, 9):
            if number is not None or field in parts:
                raise UnusualError("nodes")
            parts[field] = np.cumsum(_signed(_numbers(array[start:stop])[0]))
    numbers, y, x = (parts.get(field, np.empty(0, np.int64)) for field in (1, 8, 9))
    if not len(numbers) == len(x) == len(y) or np.abs(np.append(x, y)).max(initial=0) >= 2**31:
        raise UnusualError("nodes")
    return numbers, x.astype(np.int32), y.astype(np.int32)


def _at(array: Bytes, places: Ints) -> tuple[Ints, Ints]:
    """The numbers at places, and the places after them."""
    values, after = np.zeros(len(places), np.int64), places.copy()
    going = np.arange(len(places))
    for place in range(9):
        if len(going) and after[going].max() >= len(array):
            raise UnusualError("number")
        bytes_ = array[after[going]]
        values[going] |= (bytes_ & 127).astype(np.int64) << (7 * place)
        after[going] += 1
        going = going[bytes_ > 127]
        if not len(going):
            return values, after
    raise UnusualError("number")


def _inside(array: Bytes, starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """The numbers in each of some stretches of bytes, and how many each has."""
    before = np.cumsum(sizes) - sizes
    taken = array[np.repeat(starts - before, sizes) + np.arange(int(sizes.sum()))]
    values, ends = _numbers(taken)
    whole = sizes > 0
    if (taken[(before + sizes - 1)[whole]] > 127).any():
        raise UnusualError("number")
    return values, np.diff(np.searchsorted(ends, np.append(before, len(taken))))


def _streets(array: Bytes, texts: list[bytes], spans: Ints) -> Streets:
    """The ways of a group that are streets."""
    count, stop = len(spans), spans[:, 1]
    at, going = spans[:, 0].copy(), np.flatnonzero(spans[:, 0] < spans[:, 1])
    numbers = np.zeros(count, np.int64)
    starts, sizes = np.zeros((9, count), np.int64), np.full((9, count), -1)
    while len(going):
        key = array[at[going]].astype(np.int64)
        field, form = key >> 3, key & 7
        value, after = _at(array, at[going] + 1)
        if (~np.isin(key, (0x08, 0x12, 0x1A, 0x22, 0x42))).any() or (sizes[field, going] >= 0).any():
            raise UnusualError("field of a way")
        is_number = form == 0
        numbers[going[is_number]] = value[is_number]
        starts[field, going], sizes[field, going] = after, np.where(is_number, 0, value)
        at[going] = after + np.where(is_number, 0, value)
        if (at[going] > stop[going]).any():
            raise UnusualError("size of a field")
        going = going[at[going] < stop[going]]
    sizes = np.maximum(sizes, 0)
    (keys, counts), (values, others) = (_inside(array, starts[field], sizes[field]) for field in (2, 3))
    if (counts != others).any() or max(keys.max(initial=0), values.max(initial=0)) >= max(len(texts), 1):
        raise UnusualError("tags")
    highway, relevant = (np.array([text in wanted for text in texts], bool) for wanted in ((b"highway",), _KEYS))
    way = np.repeat(np.arange(count), counts)
    is_street = np.zeros(count, dtype=bool)
    is_street[way[highway[keys]]] = True
    taken = np.flatnonzero(relevant[keys] & is_street[way])
    streets = np.flatnonzero(is_street)
    tags, kinds = _tags(texts, keys[taken], values[taken], np.searchsorted(streets, way[taken]), len(streets))
    nodes, sizes_ = _inside(array, starts[8][streets], sizes[8][streets])
    total = np.cumsum(_signed(nodes))
    ends = np.cumsum(sizes_)
    before = np.append(0, total)[ends - sizes_]
    return Streets(numbers[streets], tags, kinds, sizes_, total - np.repeat(before, sizes_))


def _tags(
    texts: list[bytes], keys: Ints, values: Ints, way: Ints, count: int
) -> tuple[list[tuple[tuple[str, str], ...]], Ints]:
    """The different sets of tags of ways, and which one each has."""
    if not count:
        return [], np.empty(0, np.int64)
    pairs, number = np.unique(keys * len(texts) + values, return_inverse=True)
    named = [(texts[pair // len(texts)].decode(), texts[pair % len(texts)].decode()) for pair in pairs.tolist()]
    counts = np.bincount(way, minlength=count)
    table = np.full((count, int(counts.max(initial=0))), -1)
    table[way, np.arange(len(way)) - np.repeat(np.cumsum(counts) - counts, counts)] = number
    rows, kinds = np.unique(table, axis=0, return_inverse=True)
    return [tuple(named[each] for each in row if each >= 0) for row in rows.tolist()], kinds.reshape(-1)
