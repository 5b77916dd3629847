"""Maps to explore in a browser: their options, and what writes them, which lies above and registers itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

from apsp._types import PathLike
from apsp.figures.options import Scale
from apsp.system.arguments import text
from apsp.system.declared import declared

__all__ = ["Exploring", "write_explored"]


@dataclass(frozen=True)
class Exploring:
    """The options of a map to explore; RequestError for a title, label or unit that is not a string.

    Attributes
    ----------
    sources : sequence of hashable, optional
        Vertices that the map shows first.
    target : hashable, optional
        The end of the route that it shows first.
    title, label, unit : str
        Texts: of the page, and of distances.
    scale : {'metres', 'degrees', 'microdegrees'} or number, optional
        Unit of the coordinates.
    limit : number, optional
        Longest distance that has a colour.
    """

    sources: Any = None
    target: Hashable = None
    title: str = ""
    label: str = "distance"
    unit: str = ""
    scale: Scale = None
    limit: float | None = None

    def __post_init__(self) -> None:
        for name in ("title", "label", "unit"):
            text(getattr(self, name), name)


def write_explored(graph: Any, path: PathLike, options: Exploring, *, dtype: str = "auto", tree: Any = None) -> None:
    """Write the map of a graph: see `apsp.explore.writing.write_map`."""
    writer = next(entry for entry in declared("apsp.maps") if entry.name == "explore")
    writer.load()(graph, path, options, dtype=dtype, tree=tree)
