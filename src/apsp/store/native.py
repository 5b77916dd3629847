"""Arrays that are read from a store, as NumPy itself makes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["native"]


def native(values: Any) -> npt.NDArray[Any]:
    """Return an array in the byte order of this machine, without naming it.

    Zarr names the byte order in the dtype. Such an array equals others, but buffers of it are refused by `memoryview`,
    Cython and others.
    """
    array = np.asarray(values)
    plain = array.dtype.newbyteorder("=")
    return array.view(plain) if array.dtype.isnative else array.astype(plain)
