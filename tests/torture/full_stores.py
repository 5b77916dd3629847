"""A store whose disk becomes full: an error that names the place and the bytes, complete shards, and the same bits."""

from __future__ import annotations

import errno
import os
import random
import re
import resource
import signal
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from torture import stores
from torture.children import ANSWERED, REFUSED, in_child
from torture.promise import WrongError

__all__ = ["full_disk_of_a_store"]

_BYTES = re.compile(r"\d (B|KiB|MiB)\b")


def full_disk_of_a_store(
    rng: random.Random, seed: int, counts: Counter[str], names: Sequence[str] = tuple(stores.CALLS)
) -> dict[str, Any] | None:
    """Files that cannot become larger than a limit, or a disk with few bytes; then the same call with room."""
    name, n = rng.choice(names), rng.choice((20, 90, 300))
    graph, work = stores.graph_of(n), stores.resumed(name)
    kind = rng.choice(("files", "disk", "disk that is measured"))
    words = f"{name}, n={n}, {kind}"
    try:
        digest, files = stores.whole(name, n)
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "out.zarr"
            if kind == "files" and rng.random() < 0.8:  # else nothing but the first files of a store
                _begin(place, files, rng)
            for _ in range(rng.choice((1, 1, 2))):
                ended = in_child(lambda: work(graph, place), before=_limited(kind, _limit(kind, files, rng)))
                begun = "begun" if _checked(place, files) else "empty"
                counts["store answered" if ended.code == ANSWERED else f"store refused, {begun}"] += 1
                _check_end(ended, place, digest)
            ended = in_child(lambda: work(graph, place))
            if ended.code != ANSWERED or ended.words != digest:
                raise WrongError(f"with enough room the call ended with {ended.code}: {ended.words[-1500:]}")
            _checked(place, files)
    except WrongError as error:
        return {"what": "wrong", "where": f"disk store of {name}", "words": f"{words}: {error}"}
    return None


def _begin(place: Path, files: dict[str, bytes], rng: random.Random) -> None:
    """A store that lacks some shards."""
    missing = rng.uniform(0.05, 1)
    for key, data in files.items():
        if not stores.is_shard(key) or rng.random() > missing:
            (place / key).parent.mkdir(parents=True, exist_ok=True)
            (place / key).write_bytes(data)


def _limit(kind: str, files: dict[str, bytes], rng: random.Random) -> int:
    """Bytes of a file, or of what is left on the disk."""
    sizes = [len(data) for key, data in files.items() if stores.is_shard(key)]
    if kind == "files":
        return int(rng.uniform(0, 1.1) * max(sizes))
    first = sum(map(len, files.values())) - sum(sizes)
    return int(rng.uniform(0, first) if rng.random() < 0.2 else first + rng.uniform(0, 1.1) * sum(sizes))


def _limited(kind: str, limit: int) -> Callable[[], None]:
    """What sets the limit in the child."""

    def files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    def disk() -> None:
        """As a file system of so many bytes: a write writes what has room, and the next one fails."""
        from apsp.store.folder import Folder
        from apsp.system.paced import PacedFile

        left, write = limit, PacedFile.write

        def writes(self: PacedFile, data: Any, /) -> int:
            nonlocal left
            part = memoryview(data).cast("B")[:left]
            if not part:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            written = write(self, part)
            left -= written
            return written

        PacedFile.write = writes  # type: ignore[method-assign]
        measured = kind == "disk that is measured"
        Folder.room = lambda self: left if measured else None  # type: ignore[assignment, method-assign, return-value]

    return files if kind == "files" else disk


def _check_end(ended: Any, place: Path, digest: str) -> None:
    if ended.code == ANSWERED:
        if ended.words != digest:
            raise WrongError("the bits are others")
        return
    if ended.code != REFUSED or not ended.words.startswith("OutputError: "):
        raise WrongError(f"ended with {ended.code}: {ended.words[-1500:]}")
    if str(place) not in ended.words or not _BYTES.search(ended.words):
        raise WrongError(f"the error does not name the place or the bytes: {ended.words}")
    if "ake the same call again" not in ended.words:
        raise WrongError(f"the error does not say what helps: {ended.words}")


def _checked(place: Path, files: dict[str, bytes]) -> dict[str, Path]:
    """The shards that are there, each of which is complete."""
    found = stores.shards(place)
    for key, path in found.items():
        if path.read_bytes() != files[key]:
            raise WrongError(f"the shard {key} is damaged")
    if stores.left_behind(place):
        raise WrongError(f"these were left in the store: {stores.left_behind(place)}")
    return found
