"""What each source reaches: sums of amounts over the vertices within cutoffs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import RequestError, shown
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.tabular import Tabular
from apsp.system.numbers import number_name

__all__ = ["Accessibility"]


@dataclass(frozen=True, eq=False, repr=False)
class Accessibility(Tabular):
    """Sums of amounts, such as jobs, that can be reached from every source.

    Parameters
    ----------
    names : tuple of str
        The w kinds of amounts.
    cutoffs : tuple of int or float, or None
        The c cutoffs, ascending; None if there are none.
    cube : (S, w, c) float64
        The sums; `values` has only the axes that were requested.
    source_positions : (S,) int32
        The sources, by position.
    labels : Labels
        Of all vertices.
    several_kinds, several_cutoffs : bool
        Whether several kinds of amounts were given, and a sequence of cutoffs.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 3], directed=False, labels=["a", "b", "c"])
    >>> found = apsp.accessibility(graph, {"jobs": [10, 20, 30], "shops": [1, 0, 2]}, cutoffs=[4, 7])
    >>> found.names, found.cutoffs, found.values.shape
    (('jobs', 'shops'), (4, 7), (3, 2, 2))
    >>> found["jobs"].tolist()
    [[30.0, 60.0], [60.0, 60.0], [50.0, 60.0]]
    """

    names: tuple[str, ...]
    cutoffs: tuple[int | float, ...] | None
    cube: npt.NDArray[np.float64]
    source_positions: npt.NDArray[np.int32]
    labels: Labels
    several_kinds: bool
    several_cutoffs: bool

    @property
    def values(self) -> NumPyArray:
        """(S,), (S, w), (S, c) or (S, w, c) float64: the sums, a row per source, in their order.

        There is an axis of kinds if several were given (a matrix, named columns), and one of cutoffs if a sequence of
        cutoffs was given.
        """
        found = self.cube if self.several_cutoffs else self.cube[:, :, 0]
        return found if self.several_kinds else found[:, 0]

    @property
    def sources(self) -> NumPyArray:
        """(S,) labels of the sources."""
        return self.labels.take(self.source_positions)

    def __getitem__(self, name: str) -> NumPyArray:
        """The sums of one kind of amounts, (S,) or (S, c)."""
        if name not in self.names:
            raise RequestError(f"no amounts are called {shown(name)}; there are: {', '.join(self.names)}")
        found = self.cube[:, self.names.index(name)]
        return found if self.several_cutoffs else found[:, 0]

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> NumPyArray:
        return np.array(self.values, dtype=dtype) if copy or dtype is not None else self.values

    def __len__(self) -> int:
        return len(self.cube)

    def to_dict(self) -> dict[str, NumPyArray]:
        """Return the column 'vertex', and a column per kind and cutoff, such as 'jobs' or 'jobs_900'.

        Returns
        -------
        dict of str to (S,) array
            Labels of the sources, and the sums.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 3], labels=["a", "b", "c"])
        >>> found = apsp.accessibility(graph, {"jobs": [10, 20, 30]}, cutoffs=[4, 7])
        >>> {name: column.tolist() for name, column in found.to_dict().items()}
        {'vertex': ['a', 'b', 'c'], 'jobs_4': [30.0, 50.0, 30.0], 'jobs_7': [60.0, 50.0, 30.0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        if "vertex" in self.names and not self.several_cutoffs:
            raise RequestError("the table has a column 'vertex' of labels: give these weights another name")
        columns: dict[str, Any] = {}
        for kind, name in enumerate(self.names):
            if not self.several_cutoffs:
                columns[name] = self.cube[:, kind, 0]
                continue
            for place, cutoff in enumerate(self.cutoffs or ()):
                columns[f"{name}_{number_name(cutoff)}"] = self.cube[:, kind, place]
        return LongTable(self.labels, {"vertex": self.source_positions, **columns}, numbers=tuple(columns))

    def __repr__(self) -> str:
        kinds, sources = len(self.names), len(self.source_positions)
        cutoffs = 0 if self.cutoffs is None else len(self.cutoffs)
        counts = {"kind": kinds, "cutoff": cutoffs, "source": sources}
        words = [f"{count} {word}{'s' if count != 1 else ''}" for word, count in counts.items()]
        return f"Accessibility({', '.join(words)})"
