"""Does the planner choose the fastest method? python -m benchmarks.planner [--write FILE] [--threads N] [--device
cuda] [--shapes].

For each graph of the benchmark set every automatic method that accepts the request runs: once each, to check that all
agree, then in turn, several rounds. A method that is expected to take more than ten times the best so far is left out,
with a note; with one thread (`--threads 1`) seconds are CPU seconds, which other programs on the same machine hardly
change. The plan is made for a graph without statistics. The file contains all that tests/planning/test_choice.py needs
to repeat the choices with a later planner: the machine, the constants, the graphs as arguments of `apsp.generate`, the
seconds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import shlex
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import apsp
from apsp.facts.constants import Constants, load_constants, shipped_constants
from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import rates_of
from apsp.facts.statistics import statistics_of
from apsp.gpu.gpus import with_gpus
from apsp.methods.elimination.probe import with_fill
from apsp.planning.candidates import all_candidates
from apsp.planning.planner import plan_on
from apsp.system.array_device import to_host
from apsp.system.machine import Machine
from benchmarks.elimination import fresh
from benchmarks.harness import environment
from benchmarks.planner_cases import CASES, GPU_CASES, SHAPE_CASES, Case, as_data, graph_of, request_of, sources_of

HOPELESS = 10.0
"""Multiple of the best time: a method that is expected to take longer is left out."""

LONG = 0.1
"""Seconds from which a method that takes twice the best is timed once."""


@dataclass(frozen=True)
class Place:
    """The device of all runs."""

    machine: Machine
    constants: Constants
    device: str
    threads: int

    @property
    def start(self) -> float:
        """Seconds before a GPU begins its work, which models include; here it has begun."""
        return rates_of(self.machine.gpus[0]).start if self.device == "cuda" else 0.0

    @property
    def clock(self) -> Callable[[], float]:
        return time.process_time if self.threads == 1 and self.device == "cpu" else time.perf_counter


class Contest:
    """All methods on one graph."""

    def __init__(self, case: Case, graph: apsp.Graph, place: Place) -> None:
        self.case, self.graph, self.place = case, graph, place
        machine, constants, self.device = place.machine, place.constants, place.device
        self.request = replace(request_of(case, place.device), threads=place.threads)
        self.plan = plan_on(fresh(graph), self.request, machine, constants)
        self.sources = sources_of(case, graph)
        self.expected: dict[str, float] = {}
        self.times: dict[str, list[float]] = {}
        self.left_out: dict[str, str] = {}
        self._agreed: Any = None

    def hold(self, rounds: int, passes: int) -> dict[str, Any]:
        """Run everything; one row of the results."""
        self._first_runs()
        medians = [{name: times[0] for name, times in self.times.items()}]
        for _ in range(passes):
            again = [name for name in self.times if self._is_worth_repeating(name)]
            times: dict[str, list[float]] = {name: [] for name in again}
            for _ in range(rounds):
                for name in again:
                    times[name].append(self._timed(name)[1])
            medians.append({name: statistics.median(values) for name, values in times.items()})
        seconds = {name: min(median[name] for median in medians if name in median) for name in self.times}
        return self._row(seconds)

    def _row(self, seconds: dict[str, float]) -> dict[str, Any]:
        best = min((name for name in seconds if name != "auto"), key=seconds.__getitem__)
        chosen = self.plan.method
        given = statistics_of(self.graph)
        return {
            "case": as_data(self.case), "n": self.graph.n, "m": self.graph.m, "dtype": self.plan.dtype.name,
            "device": self.device, "chosen": chosen, "planned": self.plan.seconds, "best": best,
            "ratio": seconds[chosen] / seconds[best],
            "auto": seconds["auto"] / seconds[best], "seconds": seconds,
            "expected": {name: value for name, value in self.expected.items() if name in seconds},
            "left out": self.left_out, "verified": True,
            "statistics": asdict(self._filled(given)) if self.case.is_file else None,
        }  # fmt: skip

    def _first_runs(self) -> None:
        """Those that are expected to be fast go first; elimination last, since its cost is known only after the search
        for separators."""
        self._run_if_worth("auto", 0.0)
        self.expected = self._expectations(sought=False)
        for name in sorted(self.expected, key=self.expected.__getitem__):
            self._run_if_worth(name, self.expected[name])
        self.expected = self._expectations(sought=True)
        if "elimination" in self.expected:
            self._run_if_worth("elimination", self.expected["elimination"])
        else:
            self.left_out["elimination"] = "separators are wide"

    def _run_if_worth(self, name: str, expected: float) -> None:
        best = min((times[0] for times in self.times.values()), default=np.inf)
        if expected > HOPELESS * best and name != self.plan.method:
            self.left_out[name] = f"expected to take {expected:.2g} s"
            return
        result, seconds = self._timed(name)
        self._check(name, result)
        self.times[name] = [seconds]

    def _is_worth_repeating(self, name: str) -> bool:
        best = min(times[0] for times in self.times.values())
        return name in ("auto", self.plan.method) or self.times[name][0] < max(LONG, 2 * best)

    def _timed(self, name: str) -> tuple[Any, float]:
        graph, method = fresh(self.graph), name
        options = {"method": method, "device": self.device, "sources": self.sources, "threads": self.place.threads}
        options["dtype"] = "auto" if name == "auto" else self.plan.dtype.name
        work: Callable[[], Any] = lambda: apsp.solve(graph, paths=self.case.paths, **options)  # noqa: E731
        if self.case.sums:
            work = lambda: apsp.summary(graph, **options).closeness_centrality("out")  # noqa: E731
        gc.collect()
        started = self.place.clock()
        result = work()
        if self.device == "cuda":
            self._wait()
        return result, self.place.clock() - started

    def _wait(self) -> None:
        from apsp.gpu import jit

        jit.cupy().cuda.Device().synchronize()

    def _check(self, name: str, result: Any) -> None:
        found = result if self.case.sums else to_host(result.distances)
        if self._agreed is None:
            self._agreed = found
        elif found.dtype.kind == "f":
            np.testing.assert_allclose(found, self._agreed, rtol=1e-5, err_msg=name)
        else:
            np.testing.assert_array_equal(found, self._agreed, err_msg=name)

    def _filled(self, given: Any) -> Any:
        """The statistics, with the factor that elimination would compute."""
        best = min((times[0] for times in self.times.values()), default=1.0)
        entries = self.place.machine.memory_available // self.plan.dtype.itemsize
        request = request_of(self.case, self.device)
        return with_fill(given, self.graph, request, max(best, 1e-3), self.place.threads, entries)

    def _expectations(self, *, sought: bool) -> dict[str, float]:
        """Seconds of each method by the models."""
        given = statistics_of(self.graph)
        if sought:
            given = self._filled(given)
        place = self.place
        facts = Facts(given, place.machine, self.request, place.constants, self.plan.dtype.name, place.threads)
        return {candidate.method.name: candidate.seconds - place.start for candidate in all_candidates(facts)[0]}


def contests(cases: Iterator[Case], place: Place) -> Iterator[Contest]:
    """One per available graph."""
    for case in cases:
        graph = graph_of(case)
        if graph is None:
            print(f"{case.name}: not run: the file is not there")
            continue
        yield Contest(case, graph, place)


def machine_data(machine: Machine) -> dict[str, Any]:
    """The properties of the machine that a plan needs."""
    data = asdict(machine)
    return {name: value for name, value in data.items() if name not in ("cuda", "no_gpu")}


def print_row(row: dict[str, Any]) -> None:
    """One line, and the others below it."""
    mark = " " if row["ratio"] <= 1.3 else "*"
    taken = row["seconds"]["auto"]
    print(
        f"{mark} {row['case']['name']:<42} {row['chosen']:<17} {row['ratio']:6.2f}  auto {row['auto']:6.2f}"
        f"  planned {row['planned'] * 1e3:.3g} taken {taken * 1e3:.3g}", end="  "
    )  # fmt: skip
    others = sorted((s, name) for name, s in row["seconds"].items() if name != "auto")
    print(", ".join(f"{name} {s * 1e3:.3g} ({row['expected'].get(name, np.nan) * 1e3:.3g})" for s, name in others))


def main() -> None:
    """Run, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planner", description=__doc__)
    parser.add_argument("--write", type=Path, help="file for the results as JSON")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--shapes", action="store_true", help="graphs of extreme shapes instead of the usual ones")
    parser.add_argument("--threads", type=int, help="all of this machine by default")
    parser.add_argument("--only", default="", help="cases whose names hold this text")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--passes", type=int, default=2, help="of these the smaller median counts")
    parser.add_argument("--resume", action="store_true", help="keep the rows that the file of results has already")
    parser.add_argument("--tuned", action="store_true", help="with the constants of apsp tune, not the shipped ones")
    options = parser.parse_args()
    machine = Machine.detect() if options.device == "cpu" else with_gpus(Machine.detect())
    constants = load_constants(machine.isa) if options.tuned else shipped_constants(machine.isa)
    place = Place(machine, constants, options.device, options.threads or machine.cores)
    document: dict[str, Any] = {
        "environment": environment(shlex.join(["python", "-m", "benchmarks.planner", *sys.argv[1:]])),
        "machine": machine_data(machine),
        "threads": place.threads,
        "clock": "seconds of the processor" if place.clock is time.process_time else "seconds",
        "constants": {name: dict(values) for name, values in constants.values.items()} if options.tuned else "shipped",
        "load": os.getloadavg()[0], "rows": [],
    }  # fmt: skip
    if options.resume and options.write is not None and options.write.exists():
        document["rows"] = json.loads(options.write.read_text())["rows"]
    done = {row["case"]["name"] for row in document["rows"]}
    cases = SHAPE_CASES if options.shapes else CASES if options.device == "cpu" else GPU_CASES
    chosen = (case for case in cases if options.only in case.name and case.name not in done)
    for contest in contests(chosen, place):
        document["rows"].append(contest.hold(options.rounds, options.passes))
        print_row(document["rows"][-1])
        if options.write is not None:
            options.write.write_text(json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
