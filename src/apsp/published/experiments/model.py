"""An experiment as plain data: inputs, contestants, printed numbers and claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from apsp.graph.generate import Kind
from apsp.methods.registry import METHODS

__all__ = ["Case", "Claim", "Contestant", "Evidence", "Input", "Paper", "Series", "tuned"]

_SMALLEST = 8


@dataclass(frozen=True)
class Input:
    """A graph to generate, or with kind 'caida' the first `n` vertices of a file passed by the user.

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
        Its name in the paper.
    input : Input
    x : float or None
        Position on the axis, at scale 1; None if cases are kinds of graphs.
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
        'auto', 'cpu', 'cuda', or 'gpus' (all, at least two). '' means the first device of the method.
    options : mapping
        Keyword arguments of the solver.
    paths : bool
        Whether predecessors are computed too.
    threads : int or None
    is_tuned : bool
        Whether it is a method of this package, not of the literature.
    """

    label: str
    method: str
    device: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    paths: bool = False
    threads: int | None = None
    is_tuned: bool = False


@dataclass(frozen=True)
class Evidence:
    """A ratio of counts that is compared with a claim, or with `under` empty the count itself.

    Attributes
    ----------
    count : str
        A name of `apsp.published.experiments.counting.MEASURES`.
    over, under : str
        Labels: the ratio is the count of `over` over the count of `under`.
    over_case, under_case : str
        Names of cases, if two cases are compared; otherwise every case is compared with itself.
    kernels : str
        Only kernels with this in their name.
    low, high : float or None
        The range of this count in the paper, if it states one.
    per_source : bool
        If `under` is empty: per source, or in total.
    """

    count: str
    over: str
    under: str = ""
    over_case: str = ""
    under_case: str = ""
    kernels: str = ""
    low: float | None = None
    high: float | None = None
    per_source: bool = True


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper: `faster` is `low` to `high` times faster than `slower`; None if it states no number.

    Attributes
    ----------
    text, faster, slower : str
    low, high : float or None
    evidence : tuple of Evidence
        The counts that should explain it; the first one decides.
    because : str
        How the counts explain it, or why they cannot.
    by_model : bool
        Whether the modelled seconds decide instead of the first evidence.
    """

    text: str
    faster: str
    slower: str
    low: float | None = None
    high: float | None = None
    evidence: tuple[Evidence, ...] = ()
    because: str = ""
    by_model: bool = False


@dataclass(frozen=True)
class Series:
    """One table or figure.

    Attributes
    ----------
    name : str
        Short, for files: 'figure10'.
    title : str
        With the number of the table or figure in the paper.
    axis : str
        The property in which the cases differ.
    cases, contestants : tuple
    baseline : str
        Label of the contestant that speed-ups are relative to.
    printed : mapping
        (name of the case, label) -> seconds as printed.
    claims : tuple of Claim
    problem : 'distances' or 'closure'
    overhead : (str, str) or None
        Labels of the contestants without and with the work whose share is measured.
    note : str
        Differences from the paper.
    sources : int or None
        Number of sources that an emulated GPU counts, if rows are independent; None counts all.
    gpu : str
        The paper's GPU, a name of `apsp.published.experiments.hardware.GPUS`.
    gpus : mapping
        Other GPUs by label, and their number.
    count : str
        The measure that figures of counts show.
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
    sources: int | None = None
    gpu: str = ""
    gpus: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    count: str = "transactions_cc10"

    @property
    def entries(self) -> tuple[Contestant, ...]:
        """The paper's contestants, then the tuned ones."""
        named = {contestant.method for contestant in self.contestants if contestant.threads is None}
        paths = self.overhead is not None
        mine = tuned(self.problem)
        if paths:
            mine = tuple(replace(one, label=f"{one.label}, paths", paths=True) for one in mine)
        return (*self.contestants, *(one for one in mine if one.method not in named))

    @property
    def counted_baseline(self) -> str:
        """Label of the contestant that ratios of counts are relative to: the baseline, or the first one that runs on
        GPUs.
        """
        on_gpu = [one.label for one in self.contestants if one.device != "cpu"]
        return self.baseline if self.baseline in on_gpu else on_gpu[0]

    def hardware(self, label: str) -> tuple[str, int]:
        """The paper's GPU of a contestant, and the number of GPUs; '' if it is not known."""
        return self.gpus.get(label, (self.gpu, 1))


@dataclass(frozen=True)
class Paper:
    """A paper and its measurements.

    Attributes
    ----------
    name, title, authors, where : str
    hardware : tuple of str
        The machine of the printed numbers.
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
    """The solvers of this package that are in every table: the planner's choice, and each method on each of its
    devices.
    """
    if problem == "closure":
        devices = ("cpu", "cuda")
        return tuple(Contestant(f"apsp.reachable, {device}", "reachable", device, is_tuned=True) for device in devices)
    rows = [method for method in METHODS.values() if method.automatic and method.family in ("dense", "sparse")]
    each = [
        Contestant(f"{method.name}, {device}" if len(method.devices) > 1 else method.name, method.name, device)
        for method in rows
        if method.weighted
        for device in method.devices
        if device != "emulated"
    ]
    return tuple(replace(one, is_tuned=True) for one in [Contestant("apsp.solve", "auto", "auto"), *each])
