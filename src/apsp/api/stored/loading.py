"""`apsp.load`: a result from a file or a store."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, Any, cast

from apsp._types import PathLike, StoreLike
from apsp.result.result import Result, load_file
from apsp.store.opening import is_url, storage_of
from apsp.store.storage import Storage
from apsp.system.arguments import flag
from apsp.system.file_names import file_path
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.api.stored.stored_near_pairs import StoredNearPairs
    from apsp.api.stored.stored_result import StoredResult
    from apsp.methods.skims.stored_skims import StoredPeriodSkims, StoredSkims

__all__ = ["is_store", "load"]


@memory_errors
def load(path: StoreLike, *, check: bool = False) -> Result | Any:
    """Read a result that `Result.save` wrote, or that lies in a store; or skims, or pairs, that lie in a store.

    Matrices of a file are mapped, and those of a store are read when they are needed: one path costs a few page reads,
    or one chunk.

    Parameters
    ----------
    path : str, Path or store of obstore
        The file; or the store that `solve(store=...)`, `skim(store=...)` or `within(store=...)` wrote: a folder, a URL,
        a `.zip` file of such a folder.
    check : bool
        Read all of it and compare it with its checksums. Otherwise everything but the matrices is checked now, and the
        matrices of a file by `Result.check`, `verify` and other methods that read whole matrices; the chunks of a store
        are checked whenever they are read.

    Returns
    -------
    Result, StoredSkims, StoredPeriodSkims or StoredNearPairs
        The result, with its graph; of a store a `StoredResult`, `StoredSkims` if `skim` wrote it (of periods
        `StoredPeriodSkims`), or `StoredNearPairs` if `within` did.

    Raises
    ------
    FileFormatError
        If it is truncated or damaged, or is not a result.
    MissingFileError
        If it does not exist.
    MissingDependencyError
        If it is a store and zarr is not installed.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
    >>> result = apsp.solve(graph, paths=True)
    >>> result.save("result.npz")
    >>> apsp.load("result.npz").distance("a", "c")
    5
    """
    check = flag(check, "check")
    if not is_store(path):
        return load_file(cast("PathLike", path), check=check)
    found = _opened(storage_of(path))
    if check:
        for _ in found.blocks(skip_missing=True):
            pass
    return found


def _opened(storage: Storage) -> StoredResult | StoredSkims | StoredPeriodSkims | StoredNearPairs:
    """Open a store of distances, of skims or of pairs.

    Raises MissingFileError or FileFormatError.
    """
    from apsp.api.stored.stored_near_pairs import StoredNearPairs  # with the first store: `import apsp` stays quick
    from apsp.api.stored.stored_result import StoredResult
    from apsp.methods.skims.stored_skims import StoredPeriodSkims, StoredSkims
    from apsp.store.group import parts_of

    kinds: list[type[StoredResult | StoredSkims | StoredNearPairs]] = [StoredResult, StoredSkims, StoredNearPairs]
    parts = parts_of(storage, *(kind.contents for kind in kinds))
    if "periods" in parts[1].measure:
        return StoredPeriodSkims(*parts)
    return next(kind for kind in kinds if kind.contents == parts[1].contents)(*parts)


def is_store(path: Any) -> bool:
    """Whether this names a store rather than a file: a folder, a URL, an object, or a `.zip` file of a store."""
    if is_url(path) or (not hasattr(path, "__fspath__") and not isinstance(path, str)):
        return is_url(path) or type(path).__module__.partition(".")[0] == "obstore"
    file = file_path(path)
    if file.is_dir():
        return (file / "zarr.json").is_file()
    if file.suffix != ".zip" or not zipfile.is_zipfile(file):
        return False
    try:
        with zipfile.ZipFile(file) as archive:
            return "zarr.json" in archive.namelist()
    except Exception:  # of a damaged file, for which zipfile raises several kinds
        return False
