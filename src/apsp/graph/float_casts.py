"""Conversion of floats to another width, also on a GPU, where CuPy's conversions treat float32 below 2^-126 as zero.

The idea: those values are whole numbers of steps of 2^-149, and their bits are that number; float64 holds it exactly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.system.array_device import is_on_gpu, module_of

__all__ = ["cast", "cast_by_bits"]

_STEP = 2.0**-149
_NORMAL = 2.0**-126
_SIGN = np.int32(-(2**31))


def cast(array: Any, dtype: npt.DTypeLike) -> Any:
    """The array in another dtype, as by `astype` of NumPy: every value rounded to the nearest, without its warnings."""
    wanted = np.dtype(dtype)
    pair = {array.dtype.name, wanted.name}
    with np.errstate(over="ignore", under="ignore"):
        return cast_by_bits(array) if is_on_gpu(array) and pair == {"float32", "float64"} else array.astype(wanted)


def cast_by_bits(array: Any) -> Any:
    """float32 as float64, or float64 as float32, of NumPy or CuPy, without arithmetic on float32 below 2^-126."""
    module = module_of(array)
    if array.dtype == np.float32:
        bits = array.view(np.int32)
        steps = (bits & ~_SIGN).astype(np.float64)
        small = module.where(bits < 0, -steps, steps) * _STEP
        return module.where(steps * _STEP < _NORMAL, small, array.astype(np.float64))
    size = module.absolute(array)
    tiny = size < _NORMAL
    bits = module.rint(module.where(tiny, size, 0.0) / _STEP).astype(np.int32)
    bits = module.where(module.signbit(array), bits | _SIGN, bits)
    return module.where(tiny, bits, array.astype(np.float32).view(np.int32)).view(np.float32)
