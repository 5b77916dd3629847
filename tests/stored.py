"""The files of a store, as tests compare them before and after a call."""

from __future__ import annotations

from pathlib import Path


def shards(place: Path, *patterns: str) -> dict[str, tuple[int, int]]:
    """The shards that are there, by key: each with its inode and the time of its last change.

    A shard that is written again differs. The inode alone is not enough: a new file often takes that of one just
    deleted.
    """
    found = (path for pattern in patterns or ("*/c/*/0",) for path in place.glob(pattern))
    states = {path: path.stat() for path in found if path.is_file() and path.suffix != ".part"}
    return {path.relative_to(place).as_posix(): (state.st_ino, state.st_mtime_ns) for path, state in states.items()}
