"""What osmium does not tell of a `.osm` file: whether nodes follow ways, and what an editor has removed.

JOSM marks ways and relations by `action="delete"`, and keeps them in its file until they are uploaded.
Source: https://wiki.openstreetmap.org/wiki/JOSM_file_format
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple
from xml.parsers import expat

__all__ = ["Marks", "marks_of"]

_REMOVED = re.compile(rb"action\s*=\s*[\"']delete")

_OVERLAP = 64
"""Bytes of a block that are searched with the next one."""


class Marks(NamedTuple):
    """What the text of a file tells.

    Attributes
    ----------
    removed : frozenset of tuple
        'way' or 'relation', and the number.
    has_late_nodes : bool
        Whether nodes may follow ways.
    """

    removed: frozenset[tuple[str, int]]
    has_late_nodes: bool


def marks_of(blocks: Callable[[], Iterable[bytes]]) -> Marks:
    """Search the text of a file.

    Parameters
    ----------
    blocks : callable
        Returns the file from its beginning, in blocks. It is parsed only if something may be removed.

    Raises
    ------
    expat.ExpatError, ValueError
        If the file is damaged, or declares entities.
    """
    has_ways = has_late_nodes = has_removed = False
    end = b""
    for block in blocks():
        text = end + block
        has_removed = has_removed or _REMOVED.search(text) is not None
        begin = 0 if has_ways else text.find(b"<way")
        has_ways = begin >= 0
        has_late_nodes = has_late_nodes or (has_ways and text.find(b"<node", begin) >= 0)
        end = text[-_OVERLAP:]
    return Marks(_removed_in(blocks()) if has_removed else frozenset(), has_late_nodes)


def _removed_in(blocks: Iterable[bytes]) -> frozenset[tuple[str, int]]:
    found: set[tuple[str, int]] = set()

    def start(name: str, attributes: dict[str, str]) -> None:
        if name in ("way", "relation") and attributes.get("action") == "delete":
            found.add((name, int(attributes["id"])))

    def refuse(*_: Any) -> None:
        raise ValueError("entities are not supported")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EntityDeclHandler = start, refuse
    for block in blocks:
        parser.Parse(block, False)
    return frozenset(found)
