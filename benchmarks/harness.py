"""Comparisons: verify first, then time all contestants in turn, several rounds, and take medians.

The machines are shared and noisy, so a claim is a ratio between contestants of the same run, never one absolute time.
"""

from __future__ import annotations

import datetime
import gc
import json
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Comparison", "Row", "compare", "environment", "print_table", "write_json"]

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Row:
    """One input: seconds of every contestant (medians), and the target of the first one.

    Attributes
    ----------
    seconds : dict
        Median of each contestant; the first is ours.
    spread : dict
        (smallest, largest) of each contestant.
    targets : dict
        Peer -> ratio (peer / ours) that is the target.
    facts : dict
        Other numbers to print (rates, bytes).
    """

    name: str
    seconds: dict[str, float]
    spread: dict[str, tuple[float, float]]
    rounds: int
    targets: dict[str, float] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def ratios(self) -> dict[str, float]:
        """Peer -> its time relative to ours."""
        (ours, mine), *peers = self.seconds.items()
        return {peer: seconds / mine for peer, seconds in peers if peer != ours}


@dataclass
class Comparison:
    """One input, ready to run: the contestants (ours first), a check that they agree, and the seconds that all rounds
    may take.
    """

    name: str
    contestants: Mapping[str, Callable[[], Any]]
    agree: Callable[[Mapping[str, Any]], None]
    targets: dict[str, float] = field(default_factory=dict)
    facts: Callable[[float], dict[str, Any]] | None = None
    budget: float = 90.0


def compare(comparison: Comparison, rounds: int = 5) -> Row:
    """Run every contestant once and check that they agree; then time them in turn.

    A contestant whose rounds would take more than its share of the budget is timed fewer times. If the first run
    takes more than half the share, it is the only one, and counts.
    """
    results, first = {}, {}
    for name, run in comparison.contestants.items():
        results[name], first[name] = _timed(run)
    comparison.agree(results)
    results.clear()
    times: dict[str, list[float]] = {name: [] for name in comparison.contestants}
    spent = dict.fromkeys(comparison.contestants, 0.0)
    share = comparison.budget / len(times)
    for turn in range(rounds):
        for name, run in comparison.contestants.items():
            if turn > 0 and spent[name] + first[name] > share:
                continue
            seconds = first[name] if first[name] > share / 2 else _timed(run)[1]
            times[name].append(seconds)
            spent[name] += seconds
    median = {name: statistics.median(values) for name, values in times.items()}
    spread = {name: (min(values), max(values)) for name, values in times.items()}
    ours = next(iter(median.values()))
    facts = comparison.facts(ours) if comparison.facts else {}
    return Row(comparison.name, median, spread, rounds, comparison.targets, facts)


def _timed(run: Callable[[], Any]) -> tuple[Any, float]:
    gc.collect()
    started = time.perf_counter()
    result = run()
    return result, time.perf_counter() - started


def environment(command: str) -> dict[str, Any]:
    """The machine and the versions of a result."""
    import numpy
    import scipy

    import apsp
    from apsp import _cpu
    from apsp.system.machine import Machine

    versions = {"python": platform.python_version(), "numpy": numpy.__version__, "scipy": scipy.__version__}
    for package in ("networkit", "rustworkx", "numba", "networkx", "igraph", "pandana"):
        module = sys.modules.get(package)
        if module is not None:
            versions[package] = getattr(module, "__version__", "?")
    machine = Machine.detect()
    return {
        "command": command,
        "commit": _git("rev-parse", "--short", "HEAD") + ("+" if _git("status", "--porcelain", "src", "cpp") else ""),
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "cpu": _cpu_name(),
        "cores": machine.cores,
        "isa": _cpu.isa(),
        "apsp": apsp.__version__,
        "versions": versions,
    }


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _cpu_name() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        fields = dict(line.split(":", 1) for line in info.read_text().split("\n\n")[0].splitlines() if ":" in line)
        named = {key.strip(): value.strip() for key, value in fields.items()}
        family = f"family {named.get('cpu family', '?')} model {named.get('model', '?')}"
        return f"{named.get('model name', platform.processor())} ({family})"
    return platform.processor() or platform.machine()


def print_table(rows: list[Row]) -> None:
    """The comparison as text, one line per peer."""
    print(f"{'input':<44} {'contestant':<28} {'median':>10} {'min':>10} {'max':>10} {'ratio':>8} {'target':>6}")
    for row in rows:
        ratios = row.ratios()
        for name, seconds in row.seconds.items():
            low, high = row.spread[name]
            ratio = f"{ratios[name]:.1f}x" if name in ratios else ""
            target = f"{row.targets[name]:g}x" if name in row.targets else ""
            print(f"{row.name:<44} {name:<28} {seconds:>9.4f}s {low:>9.4f}s {high:>9.4f}s {ratio:>8} {target:>6}")
        if row.facts:
            print(" " * 45 + ", ".join(f"{key}: {value}" for key, value in row.facts.items()))


def write_json(path: Path, command: str, rows: list[Row]) -> None:
    """The comparison as JSON, for programs and for the documents."""
    document = {"environment": environment(command), "rows": [asdict(row) | {"ratios": row.ratios()} for row in rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=1) + "\n")
