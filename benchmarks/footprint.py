"""Memory of a solve beside its output, and the time that `import apsp` adds: each in a fresh process."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.harness import environment

__all__ = ["import_seconds", "peak_over_output"]

_PEAK = """
import sys
import apsp
kind, n, method, dtype = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]

def status(field):
    line = next(line for line in open("/proc/self/status") if line.startswith(field + ":"))
    return int(line.split()[1]) * 1024

graph = apsp.generate(kind, n, seed=1, weights=(1, 1000))
apsp.solve(apsp.generate("random", 64, seed=1), method=method)  # whatever is loaded once
apsp.plan(graph)
open("/proc/self/clear_refs", "w").write("5")  # forgets the peak so far
before = status("VmRSS")
result = apsp.solve(graph, method=method, dtype=dtype)
print((status("VmHWM") - before) / result.distances.nbytes)
"""


def peak_over_output(kind: str, n: int, method: str, dtype: str) -> float:
    """Growth of the resident peak during a solve, divided by the bytes of the distances (Linux)."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, kind, str(n), method, dtype], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def import_seconds(rounds: int = 11) -> dict[str, float]:
    """Median seconds of a fresh interpreter that imports the base libraries, and that imports apsp as well."""
    base = "import numpy, scipy.sparse"
    times: dict[str, list[float]] = {"numpy, scipy.sparse": [], "and apsp": []}
    for _ in range(rounds):
        for name, code in (("numpy, scipy.sparse", base), ("and apsp", f"{base}, apsp")):
            times[name].append(_process_seconds(code))
    return {name: statistics.median(values) for name, values in times.items()}


def _process_seconds(code: str) -> float:
    import time

    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - started


def report() -> dict[str, Any]:
    """Every number of this module."""
    imports = import_seconds()
    base, ours = imports["numpy, scipy.sparse"], imports["and apsp"]
    return {
        "memory over output, floyd-warshall float32, n = 8,192": peak_over_output(
            "complete", 8192, "floyd-warshall", "float32"
        ),
        "memory over output, dijkstra int32, random n = 16,384": peak_over_output("random", 16384, "dijkstra", "int32"),
        "memory over output, label-correcting int32, random n = 16,384": peak_over_output(
            "random", 16384, "label-correcting", "int32"
        ),
        "import apsp over numpy and scipy.sparse, s": ours - base,
    }


def main(path: Path | None, command: str) -> None:
    """Print the numbers and write them if requested."""
    facts = report()
    for name, value in facts.items():
        print(f"{name}: {value:.3f}")
    if path is not None:
        path.write_text(json.dumps({"environment": environment(command), "facts": facts}, indent=1) + "\n")
