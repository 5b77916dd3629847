"""How a store keeps matrices of skims: as float64, or as multiples of a unit, in a dtype that is proven beforehand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.methods.skims.arc_costs import SkimCosts
from apsp.result.skims.scaled import Scaled, packed

__all__ = ["forms_in_store", "stored_rows"]


def forms_in_store(
    names: Sequence[str], costs: Sequence[SkimCosts], n: int, scales: Mapping[str, int]
) -> dict[str, str]:
    """The dtype of each matrix: of scaled ones the narrowest that holds the sum of any path.

    A path passes each vertex once: its sum is between n - 1 times the smallest cost of an arc, or 0, and n - 1 times
    the largest. The arrays of a store are made before the first row is computed, so the matrices do not tell.

    Parameters
    ----------
    costs : sequence of SkimCosts
        Of each period, with columns in the order of the names.

    Raises
    ------
    RequestError
        If int64 is not proven to hold a matrix exactly.
    """
    found = dict.fromkeys(names, "float64")
    for name, scale in scales.items():
        columns = [each.columns[:, names.index(name)] for each in costs]
        arcs = np.array([[column.min(initial=0), column.max(initial=0)] for column in columns])
        try:
            found[name] = packed(name, [arcs * max(n - 1, 0) * (1 + 1e-9)], scale).dtype.name
        except RequestError:
            largest = float(np.abs(arcs).max())
            raise RequestError(
                f"scales[{name!r}]={scale}: sums of up to {n - 1:,} arcs of {largest:g} may have no exact whole "
                "multiple; choose a smaller scale"
            ) from None
    return found


def stored_rows(rows: NumPyArray, scale: int | None, dtype: np.dtype[np.generic]) -> NumPyArray:
    """Rows of a matrix as they are stored."""
    return rows if scale is None else Scaled(scale, dtype).stored(rows)
