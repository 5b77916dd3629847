"""Damage to Open Matrix files: of raw bytes, or of groups, matrices, attributes and lookups written by h5py."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np

from torture.damage import damaged

__all__ = ["damaged_hdf5"]

NAMES = ("zone", "origin", "destination", "district", "cost", "a", "..", " ", "\xe9", "\n", "zones", "x" * 300)


def damaged_hdf5(data: bytes, rng: random.Random) -> bytes:
    """One to three accidents; most of those to bytes hit what HDF5 keeps about the matrices, at the start."""
    if rng.random() < 0.4:
        return damaged(data, rng)
    if rng.random() < 0.4:
        found = bytearray(data)
        for _ in range(rng.choice((1, 2, 8))):
            found[rng.randrange(min(len(found), 4096))] = rng.choice((0, 1, 255, rng.randrange(256)))
        return bytes(found)
    import h5py

    stream = io.BytesIO(data)
    with h5py.File(stream, "r+") as file:
        for _ in range(rng.choice((1, 1, 2, 3))):
            rng.choice((_matrix, _lookup, _attribute, _link, _gone))(file, rng, h5py)
    return stream.getvalue()


def _values(rng: random.Random) -> Any:
    shape = rng.choice(((), (0,), (1,), (3,), (4,), (5,), (3, 3), (0, 3), (3, 4), (2, 3, 3)))
    return rng.choice(
        (
            np.zeros(shape), np.ones(shape, np.int8), np.full(shape, np.nan, np.float32), np.full(shape, b"a"),
            np.arange(int(np.prod(shape)), dtype=np.uint64).reshape(shape) + 2**63, np.full(shape, np.inf),
            np.full(shape, b"\xff\x00a"), np.zeros(shape, "c16"), np.zeros(shape, [("x", "i4")]), np.zeros(shape, bool),
        )
    )  # fmt: skip


def _matrix(file: Any, rng: random.Random, h5py: Any) -> None:
    data = file.require_group("data")
    name = rng.choice((*data, *NAMES))
    if name in data:
        del data[name]
    if rng.random() < 0.15:
        data.create_dataset(name, rng.choice(((10**6, 10**6), (2**31, 2), (3, 10**9))), "f8", chunks=(1, 1))
    else:
        data[name] = _values(rng)


def _lookup(file: Any, rng: random.Random, h5py: Any) -> None:
    lookup = file.require_group("lookup")
    name = rng.choice((*lookup, *NAMES))
    if name in lookup:
        del lookup[name]
    if rng.random() < 0.3:
        texts = [rng.choice(("a", "b", "c", "", "\xe9", "d" * 99)) for _ in range(rng.choice((3, 4)))]
        lookup.create_dataset(name, data=texts, dtype=h5py.string_dtype())
    else:
        lookup[name] = _values(rng)


def _attribute(file: Any, rng: random.Random, h5py: Any) -> None:
    values: Any = (0, -1, "3", [3], [3, 3], [3, 3, 3], [2**40, 2**40], [-3, 3], [3.5, 3], b"\xff", np.zeros((2, 2)))
    file.attrs[rng.choice(("SHAPE", "SHAPE", "OMX_VERSION"))] = rng.choice(values)


def _link(file: Any, rng: random.Random, h5py: Any) -> None:
    """A link that leads nowhere, to itself, out of the file, or to a group."""
    group = rng.choice([file.require_group("data"), file.require_group("lookup")])
    name = rng.choice(NAMES)
    if name not in group:
        group[name] = rng.choice(
            (h5py.SoftLink("/nowhere"), h5py.SoftLink(f"/data/{name}"), h5py.ExternalLink("none.h5", "/x"), file["/"])
        )  # fmt: skip


def _gone(file: Any, rng: random.Random, h5py: Any) -> None:
    name = rng.choice((*file, "data"))
    if name in file:
        del file[name]
