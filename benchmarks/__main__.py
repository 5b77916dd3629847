"""Run the benchmarks: python -m benchmarks [--only NAME] [--quick] [--write]."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import shlex
import subprocess
import sys
from pathlib import Path

from apsp.gpu import jit
from benchmarks import footprint
from benchmarks.harness import compare, print_table, write_json

GROUPS = (
    "small",
    "extremes",
    "shapes",
    "central",
    "dense",
    "paths",
    "sparse",
    "sparse_cpu",
    "elimination",
    "orders",
    "labels",
    "updates",
    "closure",
    "product",
    "batch",
    "path_encodings",
    "skims",
    "accessibility",
    "within",
    "places",
    "isochrones",
    "pair_questions",
    "simple_paths",
    "alternatives",
    "serve",
    "instruction_sets",
    "pandana",
    "betweenness",
    "arc_flows",
    "csgraph",
    "networkx_backend",
    "store",
    "executors",
    "spmd",
)
GPU_GROUPS = (
    "gpu_dense",
    "gpu_peers",
    "gpu_strips",
    "gpu_spmd",
    "gpu_engines",
    "gpu_closure",
    "gpu_batch",
    "gpu_product",
    "gpu_sparse",
    "gpu_elimination",
    "gpu_betweenness",
    "gpu_accessibility",
    "gpu_within",
    "gpu_places",
    "gpu_skims",
)
"""Separate programs, which need a GPU."""

RESULTS = Path(__file__).resolve().parent / "results"


def main() -> None:
    """Parse the command line, run the groups, print, and write JSON if requested."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument(
        "--only", choices=[*GROUPS, "footprint", *GPU_GROUPS], action="append", help="run these groups alone"
    )
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that everything runs")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each contestant (default 5)")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/GROUP.json")
    options = parser.parse_args()
    chosen = options.only or [*GROUPS, "footprint", *GPU_GROUPS]
    command = shlex.join(["scripts/bench", *sys.argv[1:]])
    for group in GROUPS:
        if group not in chosen:
            continue
        rows = []
        for comparison in importlib.import_module(f"benchmarks.{group}").comparisons(options.quick):
            rows.append(compare(comparison, 2 if options.quick else options.rounds))
            print_table(rows[-1:])
        if options.write and rows:
            write_json(RESULTS / f"{group}.json", command, rows)
    if "footprint" in chosen:
        footprint.main(RESULTS / "footprint.json" if options.write else None, command)
    for group in GPU_GROUPS:
        if group in chosen and importlib.util.find_spec(f"benchmarks.{group}") is not None:
            on_gpu(group, options.quick, options.write)


def on_gpu(group: str, quick: bool, write: bool) -> None:
    """Run a group in a separate process, or print why it is not run."""
    reason = jit.why_no_gpu()
    if reason is not None:
        print(f"{group}: not run: {reason}")
        return
    arguments = ["--quick"] if quick else []
    arguments += ["--write", str(RESULTS / f"{group}.json")] if write else []
    subprocess.run([sys.executable, "-m", f"benchmarks.{group}", *arguments], check=True)


if __name__ == "__main__":
    main()
