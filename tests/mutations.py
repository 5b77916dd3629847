"""Damage to files: what disks, other programs and adversaries make of bytes and of archives of arrays."""

from __future__ import annotations

import io
import json
import random
import struct
import warnings
import zipfile
from collections.abc import Callable

__all__ = ["mutated_archive", "mutated_bytes"]

_NUMBERS = (0, 1, 2, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)


def mutated_bytes(data: bytes, rng: random.Random) -> bytes:
    """The same bytes, but for a few edits."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = rng.choice(_EDITS)(data, rng)
    return data


def mutated_archive(data: bytes, rng: random.Random) -> bytes:
    """The same archive with other members; the checksums of the archive fit what is there."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    for _ in range(rng.choice((1, 1, 2))):
        members = rng.choice(_CHANGES)(members, rng)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", rng.choice((*[zipfile.ZIP_STORED] * 9, zipfile.ZIP_DEFLATED))) as archive:
        for name, content in members:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of names that occur twice
                archive.writestr(name, content)
    return out.getvalue()


# -- bytes ------------------------------------------------------------------------------------------------------------


def _place(data: bytes, rng: random.Random) -> int:
    """Anywhere, more often near the ends, where the structure is."""
    spot = rng.random()
    size = len(data)
    if spot < 0.25:
        return rng.randrange(min(size, 400)) if size else 0
    if spot < 0.55:
        return size - 1 - rng.randrange(min(size, 1500)) if size else 0
    return rng.randrange(size) if size else 0


def _flip(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + bytes(byte ^ (1 << rng.randrange(8)) for byte in data[at : at + 1]) + data[at + 1 :]


def _overwrite(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    new = rng.choice(
        (rng.randbytes(rng.randrange(1, 9)), struct.pack("<Q", rng.choice(_NUMBERS)), b"\0" * rng.randrange(1, 600))
    )
    return data[:at] + new + data[at + len(new) :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def _remove(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.randrange(1, 40) :]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.randbytes(rng.randrange(1, 40)) + data[at:]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at : at + rng.randrange(1, 5000)] + data[at:]


_EDITS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip,
    _flip,
    _overwrite,
    _cut,
    _remove,
    _insert,
    _repeat,
)

# -- members ----------------------------------------------------------------------------------------------------------

Members = list[tuple[str, bytes]]


def _drop(members: Members, rng: random.Random) -> Members:
    gone = rng.randrange(len(members))
    return members[:gone] + members[gone + 1 :]


def _double(members: Members, rng: random.Random) -> Members:
    return [*members, rng.choice(members)]


def _rename(members: Members, rng: random.Random) -> Members:
    at = rng.randrange(len(members))
    new = rng.choice(
        ("x.npy", "../x.npy", "dist.npy", "pred.npy", "values.npy", "sources.npy", "x/", "ü.npy", "meta.json")
    )
    return [*members[:at], (new, members[at][1]), *members[at + 1 :]]


def _swap(members: Members, rng: random.Random) -> Members:
    a, b = rng.randrange(len(members)), rng.randrange(len(members))
    members = list(members)
    members[a], members[b] = (members[a][0], members[b][1]), (members[b][0], members[a][1])
    return members


def _content(members: Members, rng: random.Random) -> Members:
    at = rng.randrange(len(members))
    return [*members[:at], (members[at][0], mutated_bytes(members[at][1], rng)), *members[at + 1 :]]


def _values(members: Members, rng: random.Random) -> Members:
    """Other numbers in an array; format 1, so that no checksum tells."""
    arrays = [at for at, (name, _) in enumerate(members) if name.endswith(".npy")]
    if not arrays:
        return members
    at = rng.choice(arrays)
    name, content = members[at]
    body = 10 + int.from_bytes(content[8:10], "little") + 2
    width = rng.choice((1, 2, 4, 8))
    for _ in range(rng.choice((1, 3, 20))):
        if len(content) - body < width:
            break
        place = body + rng.randrange((len(content) - body) // width) * width
        new = struct.pack("<q", rng.choice((-1, -2, 0, 1, 5, 100, 2**15, 2**31 - 1, -(2**31), 2**62)))[:width]
        content = content[:place] + new + content[place + width :]
    return _old([*members[:at], (name, content), *members[at + 1 :]])


def _header(members: Members, rng: random.Random) -> Members:
    """Another dtype or shape in the header of an array."""
    arrays = [at for at, (name, _) in enumerate(members) if name.endswith(".npy")]
    if not arrays:
        return members
    at = rng.choice(arrays)
    name, content = members[at]
    old = rng.choice((b"<i4", b"<i8", b"<u2", b"False", b"(", b",", b"'shape'", b"<f8", b"|b1"))
    new = rng.choice(
        (b"|O8", b"<f4", b">i4", b"<M8", b"|V8", b"<c8", b"True", b"(-1, ", b"(9" * 30, b"[('a', '<i4')]", b"|S0",
         b"<U9", b"__import__('os')", b"((((((", b"(18446744073709551615, ", b"(" + b"9" * 5000 + b", ", b"<i2")
    )  # fmt: skip
    changed = content[:200].replace(old, new, 1) + content[200:]
    return _old([*members[:at], (name, changed), *members[at + 1 :]])


def _facts(members: Members, rng: random.Random) -> Members:
    """Other values in a member that is JSON."""
    texts = [at for at, (name, _) in enumerate(members) if name.endswith(".json")]
    if not texts:
        return members
    at = rng.choice(texts)
    name, content = members[at]
    try:
        facts = json.loads(content)
    except (ValueError, RecursionError):
        return members
    if not isinstance(facts, dict) or not facts:
        return members
    key = rng.choice(list(facts))
    odd = (None, -1, 2**70, float("nan"), [], {}, "", "x" * 300, [[[]]], True, 1e308, "int32", "max_min", "\ud800")
    facts[key] = rng.choice(odd)
    if rng.random() < 0.2:
        del facts[key]
    text = json.dumps(facts)
    if rng.random() < 0.1:
        text = text.replace("1", "1" * 5000, 1) if rng.random() < 0.5 else "[" * 100_000
    return [*members[:at], (name, text.encode("utf-8", "surrogatepass")), *members[at + 1 :]]


def _old(members: Members) -> Members:
    """The same as a file of format 1, which has no checksums of its own."""
    kept = [(name, content) for name, content in members if name != "contents.json"]
    return [
        (name, content.replace(b'"version": 2', b'"version": 1') if name == "meta.json" else content)
        for name, content in kept
    ]


_CHANGES: tuple[Callable[[Members, random.Random], Members], ...] = (
    _drop, _double, _rename, _swap, _content, _values, _values, _values, _values, _header, _header, _facts, _facts,
)  # fmt: skip
