"""The options of a reader; formats.py says which format has which."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import PathLike
from apsp.errors import FileFormatError, GraphError, RequestError, shown
from apsp.graph.columns import alike
from apsp.graph.convert import from_edges
from apsp.graph.files.source import Source
from apsp.graph.missing import length_of_missing
from apsp.graph.model import Graph, Parallel
from apsp.system.arguments import flag, number, one_of, whole_number
from apsp.system.file_names import file_path

__all__ = ["ReadOptions", "build", "check_vertex_count", "costs_kept"]

MOST_VERTICES = 2**31 - 2
_TEXTS = {
    "cost": "the name of a column or an attribute", "source": "the name of a column", "target": "the name of a column",
    "relations": "a word",
}  # fmt: skip
_CHOICES = {"delimiter": (",", ";", "\t", "|", " "), "decimal": (".", ","), "labels": ("auto", "text")}


@dataclass(frozen=True)
class ReadOptions:
    """The keyword arguments of `apsp.read`, which documents them."""

    directed: bool | None = None
    weighted: bool = True
    cost: str | None = None
    relations: str | None = None
    parallel: Parallel | None = None
    absent: float | None = None
    columns: tuple[int | str, ...] | None = None
    coordinates: PathLike | bool = True
    zones: bool = True
    mode: str | None = None
    costs: bool | tuple[str, ...] = True
    links: bool = False
    missing: int | float | None = None
    source: str | None = None
    target: str | None = None
    delimiter: str | None = None
    header: bool | None = None
    comments: str | None = "auto"
    decimal: str = "."
    labels: str = "auto"
    turns: bool = False

    def given(self) -> list[str]:
        """The names of the options that select or describe something: those that a format must have."""
        found = []
        for field in fields(self):
            value = getattr(self, field.name)
            none = field.name in ("costs", "coordinates") and value in (False, ())  # any format has that
            if not none and not (type(value) is type(field.default) and value == field.default):
                found.append(field.name)
        return found

    def __post_init__(self) -> None:
        for name in ("directed", "weighted", "zones", "links", "turns"):
            value = getattr(self, name)
            if value is not None or name != "directed":
                object.__setattr__(self, name, flag(value, name))
        for name, what in _TEXTS.items():
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise RequestError(f"{name} must be {what}, not {shown(value)}")
        for name, known in _CHOICES.items():
            if getattr(self, name) is not None:
                one_of(getattr(self, name), name, known)
        if self.header is not None:
            object.__setattr__(self, "header", flag(self.header, "header"))
        marks = self.comments
        if marks is not None and (not isinstance(marks, str) or not marks.isascii() or not marks.strip()):
            raise RequestError(f"comments must be the characters that begin a comment, or None, not {shown(marks)}")
        if self.parallel is not None:
            one_of(self.parallel, "parallel", get_args(Parallel))
        if self.absent is not None and not (isinstance(self.absent, (float, np.floating)) and math.isnan(self.absent)):
            number(self.absent, "absent")
        object.__setattr__(self, "missing", length_of_missing(self.missing))
        if self.columns is not None:
            object.__setattr__(self, "columns", _columns(self.columns))
        if not isinstance(self.coordinates, bool):
            object.__setattr__(self, "coordinates", file_path(self.coordinates, "coordinates"))

    def direction(self, default: Any) -> Any:
        """Whether the graph is directed, or each link; `default` is what the file says."""
        return default if self.directed is None else self.directed

    def keeps(self, name: str) -> bool:
        """Whether a column of costs is kept, or may be: the names of the caller ignore case."""
        return any(alike([name], each) for each in self.costs) if isinstance(self.costs, tuple) else bool(self.costs)


def costs_kept(costs: Any) -> bool | tuple[str, ...]:
    """The argument `costs` of `apsp.read`: all, none, or names."""
    if isinstance(costs, (bool, np.bool_)):
        return bool(costs)
    given = (costs,) if isinstance(costs, str) else costs
    if not isinstance(given, (tuple, list)) or not all(isinstance(name, str) for name in given):
        raise RequestError(f"costs must be True, False or names of columns, such as ['length'], not {shown(costs)}")
    return tuple(given)


def _columns(columns: Any) -> tuple[int | str, ...]:
    if not isinstance(columns, (tuple, list)) or len(columns) not in (2, 3):
        raise RequestError(
            "columns must be the names or positions of tail, head and (optionally) weight, such as (0, 1, 4), not "
            f"{shown(columns)}"
        )
    return tuple(
        each if isinstance(each, str) else whole_number(each, "each of columns", least=0, most=10**6)
        for each in columns
    )


def build(
    source: Source,
    options: ReadOptions,
    tails: Any,
    heads: Any,
    weights: Any,
    *,
    n: int | None = None,
    directed: bool | npt.NDArray[np.bool_],
    parallel: Parallel = "min",
    costs: Mapping[str, Any] | None = None,
    fewest_costs: int = 2,
    links: bool = False,
    **vertices: Any,
) -> Graph:
    """Build the graph of a reader; `directed` and `parallel` are the defaults of its format.

    `costs` are all numbers of the arcs that the file names, those of the weights too: if there are fewer than
    `fewest_costs`, they are the weights, and not kept twice. `links` says that the file holds links that a graph kept.

    Raises
    ------
    FileFormatError
        If the arrays are not a graph, or n is too large for the arcs (a damaged header).
    """
    if n is not None:
        check_vertex_count(source, n, len(tails))
    kept, which = _chosen(options, costs or {}, fewest_costs), options.parallel or parallel
    try:
        return from_edges(
            tails, heads, weights if options.weighted else None, n=n, directed=options.direction(directed),
            parallel=which, costs=kept, links=options.links or (links and which == "min"), **vertices,
        )  # fmt: skip
    except FileFormatError:
        raise
    except GraphError as error:
        raise source.fail(str(error)) from error


def _chosen(options: ReadOptions, costs: Mapping[str, Any], fewest: int) -> dict[str, Any]:
    if isinstance(options.costs, tuple):
        names, known = list(costs), f"it has {', '.join(costs)}" if costs else "it has none"
        found = [alike(names, name) for name in options.costs]
        for name, places in zip(options.costs, found, strict=True):
            if len(places) != 1:
                many = f"{len(places)} columns of numbers of this name" if places else "no such column of numbers"
                raise RequestError(f"costs={shown(name)}: the file has {many}; {known}")
        return {names[place]: costs[names[place]] for (place,) in found}
    return dict(costs) if options.costs and len(costs) >= fewest else {}


def check_vertex_count(source: Source, n: int, arcs: int) -> None:
    """Check that a vertex count is plausible, before memory is allocated for it."""
    if n < 0 or n > MOST_VERTICES:
        raise source.fail(f"announces {n} vertices: a graph has 0 to {MOST_VERTICES}")
    if n > 1000 * (arcs + 1000):
        raise source.fail(f"announces {n} vertices but has {arcs} arcs: the header is damaged or the file cut short")
