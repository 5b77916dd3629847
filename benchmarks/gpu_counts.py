"""Counts of the emulated GPU beside the hardware counters of a real one, kernel by kernel.

    python -m benchmarks.gpu_counts emulate COUNTS.json     on any machine, minutes
    python -m benchmarks.gpu_counts measure COUNTERS.json   on a machine with a GPU and Nsight Compute (`ncu`)
    python -m benchmarks.gpu_counts compare COUNTS.json COUNTERS.json --out gpu_counts.json

Every published method runs once on a random graph of n = 1,024 vertices and m = 4,096 arcs; the methods that take one
source after another run a few sources, since each launch takes `ncu` tens of milliseconds.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

N, M, SEED = 1024, 4096, 1

RUNS: dict[str, int] = {
    "katz-kider": N, "okuyama": 64, "okuyama-global": 64, "harish-sssp": 8, "johnson-flag": 2, "johnson-queue": 2,
    "johnson-prefix": 2, "harish-fw": N, "lab-fw": N, "lab-fw-shared": N,
}  # fmt: skip
"""Method -> sources; those with few launches first."""

_L1 = "l1tex__t_{}_pipe_lsu_mem_global_op_{}.sum"

COUNTERS = {
    "load_sectors": (_L1.format("sectors", "ld"),),
    "store_sectors": (_L1.format("sectors", "st"),),
    "atomic_sectors": (_L1.format("sectors", "atom"), _L1.format("sectors", "red")),
    "load_requests": (_L1.format("requests", "ld"),),
    "store_requests": (_L1.format("requests", "st"),),
    "atomic_requests": (_L1.format("requests", "atom"), _L1.format("requests", "red")),
    "bank_conflicts": ("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",),
    "divergent_branches": ("smsp__sass_branch_targets_threads_divergent.sum",),
}
"""A count of the emulation -> the hardware counters whose sum it is."""


def run(method: str, device: str, *, profiled: bool) -> Any:
    """One run, on the emulated GPU with its counts."""
    import apsp

    graph = apsp.generate("random", N, m=M, seed=SEED)
    rows = RUNS[method]
    options: dict[str, Any] = {} if rows == N else {"sources": np.arange(rows)}
    solved = apsp.profile if profiled else apsp.solve
    return solved(graph, method=method, device=device, dtype="int32", paths=False, **options)


def emulate(out: Path) -> None:
    found = {}
    for method in RUNS:
        profile = run(method, "emulated", profiled=True)
        found[method] = {each.kernel: each.to_dict() for each in profile.kernels}
        print(method, {name: each["launches"] for name, each in found[method].items()}, flush=True)
        out.write_text(json.dumps(found, indent=1))


def measure(out: Path, methods: list[str]) -> None:
    found: dict[str, Any] = json.loads(out.read_text()) if out.exists() else {}
    for method in methods:
        found[method] = counters(method)
        print(method, {name: each["launches"] for name, each in found[method].items()}, flush=True)
        out.write_text(json.dumps(found, indent=1))


def counters(method: str) -> dict[str, dict[str, float]]:
    """The hardware counters of a run, summed over the launches of each kernel of this package."""
    metrics = ",".join(name for names in COUNTERS.values() for name in names)
    with tempfile.NamedTemporaryFile(suffix=".csv") as log:
        command = [
            "ncu", "--clock-control", "none", "--metrics", metrics, "--csv", "--page", "raw", "--print-units", "base",
            "--log-file", log.name, sys.executable, "-m", "benchmarks.gpu_counts", "run", method,
        ]  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        text = Path(log.name).read_text()
    lines = text[text.index('"ID"') :]
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for row in csv.DictReader(io.StringIO(lines)):
        name = row["Kernel Name"].partition("<")[0].partition("(")[0].removeprefix("void ").removeprefix("apsp::")
        if not row["ID"] or name.startswith("cupy_") or name not in _names():
            continue
        sums[name]["launches"] += 1
        for count, parts in COUNTERS.items():
            sums[name][count] += sum(float(row[part].replace(",", "") or 0) for part in parts if part in row)
    return {name: dict(each) for name, each in sums.items()}


def _names() -> set[str]:
    from apsp import _emulated
    from apsp.gpu.recorder import kernel_name

    return {kernel_name(each) for each in _emulated.kernels(counted=False)}


def compare(counts: Path, hardware: Path, out: Path | None) -> None:
    emulated, measured = json.loads(counts.read_text()), json.loads(hardware.read_text())
    rows = []
    print(f"{'method':15} {'kernel':22} {'count':20} {'emulated':>14} {'hardware':>14}  difference")
    for method, kernels in measured.items():
        for kernel, counters_of_kernel in kernels.items():
            for count, hardware_value in counters_of_kernel.items():
                value = emulated[method][kernel][count]
                if not value and not hardware_value:
                    continue
                difference = (value - hardware_value) / max(hardware_value, 1)
                rows.append({"method": method, "kernel": kernel, "count": count, "emulated": value,
                             "hardware": int(hardware_value), "difference": round(difference, 4)})  # fmt: skip
                print(f"{method:15} {kernel:22} {count:20} {value:14,} {int(hardware_value):14,}  {difference:+.1%}")
    if out is not None:
        about = {"n": N, "m": M, "sources": RUNS, "counters": COUNTERS, "command": "python -m benchmarks.gpu_counts"}
        out.write_text(json.dumps({"about": about, "rows": rows}, indent=1) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["emulate", "measure", "compare", "run"])
    parser.add_argument("files", nargs="+")
    parser.add_argument("--methods", help="for `measure`: only these, with commas")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.command == "run":
        run(given.files[0], "cuda", profiled=False)
    elif given.command == "emulate":
        emulate(Path(given.files[0]))
    elif given.command == "measure":
        methods = given.methods.split(",") if given.methods else list(RUNS)
        measure(Path(given.files[0]), methods)
    else:
        compare(Path(given.files[0]), Path(given.files[1]), given.out)


if __name__ == "__main__":
    main()
