"""Two versions of this package side by side: python benchmarks/versions.py OLD NEW --only GROUP [--write FILE].

OLD and NEW are checkouts, each with its package in build/package: `pip install --no-deps --target build/package .`
Each version runs in a process of its own, with the benchmarks of its checkout; the two take turns, so that whatever
else the machine does concerns both. Only contestants of this package are timed, and only rows that both versions have.
Results that are arrays of integers, or numbers, have to be equal. GPU groups are programs, which run in turn.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import importlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

PEERS = ("scipy", "networkit", "networkx", "rustworkx", "numba", "igraph", "pandana")
"""First words of the names of contestants that are not this package."""


def serve(group: str, quick: bool) -> None:
    """Answer lines of standard input in a version's process: the name of a row and of a contestant, as JSON."""
    import apsp

    if not Path(apsp.__file__).is_relative_to(Path.cwd() / "build" / "package"):
        sys.exit(f"{apsp.__file__} is imported, not the package in build/package: use a Python without apsp installed")
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    rows = importlib.import_module(f"benchmarks.{group}").comparisons(quick)
    for row in rows:
        names = [name for name in row.contestants if not name.startswith(PEERS)]
        answers.write(json.dumps([row.name, names]) + "\n")
        for line in sys.stdin:
            name = json.loads(line)
            if name is None:
                break
            gc.collect()
            started = time.perf_counter()
            result = row.contestants[name]()
            answers.write(json.dumps([time.perf_counter() - started, digest(result)]) + "\n")
            del result
    answers.write("null\n")


def digest(result: Any) -> str | None:
    """A checksum of an array, or the number itself; None for other results."""
    import numpy as np

    value = getattr(result, "distances", result)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iub":
        return hashlib.sha256(np.ascontiguousarray(value).astype(np.int64).tobytes()).hexdigest()
    return repr(value) if isinstance(value, int | float) else None


def environment_of(checkout: Path) -> dict[str, str]:
    """With the package of a checkout before any other."""
    package = checkout / "build" / "package"
    if not (package / "apsp").exists():
        sys.exit(f"{package}: no package: in {checkout}, pip install --no-deps --target build/package .")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(package), str(checkout)])}


class Version:
    """The process of a version, for one group."""

    def __init__(self, checkout: Path, group: str, quick: bool) -> None:
        command = [sys.executable, str(Path(__file__).resolve()), "--serve", group, *(["--quick"] if quick else [])]
        self.process = subprocess.Popen(
            command,
            cwd=checkout,
            env=environment_of(checkout),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def answer(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise EOFError
        return json.loads(line)

    def ask(self, name: str | None) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(name) + "\n")
        self.process.stdin.flush()


def compare(versions: list[Version], rounds: int, seconds: float) -> list[dict[str, Any]]:
    """The rows that both versions have, in the order of the benchmark."""
    found = []
    heads = [version.answer() for version in versions]
    while all(heads):
        if heads[0][0] != heads[1][0]:
            print(f"  rows differ: {heads[0][0]!r} and {heads[1][0]!r}; the rest of the group is left out")
            break
        for name in (name for name in heads[0][1] if name in heads[1][1]):
            times: list[list[float]] = [[], []]
            spent, digests = 0.0, set()
            for turn in range(rounds + 1):
                if turn > 1 and spent > seconds:
                    break
                for side in (0, 1) if turn % 2 else (1, 0):
                    versions[side].ask(name)
                    wall, checksum = versions[side].answer()
                    spent += wall
                    digests.add(checksum)
                    if turn:
                        times[side].append(wall)
            old, new = (statistics.median(each) for each in times)
            least = [min(each) for each in times]
            row = {
                "row": heads[0][0],
                "contestant": name,
                "old": old,
                "new": new,
                "least": least,
                "rounds": len(times[0]),
            }
            row |= {"ratio": new / old, "ratio of least": least[1] / least[0], "equal": len(digests) == 1}
            found.append(row)
            mark = "" if row["equal"] else "  RESULTS DIFFER"
            print(
                f"  {heads[0][0][:52]:<52} {name[:34]:<34} {old:>10.5f} {new:>10.5f} {new / old:>6.3f} "
                f"{least[1] / least[0]:>6.3f}{mark}",
                flush=True,
            )
        for version in versions:
            version.ask(None)
        heads = [version.answer() for version in versions]
    return found


def compare_programs(checkouts: list[Path], group: str, rounds: int, quick: bool) -> list[dict[str, Any]]:
    """The rows of a GPU group; the least of the medians of all runs of its program."""
    times: list[dict[str, list[float]]] = [{}, {}]
    for turn in range(rounds):
        for side in (0, 1) if turn % 2 else (1, 0):
            with tempfile.NamedTemporaryFile(suffix=".json") as written:
                command = [sys.executable, "-m", f"benchmarks.{group}", "--write", written.name]
                command += ["--quick"] if quick else []
                done = subprocess.run(
                    command,
                    cwd=checkouts[side],
                    env=environment_of(checkouts[side]),
                    capture_output=True,
                    text=True,
                    check=False,
                )
                if done.returncode:
                    sys.exit(done.stdout + done.stderr)
                for row in json.loads(Path(written.name).read_text())["rows"]:
                    if "milliseconds" not in row:  # what a method refuses
                        continue
                    key = ", ".join(str(value) for value in row.values() if isinstance(value, str | int))
                    times[side].setdefault(key, []).append(row["milliseconds"] / 1e3)
    found = []
    for key in (key for key in times[0] if key in times[1]):
        old, new = (min(each[key]) for each in times)
        found.append({"row": key, "old": old, "new": new, "ratio of least": new / old, "rounds": rounds})
        print(f"  {key[:87]:<87} {old:>10.5f} {new:>10.5f} {new / old:>6.3f}", flush=True)
    return found


def main() -> None:
    """Parse the command line, run the groups in both versions, print, and write JSON if requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="*", type=Path, metavar="OLD NEW")
    parser.add_argument("--only", action="append", default=[], help="a group of benchmarks; may be repeated")
    parser.add_argument("--quick", action="store_true", help="small inputs")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10, help="after which a contestant gets no further round")
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        sys.path[0] = str(Path.cwd())
        serve(options.serve, options.quick)
        return
    old, new = (path.resolve() for path in options.checkouts)
    results: dict[str, Any] = {}
    for group in options.only:
        print(f"{group:<89} {'old':>10} {'new':>10} {'ratio':>6} {'least':>6}")
        if group.startswith("gpu_"):
            results[group] = compare_programs([old, new], group, options.rounds, options.quick)
        else:
            try:
                versions = [Version(each, group, options.quick) for each in (old, new)]
                results[group] = compare(versions, options.rounds, options.seconds)
            except EOFError:
                print(f"  {group}: a process ended early")
        if results.get(group):
            ratios = [row["ratio of least"] for row in results[group]]
            print(
                f"  geometric mean of {len(ratios)} ratios of the least times: {statistics.geometric_mean(ratios):.3f}"
            )
        if options.write:
            options.write.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
