"""Generators of graphs. The same arguments and seed give the same graph, on every machine with the same NumPy.

Random numbers come from one `numpy.random.Generator`; everything is vectorised (a million vertices in seconds).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError, RequestError, shown
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph
from apsp.graph.periods import Periods
from apsp.graph.turns.turn_graph import TurnGraph
from apsp.system.arguments import flag, number, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_memory

__all__ = ["KINDS", "Kind", "Weights", "generate"]

Kind = Literal["random", "rmat", "ring", "complete", "grid", "city", "country", "negative", "dag"]
Weights = tuple[int, int] | tuple[float, float] | None
Ends = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]

DEFAULT_WEIGHTS = (1, 1000)
_SMALL = 64 << 20  # bytes that are always available
_BYTES_PER_ARC = 64  # while the arcs are drawn, sorted and merged
_BYTES_PER_ARC_OF_STREETS = 160  # with crossings that are left out, and a spanning tree
_STREETS = ("city", "country")
_DRAWN = {"random": 4, "negative": 4, "dag": 4, "rmat": 8}  # arcs per vertex
_AT_ONCE = 1 << 20  # draws between two checks of signals
RMAT = (0.57, 0.19, 0.19)  # Graph500


@overload
def generate(
    kind: Kind = ..., n: int = ..., *, seed: int = ..., m: int | None = ...,
    weights: Weights | Literal["default"] = ..., directed: bool | None = ..., shape: tuple[int, ...] | None = ...,
    rmat: tuple[float, float, float] = ..., turns: Literal[False] = ..., periods: None = ...,
) -> Graph: ...  # fmt: skip


@overload
def generate(
    kind: Kind = ..., n: int = ..., *, seed: int = ..., weights: Weights | Literal["default"] = ...,
    directed: bool | None = ..., turns: Literal[True],
) -> TurnGraph: ...  # fmt: skip


@overload
def generate(
    kind: Kind = ..., n: int = ..., *, seed: int = ..., directed: bool | None = ..., periods: Sequence[int],
) -> Periods: ...  # fmt: skip


@memory_errors
def generate(
    kind: Kind = "city",
    n: int = 10_000,
    *,
    seed: int = 0,
    m: int | None = None,
    weights: Weights | Literal["default"] = "default",
    directed: bool | None = None,
    shape: tuple[int, ...] | None = None,
    rmat: tuple[float, float, float] = RMAT,
    turns: bool = False,
    periods: Sequence[int] | None = None,
) -> Graph | TurnGraph | Periods:
    """Generate a graph.

    Parameters
    ----------
    kind : str
        - 'random': a cycle through all vertices in random order, so that the graph is strongly connected, and random
          arcs (`random` of the 9th DIMACS challenge's generators);
        - 'rmat': a power law by recursive quadrants (Chakrabarti, Zhan and Faloutsos 2004); not connected;
        - 'ring': 0, 1, ..., n - 1 and back to 0; undirected unless `directed` is True;
        - 'complete': an arc between every two vertices;
        - 'grid': rows x columns (x layers) with coordinates; undirected unless `directed` is True;
        - 'city': a planar street network with coordinates in metres and travel times in seconds (`apsp.graph.city`);
        - 'country': towns, villages, country roads and motorways, with coordinates and travel times, too; separators
          grow as those of real roads, about n^(1/3) (`apsp.graph.country`);
        - 'negative': a random graph whose arcs u -> v were shifted by p(u) - p(v): negative arcs, no negative cycle
          (Johnson 1977, backwards);
        - 'dag': arcs from smaller to larger vertex numbers only.
    n : int
        Number of vertices.
    seed : int
        Of the random numbers, 0 or larger.
    m : int, optional
        Number of arcs drawn for random, negative, dag (default 4 n) and rmat (8 n); parallel ones then merge. Other
        kinds have no such number.
    weights : (low, high), None or 'default'
        Uniform lengths, both ends included: integers for integer bounds, else float64. None counts hops. By default
        (1, 1000); travel times for a city and a country.
    directed : bool, optional
        By default False for 'ring' and 'grid', else True. 'negative' must be directed.
    shape : (rows, columns) or (rows, columns, layers), optional
        Of a grid, in place of `n`; by default nearly square, with a last row that may not be full.
    rmat : (a, b, c)
        Probabilities of the quadrants; d = 1 - a - b - c.
    turns : bool
        Of a city or a country: forbid left turns (45 to 135 degrees) at a fifth of the crossings, and U-turns at half
        of them. Every vertex remains in reach of every other.
    periods : sequence of int, optional
        Of a city or a country: hours from 0 to 23. From 6 to 20 o'clock travel times are longer, most of all at 8 and
        at 17 o'clock: by 20% along small streets (below 9 m/s from end to end), 60% along avenues (below 17 m/s) and
        90% along faster roads; by less at other hours (`apsp.graph.street_options`).

    Returns
    -------
    Graph, TurnGraph or Periods
        The graph; with turns=True that with these turns, and with periods the graph of each hour. The same arguments
        and seed give the same graph with the same version of NumPy.

    Raises
    ------
    RequestError
        If an argument is invalid.

    Examples
    --------
    >>> import apsp
    >>> apsp.generate("grid", shape=(3, 4), seed=1)
    Graph(n=12, m=34, undirected, int32)
    >>> apsp.generate("city", 50, seed=1).directed
    True
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise RequestError(f"unknown kind of graph {shown(kind)}; there are {', '.join(KINDS)}")
    if shape is not None:
        shape = _grid_sides(kind, shape)
        n = math.prod(shape)
    n = whole_number(n, "n", least=0, most=2**31 - 2)
    m = None if m is None else whole_number(m, "m", least=0, most=2**40)
    if m is not None and kind not in _DRAWN:
        raise RequestError(f"m={m}: only {', '.join(_DRAWN)} have a number of arcs, not kind {kind!r}")
    weights = _bounds(weights)
    hours = _checked_options(kind, weights, turns, periods)
    directed = None if directed is None else flag(directed, "directed")
    _check_memory(n, m, kind)
    rng = np.random.default_rng(whole_number(seed, "seed", least=0))
    undirected_kinds = ("ring", "grid")
    directed = kind not in undirected_kinds if directed is None else directed
    if kind == "negative" and not directed:
        raise RequestError("a negative arc that can be used both ways is a negative cycle: kind 'negative' is directed")
    if kind in _STREETS:
        graph = _streets(kind)(int(n), rng, directed=directed)
        graph = graph if weights == "default" else _reweighted(graph, weights, rng)
        if not turns and hours is None:
            return graph
        from apsp.graph.street_options import at_hours, restricted

        return restricted(graph, int(seed)) if hours is None else at_hours(graph, hours)
    bounds = DEFAULT_WEIGHTS if weights == "default" else weights
    if kind == "grid":
        tails, heads, points = _grid(int(n), shape)
        return _finish(tails, heads, int(n), bounds, rng, directed, coordinates=points)
    if kind == "rmat":
        tails, heads = _rmat(int(n), 8 * n if m is None else m, rng, rmat)
    else:
        tails, heads = _ENDS[kind](int(n), 4 * n if m is None else m, rng)
    if kind == "complete" and not directed:
        tails, heads = tails[tails < heads], heads[tails < heads]
    if kind == "negative":
        return _negative(tails, heads, int(n), bounds, rng)
    return _finish(tails, heads, int(n), bounds, rng, directed)


def _grid_sides(kind: str, shape: Any) -> tuple[int, ...]:
    if kind != "grid" or not isinstance(shape, (tuple, list)) or len(shape) not in (2, 3):
        raise RequestError(
            f"shape={shown(shape)}: a grid takes (rows, columns) or (rows, columns, layers), other kinds none"
        )
    return tuple(whole_number(side, "each number of shape=(rows, columns)", least=1) for side in shape)


def _checked_options(kind: str, weights: Any, turns: Any, periods: Any) -> list[int] | None:
    """The hours; RequestError if they or turns are not of this kind."""
    given = [name for name, is_given in (("turns", flag(turns, "turns")), ("periods", periods is not None)) if is_given]
    if given and kind not in _STREETS:
        raise RequestError(f"{given[0]}: only {' and '.join(_STREETS)} have them, not kind {kind!r}")
    if len(given) > 1:
        raise RequestError("turns and periods exclude each other: apsp.with_turns(day[hour], ...) has those of an hour")
    if periods is None:
        return None
    if weights != "default":
        raise RequestError("periods change the travel times: leave out weights")
    if isinstance(periods, str) or not isinstance(periods, Iterable) or getattr(periods, "ndim", 1) != 1:
        raise RequestError(f"periods must be a sequence of hours, not {shown(periods)}")
    hours = [whole_number(hour, "each of periods", least=0, most=23) for hour in periods]
    if len(set(hours)) < len(hours):
        raise RequestError(f"periods={shown(hours)}: an hour is given twice")
    return hours


def _bounds(weights: Any) -> Any:
    """Return the bounds of the weights as Python numbers, None or 'default'."""
    if weights is None or (isinstance(weights, str) and weights == "default"):
        return weights
    if not isinstance(weights, (tuple, list)) or len(weights) != 2:
        raise RequestError(f"weights={shown(weights)}: pass (low, high) with low <= high, or None for hops")
    low, high = (number(bound, "each of weights=(low, high)") for bound in weights)
    if not low <= high or not math.isfinite(high - low):
        raise RequestError(f"weights=({low}, {high}): pass (low, high) with low <= high, or None for hops")
    return low, high


def _streets(kind: str) -> Callable[..., Graph]:
    """What generates streets; it needs csgraph, which takes time to import."""
    if kind == "city":
        from apsp.graph.city import city

        return city
    from apsp.graph.country import country

    return country


def _check_memory(n: int, m: int | None, kind: str) -> None:
    """Raise MemoryLimitError if the arcs do not fit."""
    usual = {**_DRAWN, "complete": n}.get(kind, 3) * n
    arcs = usual if m is None else max(m, n)
    per_arc = _BYTES_PER_ARC_OF_STREETS if kind in _STREETS else _BYTES_PER_ARC
    needed = per_arc * arcs
    if needed <= _SMALL:
        return
    _, available = allowed_memory()
    if needed > available:
        what = f"a graph of {n:,} vertices and {arcs:,} arcs"
        raise MemoryLimitError(what, needed, available, [f"at most {available // per_arc:,} arcs"])


def _lengths(count: int, bounds: Weights, rng: np.random.Generator) -> npt.NDArray[Any] | None:
    if bounds is None:
        return None
    low, high = bounds
    if isinstance(low, int) and isinstance(high, int):
        if max(abs(low), abs(high)) >= 2**62:
            raise RequestError(f"weights=({low}, {high}): integers beyond 2^62 leave no room for sums")
        lengths = rng.integers(low, high, count, endpoint=True)
        return lengths.astype(np.int32) if low >= -(2**31) and high < 2**31 else lengths
    return rng.uniform(low, high, count)


def _finish(
    tails: Any, heads: Any, n: int, bounds: Weights, rng: np.random.Generator, directed: bool, **vertices: Any
) -> Graph:
    return from_edges(tails, heads, _lengths(len(tails), bounds, rng), n=n, directed=directed, **vertices)


def _reweighted(graph: Graph, bounds: Weights, rng: np.random.Generator) -> Graph:
    tails, heads, _ = graph.to_edges()
    return _finish(tails, heads, graph.n, bounds, rng, graph.directed, coordinates=graph.coordinates)


def _random(n: int, m: int, rng: np.random.Generator) -> Ends:
    """Draw a cycle through all vertices and m - n arcs that are not self-loops."""
    if n < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    cycle = rng.permutation(n)
    rest = max(m - n, 0)
    tails = rng.integers(0, n, rest)
    heads = (tails + rng.integers(1, n, rest)) % n
    return np.concatenate([cycle, tails]), np.concatenate([np.roll(cycle, -1), heads])


def _dag(n: int, m: int, rng: np.random.Generator) -> Ends:
    if n < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    one = rng.integers(0, n, m)
    other = (one + rng.integers(1, n, m)) % n
    return np.minimum(one, other), np.maximum(one, other)


def _ring(n: int, _m: int, _rng: np.random.Generator) -> Ends:
    tails = np.arange(n if n > 1 else 0, dtype=np.int64)
    return tails, (tails + 1) % max(n, 1)


def _complete(n: int, _m: int, _rng: np.random.Generator) -> Ends:
    tails = np.repeat(np.arange(n, dtype=np.int64), max(n - 1, 0))
    heads = np.tile(np.arange(max(n - 1, 0), dtype=np.int64), n)
    return tails, heads + (heads >= tails)


def _rmat(n: int, m: int, rng: np.random.Generator, quadrants: tuple[float, float, float]) -> Ends:
    """Draw one bit of tail and head per level; arcs beyond n and self-loops are drawn again; vertices are shuffled."""
    if not isinstance(quadrants, (tuple, list)) or len(quadrants) != 3:
        raise RequestError(f"rmat={shown(quadrants)}: pass three probabilities (a, b, c)")
    a, b, c = (number(each, "each of rmat=(a, b, c)") for each in quadrants)
    if min(a, b, c, 1 - a - b - c) < -1e-12:
        raise RequestError(f"rmat={quadrants}: a, b, c and 1 - a - b - c are probabilities")
    if n < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    levels = (n - 1).bit_length()
    tails = heads = np.empty(0, np.int64)
    for _ in range(200):
        missing = m - len(tails)
        if missing <= 0:
            break
        draw = missing + missing // 4 + 16
        tail, head = np.zeros(draw, np.int64), np.zeros(draw, np.int64)
        for _ in range(levels):
            for start in range(0, draw, _AT_ONCE):  # Ctrl-C is checked between two pieces
                piece = slice(start, min(start + _AT_ONCE, draw))
                u = rng.random(piece.stop - start)
                tail[piece] = 2 * tail[piece] + (u >= a + b)
                head[piece] = 2 * head[piece] + (((u >= a) & (u < a + b)) | (u >= a + b + c))
        good = (tail < n) & (head < n) & (tail != head)
        tails, heads = np.append(tails, tail[good])[:m], np.append(heads, head[good])[:m]
    shuffled = rng.permutation(n)
    return shuffled[tails], shuffled[heads]


def _grid(n: int, shape: tuple[int, ...] | None) -> tuple[Any, Any, npt.NDArray[np.float64]]:
    rows, columns, layers = _grid_shape(n, shape)
    number = np.arange(rows * columns * layers, dtype=np.int64)
    row, column, layer = number // (columns * layers), number // layers % columns, number % layers
    steps = [(row < rows - 1, columns * layers), (column < columns - 1, layers), (layer < layers - 1, 1)]
    tails = np.concatenate([number[inside] for inside, _ in steps])
    heads = np.concatenate([number[inside] + step for inside, step in steps])
    kept = (tails < n) & (heads < n)
    # a layer is drawn a little to the upper right of the one below
    points = np.column_stack([column + 0.3 * layer, row + 0.2 * layer]).astype(np.float64)
    return tails[kept], heads[kept], points[:n]


def _grid_shape(n: int, shape: tuple[int, ...] | None) -> tuple[int, int, int]:
    if shape is not None:
        return shape[0], shape[1], shape[2] if len(shape) == 3 else 1
    columns = max(1, math.isqrt(max(n - 1, 0)) + 1)
    return (n + columns - 1) // columns, columns, 1


def _negative(tails: Any, heads: Any, n: int, bounds: Weights, rng: np.random.Generator) -> Graph:
    if bounds is None:
        raise RequestError("kind 'negative' needs weights=(low, high) with 0 <= low")
    if bounds[0] < 0:
        raise RequestError(f"weights={bounds}: the lengths before the shift must not be negative")
    lengths = _lengths(len(tails), bounds, rng)
    assert lengths is not None
    potentials = _lengths(n, (type(bounds[0])(0), bounds[1]), rng)
    assert potentials is not None
    wide = np.int64 if lengths.dtype.kind == "i" else np.float64
    shifted = lengths.astype(wide) + potentials[tails].astype(wide) - potentials[heads].astype(wide)
    if wide is np.int64 and len(shifted) and max(abs(shifted.min()), abs(shifted.max())) < 2**31:
        shifted = shifted.astype(np.int32)
    return from_edges(tails, heads, shifted, n=n)


_ENDS: dict[str, Callable[[int, int, np.random.Generator], Ends]] = {
    "random": _random, "ring": _ring, "complete": _complete, "negative": _random, "dag": _dag,
}  # fmt: skip
KINDS = ("city", "complete", "country", "dag", "grid", "negative", "random", "ring", "rmat")
