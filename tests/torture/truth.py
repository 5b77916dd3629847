"""What is true of a case: exact distances of its graph, which cycles are negative, and what may be refused."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from apsp.semiring import SEMIRINGS
from torture.case import Case
from torture.exact import Exact, bottleneck_row, has_negative_cycle, reached_from, scaled

__all__ = ["ROUNDINGS", "Truth"]

ROUNDINGS = 4
"""A float distance is within so many rounding steps per arc of the sum of its path, relative to absolute weights."""

_SUM_LIMITS = {"uint16": 2**15 - 1, "int32": 2**29, "int64": 2**61}
_COMPARE_LIMITS = {"int32": 2**31 - 1, "int64": 2**63 - 1}
_EXACT_FLOATS = {"float32": 2**24, "float64": 2**53}


class Truth:
    """What is true of a case.

    Attributes
    ----------
    merged : dict of (tail, head) to weight
        Parallel arcs merged, both directions of undirected edges.
    arcs : dict of (tail, head) to int
        The same in units of 2^-shift.
    """

    def __init__(self, case: Case) -> None:
        self.case, self.n = case, case.n
        self.merged = case.merged()
        weights, self.shift = scaled(list(self.merged.values()))
        self.arcs = dict(zip(self.merged, weights, strict=True))
        self.closed = frozenset(case.zones)
        self.has_negative_arc = any(weight < 0 for weight in weights)
        self.largest = max((abs(weight) for weight in self.merged.values()), default=0)
        self._bottlenecks: dict[tuple[int, bool], list[Any]] = {}
        self._cycles: dict[Any, str] = {}

    @functools.cached_property
    def exact(self) -> Exact:
        return Exact(self.n, self.arcs, shift=self.shift, closed=self.closed, with_sizes=not self.case.integer)

    def eps(self, dtype: str) -> tuple[int, float]:
        """(b, eps): the machine epsilon 2^-b of sums in a dtype of the distances."""
        narrow = dtype == "float32" or self.case.dtype == "float32"
        return (23, 2.0**-23) if narrow else (52, 2.0**-52)

    # -- cycles ---------------------------------------------------------------------------------------------------

    def cycles(self, sources: Sequence[int] | None, dtype: str = "auto") -> str:
        """What is known of the cycles that some sources reach.

        Returns
        -------
        'none', 'negative', 'rounding', 'elsewhere' or 'either'
            No cycle is negative; an error must say that one is; some are, but only by so little that it could be
            rounding of the weights (`apsp.facts.potentials.signed_floats` says when); such cycles are there,
            but out of reach, and distances are still as in a graph with them; it depends on what cannot be told
            (cycles through zones, weights that are rounded to the requested dtype).
        """
        if not self.has_negative_arc:
            return "none"
        starts = frozenset(range(self.n) if sources is None else sources)
        narrow = self.eps(dtype)[0]
        key = starts, narrow
        if key not in self._cycles:
            rounded = dtype == "float32" and self.case.dtype == "float64"
            self._cycles[key] = self._find_cycles(starts, rounded=rounded)
        return self._cycles[key]

    def _find_cycles(self, starts: Iterable[int], *, rounded: bool) -> str:
        inside = reached_from(self.n, self.arcs, starts, self.closed)
        if rounded:  # to float32: every weight may be off by half a step
            steps = 2 * (self.n + 1)
            low, high = ({p: (w << 23) + sign * steps * abs(w) for p, w in self.arcs.items()} for sign in (-1, 1))
            if not has_negative_cycle(low, inside):
                return "none"
            return "negative" if has_negative_cycle(high, inside - self.closed) else "either"
        if not has_negative_cycle(self.arcs, inside):
            return "elsewhere" if self.has_rounding_cycle else "none"
        if not has_negative_cycle(self.arcs, inside - self.closed):
            return "either"
        if self.case.integer or has_negative_cycle(self.longer, inside - self.closed):
            return "negative"
        return "either" if self.closed else "rounding"

    @functools.cached_property
    def has_rounding_cycle(self) -> bool:
        """A cycle of floats is negative somewhere, zones aside."""
        return not self.case.integer and has_negative_cycle(self.arcs, set(range(self.n)))

    @functools.cached_property
    def longer(self) -> dict[tuple[int, int], int]:
        """The arcs of floats, each longer by what rounding may have taken from it, in units of 2^-(shift + bits).

        That is min(eps * largest weight, 1024 * eps * weight), eps being that of the weights' dtype.
        """
        bits = self.slack_bits
        largest = max(map(abs, self.arcs.values()), default=0)
        return {pair: (w << bits) + min(largest, 1024 * abs(w)) for pair, w in self.arcs.items()}

    @property
    def slack_bits(self) -> int:
        return 23 if self.case.dtype == "float32" else 52

    @functools.cached_property
    def with_longer(self) -> Exact:
        """Exact distances along these longer arcs."""
        return Exact(self.n, self.longer, shift=self.shift + self.slack_bits, closed=self.closed, with_sizes=True)

    # -- distances ------------------------------------------------------------------------------------------------

    def bottleneck(self, source: int, semiring: str) -> list[Any]:
        """The best bottleneck to each vertex; None where there is no path (and at the source)."""
        widest = semiring == "max_min"
        key = source, widest
        if key not in self._bottlenecks:
            self._bottlenecks[key] = bottleneck_row(self.n, self.merged, source, self.closed, widest=widest)
        return self._bottlenecks[key]

    def expected(self, source: int, dtype: np.dtype[Any], semiring: str) -> list[Any]:
        """What a row of distances must hold, exactly: of integers, and of all bottlenecks."""
        algebra = SEMIRINGS[semiring]
        none = algebra.no_path(dtype)
        row = self.exact.row(source) if semiring == "min_plus" else self.bottleneck(source, semiring)
        values = [none if value is None else value for value in row]
        if semiring != "min_plus" and dtype.name == "float32" and self.case.dtype == "float64":
            values = np.array(values, dtype=np.float32).tolist()  # bottlenecks are weights, rounded to the dtype
        if semiring != "min_plus":
            values[source] = algebra.empty_path(dtype)
        return values

    # -- refusals -------------------------------------------------------------------------------------------------

    def may_overflow(self, dtype: str, semiring: str = "min_plus", *, arcs: int | None = None) -> bool:
        """Whether a proof that a dtype holds every distance may fail; 'auto' means every dtype that could be taken."""
        arcs = max(self.n, 2) if arcs is None else arcs
        integer = self.case.integer
        if dtype == "auto":
            dtype = "int64" if integer else str(self.case.dtype)
        if semiring != "min_plus":
            arcs = 1
        size = self.largest * (2 * arcs if self.has_negative_arc else arcs)
        if dtype.startswith("float"):
            return size >= (_EXACT_FLOATS[dtype] if integer else float(np.finfo(dtype).max) / 4)
        if not integer:
            return True
        limits = _SUM_LIMITS if semiring == "min_plus" else _COMPARE_LIMITS
        return (dtype == "uint16" and self.has_negative_arc) or dtype not in limits or size >= limits[dtype]
