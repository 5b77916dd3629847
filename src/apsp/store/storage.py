"""Where the bytes of a store lie: a folder, a `.zip` file (to read), or a bucket of an object store.

Keys are those of Zarr, such as "distances/c/17/0".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from apsp.system.optional import needed
from apsp.system.threads import Threads

__all__ = ["CLAIMS", "Claim", "Storage", "for_each", "others_among", "required"]

CLAIMS = "graph/indptr/.claims"
"""The folder of claims."""

K = TypeVar("K")
T = TypeVar("T")


class Claim(Protocol):
    """The right of this process to write something, until it is released or the process ends."""

    def release(self) -> None:
        """Give the right back."""
        ...


class Storage(Protocol):
    """Where a store lies."""

    @property
    def name(self) -> str:
        """As messages show it."""
        ...

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a key; None if there are none."""
        ...

    def tail(self, key: str, size: int) -> tuple[int, bytes] | None:
        """Return the number of bytes of a key, and the last `size` of them or all; None if there is no such key."""
        ...

    @property
    def at_once(self) -> int:
        """How many reads at the same time are faster than one after another."""
        ...

    def has(self, key: str) -> bool:
        """Whether there is such a key."""
        ...

    def keys(self, folder: str) -> list[str]:
        """Return all keys that begin with "folder/"."""
        ...

    def write(self, key: str, pieces: Sequence[bytes]) -> None:
        """Write the bytes of a key, in one step: other readers see all of them or none."""
        ...

    def create(self, key: str, pieces: Sequence[bytes]) -> bool:
        """Write the bytes of a key as `write` does, unless there is such a key; whether they were written."""
        ...

    def remove(self, key: str) -> None:
        """Remove a key, if it is there."""
        ...

    def claim(self, key: str) -> Claim | None:
        """Return the right to write what `key` names; None if another run has it."""
        ...

    def is_claimed(self, key: str) -> bool:
        """Whether a run has the right to write what `key` names, or had it when it was killed."""
        ...

    def release_claims(self) -> None:
        """Release the claims of this object that nothing has released, as after Ctrl-C."""
        ...

    def end_claims(self) -> None:
        """Remove what is left of claims when there is nothing more to write."""
        ...

    def free_bytes(self) -> int | None:
        """Return the bytes that can be written; None if that is unknown."""
        ...

    def check_writable(self) -> None:
        """Raise OutputError now rather than after the work if nothing can be written."""
        ...

    def for_zarr(self) -> Any:
        """Return the store of zarr-python for reading."""
        ...

    def reopened(self) -> Callable[[], Storage]:
        """Return a function that can be pickled and returns this storage in another process."""
        ...


def for_each(storage: Storage, read: Callable[[K], T], keys: Sequence[K]) -> Iterator[T]:
    """Yield what a function reads for some keys, in their order; from a bucket, several at a time."""
    if storage.at_once == 1 or len(keys) < 2:
        yield from map(read, keys)
        return
    threads = Threads(min(storage.at_once, len(keys)), "apsp-read")
    try:
        yield from threads.map(read, keys)
    finally:
        threads.shutdown()


def others_among(names: Iterable[str]) -> str:
    """Return the names at the top of a storage that has no store, for a message; not those that a run has left that was
    killed while it created one.
    """
    begun = CLAIMS.partition("/")[0]
    others = sorted(name for name in names if name != begun and not name.startswith("."))
    return ", ".join(others[:3]) + (", ..." if len(others) > 3 else "")


def required(package: str) -> Any:
    """Import a package that stores need.

    Raises
    ------
    MissingDependencyError
        If it is not installed; the message names the extra.
    """
    return needed(package, "a store")
