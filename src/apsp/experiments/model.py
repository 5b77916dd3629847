"""What an experiment is, as plain data: inputs, contestants, printed numbers and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from apsp.graph.generate import Kind
from apsp.solvers.registry import METHODS

__all__ = ["Case", "Claim", "Contestant", "Input", "Paper", "Series", "tuned"]

_SMALLEST = 8


@dataclass(frozen=True)
class Input:
    """A graph to generate, or with kind 'caida' the first `n` vertices of a file that the user gives.

    Attributes
    ----------
    kind : str
    n : int
    m : int or None
        Arcs to draw.
    weights : (int, int), None or 'n'
        Range of the lengths; None counts hops; 'n' stands for (1, n).
    rmat : (a, b, c)
        Probabilities of the quadrants of a power law.
    """

    kind: Kind | Literal["caida"]
    n: int
    m: int | None = None
    weights: tuple[int, int] | Literal["n"] | None = (1, 100)
    rmat: tuple[float, float, float] = (0.45, 0.15, 0.15)

    def scaled(self, scale: float) -> Input:
        """The same with `scale` times the vertices and arcs."""
        n = max(round(self.n * scale), _SMALLEST)
        return replace(self, n=n, m=None if self.m is None else max(round(self.m * scale), n))


@dataclass(frozen=True)
class Case:
    """One column of a table, or one position on the axis of a figure.

    Attributes
    ----------
    name : str
        As the paper calls it.
    input : Input
    x : float or None
        Position on the axis, at scale 1; None where cases are kinds of graphs.
    """

    name: str
    input: Input
    x: float | None = None


@dataclass(frozen=True)
class Contestant:
    """A method with its options.

    Attributes
    ----------
    label : str
        In tables and figures.
    method : str
        A name of the registry, 'auto', or 'reachable' (the transitive closure of this package).
    device : str
        'auto', 'cpu', 'cuda', or 'gpus': all there are, at least two. '' takes the first that the method names.
    options : mapping
        Keyword arguments of the solver.
    paths : bool
        Predecessors too.
    threads : int or None
    is_tuned : bool
        Of this package rather than of the literature.
    """

    label: str
    method: str
    device: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    paths: bool = False
    threads: int | None = None
    is_tuned: bool = False


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper: `faster` is `low` to `high` times faster than `slower`; None where it says no number."""

    text: str
    faster: str
    slower: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Series:
    """One table or figure.

    Attributes
    ----------
    name : str
        Short, for files: 'figure10'.
    title : str
        With the numbers of the table or figures in the paper.
    axis : str
        What the cases differ in.
    cases, contestants : tuple
    baseline : str
        Label of the contestant that speed-ups are counted from.
    printed : mapping
        (name of the case, label) -> seconds as printed.
    claims : tuple of Claim
    problem : 'distances' or 'closure'
    overhead : (str, str) or None
        Labels without and with the work whose share is asked.
    note : str
        What is not as in the paper.
    """

    name: str
    title: str
    axis: str
    cases: tuple[Case, ...]
    contestants: tuple[Contestant, ...]
    baseline: str
    printed: Mapping[tuple[str, str], float] = field(default_factory=dict)
    claims: tuple[Claim, ...] = ()
    problem: Literal["distances", "closure"] = "distances"
    overhead: tuple[str, str] | None = None
    note: str = ""

    @property
    def entries(self) -> tuple[Contestant, ...]:
        """The paper's contestants, then the tuned ones."""
        named = {contestant.method for contestant in self.contestants if contestant.threads is None}
        paths = self.overhead is not None
        mine = tuned(self.problem)
        if paths:
            mine = tuple(replace(one, label=f"{one.label}, paths", paths=True) for one in mine)
        return (*self.contestants, *(one for one in mine if one.method not in named))


@dataclass(frozen=True)
class Paper:
    """A paper and what it measured.

    Attributes
    ----------
    name, title, authors, where : str
    hardware : tuple of str
        What the printed numbers were measured on.
    series : tuple of Series
    note : str
    """

    name: str
    title: str
    authors: str
    where: str
    hardware: tuple[str, ...]
    series: tuple[Series, ...]
    note: str = ""


def tuned(problem: str) -> tuple[Contestant, ...]:
    """The solvers of this package that are in every table: the planner's choice, and each on each of its devices."""
    if problem == "closure":
        devices = ("cpu", "cuda")
        return tuple(Contestant(f"apsp.reachable, {device}", "reachable", device, is_tuned=True) for device in devices)
    rows = [method for method in METHODS.values() if method.automatic and method.family in ("dense", "sparse")]
    each = [
        Contestant(f"{method.name}, {device}" if len(method.devices) > 1 else method.name, method.name, device)
        for method in rows
        if method.weighted
        for device in method.devices
    ]
    return tuple(replace(one, is_tuned=True) for one in [Contestant("apsp.solve", "auto", "auto"), *each])
