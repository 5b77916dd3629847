"""What the charts of docs/performance.md show, from the committed results: rows of times, and the captions.

`docs/performance/charts.py` draws them.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.words import seconds

__all__ = ["CHARTS", "RESULTS", "Chart", "Point", "Row", "load", "only_part", "ratio_words"]

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Point:
    """The time of one program."""

    program: str
    seconds: float
    estimated: bool = False

    @property
    def is_ours(self) -> bool:
        """Whether the program is this package."""
        return self.program.startswith("apsp")


@dataclass(frozen=True)
class Row:
    """One input; the first time is that of this package."""

    label: str
    points: tuple[Point, ...]

    @property
    def fastest_other(self) -> Point | None:
        """The fastest other program, if there is one."""
        return min((one for one in self.points if not one.is_ours), key=lambda one: one.seconds, default=None)

    @property
    def ratio(self) -> float | None:
        """The time of the fastest other program over ours."""
        other = self.fastest_other
        return None if other is None else other.seconds / self.points[0].seconds

    @property
    def words(self) -> str:
        """The row as text."""
        points = (f"{one.program} {'about ' * one.estimated}{seconds(one.seconds)}" for one in self.points)
        return f"{self.label}: {', '.join(points)}"


@dataclass(frozen=True)
class Chart:
    """Rows of times on one logarithmic axis."""

    axis: str
    rows: tuple[Row, ...]
    measured_on: tuple[str, ...]

    @property
    def words(self) -> str:
        """All numbers of the chart as text, which its file contains."""
        return "; ".join(row.words for row in self.rows)

    @property
    def caption(self) -> str:
        """The least and the largest ratio, and the machines."""
        ratios = [row.ratio for row in self.rows if row.ratio is not None]
        least, most = (ratio_words(one) for one in (min(ratios), max(ratios)))
        estimated = any(one.estimated for row in self.rows for one in row.points)
        note = " (estimated where it computed only a part)" if estimated else ""
        return (
            f"On these inputs the fastest other program takes {least} to {most} times the time of `apsp`{note}. "
            f"Measured on {', and on '.join(self.measured_on)}."
        )

    def is_drawn_in(self, path: Path) -> bool:
        """Whether the file was drawn from these numbers."""
        return html.escape(self.words, quote=False) in path.read_text(encoding="utf-8")


def load(group: str) -> dict[str, Any]:
    """The committed JSON of a group of benchmarks."""
    document: dict[str, Any] = json.loads((RESULTS / f"{group}.json").read_text())
    return document


def only_part(peer: str) -> bool:
    """Whether a contestant did only a part of the work ("scipy dijkstra, 1/32 of them") and has no ratio."""
    return _PART.search(peer) is not None


def ratio_words(ratio: float) -> str:
    """A ratio with two digits, or more where it is above a hundred."""
    return f"{ratio:.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _dense() -> Chart:
    return _of_cpus("time of the call", (
        ("dense", "dense float32, n = 2,048"), ("dense", "dense float64, n = 2,048"),
        ("dense", "dense int32, n = 2,048"), ("dense", "dense uint16, n = 2,048"),
        ("paths", "dense float32 with predecessors, n = 2,048"), ("paths", "dense int32 with predecessors, n = 2,048"),
        ("closure", "closure, n = 4,096, sparse, m = 2n"), ("closure", "closure, n = 4,096, acyclic, m = 4,194,184"),
    ))  # fmt: skip


def _sparse() -> Chart:
    return _of_cpus("time of all distances", tuple(("sparse_cpu", row["name"]) for row in load("sparse_cpu")["rows"]))


def _roads() -> Chart:
    return _of_cpus("time of the call", (
        ("elimination", "grid 128 x 128, weighted"), ("elimination", "New York, 1,024 rows of 264,346"),
        ("arc_flows", "city, n = 20,000, 500 x 500 zones"),
        ("arc_flows", "New York, n = 264,346, 5,000 x 5,000 zones"),
        ("skims", "city, n = 20,000, 1,000 zones, 2 costs"), ("skims", "city, n = 250,000, 5,000 zones, 10 costs"),
        ("accessibility", "accessibility of a city, n = 200,000, 900 s, 3 kinds, 4 cutoffs"),
        ("accessibility", "nearest of 1,000 facilities, n = 1,300,000"),
    ))  # fmt: skip


def _small() -> Chart:
    """Times per graph: calls in a loop, and batches in one call."""
    rows = []
    for row in load("small")["rows"]:
        label, calls = re.fullmatch(r"(.*): (\d+) calls", row["name"]).groups()  # type: ignore[union-attr]
        points = (
            Point(_program(name), value / int(calls))
            for name, value in row["seconds"].items()
            if name != "apsp.diameter(csr_array)"
        )
        rows.append(Row(f"{label}, one call each", tuple(points)))
    for row in load("batch")["rows"]:
        graphs = int(row["name"].split()[0].replace(",", ""))
        points = (
            Point(_program(name), value / graphs * _part(name))
            for name, value in row["seconds"].items()
            if name != "apsp distances alone"
        )
        rows.append(Row(f"{row['name']}, paths, one batch", tuple(points)))
    (calls,), (batches,) = _machines("small"), _machines("batch")
    return Chart("time per graph", tuple(rows), (f"{calls} (calls)", f"{batches} (batches)"))


def _gpus() -> Chart:
    """Complete graphs beside other programs, on more GPUs, and batches of graphs."""
    rows = []
    peers = [row for row in load("gpu_peers")["rows"] if "milliseconds" in row]
    for n in dict.fromkeys(row["n"] for row in peers):
        points = (Point(_program(row["contestant"]), row["milliseconds"] / 1e3) for row in peers if row["n"] == n)
        rows.append(Row(f"complete, n = {n:,}", tuple(points)))
    for n in (65_536, 131_072):
        one, *more = (row for row in load("gpu_strips")["rows"] if row["n"] == n and not row["how"].startswith("host"))
        several = (Point(f"apsp, {row['gpus']} GPUs", row["seconds"]) for row in more)
        rows.append(Row(f"complete, n = {n:,}", (Point("apsp", one["seconds"]), *several)))
    batches = [row for row in load("gpu_batch")["rows"] if row["what"] in _BATCH_PROGRAMS]
    for graphs, n in dict.fromkeys((row["graphs"], row["n"]) for row in batches):
        points = (
            Point(_program(_BATCH_PROGRAMS[row["what"]]), row["milliseconds"] / 1e3)
            for row in batches
            if (row["graphs"], row["n"]) == (graphs, n)
        )
        rows.append(Row(f"{graphs:,} graphs of {n} vertices", tuple(points)))
    gpu, cores = (load("gpu_peers")[key] for key in ("gpu", "cores"))
    machines = (f"one {gpu}, on 2 and 4 of them where the chart says so", f"{cores} cores of its host")
    return Chart("time of all distances", tuple(rows), machines)


def _of_cpus(axis: str, inputs: tuple[tuple[str, str], ...]) -> Chart:
    rows = []
    for group, name in inputs:
        row = next(row for row in load(group)["rows"] if row["name"] == name)
        (_, ours), *others = row["seconds"].items()
        points = (
            Point(_program(peer), value * _part(peer), only_part(peer))
            for peer, value in others
            if not peer.startswith("apsp")
        )
        rows.append(Row(_label(group, name), (Point("apsp", ours), *points)))
    return Chart(axis, tuple(rows), _machines(*dict.fromkeys(group for group, _ in inputs)))


def _label(group: str, name: str) -> str:
    return f"{_WORK[group]}, {name}" if group in _WORK else name


def _machines(*groups: str) -> tuple[str, ...]:
    """The machines of some groups."""
    facts = [load(group)["environment"] for group in groups]
    return tuple(dict.fromkeys(f"{one['cores']} cores of {one['cpu']}, {one['isa']} kernels" for one in facts))


def _part(peer: str) -> int:
    """How many times its work a contestant would have had to do."""
    found = _PART.search(peer)
    return int(found[1]) if found else 1


def _program(contestant: str) -> str:
    """The name of a contestant in a legend."""
    return next((name for start, name in _PROGRAMS.items() if contestant.startswith(start)), contestant)


_PART = re.compile(r", 1/(\d+) of them$")
_PROGRAMS = {
    "apsp with paths": "apsp", "apsp.solve(csr_array)": "apsp", "apsp.solve(Graph)": "apsp, from a Graph",
    "apsp on the CPU": "apsp, 16 cores", "scipy": "SciPy", "SciPy": "SciPy",
    "networkit": "NetworKit", "numba": "Numba", "rustworkx": "rustworkx", "torch.compile": "torch.compile",
    "PyTorch": "PyTorch", "CuPy": "CuPy", "Triton": "Triton",
}  # fmt: skip
_WORK = {"arc_flows": "flows", "skims": "skims"}
_BATCH_PROGRAMS = {"apsp": "apsp", "CuPy, by vertices": "CuPy", "PyTorch, by vertices": "PyTorch"}

CHARTS = {"dense": _dense, "sparse": _sparse, "roads": _roads, "small": _small, "gpus": _gpus}
"""The charts by name."""
