"""A store in a bucket of an object store: S3, Google Cloud, Azure, or the memory of this process (obstore)."""

from __future__ import annotations

import contextlib
import functools
import pickle
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from apsp.errors import ApspError, OutputError, RequestError
from apsp.store.access import GOES_ON, reason, unreadable
from apsp.store.leases import Lease, Leases
from apsp.store.storage import CLAIMS, Storage, others_among, required

__all__ = ["Bucket", "bucket_at"]


def bucket_at(url: str) -> Bucket:
    """Return the storage that a URL names; access is configured in the environment, as for other tools of its provider.

    Raises
    ------
    RequestError
        If obstore does not know such URLs.
    """
    obstore = required("obstore")
    try:
        return Bucket(required("obstore.store").from_url(url), url)
    except obstore.exceptions.BaseError as error:
        raise RequestError(
            f"store={url!r}: {_first_line(error)}. Stores are folders, or URLs that begin with s3://, gs:// or "
            "az://; settings come from the environment (AZURE_STORAGE_ACCOUNT_NAME, ...), or from a store of obstore"
        ) from error


class Bucket:
    """A bucket, or the part of it below a prefix.

    Parameters
    ----------
    objects : store of obstore
    name : str, optional
        As messages show it.
    """

    at_once = 32

    def __init__(self, objects: Any, name: str | None = None) -> None:
        self._objects = objects
        self._name = name or (type(objects).__name__ if " object at " in str(objects) else str(objects))
        self._errors = required("obstore.exceptions")
        self._failures = OSError, self._errors.BaseError, NotImplementedError
        self._leases = Leases(self, CLAIMS)

    @property
    def name(self) -> str:
        """The URL."""
        return self._name

    def read(self, key: str) -> bytes | None:
        """Return the bytes of an object; None if it does not exist."""
        with self._reading(key):
            try:
                return bytes(self._objects.get(key).bytes())
            except (FileNotFoundError, self._errors.NotFoundError):
                return None

    def tail(self, key: str, size: int) -> tuple[int, bytes] | None:
        """Return the number of bytes of an object, and the last ones."""
        with self._reading(key):
            try:
                return self._tail(key, size)
            except (FileNotFoundError, self._errors.NotFoundError):
                return None

    def _tail(self, key: str, size: int) -> tuple[int, bytes]:
        try:
            found = self._objects.get(key, options={"range": {"suffix": size}})
            return found.meta["size"], bytes(found.bytes())
        except (FileNotFoundError, self._errors.NotFoundError):
            raise
        except self._failures:  # services refuse such a range of an empty object, and Azure of any
            count = self._objects.head(key)["size"]
            start = max(count - size, 0)
            return count, bytes(self._objects.get_range(key, start=start, end=count)) if count else b""

    def has(self, key: str) -> bool:
        """Whether there is such an object."""
        with self._reading(key):
            try:
                self._objects.head(key)
            except (FileNotFoundError, self._errors.NotFoundError):
                return False
            return True

    def keys(self, folder: str) -> list[str]:
        """Return the keys of all objects of a folder."""
        with self._reading(folder):
            found = [each["path"] for part in self._objects.list(folder) for each in part]
            return [key for key in found if key.startswith(f"{folder}/")]

    def write(self, key: str, pieces: Sequence[bytes]) -> None:
        """Write an object in one request."""
        with self._writing():
            self._objects.put(key, b"".join(pieces), use_multipart=False)

    def create(self, key: str, pieces: Sequence[bytes]) -> bool:
        """Write an object unless it exists; whether it was written.

        A service without conditional writes writes it in any case: then two runs may compute the same band.
        """
        with self._writing():
            try:
                self._objects.put(key, b"".join(pieces), mode="create", use_multipart=False)
            except (FileExistsError, self._errors.AlreadyExistsError, self._errors.PreconditionError):
                return False
            except (NotImplementedError, self._errors.NotSupportedError):
                if self.has(key):
                    return False
                self.write(key, pieces)
            return True

    def remove(self, key: str) -> None:
        """Remove an object, if it exists."""
        with self._writing(), contextlib.suppress(FileNotFoundError, self._errors.NotFoundError):
            self._objects.delete(key)

    def claim(self, key: str) -> Lease | None:
        """Return the claim of this name."""
        return self._leases.take(key)

    def is_claimed(self, key: str) -> bool:
        """Whether there is an object of this claim."""
        return bool(self.keys(f"{CLAIMS}/{key}"))

    def release_claims(self) -> None:
        """Remove the objects of claims that are still rewritten."""
        self._leases.give_all_back()

    def end_claims(self) -> None:
        """Remove the claims of killed runs."""
        with contextlib.suppress(ApspError):  # they would end by themselves
            for key in self.keys(CLAIMS):
                self.remove(key)

    def free_bytes(self) -> int | None:
        """Unknown."""
        return None

    def check_writable(self) -> None:
        """Write an object, and remove it.

        Raises
        ------
        OutputError
            Also if there are other objects than those of a store.
        """
        others = self._others()
        if others:
            raise OutputError(f"{self.name} has other objects ({others}), and no store: name a prefix that has none")
        claim = self.claim("access")
        if claim is not None:
            claim.release()

    def _others(self) -> str:
        """What is there, if it is no store, and no run has begun to create one."""
        if self.has("zarr.json") or self.keys(CLAIMS.rpartition("/")[0]):
            return ""
        with self._reading(""):
            found = self._objects.list_with_delimiter()
        return others_among([*found["common_prefixes"], *(each["path"] for each in found["objects"])])

    def for_zarr(self) -> Any:
        """Return an ObjectStore."""
        return required("zarr.storage").ObjectStore(self._objects, read_only=True)

    def reopened(self) -> Callable[[], Storage]:
        """Return a function that opens the bucket again; the objects of this process cannot be sent to another.

        Raises
        ------
        RequestError
        """
        try:
            pickle.dumps(self._objects)
        except Exception as error:  # obstore raises errors of Rust
            raise RequestError(f"{self.name} cannot be used in another process: give a URL") from error
        return functools.partial(Bucket, self._objects, self._name)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except ApspError:
            raise
        except self._failures as error:
            raise OutputError(f"cannot write {self.name}: {reason(error, GOES_ON)}") from error

    @contextlib.contextmanager
    def _reading(self, key: str) -> Iterator[None]:
        try:
            yield
        except self._failures as error:
            raise unreadable(self.name, key, error) from error


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
