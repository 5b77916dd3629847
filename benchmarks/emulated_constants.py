"""The constants of emulated GPUs: python -m benchmarks.emulated_constants [METHOD ...].

Every method solves random graphs of several sizes and densities on one core. The constants of its model (see
apsp/planning/emulated_cost.py), which is linear in them, are fitted by least squares of the relative errors, none below
zero. Seconds are CPU seconds, which other programs hardly change. The output is copied to apsp/facts/emulated.json by
hand.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.optimize import nnls

import apsp
from apsp.facts.constants import load_constants
from apsp.facts.placement import Placement
from apsp.facts.work import Work
from apsp.methods import registry
from apsp.planning import Machine, Request, make_plan, statistics_of
from apsp.planning.emulated_cost import constants_of, modelled

MATRICES = ((64, 4), (128, 4), (256, 4), (384, 4))
SEARCHES = ((64, 4), (128, 4), (256, 4), (256, 100), (512, 2))
FRONTIERS = ((64, 4), (128, 4), (192, 4), (128, 32))
RUNS = 3


def graphs_of(name: str) -> Iterator[apsp.Graph]:
    """Vertices, and arcs per vertex."""
    sizes = FRONTIERS if name.startswith("johnson") else SEARCHES if registry.get(name).by_rows else MATRICES
    for n, degree in sizes:
        graph = apsp.generate("random", n, m=degree * n, seed=n, weights=(1, 100))
        yield graph if registry.get(name).weighted else graph.unweighted()


def fitted(name: str) -> dict[str, float]:
    """The constants of a method."""
    method = registry.get(name)
    constants = tuple(constants_of(method))
    rows = []
    for graph in graphs_of(name):
        plan = make_plan(
            statistics_of(graph), Machine.detect(), Request(method=name, device="emulated", threads=1),
            load_constants("baseline"),
        )  # fmt: skip
        work = Work(rows=graph.n, threads=1, dtype=plan.dtype.name, paths=False, output_bytes=plan.bytes_output)
        placement = Placement("device", plan.gpus, plan.bytes_on_gpu)
        parts = [
            modelled(method, dict.fromkeys(constants, 0.0) | {one: 1.0}, statistics_of(graph), work, placement)
            for one in constants
        ]
        rows.append(np.array(parts) / best(graph, name))
    found, _ = nnls(np.array(rows), np.ones(len(rows)))
    errors = np.array(rows) @ found
    print(f"{name}: predicted over measured from {errors.min():.2f} to {errors.max():.2f}", flush=True)
    return {one: float(f"{value:.2g}") for one, value in zip(constants, found, strict=True)}


def best(graph: apsp.Graph, name: str) -> float:
    """CPU seconds, the minimum of several runs."""
    seconds = []
    for _ in range(RUNS):
        before = time.process_time()
        apsp.solve(graph, method=name, device="emulated", threads=1)
        seconds.append(time.process_time() - before)
    return min(seconds)


def main() -> None:
    """Print the constants of the methods that are named, or of all."""
    emulated = [method.name for method in registry.METHODS.values() if "emulated" in method.devices]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help=", ".join(emulated))
    found: Mapping[str, Mapping[str, float]] = {name: fitted(name) for name in parser.parse_args().methods or emulated}
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
