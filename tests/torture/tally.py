"""What a run adds up to: counts by kind, method, dtype and door, failures, and the words for them."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import apsp

__all__ = ["Tally"]

_FOLDER = Path(__file__).resolve().parent


class Tally:
    """Counts and failures of a run.

    Parameters
    ----------
    command : str
    seed : int
    options : str
        Those of the command that a replay of a seed needs, each with a space before it.
    """

    def __init__(self, command: str, seed: int, options: str = "") -> None:
        self.command, self.seed, self.options = command, seed, options
        self.started = time.time()
        self.done: Counter[str] = Counter()
        self.counts: dict[str, Counter[str]] = defaultdict(Counter)
        self.failures: list[dict[str, Any]] = []

    def add(self, kind: str, said: dict[str, Any]) -> dict[str, Any] | None:
        """Take what a worker said; the failure, if it said one."""
        self.done[kind] += said["done"]
        self.counts[kind].update(said["counts"])
        failure: dict[str, Any] | None = said.get("failure")
        if failure is not None:
            self.failures.append(failure)
        return failure

    def failed(self, what: str) -> int:
        return sum(failure["what"] == what for failure in self.failures)

    def line(self) -> str:
        """How far it is, on one line."""
        seconds = time.time() - self.started
        done = ", ".join(f"{count:,} {kind}" for kind, count in self.done.items())
        return f"{seconds:6.0f} s: {done or 'nothing yet'}; {len(self.failures)} failures"

    def words(self) -> str:
        """The summary."""
        rows = [self.line(), ""]
        for kind, counts in self.counts.items():
            rows.append(f"{kind}: {self.done[kind]:,}")
            groups: dict[str, list[str]] = defaultdict(list)
            for name, count in sorted(counts.items(), key=lambda item: -item[1]):
                group, _, rest = name.partition(" ")
                groups[group if rest else ""].append(f"{rest or name} {count:,}")
            rows += [f"  {group or 'in all'}: {', '.join(entries)}" for group, entries in groups.items()]
        wrong, foreign = self.failed("wrong"), self.failed("foreign")
        others = len(self.failures) - wrong - foreign
        rows += ["", f"{wrong} wrong, {foreign} foreign exceptions, {others} other failures"]
        grouped = Counter((f["kind"], f["what"], f["where"]) for f in self.failures)
        for (kind, what, where), count in grouped.most_common():
            first = next(f for f in self.failures if (f["kind"], f["what"], f["where"]) == (kind, what, where))
            rows.append(f"  {count} x {what} in {where}: {first['words'][:200]}")
            rows.append(f"      scripts/torture{self.options} --replay {kind}:{first['seed']}")
        return "\n".join(rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready."""
        return {
            "command": self.command,
            "commit": _commit(),
            "version": apsp.__version__,
            "date": time.strftime("%Y-%m-%d", time.gmtime(self.started)),
            "seconds": round(time.time() - self.started, 1),
            "seed": self.seed,
            "machine": _machine(),
            "done": dict(self.done),
            "wrong": self.failed("wrong"),
            "foreign": self.failed("foreign"),
            "other_failures": len(self.failures) - self.failed("wrong") - self.failed("foreign"),
            "counts": {kind: dict(sorted(counts.items())) for kind, counts in self.counts.items()},
            "failures": [{k: v for k, v in f.items() if k != "trace"} for f in self.failures[:200]],
        }

    def save(self, path: Path) -> None:
        path.write_text(json.dumps(self.to_dict(), indent=1) + "\n")


def _commit() -> str:
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=_FOLDER, capture_output=True, text=True, check=True,
        )  # fmt: skip
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return found.stdout.strip()


def _machine() -> dict[str, Any]:
    model = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    from apsp import _cpu

    facts = {"cpu": model, "cores": os.cpu_count(), "isa": _cpu.isa(), "python": platform.python_version()}
    gpus = _gpus()
    return facts | {"gpus": gpus} if gpus else facts


def _gpus() -> list[str]:
    """Names of the GPUs, from the driver's command: this process must not start CUDA, since workers are forked."""
    try:
        found = subprocess.run(
            ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return []
    return found.stdout.splitlines()
