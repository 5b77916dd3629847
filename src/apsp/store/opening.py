"""The storage that a caller names: a path, a URL, or an object of obstore."""

from __future__ import annotations

import os
from pathlib import Path

from apsp._types import StoreLike
from apsp.errors import RequestError, shown
from apsp.store.storage import Storage
from apsp.system.file_names import file_path

__all__ = ["is_url", "storage_of"]


def storage_of(given: StoreLike) -> Storage:
    """Return the storage that a caller names: a path, a URL, or an object of obstore.

    Raises
    ------
    RequestError
        If it is none of these.
    MissingDependencyError
        If a package is missing that this storage needs.
    """
    if type(given).__module__.partition(".")[0] == "obstore":
        from apsp.store.bucket import Bucket

        return Bucket(given)
    if isinstance(given, str) and is_url(given):
        if not given.startswith("file://"):
            from apsp.store.bucket import bucket_at

            return bucket_at(given)
        given = given.removeprefix("file://")
    elif not isinstance(given, (str, os.PathLike)):
        raise RequestError(f"store must be a path, a URL or a store of obstore, not {shown(given)}")
    path = file_path(given, "store")
    if path.suffix == ".zip" or os.path.isfile(path):  # noqa: PTH113 # no error for names that cannot be
        from apsp.store.zipped import Zipped

        return Zipped(path)
    from apsp.store.folder import Folder

    return Folder(Path(path))


def is_url(given: object) -> bool:
    """Whether this names a storage by a URL, such as s3://bucket/store.zarr."""
    return isinstance(given, str) and "://" in given
