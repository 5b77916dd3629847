"""Damage to bytes: flips, cuts, doubled and swapped pieces, and pieces that parsers stumble over."""

from __future__ import annotations

import random

__all__ = ["damaged"]

PIECES = (
    b"nan", b"-1", b"0", b"\n", b" ", b",", b'"', b"1e999", b"-1e999", b"99999999999999999999", b"\xff\xfe", b"[", b"]",
    b"<", b">", b"&", b"inf", b"-inf", b"\r", b"\t", b"\0", b"4000000000", b"-9223372036854775808", b"2147483647",
    b"2147483648", b"18446744073709551616", b"|", b"%", b"#", b"*", b";", b"1" * 5000, b"1e-400", b"0x10", b"1_000",
    "\u0663".encode(), b"\xc3\x28", b"true", b"None", b"{}", b"()", b"\x1f\x8b", b"PK\x03\x04", b"\x80\x04",
)  # fmt: skip


def damaged(data: bytes, rng: random.Random, others: list[bytes] | None = None) -> bytes:
    """One to four accidents; half of the time small ones, which leave most of a text readable."""
    if rng.random() < 0.5:
        for _ in range(rng.choice((1, 1, 2, 5))):
            data = _small(data, rng)
        return data
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        data = _one(data, rng, others)
    return data


def _one(data: bytes, rng: random.Random, others: list[bytes] | None) -> bytes:
    size = len(data)
    at = rng.randrange(size + 1)
    to = min(size, at + rng.choice((1, 1, 2, 4, 8, 40, 400)))
    kind = rng.randrange(10)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return data[:at] + data[to:]
    if kind == 2:
        return data[:to] + data[at:]
    if kind in (3, 4) and at < size:
        return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
    if kind == 5 and at < size:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 6:
        lines = data.split(b"\n")
        rng.shuffle(lines)
        return b"\n".join(lines)
    if kind == 7 and others:
        other = rng.choice(others)
        cut = rng.randrange(len(other) + 1)
        return data[:at] + other[cut : cut + 200] + data[to:]
    if kind == 8:
        return data[:at] + rng.choice(PIECES) + data[at:]
    words = data.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(PIECES)
    return b" ".join(words)


def _small(data: bytes, rng: random.Random) -> bytes:
    """Another digit, a line left out, written twice or moved, two words exchanged."""
    kind = rng.randrange(5)
    if kind < 2:
        digits = [k for k, byte in enumerate(data) if 48 <= byte <= 57]
        if digits:
            at = rng.choice(digits)
            return data[:at] + rng.choice((b"0", b"1", b"9", b"-", b".", b"12", b"e", b"007")) + data[at + 1 :]
    lines = data.split(b"\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    if kind == 2:
        del lines[at]
    elif kind == 3:
        lines.insert(other, lines[at])
    else:
        words = lines[at].split(b" ")
        one, two = rng.randrange(len(words)), rng.randrange(len(words))
        words[one], words[two] = words[two], words[one]
        lines[at] = b" ".join(words)
    return b"\n".join(lines)
