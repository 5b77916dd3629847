"""How a store keeps matrices of skims: as float64, or as multiples of a unit, in a dtype that is proven beforehand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from apsp._types import NumPyArray
from apsp.errors import RequestError
from apsp.methods.skims.arc_costs import SkimCosts
from apsp.result.skims.scaled import Scaled, checked_scales, packed
from apsp.store.header import StoreHeader

__all__ = ["forms_in_store", "scales_in_store", "stored_rows"]


def scales_in_store(scales: Mapping[str, int] | None, names: Sequence[str], store: object) -> dict[str, int]:
    """The scales of the matrices that a store keeps as integers.

    Raises
    ------
    RequestError
        If there are scales, but no store; or as `checked_scales`.
    """
    if scales is not None and store is None:
        raise RequestError(
            "scales= is how a store keeps matrices: give store=, or to_omx(path, scales=...) of the result"
        )
    return checked_scales(scales, names)


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


def stored_rows(
    matrices: Iterable[NumPyArray], scales: Mapping[str, int], header: StoreHeader
) -> dict[str, NumPyArray]:
    """Rows of each matrix as they are stored."""
    pairs = zip(header.arrays, matrices, strict=True)
    return {
        name: Scaled(scales[name], header.dtype_of(name)).stored(rows) if name in scales else rows
        for name, rows in pairs
    }
