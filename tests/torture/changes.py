"""Oracles whose links change again and again: all distances and paths, against a plain reference and a new oracle."""

from __future__ import annotations

import itertools
import math
import traceback
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

import apsp
from apsp.methods.elimination.factor import sound_factor
from torture.promise import WrongError

__all__ = ["run"]

_CHANGES = 12
"""Of the links of one graph."""

_MOST = (3, 9, 60, 2**14, 2**18, 2**31 - 2)
"""The longest links: distances fit 16 bits, or lie beside the limits of dtypes."""


def run(seed: int, options: dict[str, Any], counts: Counter[str]) -> dict[str, Any] | None:
    """Draw a graph, and change the links of its oracle."""
    changing = None
    try:
        changing = _Changing(np.random.default_rng(seed), counts)
        for _ in range(_CHANGES):
            changing.change()
            changing.check()
    except WrongError as error:
        return {"what": "wrong", "where": f"changes {error}"[:60], "words": f"{error}: {changing!r}"[:3000]}
    except apsp.ApspError as error:
        return {"what": "refused", "where": "changes", "words": f"{error}: {changing!r}"[:3000]}
    except Exception:
        return {"what": "foreign", "where": "changes", "words": f"{traceback.format_exc()}: {changing!r}"[:3000]}
    return None


class _Changing:
    """A graph of links (tails, heads, weights), some of them closed, and an oracle that follows it."""

    def __init__(self, rng: np.random.Generator, counts: Counter[str]) -> None:
        self.rng, self.counts, self.steps = rng, counts, [""]
        self.n, ends = _shape(rng)
        self.directed, self.keeps = bool(rng.random() < 0.6), bool(rng.random() < 0.4)
        self.tails, self.heads = ends if self.keeps else _different(ends, self.directed)
        self.both = np.full(len(self.tails), not self.directed)
        if self.keeps and rng.random() < 0.3:  # each link may be of another kind
            self.directed, self.both = True, rng.random(len(self.tails)) < 0.5
        self.dtype = np.dtype(rng.choice(["int32", "int64", "float32", "float64"], p=[0.4, 0.3, 0.1, 0.2]))
        self.most = int(rng.choice(_MOST)) if self.dtype.kind == "i" else 60
        self.weights = self._drawn(len(self.tails))
        self.zones = rng.random(self.n) < 0.2 if rng.random() < 0.15 else None
        self.names = [f"v{v}" for v in rng.permutation(self.n).tolist()] if rng.random() < 0.3 else None
        self.open = np.ones(len(self.tails), dtype=bool)
        self.given = self.open.copy()  # the links of the graph that the oracle was given last, with closed ones
        self.whole = self._graph(self.open)
        self.oracle = apsp.prepare(self.whole, labels=bool(rng.random() < 0.4))
        self.held: list[tuple[Any, npt.NDArray[Any]]] = []

    def __repr__(self) -> str:
        facts = {name: value for name, value in vars(self).items() if name not in ("rng", "counts", "whole", "held")}
        return repr({name: each.tolist() if isinstance(each, np.ndarray) else each for name, each in facts.items()})

    def _drawn(self, count: int) -> npt.NDArray[Any]:
        if self.dtype.kind == "f" and self.rng.random() < 0.5:
            return (self.rng.random(count) * self.rng.choice([1e-3, 1.0, 1e6])).astype(self.dtype)
        low = int(self.rng.choice([0, 1, max(self.most // 2, 1)]))
        return self.rng.integers(low, self.most + 1, count).astype(self.dtype)

    def _graph(self, kept: npt.NDArray[np.bool_]) -> apsp.Graph:
        directed: Any = ~self.both[kept] if self.directed and self.both.any() else self.directed
        return apsp.from_edges(
            self.tails[kept], self.heads[kept], self.weights[kept], n=self.n, directed=directed,
            zones=self.zones, labels=self.names, links=self.keeps,
        )  # fmt: skip

    def _say(self, vertices: npt.NDArray[Any]) -> list[Any]:
        return [int(v) if self.names is None else self.names[v] for v in vertices]

    # -- changes ------------------------------------------------------------------------------------------------------

    def change(self) -> None:
        """One change of any kind, after which the oracle may refuse that its dtype grows, but no other."""
        lacks, m = not self.given.all(), len(self.tails)
        kinds = ["all", "refused", "shut", "shut"] + (["opened"] if lacks else ["closed"])
        kinds += ["links"] * 3 + ["every link"] if self.keeps else ["edges"] * 3
        kind = str(self.rng.choice(kinds))
        some = self.rng.choice(m, min(int(self.rng.integers(0, 8)), m), replace=False)
        some = some[(self.open if kind == "closed" else self.given)[some]]
        self.steps = [*self.steps[-3:], f"{kind} {some.tolist()}"]
        if self.rng.random() < 0.3:  # readers of the old values
            self.held.append((self.oracle._now, self.oracle._now.factor.values.copy()))
        getattr(self, f"_change_{kind.replace(' ', '_')}")(some)
        for now, values in self.held:
            if not np.array_equal(now.factor.values, values, equal_nan=True):
                raise WrongError("an update has changed what others read")
        self.held = self.held[-2:] if self.rng.random() < 0.7 else []
        self.counts[f"changes of kind {kind}"] += 1

    def _change_edges(self, some: npt.NDArray[Any]) -> None:
        self.weights[some], self.open[some] = self._drawn(len(some)), True
        self._update_some(some)

    _change_links = _change_edges

    def _change_shut(self, some: npt.NDArray[Any]) -> None:
        """Infinite weights close some links, and finite ones open others."""
        self.weights[some], self.open[some] = self._drawn(len(some)), self.rng.random(len(some)) < 0.4
        self._update_some(some)

    def _update_some(self, some: npt.NDArray[Any]) -> None:
        weights: list[Any] = [self.weights[each].item() if self.open[each] else math.inf for each in some]
        if self.keeps:
            self.oracle.update(weights, links=(np.cumsum(self.given) - 1)[some])
        else:
            ends = zip(self._say(self.tails[some]), self._say(self.heads[some]), strict=True)
            self.oracle.update(dict(zip(ends, weights, strict=True)))

    def _change_every_link(self, some: npt.NDArray[Any]) -> None:
        self.weights[some], self.open[some] = self._drawn(len(some)), True
        self._update_all()

    def _change_all(self, _: npt.NDArray[Any]) -> None:
        self.weights[self.given] = self._drawn(int(self.given.sum()))
        self.open = self.given & (self.rng.random(len(self.open)) < self.rng.choice([0.8, 1.0]))
        self._update_all()

    def _update_all(self) -> None:
        weights = self.weights if self.open[self.given].all() else np.where(self.open, self.weights, np.inf)
        if self.keeps:
            self.oracle.update(weights[self.given], links=True)
            return
        graph = self._graph(self.given)
        links = zip(self.tails.tolist(), self.heads.tolist(), self.both.tolist(), weights, strict=True)
        of_pairs = {}
        for tail, head, both, weight in links:
            of_pairs |= {(tail, head): weight} | ({(head, tail): weight} if both else {})
        arcs = zip(*self._arcs(graph), strict=True)
        self.oracle.update(np.array([of_pairs[pair] for pair in arcs], dtype=weights.dtype))

    def _change_closed(self, some: npt.NDArray[Any]) -> None:
        self.whole = self.oracle.graph
        if self.keeps:
            closed = self.whole.without_edges((np.cumsum(self.open) - 1)[some], links=True)
        else:
            ends = zip(self._say(self.tails[some]), self._say(self.heads[some]), strict=True)
            closed = self.whole.without_edges(list(ends))
        self.had = self.weights.copy(), self.open.copy()
        self.open[some] = False
        self.given = self.open.copy()
        self.oracle.update(closed)

    def _change_opened(self, _: npt.NDArray[Any]) -> None:
        """The graph before some links were closed, or that of all links."""
        if self.rng.random() < 0.7:
            self.weights, self.open = self.had[0].copy(), self.had[1].copy()
            graph = self.whole
        else:
            self.open[:] = True
            graph = self._graph(self.open)
        self.given = self.open.copy()
        self.oracle.update(graph)

    @staticmethod
    def _arcs(graph: apsp.Graph) -> tuple[list[int], list[int]]:
        return graph.tails().tolist(), graph.indices.tolist()

    def _change_refused(self, some: npt.NDArray[Any]) -> None:
        """Weights that no link may have: the oracle keeps those that it has."""
        weights = np.full(int(self.given.sum()), self.rng.choice([-math.inf, math.nan]))
        if not len(weights):
            return
        try:
            self.oracle.update(weights, links=self.keeps)
        except apsp.GraphError:
            return
        raise WrongError(f"weights of {weights[0]} are taken")

    # -- what has to hold ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Compare all distances, and some paths, with those of the links."""
        oracle, fresh = self.oracle, apsp.prepare(self._graph(self.open), order=self.oracle.order)
        if oracle.graph.weights is not None and oracle.graph != self._graph(self.open):
            raise WrongError("the graph of the oracle is another one")
        if oracle.dtype != fresh.dtype:
            raise WrongError(f"the dtype is {oracle.dtype}, and that of a new oracle {fresh.dtype}")
        expected, rows = self._reference(), oracle.rows()
        none = apsp.unreachable(oracle.dtype)
        found = np.where(rows == none, np.inf, rows.astype(np.float64)) if self.dtype.kind == "f" else rows
        if self.dtype.kind == "f":
            room = 64 * np.finfo(oracle.dtype).eps
            if not np.allclose(found, expected, rtol=room, atol=0):
                raise WrongError("distances differ from the reference")
        elif not np.array_equal(np.where(rows == none, -1, rows.astype(np.int64)), expected):
            raise WrongError("distances differ from the reference")
        elif not np.array_equal(oracle._now.factor.values, self._fresh_values()):
            raise WrongError("values differ from those of a new factor")
        self.counts["distances after changes"] += rows.size
        starts, ends = self.rng.integers(0, self.n, (2, 30))
        pairs = oracle.distances(self._say(starts), self._say(ends))
        self._same(pairs, rows[starts, ends], "distances of pairs")
        alone = [oracle.distance(*pair) for pair in zip(self._say(starts), self._say(ends), strict=True)][:8]
        self._same(
            np.array([none if each == math.inf else each for each in alone], oracle.dtype), pairs[:8], "distance"
        )
        many = oracle.paths(self._say(starts), self._say(ends))
        self._same(many.distances, pairs, "distances of paths")
        for start, end, path, length in zip(starts, ends, many, pairs.tolist(), strict=True):
            self._check_path(int(start), int(end), list(path), None if length == none else length)
        self._check_single_path(int(starts[0]), int(ends[0]), pairs.tolist()[0], none)

    def _fresh_values(self) -> npt.NDArray[Any]:
        old = self.oracle._now.factor
        return sound_factor(self._graph(self.open), old.dtype, old.tree, 1).values

    def _same(self, found: npt.NDArray[Any], expected: npt.NDArray[Any], what: str) -> None:
        if self.dtype.kind == "f":
            if not np.allclose(found, expected, rtol=64 * np.finfo(found.dtype).eps, atol=0):
                raise WrongError(f"{what} differ from the rows")
        elif not np.array_equal(found, expected):
            raise WrongError(f"{what} differ from the rows")

    def _shortest(self) -> dict[tuple[int, int], Any]:
        """The best open link of each pair that it leads from and to."""
        best: dict[tuple[int, int], Any] = {}
        links = (each[self.open].tolist() for each in (self.tails, self.heads, self.weights, self.both))
        for tail, head, weight, both in zip(*links, strict=True):
            for pair in ((tail, head), (head, tail)) if both else ((tail, head),):
                best[pair] = min(best.get(pair, math.inf), weight)
        return best

    def _reference(self) -> npt.NDArray[Any]:
        """All distances by Floyd-Warshall: -1 for no path of integers, infinity of floats."""
        integer = self.dtype.kind == "i"
        none: Any = 2**60 if integer else np.inf
        found = np.full((self.n, self.n), none, dtype=np.int64 if integer else np.float64)
        for kept, tails, heads in (
            (self.open, self.tails, self.heads),
            (self.open & self.both, self.heads, self.tails),
        ):
            np.minimum.at(found, (tails[kept], heads[kept]), self.weights[kept].astype(found.dtype))
        np.fill_diagonal(found, 0)
        for pivot in range(self.n):
            if self.zones is None or not self.zones[pivot]:
                np.minimum(found, found[:, pivot, None] + found[None, pivot], out=found)
        return np.where(found >= none, -1, found) if integer else found

    def _check_path(self, start: int, end: int, path: list[Any], length: float | None) -> None:
        places = [int(v) if self.names is None else self.names.index(v) for v in path]
        if length is None:
            if places:
                raise WrongError(f"a path from {start} to {end}, and there is none")
            return
        if not places or (places[0], places[-1]) != (start, end) or len(set(places)) < len(places):
            raise WrongError(f"{places} is no path from {start} to {end}")
        if self.zones is not None and self.zones[places[1:-1]].any():
            raise WrongError(f"{places} passes through a zone")
        arcs, steps = self._shortest(), list(itertools.pairwise(places))
        if any(step not in arcs for step in steps):
            raise WrongError(f"{places} takes a link that does not exist or is closed")
        total = math.fsum(arcs[step] for step in steps)
        room = 0 if self.dtype.kind == "i" else 64 * float(np.finfo(self.dtype).eps) * total
        if abs(total - length) > room:
            raise WrongError(f"{places} has length {total}, not {length}")
        self.counts["paths after changes"] += 1

    def _check_single_path(self, start: int, end: int, length: float, none: float) -> None:
        say = self._say(np.array([start, end]))
        try:
            path = self.oracle.path(*say)
            links = self.oracle.path(*say, links=True) if self.keeps else None
        except apsp.NoPathError:
            if length != none:
                raise WrongError(f"no path from {start} to {end}, at distance {length}") from None
            return
        self._check_path(start, end, path, length)
        if links is not None and self.dtype.kind == "i":
            total = int(self.weights[self.given][links].astype(np.int64).sum())
            if total != length or not self.open[self.given][links].all():
                raise WrongError(f"the links {links} have length {total}, not {length}")


def _shape(rng: np.random.Generator) -> tuple[int, tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    """Vertices, and the ends of links: a grid with gaps, where separators are small, or anything."""
    if rng.random() < 0.3:
        n = int(rng.integers(1, 40))
        return n, (rng.integers(0, n, m := int(rng.integers(1, 4 * n + 1))), rng.integers(0, n, m))
    width, height = rng.integers(2, 16, 2).tolist()
    at = np.arange(width * height).reshape(height, width)
    tails = np.concatenate([at[:, :-1].ravel(), at[:-1].ravel()])
    heads = np.concatenate([at[:, 1:].ravel(), at[1:].ravel()])
    kept = rng.random(len(tails)) < 0.9
    kept[0] = True
    tails, heads = tails[kept], heads[kept]
    if rng.random() < 0.7:
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
    return width * height, (tails, heads)


def _different(
    ends: tuple[npt.NDArray[Any], npt.NDArray[Any]], directed: bool
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The links without those that join the same vertices as another one."""
    tails, heads = ends if directed else (np.minimum(*ends), np.maximum(*ends))
    _, first = np.unique(tails * (int(heads.max()) + 1) + heads, return_index=True)
    return tails[np.sort(first)], heads[np.sort(first)]
