"""Shortest distances in exact arithmetic: what answers are judged by. It shares no code with apsp.

Weights are Python integers in units of 2^-shift, so that floats are exact, too: every float is an integer times a power
of two. Small integers take a way through NumPy's int64 where no sum can wrap.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Sequence

import numpy as np

__all__ = ["Exact", "bottleneck_row", "has_negative_cycle", "reached_from", "scaled"]

Arcs = dict[tuple[int, int], int]
Row = list[int | None]
Adjacency = list[list[tuple[int, int]]]

_INFINITY = 2**61
_FINITE = 2**60


def scaled(weights: Sequence[int | float]) -> tuple[list[int], int]:
    """The weights as integers in units of 2^-shift, and the shift."""
    if all(type(weight) is int for weight in weights):
        return list(weights), 0  # type: ignore[arg-type]
    ratios = [weight.as_integer_ratio() for weight in weights]
    shift = max((below.bit_length() - 1 for _, below in ratios), default=0)
    return [above << (shift - below.bit_length() + 1) for above, below in ratios], shift


def adjacency(n: int, arcs: Arcs) -> Adjacency:
    out: Adjacency = [[] for _ in range(n)]
    for (tail, head), weight in arcs.items():
        out[tail].append((head, weight))
    return out


def reached_from(n: int, arcs: Iterable[tuple[int, int]], starts: Iterable[int], closed: frozenset[int]) -> set[int]:
    """The vertices on paths from some vertices; paths end at closed vertices, but may start there."""
    out: list[list[int]] = [[] for _ in range(n)]
    for tail, head in arcs:
        out[tail].append(head)
    seen = set(starts)
    waiting = list(seen)
    expanded = set(seen)
    while waiting:
        for head in out[waiting.pop()]:
            seen.add(head)
            if head not in expanded and head not in closed:
                expanded.add(head)
                waiting.append(head)
    return seen


def has_negative_cycle(arcs: Arcs, inside: set[int]) -> bool:
    """Whether the arcs between these vertices have a negative cycle (Bellman-Ford from all of them at once)."""
    kept = [(tail, head, weight) for (tail, head), weight in arcs.items() if tail in inside and head in inside]
    if all(weight >= 0 for _, _, weight in kept):
        return False
    height = dict.fromkeys(inside, 0)
    for _ in range(len(inside)):
        changed = False
        for tail, head, weight in kept:
            if height[tail] + weight < height[head]:
                height[head] = height[tail] + weight
                changed = True
        if not changed:
            return False
    return True


class Exact:
    """Exact distances of a graph without a negative cycle in reach of the requested rows.

    Parameters
    ----------
    n : int
    arcs : dict of (tail, head) to int
    shift : int
        The weights are in units of 2^-shift.
    closed : set of int
        Vertices where paths may start or end, but not pass through.
    with_sizes : bool
        Find, for each pair, the smallest sum of absolute weights of its shortest paths.
    """

    def __init__(
        self, n: int, arcs: Arcs, *, shift: int = 0, closed: frozenset[int] = frozenset(), with_sizes: bool = False
    ) -> None:
        self.n, self.arcs, self.shift, self.closed = n, arcs, shift, closed
        self.total = sum(map(abs, arcs.values()))
        self.negative = any(weight < 0 for weight in arcs.values())
        self.with_sizes = with_sizes and self.negative
        self._bits = self.total.bit_length() + 1 if self.with_sizes else 0
        self._rows: dict[int, list[int | None]] = {}
        self._out: Adjacency | None = None
        largest = max((abs(weight) for weight in arcs.values()), default=0)
        small = largest * max(n, 1) ** 2 < _FINITE // 2
        small = small and not self.with_sizes and (n <= 90 or self.negative)
        if small and self.negative:  # sums along a negative cycle, wherever it is, would wrap
            small = not has_negative_cycle(arcs, set(range(n)))
        self._matrix = self._all_at_once() if small else None

    def row(self, source: int) -> Row:
        """Distances from a vertex in units of 2^-shift; None where there is no path."""
        if self._bits:
            return [None if value is None else value >> self._bits for value in self._packed_row(source)]
        return self._packed_row(source)

    def sizes(self, source: int) -> Row:
        """The smallest sums of absolute weights of shortest paths, in units of 2^-shift."""
        if not self.negative:
            return self.row(source)
        assert self._bits
        mask = (1 << self._bits) - 1
        return [None if value is None else value & mask for value in self._packed_row(source)]

    def _packed_row(self, source: int) -> Row:
        found = self._rows.get(source)
        if found is None:
            found = self._rows[source] = self._find(source)
        return found

    def _find(self, source: int) -> Row:
        if self._matrix is not None:
            values = self._matrix[source].tolist()
            return [None if value >= _FINITE else value for value in values]
        if self._out is None:
            self._out = adjacency(self.n, self.arcs)
            if self._bits:  # compare lengths first, then sizes
                self._out = [[(head, (w << self._bits) + abs(w)) for head, w in row] for row in self._out]
        return (_label_correcting if self.negative else _dijkstra)(self.n, self._out, source, self.closed)

    def _all_at_once(self) -> np.ndarray:
        """Floyd-Warshall in int64, whose sums cannot wrap here."""
        matrix = np.full((self.n, self.n), _INFINITY, dtype=np.int64)
        for (tail, head), weight in self.arcs.items():
            matrix[tail, head] = weight
        matrix[range(self.n), range(self.n)] = 0
        for k in range(self.n):
            if k not in self.closed:
                np.minimum(matrix, matrix[:, k, None] + matrix[k], out=matrix)
        return matrix


def _dijkstra(n: int, out: Adjacency, source: int, closed: frozenset[int]) -> Row:
    dist: Row = [None] * n
    done = [False] * n
    dist[source] = 0
    heap = [(0, source)]
    while heap:
        length, tail = heapq.heappop(heap)
        if done[tail]:
            continue
        done[tail] = True
        if tail in closed and tail != source:
            continue
        for head, weight in out[tail]:
            known, new = dist[head], length + weight
            if known is None or new < known:
                dist[head] = new
                heapq.heappush(heap, (new, head))
    return dist


def _label_correcting(n: int, out: Adjacency, source: int, closed: frozenset[int]) -> Row:
    dist: Row = [None] * n
    dist[source] = 0
    queue, waiting = deque([source]), [False] * n
    while queue:
        tail = queue.popleft()
        waiting[tail] = False
        if tail in closed and tail != source:
            continue
        length = dist[tail]
        assert length is not None
        for head, weight in out[tail]:
            known, new = dist[head], length + weight
            if known is None or new < known:
                dist[head] = new
                if not waiting[head]:
                    waiting[head] = True
                    queue.append(head)
    return dist


def bottleneck_row(
    n: int,
    arcs: dict[tuple[int, int], int | float],
    source: int,
    closed: frozenset[int],
    *,
    widest: bool,
) -> list[int | float | None]:
    """The best bottleneck to every vertex: the largest smallest arc (widest), or the smallest largest one."""
    join: Callable[[int | float, int | float], int | float] = min if widest else max
    sign = -1 if widest else 1
    out: list[list[tuple[int, int | float]]] = [[] for _ in range(n)]
    for (tail, head), weight in arcs.items():
        out[tail].append((head, weight))
    best: list[int | float | None] = [None] * n
    heap = [(sign * weight, head) for head, weight in out[source]]
    heapq.heapify(heap)
    while heap:
        key, tail = heapq.heappop(heap)
        if tail == source or best[tail] is not None:
            continue
        best[tail] = sign * key
        if tail in closed:
            continue
        for head, weight in out[tail]:
            if best[head] is None:
                heapq.heappush(heap, (sign * join(sign * key, weight), head))
    return best
