"""The most central vertices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray
from apsp.errors import shown
from apsp.figures.html import rows_words, table_card
from apsp.graph.labels.base import plain_text
from apsp.graph.tabular import ROWS_SHOWN
from apsp.system.numbers import number_words

__all__ = ["MostCentral", "closeness", "largest_first"]


@dataclass(frozen=True, eq=False, repr=False)
class MostCentral:
    """The vertices with the largest centralities, largest first; of equal centralities the first in the graph.

    Parameters
    ----------
    vertices : (K,) array
        The vertices, as the graph labels them.
    values : (K,) float64
        Their centralities.
    searches : int
        The number of vertices that were searched from. Most of these searches end early.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.closeness_centrality(graph, top=2)
    >>> found.vertices.tolist(), found.values.round(3)
    (['b', 'c'], array([0.375, 0.375]))
    """

    vertices: NumPyArray
    values: npt.NDArray[np.float64]
    searches: int

    def _repr_html_(self) -> str:
        columns = {
            "vertex": [plain_text(vertex) for vertex in self.vertices[:ROWS_SHOWN].tolist()],
            "centrality": [number_words(value) for value in self.values[:ROWS_SHOWN].tolist()],
        }
        return table_card(repr(self), columns, rows_words(len(columns["vertex"]), len(self.vertices)))

    def __repr__(self) -> str:
        if not len(self.vertices):
            return "MostCentral(no vertices)"
        first = f"{shown(self.vertices[:1].tolist()[0])}: {self.values[0]:.6g}"
        return f"MostCentral({len(self.vertices)} vertices, {first}, ..., searches={self.searches})"


def closeness(
    reached: npt.NDArray[np.int64], total: npt.NDArray[Any], n: int, *, wf_improved: bool
) -> npt.NDArray[np.float64]:
    """Closeness centralities in a graph of n vertices, from numbers of other vertices and sums of distances."""
    sums = total.astype(np.float64)
    result = np.divide(reached, sums, out=np.zeros(len(sums)), where=sums > 0)
    return result * (reached / max(n - 1, 1)) if wf_improved else result


def largest_first(values: npt.NDArray[np.float64], positions: npt.NDArray[Any], k: int) -> npt.NDArray[np.int64]:
    """Where the k largest values are, in the order of a `MostCentral`."""
    return np.lexsort((positions, -values))[:k]
