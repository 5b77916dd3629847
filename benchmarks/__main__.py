"""Run the benchmarks: python -m benchmarks [--only NAME] [--quick] [--write]."""

from __future__ import annotations

import argparse
import importlib
import shlex
import sys
from pathlib import Path

from benchmarks import footprint
from benchmarks.harness import compare, print_table, write_json

GROUPS = ("dense", "paths", "sparse", "closure")
RESULTS = Path(__file__).resolve().parent / "results"


def main() -> None:
    """Parse the command line, run the groups, print, and write JSON where asked."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    parser.add_argument("--only", choices=[*GROUPS, "footprint"], action="append", help="run these groups alone")
    parser.add_argument("--quick", action="store_true", help="small inputs, to see that everything runs")
    parser.add_argument("--rounds", type=int, default=5, help="timed runs of each contestant (default 5)")
    parser.add_argument("--write", action="store_true", help="write benchmarks/results/GROUP.json")
    options = parser.parse_args()
    chosen = options.only or [*GROUPS, "footprint"]
    command = shlex.join(["scripts/bench", *sys.argv[1:]])
    for group in GROUPS:
        if group not in chosen:
            continue
        rows = []
        for comparison in importlib.import_module(f"benchmarks.{group}").comparisons(options.quick):
            rows.append(compare(comparison, 2 if options.quick else options.rounds))
            print_table(rows[-1:])
        if options.write:
            write_json(RESULTS / f"{group}.json", command, rows)
    if "footprint" in chosen:
        footprint.main(RESULTS / "footprint.json" if options.write else None, command)


if __name__ == "__main__":
    main()
