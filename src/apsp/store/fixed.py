"""The files of a store that do not change after its creation: metadata, labels of rows and columns, and the graph.

The attribute "apsp" of the group lists them with checksums. That of metadata is taken of its content, so that it may be
formatted otherwise, and other programs may add attributes. The group has a copy of all metadata, which other programs
read instead of the files: it must be the same.

Stores of version 1 have no such list: there the metadata is compared with the copy, and other files must not be empty.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from apsp._types import JsonObject
from apsp.errors import FileFormatError
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage, for_each

__all__ = ["GROUP", "FixedFiles", "checksums", "fixed_files"]

GROUP = "zarr.json"
"""The key of the metadata of the group, which also is how the names of those of its parts end."""

_OURS = ("cost_names",)
"""Attributes that are part of a store."""


@dataclass
class FixedFiles:
    """What was found.

    Attributes
    ----------
    whole : dict
        The bytes of files by key: those of the group, and those that agree with their checksums.
    damage : dict
        What is wrong with the others.
    sums : dict
        The checksums; None if unknown.
    copies : dict
        The metadata of the parts of the group as the group has it.
    """

    whole: dict[str, bytes]
    damage: dict[str, str] = field(default_factory=dict)
    sums: dict[str, int | None] = field(default_factory=dict)
    copies: dict[str, JsonObject] = field(default_factory=dict)

    def check(self, storage: Storage) -> None:
        """Raise FileFormatError if a file is damaged."""
        for key, words in self.damage.items():
            raise FileFormatError(
                storage.name, f"{key} is damaged ({words}): the call that wrote the store, made again, repairs it"
            )

    def bytes_of(self, key: str, wanted: dict[str, bytes]) -> bytes | None:
        """Return the bytes that a damaged file should have: those of `wanted`, or of the copy; None if neither fits."""
        copy = self.copies.get(key)
        for data in (wanted.get(key), None if copy is None else json.dumps(copy, indent=2).encode()):
            if data is not None and self.sums[key] is not None and _checksum(key, data) == self.sums[key]:
                return data
        return None


def checksums(files: Iterable[tuple[str, bytes]]) -> dict[str, int]:
    """Return the checksums of files by key."""
    return {key: _checksum(key, data) for key, data in files}


def fixed_files(storage: Storage, header: StoreHeader) -> FixedFiles:
    """Read the files, and compare them with their checksums.

    Raises
    ------
    FileFormatError
        If the copy of the metadata differs from its checksums.
    """
    text = storage.read(GROUP) or b""
    try:
        root = json.loads(text)
        nodes = (root.get("consolidated_metadata") or {}).get("metadata", {})
        for node in nodes.values():
            node.pop("consolidated_metadata", None)  # in those of groups, if another program has made the copy
        found = FixedFiles({GROUP: text}, copies={f"{name}/{GROUP}": node for name, node in nodes.items()})
        found.sums = dict(root["attributes"]["apsp"].get("files") or _sums_of_version_1(storage, header, found.copies))
        for key in (key for key in found.sums if key.endswith(GROUP) and found.copies):
            if key not in found.copies or _sum_of_metadata(found.copies[key]) != found.sums[key]:
                raise ValueError(f"the metadata of {key.removesuffix('/' + GROUP)} differs from its checksum")
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise FileFormatError(
            storage.name, f"its zarr.json is damaged ({error}): remove this file, and make the call that wrote the "
            "store again, which computes all of it again"
        ) from error  # fmt: skip
    keys = list(found.sums)
    for key, data in zip(keys, for_each(storage, storage.read, keys), strict=True):
        words = _damage(key, data, found.sums[key])
        if words is not None:
            found.damage[key] = words
        elif data is not None:
            found.whole[key] = data
    return found


def _sums_of_version_1(
    storage: Storage, header: StoreHeader, copies: dict[str, JsonObject]
) -> Iterator[tuple[str, int | None]]:
    for key, node in copies.items():
        yield key, _sum_of_metadata(node)
        name = key.removesuffix("/" + GROUP)
        if node["node_type"] == "array" and name not in header.arrays:
            for part in storage.keys(f"{name}/c"):
                yield part, None


def _damage(key: str, data: bytes | None, checksum: int | None) -> str | None:
    """What is wrong with a file."""
    if data is None:
        return "it is missing"
    if not data:
        return "it is empty"
    try:
        right = checksum is None or _checksum(key, data) == checksum
    except (ValueError, LookupError, TypeError, AttributeError):
        right = False
    return None if right else "it differs from its checksum"


def _checksum(key: str, data: bytes) -> int:
    return _sum_of_metadata(json.loads(data)) if key.endswith("/" + GROUP) else _sum(data)


def _sum_of_metadata(node: JsonObject) -> int:
    ours = {name: value for name, value in node["attributes"].items() if name in _OURS}
    rest = {name: value for name, value in node.items() if name != "attributes"}
    return _sum(json.dumps([rest, ours], sort_keys=True).encode())


def _sum(data: bytes) -> int:
    return zlib.crc32(data)  # not CRC-32C, with which chunks end: it is the same number for all of them
