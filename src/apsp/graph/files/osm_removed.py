"""The ways and relations that an editor has removed from a `.osm` file, and that are still in it until it is uploaded.

JOSM marks them with `action="delete"`, of which osmium does not know.
Source: https://wiki.openstreetmap.org/wiki/JOSM_file_format
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any
from xml.parsers import expat

__all__ = ["removed_in"]

_REMOVED = re.compile(rb"action\s*=\s*[\"']delete")


def removed_in(blocks: Callable[[], Iterable[bytes]]) -> set[tuple[str, int]]:
    """Find the removed ways and relations.

    Parameters
    ----------
    blocks : callable
        Returns the file from its beginning, in blocks of whole lines. It is parsed only if it may have such elements.

    Returns
    -------
    set of tuple
        'way' or 'relation', and the number.

    Raises
    ------
    expat.ExpatError, ValueError
        If the file is damaged, or declares entities.
    """
    found: set[tuple[str, int]] = set()
    if not any(_REMOVED.search(block) for block in blocks()):
        return found

    def start(name: str, attributes: dict[str, str]) -> None:
        if name in ("way", "relation") and attributes.get("action") == "delete":
            found.add((name, int(attributes["id"])))

    def refuse(*_: Any) -> None:
        raise ValueError("entities are not supported")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EntityDeclHandler = start, refuse
    for block in blocks():
        parser.Parse(block, False)
    return found
