"""Claims in an object store, which has no locks: small objects that their owner rewrites every few seconds.

Only one of several runs can create an object that does not exist (a conditional request), so only one has the claim.
A run that ends removes its claims; those of a killed run stay as they are. Another run that has seen such an object
unchanged for a minute, by its own clock (clocks of other machines have no effect), creates the successor, which again
only one run can do. If the owner was only suspended, both compute the band, and one of them writes it.

The answer to a request may be lost after the request arrived. So an object that seems to be another run's, or whose
creation failed, is read: its words tell whose it is.
"""

from __future__ import annotations

import contextlib
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from apsp.errors import ApspError, OutputError

__all__ = ["Lease", "Leases"]


class Objects(Protocol):
    """What leases need of a storage."""

    def read(self, key: str) -> bytes | None:
        """Return the bytes of a key."""
        ...

    def create(self, key: str, pieces: Sequence[bytes]) -> bool:
        """Write a key unless it exists; whether it was written."""
        ...

    def write(self, key: str, pieces: Sequence[bytes]) -> None:
        """Write a key."""
        ...

    def remove(self, key: str) -> None:
        """Remove a key, if it exists."""
        ...

    def keys(self, folder: str) -> list[str]:
        """Return the keys of a folder."""
        ...


@dataclass(frozen=True)
class Lease:
    """A claim."""

    leases: Leases
    key: str

    def release(self) -> None:
        """Remove it. If that fails it ends by itself, when its object has not changed for a minute."""
        self.leases.give_back(self.key)


class Leases:
    """The claims of a run.

    Parameters
    ----------
    objects : Objects
    folder : str
        Of the keys.
    clock : callable
        Seconds that only increase.
    beat : float
        Seconds between two writes of the owner.
    stale : float
        Seconds without a write after which a claim is that of a killed run.
    """

    def __init__(
        self, objects: Objects, folder: str, clock: Callable[[], float] = time.monotonic, *, beat: float = 10.0,
        stale: float = 60.0,
    ) -> None:  # fmt: skip
        self._objects, self._folder, self._clock = objects, folder, clock
        self._seconds, self._stale = beat, stale
        self._owner = uuid.uuid4().hex
        self._held: set[str] = set()
        self._seen: dict[str, tuple[bytes | None, float]] = {}
        self._mutex = threading.Lock()
        self._stop = threading.Event()
        self._beating: threading.Thread | None = None

    def take(self, name: str) -> Lease | None:
        """Return the claim of this name; None if another run has it."""
        key = self._next_key(name)
        if key is None or not self._created(key):
            return None
        with self._mutex:
            self._held.add(key)
            if self._beating is None:
                self._stop.clear()
                self._beating = threading.Thread(target=self._beat, daemon=True, name="apsp-leases")
                self._beating.start()
        return Lease(self, key)

    def give_back(self, key: str) -> None:
        """Remove a claim."""
        with self._mutex:
            self._held.discard(key)
            beating, self._beating = (None, self._beating) if self._held else (self._beating, None)
        if beating is not None:
            self._stop.set()
            beating.join(self._seconds)  # it may wait for a network that has failed
        with contextlib.suppress(ApspError):
            self._objects.remove(key)

    def give_all_back(self) -> None:
        """Remove the claims that are left."""
        for key in list(self._held):
            self.give_back(key)

    def _created(self, key: str) -> bool:
        """Create the object of a claim; whether it is that of this call."""
        words = f"{uuid.uuid4().hex} 0".encode()
        try:
            if self._objects.create(key, [words]):
                return True
        except OutputError as failure:
            try:
                if self._objects.read(key) == words:
                    return True
            except ApspError:
                raise failure from failure.__cause__
            raise
        return self._objects.read(key) == words

    def _next_key(self, name: str) -> str | None:
        """The key to create: the first one, or the successor of that of a killed run."""
        folder = f"{self._folder}/{name}"
        found = [key.rpartition("/")[2] for key in self._objects.keys(folder)]
        generations = sorted(int(number) for number in found if number.isdecimal())
        if not generations:
            return f"{folder}/0"
        last = f"{folder}/{generations[-1]}"
        words, now = self._objects.read(last), self._clock()
        before, since = self._seen.get(last, (None, now))
        if words is None or words != before:
            self._seen[last] = words, now
            return None
        if now - since < self._stale:
            return None
        for each in generations[:-1]:
            self._objects.remove(f"{folder}/{each}")
        return f"{folder}/{generations[-1] + 1}"

    def _words(self, beat: int) -> bytes:
        return f"{self._owner} {beat}".encode()

    def _beat(self) -> None:
        beat, stop = 0, self._stop
        while not stop.wait(self._seconds):
            beat += 1
            for key in list(self._held):
                if key not in self._held:  # it was given back meanwhile
                    continue
                with contextlib.suppress(Exception):  # the next beat may succeed
                    self._objects.write(key, [self._words(beat)])
