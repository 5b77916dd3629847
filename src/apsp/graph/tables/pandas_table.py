"""Data frames of pandas."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from apsp.errors import shown
from apsp.graph.tables.column import Column, column_of, holds_numbers, repeated

__all__ = ["REMEDY", "columns", "hint", "read"]

REMEDY = "frame.dropna(subset=...)"


def columns(table: Any) -> list[tuple[Hashable, bool]]:
    """The names of the columns, and whether they hold numbers."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype

    found: list[tuple[Hashable, bool]] = []
    for place, (name, kind) in enumerate(table.dtypes.items()):
        if is_object_dtype(kind):  # it may hold decimals, or integers beside gaps
            found.append((name, holds_numbers(_column(table.iloc[:, place], name))))
        else:
            found.append((name, is_numeric_dtype(kind) and not is_bool_dtype(kind)))
    return found


def hint(table: Any) -> str:
    """What may help where a column is not found: the ends may be the index."""
    levels = [name for name in table.index.names if name is not None]
    return f"; frame.reset_index() makes columns of the index {', '.join(map(shown, levels))}" if levels else ""


def read(table: Any, names: Sequence[Hashable]) -> list[Column]:
    """The values of some columns."""
    return [_column(table[name], name) for name in names]


def _column(series: Any, name: Hashable) -> Column:
    from pandas import CategoricalDtype, StringDtype

    missing = series.isna().to_numpy()
    text = series.cat.categories.dtype if isinstance(series.dtype, CategoricalDtype) else series.dtype
    if isinstance(text, StringDtype) and not missing.any():
        places, distinct = series.factorize()
        return repeated(name, distinct.tolist(), places)
    kind = getattr(series.dtype, "numpy_dtype", series.dtype)  # that of a column that may have gaps, too
    kind = getattr(kind, "subtype", kind)  # of a sparse column
    if getattr(kind, "kind", "O") not in "iufb" or missing.any():
        return column_of(name, series.tolist(), missing)
    return column_of(name, series.to_numpy(dtype=kind), missing)
