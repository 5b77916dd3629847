"""Names of costs that are those of arrays of a store."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from apsp.errors import RequestError, shown

__all__ = ["check_array_names"]

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|{}^%`\[\]~#]')
"""Characters that a folder or a bucket does not take in a name."""

_LONGEST = 200
"""Bytes of a name of a folder; most systems allow 255."""

_TAKEN = ("source", "target", "period", "graph", "zarr.json")


def check_array_names(names: Sequence[str]) -> None:
    """Raise an error for names that cannot be those of arrays.

    Raises RequestError.
    """
    folded = [unicodedata.normalize("NFC", name).casefold() for name in names]  # as file systems compare them
    for place, name in enumerate(names):
        if folded[place] in folded[:place]:
            why = f"it differs from {shown(names[folded.index(folded[place])])} only by upper and lower case"
        elif folded[place] in _TAKEN:
            why = "arrays of every store have this name"
        elif (
            len(name.encode()) > _LONGEST
            or name.startswith(("__", "."))
            or name != name.strip(" .")
            or _FORBIDDEN.search(name)
        ):
            why = "it cannot be the name of a folder everywhere"
        else:
            continue
        raise RequestError(f"the cost {shown(name)} cannot be an array of a store: {why}. Rename it")
