"""Finished measurements on disk, one JSON file per paper: a stopped run can be resumed.

The file is replaced as a whole after every measurement, so that it is always complete. Measurements of different
scales, seeds or machines are not mixed, nor counts with times: this raises an error.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from apsp.errors import RequestError
from apsp.system.replacing import replacing

__all__ = ["Cell", "Cells"]


@dataclass(frozen=True)
class Cell:
    """One contestant on one case.

    Attributes
    ----------
    series, case, label : str
    n, m : int
        Vertices and arcs of the graph that was solved.
    seconds, low, high : float or None
        Median, smallest and largest of the rounds; None if it was not run.
    rounds : int
    reason : str or None
        Why it was not run.
    stopped_after : float or None
        The limit in seconds, if the run was stopped (or not begun) because it would take longer.
    estimate : float or None
        Seconds that a stopped run would have taken, estimated from the share of its rows or pivots that were done.
    checked : str or None
        Text on how much was compared with Dijkstra.
    method, device, dtype : str or None
    is_tuned : bool
    kernels : float or None
        Seconds of the last round in which kernels ran, if the solver reports them.
    recording_share : float or None
        Seconds of recording paths over those of finding costs in the last round, if the solver records paths.
    printed : float or None
        Seconds in the paper, if it states them.
    paper_n : int or None
        Vertices of the paper's graph, if another one was counted.
    sources : int or None
        Number of sources for which it was counted; None for all.
    counts : dict or None
        Counts of an emulated GPU, by name.
    by_kernel : list of dict or None
        The same for each kernel.
    half : list of dict or None
        `by_kernel` of a graph of half the size, if counts of a larger graph are extrapolated from both.
    lacks : str or None
        Description of what this machine lacks to run it.
    input_key : str or None
        Graph and method as text, to find the same counts again.
    """

    series: str
    case: str
    label: str
    n: int
    m: int
    seconds: float | None = None
    low: float | None = None
    high: float | None = None
    rounds: int = 0
    reason: str | None = None
    stopped_after: float | None = None
    estimate: float | None = None
    checked: str | None = None
    method: str | None = None
    device: str | None = None
    dtype: str | None = None
    is_tuned: bool = False
    kernels: float | None = None
    recording_share: float | None = None
    printed: float | None = None
    paper_n: int | None = None
    sources: int | None = None
    counts: dict[str, int] | None = None
    by_kernel: list[dict[str, Any]] | None = None
    half: list[dict[str, Any]] | None = None
    lacks: str | None = None
    input_key: str | None = None

    @property
    def time(self) -> float | None:
        """Seconds, measured or estimated."""
        return self.estimate if self.seconds is None else self.seconds

    @property
    def done(self) -> bool:
        """Whether it was measured or counted completely."""
        return self.seconds is not None or self.counts is not None

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the key of a measurement."""
        return self.series, self.case, self.label


class Cells:
    """The measurements of one paper.

    Parameters
    ----------
    path : Path
        The JSON file; it need not exist.
    settings : dict
        Settings that must be equal for measurements in one table.
    facts : dict
        Other facts to store.
    fresh : bool
        Replace existing measurements.

    Attributes
    ----------
    sizes : dict
        Name of a series -> name of a case -> number of vertices counted on an emulated GPU.

    Raises
    ------
    RequestError
        If the file holds measurements of other settings, or is not such a file.
    """

    def __init__(self, path: Path, settings: dict[str, Any], facts: dict[str, Any], *, fresh: bool = False) -> None:
        self._path = path
        self._head = {"settings": settings, "facts": facts}
        self._cells: dict[tuple[str, str, str], Cell] = {}
        self.sizes: dict[str, dict[str, int]] = {}
        if path.exists() and not fresh:
            self._read(settings)

    def _read(self, settings: dict[str, Any]) -> None:
        try:
            document = json.loads(self._path.read_text(encoding="utf-8"))
            before, rows = document["settings"], document["cells"]
            known = {field.name for field in fields(Cell)}
            cells = [Cell(**{name: value for name, value in row.items() if name in known}) for row in rows]
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise RequestError(f"{self._path} holds no measurements of apsp bench: --fresh replaces it") from error
        other = [name for name in {**settings, **before} if before.get(name) != settings.get(name)]
        if other:
            words = ", ".join(f"{name} {before.get(name, '-')}, now {settings.get(name, '-')}" for name in other)
            raise RequestError(f"{self._path} was measured with {words}: take another --out, or --fresh to replace it")
        self._cells = {cell.key: cell for cell in cells}
        self.sizes = document.get("sizes", {})

    def finished(self, key: tuple[str, str, str], limit: float) -> bool:
        """Whether it was measured, or took longer than `limit` seconds; other failures are tried again."""
        cell = self._cells.get(key)
        return cell is not None and (cell.done or (cell.stopped_after or 0.0) >= limit)

    def put(self, cell: Cell) -> None:
        """Store a measurement, also on disk."""
        self._cells[cell.key] = cell
        self.write()

    def write(self) -> None:
        """Replace the file."""
        sizes = {"sizes": self.sizes} if self.sizes else {}
        document = self._head | sizes | {"cells": [asdict(cell) for cell in self._cells.values()]}
        with replacing(self._path) as file:
            file.write((json.dumps(document, indent=1) + "\n").encode())

    def every(self) -> list[Cell]:
        """Return the cells of all tables and figures."""
        return list(self._cells.values())

    def of(self, series: str) -> list[Cell]:
        """Return all cells of one table or figure."""
        return [cell for cell in self._cells.values() if cell.series == series]

    @property
    def head(self) -> dict[str, Any]:
        """Settings and facts."""
        return self._head
