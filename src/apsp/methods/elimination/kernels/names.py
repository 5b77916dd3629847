"""The kernels of elimination.cu by name, and numbers that depend only on the dtype."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from apsp.gpu.page import NARROW_NO_PATH, VALUES, algebra_name

__all__ = ["Kernels", "ceiling_of", "expressions", "lanes_of_a_word"]


class Kernels(NamedTuple):
    """The kernels of elimination.cu for one dtype, or their names."""

    pack_climb: Any
    pack_descent: Any
    seed: Any
    climb: Any
    descend: Any
    descend_unaligned: Any
    leave_zones: Any
    turn: Any


def expressions(dtype: str, *, nonnegative: bool) -> Kernels:
    """Return the kernels of a dtype."""
    ops, value = algebra_name("min_plus", dtype, nonnegative), VALUES[dtype]
    return Kernels(
        f"apsp::pack_panels<{ops}, true>", f"apsp::pack_panels<{ops}, false>", f"apsp::seed_labels<{value}>",
        f"apsp::climb<{ops}>", f"apsp::descend<{ops}, true>", f"apsp::descend<{ops}, {str(dtype != 'uint16').lower()}>",
        f"apsp::leave_zones<{ops}>", f"apsp::turn_lines<{value}>",
    )  # fmt: skip


def ceiling_of(dtype: np.dtype[Any], cutoff: float | None, *, nonnegative: bool) -> Any:
    """Return the smallest value that is reported as "no path"."""
    if dtype.kind == "f":
        with np.errstate(over="ignore"):  # after the largest float
            return np.nextafter(dtype.type(np.inf if cutoff is None else cutoff), dtype.type(np.inf))
    most = int(np.iinfo(dtype).max)
    none = NARROW_NO_PATH if dtype.kind == "u" else most // 2 if nonnegative else most // 4 + 1
    return dtype.type(none if cutoff is None else min(none, max(int(cutoff) + 1, -none)))


def lanes_of_a_word(dtype: np.dtype[Any]) -> int:
    """Return the lanes per word: two values of 16 bits are computed at once."""
    return 2 if dtype.itemsize == 2 else 1
