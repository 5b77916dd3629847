"""The choices of an encoding, which the function, the transform and the collate function have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.utils.data import get_worker_info

from apsp.errors import RequestError
from apsp.semiring import unreachable
from apsp.system.arguments import MOST_THREADS, number, one_of, whole_number
from apsp.system.machine import threads_from, threads_named

__all__ = ["MOST_HOPS", "Options"]

MOST_HOPS = 509
"""Largest number of hops by default; the code for "no path" is then 510, as that of Graphormer."""

_LARGEST = 2**31 - 2


@dataclass(frozen=True)
class Options:
    """Checked choices, by the names of the arguments of `shortest_path_encoding`."""

    directed: bool
    max_distance: float | None
    unreachable: float | None
    max_path_edges: int | None
    reduce: str | None
    padding: float
    threads: int | None

    def __post_init__(self) -> None:
        if self.max_distance is not None:
            number(self.max_distance, "max_distance", least=0)
        if self.unreachable is not None:
            number(self.unreachable, "unreachable")
        if self.max_path_edges is not None:
            whole_number(self.max_path_edges, "max_path_edges", least=0)
        if self.reduce is not None:
            one_of(self.reduce, "reduce", ("stack", "sum", "mean"))
        number(self.padding, "padding")
        if self.threads is not None:
            whole_number(self.threads, "threads", least=1, most=MOST_THREADS)

    def codes(self, dtype: torch.dtype, *, hops: bool) -> tuple[float | None, float]:
        """The largest distance, None without a limit, and the code for "no path", as numbers of the dtype.

        Raises
        ------
        RequestError
            If one of them is not a number of the dtype.
        """
        most = MOST_HOPS if self.max_distance is None and hops else self.max_distance
        code = self.unreachable
        if code is None:
            code = unreachable(str(dtype).removeprefix("torch.")) if most is None else most + 1
        if dtype.is_floating_point:
            return most, code
        for value, word in ((most, "max_distance"), (self.unreachable, "unreachable")):
            if value is not None and (value != int(value) or abs(value) > _LARGEST):
                raise RequestError(f"{word} must be a whole number up to {_LARGEST}, as the distances, not {value}")
        return None if most is None else int(most), int(code)

    def team(self) -> int:
        """Threads to use: one in a worker of a DataLoader, unless threads= or APSP_NUM_THREADS sets another number."""
        named = threads_named(self.threads)
        if named is None and get_worker_info() is not None:
            return 1
        return threads_from(self.threads)

    def words(self) -> list[str]:
        """The arguments that differ from their defaults, for a `repr`."""
        usual: dict[str, Any] = vars(USUAL_OPTIONS)
        return [f"{name}={value!r}" for name, value in vars(self).items() if value != usual[name]]


USUAL_OPTIONS = Options(True, None, None, 5, "stack", -1, None)
