"""Damage to archives (results and oracles): of raw bytes, of members, or of values behind checksums that are right."""

from __future__ import annotations

import io
import json
import random
import struct
import tempfile
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from apsp.system import store
from torture.damage import damaged

__all__ = ["damaged_archive"]

ODD: tuple[Any, ...] = (
    None, -1, 0, 1, 2**31, 2**63, 2**64, -(2**63), 1e308, -0.5, "", "x", "auto", "int8", "float16", "object", [],
    [1], {},
    {"a": 1}, True, "min_plus", "or_and", "x" * 3000, [[[[]]]],
)  # fmt: skip


def damaged_archive(data: bytes, rng: random.Random) -> bytes:
    """One to three accidents."""
    draw = rng.random()
    if draw < 0.3:
        return damaged(data, rng)
    if draw < 0.65:
        return _sealed_again(data, rng)
    members = _members(data)
    for _ in range(rng.choice((1, 1, 2, 3))):
        members = _otherwise(members, rng)
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w", rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))) as out,
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")  # of names that come twice
        for name, content in members:
            out.writestr(name, content)
    return stream.getvalue()


def _sealed_again(data: bytes, rng: random.Random) -> bytes:
    """Other values in arrays or facts, written as apsp writes them, with checksums that fit: only checks can see it."""
    members = dict(_members(data))
    facts = json.loads(members["meta.json"])
    arrays = {name[:-4]: np.load(io.BytesIO(content)) for name, content in members.items() if name.endswith(".npy")}
    kind = facts.pop("format").removeprefix("apsp-")
    facts.pop("version")
    for _ in range(rng.choice((1, 1, 2))):
        if rng.random() < 0.2:
            changed = json.loads(_other_json(json.dumps(facts).encode(), rng))
            facts = changed if isinstance(changed, dict) else facts
            continue
        name = rng.choice(list(arrays))
        arrays[name] = _other_array(arrays[name], rng)
        if rng.random() < 0.05:
            del arrays[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sealed.npz"
        store.save_arrays(path, arrays, facts, kind=kind)
        return path.read_bytes()


def _other_array(array: np.ndarray, rng: random.Random) -> np.ndarray:
    """One value, or the shape, or the dtype, or the order of the values."""
    kind = rng.randrange(8)
    if kind == 0 and array.ndim:
        return array[: rng.randrange(len(array) + 1)]
    if kind == 1 and array.ndim:
        return np.concatenate([array, array[:2]])
    if kind == 2:
        return array.reshape(-1) if array.ndim == 2 else array[None]
    if kind == 3 and array.dtype.kind in "iufb":
        dtype = rng.choice(("int8", "int32", "int64", "uint64", "float32", "float64", "bool", ">i4", "<c8"))
        with np.errstate(all="ignore"):
            return array.astype(dtype)
    array = array.copy()
    if array.size and array.dtype.kind in "iufb":
        flat = array.reshape(-1)
        at = rng.randrange(flat.size)
        if array.dtype.kind == "f":
            flat[at] = rng.choice((np.nan, np.inf, -np.inf, -1.0, 0.0, 1e300 if array.itemsize == 8 else 1e30))
        elif array.dtype.kind == "b":
            flat[at] = not flat[at]
        else:
            limits = np.iinfo(array.dtype)
            near = min(max(int(flat[at]) + rng.choice((-1, 1, 2, 100)), limits.min), limits.max)
            odd = rng.choice((near, near, near, limits.min, limits.max, 0))
            flat[at] = odd
    elif array.ndim:
        array = array[::-1].copy()
    return array


Members = list[tuple[str, bytes]]


def _members(data: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def _otherwise(members: Members, rng: random.Random) -> Members:
    if not members:
        return members
    k = rng.randrange(len(members))
    name, content = members[k]
    kind = rng.randrange(9)
    rest = members[:k] + members[k + 1 :]
    if kind == 0:
        return rest
    if kind == 1:
        return [*members, (name, content)]
    if kind == 2:
        return [*rest, (rng.choice([other for other, _ in members]), content)]
    if kind == 3:
        other, _ = rng.choice(members)
        return [*rest, (name, dict(members)[other])]
    if kind == 4 and name.endswith(".npy"):
        return [*rest, (name, _other_header(content, rng))]
    if kind in (5, 6) and name.endswith(".npy") and len(content) > 128:  # a value, most likely
        at = rng.randrange(128, len(content))
        size = min(rng.choice((1, 2, 4, 8)), len(content) - at)
        value = rng.choice((b"\xff" * 8, b"\x00" * 8, rng.randbytes(8), struct.pack("<q", rng.randint(-20, 20))))
        return [*members[:k], (name, content[:at] + value[:size] + content[at + size :]), *members[k + 1 :]]
    if name.endswith(".json"):
        return [*members[:k], (name, _other_json(content, rng)), *members[k + 1 :]]
    return [*members[:k], (name, damaged(content, rng)), *members[k + 1 :]]


def _other_json(content: bytes, rng: random.Random) -> bytes:
    try:
        facts = json.loads(content)
    except ValueError:
        return damaged(content, rng)
    if not isinstance(facts, dict) or not facts or rng.random() < 0.1:
        return json.dumps(rng.choice(ODD)).encode()
    key = rng.choice(list(facts))
    if rng.random() < 0.25:
        del facts[key]
    elif isinstance(facts[key], dict) and facts[key] and rng.random() < 0.5:
        inner = dict(facts[key])
        inner[rng.choice(list(inner))] = rng.choice(ODD)
        facts[key] = inner
    else:
        facts[key] = rng.choice(ODD)
    return json.dumps(facts).encode()


def _other_header(content: bytes, rng: random.Random) -> bytes:
    """Another shape, dtype or order, of the same length where that is possible."""
    end = content.find(b"\n") + 1
    head, body = content[:end], content[end:]
    for old, new in rng.sample(
        [
            (b"'<i4'", b"'<i8'"), (b"'<i4'", b"'|O8'"), (b"'<i4'", b"'<f4'"), (b"'<i8'", b"'>i8'"), (b"'<i4'",
            b"'|V4'"),
            (b"'<f8'", b"'<c8'"), (b"'<u2'", b"'<i2'"), (b"False", b"True "), (b"12", b"13"), (b"12", b"-1"),
            (b"(12,", b"(99,"), (b"12, 12", b"11, 13"), (b"12, 12", b"144   "), (b"12, 12", b"0, 0  "), (b"'<i8'",
            b"'<m8'"),
            (b"(", b"[" ), (b"12", b"999999999999999"), (b"'descr'", b"'descs'"), (b"|b1", b"|i1"),
        ],
        19,
    ):  # fmt: skip
        if old in head:
            return head.replace(old, new, 1) + body
    return damaged(head, rng) + body
