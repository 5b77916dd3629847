"""What stored numbers of a matrix mean: whole multiples of a unit, and numbers that stand for "no value".

Sources: NetCDF Climate and Forecast (CF) Metadata Conventions 1.11, section 8.1, "Packed data": a stored number q means
q * scale_factor + add_offset, and that of _FillValue or missing_value means that there is no value. OMX's library for R
calls the latter NA.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp._types import NumPyArray
from apsp.errors import RequestError, shown
from apsp.system.arguments import whole_number

__all__ = ["Scaled", "checked_scales", "packed", "unpacked"]

_LARGEST = 2**53 - 1  # beyond it floats are no longer all integers

_MOST_SCALE = 10**9

_NO_VALUE = ("_FillValue", "missing_value", "NA")


@dataclass(frozen=True)
class Scaled:
    """How a matrix is stored.

    Attributes
    ----------
    scale : int
        Stored integers per 1.
    dtype : numpy dtype
        uint16, int32 or int64.
    """

    scale: int
    dtype: np.dtype[Any]

    @property
    def none(self) -> int:
        """What stands for "no path"."""
        return int(np.iinfo(self.dtype).max)

    @property
    def attributes(self) -> dict[str, Any]:
        """Those of the stored matrix."""
        return {"scale_factor": 1 / self.scale, "_FillValue": self.dtype.type(self.none)}

    def stored(self, block: NumPyArray) -> NumPyArray:
        """The nearest whole multiples of the values."""
        has_path = np.isfinite(block)
        found: NumPyArray = np.rint(np.where(has_path, block, 0) * self.scale).astype(self.dtype)
        found[~has_path] = self.none
        return found


def checked_scales(scales: Mapping[str, int] | None, names: Iterable[str]) -> dict[str, int]:
    """The scale of each cost that has one.

    Raises
    ------
    RequestError
        If there is no such cost, or a scale is not a whole number of at least 1.
    """
    if scales is None:
        return {}
    if not isinstance(scales, Mapping):
        raise RequestError(f"scales must be a mapping such as {{'time': 100}}, not {shown(scales)}")
    known = list(names)
    for name in scales:
        if name not in known:
            raise RequestError(f"scales: there is no cost {shown(name)}; there are {', '.join(map(shown, known))}")
    return {name: whole_number(scale, f"scales[{name!r}]", least=1, most=_MOST_SCALE) for name, scale in scales.items()}


def packed(name: str, blocks: Iterable[NumPyArray], scale: int) -> Scaled:
    """The narrowest integers that hold the values of a matrix, given in blocks.

    Raises
    ------
    RequestError
        If int64 does not hold them exactly.
    """
    low = high = 0.0
    for block in blocks:
        some = block[np.isfinite(block)]
        low, high = min(low, float(some.min(initial=0))), max(high, float(some.max(initial=0)))
    least, most = float(np.rint(low * scale)), float(np.rint(high * scale))
    if max(-least, most) > _LARGEST:
        raise RequestError(
            f"scales[{name!r}]={scale}: the largest value, {max(-low, high):g}, has no exact whole multiple; "
            "choose a smaller scale"
        )
    fitting = (each for each in ("uint16", "int32", "int64") if _holds(each, least, most))
    return Scaled(scale, np.dtype(next(fitting)))


def _holds(dtype: str, least: float, most: float) -> bool:
    """Whether all are in range, and the largest number is left for "no path"."""
    ends = np.iinfo(dtype)
    return ends.min <= least and most < ends.max


def unpacked(matrix: NumPyArray, stored: np.dtype[Any], attributes: Mapping[str, Any]) -> None:
    """Replace stored numbers, (S, T) float64, in place by what they mean: infinite where there is no value.

    Parameters
    ----------
    stored : numpy dtype
        Of the numbers.

    Raises
    ------
    ValueError
        If an attribute is not a number.
    """
    missing = np.isnan(matrix)
    for name in _NO_VALUE:
        if (value := _number(attributes, name)) is not None:
            missing |= matrix == value
    factor, offset = _number(attributes, "scale_factor"), _number(attributes, "add_offset")
    if factor is not None:
        units = round(1 / factor) if stored.kind in "iu" and factor else 0
        if units and 1 / units == factor:
            matrix /= units  # the nearest number to the decimal one, unlike the product
        else:
            matrix *= factor
    if offset is not None:
        matrix += offset
    matrix[missing] = np.inf


def _number(attributes: Mapping[str, Any], name: str) -> float | None:
    """An attribute, which may be an array of one number."""
    if name not in attributes:
        return None
    value = np.asarray(attributes[name])
    if value.size != 1 or value.dtype.kind not in "iuf":
        raise ValueError(f"its attribute {name} is not a number")
    return float(value.item())
