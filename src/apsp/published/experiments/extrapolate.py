"""Counts of the paper's graph from those of a smaller one, and the seconds that the model predicts from them.

Launches, blocks and threads follow exactly from the loops of a method. The other counts are assumed to be the same per
thread of a kernel. On rings and complete graphs most threads of a single-source method are idle, or have more arcs on
larger graphs. There a count is modelled as a constant per thread plus a constant per arc that is relaxed; both
constants follow from the counts of two sizes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from apsp.gpu.counts import COUNTED, KernelCounts
from apsp.published.experiments.cells import Cell
from apsp.published.experiments.counting import kernels_of
from apsp.published.experiments.hardware import GPUS, Copies, Seconds, predict
from apsp.published.experiments.model import Case, Contestant, Series
from apsp.published.harish_fw import THREADS
from apsp.published.katz_kider_closure import BLOCK as CLOSURE_BLOCK
from apsp.published.katz_kider_pages import BLOCK

__all__ = ["TWO_SIZES", "Prediction", "at_paper_size", "prediction", "predictions"]

_ROUNDS: dict[str, float] = {"ring": 1.0, "complete": 0.0, "grid": 0.5}
"""Rounds of a search grow with this power of n: on a ring one vertex per round, on a complete graph not at all."""

TWO_SIZES: dict[str, float] = {"ring": 1.0, "complete": 2.0}
"""Kinds of graphs whose counts follow from two sizes: arcs that a source relaxes grow with this power of n."""


@dataclass(frozen=True)
class Prediction:
    """Seconds of a contestant on the paper's GPU.

    Attributes
    ----------
    seconds : Seconds
    gpu : str
    gpus : int
    n : int
        Vertices of the graph that the counts are for.
    origin : str
        'counted' or 'extrapolated from n = ...'.
    printed : float or None
    """

    seconds: Seconds
    gpu: str
    gpus: int
    n: int
    origin: str
    printed: float | None

    @property
    def error(self) -> float | None:
        """The relative error of the prediction; None without a printed time."""
        return None if self.printed is None else self.seconds.whole / self.printed - 1


def at_paper_size(case: Case, one: Contestant, cell: Cell) -> list[KernelCounts]:
    """The counts of the paper's graph, all sources."""
    return _at_size(case, one, cell, kernels_of(cell), Copies())[0]


def predictions(series: Series, cells: Mapping[tuple[str, str], Cell]) -> list[tuple[Cell, Prediction]]:
    """Return the predictions for all counted cells with printed seconds, at the paper's size."""
    found = []
    for case in series.cases:
        for one in series.contestants:
            cell = cells.get((case.name, one.label))
            if cell is None or cell.printed is None:
                continue
            whole = prediction(series, case, one, cell)
            if whole is not None:
                found.append((cell, whole))
    return found


def prediction(
    series: Series, case: Case, one: Contestant, cell: Cell, *, as_counted: bool = False
) -> Prediction | None:
    """The seconds of a counted cell on the GPU of its paper; None if it was not counted or the GPU is not known.

    Parameters
    ----------
    as_counted : bool
        Use the graph and the sources that were counted, instead of the paper's.
    """
    name, gpus = series.hardware(one.label)
    if cell.counts is None or not name:
        return None
    kernels, copies = kernels_of(cell), _copies(cell.counts)
    n, origin, printed = cell.n, "counted", None
    if not as_counted:
        n, printed = case.input.n, cell.printed
        kernels, copies = _at_size(case, one, cell, kernels, copies)
        sources = f"{cell.sources} sources, " if cell.sources is not None else ""
        if n != cell.n or sources:
            origin = f"extrapolated from {sources}n = {cell.n:,}"
    seconds = predict([_share(kernel, gpus) for kernel in kernels], copies, GPUS[name])
    return Prediction(seconds, name, gpus, n, origin, printed)


def _copies(counts: Mapping[str, int]) -> Copies:
    return Copies(
        counts["copies_to_device"], counts["copies_to_host"], counts["bytes_to_device"], counts["bytes_to_host"]
    )


def _share(kernel: KernelCounts, gpus: int) -> KernelCounts:
    """The counts of each of several GPUs."""
    return kernel if gpus == 1 else _grown(kernel, 1 / gpus, 1 / gpus)


def _at_size(
    case: Case, one: Contestant, cell: Cell, kernels: list[KernelCounts], copies: Copies
) -> tuple[list[KernelCounts], Copies]:
    """Counts of the paper's n and all sources."""
    n, here = case.input.n, cell.n
    if one.method in _DENSE:
        shape = _DENSE[one.method]
        then, now = shape(n, one.options), shape(here, one.options)
        larger = [
            _grown(kernel, *(a / b if b else 1.0 for a, b in zip(then[name], now[name], strict=True)))
            for kernel in kernels
            for name in [kernel.kernel]
            if name in then
        ]
        square = (n / here) ** 2
        return larger, replace(
            copies, bytes_to_device=copies.bytes_to_device * square, bytes_to_host=copies.bytes_to_host * square
        )
    kind, size, groups = case.input.kind, n / here, n / (here if cell.sources is None else cell.sources)
    launches = groups * size ** _ROUNDS.get(kind, 0.0)
    threads, arcs = launches * size, groups * size ** TWO_SIZES.get(kind, 1.0)
    halves = {half["kernel"]: KernelCounts(**half) for half in cell.half or ()}
    relaxed = [sum(kernel.atomics for kernel in each) for each in (kernels, list(halves.values()))]
    larger = []
    for kernel in kernels:
        half = halves.get(kernel.kernel)
        grown = _grown(kernel, launches, threads)
        if half is not None and "record" not in kernel.kernel:
            grown = _of_two(kernel, half, relaxed, grown, arcs)
        larger.append(grown)
    return larger, Copies(
        copies.to_device * groups, copies.to_host * launches, copies.bytes_to_device * size * groups,
        copies.bytes_to_host * size * groups,
    )  # fmt: skip


def _of_two(
    kernel: KernelCounts, half: KernelCounts, relaxed: list[int], grown: KernelCounts, arcs: float
) -> KernelCounts:
    """Counts as a x threads + b x arcs, with a and b from two sizes; launches, blocks and threads are scaled.

    Parameters
    ----------
    relaxed : [int, int]
        Arcs that were relaxed at both sizes.
    arcs : float
        Relaxed arcs of the larger graph, relative to the counted one.
    """
    determinant = kernel.threads * relaxed[1] - half.threads * relaxed[0]
    if determinant == 0:
        return grown
    counts = {}
    for name in COUNTED:
        whole, part = getattr(kernel, name), getattr(half, name)
        a = (whole * relaxed[1] - part * relaxed[0]) / determinant
        b = (kernel.threads * part - half.threads * whole) / determinant
        counts[name] = max(round(a * grown.threads + b * relaxed[0] * arcs), 0)
    fixed = {name: getattr(grown, name) for name in ("launches", "blocks", "threads")}
    return replace(grown, **(counts | fixed))


def _grown(kernel: KernelCounts, launches: float, work: float) -> KernelCounts:
    """Scale the launches, and everything else, by these factors."""
    counts = {name: round(getattr(kernel, name) * work) for name in COUNTED}
    counts["launches"] = round(kernel.launches * launches)
    return replace(kernel, **counts)


def _blocks(n: int, side: int) -> int:
    return -(-n // side)


def _per_pivot(kernel: str) -> Any:
    """A kernel that is launched for every pivot, on squares of `block` or lines of 256 pairs."""

    def shape(n: int, options: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
        side = options.get("block")
        blocks = _blocks(n, side) ** 2 * side**2 if side else _blocks(n * n, THREADS) * THREADS
        return {kernel: (n, float(n) * blocks)}

    return shape


def _three_passes(default: int) -> Any:
    """Katz and Kider: 1, 2 (b - 1) and (b - 1)^2 blocks for each of b primary blocks."""

    def shape(n: int, options: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
        b = _blocks(n, options.get("block", default))
        return {
            "primary": (b, b),
            "singly_dependent": (b, b * 2 * (b - 1)),
            "doubly_dependent": (b, b * (b - 1) ** 2),
        }

    return shape


_DENSE = {
    "harish-fw": _per_pivot("relax_pairs"),
    "lab-fw": _per_pivot("apsp_basic"),
    "lab-fw-shared": _per_pivot("apsp_shared"),
    "katz-kider": _three_passes(BLOCK),
    "katz-kider-closure": _three_passes(CLOSURE_BLOCK),
}
"""Method -> (launches, work) of each of its kernels."""
