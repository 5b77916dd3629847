"""Maps to explore in a browser: their options, and what writes them, which lies above and registers itself."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, overload

from apsp._types import PathLike, VertexLike, VerticesLike
from apsp.figures.explored_map import Map
from apsp.figures.options import Scale
from apsp.system.arguments import text
from apsp.system.declared import declared
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Explorable", "Exploring", "write_explored"]


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
    period, compare : str or int, optional
        Of several sets of weights, that which the map shows first, and that which it subtracts.
    slider : bool
        The sets are in order, as the hours of a day are.
    """

    sources: Any = None
    target: Hashable = None
    title: str = ""
    label: str = "distance"
    unit: str = ""
    scale: Scale = None
    limit: float | None = None
    period: str | int | None = None
    compare: str | int | None = None
    slider: bool = False

    def __post_init__(self) -> None:
        for name in ("title", "label", "unit"):
            text(getattr(self, name), name)


def write_explored(
    graph: Any, path: PathLike | None, options: Exploring, height: int | None, *, dtype: str = "auto", tree: Any = None
) -> Map | None:
    """Write the map of a graph or of periods, or return it: see `apsp.explore.writing.write_map`."""
    writer = next(entry for entry in declared("apsp.maps") if entry.name == "explore")
    found: Map | None = writer.load()(graph, path, options, height=height, dtype=dtype, tree=tree)
    return found


class Explorable:
    """What has the weights of several periods: `Periods`, and their oracle."""

    def _explored(self) -> dict[str, Any]:
        """The periods, and how they are computed: arguments of `write_explored`."""
        raise NotImplementedError

    @overload
    def explore(
        self, path: PathLike, *, period: str | int | None = ..., compare: str | int | None = ...,
        sources: VerticesLike | None = ..., target: VertexLike | None = ..., title: str = ...,
        label: str = ..., unit: str = ..., scale: Scale = ...,
    ) -> None: ...  # fmt: skip
    @overload
    def explore(
        self, path: None = ..., *, period: str | int | None = ..., compare: str | int | None = ...,
        sources: VerticesLike | None = ..., target: VertexLike | None = ..., title: str = ...,
        label: str = ..., unit: str = ..., scale: Scale = ...,
        height: int | None = ...,
    ) -> Map: ...  # fmt: skip
    @memory_errors
    def explore(
        self,
        path: PathLike | None = None,
        *,
        period: str | int | None = None,
        compare: str | int | None = None,
        sources: VerticesLike | None = None,
        target: VertexLike | None = None,
        title: str = "",
        label: str = "distance",
        unit: str = "",
        scale: Scale = None,
        height: int | None = None,
    ) -> Map | None:
        """Write a map of all periods in one file of HTML: a slider chooses one, and shows differences to another.

        The file has the streets and the order of elimination once, and the weights of each period. The browser computes
        the factor of a period when it is first shown. Distances are those of each period, to the last bit.

        Parameters
        ----------
        path : path, optional
            The file, which ends in .html. Without it, the map is returned, and a notebook shows it.
        period : str or int, optional
            The period that the map shows first; by default the first one.
        compare : str or int, optional
            The map starts with differences to this period: distances of the other one minus those of this one.
        sources : hashable or sequence of hashable, optional
            Vertices that the map starts with.
        target : hashable, optional
            The end of the route that the map starts with. Differences show the routes of both periods.
        title : str, optional
            Of the page.
        label, unit : str
            Name and unit of distances: 'travel time', 's'.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates, as for `Graph.explore`.
        height : int, optional
            Of a map in a notebook: its pixels, by default 560.

        Returns
        -------
        None or Map
            The map, if there is no path.

        Raises
        ------
        GraphError, RequestError, OutputError
            As `Graph.explore`; if a period does not exist, or the factors of two are too large for a browser.

        Examples
        --------
        >>> import apsp
        >>> city = apsp.generate("city", 400, seed=1)
        >>> day = city.with_periods({"night": city.weights, "morning": city.weights * 2})
        >>> day.explore("day.html", compare="night", label="travel time", unit="s", scale="metres")
        """
        options = Exploring(sources, target, title, label, unit, scale, None, period, compare, slider=True)
        return write_explored(path=path, options=options, height=height, **self._explored())
