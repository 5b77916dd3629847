"""Damaged stores: files that are missing, empty, short, longer, changed or in the place of others.

What a reader returns is right, or it raises an error that names a damaged file. The same call as before returns the
right bits and leaves the right files; or it raises an error whose remedy, followed, leads there.
"""

from __future__ import annotations

import functools
import io
import json
import random
import re
import shutil
import tempfile
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from torture import stores
from torture.damage import damaged
from torture.promise import WrongError

__all__ = ["run"]

_SIZES = (20, 40, 90)
_GROUP = "zarr.json"
_NAMED = re.compile(r"\S*/c/\d+(?:/\d+)*|\S*zarr\.json")
_ROUNDS = 12
"""Most remedies of a damaged store: one for each accident, and some more."""

Files = dict[str, bytes]


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Damage some files of a store, read it, make the call again."""
    rng = random.Random(seed)
    name, n = rng.choice(list(stores.CALLS)), rng.choice(_SIZES)
    kind = rng.choices(("folder", "bucket", "packed"), (6, 2, 2))[0]
    digest, before = stores.whole(name, n)
    files = dict(before)
    words = [_accident(files, rng, name, n) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
    touched = {key for key in before.keys() | files.keys() if files.get(key) != before.get(key)}
    counts[f"damaged {kind}"] += 1
    counts.update(f"accident {word.partition(':')[0]}" for word in words)
    label = f"{name}, n={n}, {kind}: {'; '.join(words)}"
    with tempfile.TemporaryDirectory() as folder, stores.small_bands():
        try:
            place = _PLACES[kind](Path(folder), files, rng)
            store = _Damaged(name, n, place, before, touched, counts)
            if name in ("solve", "skim") and rng.random() < 0.7:
                store.read(rng)
            store.call(digest)
        except WrongError as error:
            return {"what": "wrong", "where": f"damaged {kind} of {name}", "words": f"{label}: {error}"}
        except Exception as error:
            return {
                "what": "foreign", "where": f"damaged {kind} of {name}: {type(error).__name__}",
                "words": f"{label}: {type(error).__name__}: {error}"[:2000], "trace": traceback.format_exc(),
            }  # fmt: skip
    return None


# -- accidents --------------------------------------------------------------------------------------------------------


def _accident(files: Files, rng: random.Random, name: str, n: int) -> str:
    """Change some files; what was done."""
    kind = rng.choices(("shards", "others", "group"), (12, 6, 2))[0]
    keys = sorted(files) if kind != "group" else [key for key in files if key == _GROUP]
    if kind == "shards":
        keys = [key for key in keys if stores.is_shard(key)]
    elif kind == "others":
        keys = [key for key in keys if not stores.is_shard(key) and key != _GROUP]
    if not keys:
        return "nothing: no such files are left"
    key, what = rng.choice(keys), rng.choice(_ACCIDENTS)
    data, other = files[key], rng.choice([each for each in keys if each != key] or keys)
    if what == "missing":
        del files[key]
    elif what == "swapped":
        files[key], files[other] = files[other], data
    elif what == "of another place":
        files[key] = files[other]
    elif what == "of another store":
        theirs = _others(name, n)
        files[key] = theirs.get(key, data) if rng.random() < 0.7 else rng.choice(list(theirs.values()))
    else:
        files[key] = _changed(data, what, rng, list(files.values()))
    return f"{what}: {key}"


_ACCIDENTS = (
    "missing", "empty", "empty", "short", "longer", "zeros", "zeros at the end", "a bit", "bytes", "swapped", "swapped",
    "of another place", "of another store",
)  # fmt: skip


def _changed(data: bytes, what: str, rng: random.Random, others: list[bytes]) -> bytes:
    at = rng.randrange(len(data) + 1)
    if what == "empty":
        return b""
    if what == "short":
        return data[:at]
    if what == "longer":
        more = rng.choice((b"\0", bytes(4096), data, rng.choice(others), rng.randbytes(20)))
        return data + more if rng.random() < 0.7 else more + data
    if what == "zeros":
        return bytes(len(data))
    if what == "zeros at the end":
        return data[:at] + bytes(len(data) - at)
    if what == "a bit" and data:
        at = rng.randrange(len(data))
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    return damaged(data, rng, others)


@functools.cache
def _others(name: str, n: int) -> Files:
    """The files of a store of the same shape: the same call for the same arcs with other weights."""
    graph = stores.graph_of(n)
    assert graph.weights is not None
    with tempfile.TemporaryDirectory() as folder, stores.small_bands():
        place = Path(folder) / "other.zarr"
        stores.CALLS[name](graph.with_weights(graph.weights + 1), place)
        return {key: path.read_bytes() for key, path in stores.files(place).items()}


# -- places -----------------------------------------------------------------------------------------------------------


class _Folder:
    def __init__(self, folder: Path, files: Files, rng: random.Random) -> None:
        self.path = self.given = folder / "out.zarr"
        for key, data in files.items():
            (self.path / key).parent.mkdir(parents=True, exist_ok=True)
            (self.path / key).write_bytes(data)

    def files(self) -> Files:
        return {key: path.read_bytes() for key, path in stores.files(self.path).items()}

    def remove(self, key: str) -> None:
        (self.path / key).unlink()

    def clear(self) -> None:
        shutil.rmtree(self.path)


class _Bucket:
    def __init__(self, folder: Path, files: Files, rng: random.Random) -> None:
        from obstore.store import MemoryStore

        self.given = MemoryStore()
        for key, data in files.items():
            self.given.put(key, data)

    def files(self) -> Files:
        keys = [each["path"] for part in self.given.list() for each in part]
        return {key: bytes(self.given.get(key).bytes()) for key in keys if ".claims" not in key}

    def remove(self, key: str) -> None:
        self.given.delete(key)

    def clear(self) -> None:
        for key in self.files():
            self.given.delete(key)


class _Packed:
    """A `.zip` file, of which sometimes also the bytes of the file itself are damaged. Nothing is written into it."""

    def __init__(self, folder: Path, files: Files, rng: random.Random) -> None:
        self.given, stream = folder / "out.zarr.zip", io.BytesIO()
        with zipfile.ZipFile(stream, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as archive:
            for key, data in files.items():
                archive.writestr(key, data)
        self.is_damaged = rng.random() < 0.3
        data = stream.getvalue()
        self.given.write_bytes(_changed(data, rng.choice(_CHANGES), rng, [data]) if self.is_damaged else data)


_CHANGES = ("empty", "short", "longer", "zeros at the end", "a bit", "a bit", "bytes")
_PLACES: dict[str, Callable[[Path, Files, random.Random], Any]] = {
    "folder": _Folder, "bucket": _Bucket, "packed": _Packed,
}  # fmt: skip


# -- verdicts ---------------------------------------------------------------------------------------------------------


class _Damaged:
    """A damaged store, and what it was before."""

    def __init__(self, name: str, n: int, place: Any, before: Files, touched: set[str], counts: Counter[str]) -> None:
        self._name, self._place, self._before, self._counts = name, place, before, counts
        self._graph, self._touched = stores.graph_of(n), touched

    def call(self, digest: str) -> None:
        """Make the same call until it returns, following the remedies of its errors."""
        for _ in range(_ROUNDS):
            try:
                found = stores.digest(stores.CALLS[self._name](self._graph, self._place.given))
            except apsp.ApspError as error:
                self._counts[f"refusals {type(error).__name__}"] += 1
                if not self._follow(error):
                    return
                continue
            if found != digest:
                raise WrongError("the bits are others")
            self._counts["answers"] += 1
            self._check_files()
            return
        raise WrongError(f"{_ROUNDS} remedies do not help")

    def _follow(self, error: apsp.ApspError) -> bool:
        """Do what an error says; False if nothing can be written."""
        self._check_error(error)
        words = str(error)
        if isinstance(self._place, _Packed):
            return False
        if "remove this file" in words or "remove the files" in words:
            (key,) = set(_NAMED.findall(words.replace(str(self._place.given), ""))) & self._place.files().keys()
            self._place.remove(key)
        elif "made again, repairs it" in words:
            raise WrongError(f"this is no remedy for the call itself: {words}")
        elif "remove the store" in words or "remove this one" in words or "name another" in words:
            self._place.clear()
        elif "ake the same call again" not in words and "again" not in words:
            raise WrongError(f"an error without a remedy: {words}")
        self._counts["remedies followed"] += 1
        return True

    def _check_error(self, error: apsp.ApspError) -> None:
        """An error is that of a damaged file, and names one."""
        packed = isinstance(self._place, _Packed)
        if packed and self._place.is_damaged:
            return
        if _GROUP in self._touched or (packed and isinstance(error, apsp.RequestError)):
            return
        if not isinstance(error, (apsp.FileFormatError, apsp.RowsMissingError)):
            raise WrongError(f"{type(error).__name__}: {error}") from error
        if isinstance(error, apsp.FileFormatError) and not any(key in str(error) for key in self._touched):
            raise WrongError(f"the error names none of {sorted(self._touched)}: {error}") from error

    def _check_files(self) -> None:
        """After the call all files are those of a run that nothing has interrupted."""
        if isinstance(self._place, _Packed):
            return
        found = self._place.files()
        for key, data in self._before.items():
            if key != _GROUP and not _equal(key, found.get(key), data):
                raise WrongError(f"after the call {key} is {'missing' if key not in found else 'another one'}")

    # -- readers ------------------------------------------------------------------------------------------------------

    def read(self, rng: random.Random) -> None:
        """Open the store, and read it in several ways: what is returned is right."""
        try:
            opened = apsp.load(self._place.given, check=rng.random() < 0.3)
        except apsp.ApspError as error:
            self._counts[f"readers {type(error).__name__}"] += 1
            self._check_error(error)
            return
        self._counts["readers opened"] += 1
        ways = [self._rows, self._whole, self._blocks, self._complete]
        for way in rng.sample(ways, 3):
            try:
                way(opened, rng)
            except apsp.ApspError as error:
                self._counts[f"readers later {type(error).__name__}"] += 1
                self._check_error(error)
            else:
                self._counts["readers answers"] += 1

    def _arrays(self, opened: Any) -> list[tuple[Any, np.ndarray]]:
        """The matrices that can be read, each with its right values."""
        right = _right(self._name, self._graph.n)
        if self._name == "skim":
            return [(matrix, right[at]) for at, matrix in enumerate(opened.values())]
        found = [(opened.distances, right[0])]
        return found + ([(opened.predecessors, right[1])] if opened.has_predecessors else [])

    def _rows(self, opened: Any, rng: random.Random) -> None:
        for matrix, right in self._arrays(opened):
            row, column = rng.randrange(self._graph.n), rng.randrange(self._graph.n)
            _same(matrix[row], right[row])
            _same(matrix[row, column], right[row, column])
            _same(matrix[[row, 0], column], right[[row, 0], column])

    def _whole(self, opened: Any, rng: random.Random) -> None:
        for matrix, right in self._arrays(opened):
            _same(np.asarray(matrix), right)

    def _blocks(self, opened: Any, rng: random.Random) -> None:
        right = _right(self._name, self._graph.n)
        blocks = list(opened.blocks())
        if self._name == "skim":
            for at, cost in enumerate(opened):
                _same(np.concatenate([block[cost] for block in blocks]), right[at])
        else:
            _same(np.concatenate([block.distances for block in blocks]), right[0])

    def _complete(self, opened: Any, rng: random.Random) -> None:
        repr(opened)
        if opened.is_complete and any(
            stores.is_shard(key) and len(self._place.files().get(key, b"")) != len(self._before[key])
            for key in self._touched & self._before.keys() if not isinstance(self._place, _Packed)
        ):  # fmt: skip
            raise WrongError("a store with a shard of another size is complete")


def _equal(key: str, found: bytes | None, right: bytes) -> bool:
    """Whether a file is as it was; metadata may be written otherwise, and have other attributes."""
    if found is None or not key.endswith(_GROUP):
        return found == right
    nodes: list[dict[str, Any]] = [json.loads(data) | {"attributes": {}} for data in (found, right)]
    return nodes[0] == nodes[1]


@functools.cache
def _right(name: str, n: int) -> stores.Arrays:
    return stores.CALLS[name](stores.graph_of(n), None)


def _same(found: Any, right: Any) -> None:
    if not np.array_equal(found, right):
        raise WrongError("what is read is wrong")
